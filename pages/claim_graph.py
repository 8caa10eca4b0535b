"""The claims as a graph: what rests on what, from definitions on the left to theorems on the right, as one SVG.

The layout is ours, in layers: a claim stands to the right of everything that it rests on, and as close to what rests on it
as that allows; the order within a layer follows the neighbours. Nothing is fetched, and without scripting every node still
leads to its claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from bufalu.properties.audit.running import AuditReport
from bufalu.properties.claims import Claim
from bufalu.properties.coq.relying import HandAndKernel, compared

ROW, GAP, LETTER, PADDING, MARGIN = 22, 90, 6.5, 14, 20
SWEEPS = 8
"""How often the layers are put in order, to and fro."""


@dataclass(frozen=True)
class NodeBox:
    """Where a node stands: the left end and the middle of its height, and how wide it is."""

    x: float
    y: float
    width: float


def supports(claims: Sequence[Claim]) -> dict[str, tuple[str, ...]]:
    """What each claim is drawn to the right of: what it rests on, and the correction of one that is wrong as printed."""
    known = {claim.id for claim in claims}
    found = {}
    for claim in claims:
        corrected = () if claim.erratum is None else (claim.erratum.corrected,)
        found[claim.id] = tuple(each for each in (*claim.rests_on, *corrected) if each in known)
    return found


def layers(graph: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The nodes in layers, each right of everything that it rests on; raises `graphlib.CycleError` on a circle."""
    order = list(TopologicalSorter(graph).static_order())
    depth: dict[str, int] = {}
    for node in order:
        depth[node] = max((depth[support] + 1 for support in graph[node]), default=0)
    used_by: dict[str, list[str]] = {node: [] for node in order}
    for node in order:
        for support in graph[node]:
            used_by[support].append(node)
    # As far right as what rests on it allows: the first layer would otherwise hold half of the graph.
    for node in reversed(order):
        if used_by[node]:
            depth[node] = min(depth[user] for user in used_by[node]) - 1
    found: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in order:
        found[depth[node]].append(node)
    return _untangled([layer for layer in found if layer], graph, used_by)


def _untangled(
    found: list[list[str]], graph: Mapping[str, Sequence[str]], used_by: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """The layers of a graph, each ordered by the mean place of its neighbours, a few times to and fro."""
    for sweep in range(SWEEPS):
        neighbours = graph if sweep % 2 == 0 else used_by
        row = {node: (place + 0.5) / len(layer) for layer in found for place, node in enumerate(layer)}
        for layer in found if sweep % 2 == 0 else reversed(found):
            keys = {
                node: sum(row[each] for each in neighbours[node]) / len(neighbours[node])
                if neighbours[node]
                else row[node]
                for node in layer
            }
            layer.sort(key=lambda node: (keys[node], node))
            row.update({node: (place + 0.5) / len(layer) for place, node in enumerate(layer)})
    return found


def places(graph: Mapping[str, Sequence[str]]) -> tuple[dict[str, NodeBox], float, float]:
    """Where every node stands, and the size of the whole; nodes without any neighbour stand below the others."""
    used = {support for each in graph.values() for support in each}
    alone = [node for node in graph if not graph[node] and node not in used]
    joined = {node: graph[node] for node in graph if node not in alone}
    found: dict[str, NodeBox] = {}
    columns = layers(joined)
    tallest = max((len(column) for column in columns), default=0) * ROW
    x = float(MARGIN)
    for column in columns:
        widest = max(_width(node) for node in column)
        step = tallest / len(column)
        for place, node in enumerate(column):
            found[node] = NodeBox(x, MARGIN + step * (place + 0.5), _width(node))
        x += widest + GAP
    across, y = max(x - GAP, 600.0), MARGIN + tallest + 2 * ROW
    left = float(MARGIN)
    for node in alone:
        if left + _width(node) > across:
            left, y = float(MARGIN), y + ROW
        found[node] = NodeBox(left, y, _width(node))
        left += _width(node) + PADDING
    return found, across + MARGIN, y + ROW + MARGIN


def _width(node: str) -> float:
    return len(node) * LETTER + PADDING


def graph_of(report: AuditReport) -> dict[str, object] | None:
    """The graph of the claims in a report, for `claim_graph.html`; None for fewer than two."""
    claims = [result.claim for result in report.results]
    if len(claims) < 2:
        return None
    graph = supports(claims)
    where, width, height = places(graph)
    known = compared(claims)
    drawn = {(node, support): _kind(known, node, support) for node, each in graph.items() for support in each}
    drawn |= dict.fromkeys(known.kernel_only, "kernel alone")
    return {
        "width": f"{width:.0f}",
        "height": f"{height:.0f}",
        "edges": [
            {"kind": kind, "support": support, "node": node, "path": _path(where[support], where[node])}
            for (node, support), kind in drawn.items()
        ],
        "nodes": [(result.claim, result.verdict.value, where[result.claim.id]) for result in report.results],
        "padding": PADDING,
        "known": known,
    }


def _kind(known: HandAndKernel, node: str, support: str) -> str:
    """Who says that a claim rests on another; `corrects` for the correction of one that is wrong as printed."""
    if (node, support) in known.both:
        return "kernel"
    return "hand" if (node, support) in known.by_hand | known.hand_only else "corrects"


def _path(start: NodeBox, end: NodeBox) -> str:
    """The line between two nodes, as SVG writes it."""
    x, bend = start.x + start.width, (end.x - start.x - start.width) / 2
    return (
        f"M{x:.0f} {start.y:.0f}C{x + bend:.0f} {start.y:.0f} {end.x - bend:.0f} {end.y:.0f} {end.x:.0f} {end.y:.0f}"
    )
