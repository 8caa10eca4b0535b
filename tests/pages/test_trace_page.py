"""The picture of a trace: its data, its static form, and the page in a real browser."""

from dataclasses import replace
from fractions import Fraction
from html import unescape
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from bufalu import BuFALU, Instance, Power, SeededRewards, Trace, TraceHeader, check_trace, parse_schedule, simulate
from bufalu.pages.palette import ARMS, EPSILON, REASON_COLOURS
from bufalu.pages.story import FROM_DIVERGENCE, tell
from bufalu.pages.trace_outcome import report_lines
from bufalu.pages.trace_page import trace_page
from bufalu.pages.trace_svg import trace_svg
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Reason
from bufalu.reference.policies.decisions import REASONS
from bufalu.reference.policies.pairs import PairsPolicy
from bufalu.reference.rounds import Round
from bufalu.reference.state import ArmRecord
from bufalu.reference.view import ExactView
from tests.bufalu.runner import assert_one_clear_line, bufalu
from tests.oracle.float_programs import FloatPolicy

MEANS = (Fraction(1, 4), Fraction(1, 2))


def run(horizon, seed=1, policy="bufalu"):
    instance = Instance.bernoulli(MEANS)
    header = TraceHeader(policy, "hoeffding", 2, "power:1/4", MEANS)
    rounds = simulate(LivePolicy(policy, 2), instance, Power(Fraction(1, 4)), horizon, SeededRewards(instance, seed))
    return Trace(header, tuple(rounds))


def wrong_at(trace, number):
    """A trace with the arm of one unqueried round changed."""
    rounds = list(trace.rounds)
    rounds[number - 1] = rounds[number - 1]._replace(arm=3 - rounds[number - 1].arm)
    return Trace(trace.header, tuple(rounds))


@pytest.fixture(scope="module")
def trace():
    return run(3000)


@pytest.fixture(scope="module")
def story(trace):
    return tell(trace)


def test_a_conforming_trace_has_no_divergence(story, trace):
    assert story.divergence is None
    assert story.queried.tolist() == [played.query for played in trace.rounds]
    queries = {Reason.INITIAL, Reason.UNCERTAIN}
    for played, reason in zip(trace.rounds, story.reasons, strict=True):
        assert (REASONS[reason] in queries) == played.query


def test_the_first_divergent_round_is_found(trace):
    unqueried = [played.number for played in trace.rounds if not played.query]
    for number in (unqueried[0], unqueried[-1]):
        told = tell(wrong_at(trace, number))
        assert told.divergence == number
        assert told.admissible
        assert f"round {number:,} does not conform" in trace_svg(told)
        assert f"Round {number:,} does not conform" in trace_page(told)


def test_a_short_counterexample_is_an_argument_and_a_table_not_an_empty_picture(trace):
    right = Trace(trace.header, trace.rounds[:3])
    wrong = Trace(trace.header, (*trace.rounds[:2], trace.rounds[2]._replace(query=False, reward=None)))
    argument = report_lines(check_trace(wrong))
    text = unescape(trace_page(tell(wrong), argument))
    assert all(line in text for line in argument)
    assert '<tr class="bad"><td>3</td>' in text and FROM_DIVERGENCE in text
    assert "<svg" not in text and 'id="picture"' not in text
    assert "<pre" not in trace_page(tell(right)) and "<svg" not in trace_page(tell(right))
    assert "<svg" in trace_page(tell(Trace(trace.header, trace.rounds[:6])))
    # of the three rounds two were decided for a reason, and queried; the third has none
    assert (sum(tell(wrong).reason_counts()), int(tell(wrong).queried.sum())) == (2, 2)


def test_drawn_intervals_are_the_exact_ones(story, trace):
    for column in (0, 200, len(story.columns) - 1):
        number = int(story.columns[column])
        policy = BuFALU(2)
        policy.state = trace.tally(number - 1).state
        view = ExactView(policy.state, policy.confidence, number, ZERO)
        for arm in (1, 2):
            assert abs(story.lower[arm - 1, column] - float(view.lcb(arm))) < 1e-12
            assert abs(story.upper[arm - 1, column] - float(view.ucb(arm))) < 1e-12
    assert number == 3000


def test_the_static_picture_is_well_formed_and_fetches_nothing(story):
    text = trace_svg(story)
    ElementTree.fromstring(text)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein", "kl-ucb"])
@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb", "greedy"])
def test_every_policy_and_interval_can_be_drawn(tmp_path, policy, confidence):
    path = tmp_path / "trace.jsonl"
    arguments = ["--policy", policy, "--confidence", confidence, "--means", "0.2,0.9,1/2", "--epsilon", "inverse-log"]
    assert bufalu("simulate", *arguments, "--horizon", "60", "--out", path).returncode == 0
    done = bufalu("explain", path, "--html", tmp_path / "t.html", "--svg", tmp_path / "t.svg", "--json")
    assert done.returncode == 0, done.stderr
    ElementTree.parse(tmp_path / "t.svg")


def test_a_picture_that_does_not_zoom_says_why(monkeypatch):
    told, paired = tell(run(60)), tell(run(60, policy="pairs:2"))
    assert all("does not zoom" not in trace_page(each) for each in (told, paired))
    known = replace(told.header, known=[ArmRecord(1, 1, 1)] * 2)
    assert_static(trace_page(replace(told, header=known)), "the run began with known answers")
    monkeypatch.setattr(PairsPolicy, "pairing", None)
    assert_static(trace_page(paired), "the page does not know how pairs:2 compares arms")
    monkeypatch.setattr(type(confidence_named("hoeffding")), "shape", None)
    assert_static(trace_page(told), "only exact arithmetic can compute the interval hoeffding")


def assert_static(page, reason):
    assert f"This picture does not zoom or replay: {reason}" in page
    assert "<script" not in page and "<svg" in page


def test_short_traces_can_be_drawn():
    header = TraceHeader("bufalu", "hoeffding", 2, None)
    story = tell(Trace(header, (Round(1, 1, True, 1, None),)))
    ElementTree.fromstring(trace_svg(story))
    assert trace_page(story)
    with pytest.raises(InvalidTrace, match="nothing to judge"):
        tell(Trace(header, ()))


@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb", "greedy"])
def test_explain_judges_as_check_does(policy):
    """Doubles get the exact ties of a budget schedule wrong: accepted by default, rejected by --strict, in both."""
    told_apart = 0
    for total in (4, 6, 8, 12, 24):
        header = TraceHeader(policy, "hoeffding", 2, f"budget:{total}")
        live = FloatPolicy(policy, 2, "hoeffding")
        schedule = parse_schedule(f"budget:{total}")
        rounds = []
        for number in range(1, 200):
            epsilon = float(schedule.at(number, 2)) if number > 2 else 0.0
            decision = live.decide(number, epsilon)
            reward = (number + decision.arm) % 2 if decision.query else None
            if reward is not None:
                live.observe(reward)
            rounds.append(Round(number, decision.arm, decision.query, reward, None))
        trace = Trace(header, tuple(rounds))
        verdicts = []
        for strict in (False, True):
            divergence = check_trace(trace, strict).checked.divergence
            assert tell(trace, strict=strict).divergence == (None if divergence is None else divergence.round)
            verdicts.append(divergence is None)
        assert verdicts[0]
        told_apart += not verdicts[1]
    assert told_apart


ONE_ARM = Trace(
    TraceHeader("bufalu", "hoeffding", 1, "zero"),
    (Round(1, 1, True, 1, None), Round(2, 1, False, None, None), Round(3, 1, False, None, None)),
)


def test_a_single_arm_leads_and_challenges_nobody():
    """E22: among the arms other than the leader there is none."""
    story = tell(ONE_ARM)
    assert (story.leaders.tolist(), story.challengers.tolist()) == ([0, 1, 1], [0, 0, 0])
    text = trace_svg(story)
    assert ">leader</text>" in text
    assert "challenger" not in text
    assert "3 rounds, 1 query<" in text
    assert "1 round, 1 query<" in trace_svg(tell(Trace(ONE_ARM.header, ONE_ARM.rounds[:1])))


@pytest.mark.browser
def test_a_single_arm_in_a_browser(browser, tmp_path):
    path = tmp_path / "trace.html"
    more = tuple(Round(number, 1, False, None, None) for number in range(4, 9))
    path.write_text(trace_page(tell(Trace(ONE_ARM.header, (*ONE_ARM.rounds, *more)))))
    browser.open(path)
    browser.wait_until("document.getElementById('picture').dataset.to === '8'")
    told = browser.evaluate("document.getElementById('details').textContent")
    assert "leader" in told
    assert "challenger" not in told
    assert "so far 1 query" in told
    assert browser.errors == []


@pytest.mark.browser
def test_the_captions_of_the_narrow_picture_keep_clear_of_each_other(browser, tmp_path, story):
    """Every text that is drawn at 375 pixels: no two of their boxes meet, and none leaves the canvas."""
    noted = (
        "<script>const texts = []; const paint = CanvasRenderingContext2D.prototype.fillText;"
        "CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {"
        " const wide = this.measureText(text).width;"
        " texts.push([text, x - ({ right: wide, center: wide / 2 }[this.textAlign] || 0), y, wide]);"
        " paint.call(this, text, x, y); };</script>"
    )
    path = tmp_path / "trace.html"
    path.write_text(trace_page(story).replace("<body>", f"<body>{noted}"))
    browser.size(375, 800)
    browser.open(path)
    browser.wait_until("document.getElementById('picture').dataset.to === '3000'")
    drawn = {tuple(text) for text in browser.evaluate("texts")}
    wide = browser.evaluate("document.getElementById('canvas').clientWidth")
    assert {"0.5", "ε(t)", "decision"} <= {text for text, *_ in drawn}
    for text, x, _, width in drawn:
        assert x >= 0, text
        assert x + width <= wide, text
    for one, two in combinations(drawn, 2):
        beside = one[1] + one[3] <= two[1] or two[1] + two[3] <= one[1]
        assert beside or abs(one[2] - two[2]) >= 10, (one, two)


def test_epsilon_from_the_rounds_is_drawn():
    header = TraceHeader("bufalu", "hoeffding", 1, None)
    rounds = (Round(1, 1, True, 1, None), Round(2, 1, False, None, Exact.of(Fraction(1, 2))))
    assert tell(Trace(header, rounds)).epsilons.tolist() == [pytest.approx(float("nan"), nan_ok=True), 0.5]


def test_bad_files_get_one_clear_line(tmp_path):
    assert_one_clear_line(bufalu("explain", tmp_path / "missing.jsonl"))


@pytest.mark.browser
@pytest.mark.parametrize(("policy", "columns"), [("bufalu", "LCBUCB"), ("pairs:2", "index")])
def test_the_page_in_a_browser(browser, tmp_path, policy, columns):
    path = tmp_path / "trace.html"
    path.write_text(trace_page(tell(run(3000, policy=policy))))
    browser.open(path)
    browser.wait_until("document.getElementById('picture').dataset.to === '3000'")
    assert browser.evaluate("document.getElementById('static').hidden")
    browser.evaluate("document.getElementById('picture').focus()")
    browser.key("+")
    browser.wait_until("Number(document.getElementById('picture').dataset.to) < 3000")
    browser.key("0")
    browser.wait_until("document.getElementById('picture').dataset.to === '3000'")
    told = browser.evaluate("document.getElementById('details').textContent")
    assert "Round" in told and f"exact mean{columns}role" in told
    assert browser.errors == []
    assert [request for request in browser.requests if not request.startswith(("file:", "data:"))] == []


@pytest.mark.browser
def test_a_million_rounds_stay_small_and_responsive(browser, tmp_path):
    # The data of a long run, made by repeating a short one: drawing does not care, and exactness is tested elsewhere.
    short = tell(run(2000))
    names = (
        "played",
        "queried",
        "rewards",
        "leaders",
        "challengers",
        "candidates",
        "reasons",
        "uncertainties",
        "epsilons",
    )
    long = replace(short, **{name: np.tile(getattr(short, name), 500) for name in names})
    path = tmp_path / "trace.html"
    path.write_text(trace_page(long))
    assert path.stat().st_size < 5_000_000
    browser.open(path)
    browser.wait_until("document.getElementById('picture').dataset.to === '1000000'")
    browser.evaluate(
        "window.strokes = 0; for (const name of ['moveTo', 'lineTo', 'fillRect', 'fillText']) {"
        " const drawn = CanvasRenderingContext2D.prototype[name];"
        " CanvasRenderingContext2D.prototype[name] = function (...given)"
        " { window.strokes++; return drawn.apply(this, given); }; }"
    )
    frame = (
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {done(strokes); strokes = 0;})))"
    )
    strokes = []
    for _ in range(12):
        browser.wheel(600, 420, -120)
        strokes.append(browser.evaluate(frame))
    columns = browser.evaluate("document.getElementById('canvas').clientWidth")
    assert columns < max(strokes) < 50 * columns, "a step of the zoom draws by columns, not by rounds"
    assert int(browser.evaluate("document.getElementById('picture').dataset.to")) < 1_000_000
    assert browser.errors == []


@pytest.mark.browser
@pytest.mark.parametrize("policy", ["bufalu", "pairs:2"])
def test_a_reward_can_be_edited_in_the_page(browser, tmp_path, policy):
    path, trace = tmp_path / "trace.html", run(3000, policy=policy)
    path.write_text(trace_page(tell(trace)))
    browser.open(path)
    edited = next(played for played in trace.rounds if played.query and played.number > 30 and played.reward == 0)
    rounds = [played._replace(reward=1) if played is edited else played for played in trace.rounds]
    expected = check_trace(Trace(trace.header, tuple(rounds)), True).checked.divergence
    typed = "document.getElementById('play').elements.{0}.value = '{1}';"
    submit = "document.getElementById('play').requestSubmit()"
    browser.evaluate(
        typed.format("round", edited.number)
        + "document.getElementById('play').elements.round.dispatchEvent(new Event('change'));"
        + typed.format("reward", "1")
        + submit
    )
    answer = "document.getElementById('answer').dataset.round"
    browser.wait_until(f"{answer} === '{expected.round}'")
    told = browser.evaluate("document.getElementById('answer').textContent")
    assert told.startswith(f"The run changes in round {expected.round:,}: recorded was arm ")
    browser.evaluate("document.querySelector('#play button[type=reset]').click()")
    browser.wait_until(f"{answer} === 'none'")
    assert "Nothing changes" in browser.evaluate("document.getElementById('answer').textContent")
    browser.evaluate(typed.format("reward", "7/0") + submit)
    assert browser.evaluate("document.getElementById('answer').textContent") == "Not tried: '7/0' divides by zero."
    assert browser.errors == []


@pytest.mark.browser
@pytest.mark.parametrize("arms", [2, 12])
def test_the_picture_fits_narrow_screens_and_many_arms(browser, tmp_path, arms):
    means = tuple(Fraction(arm, arms + 1) for arm in range(1, arms + 1))
    instance = Instance.bernoulli(means)
    rounds = simulate(BuFALU(arms), instance, Power(Fraction(1, 4)), 200, SeededRewards(instance, 1))
    path = tmp_path / "trace.html"
    path.write_text(
        trace_page(tell(Trace(TraceHeader("bufalu", "hoeffding", arms, "power:1/4", means), tuple(rounds))))
    )
    browser.size(375, 800)
    browser.open(path)
    browser.wait_until("document.getElementById('picture').dataset.to === '200'")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 375
    assert browser.evaluate(
        "document.querySelector('#details').scrollWidth <= document.querySelector('#details').clientWidth"
    )
    assert browser.evaluate("document.querySelectorAll('#details tr').length") == arms + 1
    browser.evaluate("document.getElementById('logarithmic').click()")
    browser.evaluate("document.getElementById('picture').focus()")
    for key in ("a", "+", "ArrowLeft", ".", "-", "0"):
        browser.key(key)
    browser.wait_until("document.getElementById('picture').dataset.to === '200'")
    assert browser.errors == []


def test_arms_and_decisions_share_no_colour():
    assert not set(ARMS) & {EPSILON, *REASON_COLOURS.values()}
    assert len(set(ARMS)) == len(ARMS)


def test_the_static_picture_has_means_regret_and_every_arm(story, trace):
    text = trace_svg(story)
    assert "true mean of arm 2" in text
    assert ">regret</text>" in text
    assert text.count(">arm ") == 2
    unknown = Trace(replace(trace.header, means=None), trace.rounds[:50])
    assert ">regret</text>" not in trace_svg(tell(unknown))


@pytest.mark.browser
def test_the_page_without_scripting(browser, tmp_path, story):
    path = tmp_path / "trace.html"
    path.write_text(trace_page(story))
    browser.open_without_scripting(path, "body > script:last-of-type")
    assert len(browser.elements("#static svg")) == 1
    assert browser.elements("#static[hidden]") == []


def test_all_trace_formats_can_be_drawn(tmp_path):
    options = ["--policy", "bufalu", "--confidence", "hoeffding", "--arms", "2", "--epsilon", "zero"]
    csv = tmp_path / "trace.csv"
    assert bufalu("simulate", "--means", "0,1", "--epsilon", "zero", "--horizon", "9", "--out", csv).returncode == 0
    from_csv = bufalu("explain", csv, *options, "--json")
    rows = [line.split(",") for line in csv.read_text().splitlines()[1:]]
    npz = tmp_path / "trace.npz"
    np.savez(
        npz,
        arm=np.array([int(row[1]) for row in rows]),
        query=np.array([row[2] == "true" for row in rows]),
        reward=np.array([float(row[3]) if row[3] else np.nan for row in rows]),
        epsilon=np.zeros(len(rows)),
    )
    from_npz = bufalu("explain", npz, *options[:-2], "--json")
    assert from_csv.returncode == from_npz.returncode == 0, from_npz.stderr
    assert from_csv.stdout == from_npz.stdout
