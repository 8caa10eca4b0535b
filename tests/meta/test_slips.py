"""The slips that `make mutation` makes: one of each kind in a small module, and every module stays a module."""

import ast
from pathlib import Path

import pytest

from tests.mutation.__main__ import ROOMS, known_survivors, slips_of
from tests.mutation.reach import ROOT
from tests.mutation.slips import UNDECORATED, slips

MODULE = '''
@cache
def f(x, y):
    if x <= 1:
        raise ValueError(x)
    try:
        z = g(x, y, deep=True) if x else 3
    except (KeyError, OSError):
        z = -x
    match z:
        case int() | float():
            return z
        case _ if z and x:
            return zip(x, y, strict=True)

class P(Protocol):
    @property
    def said(self) -> int:
        """A member of a protocol, which is never run."""
'''


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x <= 1", "x < 1"),
        ("x <= 1", "x > 1"),
        ("1", "2"),
        ("1", "0"),
        ("raise ValueError(x)", "pass"),
        ("g(x, y, deep=True) if x else 3", "g(x, y, deep=True)"),
        ("g(x, y, deep=True) if x else 3", "3"),
        ("g(x, y, deep=True)", "g(x, deep=True)"),
        ("g(x, y, deep=True)", "g(x, y)"),
        ("(KeyError, OSError)", "(OSError,)"),
        ("(KeyError, OSError)", "(KeyError,)"),
        ("-x", "x"),
        ("int() | float()", "int() | float() if False"),
        ("z and x", "z or x"),
        ("cache", UNDECORATED),
    ],
)
def test_every_kind_of_slip_is_made(before: str, after: str) -> None:
    (slip,) = (slip for slip in slips("m.py", MODULE) if (slip.before, slip.after) == (before, after))
    assert slip.place == "f"
    changed = slip.applied(MODULE.encode()).decode()
    assert changed != MODULE
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(MODULE))


def test_nothing_else_is_changed() -> None:
    assert len(list(slips("m.py", MODULE))) == 18  # those above, True and 3 by one each way, and not strict=True


@pytest.mark.parametrize(
    "room", ["live", *(pytest.param(room, marks=pytest.mark.nightly) for room in ROOMS if room != "live")]
)
def test_a_module_with_a_slip_is_a_module(room: str) -> None:
    sources: dict[str, bytes] = {}
    for slip in slips_of(room, Path(ROOT))[::40]:
        ast.parse(slip.applied(sources.setdefault(slip.path, (ROOT / slip.path).read_bytes())))


def test_survivors_are_argued_about_in_the_code_as_it_stands() -> None:
    """By their lines, which is quick; `make mutation` says of each whether it can still be made."""
    for key in known_survivors():
        path, _, slip = key.split(" | ", 2)
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        assert any(slip.startswith(f"{line.strip()} | ") for line in lines if line.strip()), f"no such line: {key}"
