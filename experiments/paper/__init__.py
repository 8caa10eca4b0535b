"""The numerical section of the paper: its tables, figures and statements."""
