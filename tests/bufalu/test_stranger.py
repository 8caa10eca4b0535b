"""A package outside the repository registers an interval, a schedule and a policy, and takes them through every command.

Everything runs in a process of its own, in a folder of its own, with public names: what works for the paper's objects
works for a stranger's, or is refused with the reason.
"""

import json
import os
import shutil
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.forked import forked

ROOT = Path(__file__).resolve().parents[2]
INTERVALS = ("stranger-slow", "stranger-narrow", "hoeffding:5/7")
POLICIES = ("bufalu", "greedy", "stranger-cautious:3/2")
SCHEDULES = ("stranger-log:3/2", "stranger-opaque:3/2", "power:1/4")
MEANS = ("--means", "1/4,1/2,3/4")


BATCH = """
import contextlib, io, json, sys
import stranger_objects
from bufalu.cli import main

answers = []
for arguments in json.load(sys.stdin):
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = main(arguments)
    answers.append([code, output.getvalue()])
json.dump(answers, sys.stdout)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder outside the repository with a package `stranger_objects`."""
    folder = tmp_path_factory.mktemp("stranger")
    package = folder / "stranger_objects"
    package.mkdir()
    shutil.copy(ROOT / "tests/bufalu/stranger.py", package / "__init__.py")
    return folder


def python(folder, text, *arguments, stdin=""):
    """The output of a script in the stranger's folder."""
    done = forked(lambda: script(text, arguments), folder, {"PYTHONPATH": f"{folder}:{ROOT}"}, stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(text, arguments):
    """Runs a script as if it lay in the current folder."""
    sys.path.insert(0, os.getcwd())
    sys.argv[:] = ["script.py", *arguments]
    exec(compile(text, "script.py", "exec"), {"__name__": "__main__"})


def run(folder, *commands):
    """Exit code and output of some `bufalu` commands, all in one process with the stranger's objects registered."""
    answers = json.loads(python(folder, BATCH, stdin=json.dumps(commands)))
    assert not any("Traceback" in text or "unforeseen" in text for _, text in answers)
    return answers


def simulation(name, policy, interval, schedule, horizon=24):
    """The command that writes a trace."""
    setting = ("--policy", policy, "--confidence", interval, "--epsilon", schedule, "--horizon", str(horizon))
    return ("simulate", *setting, *MEANS, "--seed", "3", "--out", name)


def test_simulate_check_and_explain(folder):
    settings = list(product(POLICIES, INTERVALS, SCHEDULES))
    names = [f"run-{number}.jsonl" for number in range(len(settings))]
    commands = [simulation(name, *setting) for name, setting in zip(names, settings, strict=True)]
    assert [code for code, _ in run(folder, *commands)] == [0] * len(names)
    for name, (policy, interval, schedule) in zip(names, settings, strict=True):
        lines = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        header = lines[0]
        assert (header["policy"], header["confidence"], header["epsilon"]) == (policy, interval, schedule)
        # a wrong run: round 12 plays another arm and does the other thing
        played = lines[12]
        changed = {"arm": played["arm"] % 3 + 1, "query": not played["query"]}
        lines[12] = played | changed | {"reward": 1 if changed["query"] else None}
        (folder / f"wrong-{name}").write_text("".join(json.dumps(line) + "\n" for line in lines[:13]))
    for strict in ((), ("--strict",)):
        answers = run(folder, *(("check", name, *strict) for name in names))
        assert all(code == 0 and "conforms" in text for code, text in answers), answers
        answers = run(folder, *(("check", f"wrong-{name}", *strict) for name in names))
        assert all(code == 1 and "round 12 is not admissible" in text for code, text in answers), answers
    told = run(folder, *(("explain", name, "--html", f"{name}.html") for name in names))
    assert [code for code, _ in told] == [0] * len(names)
    assert all("Every decision is admissible" in (folder / f"{name}.html").read_text() for name in names)
    run(folder, ("explain", f"wrong-{names[0]}", "--html", "wrong.html"))
    assert "Round 12 does not conform" in (folder / "wrong.html").read_text()


@pytest.mark.parametrize("interval", ["stranger-slow", "stranger-narrow"])
def test_a_run_with_another_interval_is_rejected(folder, interval):
    """What a default would let pass: a stranger's interval is read neither as Hoeffding's nor as Bernstein's."""
    for true in ("hoeffding", "bernstein"):
        run(folder, simulation("other.jsonl", "bufalu", true, "constant:3/4", 150))
        lines = (folder / "other.jsonl").read_text().splitlines()
        header = json.loads(lines[0]) | {"confidence": interval}
        (folder / "claims.jsonl").write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
        ((code, text),) = run(folder, ("check", "claims.jsonl"))
        assert code == 1 and "is not admissible" in text


ALL_RUNS = """
import itertools, sys
from fractions import Fraction
import stranger_objects
from bufalu import Instance, LivePolicy, Tape, parse_schedule, simulate

total = Fraction(0)
instance = Instance.bernoulli([Fraction(1, 2), Fraction(1, 4)])
for first in itertools.product((0, 1), repeat=5):
    for second in itertools.product((0, 1), repeat=5):
        weight = Fraction(1, 2**5) * Fraction(1, 4)**sum(second) * Fraction(3, 4)**(5 - sum(second))
        policy = LivePolicy("stranger-cautious:3/2", 2, sys.argv[1])
        rounds = simulate(policy, instance, parse_schedule("stranger-log:3/2"), 6, Tape((first, second)))
        total += weight * sum(played.query for played in rounds)
print(total)
"""


@pytest.mark.parametrize("interval", INTERVALS)
def test_the_law_is_that_of_all_runs(folder, interval):
    setting = ("--policy", "stranger-cautious:3/2", "--confidence", interval, "--epsilon", "stranger-log:3/2")
    ((code, text),) = run(folder, ("law", *setting, "--means", "1/2,1/4", "--horizon", "6", "--json"))
    assert code == 0
    told = json.loads(text)
    assert (told["bad_event_probability_sum"] is None) == (interval == "stranger-slow")
    assert told["expected_queries"]["exact"] == python(folder, ALL_RUNS, interval).strip()


ON_ARRAYS = """
import stranger_objects
from bufalu import Instance, LivePolicy, SeededRewards, TraceHeader, exact_law, parse_schedule, simulate
from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.oracle.checking import check_blocks

instance, epsilon = Instance.bernoulli(["1/4", "1/2"]), "stranger-log:3/2"
for interval in ("hoeffding", "stranger-narrow"):
    live = LivePolicy("stranger-cautious:3/2", 2, interval)
    rounds = list(simulate(live, instance, parse_schedule(epsilon), 3000, SeededRewards(instance, 3)))
    header = TraceHeader("stranger-cautious:3/2", interval, 2, epsilon)
    for strict in (False, True):
        checked = check_blocks(header, blocks_of_rounds(rounds), strict)
        assert checked.conforms and checked.exact_rounds < 60, checked
    found = exact_law(instance, epsilon, 40, policy="stranger-cautious:3/2", confidence=interval)
    assert found.states > 500 and found.decided_exactly == 0, (found.states, found.decided_exactly)
"""


def test_one_function_has_the_speed_of_arrays_in_check_and_law(folder):
    """A policy of one class with one function: what doubles settle is not decided round by round or state by state."""
    python(folder, ON_ARRAYS)


PROGRAM = """
import json, sys
import stranger_objects
from bufalu import LivePolicy

live = None
for line in sys.stdin:
    request = json.loads(line)
    command = request["command"]
    if command == "start":
        answer = {
            "version": 1,
            "implementation": {"name": "stranger", "language": "python", "version": "1"},
            "policies": ["stranger-cautious:3/2", "unheard-of"],
            "confidence": ["stranger-narrow"],
        }
    elif command == "reset":
        live = LivePolicy(WHICH, request["arms"], request["confidence"])
        answer = {"ok": True}
    elif command == "decide":
        arm, query = live.decide(request["round"], request["epsilon"])
        answer = {"arm": arm, "query": query}
    elif command == "observe":
        live.observe(request["reward"])
        answer = {"ok": True}
    else:
        break
    print(json.dumps(answer), flush=True)
"""


def test_conform(folder):
    (folder / "right.py").write_text(PROGRAM.replace("WHICH", 'request["policy"]'))
    (folder / "wrong.py").write_text(PROGRAM.replace("WHICH", '"stranger-cautious:1"'))
    few = ("conform", "--examples", "3", "--rounds", "12", "--arms", "2", "--timeout", "600", "--")
    right, wrong = run(folder, (*few, sys.executable, "right.py"), (*few, sys.executable, "wrong.py"))
    assert right[0] == 0 and "conforms: stranger 1" in right[1], right
    assert wrong[0] == 1 and "stranger-cautious:3/2" in wrong[1] and "a contradiction" in wrong[1], wrong


def test_the_bounds_refuse_with_the_reason(folder):
    question = ("bounds", *MEANS, "--epsilon", "stranger-log:3/2", "--horizon", "100", "--confidence")
    slow, narrow, known = run(
        folder, *((*question, name) for name in ("stranger-slow", "stranger-narrow", "hoeffding"))
    )
    assert slow[0] == narrow[0] == 2
    assert "no bound is proved for the interval 'stranger-slow'" in slow[1]
    assert "no bound is proved for the interval 'stranger-narrow'" in narrow[1]
    assert known[0] == 0 and "l.427" in known[1]


ENGINE = """
import stranger_objects
from bufalu import Instance, LivePolicy, SeededRewards, parse_schedule, simulate
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.running import Configuration, run_seeds

instance = Instance.bernoulli([0.25, 0.5])
schedule = parse_schedule("stranger-log:3/2")
for policy, interval in (("bufalu", "stranger-slow"), ("bufalu", "stranger-narrow"), ("stranger-cautious", "hoeffding")):
    try:
        Configuration(policy, instance, schedule, 300, interval)
    except OutsideEngine as problem:
        print("refused:", problem)
for policy in ("bufalu", "bufau", "cbm-ucb", "greedy"):
    outcome = run_seeds(Configuration(policy, instance, schedule, 300, "hoeffding:5/7"), [3])
    rounds = list(simulate(LivePolicy(policy, 2, "hoeffding:5/7"), instance, schedule, 300, SeededRewards(instance, 3)))
    queries = [sum(played.query for played in rounds if played.arm == arm) for arm in (1, 2)]
    assert outcome.queries[0, 0].tolist() == queries, (policy, outcome.queries, queries)
"""

STATEMENTS = """
import sys
import stranger_objects
from bufalu import read_trace
from bufalu.properties.runs.claims_on_trace import check_claims_on_trace

for name in sys.argv[1:]:
    assert check_claims_on_trace(read_trace(name), (0, 0, 0)) is not None
    assert not check_claims_on_trace(read_trace(name))
"""


def test_the_engine_refuses_with_the_reason_or_decides_alike(folder):
    pytest.importorskip("numba")
    told = python(folder, ENGINE)
    assert told.count("refused:") == 3
    assert "no form in doubles" in told
    assert "'stranger-narrow' is neither" in told
    assert "no kernel for the policy 'stranger-cautious'" in told


def test_a_study_of_ones_own_objects(folder):
    grid = [word for policy in POLICIES for word in ("--policy", policy)]
    grid += ["--confidence", "stranger-slow", "--epsilon", "stranger-log:3/2", "--horizon", "40", "--seeds", "3"]
    studied, played = run(
        folder,
        ("compare", *grid, *MEANS, "--json"),
        ("simulate", *grid[4:-2], *MEANS, "--seed", "0", "--json"),
    )
    assert (studied[0], played[0]) == (0, 0)
    cells = json.loads(studied[1])["cells"]
    assert [(cell["policy"], cell["path"]) for cell in cells] == [(policy, "reference") for policy in POLICIES]
    assert json.loads(played[1])["policy"] == POLICIES[-1]
    assert cells[-1]["queries_min"] <= json.loads(played[1])["queries"] <= cells[-1]["queries_max"]


def test_statements_about_runs(folder):
    settings = list(product(POLICIES, INTERVALS))
    names = [f"claims-{number}.jsonl" for number in range(len(settings))]
    run(
        folder, *(simulation(name, *setting, SCHEDULES[0], 60) for name, setting in zip(names, settings, strict=True))
    )
    python(folder, STATEMENTS, *names)


def test_names_are_taken_once(folder):
    python(
        folder,
        "import stranger_objects as brought\n"
        "from bufalu import BufaluError, register_interval, register_policy, register_schedule\n"
        "for register, name, thing in (\n"
        "    (register_interval, 'hoeffding', brought.SlowInterval()),\n"
        "    (register_interval, 'stranger-slow', brought.SlowInterval()),\n"
        "    (register_schedule, 'zero', brought.HalvedLog(1)),\n"
        "    (register_policy, 'bufalu', brought.Cautious(1)),\n"
        "    (register_policy, 'Not A Name', brought.Cautious(1)),\n"
        "):\n"
        "    try:\n"
        "        register(name, thing)\n"
        "    except BufaluError:\n"
        "        continue\n"
        "    raise AssertionError(name)\n",
    )
