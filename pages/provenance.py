"""What was compared, by which version, when, and by which command: what stands on the page and pictures of a study."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime

from bufalu._version import __version__
from bufalu.experiments.studies.checkpoints import POINTS
from bufalu.experiments.studies.study import Study
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import format_rational

MOST_MEANS = 12
"""Of more arms only the first means are named."""


@dataclass(frozen=True)
class Provenance:
    """`command` compares the same again; None for what no line can say: arms of other supports, a title."""

    version: str
    date: str
    command: str | None


def provenance(study: Study) -> Provenance:
    """The provenance of a page that is made now; where SOURCE_DATE_EPOCH is set, as of that second since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(given), UTC) if given.isdecimal() else datetime.now(UTC)
    return Provenance(f"bufalu {__version__}", f"{moment:%Y-%m-%d}", study_command(study))


def study_command(study: Study) -> str | None:
    """The line that compares the same, if one can say it."""
    rewards = [_rewards(instance) for instance in study.instances.values()]
    if study.title or study.points != POINTS or None in rewards or len(set(rewards)) > 1:
        return None
    words = ["bufalu", "compare"]
    for instance in study.instances.values():
        words += ["--means", ",".join(format_rational(mean) for mean in instance.means)]
    if rewards[0] == "deterministic":
        words += ["--rewards", "deterministic"]
    for option, values, default in (
        ("--policy", study.policies, None),
        ("--epsilon", study.epsilons, None),
        ("--confidence", study.confidences, ("hoeffding",)),
        ("--ties", study.ties, ("first",)),
        ("--horizon", study.horizons, None),
        ("--delay", (study.delay,), (0,)),
        ("--missing", (study.missing,), ("0",)),
    ):
        if values != default:
            words += [word for value in values for word in (option, str(value))]
    return shlex.join([*words, "--seeds", str(study.seeds)])


def _rewards(instance: Instance) -> str | None:
    """How --rewards calls what an instance's arms pay."""
    if instance == Instance.bernoulli(list(instance.means)):
        return "bernoulli"
    return "deterministic" if instance == Instance.deterministic(list(instance.means)) else None


def instance_words(name: str, instance: Instance) -> str:
    """An instance with its means, and with its name if that says more."""
    means = ", ".join(format_rational(mean) for mean in instance.means[:MOST_MEANS])
    if instance.number_of_arms > MOST_MEANS:
        means += f" and {instance.number_of_arms - MOST_MEANS} more"
    told = f"{instance.number_of_arms} arms of mean {means}"
    same = name.replace(" ", "") == means.replace(" ", "")
    return told if same else f"{name}: {told}"
