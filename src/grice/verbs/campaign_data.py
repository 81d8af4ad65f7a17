"""A campaign opened with its data, for the commands of `grice collect` and `grice check`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from grice.collecting.campaign import Campaign, read_campaign
from grice.core.dataset import Dataset
from grice.core.errors import InputError, MissingExtra
from grice.loading import load

if TYPE_CHECKING:
    from grice.collecting.store import Store


def open_campaign(path: str | Path, *, read_only: bool = False) -> tuple[Store, Dataset]:
    """Open a campaign's answers and load its data, by name or from a file in its folder.

    With `read_only` no database is created.
    """
    campaign = read_campaign(Path(path))
    data = load_data(campaign)
    need_web()
    from grice.collecting.store import Store

    return Store(campaign, data, read_only=read_only), data


def need_web() -> None:
    """Refuse to go on without the packages that store and serve campaigns."""
    if not all(map(find_spec, ("sqlalchemy", "starlette", "uvicorn"))):
        raise MissingExtra("collecting", "web")


@contextmanager
def look_at(path: str | Path) -> Iterator[tuple[Store, Dataset]]:
    """Open a campaign to read it; report a database error in one line."""
    store, data = open_campaign(path, read_only=True)
    from sqlalchemy.exc import DBAPIError

    from grice.collecting.database import unreachable

    with closing(store):
        try:
            yield store, data
        except (DBAPIError, ValueError) as error:
            raise unreachable(store.engine, error) from None


def load_data(campaign: Campaign) -> Dataset:
    """Return the data of a campaign, by name or from a file in its folder."""
    try:
        return load(campaign.dataset, **campaign.columns)
    except TypeError:
        known = "premise, hypothesis, label, labels"
        raise InputError(
            f"{campaign.path}: unknown key in [columns], or the dataset is not a file; for a data"
            f" file the keys are {known}"
        ) from None
