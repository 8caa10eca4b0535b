"""Claims about consistent strategies: the asymptotic lower bounds, their proof steps and consequences (l.284-323)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.LOWER, Subject.NEITHER)
FINITE = ("all laws of the family have finite support",)
CONSISTENT = (*FINITE, "the strategy is consistent in expectation")
CHANGE_OF_MEASURE = (
    "kl.counts_inequality",
    "kl.log_lower_bound",
    "consistency.definition.corrected",
    "kinf.definition",
)
"""What a bound from below by a change of measure rests on."""

CLAIMS = (
    _claim(
        "kinf.definition",
        at((287, 294), sha="cb9bddb7f2475259"),
        "The upward (downward) divergence of a distribution at a threshold is the infimum of its Kullback-Leibler "
        "divergences to distributions of larger (smaller) mean; in the family of all Bernoulli laws it is kl(p, mu) "
        "for a threshold mu above (below) p, 0 on the other side, and infinite where no such distribution exists.",
        r"\mathcal K^+_{\inf}(\mathrm{Ber}(p), \mu) = \mathrm{kl}(p, \mu)\ (p \le \mu < 1),\quad +\infty\ (\mu = 1)",
    ),
    _claim(
        "kinf.monotone",
        at(319, sha="fb2c5e2d1408d07b"),
        "As printed, an arm's divergence to the distributions with a mean above a threshold decreases in the "
        "threshold, and that to those with a mean below it increases.",
        r"\mu \mapsto \mathcal K^+_{\inf}(\nu, \mu) \text{ decreasing},\ \mathcal K^-_{\inf} \text{ increasing}",
        erratum="E3",
        printed="the two directions are exchanged",
    ),
    _claim(
        "kinf.monotone.corrected",
        at(319, sha="fb2c5e2d1408d07b"),
        "A higher threshold leaves fewer distributions with a mean above it and more with one below: the divergence "
        "to the former is nondecreasing in the threshold, that to the latter nonincreasing.",
        r"\mu \le \mu' \Rightarrow \mathcal K^+_{\inf}(\nu, \mu) \le \mathcal K^+_{\inf}(\nu, \mu'),\ \mathcal "
        r"K^-_{\inf}(\nu, \mu) \ge \mathcal K^-_{\inf}(\nu, \mu')",
        *FINITE,
        rests_on=("kinf.definition",),
    ),
    _claim(
        "kinf.gaussian",
        at(353, sha="e535d9a53e55a1fb"),
        "For a Gaussian arm of unit variance the divergence to the laws with a mean beyond a threshold, on either "
        "side, is half the squared distance to it.",
        r"\mathrm{KL}(N(m,1), N(m',1)) = (m-m')^2/2",
        expected=Verdict.CERTIFIED,
        rests_on=("kinf.definition",),
    ),
    _claim(
        "consistency.definition",
        at((300, 302), sha="cfe15c327707d191"),
        "As printed, consistency asks the random number of plays of a suboptimal arm to be o(T^alpha).",
        r"n_T(a) = o(T^\alpha)",
        erratum="E5",
        printed="the proofs need the expected number of plays; the printed form lacks the expectation",
    ),
    _claim(
        "consistency.definition.corrected",
        at((300, 302), sha="cfe15c327707d191"),
        "Consistency: the expected number of plays of each suboptimal arm is o(T^alpha) for every alpha in (0, 1]. "
        "Then the probability of more than eps T^alpha plays tends to zero for every eps > 0.",
        r"E[n_T(a)] = o(T^\alpha) \Rightarrow P(n_T(a) > \epsilon T^\alpha) \to 0",
        *FINITE,
    ),
    _claim(
        "kl.counts_inequality",
        at((505, 512), sha="38180e69d32d51a1"),
        "For two instances, the expected queries of the arms, each times the divergence between the arm's two laws, "
        "sum to at least the binary divergence between the two expectations of any [0, 1]-valued function of the "
        "history.",
        r"\sum_a E_\nu[n^q_T(a)]\, \mathrm{KL}(\nu_a, \nu'_a) \ge \mathrm{kl}(E_\nu Z, E_{\nu'} Z)",
        *FINITE,
        "the function depends on arms and rewards alone, or the strategy's private randomness is finite",
        "every law of the first instance is dominated by that of the second (else nothing is to be shown)",
        rests_on=("counts.queries_at_most_plays",),
    ),
    _claim(
        "kl.log_lower_bound",
        at((517, 521), sha="2e857c5531a4c435"),
        "The binary divergence kl(p, q) is at least p ln(1/q) - ln 2 and at least (1 - p) ln(1/(1 - q)) - ln 2.",
        r"\mathrm{kl}(p,q) \ge \max\{p \ln(1/q), (1-p) \ln(1/(1-q))\} - \ln 2",
    ),
    _claim(
        "lower.suboptimal_arms",
        at(308, (523, 551), sha="d05b04d4d30971a0"),
        "A consistent strategy queries each suboptimal arm at least ln T / Kinf+ times in expectation, "
        "asymptotically: Kinf+ is the divergence of the arm's law to the laws with a mean above the optimal one.",
        r"\liminf_T E[n^q_T(a)]/\ln T \ge 1/\mathcal K^+_{\inf}(\nu_a, \mu^*)",
        *CONSISTENT,
        rests_on=CHANGE_OF_MEASURE,
    ),
    _claim(
        "lower.unique_optimal_arm",
        at(309, (585, 589), sha="1ad4ab8830b587ab"),
        "A consistent strategy queries a unique optimal arm at least ln T / Kinf- times in expectation, "
        "asymptotically: Kinf- is the divergence of its law to the laws with a mean below the best suboptimal one.",
        r"\liminf_T E[n^q_T(a^*)]/\ln T \ge 1/\mathcal K^-_{\inf}(\nu_{a^*}, \mu^s)",
        *CONSISTENT,
        rests_on=CHANGE_OF_MEASURE,
    ),
    _claim(
        "lower.unique_pair",
        at((309, 313), sha="6c87e7507f053e97"),
        "As printed: take the limit inferior of expected queries / ln T for a suboptimal arm and for the unique "
        "optimal arm; the two add up to at least the inverse of the larger of the two arms' divergences.",
        r"n^q_\infty(a) + n^q_\infty(a^*) \ge 1/\max\{\mathcal K^+_{\inf}(\nu_a,\mu), \mathcal "
        r"K^-_{\inf}(\nu_{a^*},\mu)\}",
        *CONSISTENT,
        erratum="E1",
        printed="the proof bounds the limit inferior of the sum; a consistent strategy that takes turns in querying has two "
        "limits inferior of zero where the right side is positive",
    ),
    _claim(
        "lower.unique_pair.corrected",
        at((591, 601), sha="83c8d500911870d6"),
        "For a suboptimal and the unique optimal arm, the limit inferior of (expected queries of both) / ln T is at "
        "least the inverse of the larger of the two arms' divergences, whatever the threshold at which these are "
        "taken.",
        r"\liminf_T \frac{E[n^q_T(a)] + E[n^q_T(a^*)]}{\ln T} \ge \frac{1}{\max\{\mathcal K^+_{\inf}(\nu_a,\mu), "
        r"\mathcal K^-_{\inf}(\nu_{a^*},\mu)\}}",
        *CONSISTENT,
        rests_on=("lower.unique_pair_weighted.corrected", "lower.proof_steps"),
    ),
    _claim(
        "lower.unique_pair_weighted",
        at((603, 611), sha="57c132ac5c41ec59"),
        "As printed: the limits inferior of expected queries / ln T of a suboptimal and of the unique optimal arm, "
        "each times the arm's divergence, add up to at least one.",
        r"\mathcal K^+_{\inf}(\nu_a,\mu)\, n^q_\infty(a) + \mathcal K^-_{\inf}(\nu_{a^*},\mu)\, n^q_\infty(a^*) \ge "
        r"1",
        *CONSISTENT,
        erratum="E1",
        printed="a sum of limits inferior, as in the theorem, for the limit inferior of the sum",
    ),
    _claim(
        "lower.unique_pair_weighted.corrected",
        at((603, 611), sha="57c132ac5c41ec59"),
        "Let the divergences of a suboptimal and of the unique optimal arm be finite. For every M and d < 1 and all "
        "large T one of the two arms has more than M ln T expected queries, or their expected queries, weighted by "
        "the divergences, sum to at least d ln T.",
        r"\mathcal K^+_{\inf}(\nu_a,\mu) E[n^q_T(a)] + \mathcal K^-_{\inf}(\nu_{a^*},\mu) E[n^q_T(a^*)] \ge d \ln T",
        *CONSISTENT,
        rests_on=CHANGE_OF_MEASURE,
    ),
    _claim(
        "lower.threshold_range",
        at(309, 319, sha="df4caf92b3dbc8eb"),
        "As printed, the thresholds of the lower bound for a suboptimal and the optimal arm range between the best "
        "suboptimal mean and the optimal mean, and the threshold at which the two arms' divergences are equal is "
        "among them.",
        r"\mu_0 \in [\mu^s, \mu^*]",
        erratum="E4",
        printed="the balancing threshold of an arm below the best suboptimal one can lie below that range",
    ),
    _claim(
        "lower.threshold_range.corrected",
        at(309, 555, sha="530120dc5822d258"),
        "The threshold at which the divergences of arm a and of the optimal arm are equal lies between the means "
        "mu_a and mu*. The lower bound for the two arms holds at every threshold, hence at this one: its proof asks "
        "only that arm a, modified to a mean above the threshold, beats the optimal arm, modified to one below it.",
        r"\mu_0 \in (\mu_a, \mu^*);\quad E[\nu'_a] > \mu > E[\nu'_{a^*}] \Rightarrow E[\nu'_a] > E[\nu'_{a^*}]",
        *CONSISTENT,
        "for the first half: rewards in [0, 1], and each of the two divergences is zero at its arm's own mean",
        rests_on=("kinf.monotone.corrected", "lower.unique_pair.corrected"),
    ),
    _claim(
        "lower.multiple_optimal",
        at(314, 659, 712, 734, 741, sha="779ea28e77932102"),
        "As printed: with several optimal arms, if the divergence to laws of smaller mean is zero for all of them, "
        "or that to laws of larger mean for two, then some single optimal arm has an infinite limit inferior of "
        "expected queries / ln T; the example says so again for its first and third case.",
        r"\exists a \in A_*: \liminf_T E[n^q_T(a)]/\ln T = \infty",
        *CONSISTENT,
        erratum="E2",
        printed="an infinite limit inferior of a sum gives no arm with an infinite one: with all Bernoulli laws as the "
        "family and two arms of mean 1, which meet the first condition, or of mean 0, which meet the second, a "
        "consistent strategy that takes turns in querying has limits inferior of zero for both optimal arms",
    ),
    _claim(
        "lower.multiple_optimal.corrected",
        at((652, 658), (705, 711), sha="119d31c0fcac3f95"),
        "With several optimal arms, if the divergence to laws of smaller mean is zero for all of them, or that to "
        "laws of larger mean for two, the optimal arms together are queried more than any multiple of ln T times; "
        "and so is an optimal arm by itself for which both are zero.",
        r"\liminf_T \sum_{a \in A_*} \frac{E[n^q_T(a)]}{\ln T} = \infty;\quad \mathcal K^\pm_{\inf}(\nu_a,\mu^*) = "
        r"0 \Rightarrow n^q_\infty(a) = \infty",
        *CONSISTENT,
        "there are at least two optimal arms",
        rests_on=("lower.multiple_weighted.corrected",),
    ),
    _claim(
        "lower.multiple_weighted",
        at((659, 663), (712, 716), sha="3f2a9993ca8ae55b"),
        "As printed: the limits inferior of expected queries / ln T of the optimal arms, weighted by their "
        "divergences to laws of smaller mean, add up to at least one, and so do those of two optimal arms weighted "
        "by their divergences to laws of larger mean.",
        r"\sum_{a \in A_*} \mathcal K^-_{\inf}(\nu_a,\mu^*)\, n^q_\infty(a) \ge 1,\quad \mathcal "
        r"K^+_{\inf}(\nu_a,\mu^*)\, n^q_\infty(a) + \mathcal K^+_{\inf}(\nu_b,\mu^*)\, n^q_\infty(b) \ge 1",
        *CONSISTENT,
        erratum="E2",
        printed="sums of limits inferior: with divergences of zero and two limits inferior of zero, which strategies that "
        "take turns have, either sum is zero",
    ),
    _claim(
        "lower.multiple_weighted.corrected",
        at((659, 663), (712, 716), sha="3f2a9993ca8ae55b"),
        "With several optimal arms, every M, every d < 1 and all large T: some optimal arm has more than M ln T "
        "expected queries, or a weighted sum of theirs is at least d ln T. The weights are the arms' divergences to "
        "laws of smaller mean, if these are finite; for two optimal arms those to laws of larger mean do as well.",
        r"\sum_{a \in A_*} \mathcal K^-_{\inf}(\nu_a,\mu^*) E[n^q_T(a)] \ge d \ln T",
        *CONSISTENT,
        "there are at least two optimal arms",
        rests_on=(
            "kl.counts_inequality",
            "kl.log_lower_bound",
            "lower.optimal_share_tends_to_one",
            "kinf.definition",
        ),
    ),
    _claim(
        "lower.plays_too",
        at(317, sha="4f1eedb6993820bc"),
        "Expected queries are at most expected plays, so every lower bound on queries bounds plays as well.",
        r"E[n^q_T(a)] \le E[n_T(a)]",
        *FINITE,
        rests_on=("counts.queries_at_most_plays",),
    ),
    _claim(
        "lower.logarithmic_only_if",
        at(321, sha="0becf486551fd137"),
        "With several optimal arms, a consistent strategy can query them logarithmically often, even for infinitely "
        "many horizons only, only if one of them has a positive divergence to laws of smaller mean, and at most one "
        "a divergence of zero to laws of larger mean.",
        r"\liminf_T \sum_{a \in A_*} \frac{E[n^q_T(a)]}{\ln T} < \infty \Rightarrow \exists a \in A_*: \mathcal "
        r"K^-_{\inf}(\nu_a,\mu^*) > 0,\ |\{a \in A_*: \mathcal K^+_{\inf}(\nu_a,\mu^*) = 0\}| \le 1",
        *CONSISTENT,
        rests_on=("lower.multiple_optimal.corrected",),
    ),
    _claim(
        "lower.standard_families",
        at(321, sha="0becf486551fd137"),
        "In the family of all Bernoulli laws, whatever the optimal mean is, the upward divergence at it is zero for "
        "all laws of this mean, or the downward one is: one of the two conditions holds; the paper says so of "
        "standard families.",
        r"\forall \mu:\ \mathcal K^+_{\inf}(\nu, \mu) = 0 \text{ for all } \nu \text{ of mean } \mu, \text{ or } "
        r"\mathcal K^-_{\inf}(\nu, \mu) = 0 \text{ for all}",
        rests_on=("kinf.definition",),
    ),
    _claim(
        "lower.proof_steps",
        at((591, 596), (691, 702), sha="beaa4ab321a272be"),
        "Two steps in the proof of the lower bounds: x k + y m <= (x + y) max{k, m} for nonnegative x and y; and if "
        "two probabilities add up to at most one, their complements add up to at least one.",
        r"xk + ym \le (x+y)\max\{k,m\},\quad p_a + p_b \le 1 \Rightarrow 2 - p_a - p_b \ge 1",
    ),
    _claim(
        "lower.optimal_share_tends_to_one",
        at((562, 567), (642, 647), sha="b5ce365afc0d304f"),
        "Consistency makes the share of plays on optimal arms tend to one.",
        r"\sum_{a \in A_*} E[n_T(a)]/T \ge 1 - K T^{\alpha-1} \to 1",
        *CONSISTENT,
        rests_on=("consistency.definition.corrected",),
    ),
    _claim(
        "lower.balancing_threshold",
        at(319, sha="fb2c5e2d1408d07b"),
        "Let the upward divergence of arm a and the downward divergence of the optimal arm be continuous in the "
        "threshold, and zero at the means of these arms. Then they are equal at some threshold between the two "
        "means, for rewards in [0, 1] strictly between. This threshold maximises the right side of the bound.",
        r"\exists \mu_0: \mathcal K^+_{\inf}(\nu_a, \mu_0) = \mathcal K^-_{\inf}(\nu_{a^*}, \mu_0) = \min_\mu "
        r"\max\{\mathcal K^+_{\inf}(\nu_a, \mu), \mathcal K^-_{\inf}(\nu_{a^*}, \mu)\}",
        *FINITE,
        rests_on=("kinf.monotone.corrected", "lower.unique_pair.corrected"),
    ),
    _claim(
        "lower.balancing_threshold.bernoulli",
        at(319, sha="fb2c5e2d1408d07b"),
        "In the family of all Bernoulli laws, for two arms of different means, the two divergences are equal at one "
        "threshold alone, which has a closed form and lies strictly between the means, and no threshold has a "
        "smaller maximum of the two.",
        r"\mu_0 = \frac{1}{1 + e^c},\quad c = \frac{h(\mu_a) - h(\mu^*)}{\mu^* - \mu_a},\quad h(x) = x \ln x + "
        r"(1-x) \ln(1-x)",
        rests_on=("lower.balancing_threshold", "kinf.definition"),
    ),
    _claim(
        "lower.balancing_threshold.gaussian",
        at(319, sha="fb2c5e2d1408d07b"),
        "In the family of all Gaussian laws of unit variance, for two arms of different means, the two divergences "
        "are equal at one threshold alone between the means, the midpoint, and no threshold has a smaller maximum "
        "of the two.",
        r"\mu_0 = \mu_a + \Delta_a/2 = \mu^* - \Delta_a/2",
        expected=Verdict.CERTIFIED,
        rests_on=("kinf.monotone.corrected", "kinf.gaussian", "lower.unique_pair.corrected"),
    ),
    _claim(
        "lower.strictness_of_mean",
        at(555, (289, 293), 585, 601, sha="03cc7ebe909d6997"),
        "In the lower bound's proof one arm is raised to a mean of at least a threshold, and the former optimal arm "
        "is lowered below it, which makes it strictly suboptimal. So in the first case of the proof the raised arm "
        "may stay at the threshold. The second takes strictly larger means, whose infimum is the divergence Kinf+.",
        r"E[\nu'_a] \ge \mu > E[\nu'_{a^*}] \Rightarrow E[\nu'_a] > E[\nu'_{a^*}]",
    ),
    _claim(
        "lower.example_d1_d2",
        at((726, 744), sha="f8036cb211ef8ea0"),
        "Among the laws on {0, 1} with mean at most x and the laws on {x, 1}, at the threshold x: Ber(x) has "
        "divergence 0 to laws of smaller mean and infinite divergence to laws of larger mean, and the point mass at "
        "x has it the other way round.",
        r"\mathcal K^-(\mathrm{Ber}(x), x) = 0 = \mathcal K^+(\delta_x, x),\quad \mathcal K^+(\mathrm{Ber}(x), x) = "
        r"\infty = \mathcal K^-(\delta_x, x)",
        "0 < x < 1",
        rests_on=("kinf.definition",),
    ),
    _claim(
        "lower.example_cases",
        at((730, 741), sha="b754cde070ef036d"),
        "Let arms have laws on {0, 1} with mean at most x, or laws on {x, 1}, and let x be the optimal mean. Two or "
        "more optimal arms, all of the first kind, are queried together more than any multiple of ln T times; so "
        "are any two of the second kind. With one of the second kind and the others of the first, neither condition "
        "of the theorem holds.",
        r"A_* \subset D_1 \Rightarrow \sum_{a \in A_*} \frac{E[n^q_T(a)]}{\ln T} \to \infty;\quad a, b \in A_* \cap "
        r"D_2 \Rightarrow \frac{E[n^q_T(a)] + E[n^q_T(b)]}{\ln T} \to \infty",
        "0 < x < 1",
        "the strategy is consistent in expectation",
        rests_on=("lower.example_d1_d2", "lower.multiple_optimal.corrected"),
    ),
    _claim(
        "lower.conditions_necessary",
        at(744, sha="ffcc2731ee5e893a"),
        "As printed, the two conditions are believed to be necessary too: where neither holds, logarithmically many "
        "queries of the optimal arms should suffice.",
        r"\neg (1) \wedge \neg (2) \Rightarrow E[n^q_T(a)] = O(\ln T),\ a \in A_*",
        *CONSISTENT,
        erratum="E34",
        printed="with all Bernoulli laws and the constant 1/2 as the family, an arm that always pays 1/2 beside an arm "
        "Ber(1/2) meets neither condition, and every consistent strategy queries Ber(1/2) super-logarithmically",
    ),
    _claim(
        "lower.conditions_necessary.corrected",
        at(744, sha="ffcc2731ee5e893a"),
        "A third condition forces super-logarithmic queries too: beside another optimal arm, an optimal arm both of "
        "whose divergences at the optimal mean are zero is queried super-logarithmically; that logarithmically many "
        "queries of the optimal arms suffice where none of the three holds is a conjecture, and not claimed here.",
        r"\mathcal K^\pm_{\inf}(\nu_a, \mu^*) = 0,\ |A_*| \ge 2 \Rightarrow E[n^q_T(a)] / \ln T \to \infty",
        *CONSISTENT,
        "there are at least two optimal arms",
        rests_on=("lower.multiple_optimal.corrected",),
    ),
    _claim(
        "lower.example_logarithmic_suffices",
        at(736, sha="620523e257082472"),
        "Let arms have laws on {0, 1} with mean at most x, or laws on {x, 1}. Some consistent strategy of two arms "
        "makes at most 1/(1 - x) + 1 expected queries of each arm, whatever the horizon, where one arm always pays "
        "x and the other is Ber(x): logarithmically many suffice there.",
        r"E[n^q_T(a)] \le \frac{1}{1 - x} + 1 \quad (\delta_x, \mathrm{Ber}(x))",
        "0 < x < 1",
        "two arms",
        rests_on=("lower.example_d1_d2",),
    ),
    _claim(
        "lower.example_sample_count",
        at(736, sha="620523e257082472"),
        "As printed, of order ln(1/delta) / ln(1/(1-x)) samples show a zero of Ber(x) with certainty 1 - delta.",
        r"n = \ln(1/\delta) / \ln(1/(1-x))",
        erratum="E6",
        printed="the probability of no zero is x^n",
    ),
    _claim(
        "lower.example_sample_count.corrected",
        at(736, sha="620523e257082472"),
        "n samples of Ber(x) contain no zero with probability x^n, which is at most delta exactly when n is at "
        "least ln(1/delta) / ln(1/x).",
        r"x^n \le \delta \iff n \ge \ln(1/\delta)/\ln(1/x)",
        expected=Verdict.CERTIFIED,
    ),
    _claim(
        "costs.query_aware_regret",
        at((752, 759), sha="aa7aa9f3dfbd7722"),
        "The query-aware regret, regret plus the price of all queries, is at least the sum over arms of (gap + "
        "price) times expected queries.",
        r"\mathrm{Reg}^q(T) \ge \sum_a (\Delta_a + c) E[n^q_T(a)]",
        *FINITE,
        rests_on=("regret.decomposes", "counts.queries_at_most_plays"),
    ),
    _claim(
        "costs.any_price",
        at(325, sha="b98f2ee2659ac70e"),
        "A strategy that queries a fixed share of the rounds has a regret plus price of queries that is linear in "
        "the horizon, at every positive price.",
        r"\sum_a E[n^q_T(a)] \ge r T \Rightarrow \mathrm{Reg}^q(T) \ge c r T",
        *FINITE,
        rests_on=("costs.query_aware_regret",),
    ),
    _claim(
        "costs.unique",
        at(760, 762, sha="3138e9eb406faae8"),
        "Sub-polynomial regret on every instance implies consistency; and for a consistent strategy the regret plus "
        "price of queries is at least (gap + price) ln T / Kinf+ for each suboptimal arm, asymptotically, with "
        "Kinf+ the arm's divergence to laws with a mean above the optimal one.",
        r"\liminf_T \mathrm{Reg}^q(T)/\ln T \ge (\Delta_a + c)/\mathcal K^+_{\inf}(\nu_a, \mu^*)",
        *CONSISTENT,
        rests_on=(
            "costs.query_aware_regret",
            "consistency.definition.corrected",
            "lower.suboptimal_arms",
            "lower.unique_optimal_arm",
        ),
    ),
    _claim(
        "costs.degradation",
        at(762, sha="127147d265868119"),
        "Few queries of the best arm cost reward. Let Bernoulli arms have a unique optimal arm, of mean mu* < 1. "
        "For every M there is a factor above 1: a consistent strategy with at most M ln T expected queries of the "
        "optimal arm queries every other arm a, for all large T, more than this factor times ln T / kl(mu_a, mu*).",
        r"E[n^q_T(a^*)] \le M \ln T \Rightarrow E[n^q_T(a)] \ge \rho_M \frac{\ln T}{\mathrm{kl}(\mu_a, \mu^*)},\ "
        r"\rho_M > 1",
        "the family is that of all Bernoulli laws",
        *CONSISTENT[1:],
        rests_on=("lower.unique_pair_weighted.corrected", "kinf.definition"),
    ),
    _claim(
        "costs.no_logarithmic_regret",
        at(764, sha="6b82bb792b14019d"),
        "Where the optimal arms together need more than any multiple of ln T queries, a positive price makes the "
        "regret plus price of queries of a consistent strategy grow faster than every multiple of ln T.",
        r"\mathrm{Reg}^q(T)/\ln T \ge c \sum_{a \in A_*} E[n^q_T(a)]/\ln T \to \infty",
        *CONSISTENT,
        rests_on=("costs.query_aware_regret", "lower.multiple_optimal.corrected"),
    ),
)
