"""The published veridicality sentences with other verbs put in, on which Tables 7 and 8 of the paper are made."""

from __future__ import annotations

from grice.core.dataset import Dataset
from grice.core.item import Card, Item
from grice.core.scale import NLI
from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import MinedPair
from grice.mining.parse import load_parser


def swapped(data: Dataset, *, targets: int = 1, seed: int = 0) -> Dataset:
    """The dataset `veridicality/swaps`, made from `veridicality`: `targets` other verbs for each sentence."""
    rows = [item for item in data.items() if item.tags["environment"] == "positive"]
    items = []
    for row, sentence in zip(rows, load_parser().parse([row.premise for row in rows]), strict=True):
        made = swaps(sentence, targets=targets, seed=seed, only=str(row.tags["construction"]))
        pairs = (one for one in made if isinstance(one, MinedPair) and one.tags["swap"] != "base")
        for number, pair in enumerate(pairs):
            name = f"veridicality/swaps/{row.tags['sentence']}/{number}"
            items.append(Item(name, pair.premise, pair.hypothesis, pair.gold, pair.tags, row.group))
    card = Card(
        "Verb veridicality with other verbs put in", notes=("Made from the published sentences by grice mine swaps.",)
    )
    return Dataset.from_items("veridicality/swaps", NLI, items, card=card)
