"""One browser for each test that asks for it; without chromium the test says that it did not run."""

import pytest

from tests.pages.browser import Browser, find_chromium


@pytest.fixture
def browser(tmp_path):
    if find_chromium() is None:
        pytest.skip("chromium is not installed: the pages were not tried in a browser")
    page = Browser(tmp_path / "profile")
    yield page
    page.close()
