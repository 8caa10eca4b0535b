"""The part of the catalogue about figures: wrong intervals and wrong statistics."""

from __future__ import annotations

import math

from bufalu.oracle.known_bugs import bookkeeping as memories
from bufalu.oracle.known_bugs import intervals as wrong
from bufalu.oracle.known_bugs.known_bug import Mutant

INTERVALS = (
    Mutant(
        "log-of-previous-round",
        "uses ln(t - 1)",
        "intervals are those of the round before",
        intervals={
            "hoeffding": wrong.hoeffding(wrong.log_of_previous_round),
            "bernstein": wrong.bernstein(wrong.log_of_previous_round),
        },
    ),
    Mutant(
        "log-of-next-round",
        "uses ln(t + 1)",
        "intervals are those of the round after",
        intervals={
            "hoeffding": wrong.hoeffding(wrong.log_of_next_round),
            "bernstein": wrong.bernstein(wrong.log_of_next_round),
        },
    ),
    Mutant(
        "log-base-2",
        "uses the logarithm to base 2",
        "intervals are 20% too wide (Bernstein 20% to 44%)",
        intervals={"hoeffding": wrong.hoeffding(math.log2), "bernstein": wrong.bernstein(math.log2)},
    ),
    Mutant(
        "log-base-10",
        "uses the logarithm to base 10",
        "intervals are 34% too narrow (Bernstein 34% to 57%)",
        intervals={"hoeffding": wrong.hoeffding(math.log10), "bernstein": wrong.bernstein(math.log10)},
    ),
    Mutant(
        "root-missing",
        "forgets the square root of the radius",
        "intervals shrink like 1/n",
        intervals={"hoeffding": wrong.hoeffding(rooted=False), "bernstein": wrong.bernstein(rooted=False)},
    ),
    Mutant(
        "constant-one-half",
        "uses 1/2 for 3/2 in the radius",
        "intervals are those of UCB1 without the union bound",
        intervals={"hoeffding": wrong.hoeffding(factor=0.5)},
    ),
    Mutant(
        "constant-two",
        "uses 2 for 3/2 in the radius",
        "intervals are those of the textbook's UCB1",
        intervals={"hoeffding": wrong.hoeffding(factor=2.0)},
    ),
    Mutant(
        "constant-three",
        "uses 3 for 3/2 in the radius",
        "the 2 in the denominator is lost",
        intervals={"hoeffding": wrong.hoeffding(factor=3.0)},
    ),
    Mutant(
        "width-for-radius",
        "adds the whole width to the mean",
        "intervals are twice too wide",
        intervals={
            "hoeffding": wrong.hoeffding(factor=6.0),
            "bernstein": wrong.bernstein(factor=24.0, slope=14.0),
        },
    ),
    Mutant(
        "count-plus-one",
        "divides by n + 1 in the radius",
        "intervals are too narrow, most of all for little known arms",
        intervals={"hoeffding": wrong.hoeffding(offset=1)},
    ),
    Mutant(
        "count-minus-one",
        "divides by n - 1 in Hoeffding's radius",
        "intervals are too wide, infinite after one query",
        intervals={"hoeffding": wrong.hoeffding(offset=-1)},
    ),
    Mutant(
        "biased-variance",
        "divides by n in the variance",
        "Bernstein intervals are too narrow",
        intervals={"bernstein": wrong.bernstein(variance=wrong.biased_variance)},
    ),
    Mutant(
        "variance-is-second-moment",
        "does not subtract the squared mean in the variance",
        "Bernstein intervals of good arms are too wide",
        intervals={"bernstein": wrong.bernstein(variance=wrong.second_moment)},
    ),
    Mutant(
        "variance-of-bernoulli",
        "takes mean (1 - mean) for the variance",
        "too narrow by a hair for rewards 0 and 1, too wide for fractions",
        intervals={"bernstein": wrong.bernstein(variance=wrong.bernoulli_variance)},
    ),
    Mutant(
        "deviation-for-variance",
        "takes the standard deviation for the variance",
        "Bernstein intervals are too wide",
        intervals={"bernstein": wrong.bernstein(variance=wrong.standard_deviation)},
    ),
    Mutant(
        "linear-term-over-n",
        "divides the linear term by n instead of n - 1",
        "Bernstein intervals are too narrow, most of all for little known arms",
        intervals={"bernstein": wrong.bernstein(slope_count=lambda n: n)},
    ),
    Mutant(
        "linear-term-7/3",
        "uses 7/3 for 7 in the linear term",
        "Bernstein intervals are those of the cited inequality before rescaling",
        intervals={"bernstein": wrong.bernstein(slope=7 / 3)},
    ),
    Mutant(
        "linear-term-missing",
        "leaves out the linear term",
        "arms with equal rewards get intervals of no width",
        intervals={"bernstein": wrong.bernstein(slope=0.0)},
    ),
    Mutant(
        "variance-term-missing",
        "leaves out the variance term",
        "noisy arms count as known too early",
        intervals={"bernstein": wrong.bernstein(factor=0.0)},
    ),
    Mutant(
        "variance-factor-two",
        "uses 2 for 6 in the variance term",
        "noisy arms get intervals that are too narrow",
        intervals={"bernstein": wrong.bernstein(factor=2.0)},
    ),
    Mutant(
        "bernstein-finite-after-one-query",
        "gives a finite interval after one query",
        "stops asking arms that were queried once",
        intervals={"bernstein": wrong.bernstein(slope_count=lambda n: max(n - 1, 1), needed_queries=1)},
    ),
    Mutant(
        "hoeffding-for-bernstein",
        "uses the Hoeffding interval when asked for Bernstein",
        "the variance plays no role",
        intervals={"bernstein": wrong.hoeffding()},
    ),
    Mutant(
        "bernstein-for-hoeffding",
        "uses the Bernstein interval when asked for Hoeffding",
        "intervals are infinite after one query",
        intervals={"hoeffding": wrong.bernstein()},
    ),
)

MEMORIES = (
    Mutant(
        "unqueried-counts-as-zero",
        "counts an unseen reward as 0",
        "means and widths of exploited arms sink",
        memory=memories.UnqueriedCountsAsZero,
    ),
    Mutant(
        "counts-plays",
        "counts plays instead of queries in the radius",
        "intervals shrink without queries",
        memory=memories.CountsPlays,
    ),
    Mutant(
        "mean-over-plays",
        "divides the sum of the seen rewards by plays",
        "means of exploited arms sink",
        memory=memories.MeanOverPlays,
    ),
    Mutant(
        "one-reward-late",
        "decides before the last reward is added",
        "every decision uses the statistics of one query ago",
        memory=memories.OneRewardLate,
    ),
    Mutant(
        "rewards-rounded",
        "keeps rewards as 0 or 1",
        "fractional rewards are lost",
        memory=memories.RoundsRewards,
    ),
    Mutant(
        "window-of-32",
        "keeps the last 32 rewards of each arm",
        "intervals stop shrinking after 32 queries",
        memory=memories.ForgetsOldRewards,
    ),
    Mutant(
        "count-stops-at-64",
        "caps the count in the radius at 64",
        "intervals stop shrinking after 64 queries",
        memory=memories.CountStopsAt64,
    ),
    Mutant(
        "total-count",
        "divides by all queries instead of the arm's own",
        "all arms have the same width",
        memory=memories.TotalCount,
    ),
    Mutant(
        "stale-intervals",
        "computes an arm's interval only when it is queried",
        "intervals do not widen with ln t",
        memory=memories.StaleIntervals,
    ),
    Mutant(
        "log-of-queries",
        "takes the logarithm of the number of queries",
        "time stands still in unqueried rounds",
        memory=memories.LogOfQueries,
    ),
    Mutant(
        "clips-bounds",
        "cuts UCB at 1 and LCB at 0",
        "wide arms tie where they should be ordered",
        view=memories.ClippedView,
    ),
    Mutant(
        "unseen-arms-are-certain",
        "gives an arm without a finite interval zero width",
        "arms with one query look certain under Bernstein",
        memory=memories.UnseenArmsAreCertain,
        only_intervals=("bernstein",),
    ),
    Mutant(
        "unknown-below-three-queries",
        "treats an arm as unknown until its third query",
        "every arm is queried three times",
        memory=memories.UnknownBelowThreeQueries,
    ),
    Mutant(
        "moving-average",
        "each reward moves the mean half way",
        "the mean follows the last few rewards",
        memory=memories.MovingAverage,
    ),
)
