"""What each claim rests on: the claims that its proof, or the meaning of its words, goes back to.

One line for each claim, in the order of the registry: its id, a colon, and the ids that it rests on directly. A claim
without any is ground: a definition, an elementary fact, a cited result, a run, or an arithmetic identity. The edges are
those of the paper's proofs where they are right and of ours elsewhere; a wrong statement rests on nothing, and its
correction has edges of its own. The kernel's proofs are complete in themselves: an edge says how the argument goes, not that
a kernel took the other claim on trust.
"""

from __future__ import annotations

from bufalu.reference.errors import BufaluError

EDGES = """\
counts.queries_at_most_plays:
mean.ignores_unqueried:
mean.zero_before_queries:
regret.decomposes:
tape.same_law:
costs.arm_dependent: theorem.general
cbm.wastes: interval.hoeffding_width
bai.logarithmic_queries_suffice:
summary.unique_upper: theorem.unique.regret theorem.unique.queries regular.hoeffding.closed_form
summary.multiple_upper: theorem.multiple.queries regular.hoeffding.closed_form
summary.gaussian_lower: lower.suboptimal_arms lower.unique_optimal_arm kinf.gaussian
summary.several_optima: lower.multiple_optimal.corrected
summary.scarce_upper: l_epsilon.inverse discussion.inverse_profile
kinf.definition:
kinf.monotone:
kinf.monotone.corrected: kinf.definition
kinf.gaussian: kinf.definition
consistency.definition:
consistency.definition.corrected:
kl.counts_inequality: counts.queries_at_most_plays
kl.log_lower_bound:
lower.suboptimal_arms: kl.counts_inequality kl.log_lower_bound consistency.definition.corrected kinf.definition
lower.unique_optimal_arm: kl.counts_inequality kl.log_lower_bound consistency.definition.corrected kinf.definition
lower.unique_pair:
lower.unique_pair.corrected: lower.unique_pair_weighted.corrected lower.proof_steps
lower.unique_pair_weighted:
lower.unique_pair_weighted.corrected: kl.counts_inequality kl.log_lower_bound consistency.definition.corrected
    kinf.definition
lower.threshold_range:
lower.threshold_range.corrected: kinf.monotone.corrected lower.unique_pair.corrected
lower.multiple_optimal:
lower.multiple_optimal.corrected: lower.multiple_weighted.corrected
lower.multiple_weighted:
lower.multiple_weighted.corrected: kl.counts_inequality kl.log_lower_bound lower.optimal_share_tends_to_one
    kinf.definition
lower.plays_too: counts.queries_at_most_plays
lower.logarithmic_only_if: lower.multiple_optimal.corrected
lower.proof_steps:
lower.optimal_share_tends_to_one: consistency.definition.corrected
lower.balancing_threshold: kinf.monotone.corrected lower.unique_pair.corrected
lower.balancing_threshold.bernoulli: lower.balancing_threshold kinf.definition
lower.balancing_threshold.gaussian: kinf.monotone.corrected kinf.gaussian lower.unique_pair.corrected
lower.strictness_of_mean:
lower.example_d1_d2: kinf.definition
lower.example_cases: lower.example_d1_d2 lower.multiple_optimal.corrected
lower.example_sample_count:
lower.example_sample_count.corrected:
costs.query_aware_regret: regret.decomposes counts.queries_at_most_plays
costs.any_price: costs.query_aware_regret
costs.unique: costs.query_aware_regret consistency.definition.corrected lower.suboptimal_arms
    lower.unique_optimal_arm
costs.no_logarithmic_regret: costs.query_aware_regret lower.multiple_optimal.corrected
scarce.linear_regret: kl.counts_inequality scarce.local_pinsker scarce.kl_increasing scarce.reorganisation
    kinf.definition
scarce.reorganisation:
scarce.local_pinsker:
scarce.kl_increasing:
scarce.corollary:
scarce.corollary.corrected: scarce.linear_regret regret.decomposes
scarce.corollary_indices:
scarce.corollary_indices.corrected:
scarce.remark_budgets: scarce.corollary.corrected
scarce.gaussian_example: scarce.corollary.corrected kinf.gaussian
scarce.polynomial: scarce.gaussian_example
scarce.polylog:
scarce.polylog.corrected: scarce.gaussian_example
scarce.gap_aware: scarce.gaussian_example
scarce.profiles_start_positive:
scarce.profiles_start_positive.corrected: scarce.corollary.corrected
scarce.bufalu_in_fixed_order: algorithm.maximisers
scarce.bufalu_relabelled: scarce.bufalu_in_fixed_order
scarce.weaker_than_all_arms:
interval.hoeffding_width:
gap.ucb_minus_lcb:
gap.width_of_largest_ucb: gap.ucb_minus_lcb
algorithm.maximisers:
algorithm.separated_is_optimal: gap.ucb_minus_lcb
algorithm.two_optima_overlap: algorithm.separated_is_optimal
epsilon.zero_never_blocks: algorithm.maximisers
epsilon.wide_blocks: algorithm.maximisers
algorithm.one_arm:
algorithm.one_arm.corrected: algorithm.maximisers
l_epsilon.definition:
l_epsilon.inverse: l_epsilon.definition
n_bar.closed_form: n_bar.samples_for_width
n_bar.budget: n_bar.samples_for_width
n_bar.samples_for_width: interval.hoeffding_width
n_bar.loose_after_drops: algorithm.maximisers
budget.never_violated:
budget.never_violated.corrected: cap.almost_sure n_bar.budget
beyond.infinite_interval_forces_query: algorithm.maximisers
baselines.bufau: gap.ucb_minus_lcb algorithm.separated_is_optimal
baselines.cbm_ucb: gap.ucb_minus_lcb
baselines.greedy:
gap_query.queried_is_wide: algorithm.maximisers
gap_query.unqueried_is_near_optimal: algorithm.maximisers gap.ucb_minus_lcb algorithm.separated_is_optimal
cap.almost_sure: gap_query.queried_is_wide
count.unqueried: gap_query.unqueried_is_near_optimal l_epsilon.definition
count.queried: gap_query.queried_is_wide count.case_leader count.case_challenger_multiple
    count.case_challenger_unique count.case_optimal_unique
count.case_leader: gap.ucb_minus_lcb algorithm.maximisers
count.case_challenger_multiple: gap.ucb_minus_lcb algorithm.maximisers
count.case_challenger_unique: gap.ucb_minus_lcb algorithm.maximisers
count.case_optimal_unique: gap.ucb_minus_lcb algorithm.maximisers
theorem.multiple.regret: theorem.general regular.hoeffding
theorem.multiple.queries: theorem.general regular.hoeffding regular.hoeffding.n_bar_at_zero
theorem.unique.regret: theorem.general regular.hoeffding
theorem.unique.queries: theorem.general regular.hoeffding
theorem.short_horizon: theorem.general
theorem.adaptive_epsilon: count.queried count.unqueried cap.almost_sure
theorem.general: regret.decomposes tape.same_law cap.almost_sure count.queried count.unqueried
theorem.bernstein: theorem.general regular.bernstein
theorem.bernstein.closed_form: theorem.bernstein bernstein.n_bar_at_horizon
theorem.factor_four: n_bar.samples_for_width
theorem.sharper: gap_query.queried_is_wide count.case_leader count.case_challenger_multiple
independent.hoeffding: theorem.multiple.regret theorem.unique.regret independent.minimiser
    regular.hoeffding.closed_form
independent.minimiser:
independent.rewards_in_unit_interval: independent.hoeffding
independent.unit_rewards_keep_asking: independent.rewards_in_unit_interval interval.hoeffding_width
independent.sum_after_initial_rounds: independent.hoeffding
independent.general:
independent.general.corrected: theorem.general
independent.bernstein: bernstein.n_bar_at_horizon independent.general.corrected
independent.bernstein.regret: independent.bernstein independent.general.corrected theorem.bernstein
proof.labels:
proof.labels.corrected: gap_query.unqueried_is_near_optimal
proof.stale_symbols:
proof.stale_symbols.corrected:
regular.smaller_number:
regular.hoeffding: regular.hoeffding.width_nonnegative regular.hoeffding.mean_covered
    regular.hoeffding.queries_shrink_width regular.hoeffding.failure_probability.corrected tape.same_law
regular.hoeffding.width_nonnegative: interval.hoeffding_width
regular.hoeffding.mean_covered:
regular.hoeffding.queries_shrink_width: n_bar.samples_for_width
regular.hoeffding.failure_probability:
regular.hoeffding.failure_probability.corrected: regular.hoeffding.two_sided_tail
regular.hoeffding.two_sided_tail:
regular.hoeffding.closed_form: n_bar.samples_for_width
regular.hoeffding.n_bar_at_zero: regular.hoeffding.queries_shrink_width
regular.hoeffding.closed_form_index:
regular.hoeffding.closed_form_index.corrected: regular.hoeffding.closed_form
regular.tape:
regular.tape.corrected: mean.ignores_unqueried
regular.bernstein: regular.bernstein.failure_probability regular.bernstein.nonnegative_index.corrected
    bernstein.width_under_good_event bernstein.n2_is_the_root bernstein.n1_at_least_n2 bernstein.variance_cap
    tape.same_law
regular.bernstein.failure_probability: bernstein.variance_indices.corrected
regular.bernstein.nonnegative_index:
regular.bernstein.nonnegative_index.corrected: bernstein.undefined_count.corrected
bernstein.variance_indices:
bernstein.variance_indices.corrected:
bernstein.undefined_count:
bernstein.undefined_count.corrected:
bernstein.variance_cap: bernstein.variance_indices.corrected
bernstein.width_under_good_event: bernstein.variance_cap auxiliary.root_and_reciprocal
bernstein.n2_is_the_root: bernstein.variance_cap auxiliary.direction.corrected
bernstein.n1_at_least_n2: bernstein.n2_is_the_root
bernstein.n_bar_at_horizon: bernstein.width_under_good_event
bernstein.monotone_schedules: bernstein.n2_is_the_root auxiliary.minimum_of_nondecreasing
bernstein.budget_schedule: bernstein.n2_is_the_root
bernstein.budget_bound: bernstein.budget_schedule bernstein.n_bar_at_horizon
bernstein.budget_on_every_path: bernstein.budget_schedule cap.almost_sure
auxiliary.minimum_of_nondecreasing:
auxiliary.root_and_reciprocal: auxiliary.direction.corrected
auxiliary.direction:
auxiliary.direction.corrected:
discussion.total_budget: cap.almost_sure n_bar.budget
discussion.regret_with_budget:
discussion.regret_with_budget.corrected: independent.hoeffding
discussion.unique_logarithmic: theorem.unique.queries regular.hoeffding.closed_form
discussion.epsilon_below_smallest_gap: l_epsilon.definition n_bar.closed_form theorem.unique.regret
discussion.inverse_profile: l_epsilon.inverse
discussion.superlogarithmic:
discussion.logarithmic_regret: l_epsilon.definition
discussion.ucb_count: regular.hoeffding.closed_form
discussion.middle_point:
discussion.bernstein_improves:
discussion.bernstein_improves.corrected: bernstein.budget_bound theorem.bernstein
discussion.general_reduces: theorem.general regular.hoeffding
discussion.total_to_per_arm:
deterministic.query_cap: cap.almost_sure regular.hoeffding.closed_form
deterministic.query_ratio:
deterministic.query_ratio.corrected: algorithm.maximisers
deterministic.regret_factor: deterministic.query_ratio.corrected
deterministic.break_even: deterministic.query_ratio.corrected deterministic.regret_factor costs.query_aware_regret
deterministic.same_when_multiple:
deterministic.same_when_multiple.corrected: algorithm.maximisers
greedy.budget_formula:
greedy.budget_formula.corrected: baselines.greedy
greedy.inverse_log_queries: greedy.budget_formula.corrected
budget.inverse_log_profile: n_bar.budget
tables.factor_three: table.power.unique.*
tables.factor_four: table.zero.unique.*
tables.one_twentieth: table.zero.unique.bufalu
tables.limited_below_unlimited: table.power.unique.bufalu table.inverse-log.unique.bufalu table.zero.unique.bufalu
tables.always_asked: table.zero.multiple.*
tables.same_when_multiple: table.power.multiple.*
tables.schedules_alike: table.power.* table.inverse-log.*
tables.baselines_always_ask: baselines.cbm_ucb greedy.budget_formula.corrected
tables.greedy_is_ucb: greedy.budget_formula.corrected table.power.unique.greedy table.zero.unique.greedy
budget_effect.minimum: algorithm.maximisers n_bar.budget
budget_effect.factor: algorithm.maximisers n_bar.budget
budget_effect.fewer_queries: algorithm.maximisers n_bar.budget
budget_effect.small_budgets: algorithm.maximisers n_bar.budget
budget_effect.same_when_multiple: algorithm.maximisers n_bar.budget
kl_ucb.suggestion:
kl_ucb.suggestion.corrected: interval.hoeffding_width
table.*.bufalu: algorithm.maximisers
table.*.bufau: algorithm.maximisers
table.*.greedy: greedy.budget_formula.corrected
table.*.cbm-ucb: algorithm.maximisers
summary.counts_before:
summary.counts_before.corrected:
summary.scarce_indices:
summary.scarce_indices.corrected: scarce.corollary.corrected
dial.at_one_is_bufalu: algorithm.maximisers
dial.at_zero_is_bufau: algorithm.maximisers
dial.queried_is_wide: algorithm.maximisers
dial.unqueried_is_near_optimal: gap.ucb_minus_lcb algorithm.separated_is_optimal
dial.width.suboptimal: gap.ucb_minus_lcb
dial.width.several_optima: gap.ucb_minus_lcb
dial.width.optimal: gap.ucb_minus_lcb
dial.cap: dial.queried_is_wide
dial.theorem.regular: dial.cap dial.width.suboptimal dial.width.several_optima dial.width.optimal
    dial.unqueried_is_near_optimal regret.decomposes tape.same_law
dial.theorem.regret: dial.theorem.regular regular.hoeffding
dial.theorem.queries: dial.theorem.regular regular.hoeffding
dial.theorem.sharper: dial.width.suboptimal dial.theorem.regular
dial.theorem.independent: dial.theorem.regret
dial.theorem.costs: dial.theorem.regular costs.arm_dependent
dial.theorem.bernstein: dial.theorem.regular regular.bernstein
dial.best_position: dial.theorem.queries
"""

_WHOLE = (
    "the kernel has the whole proof; what is below a proof here are the paper's steps, each with a check of its own"
)
_MEANING = "the kernel's theorem carries the definition itself; the claim about the definition says more than is used"

OPENLY = {
    "scarce.linear_regret": _WHOLE,
    "count.unqueried": _MEANING,
    "regular.hoeffding": _WHOLE,
    "regular.bernstein.nonnegative_index.corrected": _MEANING,
    "discussion.logarithmic_regret": _MEANING,
}
"""Claims recorded as PROVED that rest on a claim that is not, and why that is no hole."""


class UnknownDependency(BufaluError):
    """The table of dependencies names a claim that the registry does not have, or leaves one out."""


def rests_on(ids: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The claims that each claim rests on directly; a star stands for any part of an id.

    Raises `UnknownDependency` for a name that no claim has, for a claim without a line, and for one with two.
    """
    found: dict[str, tuple[str, ...]] = {}
    for line in EDGES.replace("\n    ", " ").splitlines():
        name, _, rest = line.partition(":")
        supports = tuple(dict.fromkeys(support for pattern in rest.split() for support in _fitting(pattern, ids)))
        for claim in _fitting(name, ids):
            if claim in found:
                raise UnknownDependency(f"what {claim} rests on is said twice")
            found[claim] = supports
    if missing := [claim for claim in ids if claim not in found]:
        raise UnknownDependency(
            f"properties/claims/dependencies.py does not say what these rest on: {', '.join(missing)}"
        )
    return found


def _fitting(pattern: str, ids: tuple[str, ...]) -> list[str]:
    before, star, after = pattern.partition("*")
    fitting = [
        each for each in ids if (each.startswith(before) and each.endswith(after) if star else each == pattern)
    ]
    if not fitting:
        raise UnknownDependency(f"no claim is called {pattern}")
    return fitting
