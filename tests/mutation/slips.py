"""The slips that can be made in a module: one changed constant, comparison, sign or connective each."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

SWAPPED_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SWAPPED_OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
}


@dataclass(frozen=True)
class Slip:
    """One change of one expression; `place` is the function that it is in, `line` the text of the line.

    The bytes from `first` to `last` are replaced. A test that notices runs one of the `lines`, or, if they run when the
    module is loaded, one of the function's or one with the `name` that they define.
    """

    path: str
    place: str
    line: str
    before: str
    after: str
    first: int
    last: int
    lines: frozenset[int]
    function: frozenset[int]
    name: str
    alike: int
    """How many slips of the same words come before it in its function."""

    @property
    def key(self) -> str:
        """The slip without line numbers, so that it is known again after the file has changed elsewhere."""
        place = f" ({self.alike + 1})" if self.alike else ""
        return f"{self.path} | {self.place} | {self.line} | {self.before} -> {self.after}{place}"

    def applied(self, source: bytes) -> bytes:
        """The module with this slip."""
        return source[: self.first] + f"({self.after})".encode() + source[self.last :]


def slips(path: str, source: str) -> Iterator[Slip]:
    """All slips of a module, in the order of the text."""
    texts = source.splitlines()
    seen = Counter[tuple[str, ...]]()
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for node, where in expressions(ast.parse(source), Where("module", frozenset(), "", 0)):
        assert node.end_lineno is not None and node.end_col_offset is not None
        inside = frozenset([where.statement, *range(node.lineno, node.end_lineno + 1)])
        first = lines[node.lineno - 1] + node.col_offset
        last = lines[node.end_lineno - 1] + node.end_col_offset
        before = ast.unparse(node)
        for changed in changes(node):
            after = ast.unparse(ast.fix_missing_locations(changed))
            text = texts[node.lineno - 1].strip()
            words = (where.place, text, before, after)
            seen[words] += 1
            yield Slip(path, *words, first, last, inside, where.function, where.name, seen[words] - 1)


class Where(NamedTuple):
    """The function of an expression and its lines, the first line of the statement, and the name that it is bound to."""

    place: str
    function: frozenset[int]
    name: str
    statement: int

    def within(self, node: ast.AST) -> Where:
        """The same for what is inside a node."""
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                place = name if self.place == "module" else f"{self.place}.{name}"
                body = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
                return Where(place, frozenset(body if isinstance(node, ast.FunctionDef) else ()), name, node.lineno)
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=name), *_])])
                | ast.AnnAssign(target=ast.Name(id=name))
            ):
                return self._replace(name=name, statement=node.lineno)
            case ast.stmt():
                return self._replace(statement=node.lineno)
        return self


def expressions(node: ast.AST, where: Where) -> Iterator[tuple[ast.expr, Where]]:
    """The expressions that are computed, and where each is: no annotations, no texts, no errors."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.JoinedStr | ast.Assert):
                continue
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip" and field == "keywords":
                continue  # strict=True asserts that lengths agree
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            inner = where.within(child)
            if isinstance(child, ast.expr):
                yield child, inner
            yield from expressions(child, inner)


def changes(node: ast.expr) -> Iterator[ast.expr]:
    """The wrong versions of one expression."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            # Of a large double, one more is the same double.
            yield from (ast.Constant(other) for other in (value + 1, value - 1) if other != value)
        case ast.Compare(left=left, ops=[operator], comparators=comparators):
            for other in SWAPPED_COMPARISONS[type(operator)]:
                yield ast.Compare(left, [other()], comparators)
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in SWAPPED_OPERATIONS:
            if not any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in (left, right)):
                yield ast.BinOp(left, SWAPPED_OPERATIONS[type(operation)](), right)
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield operand
        case ast.BoolOp(op=connective, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(connective, ast.And) else ast.And(), values)
