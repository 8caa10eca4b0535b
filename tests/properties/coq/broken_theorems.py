"""Versions of theorems that say more than is proved: in each, one text of the statement is exchanged for another."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class BrokenTheorem:
    """A theorem whose statement has `was` in it, and what a stronger, unproved statement has in its place."""

    name: str
    was: str
    becomes: str

    def in_text(self, text: str) -> tuple[str, int, int]:
        """The text of the theorem's file with the broken statement, and the theorem's first and last line."""
        found = re.search(rf"^(?:Theorem|Lemma) {self.name}\b.*?^Proof\.", text, flags=re.DOTALL | re.MULTILINE)
        assert found, f"{self.name} is not stated"
        statement = found.group(0)
        assert self.was in statement, f"{self.name} does not say {self.was}"
        broken = text[: found.start()] + statement.replace(self.was, self.becomes) + text[found.end() :]
        first = text.count("\n", 0, found.start()) + 1
        last = text.count("\n", 0, text.index("Qed.", found.end())) + 1
        return broken, first, last


BROKEN: tuple[BrokenTheorem, ...] = (
    BrokenTheorem(
        "the_moments_of_the_empirical_variance_are_those_of_independent_pairs",
        "pair_moment c ^ m",
        "pair_moment c ^ n",
    ),
    BrokenTheorem("the_variance_of_a_reward_is_at_most_a_quarter", "1 / 4", "1 / 5"),
    BrokenTheorem("the_standard_deviation_is_rarely_underestimated", "2 * x", "x"),
    BrokenTheorem("the_standard_deviation_is_rarely_overestimated", "INR n - 1", "2 * INR n"),
    BrokenTheorem("empirical_bernstein_one_sided", "2 * exp", "exp"),
    BrokenTheorem("empirical_bernstein_two_sided", "4 * exp", "3 * exp"),
    BrokenTheorem("a_bernstein_deviation_is_rare", "4 /", "3 /"),
    BrokenTheorem("bernstein_failures_are_at_most_two_per_arm", "2 * INR K", "INR K"),
    BrokenTheorem("bernstein_intervals_are_regular", "2 * INR K", "INR K"),
    BrokenTheorem("the_bernstein_n_bar_is_at_most_its_value_at_the_horizon", "52", "51"),
    BrokenTheorem(
        "with_a_nonincreasing_epsilon_the_bernstein_maxima_are_at_the_horizon", "epsilon t <= epsilon s", "True"
    ),
    BrokenTheorem("the_bernstein_budget_schedule_spends_the_budget", "Rmin (B t)", "Rmin (B t - 1)"),
    BrokenTheorem("the_bernstein_budget_bound", "22", "21"),
    BrokenTheorem("the_bernstein_condition_of_the_problem_independent_bound", "6 * ln", "5 * ln"),
    BrokenTheorem("the_bernstein_upper_bound_with_adaptive_epsilon", "3 * INR K", "2 * INR K"),
    BrokenTheorem("bernstein_query_costs_with_adaptive_epsilon", "2 * INR K", "INR K"),
    BrokenTheorem("the_variance_dependent_problem_independent_bound", "8 * sqrt", "7 * sqrt"),
    BrokenTheorem("the_bernstein_upper_bound_end_to_end", "gap b a / 2", "gap b a"),
    BrokenTheorem("the_variance_dependent_bounds_end_to_end", "96", "95"),
    BrokenTheorem("the_bernstein_problem_independent_bound_end_to_end", "104", "103"),
    BrokenTheorem(
        "with_the_bernstein_budget_schedule_queries_stay_within_the_budget_plus_one",
        "Rmin (B (horizon x)) (INR (horizon x - 1)) + 1",
        "Rmin (B (horizon x)) (INR (horizon x - 1))",
    ),
    BrokenTheorem("such_bernstein_experiments_exist", "mean b a =", "mean b a <="),
    BrokenTheorem("the_sample_variance_is_the_unbiased_one", "(INR n - 1)", "INR n"),
    BrokenTheorem("the_bernstein_width_is_twice_the_radius_and_never_negative", "(n <= 1)", "(n <= 2)"),
    BrokenTheorem("under_the_good_event_a_bernstein_interval_is_narrow", "26", "25"),
    BrokenTheorem("the_almost_sure_width_equals_mu_at_the_root", "(2 <= t)", "(1 <= t)"),
    BrokenTheorem("a_small_variance_and_a_large_budget_improve_on_hoeffding", "V < 1 / 4", "V <= 1 / 4"),
)
