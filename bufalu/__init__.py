"""BuFALU and its baselines as a formally checked reference: the public API.

Arguments are taken as people have them, in every function alike. An *epsilon* is a text ("power:1/4"), a schedule, a function
of the round, a list or an array; an *interval* or a *policy* is a text, an object or a class; *rewards* are a seed, a list
for each arm, or an iterator; an *instance* may be a list of means.

A float that is a parameter (a mean, a constant, a price) is the decimal that it shows: 0.13 is 13/100, a float32 of 0.13
too. A float that is data (an observed reward, an epsilon that a program computed) is the binary number that it is.

What cannot be taken raises a `BufaluError` that names the argument.

Every name is loaded when it is asked for, so that a command starts with what it needs and the reference stands alone.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from bufalu._version import __version__

if TYPE_CHECKING:
    from bufalu.auditing import audit
    from bufalu.bounds import (
        Bernoulli,
        Bound,
        Bounded,
        Enclosure,
        Family,
        Gaussian,
        LowerBounds,
        Quantities,
        RunBounds,
        UpperBounds,
        bounds_report,
        lower_bounds,
        parse_family,
        quantities,
        query_costs,
        run_bounds,
        upper_bounds,
    )
    from bufalu.experiments.studies.study import Study
    from bufalu.law import Law, Value, exact_law
    from bufalu.oracle.report import Report, check_trace
    from bufalu.properties.audit.running import AuditReport
    from bufalu.properties.claims.evidence import AuditProfile, Decided
    from bufalu.properties.claims.registered import register_check, register_claim
    from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, RewardsLike, ScheduleLike, TiesLike
    from bufalu.reference.comparisons import Comparisons
    from bufalu.reference.confidence import (
        BernsteinInterval,
        ConfidenceInterval,
        HoeffdingInterval,
        KLUCBInterval,
        RegularityNumbers,
        SampleNumbers,
        ShapedInterval,
        register_interval,
    )
    from bufalu.reference.epsilon_shapes import Direction, EpsilonShape
    from bufalu.reference.errors import (
        BufaluError,
        InvalidInstance,
        InvalidInterval,
        InvalidNumber,
        InvalidReward,
        InvalidSchedule,
        InvalidTrace,
        MixedRounds,
        NameTaken,
        NoDecision,
        OutOfTurn,
        UndecidedComparison,
        UnknownName,
        UnusableFile,
    )
    from bufalu.reference.exact import Exact, log_root, power_of, root
    from bufalu.reference.instance_files import read_instance
    from bufalu.reference.instances import Arm, Instance
    from bufalu.reference.live import CBMUCB, BuFALU, BuFAU, Dial, Greedy, LivePolicy
    from bufalu.reference.policies import Decision, Policy, Reason, register_policy
    from bufalu.reference.policies.roles import Roles
    from bufalu.reference.radicals import NormalForm, RadicalTerm
    from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
    from bufalu.reference.rationals import CountLike, NumberLike
    from bufalu.reference.rewards import RewardsInOrder, RewardSource, SeededRewards, Tape
    from bufalu.reference.rounds import Round
    from bufalu.reference.schedules import (
        Adaptive,
        BernsteinBudget,
        Budget,
        Constant,
        FunctionOfRound,
        InverseLog,
        NondecreasingBudget,
        Power,
        Schedule,
        ShapedSchedule,
        Values,
        Zero,
        parse_schedule,
        register_schedule,
    )
    from bufalu.reference.simulation import simulate
    from bufalu.reference.trace_files import read_trace, write_trace
    from bufalu.reference.traces import Trace, TraceHeader
    from bufalu.reference.view import View
    from bufalu.studies import StudyResults, compare
    from bufalu.testing import conformance

_PLACES = {
    "Adaptive": "bufalu.reference.schedules",
    "Arm": "bufalu.reference.instances",
    "AuditProfile": "bufalu.properties.claims.evidence",
    "AuditReport": "bufalu.properties.audit.running",
    "Bernoulli": "bufalu.bounds",
    "BernsteinBudget": "bufalu.reference.schedules",
    "BernsteinInterval": "bufalu.reference.confidence",
    "Bound": "bufalu.bounds",
    "Bounded": "bufalu.bounds",
    "BuFALU": "bufalu.reference.live",
    "BuFAU": "bufalu.reference.live",
    "Budget": "bufalu.reference.schedules",
    "BufaluError": "bufalu.reference.errors",
    "CBMUCB": "bufalu.reference.live",
    "Comparisons": "bufalu.reference.comparisons",
    "ConfidenceInterval": "bufalu.reference.confidence",
    "Constant": "bufalu.reference.schedules",
    "CountLike": "bufalu.reference.rationals",
    "Decided": "bufalu.properties.claims.evidence",
    "Decision": "bufalu.reference.policies",
    "Dial": "bufalu.reference.live",
    "Direction": "bufalu.reference.epsilon_shapes",
    "Enclosure": "bufalu.bounds",
    "EpsilonShape": "bufalu.reference.epsilon_shapes",
    "Exact": "bufalu.reference.exact",
    "Family": "bufalu.bounds",
    "FunctionOfRound": "bufalu.reference.schedules",
    "Gaussian": "bufalu.bounds",
    "Greedy": "bufalu.reference.live",
    "Growth": "bufalu.reference.radius_shapes",
    "HoeffdingInterval": "bufalu.reference.confidence",
    "Instance": "bufalu.reference.instances",
    "InstanceLike": "bufalu.reference.arguments",
    "IntervalLike": "bufalu.reference.arguments",
    "InvalidInstance": "bufalu.reference.errors",
    "InvalidInterval": "bufalu.reference.errors",
    "InvalidNumber": "bufalu.reference.errors",
    "InvalidReward": "bufalu.reference.errors",
    "InvalidSchedule": "bufalu.reference.errors",
    "InvalidTrace": "bufalu.reference.errors",
    "InverseLog": "bufalu.reference.schedules",
    "KLUCBInterval": "bufalu.reference.confidence",
    "Law": "bufalu.law",
    "LivePolicy": "bufalu.reference.live",
    "LowerBounds": "bufalu.bounds",
    "MixedRounds": "bufalu.reference.errors",
    "NameTaken": "bufalu.reference.errors",
    "NoDecision": "bufalu.reference.errors",
    "NondecreasingBudget": "bufalu.reference.schedules",
    "NormalForm": "bufalu.reference.radicals",
    "NumberLike": "bufalu.reference.rationals",
    "OutOfTurn": "bufalu.reference.errors",
    "Policy": "bufalu.reference.policies",
    "PolicyLike": "bufalu.reference.arguments",
    "Power": "bufalu.reference.schedules",
    "Quantities": "bufalu.bounds",
    "RadicalTerm": "bufalu.reference.radicals",
    "RadiusShape": "bufalu.reference.radius_shapes",
    "RadiusTerm": "bufalu.reference.radius_shapes",
    "Reason": "bufalu.reference.policies",
    "RegularityNumbers": "bufalu.reference.confidence",
    "Report": "bufalu.oracle.report",
    "RewardSource": "bufalu.reference.rewards",
    "RewardsInOrder": "bufalu.reference.rewards",
    "RewardsLike": "bufalu.reference.arguments",
    "Roles": "bufalu.reference.policies.roles",
    "Round": "bufalu.reference.rounds",
    "RunBounds": "bufalu.bounds",
    "SampleNumbers": "bufalu.reference.confidence",
    "Schedule": "bufalu.reference.schedules",
    "ScheduleLike": "bufalu.reference.arguments",
    "SeededRewards": "bufalu.reference.rewards",
    "ShapedInterval": "bufalu.reference.confidence",
    "ShapedSchedule": "bufalu.reference.schedules",
    "Study": "bufalu.experiments.studies.study",
    "StudyResults": "bufalu.studies",
    "Tape": "bufalu.reference.rewards",
    "TiesLike": "bufalu.reference.arguments",
    "Trace": "bufalu.reference.traces",
    "TraceHeader": "bufalu.reference.traces",
    "UndecidedComparison": "bufalu.reference.errors",
    "UnknownName": "bufalu.reference.errors",
    "UnusableFile": "bufalu.reference.errors",
    "UpperBounds": "bufalu.bounds",
    "Value": "bufalu.law",
    "Values": "bufalu.reference.schedules",
    "View": "bufalu.reference.view",
    "Zero": "bufalu.reference.schedules",
    "audit": "bufalu.auditing",
    "bounds_report": "bufalu.bounds",
    "check_trace": "bufalu.oracle.report",
    "compare": "bufalu.studies",
    "conformance": "bufalu.testing",
    "exact_law": "bufalu.law",
    "log_root": "bufalu.reference.exact",
    "lower_bounds": "bufalu.bounds",
    "parse_family": "bufalu.bounds",
    "parse_schedule": "bufalu.reference.schedules",
    "power_of": "bufalu.reference.exact",
    "quantities": "bufalu.bounds",
    "query_costs": "bufalu.bounds",
    "read_instance": "bufalu.reference.instance_files",
    "read_trace": "bufalu.reference.trace_files",
    "register_check": "bufalu.properties.claims.registered",
    "register_claim": "bufalu.properties.claims.registered",
    "register_interval": "bufalu.reference.confidence",
    "register_policy": "bufalu.reference.policies",
    "register_schedule": "bufalu.reference.schedules",
    "root": "bufalu.reference.exact",
    "run_bounds": "bufalu.bounds",
    "simulate": "bufalu.reference.simulation",
    "upper_bounds": "bufalu.bounds",
    "write_trace": "bufalu.reference.trace_files",
}
"""Where each public name lives."""

if not TYPE_CHECKING:
    # Hidden from type checkers, which would take any name for a public one.
    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module 'bufalu' has no attribute '{name}'")
        found = globals()[name] = getattr(importlib.import_module(_PLACES[name]), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "CBMUCB",
    "Adaptive",
    "Arm",
    "AuditProfile",
    "AuditReport",
    "Bernoulli",
    "BernsteinBudget",
    "BernsteinInterval",
    "Bound",
    "Bounded",
    "BuFALU",
    "BuFAU",
    "Budget",
    "BufaluError",
    "Comparisons",
    "ConfidenceInterval",
    "Constant",
    "CountLike",
    "Decided",
    "Decision",
    "Dial",
    "Direction",
    "Enclosure",
    "EpsilonShape",
    "Exact",
    "Family",
    "FunctionOfRound",
    "Gaussian",
    "Greedy",
    "Growth",
    "HoeffdingInterval",
    "Instance",
    "InstanceLike",
    "IntervalLike",
    "InvalidInstance",
    "InvalidInterval",
    "InvalidNumber",
    "InvalidReward",
    "InvalidSchedule",
    "InvalidTrace",
    "InverseLog",
    "KLUCBInterval",
    "Law",
    "LivePolicy",
    "LowerBounds",
    "MixedRounds",
    "NameTaken",
    "NoDecision",
    "NondecreasingBudget",
    "NormalForm",
    "NumberLike",
    "OutOfTurn",
    "Policy",
    "PolicyLike",
    "Power",
    "Quantities",
    "RadicalTerm",
    "RadiusShape",
    "RadiusTerm",
    "Reason",
    "RegularityNumbers",
    "Report",
    "RewardSource",
    "RewardsInOrder",
    "RewardsLike",
    "Roles",
    "Round",
    "RunBounds",
    "SampleNumbers",
    "Schedule",
    "ScheduleLike",
    "SeededRewards",
    "ShapedInterval",
    "ShapedSchedule",
    "Study",
    "StudyResults",
    "Tape",
    "TiesLike",
    "Trace",
    "TraceHeader",
    "UndecidedComparison",
    "UnknownName",
    "UnusableFile",
    "UpperBounds",
    "Value",
    "Values",
    "View",
    "Zero",
    "__version__",
    "audit",
    "bounds_report",
    "check_trace",
    "compare",
    "conformance",
    "exact_law",
    "log_root",
    "lower_bounds",
    "parse_family",
    "parse_schedule",
    "power_of",
    "quantities",
    "query_costs",
    "read_instance",
    "read_trace",
    "register_check",
    "register_claim",
    "register_interval",
    "register_policy",
    "register_schedule",
    "root",
    "run_bounds",
    "simulate",
    "upper_bounds",
    "write_trace",
]
