"""A case against a policy of one's own has means in [0, 1]: intervals of early rounds reach far beyond."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bufalu.cli import main

POLICY = """
from bufalu import Decision, Policy, Reason

class Challenger(Policy):
    text = "challenger"

    def possible(self, view, comparisons):
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.SEPARATED
            for arm in comparisons.largest(others, view.ucb):
                for separated in comparisons.at_most(view.ucb(arm), view.lcb(leader)):
                    if separated:
                        yield Decision(leader, False), Reason.SEPARATED
                    else:
                        yield Decision(arm, True), Reason.UNCERTAIN
"""


def test_a_gap_above_one_is_never_held_against_a_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The arms pay 0 and 1, and arm 1 is queried in round 6 with width 1.64; its gap is at most 1, half of it 1/2.

    The ends of the two intervals are 3.46 apart, and half of that is more than 1.64: no means of rewards in [0, 1].
    """
    (tmp_path / "own.py").write_text(POLICY)
    trace = tmp_path / "trace.jsonl"
    head = {"format": "bufalu-trace", "version": 1, "policy": "challenger", "confidence": "hoeffding", "arms": 2}
    lines = [json.dumps({**head, "epsilon": "constant:0"})]
    for number, arm in enumerate((1, 2, 1, 1, 1, 1), start=1):
        lines.append(json.dumps({"round": number, "arm": arm, "query": True, "reward": arm - 1}))
    trace.write_text("\n".join(lines) + "\n")
    claim = ["--claim", "count.case_challenger_unique", "--policy", f"{tmp_path / 'own.py'}:Challenger"]
    assert main(["check", str(trace), *claim]) == 0
    said = capsys.readouterr().out
    assert "conforms: challenger" in said
    assert "needed width: 0.5 <= " in said
