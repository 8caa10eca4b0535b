"""Every lemma that the solvers prove, every tempting statement that they refute, and those of them in the paper."""

from __future__ import annotations

from bufalu.properties.smt import (
    lemmas_bufalu,
    lemmas_counting,
    lemmas_dial,
    lemmas_maximum,
    lemmas_numbers,
    lemmas_pairs,
    lemmas_setting,
)
from bufalu.properties.smt.lemma import Lemma

LEMMAS: tuple[Lemma, ...] = (
    *lemmas_bufalu.LEMMAS,
    *lemmas_counting.LEMMAS,
    *lemmas_setting.LEMMAS,
    *lemmas_numbers.LEMMAS,
    *lemmas_dial.LEMMAS,
    *lemmas_pairs.LEMMAS,
    *lemmas_maximum.LEMMAS,
)

FALSE_STATEMENTS: tuple[Lemma, ...] = (
    *lemmas_bufalu.FALSE_STATEMENTS,
    *lemmas_numbers.FALSE_STATEMENTS,
    *lemmas_dial.FALSE_STATEMENTS,
    *lemmas_pairs.FALSE_STATEMENTS,
)

ERRATA: tuple[Lemma, ...] = (lemmas_numbers.ROOT_AND_RECIPROCAL_RISES,)


def lemma_named(name: str) -> Lemma:
    """The lemma or false statement with that name; raises KeyError if there is none."""
    return {lemma.name: lemma for lemma in (*LEMMAS, *FALSE_STATEMENTS)}[name]
