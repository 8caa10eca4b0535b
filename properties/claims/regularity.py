"""Claims about regular confidence intervals: Hoeffding, Bernstein and the auxiliary facts (l.833-844, l.1123-1368)."""

from __future__ import annotations

from functools import partial

from bufalu.properties.claims.claim import (
    DEFINITION_CARRIED_ALONG,
    PROVED_AS_A_WHOLE,
    Claim,
    Erratum,
    Section,
    Subject,
    at,
)
from bufalu.properties.claims.evidence import Verdict

_claim = partial(Claim, section=Section.REGULARITY, about=Subject.BERNSTEIN)
BOUNDED = ("rewards in [0, 1]",)

CLAIMS = (
    _claim(
        id="regular.smaller_number",
        lines=at(843),
        source="f093c68cb5052d27",
        statement="Regular intervals stay regular if the number of queries that narrows them while means lie in their "
        "intervals is replaced by the smaller of it and the number that narrows them always.",
        latex=r"N_a^g \to \min\{N_a^g, N^{as}\}",
        expected=Verdict.PROVED,
        about=Subject.NEITHER,
    ),
    _claim(
        id="regular.hoeffding",
        lines=at((1134, 1142)),
        source="8157ba747234f37a",
        statement="Hoeffding intervals are regular: more than min{6 ln t/mu^2, t - 1} queries make them narrower than "
        "mu, and the probabilities that some mean lies outside its interval sum to at most 2K over all "
        "rounds.",
        latex=r"\sum_t P(\bar G_t) \le 2K",
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
        about=Subject.HOEFFDING,
        rests_on=(
            "regular.hoeffding.width_nonnegative",
            "regular.hoeffding.mean_covered",
            "regular.hoeffding.queries_shrink_width",
            "regular.hoeffding.failure_probability.corrected",
            "tape.same_law",
        ),
        although=PROVED_AS_A_WHOLE,
    ),
    _claim(
        id="regular.hoeffding.width_nonnegative",
        lines=at(1146),
        source="3d802a8b68788d22",
        statement="Regularity, condition 1: Hoeffding intervals have nonnegative widths, infinite ones without queries.",
        latex=r"CI_t(a) \ge 0",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("interval.hoeffding_width",),
    ),
    _claim(
        id="regular.hoeffding.mean_covered",
        lines=at(1147),
        source="bb95a614037b7a7f",
        statement="Regularity, condition 2: the good event of round t is that every mean lies in its Hoeffding "
        "interval.",
        latex=r"G_t \Rightarrow \mu_a \in [LCB_t(a), UCB_t(a)]",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
    ),
    _claim(
        id="regular.hoeffding.queries_shrink_width",
        lines=at((1169, 1174)),
        source="535949ab92ade722",
        statement=(
            "Regularity, conditions 4 and 5: more than min{6 ln t/mu^2, t - 1} queries make a Hoeffding interval "
            "narrower than mu, whether or not the means lie in their intervals."
        ),
        latex=r"n > 6 \ln t/\mu^2 \Rightarrow \sqrt{6 \ln t/n} < \mu",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("n_bar.samples_for_width",),
    ),
    _claim(
        id="regular.hoeffding.failure_probability",
        lines=at((1149, 1168)),
        source="8fefcd059f97ac83",
        statement="As printed, Hoeffding's inequality bounds the probability that an arm's mean lies outside its "
        "interval in round t, for each number of queries, by 1/t^3.",
        latex=r"P(|\hat\mu - \mu| > \sqrt{3 \ln t/(2n)}) \le 1/t^3",
        expected=Verdict.GAP,
        hypotheses=BOUNDED,
        erratum=Erratum(
            number="E14",
            printed="the event is two-sided, for which Hoeffding's inequality gives 2/t^3; whether the probability is at "
            "most 1/t^3 is not decided here, and the conclusion C = 2K stands",
            corrected="regular.hoeffding.failure_probability.corrected",
        ),
        about=Subject.HOEFFDING,
    ),
    _claim(
        id="regular.hoeffding.failure_probability.corrected",
        lines=at((1149, 1168)),
        source="8fefcd059f97ac83",
        statement=(
            "In round t an arm's mean lies outside its Hoeffding interval with probability at most 2/t^3 for each "
            "number of queries; with t - 1 of these for each arm the sum over rounds is at most 2 K (zeta(2) - "
            "zeta(3)) < K, so the printed 2K survives (and K would do)."
        ),
        latex=r"\sum_{t \ge 2} K (t-1) \frac{2}{t^3} = 2K(\zeta(2) - \zeta(3)) < K",
        expected=Verdict.CERTIFIED,
        hypotheses=BOUNDED,
        about=Subject.HOEFFDING,
        rests_on=("regular.hoeffding.two_sided_tail",),
    ),
    _claim(
        id="regular.hoeffding.two_sided_tail",
        lines=at(1158, 1161),
        source="1f05f6445c949d6e",
        statement=(
            "The mean of n independent rewards in [0, 1] is off by more than sqrt(3 ln t/(2n)) with probability "
            "at most 2/t^3."
        ),
        latex=r"P(|\hat\mu - \mu| > \sqrt{3 \ln t/(2n)}) \le 2/t^3",
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
        about=Subject.HOEFFDING,
    ),
    _claim(
        id="regular.hoeffding.closed_form",
        lines=at(1141, (1179, 1193)),
        source="8b8bfc71a821ded2",
        statement=(
            "With Hoeffding intervals the queries that BuFALU's bounds allow an arm at level mu are at most 6 ln "
            "T/mu^2, and for nonincreasing schedules they are those of round T."
        ),
        latex=r"\bar N(T,\mu) = \min\{6\ln T/\max\{\mu^2,\epsilon^2(T)\}, T-1\}",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("n_bar.samples_for_width",),
    ),
    _claim(
        id="regular.hoeffding.n_bar_at_zero",
        lines=at(1141),
        source="def8b5d0e726ae59",
        statement="For Hoeffding intervals the bound on an arm's queries while every mean lies in its interval, at "
        "level 0, is the bound that holds on every path.",
        latex=r"\bar N_a^g(T, 0) = \bar N^{as}(T)",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("regular.hoeffding.queries_shrink_width",),
    ),
    _claim(
        id="regular.hoeffding.closed_form_index",
        lines=at(1141, 1194),
        source="2dfc5d17f2ac7ae7",
        statement=(
            "As printed, the closed form of the bound on an arm's queries contains epsilon(t) with a t that is "
            "bound nowhere, and 0/0 at t = 1 for the budget schedule."
        ),
        latex=r"\bar N(T,\mu) = \min\{6\ln T/\max\{\mu^2,\epsilon^2(t)\}, T-1\}",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E15",
            slip=True,
            printed="epsilon(t) for epsilon(T)",
            corrected="regular.hoeffding.closed_form_index.corrected",
        ),
        about=Subject.HOEFFDING,
    ),
    _claim(
        id="regular.hoeffding.closed_form_index.corrected",
        lines=at(1141, 1194),
        source="2dfc5d17f2ac7ae7",
        statement=(
            "With epsilon(T) the closed form min{6 ln T / max{mu, epsilon(T)}^2, T - 1} is the maximum over t <= "
            "T for every nonincreasing epsilon; at t = 1 it is 0 by convention."
        ),
        latex=r"\max_{t \le T} \min\{6 \ln t/\max\{\mu^2,\epsilon^2(t)\}, t-1\} = "
        r"\min\{6\ln T/\max\{\mu^2,\epsilon^2(T)\}, T-1\}",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("regular.hoeffding.closed_form",),
    ),
    _claim(
        id="regular.tape",
        lines=at(1149, 1248),
        source="626a8d09b4895ce0",
        statement="As printed, R_t = X_a(n^q_t(a)) is the reward of the n^q_t(a)-th time that the arm was played.",
        latex=r"R_t = X_a(n^q_t(a)) \text{ at play number } n^q_t(a)",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E25",
            printed="the formula is right, and 'played' should read 'queried': plays and queries of an arm differ",
            corrected="regular.tape.corrected",
        ),
        about=Subject.NEITHER,
    ),
    _claim(
        id="regular.tape.corrected",
        lines=at(1149, 1248),
        source="626a8d09b4895ce0",
        statement="R_t = X_a(n^q_t(a)) is the reward of the n^q_t(a)-th query of the arm.",
        latex=r"q_t = 1 \Rightarrow R_t = X_a(n^q_t(a))",
        expected=Verdict.EXACT,
        about=Subject.NEITHER,
        rests_on=("mean.ignores_unqueried",),
    ),
    _claim(
        id="regular.bernstein",
        lines=at((1211, 1236)),
        source="fd4e8a9f7f267ad6",
        statement=(
            "Bernstein intervals are regular with the printed numbers of queries, and the printed bound 12K on "
            "the sum, over all rounds, of the probabilities that some mean lies outside its interval. At most 2K "
            "is proved."
        ),
        latex=r"\sum_t P(\bar G_t) \le 2K \le 12K",
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
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
        id="regular.bernstein.failure_probability",
        lines=at((1254, 1277)),
        source="25fbe1f91f010cde",
        statement=(
            "With the printed radii the mean of the first n rewards of an arm, or their standard deviation, is off "
            "with probability at most 6/t^3. At most 4/t^3 is proved, with the inequality of Maurer and "
            "Pontil that the paper cites."
        ),
        latex=(
            r"P(|\hat\mu_n - \mu_a| > r_t(n) \text{ or } |\sqrt{\bar V_n} - \sqrt{V_a}| > "
            r"\sqrt{6 \ln t/(n-1)}) \le 4/t^3"
        ),
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
        rests_on=("bernstein.variance_indices.corrected",),
    ),
    _claim(
        id="regular.bernstein.nonnegative_index",
        lines=at(1244),
        source="b2c94eaf3a857c70",
        statement="As printed, the width of a Bernstein interval in round t is nonnegative because ln T is.",
        latex=r"\ln T \ge 0",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E28",
            slip=True,
            printed="the width contains ln t",
            corrected="regular.bernstein.nonnegative_index.corrected",
        ),
    ),
    _claim(
        id="regular.bernstein.nonnegative_index.corrected",
        lines=at(1244),
        source="b2c94eaf3a857c70",
        statement="Regularity, condition 1: ln t >= 0 makes the widths of Bernstein intervals nonnegative; they are "
        "infinite with at most one query.",
        latex=r"t \ge 1,\ n \ge 2 \Rightarrow CI_t(a) \ge 0",
        expected=Verdict.PROVED,
        rests_on=("bernstein.undefined_count.corrected",),
        although=DEFINITION_CARRIED_ALONG,
    ),
    _claim(
        id="bernstein.variance_indices",
        lines=at(1203, (1290, 1296)),
        source="ce1f550fd69b7147",
        statement="As printed, the empirical variance in Bernstein's interval sums R_t^2 over plays of the arm.",
        latex=r"\sum_{s \le t} R_t^2 1\{a_t = a\}",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E18",
            printed="the summation index is s, and only queried rounds count",
            corrected="bernstein.variance_indices.corrected",
        ),
    ),
    _claim(
        id="bernstein.variance_indices.corrected",
        lines=at(1203),
        source="1ec69847f4028f2a",
        statement="The empirical variance in Bernstein's interval is the unbiased one of the arm's queried rewards.",
        latex=r"\hat V = \frac{1}{n-1} \sum_k (X(k) - \hat\mu)^2",
        expected=Verdict.PROVED,
    ),
    _claim(
        id="bernstein.undefined_count",
        lines=at(1210),
        source="8aa08fdba09392ff",
        statement="As printed, the convention for Bernstein's interval after few queries also mentions the count after "
        "round 1.",
        latex=r"\ln t / n^q_1(a) = +\infty",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E29",
            slip=True,
            printed="the stray subscript contradicts the count of the arm played in round 1",
            corrected="bernstein.undefined_count.corrected",
        ),
    ),
    _claim(
        id="bernstein.undefined_count.corrected",
        lines=at(1210),
        source="8aa08fdba09392ff",
        statement="In Bernstein's interval quotients by n - 1 are infinite when n <= 1, so that the interval is the "
        "whole line.",
        latex=r"n^q_{t-1}(a) \le 1 \Rightarrow CI_t(a) = +\infty",
        expected=Verdict.EXACT,
    ),
    _claim(
        id="bernstein.variance_cap",
        lines=at((1290, 1297)),
        source="6653e91c69bcba1c",
        statement="The empirical variance of n rewards in [0, 1] is at most n/(4(n-1)).",
        latex=r"\hat V \le \frac{n}{4(n-1)}",
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
        rests_on=("bernstein.variance_indices.corrected",),
    ),
    _claim(
        id="bernstein.width_under_good_event",
        lines=at((1279, 1286)),
        source="ed0eec4394262c54",
        statement="While every mean and variance is estimated as well as Bernstein's interval assumes, the interval of "
        "an arm of variance V is at most sqrt(24 V ln t/(n-1)) + 26 ln t/(n-1) wide, which is below mu after "
        "24 V ln t/mu^2 + 52 ln t/mu + 1 queries.",
        latex=r"CI_t(a) \le \sqrt{\frac{24 V_a \ln t}{n-1}} + \frac{26 \ln t}{n-1}",
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
        rests_on=("bernstein.variance_cap", "auxiliary.root_and_reciprocal"),
    ),
    _claim(
        id="bernstein.n2_is_the_root",
        lines=at((1297, 1301)),
        source="f6724b922a02bde7",
        statement="The printed number of queries N_2 is where the bound sqrt(6 ln t/(n-1)) + 14 ln t/(n-1) on the width "
        "of a Bernstein interval equals mu, and this bound decreases in n.",
        latex=r"\sqrt{\frac{6\ln t}{N_2-1}} + \frac{14\ln t}{N_2-1} = \mu",
        expected=Verdict.PROVED,
        rests_on=("bernstein.variance_cap", "auxiliary.direction.corrected"),
    ),
    _claim(
        id="bernstein.n1_at_least_n2",
        lines=at((1223, 1226), 1301),
        source="838358ac113cfbee",
        statement="Of the two printed numbers of queries that make every Bernstein interval narrower than mu, the "
        "simpler N_1 is never smaller than N_2, so both serve.",
        latex=r"N_2^{as}(t,\mu) \le N_1^{as}(t,\mu)",
        expected=Verdict.PROVED,
        rests_on=("bernstein.n2_is_the_root",),
    ),
    _claim(
        id="bernstein.n_bar_at_horizon",
        lines=at(1228, (1303, 1316)),
        source="0bb0c2a304aed8aa",
        statement="Whatever epsilon, the queries that BuFALU's bounds allow an arm with Bernstein intervals, while the "
        "estimates are good, are at most those at the horizon with epsilon = 0.",
        latex=r"\bar N_a^g(T,\mu) \le N_a^g(T,\mu)",
        expected=Verdict.PROVED,
        rests_on=("bernstein.width_under_good_event",),
    ),
    _claim(
        id="bernstein.monotone_schedules",
        lines=at(1230, (1304, 1321)),
        source="eae7809a0d993791",
        statement="For nonincreasing epsilon the queries that BuFALU's bounds allow an arm with Bernstein intervals are "
        "those of the last round T.",
        latex=r"\bar N_a^g(T,\mu) = N_a^g(T, \max\{\mu, \epsilon(T)\}),\ \bar N_i^{as}(T) = N_i^{as}(T, \epsilon(T))",
        expected=Verdict.PROVED,
        rests_on=("bernstein.n2_is_the_root", "auxiliary.minimum_of_nondecreasing"),
    ),
    _claim(
        id="bernstein.budget_schedule",
        lines=at(1231, 1324),
        source="0f9439c8d5984703",
        statement="With epsilon(t) = sqrt(6 ln t/(B(t) - 1)) + 14 ln t/(B(t) - 1), for a budget of B(t) queries an arm, "
        "the printed number N_2 of queries that narrow a Bernstein interval to epsilon(t) is the budget "
        "itself, or t - 1.",
        latex=r"N_2^{as}(t, \epsilon(t)) = \min\{B(t), t-1\}",
        expected=Verdict.PROVED,
        rests_on=("bernstein.n2_is_the_root",),
    ),
    _claim(
        id="bernstein.budget_bound",
        lines=at((1231, 1235), (1330, 1336)),
        source="05ab6152a26f427c",
        statement=(
            "Take Bernstein intervals and the schedule for a nondecreasing budget of B queries an arm. While the "
            "estimates are good, BuFALU's bounds allow an arm of variance V at most 4 V (B-1) + min{22 sqrt((B-1) "
            "ln T), 4 (B-1)} + 1 queries, since 52/sqrt(6) <= 22 and 52/14 <= 4. They allow no more than without "
            "epsilon."
        ),
        latex=r"\bar N_a^g(T,\mu) \le 4V(B-1) + \min\{22\sqrt{(B-1)\ln T}, 4(B-1)\} + 1",
        expected=Verdict.PROVED,
        rests_on=("bernstein.budget_schedule", "bernstein.n_bar_at_horizon"),
    ),
    _claim(
        id="bernstein.budget_on_every_path",
        lines=at(856, 1231),
        source="0639d66f674e77e3",
        statement=(
            "With Bernstein intervals and the schedule for a nondecreasing budget of B(t) queries an arm, every "
            "path queries an arm at most min{B(T), T - 1} + 1 times."
        ),
        latex=r"n^q_T(a) \le \min\{B(T), T-1\} + 1",
        expected=Verdict.PROVED,
        hypotheses=BOUNDED,
        rests_on=("bernstein.budget_schedule", "cap.almost_sure"),
    ),
    _claim(
        id="auxiliary.minimum_of_nondecreasing",
        lines=at((1343, 1352)),
        source="6f3a5a9a06349357",
        statement="The minimum of nondecreasing functions is nondecreasing.",
        latex=r"x \le y \Rightarrow \min_j f_j(x) \le \min_j f_j(y)",
        expected=Verdict.PROVED,
        about=Subject.NEITHER,
    ),
    _claim(
        id="auxiliary.root_and_reciprocal",
        lines=at((1353, 1358), (1362, 1368)),
        source="ca2fc4f3a87cff1a",
        statement="Beyond c1^2/mu^2 + 2 c2/mu the sum c1/sqrt(n) + c2/n is below mu.",
        latex=r"n > \frac{c_1^2}{\mu^2} + \frac{2c_2}{\mu} \Rightarrow \frac{c_1}{\sqrt n} + \frac{c_2}{n} < \mu",
        expected=Verdict.PROVED,
        hypotheses=("c1, c2 >= 0", "mu > 0"),
        about=Subject.NEITHER,
        rests_on=("auxiliary.direction.corrected",),
    ),
    _claim(
        id="auxiliary.direction",
        lines=at(1361),
        source="1a5f96f1942b2ca7",
        statement="As printed, c1/sqrt(n) + c2/n strictly increases in n.",
        latex=r"\partial_n (c_1 n^{-1/2} + c_2/n) > 0",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E16",
            printed="it strictly decreases (unless c1 = c2 = 0)",
            corrected="auxiliary.direction.corrected",
        ),
        about=Subject.NEITHER,
    ),
    _claim(
        id="auxiliary.direction.corrected",
        lines=at(1361),
        source="1a5f96f1942b2ca7",
        statement=(
            "c1/sqrt(n) + c2/n does not increase in n, and strictly decreases unless both constants vanish (when "
            "the claim is trivial)."
        ),
        latex=r"\partial_n (c_1 n^{-1/2} + c_2/n) = -\frac{c_1}{2n^{3/2}} - \frac{c_2}{n^2}",
        expected=Verdict.PROVED,
        about=Subject.NEITHER,
    ),
)
