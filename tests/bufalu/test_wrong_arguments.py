"""Every public function against a grid of wrong values: nothing but a `BufaluError`, and it names the argument.

The functions and classes are those of `bufalu.__all__`, so a new export joins by itself: its parameters must either be among
the good values below or it fails here.
"""

import enum
import inspect
import math
import re
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

import bufalu
from bufalu import (
    Arm,
    BufaluError,
    Growth,
    HoeffdingInterval,
    Instance,
    Power,
    RadiusTerm,
    Round,
    Study,
    Trace,
    TraceHeader,
    quantities,
    write_trace,
)
from bufalu.reference.confidence import KNOWN_INTERVALS
from bufalu.reference.policies import KNOWN_POLICIES
from bufalu.reference.schedules import KNOWN_SCHEDULES

RESULTS = {
    # Records and results that functions give, and classes that only subclasses make objects of.
    "AuditReport", "Bound", "Comparisons", "ConfidenceInterval", "Decision", "Enclosure", "Exact", "Family", "Journal", "Law",
    "LowerBounds", "NormalForm", "Policy", "Quantities", "RadicalTerm", "Reason", "RegularityNumbers", "Report",
    "RewardSource", "Roles", "Round", "RunBounds", "SampleNumbers", "Schedule", "ShapedInterval", "Step", "StudyResults",
    "UpperBounds", "Value", "View", "AuditProfile", "Decided",
}  # fmt: skip

HEADER = TraceHeader("bufalu", "hoeffding", 2, "zero")
TRACE = Trace(HEADER, [Round(1, 1, True, 0, None)])
ARMS = Instance.bernoulli([0.5, 0.25])
STUDY = Study(instances=ARMS, policies="bufalu", epsilons="zero", horizons=5, seeds=1)

GOOD = {
    "before": False, "expected": "TESTED", "latex": "", "place": "here", "hypotheses": (), "statement": "so it is",
    "verdict": "TESTED", "kind": None,
    "arms": 2, "budget": lambda t: 1, "cap": 1, "choose": lambda history, t, arms: 0, "claims": (), "cluster": None,
    "coefficient": "3/2", "confidence": "hoeffding", "confidences": "hoeffding", "costs": MappingProxyType({1: 1, 2: 2}),
    "epsilon": "zero", "epsilons": ["zero"], "exponent": 1, "factor": 2, "factory": lambda arms: None,
    "family": None, "form": None, "kappa": 2,
    "function": lambda t: 1, "growth": Growth.LOG, "header": HEADER, "horizon": 4, "horizons": 4, "instance": ARMS,
    "answers": None, "delay": 0, "finding": None, "instances": ARMS, "known": None, "late": False, "missing": 0,
    "make": HoeffdingInterval(), "mean": 0.5, "means": [0.5], "negligible": 0,
    "numbers": quantities(ARMS, "zero", 4), "offset": 0, "out": None, "points": 3, "policies": "bufalu",
    "policy": "bufalu", "power": 1, "probabilities": [1], "profile": None, "progress": None, "radicand": 2,
    "report": None, "rewards": 0, "rho": 0.5, "rooted": True, "round_number": 2, "rounds": [], "rule": "bufalu",
    "schedule": "zero", "seed": 0, "seeds": 1, "sharper": False, "spread": 4, "strict": False, "study": STUDY,
    "terms": [RadiusTerm(1)], "text": "zero", "ties": "first", "title": "", "total": 9, "trace": TRACE, "value": 0.5,
    "values": [0], "variance": 1, "weighted": [(0, 1)], "workers": 1, "x": 0.5, "uses_variance": False,
}  # fmt: skip
"""A good value for each parameter of the API, by name."""

OTHERWISE = {
    "parse_family": {"text": "bernoulli"},
    "Scaled": {"schedule": Power(1)},
    "run_bounds": {"epsilons": [1, 2]},
    "Tape": {"rewards": [[0], [1]]},
    "RewardsInOrder": {"rewards": [0]},
    "Instance": {"arms": [Arm.bernoulli(0.5)]},
    "register_schedule": {"make": Power(1)},
    "register_policy": {"make": bufalu.BuFALU.RULE},
    "Study": {"epsilons": ["zero"]},
    "conformance": {"rounds": 3},
}
"""Where a function means something else by a name."""

WRONG = [
    None, True, np.True_, math.nan, math.inf, -math.inf, np.float32("nan"), -1, -0.5, Fraction(-1, 2), 10**400, 1e308, 1j,
    "", "nonsense", "power:", "1/0", b"1/2", "\0", [], [[]], [None], [math.nan], [-1], ["x"], {}, {"a": 1}, {1}, (),
    np.array([[0.5]]), np.array(0.5), np.array([math.nan]), np.array(["x"]), object(), int, lambda: 0, iter(()),
    Decimal("NaN"), Decimal("1e1000000"), Ellipsis, enum.Enum, Power, bufalu.Dial,
]  # fmt: skip

HOPELESS = [object(), 1j, Ellipsis]
"""What no parameter takes."""


CALLED = {
    ("parse_family", "text"): "family",
    ("parse_schedule", "text"): "schedule",
    ("check_trace", "trace"): "cannot read nonsense|cannot read power:|cannot read 1/0",
    ("read_trace", "path"): "cannot read nonsense|cannot read power:|cannot read 1/0",
    ("read_instance", "path"): "cannot read the instance file",
    ("write_trace", "path"): "cannot write 1/0",
}
"""What else a refusal may call an argument: a text by what it should be, a path that leads nowhere by itself."""


def names(said, function, parameter):
    """Whether the refusal names the argument, in the singular or the plural."""
    words = re.escape(parameter.rstrip("s"))
    if (other := CALLED.get((function, parameter))) is not None:
        words += f"|{other}"
    return re.search(rf"\b(?:{words})", said) is not None


def shown(value):
    try:
        return repr(value)[:30]
    except ValueError:
        return "a huge number"


def callables():
    """Every public function, class and way to make an object, by name."""
    for name in bufalu.__all__:
        thing = getattr(bufalu, name)
        if inspect.isclass(thing):
            if issubclass(thing, BaseException | enum.Enum) or name in RESULTS:
                continue
            yield name, thing
            for way, method in vars(thing).items():
                if isinstance(method, staticmethod) and not way.startswith("_"):
                    yield f"{name}.{way}", getattr(thing, way)
        elif inspect.isfunction(thing):
            yield name, thing


def cases():
    for name, thing in callables():
        for parameter in inspect.signature(thing).parameters.values():
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                yield pytest.param(name, thing, parameter.name, id=f"{name}({parameter.name})")


def good_arguments(name, thing, path):
    given = {**GOOD, "path": str(path), "name": "a-new-name", **OTHERWISE.get(name.split(".")[0], {})}
    parameters = inspect.signature(thing).parameters
    missing = [each for each in parameters if each not in given]
    assert not missing, f"give {name}'s {missing} a good value in this file"
    return {each: given[each] for each in parameters if parameters[each].kind is not inspect.Parameter.VAR_POSITIONAL}


@pytest.fixture
def trace_file(tmp_path):
    path = tmp_path / "trace.jsonl"
    write_trace(path, TRACE)
    return path


@pytest.fixture(autouse=True)
def no_name_stays(monkeypatch):
    from bufalu.properties.claims.registered import forget_registered

    for registry in (KNOWN_INTERVALS, KNOWN_POLICIES, KNOWN_SCHEDULES):
        monkeypatch.setattr(registry, "_makers", dict(registry._makers))
        monkeypatch.setattr(registry, "_forms", dict(registry._forms))
    yield
    forget_registered()


@pytest.mark.parametrize(("name", "thing", "parameter"), list(cases()))
def test_a_wrong_argument_is_refused_by_name(name, thing, parameter, trace_file, tmp_path, monkeypatch):  # noqa: C901 - one list of wrong calls
    monkeypatch.chdir(tmp_path)
    good = good_arguments(name, thing, trace_file)
    for number, wrong in enumerate([*WRONG, *HOPELESS]):
        if "name" in good:
            good["name"] = f"a-new-name-{number}"  # a wrong value that is taken uses it up
        if (name, parameter) == ("compare", "out") and isinstance(wrong, str) and wrong != "\0":
            continue  # a good folder, into which pictures would be drawn
        if (name, parameter, wrong) == ("audit", "claims", None):
            continue  # all claims, which takes minutes
        if wrong is good[parameter]:
            continue  # None, where it is a good value
        try:
            outcome = thing(**{**good, parameter: wrong})
            if name == "simulate":
                list(zip(range(6), outcome, strict=False))
        except BufaluError as refusal:
            said = str(refusal)
        except Exception as other:
            pytest.fail(f"{name}({parameter}={shown(wrong)}) raised {type(other).__name__}: {other}")
        else:
            said = None
        assert said is None or names(said, name, parameter), f"{parameter}={shown(wrong)}: '{said}' does not name it"
        if any(wrong is each for each in HOPELESS):
            assert said is not None, f"{name} took {parameter}={shown(wrong)}"


def test_what_is_tried_is_what_is_public():
    tried = {name.split(".")[0] for name, _ in callables()}
    left_out = set(bufalu.__all__) - tried - RESULTS
    kinds = {name: getattr(bufalu, name) for name in left_out}
    assert {
        name
        for name, thing in kinds.items()
        if inspect.isclass(thing) and not issubclass(thing, BaseException | enum.Enum)
    } == set()
