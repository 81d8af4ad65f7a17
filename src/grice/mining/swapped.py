"""The published veridicality sentences with other verbs put in."""

from __future__ import annotations

from grice.core.dataset import Dataset
from grice.core.item import Card, Item
from grice.core.scale import NLI
from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import Pair
from grice.mining.parse import parser


def swapped(data: Dataset, *, targets: int = 1, seed: int = 0) -> Dataset:
    """The published sentences with other verbs put in, as Tables 7 and 8 of the paper ask: `veridicality/swaps`."""
    rows = [item for item in data.items() if item.tags["environment"] == "positive"]
    items = []
    for row, sentence in zip(rows, parser().parse([row.premise for row in rows]), strict=True):
        # The published list keeps two past forms as verbs of their own.
        name = str(row.tags["construction"]).replace("saw ", "see ").replace("felt ", "feel ")
        made = swaps(sentence, targets=targets, seed=seed, only=name)
        for number, pair in enumerate(
            one for one in made if isinstance(one, Pair) and one.tags["swap"] != "base"
        ):
            name = f"veridicality/swaps/{row.tags['sentence']}/{number}"
            items.append(Item(name, pair.premise, pair.hypothesis, pair.gold, pair.tags, row.group))
    card = Card(
        "Verb veridicality with other verbs put in",
        notes=("Made from the published sentences by grice mine swaps.",),
    )
    return Dataset.from_items("veridicality/swaps", NLI, items, card=card)
