"""Signals against a mined pair: named boolean tests of a place in a sentence.

A signal that fires is a feature of the pair's confidence and lowers it as much as readings say.
"""

from __future__ import annotations

from grice.mining.signals import context, coordination, removal, substitution

# Feature of confidence to test; context has several tests for some features.
SIGNALS = {
    **{f"doubt {name}": (test,) for name, test in coordination.SIGNALS.items()},
    **{f"loss {name}": (test,) for name, test in removal.SIGNALS.items()},
    **{f"unfit {name}": (test,) for name, test in substitution.SIGNALS.items()},
    **{f"clash {name}": (test,) for name, test in context.CLASHES.items()},
    **{
        f"unclear {name}": tuple(test for reason, test in context.UNCLEAR if reason == name)
        for name, _ in context.UNCLEAR
    },
}
