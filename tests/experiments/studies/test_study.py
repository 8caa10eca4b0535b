"""What a study is: its cells, its text in TOML, and everything that it refuses."""

import os
from fractions import Fraction

import numpy as np
import pytest

from bufalu import Adaptive, Budget, Instance, Power, Study, parse_schedule
from bufalu.experiments.studies.checkpoints import checkpoints
from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.experiments.studies.running import run_study
from bufalu.experiments.studies.study import instance_name
from bufalu.experiments.studies.study_files import read_study
from bufalu.reference.errors import BufaluError
from bufalu.reference.policies import policy_named
from bufalu.reference.policies.leaders import BuFALUPolicy

TWO = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
GOOD = {"instances": TWO, "policies": "bufalu", "epsilons": "zero", "horizons": 10, "seeds": 3}

FILE = """
title = "Two instances"
policies = ["bufalu", "bufau"]
epsilons = ["power:1/4", "inverse-log"]
confidences = "bernstein"
ties = ["first", "last"]
horizons = ["1e3", 2_000]
seeds = "1_00"

[instances.means]
means = [0.1, "1/3", 1]

[instances.sure]
means = [0, 1]
rewards = "deterministic"

[instances.support]
arms = [{bernoulli = 0.5}, {values = [0, "1/2", 1], probabilities = ["1/4", 0.25, 0.5]}]

[instances.file]
file = "arms.json"
"""


def study_file(folder, text=FILE):
    """A study file beside the instance that it names."""
    (folder / "arms.json").write_text('{"arms": [{"bernoulli": "0.1"}]}', encoding="utf-8")
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return folder / "study.toml"


def test_every_combination_is_a_cell_and_settings_hold_all_policies():
    study = Study(
        instances={"a": TWO, "b": Instance.deterministic([0, 1])},
        policies=["bufalu", "greedy"],
        epsilons=["zero", "power:1/4", "inverse-log"],
        confidences=["hoeffding", "bernstein"],
        ties=["first", "last"],
        horizons=[10, 20],
        seeds=3,
    )
    cells = study.cells()
    assert len(set(cells)) == len(cells) == 2 * 2 * 3 * 2 * 2 * 2
    for first, second in zip(cells[::2], cells[1::2], strict=True):
        assert first.setting == second.setting
        assert (first.policy, second.policy) == ("bufalu", "greedy")
    assert study.rounds == 3 * 48 * (10 + 20)


def test_a_file_says_what_the_options_say(tmp_path):
    path = study_file(tmp_path)
    study = read_study(path)
    assert study.title == "Two instances"
    assert study.horizons == (1000, 2000)
    assert study.seeds == 100
    assert read_study(path, seeds=7).seeds == 7
    assert study.instances["means"].means == (Fraction(1, 10), Fraction(1, 3), 1)
    assert study.instances["sure"] == Instance.deterministic([0, 1])
    assert study.instances["support"].means == (Fraction(1, 2), Fraction(5, 8))
    assert study.instances["file"].means == (Fraction(1, 10),)
    assert study.ties == ("first", "last")
    assert study.confidences == ("bernstein",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("policies = ", "policy = ", "no key 'policy'"),
        ('policies = ["bufalu", "bufau"]', "", "'policies' is missing"),
        ("seeds =", "# seeds =", "'seeds' is missing"),
        ('"bufau"]', '"bufalu"]', "given twice"),
        ('"bufau"]', '"bufoo"]', "bufoo"),
        ('"inverse-log"', '"sideways"', "sideways"),
        ('"1_00"', '"1.5"', "not a whole number"),
        ('"1_00"', "true", "a number is written"),
        ("[0.1,", "[nan,", "instance 'means'"),
        ("means = [0.1,", "mean = [0.1,", "expected means"),
        ('"deterministic"', '"certain"', "bernoulli or deterministic"),
        ('"arms.json"', '"nowhere.json"', "nowhere.json"),
        ("{bernoulli = 0.5}", "{bernoulli = true}", "arm 1"),
        ("title =", "title = title", "not TOML"),
        ('title = "Two instances"', "title = 3", "title is text"),
    ],
)
def test_a_wrong_file_is_refused_by_name(tmp_path, old, new, said):
    assert old in FILE
    path = study_file(tmp_path, FILE.replace(old, new, 1))
    with pytest.raises(InvalidStudy, match=said) as refusal:
        read_study(path)
    assert "study.toml" in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".".join(["a"] * 40_000) + " = 1", r"a name of more than 16 parts \(line 1\)"),
        (FILE + "[" + " . ".join(['"a"'] * 30) + "]", "a name of more than 16 parts"),
        ("seeds = " + "1" * 5_000, "a whole number of more than 4,300 digits$"),
        ("seeds = " + "[" * 40_000, "nested too deeply$"),
        ("x" * 1_000_001, "larger than 1,000,000 bytes"),
        (FILE.replace('"1_00"', "0x1" + "0" * 4_000), "a whole number of more than 4,096 bits"),
        (FILE.replace("[0.1,", "[0x1" + "0" * 4_000 + ","), "a whole number of more than 4,096 bits"),
        (FILE.replace("policies = ", "p" * 5_000 + " = "), r"no key 'p{50}\.\.\.p{27}'"),
        (FILE.replace('"1_00"', '"1e12"'), "seeds must be a whole number from 1 to 10000000"),
        (FILE.replace('"1_00"', '"1e7"'), "at most 100,000,000 runs"),
        ("points = 1_000_000_000\n" + FILE, "points must be a whole number from 1 to 100000"),
        (FILE.replace('[0.1, "1/3", 1]', str([1] * 10_001)), "at most 10,000 arms, not 10,001"),
    ],
)
def test_a_file_without_measure_is_refused_at_once(tmp_path, text, said):
    path = study_file(tmp_path, text)
    with pytest.raises(InvalidStudy, match=said) as refusal:
        read_study(path)
    assert len(str(refusal.value)) < len(str(path)) + 250


def test_prose_with_dots_is_no_deep_name(tmp_path):
    assert read_study(study_file(tmp_path, "# One. Two arms. And so on. " * 40 + "\n" + FILE)).seeds == 100


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InvalidStudy, match="cannot read"):
        read_study(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "change",
    [
        {"policies": []},
        {"policies": ["bufalu", "bufalu"]},
        {"policies": "nobody"},
        {"epsilons": ()},
        {"epsilons": "power:-1"},
        {"confidences": "none"},
        {"ties": "random:x"},
        {"horizons": 0},
        {"horizons": [5, 5]},
        {"seeds": 0},
        {"seeds": -1},
        {"instances": {}},
    ],
)
def test_a_study_of_nothing_is_refused(change):
    Study(**GOOD)
    with pytest.raises(BufaluError):
        Study(**{**GOOD, **change})


def test_texts_that_mean_the_same_are_one():
    study = Study(**{**GOOD, "policies": ["dial:0.5", "bufalu"], "epsilons": ["power:0.25", f"file:{os.devnull}"]})
    assert study.policies == ("dial:1/2", "bufalu")
    assert study.epsilons == ("power:1/4", f"file:{os.devnull}")
    with pytest.raises(InvalidStudy, match="power:1/4 is given twice"):
        Study(**{**GOOD, "epsilons": ["power:0.25", "power:1/4"]})


def test_objects_stand_for_their_texts():
    study = Study(**{**GOOD, "policies": policy_named("dial:1/2"), "epsilons": [Power(Fraction(1, 4)), "zero"]})
    assert study.policies == ("dial:1/2",)
    assert study.epsilons == ("power:1/4", "zero")
    for nameless in ({"epsilons": Adaptive(lambda *_: 1)}, {"policies": [3]}):
        with pytest.raises(BufaluError, match="text"):
            Study(**{**GOOD, **nameless})


def test_epsilons_may_be_functions_lists_and_arrays():
    halves = [Fraction(1, 2)] * 10
    one = Study(**{**GOOD, "epsilons": halves})
    assert one.epsilons == Study(**{**GOOD, "epsilons": np.full(12, 0.5)}).epsilons, (
        "epsilons beyond the horizon do not count"
    )
    assert one.epsilons == Study(**{**GOOD, "epsilons": lambda t: 0.5}).epsilons
    assert parse_schedule(*one.epsilons).at(10, 2).sign() == 1
    several = Study(**{**GOOD, "epsilons": ["zero", lambda t: 1 / t, halves]})
    assert several.epsilons[0] == "zero" and several.epsilons[2:] == one.epsilons
    assert len(set(several.epsilons)) == 3
    for wrong in (lambda t: -1, lambda t: "many", [1, -1], lambda: 1):
        with pytest.raises(BufaluError):
            Study(**{**GOOD, "epsilons": wrong})
    with pytest.raises(InvalidStudy, match="at most 10,000,000 rounds"):
        Study(**{**GOOD, "epsilons": lambda t: 1, "horizons": 10**8})
    played = run_study(Study(**{**GOOD, "epsilons": [halves, "constant:1/2"]}))
    listed, constant = (played.counts(cell) for cell in played.cells)
    assert (listed.queries == constant.queries).all() and (listed.regret == constant.regret).all()


def test_several_instances_are_a_list():
    study = Study(**{**GOOD, "instances": [TWO, [0.25, 0.5, 0.75], Instance.deterministic([0.25, 0.5, 0.75])]})
    assert list(study.instances) == [instance_name(TWO), "1/4, 1/2, 3/4", "1/4, 1/2, 3/4 #2"]
    assert list(Study(**{**GOOD, "instances": [0.25, 0.5]}).instances) == ["1/4, 1/2"], "means alone are one instance"
    for wrong, said in (([TWO, TWO], "given twice"), ([], "instance"), ([TWO, 3], "instances")):
        with pytest.raises(BufaluError, match=said):
            Study(**{**GOOD, "instances": wrong})


@pytest.mark.parametrize("horizon", [1, 2, 9, 10, 11, 1000, 10**6, 10**12])
def test_checkpoints_rise_to_the_horizon(horizon):
    marks = checkpoints(horizon)
    assert list(marks) == sorted(set(marks))
    assert marks[-1] == horizon
    assert marks[0] >= 1
    assert len(marks) <= 81


class _CallableBudget(Budget):
    text = "callable-budget"

    def __call__(self, round_number):
        return round_number


class _CallableAdaptive(Adaptive):
    def __call__(self, round_number):
        return round_number


def study_of(policy="bufalu", epsilon="zero"):
    return Study(instances=Instance.bernoulli([0, 1]), policies=policy, epsilons=epsilon, horizons=10, seeds=1)


def test_a_schedule_that_can_be_called_is_no_function_of_the_round():
    with pytest.raises(InvalidStudy, match="must have text forms"):
        study_of(epsilon=_CallableAdaptive(lambda t, arms, history: 1))
    with pytest.raises(BufaluError, match="callable-budget"):
        study_of(epsilon=_CallableBudget(40))


def test_what_only_has_the_text_of_another_is_not_played_as_that_one():
    class Last(BuFALUPolicy):
        def candidates(self, view, comparisons, leader, challenger):
            return comparisons.largest((view.arms,), view.width)

    with pytest.raises(InvalidStudy, match=r"'bufalu', the text form of .*, is that of another class"):
        study_of(policy=Last())
    assert study_of(policy=BuFALUPolicy()).policies == ("bufalu",)
