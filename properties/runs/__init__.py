"""What must hold on every path of a run: statements decided exactly on a trace, searched with Hypothesis."""
