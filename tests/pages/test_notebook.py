"""What a notebook shows of the objects of the public API, which it asks for `_repr_html_`."""

import pytest

import bufalu


@pytest.mark.parametrize(("length", "rows"), [(0, 0), (12, 12), (13, 13), (40, 13)])
def test_a_trace_shows_six_rounds_at_each_end(length: int, rows: int) -> None:
    header = bufalu.TraceHeader("bufalu", "hoeffding", 1, "zero")
    trace = bufalu.Trace(
        header, [bufalu.Round(n, 1, n == 1, 1 if n == 1 else None, None) for n in range(1, length + 1)]
    )
    shown = [line.split("</td>")[0] for line in trace._repr_html_().split("<tr><td>")[1:]]
    ends = [*range(1, 7), "...", *range(length - 5, length + 1)] if length > 12 else range(1, length + 1)
    assert shown == [str(number) for number in ends]
    assert len(shown) == rows
    title = f"bufalu with hoeffding intervals, 1 arm, epsilon zero: {length} rounds, {min(length, 1)} queries"
    assert repr(trace) == f"<Trace of {title}>"


def test_a_trace_says_which_answers_come_late_and_escapes_its_texts() -> None:
    rounds = [bufalu.Round(1, 1, True, 1, None, 4), bufalu.Round(2, 1, True, None, 0.25)]
    shown = bufalu.Trace(bufalu.TraceHeader("a<b", "hoeffding", 1, None), rounds)._repr_html_()
    assert shown.startswith(
        "<p>a&lt;b with hoeffding intervals, 1 arm, with its own epsilons: 2 rounds, 2 queries</p>"
    )
    assert "<td>1</td><td></td><td>4</td></tr><tr>" in shown
    assert "<td></td><td>0.25</td><td>never</td></tr></table>" in shown


def test_bounds_are_formulas_with_their_values() -> None:
    found = bufalu.upper_bounds(["1/4", "1/2"], "zero", 100)
    shown = found._repr_html_()
    assert shown.startswith("<p>Upper bounds of bufalu with hoeffding intervals, T = 100</p><ul><li><p>")
    assert shown.count("<li>") == shown.count("</math></li>") == len(found.bounds)
    assert f"<li>{found.regret._repr_html_()}</li>" in shown
    assert "<mo>≈</mo>" in found.regret._repr_html_()
    assert "Lower bounds for the family bernoulli</p>" in bufalu.lower_bounds(["1/4", "1/2"])._repr_html_()
