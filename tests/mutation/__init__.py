"""Mutation testing of our own code: small slips are put into it, and the tests of the room must notice.

`python -m tests.mutation` (`make mutation`) draws slips with a seed, tries each in a scratch copy, and prints those that
survive. `survivors.txt` holds the known ones with the reason why no test can or need notice them.
"""
