"""Claims about regular confidence intervals: Hoeffding, Bernstein and the auxiliary facts (l.833-844,
l.1123-1368).
"""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.REGULARITY
BOUNDED = ("rewards in [0, 1]",)

CLAIMS = (
    Claim(
        "regular.hoeffding",
        at((1134, 1142)),
        SECTION,
        "Hoeffding intervals are regular with C = 2K and N = min{6 ln t/mu^2, t - 1}: the sum over rounds of the "
        "failure probabilities is at most 2K.",
        r"\sum_t P(\bar G_t) \le 2K",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "regular.hoeffding.width_nonnegative",
        at(1146),
        SECTION,
        "Condition 1: Hoeffding widths are nonnegative, infinite without queries.",
        r"CI_t(a) \ge 0",
        Verdict.CERTIFIED,
    ),
    Claim(
        "regular.hoeffding.mean_covered",
        at(1147),
        SECTION,
        "Condition 2: the good event is that all means are covered.",
        r"G_t \Rightarrow \mu_a \in [LCB_t(a), UCB_t(a)]",
        Verdict.EXACT,
    ),
    Claim(
        "regular.hoeffding.queries_shrink_width",
        at((1169, 1174)),
        SECTION,
        "Conditions 4 and 5: more than min{6 ln t/mu^2, t - 1} queries make the width smaller than mu, good event or "
        "not.",
        r"n > 6 \ln t/\mu^2 \Rightarrow \sqrt{6 \ln t/n} < \mu",
        Verdict.PROVED,
    ),
    Claim(
        "regular.hoeffding.failure_probability",
        at((1149, 1168)),
        SECTION,
        "As printed, each term of the union bound is 1/t^3 by Hoeffding's inequality.",
        r"P(|\hat\mu - \mu| > \sqrt{3 \ln t/(2n)}) \le 1/t^3",
        Verdict.ERRATUM,
        BOUNDED,
        Erratum("E14", "the two-sided inequality gives 2/t^3", "regular.hoeffding.failure_probability.corrected"),
    ),
    Claim(
        "regular.hoeffding.failure_probability.corrected",
        at((1149, 1168)),
        SECTION,
        "Each term is 2/t^3; with t - 1 terms for each arm the sum over rounds is at most 2 K (zeta(2) - zeta(3)) < "
        "K, "
        "so C = 2K survives (and C = K would do).",
        r"\sum_{t \ge 2} K (t-1) \frac{2}{t^3} = 2K(\zeta(2) - \zeta(3)) < K",
        Verdict.CERTIFIED,
        BOUNDED,
    ),
    Claim(
        "regular.hoeffding.two_sided_tail",
        at(1158, 1161),
        SECTION,
        "The mean of n independent rewards in [0, 1] is off by more than sqrt(3 ln t/(2n)) with probability at most "
        "2/t^3.",
        r"P(|\hat\mu - \mu| > \sqrt{3 \ln t/(2n)}) \le 2/t^3",
        Verdict.PROVED,
        ("rewards with finite support in [0, 1]",),
    ),
    Claim(
        "regular.hoeffding.closed_form",
        at(1141, (1179, 1193)),
        SECTION,
        "The Hoeffding cap at level mu is at most 6 ln T/mu^2, and has the closed form at T for monotone schedules.",
        r"\bar N(T,\mu) = \min\{6\ln T/\max\{\mu^2,\epsilon^2(T)\}, T-1\}",
        Verdict.PROVED,
    ),
    Claim(
        "regular.hoeffding.closed_form_index",
        at(1141, 1194),
        SECTION,
        "As printed, the closed form contains epsilon(t) with a t that is bound nowhere, and 0/0 at t = 1 for the "
        "budget "
        "schedule.",
        r"\bar N(T,\mu) = \min\{6\ln T/\max\{\mu^2,\epsilon^2(t)\}, T-1\}",
        Verdict.ERRATUM,
        erratum=Erratum("E15", "epsilon(t) for epsilon(T)", "regular.hoeffding.closed_form_index.corrected"),
    ),
    Claim(
        "regular.hoeffding.closed_form_index.corrected",
        at(1141, 1194),
        SECTION,
        "With epsilon(T) the closed form equals the maximum on every nonincreasing sequence; at t = 1 the cap is 0 "
        "by "
        "convention.",
        r"\max_{t \le T} \min\{6 \ln t/\max\{\mu^2,\epsilon^2(t)\}, t-1\} = "
        r"\min\{6\ln T/\max\{\mu^2,\epsilon^2(T)\}, T-1\}",
        Verdict.EXACT,
    ),
    Claim(
        "regular.tape",
        at(1149, 1248),
        SECTION,
        "As printed, the k-th reward of the tape belongs to the k-th play of the arm.",
        r"R_t = X_a(n_t(a))",
        Verdict.ERRATUM,
        erratum=Erratum("E25", "played for queried: only queried rewards enter the means", "regular.tape.corrected"),
    ),
    Claim(
        "regular.tape.corrected",
        at(1149, 1248),
        SECTION,
        "The k-th reward of the tape belongs to the k-th query of the arm.",
        r"q_t = 1 \Rightarrow R_t = X_a(n^q_t(a))",
        Verdict.EXACT,
    ),
    Claim(
        "regular.bernstein",
        at((1211, 1236)),
        SECTION,
        "Bernstein intervals are regular with C = 12K: the failure probabilities sum to at most 12K.",
        r"\sum_t P(\bar G_t) \le 12K",
        Verdict.EXACT,
        BOUNDED,
    ),
    Claim(
        "regular.bernstein.failure_probability",
        at((1254, 1277)),
        SECTION,
        "The cited concentration theorems at confidence t^-3 give exactly the printed radii, hence 6/t^3 for each "
        "arm "
        "and count, and 6K zeta(2) < 12K in all.",
        r"6K \sum_t t^{-2} = 6K\zeta(2) < 12K",
        Verdict.CERTIFIED,
        (*BOUNDED, "the empirical Bernstein and variance inequalities (cited)"),
    ),
    Claim(
        "regular.bernstein.nonnegative_index",
        at(1244),
        SECTION,
        "As printed, the width of round t is nonnegative because ln T is.",
        r"\ln T \ge 0",
        Verdict.ERRATUM,
        erratum=Erratum("E28", "the width contains ln t", "regular.bernstein.nonnegative_index.corrected"),
    ),
    Claim(
        "regular.bernstein.nonnegative_index.corrected",
        at(1244),
        SECTION,
        "Condition 1: ln t >= 0 makes Bernstein widths nonnegative, infinite with at most one query.",
        r"t \ge 1,\ n \ge 2 \Rightarrow CI_t(a) \ge 0",
        Verdict.CERTIFIED,
    ),
    Claim(
        "bernstein.variance_indices",
        at(1203, (1290, 1296)),
        SECTION,
        "As printed, the empirical variance sums R_t^2 over plays of the arm.",
        r"\sum_{s \le t} R_t^2 1\{a_t = a\}",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E18", "the summation index is s, and only queried rounds count", "bernstein.variance_indices.corrected"
        ),
    ),
    Claim(
        "bernstein.variance_indices.corrected",
        at(1203),
        SECTION,
        "The empirical variance is the unbiased one of the queried rewards.",
        r"\hat V = \frac{1}{n-1} \sum_k (X(k) - \hat\mu)^2",
        Verdict.CERTIFIED,
    ),
    Claim(
        "bernstein.undefined_count",
        at(1210),
        SECTION,
        "As printed, the convention for few queries also mentions the count after round 1.",
        r"\ln t / n^q_1(a) = +\infty",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E29",
            "the stray subscript contradicts the count of the arm played in round 1",
            "bernstein.undefined_count.corrected",
        ),
    ),
    Claim(
        "bernstein.undefined_count.corrected",
        at(1210),
        SECTION,
        "Quotients by n - 1 are infinite when n <= 1, so that the interval is the whole line.",
        r"n^q_{t-1}(a) \le 1 \Rightarrow CI_t(a) = +\infty",
        Verdict.EXACT,
    ),
    Claim(
        "bernstein.variance_cap",
        at((1290, 1297)),
        SECTION,
        "The empirical variance of n rewards in [0, 1] is at most n/(4(n-1)).",
        r"\hat V \le \frac{n}{4(n-1)}",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "bernstein.width_under_good_event",
        at((1279, 1286)),
        SECTION,
        "Under the good event the width is at most sqrt(24 V ln t/(n-1)) + 26 ln t/(n-1), which is below mu beyond "
        "N_a^g.",
        r"CI_t(a) \le \sqrt{\frac{24 V_a \ln t}{n-1}} + \frac{26 \ln t}{n-1}",
        Verdict.CERTIFIED,
        BOUNDED,
    ),
    Claim(
        "bernstein.n2_is_the_root",
        at((1297, 1301)),
        SECTION,
        "At n = N_2 the almost sure bound on the width equals mu, and it decreases in n.",
        r"\sqrt{\frac{6\ln t}{N_2-1}} + \frac{14\ln t}{N_2-1} = \mu",
        Verdict.PROVED,
    ),
    Claim(
        "bernstein.n1_at_least_n2",
        at((1223, 1226), 1301),
        SECTION,
        "The simpler cap N_1 is never smaller than N_2, so it is a cap too.",
        r"N_2^{as}(t,\mu) \le N_1^{as}(t,\mu)",
        Verdict.CERTIFIED,
    ),
    Claim(
        "bernstein.monotone_schedules",
        at(1230, (1304, 1321)),
        SECTION,
        "For nonincreasing epsilon the Bernstein caps are attained at T.",
        r"\bar N_a^g(T,\mu) = N_a^g(T, \max\{\mu, \epsilon(T)\})",
        Verdict.CERTIFIED,
    ),
    Claim(
        "bernstein.budget_schedule",
        at(1231, 1324),
        SECTION,
        "With the Bernstein budget schedule (B per arm) N_2 is the budget itself.",
        r"N_2^{as}(t, \epsilon(t)) = \min\{B(t), t-1\}",
        Verdict.PROVED,
    ),
    Claim(
        "bernstein.budget_bound",
        at((1231, 1235), (1330, 1336)),
        SECTION,
        "With that schedule the good-event cap is at most 4 V (B-1) + min{22 sqrt((B-1) ln T), 4 (B-1)} + 1; the "
        "constants are 52/sqrt(6) <= 22 and 52/14 <= 4.",
        r"52/\sqrt6 \le 22,\quad 52/14 \le 4",
        Verdict.CERTIFIED,
    ),
    Claim(
        "auxiliary.minimum_of_nondecreasing",
        at((1343, 1352)),
        SECTION,
        "The minimum of nondecreasing functions is nondecreasing.",
        r"x \le y \Rightarrow \min_j f_j(x) \le \min_j f_j(y)",
        Verdict.PROVED,
    ),
    Claim(
        "auxiliary.root_and_reciprocal",
        at((1353, 1358), (1362, 1368)),
        SECTION,
        "Beyond c1^2/mu^2 + 2 c2/mu the sum c1/sqrt(n) + c2/n is below mu.",
        r"n > \frac{c_1^2}{\mu^2} + \frac{2c_2}{\mu} \Rightarrow \frac{c_1}{\sqrt n} + \frac{c_2}{n} < \mu",
        Verdict.PROVED,
        ("c1, c2 >= 0", "mu > 0"),
    ),
    Claim(
        "auxiliary.direction",
        at(1361),
        SECTION,
        "As printed, c1/sqrt(n) + c2/n strictly increases in n.",
        r"\partial_n (c_1 n^{-1/2} + c_2/n) > 0",
        Verdict.ERRATUM,
        erratum=Erratum("E16", "it strictly decreases (unless c1 = c2 = 0)", "auxiliary.direction.corrected"),
    ),
    Claim(
        "auxiliary.direction.corrected",
        at(1361),
        SECTION,
        "c1/sqrt(n) + c2/n does not increase in n, and strictly decreases unless both constants vanish (when the "
        "claim "
        "is trivial).",
        r"\partial_n (c_1 n^{-1/2} + c_2/n) = -\frac{c_1}{2n^{3/2}} - \frac{c_2}{n^2}",
        Verdict.PROVED,
    ),
)
