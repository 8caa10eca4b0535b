"""The font of the formulas, and how it was cut."""
