"""The claims of the paper asked of an interval or a policy that a user brings along."""
