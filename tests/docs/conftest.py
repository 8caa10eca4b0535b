"""The browser of the page tests, for the pages of the documentation."""

from tests.pages.conftest import browser

__all__ = ["browser"]
