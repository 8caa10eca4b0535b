"""Programs for the tests of `bufalu conform`: correct in doubles, a known bug, or broken in a named way."""

import json
import math
import signal
import sys
from pathlib import Path

BEHAVIOURS = """
correct mutant counts-on epsilon-of-round-before odd-name skips skips-one-arm skips-four-arms skips-after-smoke
knows-nothing wrong-version observes-wrongly error list crashes hangs never-stops stops-badly garbage nan twice nested
endless chatty binary arm-zero arm-beyond arm-text arm-true
"""


def misbehaving(behaviour: str, *rest: str) -> tuple[str, ...]:
    """The command of a program that behaves so; raises `ValueError` for what it would not know, and play right."""
    if behaviour not in BEHAVIOURS.split():
        raise ValueError(f"no program behaves like '{behaviour}'")
    return (sys.executable, __file__, behaviour, *rest)


BEHAVIOUR, *REST = misbehaving(*sys.argv[1:])[2:] if __name__ == "__main__" else ["correct"]
ABOUT = {"name": "test program", "language": "Python", "version": "0"}


class PlainBufalu:
    """BuFALU with Hoeffding intervals in doubles: nothing is imported, so that the program starts quickly."""

    def __init__(self, arms):
        self.counts, self.sums, self.asked = [0] * arms, [0.0] * arms, 0

    def decide(self, t, epsilon):
        arms = range(len(self.counts))
        if t <= len(arms):
            self.asked = t - 1
            return t, True
        radius = [math.sqrt(1.5 * math.log(t) / n) for n in self.counts]
        mean = [total / n for total, n in zip(self.sums, self.counts, strict=True)]
        leader = max(arms, key=lambda a: mean[a] - radius[a])
        others = [a for a in arms if a != leader]
        if not others:
            return leader + 1, False
        challenger = max(others, key=lambda a: mean[a] + radius[a])
        candidate = max((leader, challenger), key=lambda a: radius[a])
        lower = mean[leader] - radius[leader]
        if mean[challenger] + radius[challenger] <= lower or mean[candidate] + radius[candidate] - lower <= epsilon:
            return leader + 1, False
        self.asked = candidate
        return candidate + 1, True

    def observe(self, reward):
        self.counts[self.asked] += 1
        self.sums[self.asked] += reward


class MisbehavingProgram:
    def __init__(self):
        self.live = None
        self.decisions = 0
        self.runs = 0
        self.epsilon = 1.0

    def answer(self, request):
        command = request["command"]
        if command == "start":
            return self.introduce()
        if command == "reset":
            return self.reset(request)
        if command == "observe":
            self.live.observe(request["reward"])
            return {"ok": True} if BEHAVIOUR != "observes-wrongly" else {"ok": "yes"}
        return self.decide(request)

    def introduce(self):
        declared = ["bufalu", "unheard-of"] if BEHAVIOUR != "knows-nothing" else ["unheard-of"]
        about = ABOUT if BEHAVIOUR != "odd-name" else {**ABOUT, "name": "half \ud800 and \x1b[31mred"}
        version = 2 if BEHAVIOUR == "wrong-version" else 1
        return {"version": version, "implementation": about, "policies": declared, "confidence": ["hoeffding"]}

    def reset(self, request):
        self.decisions = 0
        self.runs += 1
        skips = {
            "skips": True,
            "skips-one-arm": request["arms"] == 1,
            "skips-four-arms": request["arms"] > 3,
            "skips-after-smoke": self.runs > 1,
        }
        if skips.get(BEHAVIOUR, False):
            return {"skipped": "not in the mood"}
        if BEHAVIOUR == "mutant":
            from bufalu.oracle.known_bugs import known_bug_named

            self.live = known_bug_named(REST[0]).live(request["policy"], request["arms"], request["confidence"])
        else:
            self.live = PlainBufalu(request["arms"])
        if BEHAVIOUR == "counts-on" and self.runs > 1:
            self.live.counts[0] = 1
        return {"ok": True}

    def decide(self, request):
        self.decisions += 1
        if self.decisions == 5:
            misbehave()
        epsilon = self.epsilon if BEHAVIOUR == "epsilon-of-round-before" else request["epsilon"]
        self.epsilon = request["epsilon"]
        chosen, query = self.live.decide(request["round"], epsilon)
        if self.decisions == 5 and BEHAVIOUR == "error":
            return {"error": "I refuse"}
        if self.decisions == 5 and BEHAVIOUR == "list":
            return [1, True]
        arm = {"arm-zero": 0, "arm-beyond": request["round"] + 100, "arm-text": "one", "arm-true": True}
        return {"arm": arm.get(BEHAVIOUR, chosen), "query": query}


def be_silent():
    """Say so in the file that was named, and nothing more, ever."""
    Path(REST[0]).touch()
    signal.pause()


def misbehave():
    if BEHAVIOUR == "crashes":
        print("a cry for help", file=sys.stderr)
        sys.exit(7)
    if BEHAVIOUR == "hangs":
        be_silent()
    outputs = {
        "garbage": "Segmentation fault",
        "nan": '{"arm": NaN, "query": true}',
        "twice": '{"arm": 1, "arm": 1, "query": true}',
        "nested": "[" * 100_000,
        "endless": "x" * 200_000,
        "chatty": '{"arm": 1, "query": true}\n{"arm": 1, "query": true}',
    }
    if BEHAVIOUR in outputs:
        print(outputs[BEHAVIOUR], flush=True)
    if BEHAVIOUR == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n")
        sys.stdout.flush()


if __name__ == "__main__":
    program = MisbehavingProgram()
    for line in sys.stdin:
        message = json.loads(line)
        if message["command"] == "stop":
            if BEHAVIOUR == "never-stops":
                be_silent()
            sys.exit(3 if BEHAVIOUR == "stops-badly" else 0)
        print(json.dumps(program.answer(message)), flush=True)
