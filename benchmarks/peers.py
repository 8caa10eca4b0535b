"""One UCB run as the peers do it; run in the bench environment, prints one JSON line with rounds a processor second.

python peers.py smpybandits|mabwiser|numpy|versions
"""

import json
import sys
import time

MEANS = [0.25, 0.25, 0.25, 0.25, 0.5]


def smpybandits(horizon):
    """SMPyBandits' own UCBalpha policy and Bernoulli arms, in its own loop of choices and rewards."""
    from SMPyBandits.Arms import Bernoulli
    from SMPyBandits.Policies import UCBalpha

    policy = UCBalpha(len(MEANS), alpha=3)
    policy.startGame()
    arms = [Bernoulli(mean) for mean in MEANS]
    start = time.process_time()
    for _ in range(horizon):
        arm = policy.choice()
        policy.getReward(arm, arms[arm].draw())
    return horizon / (time.process_time() - start)


def mabwiser(horizon):
    """MABWiser's UCB1 with partial fits of one reward, the way it is used online."""
    import numpy as np
    from mabwiser.mab import MAB, LearningPolicy

    rng = np.random.default_rng(0)
    bandit = MAB(list(range(len(MEANS))), LearningPolicy.UCB1(alpha=1.25))
    bandit.fit(list(range(len(MEANS))), [0.0] * len(MEANS))
    start = time.process_time()
    for _ in range(horizon):
        arm = bandit.predict()
        bandit.partial_fit([arm], [float(rng.random() < MEANS[arm])])
    return horizon / (time.process_time() - start)


def lock_step(horizon, seeds=1000):
    """1,000 seeds in lock-step: what a careful user of numpy writes. Rewards are drawn for the chosen arms only."""
    import numpy as np

    rng = np.random.default_rng(0)
    means = np.array(MEANS)
    rows = np.arange(seeds)
    counts = np.ones((seeds, len(MEANS)))
    sums = (rng.random((seeds, len(MEANS))) < means).astype(float)
    index = np.empty_like(counts)
    start = time.process_time()
    for t in range(len(MEANS) + 1, horizon + 1):
        np.divide(1.5 * np.log(t), counts, out=index)
        np.sqrt(index, out=index)
        index += sums / counts
        arm = index.argmax(axis=1)
        counts[rows, arm] += 1
        sums[rows, arm] += rng.random(seeds) < means[arm]
    return seeds * (horizon - len(MEANS)) / (time.process_time() - start)


def versions():
    """The versions of what is measured."""
    from importlib.metadata import version

    return {name: version(name) for name in ("SMPyBandits", "mabwiser", "numpy")}


if __name__ == "__main__":
    chosen = sys.argv[1]
    if chosen == "versions":
        print(json.dumps(versions()))
    else:
        peers = {"smpybandits": (smpybandits, 20_000), "mabwiser": (mabwiser, 1_000), "numpy": (lock_step, 4_000)}
        rate, horizon = peers[chosen]
        print(json.dumps({"rounds_per_second": max(rate(horizon) for _ in range(3))}))
