"""BuFALU and its baselines as a formally checked reference: the public API.

Every name is loaded when it is asked for, so that a command starts with what it needs and the reference stands alone.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from bufalu._version import __version__

if TYPE_CHECKING:
    from bufalu.bounds import bounds_report, lower_bounds, upper_bounds
    from bufalu.experiments.studies.study import Study
    from bufalu.law import Law, exact_law
    from bufalu.oracle.report import check_trace
    from bufalu.properties.audit.running import audit
    from bufalu.properties.claims.decided import Decided
    from bufalu.properties.claims.registered import register_check, register_claim
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
    from bufalu.reference.errors import BufaluError
    from bufalu.reference.exact import Exact, log_root, power_of, root
    from bufalu.reference.instances import Arm, Instance
    from bufalu.reference.live import CBMUCB, BuFALU, BuFAU, Dial, Greedy, LivePolicy
    from bufalu.reference.policies import Decision, Policy, Reason, register_policy
    from bufalu.reference.policies.roles import Roles
    from bufalu.reference.radicals import NormalForm, RadicalTerm
    from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
    from bufalu.reference.rewards import SeededRewards, Tape
    from bufalu.reference.rounds import Round
    from bufalu.reference.schedules import (
        Adaptive,
        BernsteinBudget,
        Budget,
        Constant,
        InverseLog,
        NondecreasingBudget,
        Power,
        Schedule,
        Values,
        Zero,
        parse_schedule,
        register_schedule,
    )
    from bufalu.reference.simulation import simulate
    from bufalu.reference.trace_files import read_trace, write_trace
    from bufalu.reference.traces import Trace, TraceHeader
    from bufalu.reference.view import View
    from bufalu.studies import compare

_PLACES = {
    "Adaptive": "bufalu.reference.schedules",
    "Arm": "bufalu.reference.instances",
    "BernsteinBudget": "bufalu.reference.schedules",
    "BernsteinInterval": "bufalu.reference.confidence",
    "BuFALU": "bufalu.reference.live",
    "BuFAU": "bufalu.reference.live",
    "Budget": "bufalu.reference.schedules",
    "BufaluError": "bufalu.reference.errors",
    "CBMUCB": "bufalu.reference.live",
    "Comparisons": "bufalu.reference.comparisons",
    "ConfidenceInterval": "bufalu.reference.confidence",
    "Constant": "bufalu.reference.schedules",
    "Decided": "bufalu.properties.claims.decided",
    "Decision": "bufalu.reference.policies",
    "Dial": "bufalu.reference.live",
    "Exact": "bufalu.reference.exact",
    "Greedy": "bufalu.reference.live",
    "Growth": "bufalu.reference.radius_shapes",
    "HoeffdingInterval": "bufalu.reference.confidence",
    "Instance": "bufalu.reference.instances",
    "InverseLog": "bufalu.reference.schedules",
    "KLUCBInterval": "bufalu.reference.confidence",
    "Law": "bufalu.law",
    "LivePolicy": "bufalu.reference.live",
    "NondecreasingBudget": "bufalu.reference.schedules",
    "NormalForm": "bufalu.reference.radicals",
    "Policy": "bufalu.reference.policies",
    "Power": "bufalu.reference.schedules",
    "RadicalTerm": "bufalu.reference.radicals",
    "RadiusShape": "bufalu.reference.radius_shapes",
    "RadiusTerm": "bufalu.reference.radius_shapes",
    "Reason": "bufalu.reference.policies",
    "RegularityNumbers": "bufalu.reference.confidence",
    "Roles": "bufalu.reference.policies.roles",
    "Round": "bufalu.reference.rounds",
    "SampleNumbers": "bufalu.reference.confidence",
    "Schedule": "bufalu.reference.schedules",
    "SeededRewards": "bufalu.reference.rewards",
    "ShapedInterval": "bufalu.reference.confidence",
    "Study": "bufalu.experiments.studies.study",
    "Tape": "bufalu.reference.rewards",
    "Trace": "bufalu.reference.traces",
    "TraceHeader": "bufalu.reference.traces",
    "Values": "bufalu.reference.schedules",
    "View": "bufalu.reference.view",
    "Zero": "bufalu.reference.schedules",
    "audit": "bufalu.properties.audit.running",
    "bounds_report": "bufalu.bounds",
    "check_trace": "bufalu.oracle.report",
    "compare": "bufalu.studies",
    "exact_law": "bufalu.law",
    "log_root": "bufalu.reference.exact",
    "lower_bounds": "bufalu.bounds",
    "parse_schedule": "bufalu.reference.schedules",
    "power_of": "bufalu.reference.exact",
    "read_trace": "bufalu.reference.trace_files",
    "register_check": "bufalu.properties.claims.registered",
    "register_claim": "bufalu.properties.claims.registered",
    "register_interval": "bufalu.reference.confidence",
    "register_policy": "bufalu.reference.policies",
    "register_schedule": "bufalu.reference.schedules",
    "root": "bufalu.reference.exact",
    "simulate": "bufalu.reference.simulation",
    "upper_bounds": "bufalu.bounds",
    "write_trace": "bufalu.reference.trace_files",
}
"""Where each name is."""


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'bufalu' has no attribute '{name}'")


__all__ = [
    "CBMUCB",
    "Adaptive",
    "Arm",
    "BernsteinBudget",
    "BernsteinInterval",
    "BuFALU",
    "BuFAU",
    "Budget",
    "BufaluError",
    "Comparisons",
    "ConfidenceInterval",
    "Constant",
    "Decided",
    "Decision",
    "Dial",
    "Exact",
    "Greedy",
    "Growth",
    "HoeffdingInterval",
    "Instance",
    "InverseLog",
    "KLUCBInterval",
    "Law",
    "LivePolicy",
    "NondecreasingBudget",
    "NormalForm",
    "Policy",
    "Power",
    "RadicalTerm",
    "RadiusShape",
    "RadiusTerm",
    "Reason",
    "RegularityNumbers",
    "Roles",
    "Round",
    "SampleNumbers",
    "Schedule",
    "SeededRewards",
    "ShapedInterval",
    "Study",
    "Tape",
    "Trace",
    "TraceHeader",
    "Values",
    "View",
    "Zero",
    "__version__",
    "audit",
    "bounds_report",
    "check_trace",
    "compare",
    "exact_law",
    "log_root",
    "lower_bounds",
    "parse_schedule",
    "power_of",
    "read_trace",
    "register_check",
    "register_claim",
    "register_interval",
    "register_policy",
    "register_schedule",
    "root",
    "simulate",
    "upper_bounds",
    "write_trace",
]
