"""The slips that can be made in a module: one changed constant, comparison, sign or connective each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

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
    """One change of one expression; `place` is the function that it is in, `line` the text of the line."""

    path: str
    place: str
    line: str
    before: str
    after: str
    first: int
    last: int

    @property
    def key(self) -> str:
        """The slip without line numbers, so that it is known again after the file has changed elsewhere."""
        return f"{self.path} | {self.place} | {self.line} | {self.before} -> {self.after}"

    def applied(self, source: bytes) -> bytes:
        """The module with this slip."""
        return source[: self.first] + f"({self.after})".encode() + source[self.last :]


def slips(path: str, source: str) -> Iterator[Slip]:
    """All slips of a module, in the order of the text."""
    texts = source.splitlines()
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for node, place in expressions(ast.parse(source), "module"):
        assert node.end_lineno is not None and node.end_col_offset is not None
        first = lines[node.lineno - 1] + node.col_offset
        last = lines[node.end_lineno - 1] + node.end_col_offset
        before = ast.unparse(node)
        for changed in changes(node):
            after = ast.unparse(ast.fix_missing_locations(changed))
            yield Slip(path, place, texts[node.lineno - 1].strip(), before, after, first, last)


def expressions(node: ast.AST, place: str) -> Iterator[tuple[ast.expr, str]]:
    """The expressions that are computed, with the function that each is in: no annotations, no texts, no errors."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.JoinedStr | ast.Assert):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            inner = place
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = child.name if place == "module" else f"{place}.{child.name}"
            if isinstance(child, ast.expr):
                yield child, inner
            yield from expressions(child, inner)


def changes(node: ast.expr) -> Iterator[ast.expr]:
    """The wrong versions of one expression."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
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
