"""BuFALU and its baselines as a formally checked reference: the public API."""

from bufalu._version import __version__

__all__ = ["__version__"]
