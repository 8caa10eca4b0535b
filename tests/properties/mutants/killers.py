"""Who kills whom: one named killer for every known bug.

`conformance.default` is what `bufalu check` and `bufalu conform` demand, `conformance.exact` is `--strict`; everything
else is a claim of the paper, decided on the mutant's own runs.
"""

CONFORMANCE_ALONE = (
    "leader-by-ucb",
    "leader-by-mean",
    "candidate-by-width",
    "plays-best-mean-unqueried",
    "spent-plays-ucb",
    "spent-plays-lcb",
    "unqueried-plays-lcb",
    "epsilon-on-challenger",
    "epsilon-not-squared",
    "budget-off-by-one",
    "budget-without-initial-rounds",
    "budget-of-one-arm",
    "initial-rounds-skipped",
    "initial-rounds-reversed",
    "initial-rounds-unqueried",
    "last-initial-round-skipped",
    "count-stops-at-64",
)
"""No pathwise claim of the paper notices these."""

CONFORMANCE_FIRST = ("rewards-rounded", "unqueried-counts-as-zero", "mean-over-plays")
"""A claim notices these too, but seldom."""

CLAIM_KILLERS = {
    "count.case_optimal_unique": (
        "challenger-may-be-leader",
        "candidate-by-ucb",
        "separation-ignored",
        "separation-of-candidate",
    ),
    "gap_query.unqueried_is_near_optimal": (
        "narrower-queried",
        "leader-always-queried",
        "plays-candidate-unqueried",
        "index-by-lcb",
        "index-by-mean",
        "index-by-width",
        "epsilon-on-leader-width",
        "epsilon-on-radius",
        "epsilon-from-leader",
        "epsilon-squared",
        "linear-term-over-n",
        "linear-term-7/3",
        "hoeffding-for-bernstein",
        "counts-plays",
        "clips-bounds",
        "unseen-arms-are-certain",
        "moving-average",
        "variance-term-missing",
        "count-plus-one",
    ),
    "count.unqueried": (
        "plays-challenger-unqueried",
        "epsilon-on-means",
        "log-base-10",
        "constant-one-half",
        "linear-term-missing",
    ),
    "epsilon.zero_never_blocks": ("log-of-previous-round", "log-of-queries", "total-count"),
    "gap_query.queried_is_wide": (
        "queries-but-plays-leader",
        "or-becomes-and",
        "epsilon-ignored",
        "epsilon-of-previous-round",
        "initial-rounds-twice",
        "log-of-next-round",
        "root-missing",
        "variance-is-second-moment",
        "variance-of-bernoulli",
        "deviation-for-variance",
        "variance-factor-two",
        "bernstein-finite-after-one-query",
        "one-reward-late",
        "window-of-32",
        "stale-intervals",
        "biased-variance",
    ),
    "cap.almost_sure": (
        "epsilon-never-rises",
        "log-base-2",
        "constant-two",
        "constant-three",
        "width-for-radius",
        "count-minus-one",
        "bernstein-for-hoeffding",
        "unknown-below-three-queries",
    ),
    "theorem.sharper": ("challenger-always-queried", "epsilon-on-width"),
    "baselines.count_queried": ("candidate-not-leader",),
}
"""The claim that kills each of the others."""

EXACT_KILLS = ("epsilon-strict", "budget-not-strict")
"""Seen only where a width meets epsilon exactly."""

EQUIVALENT = ("separation-strict",)
"""With real intervals their runs are those of the reference; abstract ones tell them apart (the symbolic layer)."""

KILLERS: dict[str, str] = {
    **dict.fromkeys(CONFORMANCE_ALONE + CONFORMANCE_FIRST, "conformance.default"),
    **{mutant: claim for claim, mutants in CLAIM_KILLERS.items() for mutant in mutants},
    **dict.fromkeys(EXACT_KILLS, "conformance.exact"),
}
