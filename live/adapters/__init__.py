"""Our policies behind the interfaces of other libraries: river, Gymnasium with monitors, MABWiser. Each is optional."""
