"""Lines of rounds read many at a time: as arrays where a line is spelled plainly, for the strict parser where not.

Most programs write every round in one and the same spelling. The first line of a piece (among those with as many commas)
shows it; a line that has the same bytes around its values, and values in the plainest notation, is read without being
parsed. Any other line is left to the strict parser, also every line with something wrong, so that it says what.

Libraries were tried for it, on one core. msgspec 0.22 reads 2.4 million lines/s against 3.5 where queries are rare, 2.0
against 1.1 where every round has a reward of 17 digits; it takes a key that appears twice, and CSV needs this module
anyway, so that it would save 20 lines. pyarrow 26 reads 13 million lines of CSV/s against 6, but takes `1e400` for
infinity, `nan` for an empty cell and an empty line for none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bufalu.doubles.blocks import Booleans, Floats, Integers
from bufalu.reference.trace_fields import COLUMNS, LATEST

_PADDING = 64
"""Zero bytes after the last line, so that looking a little too far is harmless; no line has one in a plain value."""

_LONGEST_PREFIX, _LONGEST_WHOLE, _LONGEST_NUMBER, _MOST_COMMAS = 40, 15, 100, 1000
"""What is longer is not plain: the text before a value, a whole number, any other number, a line by its commas."""
_NUMBER = rb"(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_ONE_NUMBER = re.compile(_NUMBER)
_NUMBERS = re.compile(rb"(?:" + _NUMBER + rb"\n)*+")
_JSON_CELL = re.compile(rb'([ \t]*\{?[ \t]*"([a-z]+)"[ \t]*:[ \t]*)([^ \t"{}\[\]]+)([ \t]*\}?[ \t]*)')
Words = npt.NDArray[np.uint64]

_MASKS = np.array([(1 << (8 * length)) - 1 for length in range(9)], dtype=np.uint64)


@dataclass(frozen=True)
class Spelling:
    """What stands before the value of each column, and after the last one (nothing, in CSV).

    A column that is not among those of a trace is passed over. `absent` is an empty value; with `absent_is_never` it says, of
    when the answer came, that it never did.
    """

    names: tuple[str, ...]
    before: tuple[bytes, ...]
    after: bytes
    true: tuple[bytes, ...]
    false: tuple[bytes, ...]
    absent: bytes
    absent_is_never: bool

    @property
    def usable(self) -> bool:
        """Whether it says all that a round needs, each thing once."""
        known = [name for name in self.names if name in COLUMNS]
        required = {"round", "arm", "query"} <= set(known) and len(set(known)) == len(known)
        return required and all(len(text) <= _LONGEST_PREFIX for text in (*self.before, self.after))


def json_spelling(line: bytes) -> Spelling | None:
    """The spelling of a line of JSON; None if it is not plain."""
    cells = [_JSON_CELL.fullmatch(cell) for cell in line.split(b",")]
    names, before, after = [], [], b""
    for place, cell in enumerate(cells):
        if cell is None:
            return None
        prefix, name, _, after = cell.groups()
        if (b"{" in prefix) != (place == 0) or (b"}" in after) != (place == len(cells) - 1):
            return None
        if (after and place < len(cells) - 1) or name.decode() not in COLUMNS:
            return None
        names.append(name.decode())
        before.append(prefix)
    found = Spelling(tuple(names), tuple(before), after, (b"true",), (b"false",), b"null", absent_is_never=True)
    return found if found.usable else None


def csv_spelling(names: tuple[str, ...]) -> Spelling:
    """The spelling of the lines of a CSV file with these columns."""
    true, false = (b"true", b"True", b"TRUE", b"1"), (b"false", b"False", b"FALSE", b"0")
    return Spelling(names, (b"",) * len(names), b"", true, false, b"", absent_is_never=False)


@dataclass(frozen=True)
class PlainRounds:
    """The values of the lines that are `plain`; what stands at the places of the others means nothing."""

    plain: Booleans
    number: Integers
    arm: Integers
    query: Booleans
    reward: Floats
    epsilon: Floats
    rewarded: Booleans
    timed: Booleans
    answered: Integers
    """The first round that knew the reward, 0 for never, where it is `told`."""
    told: Booleans

    def answered_in(self, first: int) -> Integers | None:
        """When the answers were known, as a block keeps it; None if all were in the next round."""
        if not self.told.any():
            return None
        following = np.arange(first + 1, first + 1 + len(self.told))
        return np.where(self.told, self.answered, np.where(self.query, following, 0))

    def accept(self, first: int, arms: int, scheduled: bool) -> Booleans:
        """The plain lines that fulfil every precondition of the format, the first of them being round `first`."""
        expected = np.arange(first, first + len(self.plain))
        good: Booleans = self.plain & (self.number == expected) & (self.arm >= 1) & (self.arm <= arms)
        good &= np.where(self.told, self.query & ((self.answered > 0) == self.rewarded), self.query == self.rewarded)
        good &= ~self.told | (self.answered == 0) | ((self.answered > expected) & (self.answered <= LATEST))
        with np.errstate(invalid="ignore"):
            good &= ~self.rewarded | ((self.reward >= 0.0) & (self.reward <= 1.0))
            good &= ~self.timed | ((self.epsilon >= 0.0) & (self.epsilon < np.inf))
        # In the initial rounds epsilon plays no role, and may be told or not.
        good &= ~self.timed if scheduled else self.timed | (expected <= arms)
        return good


class Lines:
    """A text of whole lines, each ending with a newline, as arrays of bytes."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        padded = text + bytes(_PADDING)
        self._bytes = np.frombuffer(padded, dtype=np.uint8)
        self._words = np.ndarray(len(text) + _PADDING - 7, dtype="<u8", buffer=padded, strides=(1,))
        content = self._bytes[: len(text)]
        self.ends = np.flatnonzero(content == ord("\n"))
        self.starts = np.concatenate(([0], self.ends[:-1] + 1))
        self._commas = np.flatnonzero(content == ord(","))
        self._first_comma = np.searchsorted(self._commas, self.starts)
        self._comma_count = np.diff(self._first_comma, append=len(self._commas))

    def __len__(self) -> int:
        return len(self.ends)

    def line(self, place: int) -> bytes:
        """One line without its newline."""
        return self.text[self.starts[place] : self.ends[place]]

    def plain_rounds(self, spelling_of: Callable[[bytes], Spelling | None]) -> PlainRounds:
        """What the plain lines say."""
        count = len(self)
        found = PlainRounds(
            np.zeros(count, dtype=np.bool_),
            np.zeros(count, dtype=np.int64),
            np.zeros(count, dtype=np.int64),
            np.zeros(count, dtype=np.bool_),
            np.full(count, np.nan),
            np.full(count, np.nan),
            np.zeros(count, dtype=np.bool_),
            np.zeros(count, dtype=np.bool_),
            np.zeros(count, dtype=np.int64),
            np.zeros(count, dtype=np.bool_),
        )
        for commas in np.flatnonzero(np.bincount(np.minimum(self._comma_count, _MOST_COMMAS))):
            places = np.flatnonzero(self._comma_count == commas)
            spelling = spelling_of(self.line(int(places[0]))) if len(places) else None
            if spelling is not None and spelling.usable and len(spelling.names) == commas + 1:
                self._fill(found, places, spelling)
        return found

    def _fill(self, found: PlainRounds, places: Integers, spelling: Spelling) -> None:
        good = np.ones(len(places), dtype=np.bool_)
        start = self.starts[places]
        commas = self._first_comma[places]
        last = len(spelling.names) - 1
        for column, (name, before) in enumerate(zip(spelling.names, spelling.before, strict=True)):
            end = self._commas[commas + column] if column < last else self.ends[places] - len(spelling.after)
            good &= self._reads(start, before)
            value = start + len(before)
            good &= value <= end
            if name in ("round", "arm"):
                number, fine = self._whole(value, end)
                (found.number if name == "round" else found.arm)[places] = number
                good &= fine
            elif name == "query":
                found.query[places], fine = self._truth(value, end, spelling)
                good &= fine
            elif name == "answered":
                absent = self._is(*self._token(value, end), spelling.absent)
                number, fine = self._whole(value, end)
                found.answered[places] = np.where(absent, 0, number)
                found.told[places] = ~absent | spelling.absent_is_never
                good &= absent | (fine & (number > 0))
            elif name in ("reward", "epsilon"):
                numbers, present, fine = self._number(value, end, spelling, good)
                good &= fine
                (found.reward if name == "reward" else found.epsilon)[places] = numbers
                (found.rewarded if name == "reward" else found.timed)[places] = present
            start = end + 1
        good &= self._reads(self.ends[places] - len(spelling.after), spelling.after)
        if not spelling.after and b'"' in self.text:
            # Commas inside quotes separate nothing.
            quotes = np.flatnonzero(self._bytes == ord('"'))
            good &= np.searchsorted(quotes, self.starts[places]) == np.searchsorted(quotes, self.ends[places])
        found.plain[places] = good

    def _reads(self, start: Integers, text: bytes) -> Booleans:
        """Where `text` stands at `start`, eight bytes at a time."""
        same = np.ones(len(start), dtype=np.bool_)
        for offset in range(0, len(text), 8):
            piece = text[offset : offset + 8]
            word = np.uint64(int.from_bytes(piece, "little"))
            same &= (self._words[start + offset] & _MASKS[len(piece)]) == word
        return same

    def _token(self, start: Integers, end: Integers) -> tuple[Words, Integers]:
        """The first eight bytes from `start` on, zero from `end` on, and the length."""
        length = end - start
        return self._words[start] & _MASKS[np.clip(length, 0, 8)], length

    def _is(self, word: Words, length: Integers, text: bytes) -> Booleans:
        same: Booleans = word == np.uint64(int.from_bytes(text, "little"))
        same &= length == len(text)
        return same

    def _whole(self, start: Integers, end: Integers) -> tuple[Integers, Booleans]:
        """Whole numbers without leading zeros, and where there is one."""
        length = end - start
        fine = (length >= 1) & (length <= _LONGEST_WHOLE)
        fine &= (length == 1) | (self._bytes[start] != ord("0"))
        value = np.zeros(len(start), dtype=np.int64)
        for place in range(int(length[fine].max(initial=0))):
            inside = place < length
            digit = self._bytes[start + place] - np.uint8(ord("0"))  # what is below "0" wraps around
            value = np.where(inside, 10 * value + digit, value)
            fine &= ~inside | (digit < 10)
        return value, fine

    def _truth(self, start: Integers, end: Integers, spelling: Spelling) -> tuple[Booleans, Booleans]:
        word, length = self._token(start, end)
        true = np.zeros(len(start), dtype=np.bool_)
        false = true.copy()
        for text in spelling.true:
            true |= self._is(word, length, text)
        for text in spelling.false:
            false |= self._is(word, length, text)
        return true, true | false

    def _number(
        self, start: Integers, end: Integers, spelling: Spelling, wanted: Booleans
    ) -> tuple[Floats, Booleans, Booleans]:
        """Numbers in JSON's notation without a sign, where there is one, and where the cell is as it should be."""
        word, length = self._token(start, end)
        absent = self._is(word, length, spelling.absent)
        numbers = np.full(len(start), np.nan)
        fine = absent.copy()
        for text in (b"0", b"1", b"0.0", b"1.0"):
            here = self._is(word, length, text)
            numbers[here] = float(text)
            fine |= here
        others = np.flatnonzero(wanted & ~fine & (length >= 1) & (length <= _LONGEST_NUMBER))
        if len(others):
            text = self.text
            bounds = zip(start[others].tolist(), end[others].tolist(), strict=True)
            tokens = [text[first:behind] for first, behind in bounds]
            if _NUMBERS.fullmatch(b"\n".join(tokens) + b"\n") is None:
                plain = [place for place, token in enumerate(tokens) if _ONE_NUMBER.fullmatch(token)]
                others, tokens = others[plain], [tokens[place] for place in plain]
            numbers[others] = np.fromiter(map(float, tokens), dtype=np.float64, count=len(tokens))
            fine[others] = True
        return numbers, ~absent, fine
