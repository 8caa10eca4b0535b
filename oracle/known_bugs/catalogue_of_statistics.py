"""The part of the catalogue about figures: wrong intervals and wrong statistics."""

from __future__ import annotations

import math

from bufalu.oracle.known_bugs import bookkeeping
from bufalu.oracle.known_bugs import intervals as wrong
from bufalu.oracle.known_bugs.known_bug import KnownBug

WRONG_INTERVALS = (
    KnownBug(
        "log-of-previous-round",
        "uses ln(t - 1)",
        "intervals are those of the round before",
        intervals={
            "hoeffding": wrong.hoeffding(wrong.log_of_previous_round),
            "bernstein": wrong.bernstein(wrong.log_of_previous_round),
        },
    ),
    KnownBug(
        "log-of-next-round",
        "uses ln(t + 1)",
        "intervals are those of the round after",
        intervals={
            "hoeffding": wrong.hoeffding(wrong.log_of_next_round),
            "bernstein": wrong.bernstein(wrong.log_of_next_round),
        },
    ),
    KnownBug(
        "log-base-2",
        "uses the logarithm to base 2",
        "intervals are 20% too wide (Bernstein 20% to 44%)",
        intervals={"hoeffding": wrong.hoeffding(math.log2), "bernstein": wrong.bernstein(math.log2)},
    ),
    KnownBug(
        "log-base-10",
        "uses the logarithm to base 10",
        "intervals are 34% too narrow (Bernstein 34% to 57%)",
        intervals={"hoeffding": wrong.hoeffding(math.log10), "bernstein": wrong.bernstein(math.log10)},
    ),
    KnownBug(
        "root-missing",
        "forgets the square root of the radius",
        "intervals shrink like 1/n",
        intervals={"hoeffding": wrong.hoeffding(rooted=False), "bernstein": wrong.bernstein(rooted=False)},
    ),
    KnownBug(
        "constant-one-half",
        "uses 1/2 for 3/2 in the radius",
        "intervals are those of UCB1 without the union bound",
        intervals={"hoeffding": wrong.hoeffding(factor=0.5)},
    ),
    KnownBug(
        "constant-two",
        "uses 2 for 3/2 in the radius",
        "intervals are those of the textbook's UCB1",
        intervals={"hoeffding": wrong.hoeffding(factor=2.0)},
    ),
    KnownBug(
        "constant-three",
        "uses 3 for 3/2 in the radius",
        "the 2 in the denominator is lost",
        intervals={"hoeffding": wrong.hoeffding(factor=3.0)},
    ),
    KnownBug(
        "width-for-radius",
        "adds the whole width to the mean",
        "intervals are twice too wide",
        intervals={
            "hoeffding": wrong.hoeffding(factor=6.0),
            "bernstein": wrong.bernstein(factor=24.0, slope=14.0),
        },
    ),
    KnownBug(
        "count-plus-one",
        "divides by n + 1 in the radius",
        "intervals are too narrow, most of all for little known arms",
        intervals={"hoeffding": wrong.hoeffding(offset=1)},
    ),
    KnownBug(
        "count-minus-one",
        "divides by n - 1 in Hoeffding's radius",
        "intervals are too wide, infinite after one query",
        intervals={"hoeffding": wrong.hoeffding(offset=-1)},
    ),
    KnownBug(
        "biased-variance",
        "divides by n in the variance",
        "Bernstein intervals are too narrow",
        intervals={"bernstein": wrong.bernstein(variance=wrong.biased_variance)},
    ),
    KnownBug(
        "variance-is-second-moment",
        "does not subtract the squared mean in the variance",
        "Bernstein intervals of good arms are too wide",
        intervals={"bernstein": wrong.bernstein(variance=wrong.second_moment)},
    ),
    KnownBug(
        "variance-of-bernoulli",
        "takes mean (1 - mean) for the variance",
        "too narrow by a hair for rewards 0 and 1, too wide for fractions",
        intervals={"bernstein": wrong.bernstein(variance=wrong.bernoulli_variance)},
    ),
    KnownBug(
        "deviation-for-variance",
        "takes the standard deviation for the variance",
        "Bernstein intervals are too wide",
        intervals={"bernstein": wrong.bernstein(variance=wrong.standard_deviation)},
    ),
    KnownBug(
        "linear-term-over-n",
        "divides the linear term by n instead of n - 1",
        "Bernstein intervals are too narrow, most of all for little known arms",
        intervals={"bernstein": wrong.bernstein(slope_count=lambda n: n)},
    ),
    KnownBug(
        "linear-term-7/3",
        "uses 7/3 for 7 in the linear term",
        "Bernstein intervals are those of the cited inequality before rescaling",
        intervals={"bernstein": wrong.bernstein(slope=7 / 3)},
    ),
    KnownBug(
        "linear-term-missing",
        "leaves out the linear term",
        "arms with equal rewards get intervals of no width",
        intervals={"bernstein": wrong.bernstein(slope=0.0)},
    ),
    KnownBug(
        "variance-term-missing",
        "leaves out the variance term",
        "noisy arms count as known too early",
        intervals={"bernstein": wrong.bernstein(factor=0.0)},
    ),
    KnownBug(
        "variance-factor-two",
        "uses 2 for 6 in the variance term",
        "noisy arms get intervals that are too narrow",
        intervals={"bernstein": wrong.bernstein(factor=2.0)},
    ),
    KnownBug(
        "bernstein-finite-after-one-query",
        "gives a finite interval after one query",
        "stops asking arms that were queried once",
        intervals={"bernstein": wrong.bernstein(slope_count=lambda n: max(n - 1, 1), needed_queries=1)},
    ),
    KnownBug(
        "hoeffding-for-bernstein",
        "uses the Hoeffding interval when asked for Bernstein",
        "the variance plays no role",
        intervals={"bernstein": wrong.hoeffding()},
    ),
    KnownBug(
        "bernstein-for-hoeffding",
        "uses the Bernstein interval when asked for Hoeffding",
        "intervals are infinite after one query",
        intervals={"hoeffding": wrong.bernstein()},
    ),
)

WRONG_BOOKKEEPING = (
    KnownBug(
        "unqueried-counts-as-zero",
        "counts an unseen reward as 0",
        "means and widths of exploited arms sink",
        bookkeeping=bookkeeping.UnqueriedCountsAsZero,
    ),
    KnownBug(
        "counts-plays",
        "counts plays instead of queries in the radius",
        "intervals shrink without queries",
        bookkeeping=bookkeeping.CountsPlays,
    ),
    KnownBug(
        "mean-over-plays",
        "divides the sum of the seen rewards by plays",
        "means of exploited arms sink",
        bookkeeping=bookkeeping.MeanOverPlays,
    ),
    KnownBug(
        "one-reward-late",
        "decides before the last reward is added",
        "every decision uses the statistics of one query ago",
        bookkeeping=bookkeeping.OneRewardLate,
    ),
    KnownBug(
        "rewards-rounded",
        "keeps rewards as 0 or 1",
        "fractional rewards are lost",
        bookkeeping=bookkeeping.RoundsRewards,
    ),
    KnownBug(
        "window-of-32",
        "keeps the last 32 rewards of each arm",
        "intervals stop shrinking after 32 queries",
        bookkeeping=bookkeeping.ForgetsOldRewards,
    ),
    KnownBug(
        "count-stops-at-64",
        "caps the count in the radius at 64",
        "intervals stop shrinking after 64 queries",
        bookkeeping=bookkeeping.CountStopsAt64,
    ),
    KnownBug(
        "total-count",
        "divides by all queries instead of the arm's own",
        "all arms have the same width",
        bookkeeping=bookkeeping.TotalCount,
    ),
    KnownBug(
        "stale-intervals",
        "computes an arm's interval only when it is queried",
        "intervals do not widen with ln t",
        bookkeeping=bookkeeping.StaleIntervals,
    ),
    KnownBug(
        "log-of-queries",
        "takes the logarithm of the number of queries",
        "time stands still in unqueried rounds",
        bookkeeping=bookkeeping.LogOfQueries,
    ),
    KnownBug(
        "clips-bounds",
        "cuts UCB at 1 and LCB at 0",
        "wide arms tie where they should be ordered",
        view=bookkeeping.ClippedView,
    ),
    KnownBug(
        "unseen-arms-are-certain",
        "gives an arm without a finite interval zero width",
        "arms with one query look certain under Bernstein",
        bookkeeping=bookkeeping.UnseenArmsAreCertain,
        only_intervals=("bernstein",),
    ),
    KnownBug(
        "unknown-below-three-queries",
        "treats an arm as unknown until its third query",
        "every arm is queried three times",
        bookkeeping=bookkeeping.UnknownBelowThreeQueries,
    ),
    KnownBug(
        "moving-average",
        "each reward moves the mean half way",
        "the mean follows the last few rewards",
        bookkeeping=bookkeeping.MovingAverage,
    ),
)
