"""Balls of the reference's tests are precise, and flint's own setting is left as it was."""

import pytest
from flint import ctx


@pytest.fixture(autouse=True)
def precise_balls():
    with ctx.workprec(300):
        yield
