"""Games with six arms and more: a slowly rising crowd, figures of any two arms side by side, a winner that is separated."""

from __future__ import annotations

from bufalu.oracle.aims import (
    BESIDE,
    JUST_BESIDE,
    LOW_FIRST,
    TieAims,
    beside_test,
    cycle,
    in_turn,
    opened,
    times_test,
)
from bufalu.oracle.games import Game, from_tape
from bufalu.oracle.limits import MANY_ARMS
from bufalu.oracle.tapes import all_bits, all_bits_tape, spread
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named


def many_arms(policy: str, confidence: str, most: int) -> tuple[Game, ...]:
    """Games with six arms and more, up to `most`; with so many, figures side by side and a separated winner as well."""
    counts = [arms for arms in sorted({*MANY_ARMS, most}) if 5 < arms <= most]
    made = [_crowd(policy, arms) for arms in counts]
    if counts:
        made.append(_tied_crowd(policy, counts[-1]))
    if not policy_named(policy).stops_by_epsilon_alone and not confidence_named(confidence).uses_variance:
        # Every arm is queried 56 times; wide intervals take more than a hundred queries, and `roles` plays those.
        few = [arms for arms in counts if arms <= max(MANY_ARMS)]
        made += [_separated_crowd(policy, arms) for arms in few[-1:]]
    return tuple(made)


def _crowd(policy: str, arms: int) -> Game:
    """Arms of slowly rising means, the best one now first, now last, now in between; every kind of epsilon in turn."""
    means = tuple(0.3 + 0.4 * ((arm * 7 + arms) % arms) / arms for arm in range(arms))
    turn = in_turn(
        (
            cycle((0.0,)),
            beside_test(policy, JUST_BESIDE),
            cycle((0.0,)),
            cycle((0.0, 1e6, 0.7)),
            times_test(policy, (0.9, 1.1, 0.5)),
        )
    )
    rounds = arms + 120 if arms <= 20 else 2 * arms + 100
    return Game(f"{arms} arms", arms, rounds, opened(LOW_FIRST, turn), all_bits(60 + arms, means, 0.3))


def _tied_crowd(policy: str, arms: int) -> Game:
    """All arms alike, so that the figures of any two can be brought side by side."""
    aims = TieAims(
        46, ("lcb", "ucb", "lcb", "width", "mean"), all_bits_tape(46, (0.5,) * arms, 0.3), beside_test(policy, BESIDE)
    )
    rounds = 2 * arms + 160
    return Game(f"figures side by side, {arms} arms", arms, rounds, opened(LOW_FIRST, aims.epsilon), aims.reward)


def _separated_crowd(policy: str, arms: int) -> Game:
    """Epsilon 0, and an arm that wins so clearly that the others are given up, the last one as the last.

    BuFALU and the dial, which query the wider intervals too, must know every arm well. BuFAU queries the arm of largest
    UCB alone: it must know the losers before the winner shows, and keeps their UCBs equal up to one query. The last arm is
    ahead of the others by less than that.
    """
    winner = arms // 2 + 1
    unknown, rounds, second = (
        (32, 32 * arms + 400, 0.003) if policy_named(policy).steering == 0 else (0, 56 * arms, 0.2)
    )

    def tape(arm: int, k: int) -> float:
        noise = spread(arm, k) / 128
        if arm == winner:
            return 1.0 - noise if k > unknown else noise + 2 * second
        return noise + second if arm == arms else noise

    return Game(f"a winner of {arms} arms", arms, rounds, cycle((0.0,)), from_tape(tape))
