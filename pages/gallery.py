"""The gallery of the site: runs and a study to look at, and the errata with their witnesses, some of which can be played.

Everything here is computed when the site is built, in exact arithmetic and in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from bufalu.experiments.engine.errors import ExperimentsUnavailable
from bufalu.pages.errata_page import erratum_number
from bufalu.pages.mathematics import formula
from bufalu.pages.story import tell
from bufalu.pages.study_page import study_page
from bufalu.pages.templates import rendered
from bufalu.pages.trace_page import is_drawn, trace_page
from bufalu.pages.trace_play import can_be_played
from bufalu.pages.trace_svg import trace_svg
from bufalu.properties.audit.collecting import collect
from bufalu.properties.audit.running import examine
from bufalu.properties.claims import BY_ID, CLAIMS, Claim
from bufalu.properties.claims.evidence import AuditProfile, Witness
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import policy_named
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.simulation import simulate
from bufalu.reference.trace_files import read_trace
from bufalu.reference.traces import Trace, TraceHeader

STUDIED = ("bufalu", "dial:1/2", "bufau")
STUDY_HORIZON, STUDY_SEEDS = 5_000, 30

WITNESS_ROOM = "algebra."
"""Checks of this room compute a witness in a moment; the others repeat it with solvers, the kernel or searches."""


@dataclass(frozen=True)
class Exhibit:
    """A run worth looking at, and why."""

    name: str
    policy: str
    confidence: str
    epsilon: str
    means: tuple[str, ...]
    horizon: int
    why: str


EXHIBITS = (
    Exhibit(
        "bufalu",
        "bufalu",
        "hoeffding",
        "power:1/4",
        ("1/4", "1/2", "3/4"),
        1500,
        "BuFALU stops asking where epsilon allows it.",
    ),
    Exhibit(
        "dial",
        "dial:1/2",
        "hoeffding",
        "power:1/4",
        ("1/4", "1/2", "3/4"),
        1500,
        "The same rewards with the dial at 1/2: less regret.",
    ),
    Exhibit(
        "bufau",
        "bufau",
        "hoeffding",
        "power:1/4",
        ("1/4", "1/2", "3/4"),
        1500,
        "The other end of the dial: BuFAU asks for longer.",
    ),
    Exhibit(
        "pairs",
        "pairs:2",
        "hoeffding",
        "power:1/4",
        ("1/4", "1/2", "3/4"),
        1500,
        "The pair rule, beyond the paper, on the same rewards: 165 queries for BuFALU's 599.",
    ),
    Exhibit(
        "budget",
        "bufalu",
        "hoeffding",
        "budget:60",
        ("1/4", "1/2"),
        800,
        "A budget of 60 queries, with ties that only exact arithmetic decides.",
    ),
    Exhibit(
        "bernstein",
        "bufalu",
        "bernstein",
        "inverse-log",
        ("0", "1"),
        1500,
        "Bernstein's intervals shrink fast where nothing varies.",
    ),
    Exhibit("many", "bufalu", "hoeffding", "inverse-log", tuple(f"{k}/12" for k in range(1, 11)), 1200, "Ten arms."),
)


def exhibit_trace(exhibit: Exhibit, seed: int = 7) -> Trace:
    """Plays the run of an exhibit."""
    instance = Instance.bernoulli([Fraction(mean) for mean in exhibit.means])
    arms = len(exhibit.means)
    header = TraceHeader(exhibit.policy, exhibit.confidence, arms, exhibit.epsilon, instance.means)
    live = LivePolicy(policy_named(exhibit.policy), arms, exhibit.confidence)
    rounds = simulate(live, instance, parse_schedule(exhibit.epsilon), exhibit.horizon, SeededRewards(instance, seed))
    return Trace(header, tuple(rounds))


def witnesses() -> Iterator[tuple[Claim, Witness]]:
    """Every claim that is wrong as printed with a witness that is computed now."""
    checks = [check for check in collect().checks if check.name.startswith(WITNESS_ROOM)]
    for claim in CLAIMS:
        if claim.erratum is None:
            continue
        for check in checks:
            if claim.id in check.claims and (witness := examine(check, AuditProfile()).witness) is not None:
                yield claim, witness
                break


def write_gallery(folder: Path) -> dict[str, str]:
    """Writes the runs and the playable witnesses into `folder`; gives the bodies of its two pages by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for exhibit in EXHIBITS:
        story = tell(exhibit_trace(exhibit))
        (folder / f"{exhibit.name}.html").write_text(trace_page(story), encoding="utf-8")
        (folder / f"{exhibit.name}.svg").write_text(trace_svg(story), encoding="utf-8")
    runs = rendered(
        "gallery.html",
        exhibits=EXHIBITS,
        study_is_missing=_write_study(folder),
        studied=STUDIED,
        seeds=STUDY_SEEDS,
        horizon=STUDY_HORIZON,
    )
    return {"index": runs, "errata": rendered("errata.html", errata=_errata(folder), typeset=formula)}


def _write_study(folder: Path) -> str | None:
    """Plays a small study and writes its page; says what is missing where the engine is not installed."""
    from bufalu.experiments.studies.running import run_study
    from bufalu.experiments.studies.study import Study
    from bufalu.experiments.studies.summary import summarised

    study = Study(
        instances=Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)]),
        policies=STUDIED,
        epsilons="power:1/4",
        horizons=STUDY_HORIZON,
        seeds=STUDY_SEEDS,
        title="The dial against its ends",
    )
    try:
        summary = summarised(run_study(study), bound_points=20)
    except ExperimentsUnavailable as missing:
        return str(missing)
    (folder / "study.html").write_text(study_page(summary), encoding="utf-8")
    return None


def _errata(folder: Path) -> Iterator[tuple[Claim, Claim, Witness, str | None, bool]]:
    """Each erratum: the claim, its correction, the witness, its page if it is a run, and whether that can be played."""
    for claim, witness in sorted(witnesses(), key=lambda found: erratum_number(found[0])):
        assert claim.erratum is not None
        page, playable = None, False
        if witness.filename is not None and witness.content is not None:
            source = folder / witness.filename
            source.write_text(witness.content, encoding="utf-8")
            story = tell(read_trace(str(source)))
            page, playable = source.with_suffix(".html").name, is_drawn(story) and can_be_played(story)
            (folder / page).write_text(trace_page(story), encoding="utf-8")
        yield claim, BY_ID[claim.erratum.corrected], witness, page, playable
