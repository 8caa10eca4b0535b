"""BuFALU and its baselines as a formally checked reference: the public API."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from bufalu._version import __version__
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

if TYPE_CHECKING:
    from bufalu.bounds import bounds_report, lower_bounds, upper_bounds
    from bufalu.experiments.studies.study import Study
    from bufalu.law import Law, exact_law
    from bufalu.oracle.report import check_trace
    from bufalu.properties.audit.running import audit
    from bufalu.studies import compare

_ON_DEMAND = {
    "Law": "bufalu.law",
    "Study": "bufalu.experiments.studies.study",
    "audit": "bufalu.properties.audit.running",
    "bounds_report": "bufalu.bounds",
    "check_trace": "bufalu.oracle.report",
    "compare": "bufalu.studies",
    "exact_law": "bufalu.law",
    "lower_bounds": "bufalu.bounds",
    "upper_bounds": "bufalu.bounds",
}
"""Names whose rooms need other packages: loaded when they are asked for, so that the reference stands alone."""


def __getattr__(name: str) -> object:
    if name in _ON_DEMAND:
        return getattr(importlib.import_module(_ON_DEMAND[name]), name)
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
    "register_interval",
    "register_policy",
    "register_schedule",
    "root",
    "simulate",
    "upper_bounds",
    "write_trace",
]
