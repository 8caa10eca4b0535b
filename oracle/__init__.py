"""The oracle: is this trace, or this program, one of the four policies?"""
