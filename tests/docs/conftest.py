"""The browser of the page tests, for the pages of the documentation."""

from tests.pages.conftest import browser, chromium

__all__ = ["browser", "chromium"]
