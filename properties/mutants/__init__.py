"""Wrong claims and wrong policies that the checks must notice, and the matrix of who notices what."""
