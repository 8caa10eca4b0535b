"""Programs for the tests of `bufalu conform`: correct in doubles, a mutant of the zoo, or broken in a named way."""

import json
import sys
import time

from bufalu.properties.zoo import mutant_named
from bufalu.properties.zoo.variants import FloatPolicy

BEHAVIOUR, *REST = sys.argv[1:]
ABOUT = {"name": "test program", "language": "Python", "version": "0"}


def answer(request):
    global live, decisions
    command = request["command"]
    if command == "start":
        declared = ["bufalu", "unheard-of"] if BEHAVIOUR != "knows-nothing" else ["unheard-of"]
        reply = {"version": 1, "implementation": ABOUT, "policies": declared, "confidence": ["hoeffding"]}
        if BEHAVIOUR == "wrong-version":
            reply["version"] = 2
        return reply
    if command == "reset":
        decisions = 0
        if BEHAVIOUR == "skips":
            return {"skipped": "not in the mood"}
        if BEHAVIOUR == "mutant":
            live = mutant_named(REST[0]).live(request["policy"], request["arms"], request["confidence"])
        elif BEHAVIOUR != "keeps-state" or live is None:
            live = FloatPolicy(request["policy"], request["arms"], request["confidence"])
        return {"ok": True}
    if command == "observe":
        live.observe(request["reward"])
        return {"ok": True} if BEHAVIOUR != "observes-wrongly" else {"ok": "yes"}
    decisions += 1
    if decisions == 5:
        misbehave()
    decision = live.decide(request["round"], request["epsilon"])
    arm = {"arm-zero": 0, "arm-beyond": request["round"] + 100, "arm-text": "one", "arm-true": True}
    if decisions == 5 and BEHAVIOUR == "error":
        return {"error": "I refuse"}
    if decisions == 5 and BEHAVIOUR == "list":
        return [1, True]
    return {"arm": arm.get(BEHAVIOUR, decision.arm), "query": decision.query}


def misbehave():
    if BEHAVIOUR == "crashes":
        print("a cry for help", file=sys.stderr)
        sys.exit(7)
    if BEHAVIOUR == "hangs":
        time.sleep(60)
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


live = None
for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "stop":
        if BEHAVIOUR == "never-stops":
            time.sleep(60)
        sys.exit(3 if BEHAVIOUR == "stops-badly" else 0)
    print(json.dumps(answer(message)), flush=True)
