"""BuFALU and its baselines as a formally checked reference: the public API."""

from bufalu._version import __version__
from bufalu.properties.law import Law, law
from bufalu.properties.oracle.report import check_trace
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
    "check_trace",
    "law",
    "parse_schedule",
    "read_trace",
    "simulate",
    "write_trace",
]
