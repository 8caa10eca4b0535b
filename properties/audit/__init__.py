"""Collecting and running the checks behind the claims, and what an audit leaves behind."""
