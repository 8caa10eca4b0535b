"""Claims about numbers: the deterministic illustration, the tables'
statements and the budget sweep (l.450-479, l.1438-1669).
"""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict
from bufalu.properties.claims.tables import rows

_claim = PaperClaims(Section.NUMBERS, Subject.NEITHER)
_about_hoeffding = PaperClaims(Section.NUMBERS, Subject.HOEFFDING)
_about_other_policies = PaperClaims(Section.NUMBERS, Subject.OTHER_POLICIES)
_about_kl_ucb = PaperClaims(Section.NUMBERS, Subject.KL_UCB)
RUN = ("T = 100,000", "epsilon(t) = t^(-1/4)", "deterministic rewards")
FIVE = ("five Bernoulli arms of means 1/4 and 1/2", "T = 100,000")
SWEEP = ("T = 1,000", "two or three Bernoulli arms", "epsilon(t) = sqrt(6 K ln t/B)")

CLAIMS = (
    _about_hoeffding(
        "deterministic.query_cap",
        at(474, sha="cb5531c8e27fd92b"),
        "With epsilon(t) = t^(-1/4) no arm is queried more than 6 sqrt(T) ln T + 1, about 21,845 times; the print "
        "says about 20,000.",
        r"6\sqrt T \ln T = 21{,}844.2\ldots",
        *RUN,
        expected=Verdict.CERTIFIED,
        rests_on=("cap.almost_sure", "regular.hoeffding.closed_form"),
    ),
    _about_hoeffding(
        "deterministic.query_ratio",
        at(476, sha="8dec1bf8eb35d0f4"),
        "As printed, with arms (0, 1) BuFALU makes about 1/150 of the queries of the other policies.",
        r"B^q_{\text{BuFALU}} / B^q_{\text{others}} \approx 1/150",
        *RUN,
        erratum="E32",
        printed="the algorithm as printed asks less, 124 queries; testing the candidate's width against epsilon instead "
        "would give about the stated ratio",
        slip=True,
    ),
    _about_hoeffding(
        "deterministic.query_ratio.corrected",
        at(476, sha="8dec1bf8eb35d0f4"),
        "With arms (0, 1) BuFALU queries each arm 62 times, 124 of the 21,862 queries of BuFAU and CBM-UCB (a ratio "
        "of 1/176) and of the 43,690 of greedy.",
        r"124/21862 = 1/176.3,\quad 124/43690 = 1/352.3",
        *RUN,
        expected=Verdict.EXACT,
        rests_on=("algorithm.maximisers",),
    ),
    _about_hoeffding(
        "deterministic.regret_factor",
        at(476, sha="8dec1bf8eb35d0f4"),
        "With arms (0, 1) BuFALU's regret is about four times that of the other policies: 62 against 17.",
        r"\mathrm{Reg}_{\text{BuFALU}}/\mathrm{Reg}_{\text{others}} = 62/17 \approx 4",
        *RUN,
        expected=Verdict.EXACT,
        rests_on=("deterministic.query_ratio.corrected",),
    ),
    _about_hoeffding(
        "deterministic.break_even",
        at(477, sha="7b186966d3b56609"),
        "With a cost above 0.0025 for each query BuFALU has the smallest query-aware regret on arms (0, 1).",
        r"c > 0.0025",
        *RUN,
        expected=Verdict.EXACT,
        rests_on=("deterministic.query_ratio.corrected", "deterministic.regret_factor", "costs.query_aware_regret"),
    ),
    _about_hoeffding(
        "deterministic.same_when_multiple",
        at(476, sha="8dec1bf8eb35d0f4"),
        "As printed, with arms (0, 1, 1) BuFALU has the regret and the queries of all baselines.",
        r"|A_*| = 2",
        *RUN,
        erratum="E33",
        printed="greedy makes half as many queries again",
        slip=True,
    ),
    _about_hoeffding(
        "deterministic.same_when_multiple.corrected",
        at(476, sha="8dec1bf8eb35d0f4"),
        "With arms (0, 1, 1) all four policies have regret 17; BuFALU and BuFAU make 43,706 queries, CBM-UCB one "
        "more, greedy 65,535.",
        r"43706,\ 43706,\ 43707,\ 65535",
        *RUN,
        expected=Verdict.EXACT,
        rests_on=("algorithm.maximisers",),
    ),
    _about_other_policies(
        "greedy.budget_formula",
        at(474, 1426, sha="c115d3e01ea22617"),
        "As printed, the greedy baseline has the budget 6 K ln T/epsilon(t)^2 + K in the text and 6 K ln "
        "t/epsilon(t)^2 + K in the pseudo-code.",
        r"6K\ln T/\epsilon^2(t) + K",
        erratum="E20",
        printed="T and t are mixed; with five arms and t^(-1/4) the budget exceeds T, so that greedy is UCB1",
    ),
    _about_other_policies(
        "greedy.budget_formula.corrected",
        at(474, 1426, sha="c115d3e01ea22617"),
        "With the budget B(t) = 6 K ln t/epsilon(t)^2 + K, five arms and epsilon(t) = t^(-1/4), greedy queries in "
        "all 100,000 rounds: it never reaches the budget.",
        r"30\sqrt t \ln t + 5 > t \quad (6 \le t \le 100{,}000)",
        *FIVE,
        expected=Verdict.CERTIFIED,
        rests_on=("baselines.greedy",),
    ),
    _about_other_policies(
        "greedy.inverse_log_queries",
        at(1612, 1627, sha="b21ca8d5462417b6"),
        "With epsilon(t) = 1/ln t and five arms, greedy makes exactly 45,785 queries in 100,000 rounds, on every "
        "path.",
        r"B^q(T) = 45{,}785",
        *FIVE,
        expected=Verdict.CERTIFIED,
        rests_on=("greedy.budget_formula.corrected",),
    ),
    _about_hoeffding(
        "budget.inverse_log_profile",
        at(1507, sha="045cf89a9b71dc77"),
        "epsilon(t) = 1/ln t is the schedule of a total budget of 6 K ln^3 t queries.",
        r"6K\ln t/\epsilon^2(t) = 6K\ln^3 t",
        expected=Verdict.CERTIFIED,
        rests_on=("n_bar.budget",),
    ),
    _claim(
        "tables.factor_three",
        at(1441, sha="2dbf66f76fef1c03"),
        "With epsilon(t) = t^(-1/4) and a unique optimal arm BuFALU's mean regret is about three times that of the "
        "baselines.",
        r"664.88/222.94 \approx 3",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=rows("power", "unique"),
    ),
    _claim(
        "tables.factor_four",
        at(1507, sha="045cf89a9b71dc77"),
        "With epsilon = 0 and a unique optimal arm BuFALU's mean regret is about four times that of the baselines.",
        r"1003.96/248.08 \approx 4",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=rows("zero", "unique"),
    ),
    _claim(
        "tables.one_twentieth",
        at(1507, sha="045cf89a9b71dc77"),
        "With epsilon = 0 and a unique optimal arm BuFALU queries in about one of twenty rounds.",
        r"5240.73/100000 \approx 1/20",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=("table.zero.unique.bufalu",),
    ),
    _claim(
        "tables.limited_below_unlimited",
        at(1507, sha="045cf89a9b71dc77"),
        "With a unique optimal arm BuFALU's regret is lower with epsilon(t) = t^(-1/4) and with 1/ln t than with "
        "epsilon = 0.",
        r"551.43, 664.88 < 1003.96",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=("table.power.unique.bufalu", "table.inverse-log.unique.bufalu", "table.zero.unique.bufalu"),
    ),
    _claim(
        "tables.always_asked",
        at(1507, sha="045cf89a9b71dc77"),
        "With epsilon = 0 and two optimal arms all four policies query in every round, with about the same regret.",
        r"\epsilon = 0,\ |A_*| = 2:\ B^q(T) = T",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=rows("zero", "multiple"),
    ),
    _claim(
        "tables.same_when_multiple",
        at(1441, sha="2dbf66f76fef1c03"),
        "With epsilon(t) = t^(-1/4) and two optimal arms the mean regrets of the four policies are within a factor "
        "of 1.2, our reading of 'roughly the same'; greedy has the largest regret and the most queries.",
        r"178.79/164.62 < 1.2",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=rows("power", "multiple"),
    ),
    _claim(
        "tables.schedules_alike",
        at(1507, sha="045cf89a9b71dc77"),
        "With epsilon(t) = 1/ln t the mean regret of each policy, for one and for two optimal arms, is within a "
        "factor of 1.25 of that with t^(-1/4): our reading of 'very similar'.",
        r"\max_i \mathrm{Reg}_i(1/\ln t)/\mathrm{Reg}_i(t^{-1/4}) < 1.25",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=(*rows("power"), *rows("inverse-log")),
    ),
    _claim(
        "tables.baselines_always_ask",
        at(1507, sha="045cf89a9b71dc77"),
        "With epsilon = 0 CBM-UCB and greedy query in every round on every path.",
        r"\epsilon = 0 \Rightarrow B^q(T) = T \text{ for CBM-UCB and greedy}",
        expected=Verdict.CERTIFIED,
        rests_on=("baselines.cbm_ucb", "greedy.budget_formula.corrected"),
    ),
    _claim(
        "tables.greedy_is_ucb",
        at(1482, 1548, sha="26fef858bf65bcc0"),
        "Greedy with epsilon(t) = t^(-1/4) never runs out of budget, so its row of the table agrees with that for "
        "epsilon = 0.",
        r"248.08 = 248.08",
        *FIVE,
        expected=Verdict.REPRODUCED,
        rests_on=("greedy.budget_formula.corrected", "table.power.unique.greedy", "table.zero.unique.greedy"),
    ),
    _claim(
        "budget_effect.minimum",
        at((1640, 1642), sha="82180d72704c910d"),
        "As a function of the share of rounds that the budget allows to query, BuFALU's regret first falls, is "
        "smallest near 0.08, and then rises.",
        r"\arg\min_{B/T} \mathrm{Reg} \approx 0.08",
        *SWEEP,
        expected=Verdict.REPRODUCED,
        rests_on=("algorithm.maximisers", "n_bar.budget"),
    ),
    _claim(
        "budget_effect.factor",
        at(1648, sha="9a1c760edf001bb1"),
        "With a unique optimal arm BuFALU's regret is at most four times that of the best baseline, at every budget.",
        r"\mathrm{Reg}_{\text{BuFALU}} \lesssim 4\,\mathrm{Reg}_{\text{others}}",
        *SWEEP,
        expected=Verdict.REPRODUCED,
        rests_on=("algorithm.maximisers", "n_bar.budget"),
    ),
    _claim(
        "budget_effect.fewer_queries",
        at(1648, sha="9a1c760edf001bb1"),
        "With a unique optimal arm and a budget B of as many queries as rounds, BuFALU makes fewer than two thirds "
        "of the queries of any baseline: our reading of 'substantially fewer'.",
        r"B^q_{\text{BuFALU}}(T) < \tfrac23 B^q_{\text{others}}(T)",
        *SWEEP,
        expected=Verdict.REPRODUCED,
        rests_on=("algorithm.maximisers", "n_bar.budget"),
    ),
    _claim(
        "budget_effect.small_budgets",
        at(1648, sha="9a1c760edf001bb1"),
        "With a unique optimal arm and a budget for at most 0.05 of the rounds, the mean regrets of the four "
        "policies are within a factor of 1.3 at each budget, as far as standard errors can tell: our reading of "
        "'similar'.",
        r"B/T \le 0.05 \Rightarrow \max \mathrm{Reg} \lesssim 1.3 \min \mathrm{Reg}",
        *SWEEP,
        expected=Verdict.REPRODUCED,
        rests_on=("algorithm.maximisers", "n_bar.budget"),
    ),
    _claim(
        "budget_effect.same_when_multiple",
        at(1648, sha="9a1c760edf001bb1"),
        "With two optimal arms the mean regrets of the four policies are within a factor of 1.3 at each budget, as "
        "far as standard errors can tell: our reading of 'roughly the same'.",
        r"|A_*| = 2 \Rightarrow \max \mathrm{Reg} \lesssim 1.3 \min \mathrm{Reg}",
        *SWEEP,
        expected=Verdict.REPRODUCED,
        rests_on=("algorithm.maximisers", "n_bar.budget"),
    ),
    _about_kl_ucb(
        "kl_ucb.suggestion",
        at((1643, 1645), sha="0b2d63ab8a84ce84"),
        "As printed, a tighter upper end of the interval has radius sqrt((ln t + 3 ln ln t)/(2n)) in every round.",
        r"\sqrt{(\ln t + 3\ln\ln t)/(2n)}",
        erratum="E19",
        printed="the radicand is negative at t = 2",
    ),
    _about_kl_ucb(
        "kl_ucb.suggestion.corrected",
        at((1643, 1645), sha="0b2d63ab8a84ce84"),
        "In the radius sqrt((ln t + 3 ln ln t)/(2n)) the numerator is positive from t = 3 on, and below 3 ln t, "
        "that of the Hoeffding radius, in every round.",
        r"0 < \ln t + 3 \ln\ln t < 3 \ln t \quad (t \ge 3)",
        expected=Verdict.CERTIFIED,
        rests_on=("interval.hoeffding_width",),
    ),
)
