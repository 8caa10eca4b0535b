"""The law by brute force: every reward sequence, one simulated run each. Slow, and obviously right."""

from fractions import Fraction

from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import policy_named
from bufalu.reference.simulation import simulate
from bufalu.reference.traces import Tally


class _ScriptedRewards:
    """Rewards by position in the run: the m-th query of the run pays the script's m-th choice."""

    def __init__(self, instance, script):
        self.instance, self.script, self.used = instance, script, []

    def draw(self, arm, k):
        distribution = self.instance.arms[arm - 1]
        choice = self.script[len(self.used)] if len(self.used) < len(self.script) else 0
        self.used.append((choice, len(distribution.values)))
        self.probability = getattr(self, "probability", Fraction(1)) * distribution.probabilities[choice]
        return distribution.values[choice]


def all_runs(instance, schedule, horizon, *, policy="bufalu", confidence="hoeffding", ties="first"):
    """Every run with its probability: depth-first over the outcomes of the queries."""
    script = []
    while True:
        rewards = _ScriptedRewards(instance, script)
        live = LivePolicy(policy_named(policy), instance.number_of_arms, confidence, ties)
        rounds = list(simulate(live, instance, schedule, horizon, rewards))
        yield rounds, getattr(rewards, "probability", Fraction(1))
        choices = [choice for choice, _ in rewards.used]
        sizes = [size for _, size in rewards.used]
        for position in reversed(range(len(choices))):
            if choices[position] + 1 < sizes[position]:
                script = [*choices[:position], choices[position] + 1]
                break
        else:
            return


def expectations(instance, schedule, horizon, *, policy="bufalu", confidence="hoeffding", ties="first"):
    """Expected plays and queries per arm, the sum of P(not G_t), the distribution of queries."""
    arms = instance.number_of_arms
    plays, queries = [Fraction(0)] * arms, [Fraction(0)] * arms
    bad, distribution, mass = Fraction(0), {}, Fraction(0)
    for rounds, probability in all_runs(instance, schedule, horizon, policy=policy, confidence=confidence, ties=ties):
        tally = Tally(arms)
        for _ in tally.count(iter(rounds)):
            pass
        for arm in range(arms):
            plays[arm] += probability * tally.plays[arm]
            queries[arm] += probability * tally.queries_per_arm()[arm]
        total = sum(played.query for played in rounds)
        distribution[total] = distribution.get(total, Fraction(0)) + probability
        bad += probability * sum(is_bad_round(instance, rounds, t, confidence) for t in range(1, horizon + 1))
        mass += probability
    assert mass == 1
    return plays, queries, bad, distribution


def is_bad_round(instance, rounds, t, confidence):
    """Whether the good event fails at round t, from the definitions of l.1136 and l.1214."""
    interval = confidence_named(confidence)
    for number, arm in enumerate(instance.arms, start=1):
        seen = [played.reward for played in rounds[: t - 1] if played.arm == number and played.query]
        n = len(seen)
        if n < interval.needed_queries or t < 2:
            continue
        mean = Fraction(sum(seen)) / n
        variance = sum((Fraction(x) - mean) ** 2 for x in seen) / (n - 1) if n > 1 else Fraction(0)
        if confidence == "hoeffding":
            radius = root(Fraction(3, 2 * n)) * log_root(t)
        else:
            radius = root(6 * variance / n) * log_root(t) + Exact.of(Fraction(7, n - 1)) * log_root(t, 2)
        if radius < Exact.of(abs(mean - arm.mean)):
            return True
        if confidence == "bernstein":
            off = root(variance) - root(arm.variance)
            off = -off if off.sign() < 0 else off
            if root(Fraction(6, n - 1)) * log_root(t) < off:
                return True
    return False
