"""BuFALU and its baselines as a formally checked reference: the public API."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from bufalu._version import __version__
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval, KLUCBInterval
from bufalu.reference.errors import BufaluError
from bufalu.reference.exact import Exact
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.live import CBMUCB, BuFALU, BuFAU, Greedy
from bufalu.reference.policies import Decision, Reason
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
    Values,
    Zero,
    parse_schedule,
)
from bufalu.reference.simulation import simulate
from bufalu.reference.trace_files import read_trace, write_trace
from bufalu.reference.traces import Trace, TraceHeader

if TYPE_CHECKING:
    from bufalu.bounds import bounds_report, lower_bounds, upper_bounds
    from bufalu.law import Law, exact_law
    from bufalu.oracle.report import check_trace
    from bufalu.properties.audit.running import audit

_ON_DEMAND = {
    "Law": "bufalu.law",
    "audit": "bufalu.properties.audit.running",
    "bounds_report": "bufalu.bounds",
    "check_trace": "bufalu.oracle.report",
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
    "Constant",
    "Decision",
    "Exact",
    "Greedy",
    "HoeffdingInterval",
    "Instance",
    "InverseLog",
    "KLUCBInterval",
    "Law",
    "NondecreasingBudget",
    "Power",
    "Reason",
    "Round",
    "SeededRewards",
    "Tape",
    "Trace",
    "TraceHeader",
    "Values",
    "Zero",
    "__version__",
    "audit",
    "bounds_report",
    "check_trace",
    "exact_law",
    "lower_bounds",
    "parse_schedule",
    "read_trace",
    "simulate",
    "upper_bounds",
    "write_trace",
]
