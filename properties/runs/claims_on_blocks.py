"""The claims on a long trace, block by block: in doubles with certified errors, exactly where they do not decide.

What is found is what `claims_on_trace` finds; memory does not grow with the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from bufalu.doubles.blocks import Block, Booleans, Floats, Integers
from bufalu.doubles.slices import Slice, Unfolding
from bufalu.doubles.views import UNIT, BlockDoubles, block_doubles
from bufalu.properties.runs.cap import (
    CAP,
    COUNTS,
    EXACT_CAP,
    count_against_cap,
    count_against_worst_case,
    totals_add_up,
    worst_case_grows,
)
from bufalu.properties.runs.claims_on_trace import AT_ONCE, bernoulli_variances, counted_statements, stated
from bufalu.properties.runs.counts import (
    QUERIED_COUNT,
    UNQUERIED_COUNT,
    proof_level,
    queried_against_allowed,
    unqueried_against_allowed,
)
from bufalu.properties.runs.gap_query import (
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    gap_of_unqueried,
    width_of_queried,
)
from bufalu.properties.runs.observed_rounds import ObservedRound
from bufalu.properties.runs.statements import Place, TrueMeans, Violation
from bufalu.properties.runs.thresholds import (
    HoeffdingCount,
    SampleCount,
    good_event_count,
    sure_count,
)
from bufalu.properties.runs.worst_means import mean_is_inside, variance_is_near
from bufalu.reference.confidence import ConfidenceInterval, HoeffdingInterval, confidence_named
from bufalu.reference.errors import InvalidInstance
from bufalu.reference.exact import PLUS_INFINITY, ZERO, Exact
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import Rational, is_double, nearest_float
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import TraceHeader
from bufalu.reference.view import ExactView


@dataclass(frozen=True)
class _Comparison:
    """Of each round of a slice: whether something is sure, and whether the contrary is."""

    yes: Booleans
    no: Booleans

    def decided(self, exactly: Callable[[int], bool]) -> Booleans:
        """The truth: by exact arithmetic where doubles are not sure."""
        truth = self.yes.copy()
        for doubtful in np.flatnonzero(~(self.yes | self.no)):
            truth[doubtful] = exactly(int(doubtful))
        return truth


class _ObservedSlice:
    """A few rounds t > K, the exact state before them, and what doubles can tell; None for an interval without any."""

    def __init__(self, piece: Slice, confidence: ConfidenceInterval, schedule: Schedule | None) -> None:
        self.piece = piece.block
        self.arms = piece.state.arms
        self.rounds = np.arange(piece.first, piece.first + len(piece))
        self._piece, self._confidence, self._schedule = piece, confidence, schedule
        shape = confidence.shape
        self.doubles = None if shape is None else block_doubles(piece, shape, schedule)

    def __len__(self) -> int:
        return len(self.piece)

    def epsilon(self, place: int) -> Exact:
        """epsilon(t), exactly."""
        return self._piece.epsilon(place, self._schedule) or ZERO

    def situation(self, place: int) -> ObservedRound:
        """The round at a place with the exact state before it, to be looked at before the next one is asked for.

        Cheap for places in increasing order.
        """
        state, epsilon = self._piece.state_before(place), self.epsilon(place)
        view = ExactView(state, self._confidence, int(self.rounds[place]), epsilon)
        return ObservedRound(self.piece.round(place)._replace(epsilon=epsilon), state, view)

    def nothing(self) -> _Comparison:
        """Where doubles tell nothing."""
        unknown = np.zeros(len(self), dtype=np.bool_)
        return _Comparison(unknown, unknown)


@dataclass
class _LargestCount:
    """The whole part of N-bar(t): the largest min{N(s, max{epsilon(s), level}), s - 1} of the rounds K < s <= t."""

    rule: SampleCount
    level: Exact
    most: int = 0

    def take(self, piece: _ObservedSlice) -> Integers:
        """N-bar(t) for every round t of the next slice."""
        capped = piece.rounds - 1.0
        level = np.inf if self.level.is_infinite else float(self.level)
        low, high = _estimates(self.rule, piece, level)
        surely, perhaps = np.minimum(np.floor(low), capped), np.minimum(np.floor(high), capped)
        surely[0] = max(surely[0], self.most)
        running = np.maximum.accumulate(surely)
        count = 0
        for doubtful in np.flatnonzero(perhaps > running):
            place = int(doubtful)
            count = max(count, int(running[place]))
            if perhaps[place] > count:
                number, epsilon = int(piece.rounds[place]), piece.epsilon(place)
                widest = epsilon if self.level < epsilon else self.level
                while count < number - 1 and self.rule.reached(count + 1, number, widest):
                    count += 1
                surely[place] = count
        found: Integers = np.maximum.accumulate(surely).astype(np.int64)
        self.most = int(found[-1])
        return found


@dataclass
class _WorstCase:
    """m, which grows by one in round t only if m epsilon(t)^2 < 6 ln t, that is m < N(t)."""

    schedule: Schedule | None
    most: int = 1

    def take(self, piece: _ObservedSlice) -> Integers:
        """m after every round of the next slice."""
        rule = HoeffdingCount()
        low, high = _estimates(rule, piece, 0.0)
        if self.schedule is not None and self.schedule.shape(piece.arms) is not None:
            # With a budget N is B / K in every round: doubles would call it close for ever.
            budget = self.schedule.budget_at(int(piece.rounds[0]), piece.arms)
            share = None if budget is None else Fraction(budget) / piece.arms
            if share is not None and is_double(share):
                low = high = np.full(len(piece), nearest_float(share))
        found = np.empty(len(piece), dtype=np.int64)
        most = self.most
        for place, (least, largest) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            if most < least or (
                most < largest and worst_case_grows(most, int(piece.rounds[place]), piece.epsilon(place))
            ):
                most += 1
            found[place] = most
        self.most = most
        return found


@dataclass
class _Tallies:
    """What a run has done so far."""

    arms: int
    rounds: int = 0
    last: int = 0
    plays: Integers = field(init=False)
    queries: Integers = field(init=False)

    def __post_init__(self) -> None:
        self.plays = np.zeros(self.arms, dtype=np.int64)
        self.queries = np.zeros(self.arms, dtype=np.int64)

    def add(self, piece: Block) -> None:
        self.rounds += len(piece)
        self.last = int(piece.arm[-1])
        self.plays += np.bincount(piece.arm - 1, minlength=self.arms)
        self.queries += np.bincount(piece.arm[piece.query] - 1, minlength=self.arms)


class _Claims:
    """Takes the slices of a trace in order and keeps what is violated, by statement."""

    def __init__(self, header: TraceHeader, schedule: Schedule | None, true_means: TrueMeans | None) -> None:
        self.header, self.schedule, self.true_means = header, schedule, true_means
        self.confidence, self.policy = confidence_named(header.confidence), policy_named(header.policy)
        self.tallies = _Tallies(header.arms)
        sure = sure_count(self.confidence)
        self.cap = None if sure is None else _LargestCount(sure, ZERO)
        self.worst_case = _WorstCase(schedule) if self.confidence == HoeffdingInterval() else None
        self.bars = [] if true_means is None else [self._bar(true_means, arm) for arm in range(1, header.arms + 1)]
        asked = stated(header.policy)
        if true_means is not None:
            asked += [statement for statement, _ in counted_statements(header.policy)]
        silent = {
            CAP.name: self.cap is None,
            EXACT_CAP.name: self.worst_case is None,
            QUERIED_COUNT.name: None in self.bars,
        }
        self.names = [statement.name for statement in asked if not silent.get(statement.name, False)]
        self.found: dict[str, list[Violation]] = {name: [] for name in self.names}
        self.allowed = np.zeros(header.arms, dtype=np.int64)
        self.unqueried = np.zeros(header.arms, dtype=np.int64)
        self.queried = np.zeros(header.arms, dtype=np.int64)

    def _bar(self, true_means: TrueMeans, arm: int) -> _LargestCount | None:
        rule, level = good_event_count(self.confidence, true_means.variances[arm - 1]), proof_level(true_means, arm)
        return None if rule is None else _LargestCount(rule, PLUS_INFINITY if level is None else Exact.of(level))

    def initial(self, piece: Block) -> None:
        """Rounds t <= K."""
        self.tallies.add(piece)
        self.queried = self.tallies.queries.copy()

    def later(self, piece: _ObservedSlice) -> None:
        """Rounds t > K."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            self._about_widths(piece)
            self._about_caps(piece)
            if self.true_means is not None and {QUERIED_COUNT.name, UNQUERIED_COUNT.name} & set(self.names):
                self._about_counts(piece, self.true_means)
        self.tallies.add(piece.piece)

    def finish(self) -> list[Violation]:
        """Everything that is violated, by statement and then by round."""
        totals = self.tallies
        if COUNTS.name in self.names:
            for place in totals_add_up(totals.rounds, totals.plays.tolist(), totals.queries.tolist(), totals.last):
                self._note(COUNTS.name, place)
        return [violation for name in self.names for violation in self.found[name]]

    def _note(self, name: str, place: Place) -> None:
        if not place.holds:
            self.found[name].append(Violation(name, place.round, place.arm, place.account()))

    def _about_widths(self, piece: _ObservedSlice) -> None:
        """The gap-query lemma: what is not sure to hold is decided, and told, exactly."""
        for name, queried, sure, look in (
            (QUERIED_IS_WIDE.name, True, _surely_wide, width_of_queried),
            (UNQUERIED_IS_NEAR_OPTIMAL.name, False, _surely_near_optimal, gap_of_unqueried),
        ):
            if name in self.names:
                asked = piece.piece.query == queried
                if piece.doubles is not None:
                    asked = asked & ~sure(piece.piece, piece.doubles)
                for place in np.flatnonzero(asked):
                    self._note(name, look(piece.situation(int(place))))

    def _about_caps(self, piece: _ObservedSlice) -> None:
        """The cap and the worst case behind it."""
        counts = _running_counts(piece.piece.arm, piece.piece.query, self.tallies.queries)
        for name, bound, look in (
            (CAP.name, None if self.cap is None else self.cap.take(piece) + 1, count_against_cap),
            (
                EXACT_CAP.name,
                None if self.worst_case is None else self.worst_case.take(piece),
                count_against_worst_case,
            ),
        ):
            if name in self.names and bound is not None:
                for place in np.flatnonzero(piece.piece.query & (counts > bound)):
                    number, arm = int(piece.rounds[place]), int(piece.piece.arm[place])
                    self._note(name, look(piece.arms, number, arm, int(counts[place]), int(bound[place])))

    def _about_counts(self, piece: _ObservedSlice, true_means: TrueMeans) -> None:
        """The two count bounds, under the good event."""
        arm, query = piece.piece.arm, piece.piece.query
        good = self._good(piece, true_means)
        places = np.arange(len(piece))
        if UNQUERIED_COUNT.name in self.names:
            below = [_gap_within_epsilon(piece, self.schedule, true_means.gap(a)) for a in range(1, piece.arms + 1)]
            allowed = np.cumsum(np.array(below), axis=1) + self.allowed[:, None]
            spent = _running_counts(arm, good & ~query, self.unqueried)
            bound = allowed[arm - 1, places]
            for place in np.flatnonzero(good & ~query & (spent > bound)):
                number, played = int(piece.rounds[place]), int(arm[place])
                told = unqueried_against_allowed(number, played, int(spent[place]), int(bound[place]), true_means)
                self._note(UNQUERIED_COUNT.name, told)
            self.allowed = allowed[:, -1]
            self.unqueried = self.unqueried + np.bincount(arm[good & ~query] - 1, minlength=piece.arms)
        bars = [bar for bar in self.bars if bar is not None]
        if QUERIED_COUNT.name in self.names and bars:
            most = np.array([bar.take(piece) for bar in bars])
            spent = _running_counts(arm, good & query, self.queried)
            bound = most[arm - 1, places] + 1
            for place in np.flatnonzero(good & query & (spent > bound)):
                number, played = int(piece.rounds[place]), int(arm[place])
                told = queried_against_allowed(number, played, int(spent[place]), int(bound[place]), true_means)
                self._note(QUERIED_COUNT.name, told)
            self.queried = self.queried + np.bincount(arm[good & query] - 1, minlength=piece.arms)

    def _good(self, piece: _ObservedSlice, true_means: TrueMeans) -> Booleans:
        """The good event of every round."""
        factor = self.confidence.deviation
        inside, near = _surely_inside(piece, true_means), None
        if factor is not None:
            near = _surely_near_variances(piece, true_means, nearest_float(factor))

        def exactly(place: int) -> bool:
            situation = piece.situation(place)
            return all(
                mean_is_inside(situation, arm, true_means)
                and (factor is None or variance_is_near(situation, arm, true_means, factor))
                for arm in situation.arms
            )

        if near is None:
            return inside.decided(exactly)
        return _Comparison(inside.yes & near.yes, inside.no | near.no).decided(exactly)


def asked_on_blocks(header: TraceHeader, means: tuple[Rational, ...] | None = None) -> tuple[str, ...]:
    """The statements that `claims_on_blocks` holds against such a trace: those that speak of its policy and interval."""
    true_means = None if means is None else bernoulli_variances(means, header.arms)
    return tuple(_Claims(header, header.schedule, true_means).names)


def claims_on_blocks(
    header: TraceHeader,
    blocks: Iterable[Block],
    schedule: Schedule | None,
    means: tuple[Rational, ...] | None = None,
    progress: Callable[[int], None] = lambda rounds: None,
) -> list[Violation]:
    """Every place where a claim fails on the trace, as `check_claims_on_trace` finds them for Bernoulli arms.

    `progress` is told the rounds so far. Raises `InvalidInstance` for a wrong number of means, and for late answers.
    """
    true_means = None if means is None else bernoulli_variances(means, header.arms)
    claims = _Claims(header, schedule, true_means)
    squares = claims.confidence.uses_variance or claims.confidence.deviation is not None
    unfolding = Unfolding(header.opening(), with_squares=squares)
    for block in blocks:
        if header.known is not None or block.answered is not None:
            raise InvalidInstance(AT_ONCE)
        for piece in unfolding.slices(block):
            if piece.initial:
                claims.initial(piece.block)
            else:
                claims.later(_ObservedSlice(piece, claims.confidence, schedule))
        progress(block.first + len(block) - 1)
    return claims.finish()


def _estimates(rule: SampleCount, piece: _ObservedSlice, level: float) -> tuple[Floats, Floats]:
    """Bounds on N(t, max{epsilon(t), level}): it falls with the square of the level at the most."""
    doubles = piece.doubles
    if doubles is None:
        return np.zeros(len(piece)), np.full(len(piece), np.inf)
    widest = np.maximum(doubles.epsilon, level)
    doubt = np.where(doubles.epsilon_error > 0, doubles.epsilon_error / widest, 0.0)
    value = rule.estimate(doubles.log, widest)
    vague = (doubt > 0.01) | np.isnan(value)
    relative = np.where(vague, 0.0, 4 * doubt) + 256 * UNIT
    return np.where(vague, 0.0, value * (1 - relative)), np.where(vague, np.inf, value * (1 + relative))


def _surely_wide(piece: Block, doubles: BlockDoubles) -> Booleans:
    """Where epsilon is below the width of the played arm."""
    places = np.arange(len(piece))
    width, error = doubles.width[piece.arm - 1, places], doubles.bound_error[piece.arm - 1, places]
    sure: Booleans = width - 4 * error > doubles.epsilon + 2 * doubles.epsilon_error
    return sure


def _surely_near_optimal(piece: Block, doubles: BlockDoubles) -> Booleans:
    """Where no other arm's UCB is further than epsilon from the played arm's LCB."""
    places = np.arange(len(piece))
    high = doubles.ucb + 2 * doubles.bound_error
    high[piece.arm - 1, places] = -np.inf
    low = doubles.lcb[piece.arm - 1, places] - 2 * doubles.bound_error[piece.arm - 1, places]
    guard = 8 * UNIT * doubles.largest
    sure: Booleans = np.maximum(high.max(axis=0) - low + guard, 0.0) <= doubles.epsilon - 2 * doubles.epsilon_error
    return sure


def _surely_inside(piece: _ObservedSlice, true_means: TrueMeans) -> _Comparison:
    """Where every mean is in its interval, and where one is not."""
    doubles = piece.doubles
    if doubles is None:
        return piece.nothing()
    means = np.array([nearest_float(mean) for mean in true_means.means])[:, None]
    error = 2 * doubles.bound_error + 4 * UNIT
    inside = (doubles.lcb + error <= means) & (means <= doubles.ucb - error)
    outside = (means < doubles.lcb - error) | (doubles.ucb + error < means)
    return _Comparison(np.all(inside, axis=0), np.any(outside, axis=0))


def _surely_near_variances(piece: _ObservedSlice, true_means: TrueMeans, factor: float) -> _Comparison:
    """Where every empirical deviation is near the true one, and where one is not."""
    doubles = piece.doubles
    if doubles is None or not doubles.width_uses_squares:
        return piece.nothing()
    deviations = np.sqrt([nearest_float(variance) for variance in true_means.variances])[:, None]
    queries, squares = doubles.queries, doubles.squares
    variance = np.maximum(squares - doubles.sums**2 / np.maximum(queries, 1.0), 0.0) / (queries - 1)
    doubt = (8 * len(piece) + 64) * UNIT * squares / (queries - 1)
    low, high = np.sqrt(np.maximum(variance - doubt, 0.0)), np.sqrt(variance + doubt)
    allowed = np.sqrt(factor * doubles.log / (queries - 1))
    guard = 256 * UNIT * (high + deviations + allowed)
    few = queries < 2
    yes = few | ((high - deviations + guard <= allowed) & (deviations - low + guard <= allowed))
    no = ~few & ((low - deviations - guard > allowed) | (deviations - high - guard > allowed))
    return _Comparison(np.all(yes, axis=0), np.any(no, axis=0))


def _gap_within_epsilon(piece: _ObservedSlice, schedule: Schedule | None, gap: Rational) -> Booleans:
    """Where Delta_a <= epsilon(t)."""
    exact = Exact.of(gap)
    shape = None if schedule is None else schedule.shape(piece.arms)
    if shape is not None and shape.constant is not None:
        return np.full(len(piece), exact <= piece.epsilon(0))
    doubles = piece.doubles
    comparison = piece.nothing()
    if doubles is not None:
        number, error = nearest_float(gap), 2 * doubles.epsilon_error
        slack = 0.0 if is_double(gap) else 2 * UNIT * number
        yes: Booleans = number + slack <= doubles.epsilon - error
        no: Booleans = doubles.epsilon + error < number - slack
        comparison = _Comparison(yes, no)
    return comparison.decided(lambda place: exact <= piece.epsilon(place))


def _running_counts(arm: Integers, counted: Booleans, opening: Integers) -> Integers:
    """How often the arm of each round has been counted, from an opening count on, this round included."""
    found = np.zeros(len(arm), dtype=np.int64)
    for index, start in enumerate(opening):
        mine = arm == index + 1
        found[mine] = (start + np.cumsum(counted & mine))[mine]
    return found
