"""What people look at: the report of an audit and the picture of a trace."""
