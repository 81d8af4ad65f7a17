"""grice: what a language model takes from what is not said.

The outside view: `load` a dataset, make a `judge`, `evaluate`, `join`, `tabulate`, `profile`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from grice.api import evaluate as evaluate
    from grice.api import join as join
    from grice.api import judge as judge
    from grice.api import load as load
    from grice.api import measure as measure
    from grice.api import tabulate as tabulate
    from grice.profiling import profile as profile

__all__ = ["evaluate", "join", "judge", "load", "measure", "profile", "tabulate"]


def __getattr__(name: str) -> Any:
    """Names are looked up when first used, so that `import grice` and `grice --help` stay quick."""
    if name == "profile":
        from grice.profiling import profile

        return profile
    if name in __all__:
        from grice import api

        return getattr(api, name)
    raise AttributeError(f"module 'grice' has no attribute '{name}'")
