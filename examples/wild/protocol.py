"""The conformance protocol (docs/protocol.md) for adapters of other people's libraries, on the standard library alone."""

import json
import sys


def serve(name, version, confidence, adapter):
    """Answers the requests on stdin; `adapter(arms)` makes an object with `decide(round, epsilon)` and `observe(reward)`."""
    convention = sys.argv[sys.argv.index("--as") + 1] if "--as" in sys.argv else confidence
    live = None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"ok": True}
        if request["command"] == "start":
            about = {"name": name, "language": "Python", "version": version}
            answer = {"version": 1, "implementation": about, "policies": ["ucb"], "confidence": [convention]}
        elif request["command"] == "reset":
            live = adapter(request["arms"])
        elif request["command"] == "decide":
            arm, query = live.decide(request["round"], request["epsilon"])
            answer = {"arm": arm, "query": query}
        elif request["command"] == "observe":
            live.observe(request["reward"])
        else:
            return
        print(json.dumps(answer), flush=True)
