"""Answers that come late, in another order or never, on all tables and all arrivals of a few queries (docs/live.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product

from bufalu.properties.claims.check import exact
from bufalu.properties.claims.evidence import Decided

Arrival = tuple[int, ...]
"""The numbers of the queries in the order in which their answers come; those that are left out are lost."""

QUERIES, ANSWERS = 4, 2
"""How many queries there are, and how many of them are answered at least; `ARRIVALS` has every order of every loss."""
ARRIVALS: tuple[Arrival, ...] = tuple(
    order for length in range(ANSWERS, QUERIES + 1) for order in permutations(range(QUERIES), length)
)
LAWS: tuple[dict[Fraction, Fraction], ...] = (
    {Fraction(0): Fraction(3, 4), Fraction(1): Fraction(1, 4)},
    {Fraction(0): Fraction(1, 6), Fraction(1, 2): Fraction(1, 3), Fraction(1): Fraction(1, 2)},
)


def as_they_come(rewards: Sequence[Fraction], arrival: Arrival) -> list[Fraction]:
    """The answers in the order in which they come."""
    return [rewards[query] for query in arrival]


def missing_as_zero(rewards: Sequence[Fraction], arrival: Arrival) -> list[Fraction]:
    """Wrong: a missing answer counts as a reward of 0."""
    return [reward if query in arrival else Fraction(0) for query, reward in enumerate(rewards)]


def counted_twice(rewards: Sequence[Fraction], arrival: Arrival) -> list[Fraction]:
    """Wrong: each answer is counted twice."""
    return [reward for reward in as_they_come(rewards, arrival) for _ in range(2)]


def good_news_first(rewards: Sequence[Fraction], arrival: Arrival) -> list[Fraction]:
    """Not what the claim is about: when an answer comes depends on its value."""
    return sorted(as_they_come(rewards, arrival), reverse=True)


@exact(
    "live.answers",
    mutants={
        "a missing answer counted as 0": {"answers": missing_as_zero},
        "an answer counted twice": {"answers": counted_twice},
        "good news come first": {"answers": good_news_first},
    },
)
def answers_are_independent_rewards(
    answers: Callable[[Sequence[Fraction], Arrival], list[Fraction]] = as_they_come,
) -> Decided:
    """Given each arrival, the first two answers have the law of two independent rewards."""
    cases = 0
    for law in LAWS:
        for arrival in ARRIVALS:
            found: dict[tuple[Fraction, ...], Fraction] = defaultdict(Fraction)
            for rewards in product(law, repeat=QUERIES):
                weight = Fraction(1)
                for reward in rewards:
                    weight *= law[reward]
                found[tuple(answers(rewards, arrival)[:ANSWERS])] += weight
            cases += 1
            for first, second in product(law, repeat=ANSWERS):
                if found[first, second] != law[first] * law[second]:
                    detail = (
                        f"with the arrival {arrival} the first answers are {first} and {second} with probability "
                    )
                    return Decided(
                        False, f"{detail}{found[first, second]}, not {law[first] * law[second]}", cases=cases
                    )
    detail = f"the first {ANSWERS} answers of {QUERIES} queries have the product law, for {cases} arrivals and laws"
    return Decided(True, detail, cases=cases)
