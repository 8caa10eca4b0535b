"""The oracle: does this trace, or this program, follow its policy?"""
