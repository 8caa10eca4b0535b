"""Claims about regular confidence intervals: Hoeffding, Bernstein and the auxiliary facts (l.833-844, l.1123-1368)."""

from __future__ import annotations

from bufalu.properties.claims.claim import (
    DEFINITION_CARRIED_ALONG,
    PROVED_AS_A_WHOLE,
    PaperClaims,
    Section,
    Subject,
    at,
)
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.REGULARITY, Subject.BERNSTEIN)
_about_neither = PaperClaims(Section.REGULARITY, Subject.NEITHER)
_about_hoeffding = PaperClaims(Section.REGULARITY, Subject.HOEFFDING)
BOUNDED = ("rewards in [0, 1]",)

CLAIMS = (
    _about_neither(
        "regular.smaller_number",
        at(843, sha="f093c68cb5052d27"),
        "Regular intervals stay regular if the number of queries that narrows them while means lie in their "
        "intervals is replaced by the smaller of it and the number that narrows them always.",
        r"N_a^g \to \min\{N_a^g, N^{as}\}",
    ),
    _about_hoeffding(
        "regular.hoeffding",
        at((1134, 1142), sha="8157ba747234f37a"),
        "Hoeffding intervals are regular: more than min{6 ln t/mu^2, t - 1} queries make them narrower than mu, and "
        "the probabilities that some mean lies outside its interval sum to at most 2K over all rounds.",
        r"\sum_t P(\bar G_t) \le 2K",
        *BOUNDED,
        rests_on=(
            "regular.hoeffding.width_nonnegative",
            "regular.hoeffding.mean_covered",
            "regular.hoeffding.queries_shrink_width",
            "regular.hoeffding.failure_probability.corrected",
            "tape.same_law",
        ),
        although=PROVED_AS_A_WHOLE,
    ),
    _about_hoeffding(
        "regular.hoeffding.width_nonnegative",
        at(1146, sha="3d802a8b68788d22"),
        "Regularity, condition 1: Hoeffding intervals have nonnegative widths, infinite ones without queries.",
        r"CI_t(a) \ge 0",
        rests_on=("interval.hoeffding_width",),
    ),
    _about_hoeffding(
        "regular.hoeffding.mean_covered",
        at(1147, sha="bb95a614037b7a7f"),
        "Regularity, condition 2: the good event of round t is that every mean lies in its Hoeffding interval.",
        r"G_t \Rightarrow \mu_a \in [LCB_t(a), UCB_t(a)]",
    ),
    _about_hoeffding(
        "regular.hoeffding.queries_shrink_width",
        at((1169, 1174), sha="535949ab92ade722"),
        "Regularity, conditions 4 and 5: more than min{6 ln t/mu^2, t - 1} queries make a Hoeffding interval "
        "narrower than mu, whether or not the means lie in their intervals.",
        r"n > 6 \ln t/\mu^2 \Rightarrow \sqrt{6 \ln t/n} < \mu",
        rests_on=("n_bar.samples_for_width",),
    ),
    _about_hoeffding(
        "regular.hoeffding.failure_probability",
        at((1149, 1168), sha="8fefcd059f97ac83"),
        "As printed, Hoeffding's inequality bounds the probability that an arm's mean lies outside its interval in "
        "round t, for each number of queries, by 1/t^3.",
        r"P(|\hat\mu - \mu| > \sqrt{3 \ln t/(2n)}) \le 1/t^3",
        *BOUNDED,
        erratum="E14",
        printed="the event is two-sided, for which Hoeffding's inequality gives 2/t^3; whether the probability is at most "
        "1/t^3 is not decided here, and the conclusion C = 2K stands",
        expected=Verdict.GAP,
    ),
    _about_hoeffding(
        "regular.hoeffding.failure_probability.corrected",
        at((1149, 1168), sha="8fefcd059f97ac83"),
        "In round t an arm's mean lies outside its Hoeffding interval with probability at most 2/t^3 for each "
        "number of queries; with t - 1 of these for each arm the sum over rounds is at most 2 K (zeta(2) - zeta(3)) "
        "< K, so the printed 2K survives (and K would do).",
        r"\sum_{t \ge 2} K (t-1) \frac{2}{t^3} = 2K(\zeta(2) - \zeta(3)) < K",
        *BOUNDED,
        expected=Verdict.CERTIFIED,
        rests_on=("regular.hoeffding.two_sided_tail",),
    ),
    _about_hoeffding(
        "regular.hoeffding.two_sided_tail",
        at(1158, 1161, sha="1f05f6445c949d6e"),
        "The mean of n independent rewards in [0, 1] is off by more than sqrt(3 ln t/(2n)) with probability at most "
        "2/t^3.",
        r"P(|\hat\mu - \mu| > \sqrt{3 \ln t/(2n)}) \le 2/t^3",
        *BOUNDED,
    ),
    _about_hoeffding(
        "regular.hoeffding.closed_form",
        at(1141, (1179, 1193), sha="8b8bfc71a821ded2"),
        "With Hoeffding intervals the queries that BuFALU's bounds allow an arm at level mu are at most 6 ln "
        "T/mu^2, and for nonincreasing schedules they are those of round T.",
        r"\bar N(T,\mu) = \min\{6\ln T/\max\{\mu^2,\epsilon^2(T)\}, T-1\}",
        rests_on=("n_bar.samples_for_width",),
    ),
    _about_hoeffding(
        "regular.hoeffding.n_bar_at_zero",
        at(1141, sha="def8b5d0e726ae59"),
        "For Hoeffding intervals the bound on an arm's queries while every mean lies in its interval, at level 0, "
        "is the bound that holds on every path.",
        r"\bar N_a^g(T, 0) = \bar N^{as}(T)",
        rests_on=("regular.hoeffding.queries_shrink_width",),
    ),
    _about_hoeffding(
        "regular.hoeffding.closed_form_index",
        at(1141, 1194, sha="2dfc5d17f2ac7ae7"),
        "As printed, the closed form of the bound on an arm's queries contains epsilon(t) with a t that is bound "
        "nowhere, and 0/0 at t = 1 for the budget schedule.",
        r"\bar N(T,\mu) = \min\{6\ln T/\max\{\mu^2,\epsilon^2(t)\}, T-1\}",
        erratum="E15",
        printed="epsilon(t) for epsilon(T)",
        slip=True,
    ),
    _about_hoeffding(
        "regular.hoeffding.closed_form_index.corrected",
        at(1141, 1194, sha="2dfc5d17f2ac7ae7"),
        "With epsilon(T) the closed form min{6 ln T / max{mu, epsilon(T)}^2, T - 1} is the maximum over t <= T for "
        "every nonincreasing epsilon; at t = 1 it is 0 by convention.",
        r"\max_{t \le T} \min\{6 \ln t/\max\{\mu^2,\epsilon^2(t)\}, t-1\} = \min\{6\ln "
        r"T/\max\{\mu^2,\epsilon^2(T)\}, T-1\}",
        rests_on=("regular.hoeffding.closed_form",),
    ),
    _about_neither(
        "regular.tape",
        at(1149, 1248, sha="626a8d09b4895ce0"),
        "As printed, R_t = X_a(n^q_t(a)) is the reward of the n^q_t(a)-th time that the arm was played.",
        r"R_t = X_a(n^q_t(a)) \text{ at play number } n^q_t(a)",
        erratum="E25",
        printed="the formula is right, and 'played' should read 'queried': plays and queries of an arm differ",
    ),
    _about_neither(
        "regular.tape.corrected",
        at(1149, 1248, sha="626a8d09b4895ce0"),
        "R_t = X_a(n^q_t(a)) is the reward of the n^q_t(a)-th query of the arm.",
        r"q_t = 1 \Rightarrow R_t = X_a(n^q_t(a))",
        expected=Verdict.EXACT,
        rests_on=("mean.ignores_unqueried",),
    ),
    _claim(
        "regular.bernstein",
        at((1211, 1236), sha="fd4e8a9f7f267ad6"),
        "Bernstein intervals are regular with the printed numbers of queries, and the printed bound 12K on the sum, "
        "over all rounds, of the probabilities that some mean lies outside its interval. At most 2K is proved.",
        r"\sum_t P(\bar G_t) \le 2K \le 12K",
        *BOUNDED,
        rests_on=(
            "regular.bernstein.failure_probability",
            "regular.bernstein.nonnegative_index.corrected",
            "bernstein.width_under_good_event",
            "bernstein.n2_is_the_root",
            "bernstein.n1_at_least_n2",
            "bernstein.variance_cap",
            "tape.same_law",
        ),
    ),
    _claim(
        "regular.bernstein.failure_probability",
        at((1254, 1277), sha="25fbe1f91f010cde"),
        "With the printed radii the mean of the first n rewards of an arm, or their standard deviation, is off with "
        "probability at most 6/t^3. At most 4/t^3 is proved, with the inequality of Maurer and Pontil that the "
        "paper cites.",
        r"P(|\hat\mu_n - \mu_a| > r_t(n) \text{ or } |\sqrt{\bar V_n} - \sqrt{V_a}| > \sqrt{6 \ln t/(n-1)}) \le "
        r"4/t^3",
        *BOUNDED,
        rests_on=("bernstein.variance_indices.corrected",),
    ),
    _claim(
        "regular.bernstein.nonnegative_index",
        at(1244, sha="b2c94eaf3a857c70"),
        "As printed, the width of a Bernstein interval in round t is nonnegative because ln T is.",
        r"\ln T \ge 0",
        erratum="E28",
        printed="the width contains ln t",
        slip=True,
    ),
    _claim(
        "regular.bernstein.nonnegative_index.corrected",
        at(1244, sha="b2c94eaf3a857c70"),
        "Regularity, condition 1: ln t >= 0 makes the widths of Bernstein intervals nonnegative; they are infinite "
        "with at most one query.",
        r"t \ge 1,\ n \ge 2 \Rightarrow CI_t(a) \ge 0",
        rests_on=("bernstein.undefined_count.corrected",),
        although=DEFINITION_CARRIED_ALONG,
    ),
    _claim(
        "bernstein.variance_indices",
        at(1203, (1290, 1296), sha="ce1f550fd69b7147"),
        "As printed, the empirical variance in Bernstein's interval sums R_t^2 over plays of the arm.",
        r"\sum_{s \le t} R_t^2 1\{a_t = a\}",
        erratum="E18",
        printed="the summation index is s, and only queried rounds count",
    ),
    _claim(
        "bernstein.variance_indices.corrected",
        at(1203, sha="1ec69847f4028f2a"),
        "The empirical variance in Bernstein's interval is the unbiased one of the arm's queried rewards.",
        r"\hat V = \frac{1}{n-1} \sum_k (X(k) - \hat\mu)^2",
    ),
    _claim(
        "bernstein.undefined_count",
        at(1210, sha="8aa08fdba09392ff"),
        "As printed, the convention for Bernstein's interval after few queries also mentions the count after round "
        "1.",
        r"\ln t / n^q_1(a) = +\infty",
        erratum="E29",
        printed="the stray subscript contradicts the count of the arm played in round 1",
        slip=True,
    ),
    _claim(
        "bernstein.undefined_count.corrected",
        at(1210, sha="8aa08fdba09392ff"),
        "In Bernstein's interval quotients by n - 1 are infinite when n <= 1, so that the interval is the whole "
        "line.",
        r"n^q_{t-1}(a) \le 1 \Rightarrow CI_t(a) = +\infty",
        expected=Verdict.EXACT,
    ),
    _claim(
        "bernstein.variance_cap",
        at((1290, 1297), sha="6653e91c69bcba1c"),
        "The empirical variance of n rewards in [0, 1] is at most n/(4(n-1)).",
        r"\hat V \le \frac{n}{4(n-1)}",
        *BOUNDED,
        rests_on=("bernstein.variance_indices.corrected",),
    ),
    _claim(
        "bernstein.width_under_good_event",
        at((1279, 1286), sha="ed0eec4394262c54"),
        "While every mean and variance is estimated as well as Bernstein's interval assumes, the interval of an arm "
        "of variance V is at most sqrt(24 V ln t/(n-1)) + 26 ln t/(n-1) wide, which is below mu after 24 V ln "
        "t/mu^2 + 52 ln t/mu + 1 queries.",
        r"CI_t(a) \le \sqrt{\frac{24 V_a \ln t}{n-1}} + \frac{26 \ln t}{n-1}",
        *BOUNDED,
        rests_on=("bernstein.variance_cap", "auxiliary.root_and_reciprocal"),
    ),
    _claim(
        "bernstein.n2_is_the_root",
        at((1297, 1301), sha="f6724b922a02bde7"),
        "The printed number of queries N_2 is where the bound sqrt(6 ln t/(n-1)) + 14 ln t/(n-1) on the width of a "
        "Bernstein interval equals mu, and this bound decreases in n.",
        r"\sqrt{\frac{6\ln t}{N_2-1}} + \frac{14\ln t}{N_2-1} = \mu",
        rests_on=("bernstein.variance_cap", "auxiliary.direction.corrected"),
    ),
    _claim(
        "bernstein.n1_at_least_n2",
        at((1223, 1226), 1301, sha="838358ac113cfbee"),
        "Of the two printed numbers of queries that make every Bernstein interval narrower than mu, the simpler N_1 "
        "is never smaller than N_2, so both serve.",
        r"N_2^{as}(t,\mu) \le N_1^{as}(t,\mu)",
        rests_on=("bernstein.n2_is_the_root",),
    ),
    _claim(
        "bernstein.n_bar_at_horizon",
        at(1228, (1303, 1316), sha="0bb0c2a304aed8aa"),
        "Whatever epsilon, the queries that BuFALU's bounds allow an arm with Bernstein intervals, while the "
        "estimates are good, are at most those at the horizon with epsilon = 0.",
        r"\bar N_a^g(T,\mu) \le N_a^g(T,\mu)",
        rests_on=("bernstein.width_under_good_event",),
    ),
    _claim(
        "bernstein.monotone_schedules",
        at(1230, (1304, 1321), sha="eae7809a0d993791"),
        "For nonincreasing epsilon the queries that BuFALU's bounds allow an arm with Bernstein intervals are those "
        "of the last round T.",
        r"\bar N_a^g(T,\mu) = N_a^g(T, \max\{\mu, \epsilon(T)\}),\ \bar N_i^{as}(T) = N_i^{as}(T, \epsilon(T))",
        rests_on=("bernstein.n2_is_the_root", "auxiliary.minimum_of_nondecreasing"),
    ),
    _claim(
        "bernstein.budget_schedule",
        at(1231, 1324, sha="0f9439c8d5984703"),
        "With epsilon(t) = sqrt(6 ln t/(B(t) - 1)) + 14 ln t/(B(t) - 1), for a budget of B(t) queries an arm, the "
        "printed number N_2 of queries that narrow a Bernstein interval to epsilon(t) is the budget itself, or t - "
        "1.",
        r"N_2^{as}(t, \epsilon(t)) = \min\{B(t), t-1\}",
        rests_on=("bernstein.n2_is_the_root",),
    ),
    _claim(
        "bernstein.budget_bound",
        at((1231, 1235), (1330, 1336), sha="05ab6152a26f427c"),
        "Take Bernstein intervals and the schedule for a nondecreasing budget of B queries an arm. While the "
        "estimates are good, BuFALU's bounds allow an arm of variance V at most 4 V (B-1) + min{22 sqrt((B-1) ln "
        "T), 4 (B-1)} + 1 queries, since 52/sqrt(6) <= 22 and 52/14 <= 4. They allow no more than without epsilon.",
        r"\bar N_a^g(T,\mu) \le 4V(B-1) + \min\{22\sqrt{(B-1)\ln T}, 4(B-1)\} + 1",
        rests_on=("bernstein.budget_schedule", "bernstein.n_bar_at_horizon"),
    ),
    _claim(
        "bernstein.budget_on_every_path",
        at(856, 1231, sha="0639d66f674e77e3"),
        "With Bernstein intervals and the schedule for a nondecreasing budget of B(t) queries an arm, every path "
        "queries an arm at most min{B(T), T - 1} + 1 times.",
        r"n^q_T(a) \le \min\{B(T), T-1\} + 1",
        *BOUNDED,
        rests_on=("bernstein.budget_schedule", "cap.almost_sure"),
    ),
    _about_neither(
        "auxiliary.minimum_of_nondecreasing",
        at((1343, 1352), sha="6f3a5a9a06349357"),
        "The minimum of nondecreasing functions is nondecreasing.",
        r"x \le y \Rightarrow \min_j f_j(x) \le \min_j f_j(y)",
    ),
    _about_neither(
        "auxiliary.root_and_reciprocal",
        at((1353, 1358), (1362, 1368), sha="ca2fc4f3a87cff1a"),
        "Beyond c1^2/mu^2 + 2 c2/mu the sum c1/sqrt(n) + c2/n is below mu.",
        r"n > \frac{c_1^2}{\mu^2} + \frac{2c_2}{\mu} \Rightarrow \frac{c_1}{\sqrt n} + \frac{c_2}{n} < \mu",
        "c1, c2 >= 0",
        "mu > 0",
        rests_on=("auxiliary.direction.corrected",),
    ),
    _about_neither(
        "auxiliary.direction",
        at(1361, sha="1a5f96f1942b2ca7"),
        "As printed, c1/sqrt(n) + c2/n strictly increases in n.",
        r"\partial_n (c_1 n^{-1/2} + c_2/n) > 0",
        erratum="E16",
        printed="it strictly decreases (unless c1 = c2 = 0)",
    ),
    _about_neither(
        "auxiliary.direction.corrected",
        at(1361, sha="1a5f96f1942b2ca7"),
        "c1/sqrt(n) + c2/n does not increase in n, and strictly decreases unless both constants vanish (when the "
        "claim is trivial).",
        r"\partial_n (c_1 n^{-1/2} + c_2/n) = -\frac{c_1}{2n^{3/2}} - \frac{c_2}{n^2}",
    ),
)
