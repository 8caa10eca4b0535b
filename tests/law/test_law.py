"""The merged walk against brute force, against itself, and against wrong versions."""

import math
from fractions import Fraction as F
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.law import NoExactLaw, bad_events, double_filter, exact_law
from bufalu.law import walk as walk_module
from bufalu.law.branching import tie_law
from bufalu.law.double_filter import Batch, Decisions, DoubleFilter
from bufalu.law.histograms import Histograms
from bufalu.law.round_values import RoundValues
from bufalu.law.weights import RationalWeights
from bufalu.reference import arguments
from bufalu.reference.comparisons import first, last
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.policies import POLICIES
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.schedules import Adaptive, Budget, Constant, InverseLog, Power, Values, Zero, parse_schedule
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView
from tests.law.brute_force import all_runs, expectations

POLICY_NAMES = (*POLICIES, "pairs:2", "pairs:1:1")
SCHEDULES = (
    Zero(),
    Power(F(1, 4)),
    InverseLog(),
    Budget(4),
    Budget(6),
    Constant(F(9, 5)),
    Values(tuple(F(k % 5, 2) for k in range(40))),
)


def probabilities(size):
    return st.lists(st.integers(1, 5), min_size=size, max_size=size).map(lambda w: [F(x, sum(w)) for x in w])


@st.composite
def arms(draw):
    support = draw(st.sampled_from([(0, 1), (0, F(1, 2), 1), (F(1, 3), F(2, 3)), (1,), (0,)]))
    return Arm(tuple(support), tuple(draw(probabilities(len(support)))))


@st.composite
def settings_of_a_law(draw):
    number = draw(st.integers(1, 3))
    instance = Instance(tuple(draw(arms()) for _ in range(number)))
    widest = max(len(arm.values) for arm in instance.arms)
    horizon = draw(st.integers(0, 7 if widest < 3 else 5))
    question = (instance, draw(st.sampled_from(SCHEDULES)), horizon)
    return question, {
        "policy": draw(st.sampled_from(POLICY_NAMES)),
        "confidence": draw(st.sampled_from(["hoeffding", "bernstein"])),
        "ties": draw(st.sampled_from(["first", "last"])),
    }


@pytest.mark.parametrize("few", [0, 8])
@given(case=settings_of_a_law())
def test_the_merged_walk_is_the_sum_over_all_paths(few, case):
    """By arrays alone, and with small rounds left to the reference."""
    question, options = case
    plays, queries, bad, distribution = expectations(*question, **options)
    with mock.patch.object(walk_module, "FEW_STATES", few):
        found = exact_law(*question, **options)
    assert [value.exact for value in found.expected_plays()] == plays
    assert [value.exact for value in found.expected_queries_per_arm()] == queries
    assert found.query_distribution() == distribution
    assert found.bad_event_probability_sum().exact == bad
    assert sum(found.bad_event_probabilities()) == bad
    assert found.expected_queries().exact == sum(queries)
    for curve, mine in zip(found.plays, plays, strict=True):
        assert curve.doubles().tolist() == [float(curve.at(t)) for t in range(1, question[2] + 1)]
        assert curve.at(question[2]) == mine
    assert found.expected_regret().exact == sum(gap * mine for gap, mine in zip(question[0].gaps, plays, strict=True))
    assert sum(plays) == question[2]


def test_bad_rounds_agree_with_brute_force_where_there_are_some():
    instance = Instance.bernoulli([F(1, 10)])
    _, _, bad, _ = expectations(instance, Zero(), 8, policy="cbm-ucb")
    assert bad > 0
    assert exact_law(instance, Zero(), 8, policy="cbm-ucb").bad_event_probability_sum().exact == bad


def test_random_ties_are_the_average_over_uniform_choices():
    # By hand: two equal deterministic arms are tied in every round whose counts agree, and each round's tie is fair.
    instance = Instance.deterministic([F(1, 2), F(1, 2)])
    found = exact_law(instance, "zero", 6, policy="cbm-ucb", ties="random")
    assert [value.exact for value in found.expected_plays()] == [3, 3]
    odd = exact_law(instance, "zero", 5, policy="cbm-ucb", ties="random")
    assert [value.exact for value in odd.expected_plays()] == [F(5, 2), F(5, 2)]
    assert odd.query_count_distribution() == {(2, 3): F(1, 2), (3, 2): F(1, 2)}
    assert [v.exact for v in exact_law(instance, "zero", 5, policy="cbm-ucb", ties="first").expected_plays()] == [
        3,
        2,
    ]


def test_a_function_can_break_ties():
    instance = Instance.bernoulli([F(1, 2), F(1, 3)])
    by_name, by_function = exact_law(instance, "zero", 9), exact_law(instance, "zero", 9, ties=lambda tied: tied[0])
    assert by_name.query_count_distribution() == by_function.query_count_distribution()
    assert by_function.decided_exactly > 0


@pytest.mark.parametrize("policy", [*POLICY_NAMES, "dial:0", "dial:1/2", "dial:2/3", "dial:1"])
@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("schedule", ["power:1/4", "budget:12", "inverse-log"])
def test_the_filter_decides_like_the_reference_on_every_state_met(policy, confidence, schedule):
    three = Arm.finite([(0, F(1, 3)), (F(1, 2), F(1, 3)), (1, F(1, 3))])
    instance = Instance((three, Arm.bernoulli(F(1, 2)), Arm.deterministic(1)))
    interval, rule, horizon = confidence_named(confidence), arguments.policy(policy), 13
    clock = RoundValues(interval, parse_schedule(schedule), 3, 60)
    for name, tie_break in (("first", first), ("last", last)):
        ties = tie_law(name)
        short = RoundValues(interval, parse_schedule(schedule), 3, horizon)
        setting = walk_module.Setting(instance, rule, interval, short, ties)
        walk = walk_module.Walk(setting, walk_module.Weighing.counting(instance))
        seen = _RoundCollector()
        walk.run(seen)
        judge = DoubleFilter(rule, interval, walk.table, clock, ties.settlement)
        generator = np.random.default_rng(5)
        rows = seen.rows[generator.choice(len(seen.rows), size=min(60, len(seen.rows)), replace=False)]
        sure = 0
        for t in (int(seen.latest) + 1, 20, 47, 60):
            decisions = judge.decide(rows, np.full(len(rows), t))
            for position, row in enumerate(rows.tolist()):
                if not decisions.sure[position]:
                    continue
                sure += 1
                state = State(3)
                state.records = [walk.table.records[number] for number in row]
                state.all_queries = sum(record.queries for record in state.records)
                expected = rule.decide(ExactView(state, interval, t, clock.epsilons[t]), tie_break)
                assert (decisions.arm[position] + 1, decisions.query[position]) == expected
        assert sure > len(rows)


class _RoundCollector:
    def __init__(self):
        self.parts, self.latest = [], 0

    def stretches(self, table, played):
        if played.first > 3:
            self.parts.append(played.rows)
            self.latest = played.first

    def dropped(self, queries, weights, round_number):
        raise AssertionError("nothing is dropped here")

    def finished(self, table, rows, weights):
        self.rows = np.concatenate(self.parts)


def test_sleeping_states_wake_in_the_right_round(monkeypatch):
    """Looking ahead one round at a time must give the same law as galloping."""
    instance = Instance.bernoulli([F(19, 20), F(1, 20)])
    galloping = exact_law(instance, "power:1/4", 60)
    monkeypatch.setattr(walk_module, "LOOKAHEAD", 1)
    plodding = exact_law(instance, "power:1/4", 60)
    assert galloping.query_count_distribution() == plodding.query_count_distribution()
    assert galloping.states < 60 * 60 * 60
    assert galloping.expected_regret().exact == plodding.expected_regret().exact


def test_a_mutant_that_sleeps_one_round_too_long_is_caught(monkeypatch):
    instance = Instance.bernoulli([F(9, 10), F(1, 10)])
    case = (instance, Constant(F(3, 2)), 14)
    right = exact_law(*case).query_count_distribution()
    original = walk_module.Walk._wake_rounds

    def oversleep(self, rows, arm, round_number):
        wake = original(self, rows, arm, round_number)
        return np.minimum(wake + 1, self.clock.horizon + 1)

    monkeypatch.setattr(walk_module.Walk, "_wake_rounds", oversleep)
    assert exact_law(*case).query_count_distribution() != right


def test_a_mutant_that_forgets_to_merge_weights_loses_mass(monkeypatch):
    instance = Instance.bernoulli([F(1, 2), F(1, 4)])

    def careless(parts, numbers):
        rows = np.concatenate([part[0] for part in parts])
        weights = parts[0][1].joined([part[1] for part in parts[1:]])
        _, kept = np.unique(rows, axis=0, return_index=True)
        return rows[kept], weights.chosen(kept)

    monkeypatch.setattr(walk_module, "merged", careless)
    assert sum(exact_law(instance, "zero", 8).query_distribution().values()) < 1


def test_the_two_ways_of_merging_agree():
    generator = np.random.default_rng(3)
    rows = generator.integers(0, 4, size=(200, 3))
    weights = RationalWeights.of(range(200))
    narrow = walk_module.merged([(rows, weights)], 4)
    wide = walk_module.merged([(rows, weights)], 2**40)
    as_dict = [{tuple(r): w for r, w in zip(m[0].tolist(), m[1].listed(), strict=True)} for m in (narrow, wide)]
    assert as_dict[0] == as_dict[1]
    assert sum(as_dict[0].values()) == sum(range(200))


def test_dropped_mass_gives_an_enclosure_of_the_exact_law():
    instance = Instance.bernoulli([F(1, 2), F(1, 4)])
    exact = exact_law(instance, "power:1/4", 25)
    rough = exact_law(instance, "power:1/4", 25, negligible=F(1, 1000))
    assert rough.states < exact.states
    for t in (5, 12, 25):
        for precise, enclosed in [
            (exact.expected_regret(t), rough.expected_regret(t)),
            (exact.expected_queries(t), rough.expected_queries(t)),
            (exact.bad_event_probability_sum(t), rough.bad_event_probability_sum(t)),
            *zip(exact.expected_plays(t), rough.expected_plays(t), strict=True),
        ]:
            assert enclosed.lower <= precise.exact <= enclosed.upper
    assert 0 < rough.dropped_mass() < 25
    with pytest.raises(NoExactLaw, match="dropped"):
        _ = rough.expected_queries().exact


def test_deterministic_arms_jump_over_long_stretches():
    instance = Instance.deterministic([0, 1])
    found = exact_law(instance, "power:1/4", 3000)
    (rounds, probability), *others = all_runs(instance, Power(F(1, 4)), 3000)
    assert probability == 1
    assert not others
    assert found.expected_queries().exact == sum(played.query for played in rounds)
    assert found.expected_plays()[0].exact == sum(played.arm == 1 for played in rounds)
    assert found.states < 3000


def test_curves_are_the_laws_of_shorter_horizons():
    instance = Instance.bernoulli([F(3, 4), F(1, 5)])
    whole = exact_law(instance, "budget:8", 14, confidence="hoeffding")
    for t in range(15):
        short = exact_law(instance, "budget:8", t)
        assert whole.expected_regret(t) == short.expected_regret()
        assert whole.expected_queries(t) == short.expected_queries()
        assert whole.bad_event_probability_sum(t) == short.bad_event_probability_sum()
    assert sum(whole.bad_event_probabilities()) == whole.bad_event_probability_sum().exact


def test_bad_questions_are_refused():
    instance = Instance.bernoulli([F(1, 2)])
    with pytest.raises(NoExactLaw, match="look at the rewards"):
        exact_law(instance, Adaptive(lambda history, t, arms: ZERO), 5)
    with pytest.raises(NoExactLaw, match="up to 5"):
        exact_law(instance, "zero", 5).expected_regret(6)


def test_failures_of_an_interval_that_is_not_known_to_widen_are_not_followed():
    class Narrowing(ConfidenceInterval):
        text = "narrowing"

        def radius_form(self, queries, variance, round_number):
            return NormalForm((RadicalTerm(F(1, queries + round_number)),), round_number)

    law = exact_law(Instance.bernoulli([F(1, 2), F(1, 4)]), "zero", 5, confidence=Narrowing())
    assert not law.knows_bad_events
    with pytest.raises(NoExactLaw, match="not known to widen"):
        law.bad_event_probability_sum()


def test_the_state_count_is_far_below_the_path_count():
    instance = Instance.bernoulli([F(1, 2), F(1, 4)])
    found = exact_law(instance, "power:1/4", 40)
    assert found.states < math.comb(40, 2) * 40 < 2**40
    assert sum(found.query_distribution().values()) == 1


def test_the_filter_of_failures_never_hides_one(monkeypatch):
    """Without the filter every histogram is decided exactly, and the law is the same."""
    cases = [
        (Instance.bernoulli([F(1, 7)]), 40, {"policy": "cbm-ucb"}),
        (Instance.bernoulli([F(9, 10), F(1, 10)]), 14, {}),
        (Instance.bernoulli([F(1, 2)]), 60, {"policy": "cbm-ucb", "confidence": "bernstein"}),
    ]

    def probabilities():
        return [exact_law(arms, "zero", t, **options).bad_event_probabilities() for arms, t, options in cases]

    filtered = probabilities()
    assert all(sum(each) > 0 for each in filtered)
    monkeypatch.setattr(
        bad_events.LastBadRounds, "_surely_good", lambda self, arm, table, numbers: np.zeros(len(numbers), dtype=bool)
    )
    assert probabilities() == filtered


def test_a_filter_that_hides_failures_is_caught(monkeypatch):
    instance = Instance.bernoulli([F(1, 10)])
    _, _, bad, _ = expectations(instance, Zero(), 8, policy="cbm-ucb")
    monkeypatch.setattr(
        bad_events.LastBadRounds, "_surely_good", lambda self, arm, table, numbers: np.ones(len(numbers), dtype=bool)
    )
    assert exact_law(instance, Zero(), 8, policy="cbm-ucb").bad_event_probability_sum().exact != bad


def test_the_margin_of_the_filter_dwarfs_its_roundings():
    """Radii are off by 2^-47 of themselves; much more than a margin of 2^-30 would send needless rounds the exact way."""
    assert 16 * 2.0**-47 <= bad_events.MARGIN <= 2.0**-30


@pytest.mark.parametrize(("queries", "bad"), [(128, False), (129, True)])
def test_how_far_the_empirical_deviation_may_be_off(queries, bad):
    """sqrt(6 ln 200 / (n - 1)) falls below 1/2 at n - 1 = 128, since 24 ln 200 = 127.2 (l.1213)."""
    always_a_half = ArmRecord(queries, F(queries, 2), F(queries, 4))
    assert bad_events.is_bad(Arm.bernoulli(F(1, 2)), always_a_half, confidence_named("bernstein"), 200) is bad


@pytest.mark.parametrize(("number", "bad"), [(1, False), (2, True)])
def test_the_good_event_is_asked_for_from_round_two_on(number, bad):
    """In round 1 ln t is 0; an interval that is narrow enough breaks it at once afterwards."""
    one = ArmRecord(1, F(1), F(1))
    assert bad_events.is_bad(Arm.bernoulli(F(1, 2)), one, confidence_named("hoeffding:1/200"), number) is bad


@pytest.mark.parametrize("last_bad", range(2, 40))
def test_every_round_may_be_the_last_bad_one(last_bad):
    """A single arm of mean 1/2 is queried once: sqrt(c ln t) is below 1/2 up to one round."""
    factor = F(1 / (4 * math.log(last_bad + 0.5))).limit_denominator(10**6)
    law = exact_law(Instance.bernoulli([F(1, 2)]), Zero(), 40, confidence=f"hoeffding:{factor}")
    assert law.bad_event_probability_sum().exact == last_bad - 1


def test_progress_is_told_with_one_number():
    heard = []
    exact_law(Instance.bernoulli([F(1, 2)]), Zero(), 3, progress=heard.append)
    assert heard[:2] == [1, 2]
    with pytest.raises(NoExactLaw, match="progress must take 1 argument"):
        exact_law(Instance.bernoulli([F(1, 2)]), Zero(), 3, progress=lambda: None)


@pytest.mark.parametrize("few", [0, 8])
@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_random_ties_are_fair_for_every_policy_also_where_the_filter_decides(few, policy, monkeypatch):
    """Equal arms are played equally often by fair ties; a filter that settled a tie would prefer one of them."""
    monkeypatch.setattr(walk_module, "FEW_STATES", few)
    for schedule in ("zero", "constant:3", "budget:6"):
        found = exact_law(Instance.deterministic([1, 1, 1]), schedule, 9, policy=policy, ties="random")
        plays = [value.exact for value in found.expected_plays()]
        assert plays == [3, 3, 3], (schedule, plays)


@given(case=settings_of_a_law())
def test_the_largest_number_of_queries_is_that_of_some_run(case):
    question, options = case
    runs = [rounds for rounds, _ in all_runs(*question, **options)]
    found = exact_law(*question, **options)
    for arm in range(1, question[0].number_of_arms + 1):
        assert found.most_queries(arm) == tuple(
            max(sum(played.query and played.arm == arm for played in run[:t]) for run in runs)
            for t in range(question[2] + 1)
        )


@pytest.mark.parametrize("horizon", [0, 1])
def test_short_laws_are_laws(horizon):
    found = exact_law(Instance.bernoulli([F(1, 2), F(1, 3)]), "zero", horizon)
    assert found.expected_queries().exact == horizon
    assert sum(found.query_count_distribution().values()) == 1


@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("policy", ["dial:1/2", "dial:1"])
def test_the_dials_exact_ties_are_settled_without_the_reference(policy, ties, monkeypatch):
    # After four queries of one arm and one of the other, a width is exactly half of the other's.
    instance = Instance((Arm.bernoulli(F(1, 2)), Arm.deterministic(F(1, 3))))
    by_filter = exact_law(instance, "constant:1", 24, policy=policy, ties=ties)
    monkeypatch.setattr(DoubleFilter, "decide", lambda judge, rows, rounds: unsure(len(rows)))
    by_reference = exact_law(instance, "constant:1", 24, policy=policy, ties=ties)
    assert by_filter.query_count_distribution() == by_reference.query_count_distribution()
    assert by_filter.expected_regret().exact == by_reference.expected_regret().exact
    assert by_filter.decided_exactly == 0 < by_reference.decided_exactly


@pytest.mark.parametrize("rounds", [(2, 3, 30, 50), (50, 30, 3, 2)])
@pytest.mark.parametrize(
    ("confidence", "changing"),
    [
        ("hoeffding", {"a width and epsilon"}),
        ("hoeffding:3/2:before", {"a width and epsilon", "two widths", "a width and its half", "UCB and mean"}),
        ("bernstein", {"two widths"}),
    ],
)
def test_an_order_is_remembered_for_no_round_in_which_it_is_another(confidence, changing, rounds):
    """With ln(t - 1) radii are 0 in round 2; Bernstein's of an arm that never varies outgrows one that does."""
    interval, varies, never_varies = confidence_named(confidence), Arm.bernoulli(F(1, 2)), Arm.deterministic(F(1, 2))
    table = Histograms(Instance((varies, never_varies)), interval)
    row = table.empty.copy()
    for arm, outcomes in enumerate([(0, 1) * 40, (0,) * 40]):
        for outcome in outcomes:
            row[arm : arm + 1] = table.successors(row[arm : arm + 1], outcome)
    clock = RoundValues(interval, Constant(F(1, 4)), 1, 50)
    judge = DoubleFilter(POLICIES["bufalu"], interval, table, clock, tie_law("first").settlement)
    seen = {}
    for number in rounds:
        batch = Batch(judge, row.reshape(1, 2), np.array([number]))
        exact = ExactView(table.state(row.tolist()), interval, number, clock.epsilons[number])
        for name, pair in COMPARED.items():
            ours, theirs = pair(exact)
            expected = int(theirs < ours) - int(ours < theirs)
            assert batch.signs(*pair(batch.view), np.array([0])).tolist() == [expected], (name, number)
            seen.setdefault(name, set()).add(expected)
    assert {name for name, signs in seen.items() if len(signs) > 1} == changing | CHANGING


COMPARED = {
    "two widths": lambda view: (view.width(1), view.width(2)),
    "a width and its half": lambda view: (view.number(F(1, 2)) * view.width(1), view.width(1)),
    "UCB and mean": lambda view: (view.ucb(1), view.mean(2)),
    "two means": lambda view: (view.mean(1), view.mean(2)),
    "a width and epsilon": lambda view: (view.width(1), view.epsilon),
    "a number and ln t": lambda view: (view.number(3), view.log()),
    "a number and a radius of two": lambda view: (view.number(F(3, 8)), view.pair_radius(1, 2, 1)),
}
CHANGING = {"a number and ln t", "a number and a radius of two"}
"""What has another order in early rounds than in late ones, whatever the interval."""


def test_widths_that_grow_alike_are_compared_in_one_round_for_all(monkeypatch):
    """With four times as many queries of one arm a width is half of the other's, in hundreds of rounds of few states."""
    asked = mock.Mock(wraps=double_filter.ExactView)
    monkeypatch.setattr(double_filter, "ExactView", asked)
    (counts,) = exact_law(
        Instance.deterministic([0, 1]), "power:1/4", 400, policy="dial:1/2"
    ).query_count_distribution()
    assert 0 < asked.call_count <= sum(counts) < 100


def unsure(size):
    return Decisions(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_))


def test_two_answers_have_a_deviation_that_can_be_off():
    """0 and 1 of an arm that never varies: their deviation sqrt(1/2) is off by more than sqrt(ln 2 / 100)."""
    never_varies, both = Arm.deterministic(F(1, 2)), ArmRecord(2, 1, 1)
    assert bad_events._deviation_is_off(never_varies, both, F(1, 100), 2)
    assert not bad_events._deviation_is_off(never_varies, both, F(1), 2)
