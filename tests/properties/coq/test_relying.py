"""What the kernel's proofs go back to, and what the claims rest on by hand: both are known, and so are the differences."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bufalu.properties.claims import BY_ID, CLAIMS
from bufalu.properties.coq.relying import asked_of_the_kernel, between_claims, compared, kept, nearest, written
from bufalu.properties.coq.theorem import Theorem

KNOWN = Path(__file__).with_name("differences.txt")


def theorem(name: str, *claims: str, parts: tuple[str, ...] = ()) -> Theorem:
    return Theorem(name, "A.v", "l.1", "it holds", "none", claims, (), (), parts)


def test_a_claim_goes_back_to_the_parts_of_another_and_not_to_its_own():
    theorems = [
        theorem("part"),
        theorem("shared"),
        theorem("whole", "w", parts=("part", "shared")),
        theorem("last", "l", parts=("shared",)),
    ]
    used = {"A.whole": ["A.part", "A.shared"], "A.last": ["A.part", "A.shared"]}
    assert between_claims(theorems, used) == {"w": (), "l": ("w",)}
    assert between_claims(theorems, {**used, "A.last": ["A.shared"]}) == {"w": (), "l": ()}


def test_what_is_behind_another_is_left_out():
    assert nearest({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {"a": ("b",), "b": ("c",), "c": ()}
    assert nearest({"a": {"b", "c"}, "b": {"c"}, "c": {"b"}})["a"] == ("b", "c")


def test_hand_and_kernel_are_compared_by_what_can_be_reached():
    names = ["cap.almost_sure", "count.queried", "theorem.general"]
    one, two, three = (replace(BY_ID[name], rests_on=()) for name in names)
    hand = [one, replace(two, rests_on=(one.id,)), replace(three, rests_on=(two.id, one.id))]
    found = compared(hand, {one.id: (), two.id: (), three.id: (one.id,)})
    assert (found.both, found.by_hand) == ({(three.id, one.id)}, set())
    assert (found.hand_only, found.kernel_only) == ({(two.id, one.id), (three.id, two.id)}, set())
    found = compared([one, two, three], {one.id: (), three.id: (one.id,)})
    assert found.differences() == [f"by the kernel alone: {three.id} rests on {one.id}"]
    assert compared(hand, {}).by_hand == {(two.id, one.id), (three.id, one.id), (three.id, two.id)}


def test_the_file_is_as_it_is_written():
    assert set(kept()) <= {claim.id for claim in CLAIMS}
    rests = {"a": ("b", "c"), "b": ()}
    lines = written(rests).splitlines()
    assert lines[-2:] == ["a: b, c", "b:"] and all(line.startswith("#") for line in lines[:-2])


def test_the_differences_are_those_that_we_know():
    """After a change that is meant: `python -m tests.properties.coq.test_relying` writes them again."""
    assert compared(CLAIMS).differences() == KNOWN.read_text(encoding="utf-8").splitlines()


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
def test_the_kernel_still_says_so():
    """After a change of proofs: `make rests`."""
    assert asked_of_the_kernel() == kept()


if __name__ == "__main__":
    KNOWN.write_text("\n".join(compared(CLAIMS).differences()) + "\n", encoding="utf-8")
