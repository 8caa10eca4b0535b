"""Claims about numbers: the deterministic illustration, the tables'
statements and the budget sweep (l.450-479, l.1438-1669).
"""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.NUMBERS
RUN = ("T = 100,000", "epsilon(t) = t^(-1/4)", "deterministic rewards")
FIVE = ("five Bernoulli arms of means 1/4 and 1/2", "T = 100,000")
SWEEP = ("T = 1,000", "two or three Bernoulli arms", "epsilon(t) = sqrt(6 K ln t/B)")

CLAIMS = (
    Claim(
        id="deterministic.query_cap",
        lines=at(474),
        section=SECTION,
        statement=(
            "With epsilon(t) = t^(-1/4) no arm is queried more than 6 sqrt(T) ln T + 1, about 21,845 times; the "
            "print says about 20,000."
        ),
        latex=r"6\sqrt T \ln T = 21{,}844.2\ldots",
        expected=Verdict.CERTIFIED,
        hypotheses=RUN,
    ),
    Claim(
        id="deterministic.query_ratio",
        lines=at(476),
        section=SECTION,
        statement="As printed, with arms (0, 1) BuFALU makes about 1/150 of the queries of the other policies.",
        latex=r"B^q_{\text{BuFALU}} / B^q_{\text{others}} \approx 1/150",
        expected=Verdict.ERRATUM,
        hypotheses=RUN,
        erratum=Erratum(
            number="E32",
            printed="the algorithm as printed asks less, 124 queries; testing the candidate's width against epsilon instead "
            "would give about the stated ratio",
            corrected="deterministic.query_ratio.corrected",
        ),
    ),
    Claim(
        id="deterministic.query_ratio.corrected",
        lines=at(476),
        section=SECTION,
        statement=(
            "With arms (0, 1) BuFALU queries each arm 62 times, 124 of the 21,862 queries of BuFAU and CBM-UCB "
            "(a ratio of 1/176) and of the 43,690 of greedy."
        ),
        latex=r"124/21862 = 1/176.3,\quad 124/43690 = 1/352.3",
        expected=Verdict.EXACT,
        hypotheses=RUN,
    ),
    Claim(
        id="deterministic.regret_factor",
        lines=at(476),
        section=SECTION,
        statement="With arms (0, 1) BuFALU's regret is about four times that of the other policies: 62 against 17.",
        latex=r"\mathrm{Reg}_{\text{BuFALU}}/\mathrm{Reg}_{\text{others}} = 62/17 \approx 4",
        expected=Verdict.EXACT,
        hypotheses=RUN,
    ),
    Claim(
        id="deterministic.break_even",
        lines=at(477),
        section=SECTION,
        statement="With a cost above 0.0025 for each query BuFALU has the smallest query-aware regret on arms (0, 1).",
        latex=r"c > 0.0025",
        expected=Verdict.EXACT,
        hypotheses=RUN,
    ),
    Claim(
        id="deterministic.same_when_multiple",
        lines=at(476),
        section=SECTION,
        statement="As printed, with arms (0, 1, 1) BuFALU has the regret and the queries of all baselines.",
        latex=r"|A_*| = 2",
        expected=Verdict.ERRATUM,
        hypotheses=RUN,
        erratum=Erratum(
            number="E33",
            printed="greedy makes half as many queries again",
            corrected="deterministic.same_when_multiple.corrected",
        ),
    ),
    Claim(
        id="deterministic.same_when_multiple.corrected",
        lines=at(476),
        section=SECTION,
        statement=(
            "With arms (0, 1, 1) all four policies have regret 17; BuFALU and BuFAU make 43,706 queries, CBM-UCB "
            "one more, greedy 65,535."
        ),
        latex=r"43706,\ 43706,\ 43707,\ 65535",
        expected=Verdict.EXACT,
        hypotheses=RUN,
    ),
    Claim(
        id="greedy.budget_formula",
        lines=at(474, 1426),
        section=SECTION,
        statement=(
            "As printed, the greedy baseline has the budget 6 K ln T/epsilon(t)^2 + K in the text and 6 K ln "
            "t/epsilon(t)^2 + K in the pseudo-code."
        ),
        latex=r"6K\ln T/\epsilon^2(t) + K",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E20",
            printed="T and t are mixed; with five arms and t^(-1/4) the budget exceeds T, so that greedy is UCB1",
            corrected="greedy.budget_formula.corrected",
        ),
    ),
    Claim(
        id="greedy.budget_formula.corrected",
        lines=at(474, 1426),
        section=SECTION,
        statement="With B(t) = 6 K ln t/epsilon(t)^2 + K, five arms and t^(-1/4), greedy queries in all 100,000 rounds: the "
        "budget never binds.",
        latex=r"30\sqrt t \ln t + 5 > t \quad (6 \le t \le 100{,}000)",
        expected=Verdict.CERTIFIED,
        hypotheses=FIVE,
    ),
    Claim(
        id="greedy.inverse_log_queries",
        lines=at(1612, 1627),
        section=SECTION,
        statement="With epsilon(t) = 1/ln t greedy makes exactly 45,785 queries on every path.",
        latex=r"B^q(T) = 45{,}785",
        expected=Verdict.CERTIFIED,
        hypotheses=FIVE,
    ),
    Claim(
        id="budget.inverse_log_profile",
        lines=at(1507),
        section=SECTION,
        statement="epsilon(t) = 1/ln t corresponds to a total budget of 6 K ln^3 t.",
        latex=r"6K\ln t/\epsilon^2(t) = 6K\ln^3 t",
        expected=Verdict.CERTIFIED,
    ),
    Claim(
        id="tables.factor_three",
        lines=at(1441),
        section=SECTION,
        statement="With t^(-1/4) and a unique optimal arm BuFALU's mean regret is about three times that of the baselines.",
        latex=r"664.88/222.94 \approx 3",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.factor_four",
        lines=at(1507),
        section=SECTION,
        statement="With epsilon = 0 and a unique optimal arm BuFALU's mean regret is about four times that of the baselines.",
        latex=r"1003.96/248.08 \approx 4",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.one_twentieth",
        lines=at(1507),
        section=SECTION,
        statement="With epsilon = 0 and a unique optimal arm BuFALU queries in about one of twenty rounds.",
        latex=r"5240.73/100000 \approx 1/20",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.limited_below_unlimited",
        lines=at(1507),
        section=SECTION,
        statement="With a unique optimal arm BuFALU's regret is lower with either limited schedule than with epsilon = 0.",
        latex=r"551.43, 664.88 < 1003.96",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.always_asked",
        lines=at(1507),
        section=SECTION,
        statement="With epsilon = 0 and two optimal arms all four policies query in every round, with about the same regret.",
        latex=r"\epsilon = 0,\ |A_*| = 2:\ B^q(T) = T",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.same_when_multiple",
        lines=at(1441),
        section=SECTION,
        statement="With t^(-1/4) and two optimal arms the mean regrets of the four policies are within a factor of 1.2, our "
        "reading of 'roughly the same'; greedy has the largest regret and the most queries.",
        latex=r"178.79/164.62 < 1.2",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.schedules_alike",
        lines=at(1507),
        section=SECTION,
        statement="With 1/ln t the mean regret of each policy, for one and for two optimal arms, is within a factor of 1.25 "
        "of that with t^(-1/4): our reading of 'very similar'.",
        latex=r"\max_i \mathrm{Reg}_i(1/\ln t)/\mathrm{Reg}_i(t^{-1/4}) < 1.25",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="tables.baselines_always_ask",
        lines=at(1507),
        section=SECTION,
        statement="With epsilon = 0 CBM-UCB and greedy query in every round on every path.",
        latex=r"\epsilon = 0 \Rightarrow B^q(T) = T \text{ for CBM-UCB and greedy}",
        expected=Verdict.CERTIFIED,
    ),
    Claim(
        id="tables.greedy_is_ucb",
        lines=at(1482, 1548),
        section=SECTION,
        statement="Greedy with t^(-1/4) never runs out of budget, so its row agrees with that for epsilon = 0.",
        latex=r"248.08 = 248.08",
        expected=Verdict.REPRODUCED,
        hypotheses=FIVE,
    ),
    Claim(
        id="budget_effect.minimum",
        lines=at((1640, 1642)),
        section=SECTION,
        statement="As a function of the budget fraction the regret first falls, is smallest near 0.08, and then rises.",
        latex=r"\arg\min_{B/T} \mathrm{Reg} \approx 0.08",
        expected=Verdict.REPRODUCED,
        hypotheses=SWEEP,
    ),
    Claim(
        id="budget_effect.factor",
        lines=at(1648),
        section=SECTION,
        statement=(
            "With a unique optimal arm BuFALU's regret is at most four times that of the best baseline, at every budget."
        ),
        latex=r"\mathrm{Reg}_{\text{BuFALU}} \lesssim 4\,\mathrm{Reg}_{\text{others}}",
        expected=Verdict.REPRODUCED,
        hypotheses=SWEEP,
    ),
    Claim(
        id="budget_effect.fewer_queries",
        lines=at(1648),
        section=SECTION,
        statement="With a unique optimal arm and B = T, BuFALU makes fewer than two thirds of the queries of any baseline: "
        "our reading of 'substantially fewer'.",
        latex=r"B^q_{\text{BuFALU}}(T) < \tfrac23 B^q_{\text{others}}(T)",
        expected=Verdict.REPRODUCED,
        hypotheses=SWEEP,
    ),
    Claim(
        id="budget_effect.small_budgets",
        lines=at(1648),
        section=SECTION,
        statement="With a unique optimal arm and B/T at most 0.05, the mean regrets of the four policies are within a factor "
        "of 1.3 at each budget, as far as standard errors can tell: our reading of 'similar'.",
        latex=r"B/T \le 0.05 \Rightarrow \max \mathrm{Reg} \lesssim 1.3 \min \mathrm{Reg}",
        expected=Verdict.REPRODUCED,
        hypotheses=SWEEP,
    ),
    Claim(
        id="budget_effect.same_when_multiple",
        lines=at(1648),
        section=SECTION,
        statement="With two optimal arms the mean regrets of the four policies are within a factor of 1.3 at each budget, as "
        "far as standard errors can tell: our reading of 'roughly the same'.",
        latex=r"|A_*| = 2 \Rightarrow \max \mathrm{Reg} \lesssim 1.3 \min \mathrm{Reg}",
        expected=Verdict.REPRODUCED,
        hypotheses=SWEEP,
    ),
    Claim(
        id="kl_ucb.suggestion",
        lines=at((1643, 1645)),
        section=SECTION,
        statement="As printed, the tighter upper bound has radius sqrt((ln t + 3 ln ln t)/(2n)) in every round.",
        latex=r"\sqrt{(\ln t + 3\ln\ln t)/(2n)}",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E19", printed="the radicand is negative at t = 2", corrected="kl_ucb.suggestion.corrected"
        ),
    ),
    Claim(
        id="kl_ucb.suggestion.corrected",
        lines=at((1643, 1645)),
        section=SECTION,
        statement="The radicand is positive from t = 3 on, and below that of the Hoeffding radius, 3 ln t, in every round.",
        latex=r"0 < \ln t + 3 \ln\ln t < 3 \ln t \quad (t \ge 3)",
        expected=Verdict.CERTIFIED,
    ),
)
