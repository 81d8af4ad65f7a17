"""The browser of the reporting tests."""

from tests.reporting.conftest import browser

__all__ = ["browser"]
