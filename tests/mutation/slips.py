"""The slips that can be made in a module: one constant, comparison, sign, connective or branch that is another, or one
argument, case, error, kind of error or decorator that is missing.
"""

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
    is_expression: bool = True
    """What it puts in the place of an expression stands in parentheses."""

    @property
    def key(self) -> str:
        """The slip without line numbers, so that it is known again after the file has changed elsewhere."""
        place = f" ({self.alike + 1})" if self.alike else ""
        return f"{self.path} | {self.place} | {self.line} | {self.before} -> {self.after}{place}"

    def applied(self, source: bytes) -> bytes:
        """The module with this slip."""
        after = f"({self.after})" if self.is_expression else self.after
        return source[: self.first] + after.encode() + source[self.last :]


Placed = ast.expr | ast.stmt | ast.pattern
"""What has a place in the text."""


def slips(path: str, source: str) -> Iterator[Slip]:
    """All slips of a module: those in expressions first, then what is left out, each in the order of the text."""
    module, outside = ast.parse(source), Where("module", frozenset(), "", 0)
    made = _Slips(path, source)
    for node, where in expressions(module, outside):
        for changed in changes(node):
            yield made.slip(node, where, ast.unparse(ast.fix_missing_locations(changed)))
    for placed, where, after in omissions(module, outside):
        yield made.slip(placed, where, after, is_expression=False)


class _Slips:
    """Makes the slips of one module, and counts those that are alike."""

    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._texts = source.splitlines()
        self._seen = Counter[tuple[str, ...]]()
        self._lines = [0]
        for line in source.encode().splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def slip(self, node: Placed, where: Where, after: str, *, is_expression: bool = True) -> Slip:
        """The slip that puts a text in the place of a node."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        inside = frozenset([where.statement, *range(node.lineno, node.end_lineno + 1)])
        first = self._lines[node.lineno - 1] + node.col_offset
        last = self._lines[node.end_lineno - 1] + node.end_col_offset
        words = (where.place, self._texts[node.lineno - 1].strip(), ast.unparse(node), after)
        self._seen[words] += 1
        alike = self._seen[words] - 1
        return Slip(
            self._path, *words, first, last, inside, where.function, where.name, alike, is_expression=is_expression
        )


class Where(NamedTuple):
    """The function of an expression and its lines, the first line of the statement, and the name that it is bound to."""

    place: str
    function: frozenset[int]
    name: str
    statement: int

    def within(self, node: ast.AST) -> Where:
        """Where what stands inside a node is, if the node itself is here."""
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


def omissions(node: ast.AST, where: Where) -> Iterator[tuple[Placed, Where, str]]:
    """What can be left out, where it is, and what then stands there: an error that is raised, a case, a decorator."""
    for child in ast.iter_child_nodes(node):
        inner = where.within(child)
        match child:
            case ast.Raise():
                yield child, inner, "pass"
            case ast.match_case(pattern=pattern, guard=None):
                yield pattern, inner, f"{ast.unparse(pattern)} if False"
            case ast.ExceptHandler(type=ast.Tuple(elts=kinds) as caught):
                for kind in kinds:
                    rest = [other for other in kinds if other is not kind]
                    yield caught, inner, ast.unparse(ast.Tuple(rest, ast.Load()))
            case ast.FunctionDef(body=[ast.Expr(value=ast.Constant())]):
                continue  # a member of a protocol, with nothing but its docstring: it is never run
            case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
                for decorator in decorators:
                    yield decorator, inner, UNDECORATED
        yield from omissions(child, inner)


UNDECORATED = "(lambda same: same)"
"""What stands in the place of a decorator: nothing happens."""


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
        case _:
            yield from reductions(node)


def reductions(node: ast.expr) -> Iterator[ast.expr]:
    """The expression with less in it: one branch alone, an argument less."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case ast.Call(func=function) if ast.unparse(function) != "zip":  # strict=True asserts that lengths agree
            yield from with_an_argument_less(node)


def with_an_argument_less(call: ast.Call) -> Iterator[ast.Call]:
    """A call without its last argument, if it has several, and without each that is given by name."""
    if len(call.args) > 1:
        yield ast.Call(call.func, call.args[:-1], call.keywords)
    for keyword in call.keywords:
        yield ast.Call(call.func, call.args, [other for other in call.keywords if other is not keyword])
