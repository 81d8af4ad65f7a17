"""Put other verbs into the published veridicality sentences, for the paper's Tables 7 and 8."""

from __future__ import annotations

from grice.core.dataset import Dataset
from grice.core.item import Card, Item
from grice.core.scale import NLI
from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import MinedPair
from grice.mining.parsers import load_parser


def swapped(data: Dataset, *, targets: int = 1, seed: int = 0) -> Dataset:
    """Make the dataset `veridicality/swaps`: `targets` other verbs per published sentence."""
    rows = [item for item in data.items() if item.tags["environment"] == "positive"]
    items = []
    sentences = load_parser().parse([row.premise for row in rows])
    for row, sentence in zip(rows, sentences, strict=True):
        only = str(row.tags["construction"])
        outcome = swaps(sentence, targets=targets, seed=seed, only=only)
        pairs = (pair for pair in outcome if isinstance(pair, MinedPair))
        swapped_pairs = (pair for pair in pairs if pair.tags["swap"] != "base")
        for number, pair in enumerate(swapped_pairs):
            name = f"veridicality/swaps/{row.tags['sentence']}/{number}"
            items.append(Item(name, pair.premise, pair.hypothesis, pair.gold, pair.tags, row.group))
    note = "Made from the published sentences by grice mine swaps."
    card = Card("Verb veridicality with other verbs put in", notes=(note,))
    return Dataset.from_items("veridicality/swaps", NLI, items, card=card)
