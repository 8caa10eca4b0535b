"""The compiled engine: many seeds fast, with the decisions of exact arithmetic."""
