"""Downloads of published datasets from their authors: `grice fetch`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from grice.core.errors import GriceError
from grice.datasets.formats.bars import download_bars
from grice.datasets.formats.fetch import fetch as fetch_source
from grice.datasets.formats.fetch import is_restricted
from grice.loading import source
from grice.storage.source import Source


def fetch(
    datasets: str | Sequence[str], *, confirm: Callable[[Source], bool] | None = None
) -> list[dict[str, Any]]:
    """Download published sets into the data folder (`GRICE_DATA`) and verify their checksums.

    There is one row per file.

    The terms of each are printed first; `confirm` is asked where a licence is restricted. A file
    that is there already is not fetched again, and a row with the state `failed` says its problem.

    >>> grice.fetch([])
    []
    """
    sources = [
        source(name)
        for name in dict.fromkeys([datasets] if isinstance(datasets, str) else datasets)
    ]
    for published in sources:
        card = published.card
        print(
            f"{published.name}: {card.title}\nLicence: {card.licence}\nCite: {card.citation}",
            file=sys.stderr,
        )
        if confirm and is_restricted(card) and not confirm(published):
            raise GriceError(f"{published.name}: not fetched, nothing was changed")
    with download_bars() as bar:
        return [
            file.to_json() for published in sources for file in fetch_source(published, bar=bar)
        ]
