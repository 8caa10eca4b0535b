"""A claim is tied to what its theorem says: an added hypothesis, a changed definition, a missing theorem are noticed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict
from bufalu.properties.coq import building, checks, kernel
from bufalu.properties.coq.asking import UnreadableBuild, library
from bufalu.properties.coq.pin import PINNED, RENEW, Pin, PinEntry, UnreadablePin, first_difference, read_pin
from bufalu.properties.coq.theorems import PROOFS, STANDARD_AXIOMS, THEOREMS, pinned_theorems
from tests.properties.coq.development import SMALL, kernel_says, objections, pinned_as_it_is, small_development

HONEST = "Definition even (n : nat) : Prop := exists m, n = m + m."
THEOREM = "Theorem twice_is_even n : even (n + n)."
PROOF = "Proof. exists n. reflexivity. Qed."


@pytest.fixture(autouse=True)
def _a_build_of_its_own() -> Iterator[None]:
    """No test sees the build of another."""
    checks._shared_outcome.cache_clear()
    yield
    checks._shared_outcome.cache_clear()


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Pin:
    """What is pinned for the small development."""
    place = tmp_path_factory.mktemp("small")
    return pinned_as_it_is(small_development(place / "honest"), place)


def _against(honest: Pin, place: Path, was: str, becomes: str) -> dict[str, list[Evidence]]:
    """What is held against the claims of the small development after a change of its text."""
    assert was in SMALL
    return objections(small_development(place / "changed", SMALL.replace(was, becomes)), place, honest)


@pytest.mark.coq
def test_what_is_as_pinned_has_no_objection(honest: Pin, tmp_path: Path) -> None:
    assert _against(honest, tmp_path, HONEST, HONEST + "\n") == {"first.claim": [], "second.claim": []}


@pytest.mark.coq
def test_an_added_hypothesis_unproves_its_claims_and_no_others(honest: Pin, tmp_path: Path) -> None:
    found = _against(
        honest, tmp_path, f"{THEOREM}\nProof.", "Theorem twice_is_even n : 1 = 2 -> even (n + n).\nProof. intros _."
    )
    (objection,) = found["first.claim"]
    assert objection.verdict is Verdict.REFUTED
    assert objection.detail.startswith(
        f"Small.twice_is_even is not as pinned in {PINNED}: : forall n : nat, 1%nat = 2%nat"
    )
    assert found["second.claim"] == []


ABSURD = "Definition even (n : nat) : Prop := False -> exists m, n = m + m."
INTO = "Proof. intros []. Qed."


@pytest.mark.coq
@pytest.mark.parametrize(
    "becomes",
    [
        ABSURD,
        f"Local Notation \"'exists' x , P\" := (False -> ex (fun x => P)) (at level 200, x ident).\n{HONEST}",
        f"(* (* *) {HONEST} *)\n{ABSURD.replace('Definition', 'Example')}",
    ],
    ids=["in its text", "in a notation", "beside a comment that holds the old text"],
)
def test_a_hypothesis_hidden_in_a_definition_is_noticed(honest: Pin, tmp_path: Path, becomes: str) -> None:
    text = SMALL.replace(HONEST, becomes).replace(PROOF, INTO).replace("Proof. exists 0. reflexivity. Qed.", INTO)
    for objected in objections(small_development(tmp_path / "changed", text), tmp_path, honest).values():
        assert [each.verdict for each in objected] == [Verdict.REFUTED]
        assert f"Small.even is not as pinned in {PINNED}: fun n : nat => False ->" in objected[0].detail


@pytest.mark.coq
def test_a_theorem_that_is_not_in_the_build_is_not_proved(honest: Pin, tmp_path: Path) -> None:
    found = _against(honest, tmp_path, THEOREM, THEOREM.replace("twice", "double"))
    assert [each.verdict for each in found["first.claim"]] == [Verdict.REFUTED] * 2
    assert found["first.claim"][0].detail == (
        f"first.claim is proved by Small.double_is_even, and pinned in {PINNED} as proved by Small.twice_is_even"
    )
    assert found["second.claim"] == []


@pytest.mark.parametrize(
    ("was", "becomes", "missed"),
    [
        ("    settles: second.claim *)", "    *)", {"second.claim"}),
        ("settles: first.claim", "settles: first.claim; third.claim", {"first.claim", "third.claim"}),
        ("settles: first.claim", "refutes: first.claim", {"first.claim"}),
        ("settles: first.claim *)", "settles: second.claim *)", {"first.claim", "second.claim"}),
    ],
    ids=["untied", "tied to another claim as well", "for a counterexample", "two theorems of one claim"],
)
def test_a_claim_that_is_tied_to_another_theorem_fails_without_coq_too(
    was: str, becomes: str, missed: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ties = {"first.claim": "proved by Small.twice_is_even", "second.claim": "proved by Small.zero_is_even"}
    monkeypatch.setenv("COQC", "a-compiler-that-is-not-there")
    changed = small_development(tmp_path / "changed", SMALL.replace(was, becomes))
    assert was in SMALL
    found = objections(changed, tmp_path, Pin(ties, (), {}, {}))
    refuted = {claim for claim, each in found.items() if Verdict.REFUTED in {evidence.verdict for evidence in each}}
    assert refuted == missed


def test_a_theorem_that_moved_keeps_its_name_for_where_it_is() -> None:
    assert checks.name_of("BinaryDivergence.local_pinsker") == "coq.local_pinsker"
    assert checks.name_of("Elsewhere.local_pinsker") == "coq.elsewhere_local_pinsker"


def _evidence(outcome: kernel.KernelReport, monkeypatch: pytest.MonkeyPatch) -> dict[str, Evidence]:
    monkeypatch.setattr(checks, "check_proofs", lambda: outcome)
    return {each.name.removeprefix("coq."): each.run(AuditProfile()) for each in checks_of("coq")}


def test_a_theorem_that_the_report_lacks_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Pin(kernel.ties(THEOREMS), (), {}, {})
    evidence = _evidence(kernel.KernelReport(nothing, "8.16"), monkeypatch)
    assert {each.verdict for each in evidence.values()} == {Verdict.REFUTED}


def test_what_is_pinned_is_proved_and_says_what_there_is_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pin = kernel.pinned()
    built = _evidence(kernel.KernelReport(pin, "8.16"), monkeypatch)
    checks._shared_outcome.cache_clear()
    recalled = _evidence(kernel.KernelReport(pin, "8.16", cached=True), monkeypatch)
    for theorem in THEOREMS:
        if theorem.claims:
            evidence = built[theorem.name]
            assert evidence.verdict is (Verdict.ERRATUM if theorem.refutes else Verdict.PROVED)
            assert theorem.differs in evidence.detail
            assert "cached" not in evidence.detail
            assert "cached" in recalled[theorem.name].detail
    assert "read 2 lines: the statement and 1 definitions" in built["local_pinsker"].detail


def test_a_rejected_build_is_not_repeated_for_every_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[None] = []

    def rejecting() -> kernel.KernelReport:
        calls.append(None)
        raise building.ProofRejected("Coq rejects Sums.v")

    monkeypatch.setattr(checks, "check_proofs", rejecting)
    evidence = [each.run(AuditProfile()) for each in checks_of("coq")]
    assert len(calls) == 1
    assert {each.verdict for each in evidence} == {Verdict.REFUTED}
    assert all("Coq rejects Sums.v" in each.detail for each in evidence)


@pytest.mark.coq
def test_the_build_is_as_pinned() -> None:
    assert kernel.check_proofs().found == kernel.pinned(), f"run `{RENEW}` and read the difference of proofs/{PINNED}"


def test_the_pin_has_the_theorems_of_the_sources() -> None:
    pin = kernel.pinned()
    assert pin.ties == kernel.ties(THEOREMS), f"run `{RENEW}` and read the difference of proofs/{PINNED}"
    assert tuple(pin.theorems) == pinned_theorems(THEOREMS)
    assert {*pin.axioms} == STANDARD_AXIOMS
    assert all(pin.theorem_of(claim) == theorem.place for theorem in THEOREMS for claim in theorem.claims)


def test_the_pinned_text_is_read_back_and_another_is_refused() -> None:
    text = (PROOFS / PINNED).read_text(encoding="utf-8")
    assert read_pin(text).text() == text
    for wrong in (text.replace("## Axioms", "Axioms"), text + "\n", text.replace(": proved by", ": shown by", 1)):
        with pytest.raises(UnreadablePin, match=RENEW):
            read_pin(wrong)


FAMILY = PinEntry("  Inductive e : nat -> Prop := e0 : A.e 0.", "1", ("A.e0",))
DIGESTS = Pin(
    {"c": "proved by A.t"},
    (),
    {"A.t": PinEntry("  : A.f A.e0", "2"), "A.s": PinEntry("  : True\n    -> True", "3")},
    {
        "A.e": FAMILY,
        "A.f": PinEntry("  fun x => A.g x", "4"),
        "A.g": PinEntry("  1", "5"),
        "A.h": PinEntry("  A.g", "6"),
    },
)


def test_the_surface_of_a_theorem_is_what_it_goes_back_to() -> None:
    assert list(DIGESTS.surface("A.t")) == ["A.t", "A.e", "A.f", "A.g"]
    assert list(DIGESTS.surface("A.s")) == ["A.s"]
    assert DIGESTS.theorems["A.s"].lines == 2


@pytest.mark.parametrize("name", ["A.e", "A.f", "A.g"])
def test_a_difference_in_the_digest_alone_is_one(name: str) -> None:
    entry = DIGESTS.definitions[name]
    other = Pin(
        DIGESTS.ties,
        (),
        DIGESTS.theorems,
        {**DIGESTS.definitions, name: PinEntry(entry.text, "0", entry.also)},
    )
    assert first_difference(DIGESTS, DIGESTS, "A.t") is None
    assert (first_difference(other, DIGESTS, "A.t") or "").startswith(f"{name} is not as pinned")
    assert first_difference(other, DIGESTS, "A.s") is None
    assert first_difference(DIGESTS, Pin({}, (), {}, {}), "A.t") == f"A.t is not pinned in {PINNED}"


PRINTED = """\
Record pair := Pair { left : nat; right : nat }.
Arguments Pair left right : rename.
Definition sum (p : pair) := match p with Pair a b => a + b end.
Lemma hidden : {n | n = 5}. Proof. exists 5. reflexivity. Qed.
Definition five := proj1_sig hidden.
Definition implicit {n : nat} := n.
Notation "x ?? y" := (sum (Pair x y)) (at level 40).
(** says: nothing
    paper: beyond the paper *)
Theorem nothing : 1 ?? 2 = @implicit 3 -> five = five.
Proof. reflexivity. Qed.
"""


@pytest.mark.coq
def test_constants_are_printed_without_our_notations(tmp_path: Path) -> None:
    pin = kernel_says(small_development(tmp_path / "small", PRINTED), tmp_path).found
    shown = {name: " ".join(entry.text.split()) for name, entry in {**pin.theorems, **pin.definitions}.items()}
    assert shown == {
        "Small.nothing": (
            ": Small.sum {| Small.left := 1; Small.right := 2 |} = @Small.implicit 3 -> Small.five = Small.five"
            " (unseen: Small.pair)"
        ),
        "Small.five": "@proj1_sig nat (fun n : nat => n = 5%nat) Small.hidden",
        "Small.hidden": ": {n : nat | n = 5%nat}",
        "Small.implicit": "fun n : nat => n",
        "Small.pair": "Record pair : Set := Pair { left : nat; right : nat }.",
        "Small.sum": (
            "fun p : Small.pair => match p with | {| Small.left := a; Small.right := b |} => (a + b)%nat end"
        ),
    }
    assert pin.definitions["Small.pair"].also == ("Small.Pair",)


@pytest.mark.coq
def test_a_library_that_is_not_there_is_not_believed(tmp_path: Path) -> None:
    compiler = building.find_coqc()
    assert compiler is not None
    with library(compiler, tmp_path) as empty:
        assert empty.statement("Bufalu.Small.nothing") is None
        with pytest.raises(UnreadableBuild, match="ended before it answered: Quit"):
            empty.ask("Quit.")
