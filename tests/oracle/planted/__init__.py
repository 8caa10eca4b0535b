"""Planted defects: textual changes of the example programs, each of which `bufalu conform` must find, and changes that
it must accept.
"""
