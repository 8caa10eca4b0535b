"""What must hold: the claims of the paper, the checks that speak for them, the exact law and the oracle."""
