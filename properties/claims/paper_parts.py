"""What the paper calls its parts: the numbers of sections, theorems, algorithms and tables, by lines of the source."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

SECTIONS: tuple[tuple[int, str], ...] = (
    (175, "Section 1"),
    (265, "Section 2"),
    (274, "Section 3"),
    (284, "Section 4"),
    (298, "Section 4.1"),
    (327, "Section 4.2"),
    (368, "Section 5"),
    (440, "Section 5.1"),
    (450, "Section 5.2"),
    (481, "Section 6"),
    (501, "Section A"),
    (514, "Section A.1"),
    (722, "Section A.2"),
    (749, "Section A.3"),
    (769, "Section A.4"),
    (830, "Section B"),
    (874, "Section B.1"),
    (1049, "Section B.2"),
    (1123, "Section B.3"),
    (1125, "Section B.3.1"),
    (1199, "Section B.3.2"),
    (1341, "Section B.3.3"),
    (1374, "Section C"),
    (1375, "Section C.1"),
    (1438, "Section C.2"),
    (1440, "Section C.2.1"),
    (1639, "Section C.2.2"),
)
"""The first line of every section, and its number."""


@dataclass(frozen=True)
class NumberedPart:
    """A theorem, table or the like: its name in print, its lines, and the lines at which its items start."""

    name: str
    first: int
    last: int
    items: tuple[int, ...] = ()


NUMBERED_PARTS: tuple[NumberedPart, ...] = (
    NumberedPart("Example 1", 182, 186),
    NumberedPart("Example 2", 187, 189),
    NumberedPart("Table 1", 198, 255),
    NumberedPart("Definition 1", 300, 302),
    NumberedPart("Theorem 1", 304, 316, (308, 309, 314)),
    NumberedPart("Definition 2", 329, 331),
    NumberedPart("Proposition 1", 333, 341),
    NumberedPart("Corollary 2", 342, 349),
    NumberedPart("Example 3", 351, 365),
    NumberedPart("Algorithm 1", 371, 388),
    NumberedPart("Theorem 2", 417, 433, (421, 422, 427)),
    NumberedPart("Proposition 3", 435, 438),
    NumberedPart("Lemma 4", 505, 512),
    NumberedPart("Example 4", 726, 742),
    NumberedPart("Definition 3", 833, 844),
    NumberedPart("Theorem 3", 846, 868, (856, 857, 862)),
    NumberedPart("Lemma 5", 877, 881),
    NumberedPart("Remark 1", 1042, 1045),
    NumberedPart("Proposition 6", 1052, 1058),
    NumberedPart("Lemma 7", 1134, 1142),
    NumberedPart("Lemma 8", 1211, 1236),
    NumberedPart("Claim 9", 1343, 1346),
    NumberedPart("Claim 10", 1353, 1359),
    NumberedPart("Algorithm 2", 1377, 1394),
    NumberedPart("Algorithm 3", 1397, 1414),
    NumberedPart("Algorithm 4", 1417, 1435),
    NumberedPart("Table 2", 1464, 1504),
    NumberedPart("Table 3", 1530, 1570),
    NumberedPart("Table 4", 1594, 1634),
)
"""Everything with a number of its own, in the order of the text; only theorems have items that are called parts."""


def label(first: int, last: int) -> str:
    """What the paper calls these lines: `Theorem 2, part 3`, `Lemma 5`, or else the section, `Section B.1`."""
    for part in NUMBERED_PARTS:
        if part.first <= first <= part.last or first <= part.first <= last:
            begun = bisect_right(part.items, first)
            one_item = begun > 0 and bisect_right(part.items, last) == begun
            return f"{part.name}, part {begun}" if one_item else part.name
    return SECTIONS[bisect_right(SECTIONS, first, key=lambda section: section[0]) - 1][1]
