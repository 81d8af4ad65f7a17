"""Pictures of a campaign: files beside its data that items name in the tag `picture`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from grice.collecting.campaign import Campaign
from grice.core.dataset import TAG, Dataset
from grice.core.errors import InputError

PICTURE, ALT = TAG + "picture", TAG + "alt"
MOST_BYTES = 5_000_000
# Media types by suffix, and how such a file begins. SVG is left out, because it can hold scripts.
KINDS = {
    ".png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    ".jpg": ("image/jpeg", b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", b"\xff\xd8\xff"),
    ".webp": ("image/webp", b"RIFF"),
}


@dataclass(frozen=True)
class Picture:
    """Picture of an item: its file, the name under which it is served, and its text."""

    path: Path
    name: str
    alt: str

    @property
    def media_type(self) -> str:
        """Media type to serve it with."""
        return KINDS[self.path.suffix.lower()][0]


def read_pictures(campaign: Campaign, data: Dataset) -> dict[str, Picture]:
    """Return the picture of each item that has one; refuse a file that is none."""
    if PICTURE not in data.frame.columns:
        return {}
    is_file = Path(campaign.dataset).is_file()
    folder = Path(campaign.dataset).parent if is_file else campaign.path.parent
    alts = pl.col(ALT) if ALT in data.frame.columns else pl.lit("").alias(ALT)
    names: dict[Path, str] = {}
    pictures = {}
    for item, file, alt in data.frame.select("id", PICTURE, alts).iter_rows():
        if file is None:
            continue
        if not alt:
            raise InputError(
                f"{campaign.path}: item '{item}' has the picture '{file}' without words for people"
                " who cannot see it; describe it in the tag 'alt'"
            )
        path = _checked(campaign, folder, file)
        name = names.setdefault(path, f"{len(names) + 1}{path.suffix.lower()}")
        pictures[item] = Picture(path, name, alt)
    return pictures


def _checked(campaign: Campaign, folder: Path, file: str) -> Path:
    """Return the path of a picture in the folder of the data."""
    path, remedy = (folder / file).resolve(), "use a PNG, JPEG or WebP file beside the data"
    suffix = path.suffix.lower()
    if suffix not in KINDS or not path.is_relative_to(folder.resolve()) or not path.is_file():
        raise InputError(f"{campaign.path}: '{file}' is no picture here; {remedy}")
    with path.open("rb") as content:
        start = content.read(16)
    if not start.startswith(KINDS[suffix][1]):
        raise InputError(f"{campaign.path}: '{file}' does not begin like a {suffix}; {remedy}")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise InputError(
            f"{campaign.path}: '{file}' has {size:,} bytes; make it smaller than {MOST_BYTES:,}"
        )
    return path
