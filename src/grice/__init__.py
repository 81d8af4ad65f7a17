"""grice: what a language model takes from what is not said.

The outside view: `load` a dataset, `load_judge`, `evaluate`, `join`, `tabulate`, `profile`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from grice.loading import evaluate as evaluate
    from grice.loading import join as join
    from grice.loading import load as load
    from grice.loading import load_judge as load_judge
    from grice.loading import load_measure as load_measure
    from grice.loading import tabulate as tabulate
    from grice.verbs.profile import profile as profile

_PLACES = {
    "evaluate": "grice.loading",
    "join": "grice.loading",
    "load": "grice.loading",
    "load_judge": "grice.loading",
    "load_measure": "grice.loading",
    "profile": "grice.verbs.profile",
    "tabulate": "grice.loading",
}
__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    """Names are looked up when first used, so that `import grice` and `grice --help` stay quick."""
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'grice' has no attribute '{name}'")
