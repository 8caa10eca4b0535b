"""What rests on what: without circles, complete, and no proof quietly stands on less than a proof."""

from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import pytest

from bufalu.pages.claim_graph import layers, places, supports
from bufalu.properties.claims import BY_ID, CLAIMS
from bufalu.properties.claims.evidence import Verdict


def silent(claims):
    """Claims recorded as PROVED that rest on one that is not, without saying so; and those that say so for nothing."""
    found = {claim.id: claim for claim in claims}
    resting = {
        claim.id
        for claim in claims
        if claim.expected is Verdict.PROVED
        and any(found[support].expected is not Verdict.PROVED for support in claim.rests_on)
    }
    saying = {claim.id for claim in claims if claim.although}
    return resting ^ saying


def test_there_are_no_circles():
    order = list(TopologicalSorter({claim.id: claim.rests_on for claim in CLAIMS}).static_order())
    assert set(order) == set(BY_ID), "a claim rests on something that is none"
    with pytest.raises(CycleError):
        layers({"a": ("b",), "b": ("a",)})


def test_no_proof_rests_on_less_without_saying_so():
    assert silent(CLAIMS) == set()
    weaker = [replace(claim, expected=Verdict.TESTED) if claim.id == "theorem.general" else claim for claim in CLAIMS]
    assert "theorem.unique.regret" in silent(weaker)


def test_nothing_rests_on_a_wrong_statement():
    wrong = {claim.id for claim in CLAIMS if claim.erratum is not None}
    assert [claim.id for claim in CLAIMS if wrong & set(claim.rests_on)] == []


def test_the_main_theorem_goes_back_to_the_lemma_and_the_definitions():
    reached, waiting = set(), ["theorem.unique.regret"]
    while waiting:
        for support in BY_ID[waiting.pop()].rests_on:
            if support not in reached:
                reached.add(support)
                waiting.append(support)
    assert {"gap_query.queried_is_wide", "regular.hoeffding.two_sided_tail", "regret.decomposes"} <= reached


def test_every_claim_is_drawn_right_of_what_it_rests_on():
    graph = supports(CLAIMS)
    where, width, height = places(graph)
    assert set(where) == set(BY_ID)
    for node, each in graph.items():
        assert all(where[support].x + where[support].width < where[node].x for support in each)
    spots = sorted((place.x, place.y, place.width) for place in where.values())
    for (x, y, wide), (next_x, next_y, _) in pairwise(spots):
        assert next_x != x or next_y - y >= 16, "two boxes overlap"
        assert x > 0 and x + wide <= width and y < height
