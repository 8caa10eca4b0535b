"""Claims about consistent strategies: the asymptotic lower bounds, their proof steps and consequences (l.284-323)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.LOWER
CONSISTENT = ("the strategy is consistent in expectation",)

CLAIMS = (
    Claim(
        "kinf.definition",
        at((287, 294)),
        SECTION,
        "The smallest divergence to a distribution of larger (smaller) mean; for Bernoulli arms it is kl(p, mu) for "
        "mu above (below) p, 0 on the other side, and infinite where no such distribution exists.",
        r"\mathcal K^+_{\inf}(\mathrm{Ber}(p), \mu) = \mathrm{kl}(p, \mu)\ (p \le \mu < 1),\quad +\infty\ (\mu = 1)",
        Verdict.CERTIFIED,
    ),
    Claim(
        "kinf.monotone",
        at(319),
        SECTION,
        "As printed, the upward divergence decreases in the threshold and the downward one increases.",
        r"\mu \mapsto \mathcal K^+_{\inf}(\nu, \mu) \text{ decreasing},\ \mathcal K^-_{\inf} \text{ increasing}",
        Verdict.ERRATUM,
        erratum=Erratum("E3", "the two directions are exchanged", "kinf.monotone.corrected"),
    ),
    Claim(
        "kinf.monotone.corrected",
        at(319),
        SECTION,
        "A higher threshold leaves fewer distributions above it and more below: the upward divergence is "
        "nondecreasing in the threshold and the downward one nonincreasing.",
        r"\mu \le \mu' \Rightarrow \mathcal K^+_{\inf}(\nu, \mu) \le \mathcal K^+_{\inf}(\nu, \mu'),\ "
        r"\mathcal K^-_{\inf}(\nu, \mu) \ge \mathcal K^-_{\inf}(\nu, \mu')",
        Verdict.CERTIFIED,
    ),
    Claim(
        "kinf.gaussian",
        at(353),
        SECTION,
        "For Gaussian arms of unit variance both divergences are half the squared distance to the threshold.",
        r"\mathrm{KL}(N(m,1), N(m',1)) = (m-m')^2/2",
        Verdict.CERTIFIED,
    ),
    Claim(
        "consistency.definition",
        at((300, 302)),
        SECTION,
        "As printed, consistency asks the random number of plays of a suboptimal arm to be o(T^alpha).",
        r"n_T(a) = o(T^\alpha)",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E5",
            "the proofs need the expected number of plays; the printed form lacks the expectation",
            "consistency.definition.corrected",
        ),
    ),
    Claim(
        "consistency.definition.corrected",
        at((300, 302)),
        SECTION,
        "Consistency: the expected number of plays of each suboptimal arm is o(T^alpha) for every positive alpha. It "
        "implies, and is not implied by, the pathwise form in probability.",
        r"E[n_T(a)] = o(T^\alpha)",
        Verdict.ARGUED,
    ),
    Claim(
        "kl.counts_inequality",
        at((505, 512)),
        SECTION,
        "For two instances, expected queries weighted by divergences dominate the binary divergence of any "
        "[0, 1]-valued statistic of the history.",
        r"\sum_a E_\nu[n^q_T(a)]\, \mathrm{KL}(\nu_a, \nu'_a) \ge \mathrm{kl}(E_\nu Z, E_{\nu'} Z)",
        Verdict.EXACT,
        ("cited; decided exactly on pairs of small Bernoulli instances",),
    ),
    Claim(
        "kl.log_lower_bound",
        at((517, 521)),
        SECTION,
        "The binary divergence is at least each of its two cross terms minus ln 2.",
        r"\mathrm{kl}(p,q) \ge \max\{p \ln(1/q), (1-p) \ln(1/(1-q))\} - \ln 2",
        Verdict.CERTIFIED,
    ),
    Claim(
        "lower.suboptimal_arms",
        at(308, (523, 551)),
        SECTION,
        "A consistent strategy queries each suboptimal arm at least ln T / Kinf+ times, asymptotically.",
        r"\liminf_T E[n^q_T(a)]/\ln T \ge 1/\mathcal K^+_{\inf}(\nu_a, \mu^*)",
        Verdict.ARGUED,
        CONSISTENT,
    ),
    Claim(
        "lower.unique_optimal_arm",
        at(309, (585, 589)),
        SECTION,
        "A consistent strategy queries a unique optimal arm at least ln T / Kinf-(best suboptimal mean) times.",
        r"\liminf_T E[n^q_T(a^*)]/\ln T \ge 1/\mathcal K^-_{\inf}(\nu_{a^*}, \mu^s)",
        Verdict.ARGUED,
        CONSISTENT,
    ),
    Claim(
        "lower.unique_pair",
        at((309, 313), (603, 614)),
        SECTION,
        "As printed, the two separate limits inferior of a suboptimal and the optimal arm add up to at least the "
        "inverse of the larger divergence; likewise in the weighted form.",
        r"n^q_\infty(a) + n^q_\infty(a^*) \ge 1/\max\{\mathcal K^+_{\inf}(\nu_a,\mu), "
        r"\mathcal K^-_{\inf}(\nu_{a^*},\mu)\}",
        Verdict.GAP,
        CONSISTENT,
        Erratum(
            "E1",
            "the proof bounds the limit inferior of the sum, which may exceed the sum of the limits inferior",
            "lower.unique_pair.corrected",
        ),
    ),
    Claim(
        "lower.unique_pair.corrected",
        at((591, 601)),
        SECTION,
        "The limit inferior of the sum of the two normalised expected counts is at least the inverse of the larger "
        "divergence, for every threshold from the suboptimal arm's mean to the optimal one.",
        r"\liminf_T \frac{E[n^q_T(a)] + E[n^q_T(a^*)]}{\ln T} \ge "
        r"\frac{1}{\max\{\mathcal K^+_{\inf}(\nu_a,\mu), \mathcal K^-_{\inf}(\nu_{a^*},\mu)\}}",
        Verdict.ARGUED,
        CONSISTENT,
    ),
    Claim(
        "lower.threshold_range",
        at(309, 319),
        SECTION,
        "As printed, thresholds range between the best suboptimal mean and the optimal mean, and the balancing "
        "threshold of the discussion is among them.",
        r"\mu_0 \in [\mu^s, \mu^*]",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E4",
            "the balancing threshold of an arm below the best suboptimal one can lie below that range",
            "lower.threshold_range.corrected",
        ),
    ),
    Claim(
        "lower.threshold_range.corrected",
        at(309, 555),
        SECTION,
        "The balancing threshold of arm a lies in [mu_a, mu*], and for any threshold a modified arm a above it is "
        "better than a modified optimal arm below it, which is all that the proof asks of the modified instance.",
        r"\mu_0 \in [\mu_a, \mu^*];\quad E[\nu'_a] > \mu > E[\nu'_{a^*}] \Rightarrow E[\nu'_a] > E[\nu'_{a^*}]",
        Verdict.CERTIFIED,
    ),
    Claim(
        "lower.multiple_optimal",
        at(314, (659, 663), (712, 716)),
        SECTION,
        "As printed, with several optimal arms and vanishing divergences, some single optimal arm has infinite "
        "normalised limit inferior.",
        r"\exists a \in A_*: \liminf_T E[n^q_T(a)]/\ln T = \infty",
        Verdict.GAP,
        CONSISTENT,
        Erratum(
            "E2",
            "an infinite limit inferior of a sum does not give an arm with an infinite limit inferior",
            "lower.multiple_optimal.corrected",
        ),
    ),
    Claim(
        "lower.multiple_optimal.corrected",
        at((652, 658), (705, 711)),
        SECTION,
        "Under the printed conditions the optimal arms together are queried super-logarithmically; and an optimal "
        "arm "
        "with both divergences zero is queried super-logarithmically itself.",
        r"\liminf_T \sum_{a \in A_*} \frac{E[n^q_T(a)]}{\ln T} = \infty;\quad "
        r"\mathcal K^\pm_{\inf}(\nu_a,\mu^*) = 0 \Rightarrow n^q_\infty(a) = \infty",
        Verdict.ARGUED,
        CONSISTENT,
    ),
    Claim(
        "lower.proof_steps",
        at((591, 596), (691, 702)),
        SECTION,
        "A weighted sum is at most the sum times the largest weight, and two shares of a total of one leave at least "
        "one of two.",
        r"xk + ym \le (x+y)\max\{k,m\},\quad p_a + p_b \le 1 \Rightarrow 2 - p_a - p_b \ge 1",
        Verdict.PROVED,
    ),
    Claim(
        "lower.optimal_share_tends_to_one",
        at((562, 567), (642, 647)),
        SECTION,
        "Consistency makes the share of plays on optimal arms tend to one.",
        r"\sum_{a \in A_*} E[n_T(a)]/T \ge 1 - K T^{\alpha-1} \to 1",
        Verdict.ARGUED,
        CONSISTENT,
    ),
    Claim(
        "lower.discussion",
        at(319),
        SECTION,
        "For Gaussian and for Bernoulli arms the two divergences cross at one threshold strictly between the means, "
        "which minimises their maximum: the midpoint for Gaussian arms, a closed form for Bernoulli arms.",
        r"\exists!\, \mu_0 \in (\mu_a, \mu^*): \mathcal K^+_{\inf}(\nu_a, \mu_0) = "
        r"\mathcal K^-_{\inf}(\nu_{a^*}, \mu_0)",
        Verdict.CERTIFIED,
    ),
    Claim(
        "lower.strictness_of_mean",
        at(555),
        SECTION,
        "As printed, one condition on the modified suboptimal arm, a mean of at least the threshold, serves both cases "
        "of the proof, while the divergence of the second case asks for a larger mean.",
        r"E[\nu'_a] \ge \mu",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E27",
            "a weak inequality where the divergence has a strict one; only the first case, which keeps the arm as it "
            "is, needs the weak one",
            "lower.strictness_of_mean.corrected",
        ),
    ),
    Claim(
        "lower.strictness_of_mean.corrected",
        at(555, (289, 293), 585, 601),
        SECTION,
        "A mean of at least the threshold for arm a and a smaller one for the former optimal arm make the latter "
        "strictly suboptimal, so the first case may keep arm a at the threshold; the second takes the infimum over "
        "strictly larger means, which is Kinf+.",
        r"E[\nu'_a] \ge \mu > E[\nu'_{a^*}] \Rightarrow E[\nu'_a] > E[\nu'_{a^*}]",
        Verdict.CERTIFIED,
    ),
    Claim(
        "lower.example_d1_d2",
        at((726, 744)),
        SECTION,
        "In the union of the two families of the example, Ber(x) has downward divergence 0 and upward divergence "
        "infinite at x, and the point mass at x the other way round.",
        r"\mathcal K^-(\mathrm{Ber}(x), x) = 0 = \mathcal K^+(\delta_x, x),\quad "
        r"\mathcal K^+(\mathrm{Ber}(x), x) = \infty = \mathcal K^-(\delta_x, x)",
        Verdict.CERTIFIED,
        ("0 < x < 1",),
    ),
    Claim(
        "lower.example_sample_count",
        at(736),
        SECTION,
        "As printed, of order ln(1/delta) / ln(1/(1-x)) samples show a zero of Ber(x) with certainty 1 - delta.",
        r"n = \ln(1/\delta) / \ln(1/(1-x))",
        Verdict.ERRATUM,
        erratum=Erratum("E6", "the probability of no zero is x^n", "lower.example_sample_count.corrected"),
    ),
    Claim(
        "lower.example_sample_count.corrected",
        at(736),
        SECTION,
        "n samples of Ber(x) contain no zero with probability x^n, which is at most delta exactly when n is at least "
        "ln(1/delta) / ln(1/x).",
        r"x^n \le \delta \iff n \ge \ln(1/\delta)/\ln(1/x)",
        Verdict.CERTIFIED,
    ),
    Claim(
        "costs.query_aware_regret",
        at((752, 759)),
        SECTION,
        "The query-aware regret is at least the sum over arms of (gap + cost) times expected queries.",
        r"\mathrm{Reg}^q(T) \ge \sum_a (\Delta_a + c) E[n^q_T(a)]",
        Verdict.PROVED,
    ),
    Claim(
        "costs.no_logarithmic_regret",
        at(764),
        SECTION,
        "Where the optimal arms together need super-logarithmic queries, a positive cost makes the query-aware "
        "regret "
        "of a consistent strategy super-logarithmic (the sum suffices, so E2 does no harm here).",
        r"\mathrm{Reg}^q(T)/\ln T \ge c \sum_{a \in A_*} E[n^q_T(a)]/\ln T \to \infty",
        Verdict.ARGUED,
        CONSISTENT,
    ),
)
