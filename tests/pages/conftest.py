"""A page of its own for each test that asks for one, in one browser; without chromium the test says that it did not run."""

import pytest

from tests.pages.browser import Browser, Chromium, find_chromium


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    if find_chromium() is None:
        pytest.skip("chromium is not installed: the pages were not tried in a browser (apt-get install chromium)")
    running = Chromium(tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


@pytest.fixture
def browser(chromium):
    page = Browser(chromium)
    yield page
    page.close()
