"""The theorems that the Coq kernel accepts, and the claims that they speak for (PROVED)."""
