"""The conformance protocol (docs/protocol.md) for adapters of other people's libraries, on the standard library alone."""

import json
import sys
from importlib.metadata import version


def option(name):
    """The word after an option of the adapter's command line, or None."""
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def serve(name, package, confidence, library, *, random_start=False):
    """Answers the requests on stdin. `library(arms)` has `choose()`, an arm from 0 on, and `learn(arm, reward)`.

    The oracle wants arm t in initial round t. Of a library that plays its new arms in random order (`random_start`) the
    arms are numbered in the order in which it first plays them, which changes nothing but their names; with --as-is they
    are not.
    """
    convention = option("--as") or confidence
    about = {"name": name, "language": "Python", "version": version(package)}
    live, order, played = None, [], None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"ok": True}
        if request["command"] == "start":
            answer = {"version": 1, "implementation": about, "policies": ["ucb"], "confidence": [convention]}
        elif request["command"] == "reset":
            live = library(request["arms"])
            order = [] if random_start and "--as-is" not in sys.argv else list(range(request["arms"]))
        elif request["command"] == "decide":
            played = int(live.choose())
            if played not in order:
                order.append(played)
            answer = {"arm": order.index(played) + 1, "query": True}
        elif request["command"] == "observe":
            live.learn(played, request["reward"])
        else:
            return
        print(json.dumps(answer), flush=True)
