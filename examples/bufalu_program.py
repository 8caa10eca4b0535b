"""The four policies of bufalu's public API behind the conformance protocol: `bufalu conform -- python THIS_FILE`."""

import json
import sys

from bufalu import CBMUCB, BuFALU, BuFAU, Greedy

POLICIES = {"bufalu": BuFALU, "bufau": BuFAU, "cbm-ucb": CBMUCB, "greedy": Greedy}
ABOUT = {"name": "bufalu", "language": "Python", "version": "1"}

for line in sys.stdin:
    request = json.loads(line)
    command = request["command"]
    if command == "start":
        answer = {
            "version": 1,
            "implementation": ABOUT,
            "policies": list(POLICIES),
            "confidence": ["hoeffding", "bernstein"],
            "late": True,
        }
    elif command == "reset":
        late = request.get("late", False)
        live = POLICIES[request["policy"]](request["arms"], request["confidence"])
        answer = {"ok": True}
    elif command == "decide":
        decision = live.decide(request["round"], request["epsilon"])
        if late and decision.query:
            live.later()  # the answer comes with the number of this round, or never
        answer = {"arm": decision.arm, "query": decision.query}
    elif command == "observe":
        live.observe(request["reward"], request.get("round"))
        answer = {"ok": True}
    else:
        break
    print(json.dumps(answer), flush=True)
