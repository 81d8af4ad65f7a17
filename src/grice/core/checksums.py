"""Checks of bundled files against the hashes of their release.

The files come with grice or with a pinned package and are checked before use.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from grice.core.errors import GriceError
from grice.core.files import read_text, sha256_of


def verify_files(folder: Path, listing: Path, name: str, remedy: str) -> None:
    """Refuse files of a folder that differ from the listing, whose lines are `hash name/path`."""
    for path, expected in read_listing(listing).items():
        if path.startswith(f"{name}/"):
            file = folder / path.removeprefix(f"{name}/")
            if not file.is_file() or hash_once(file) != expected:
                raise GriceError(
                    f"{file}: not the file of the release (its SHA-256 is not {expected[:12]}…);"
                    f" {remedy}"
                )


@lru_cache
def read_listing(listing: Path) -> dict[str, str]:
    """Return the hash of each path."""
    lines = (line.split(maxsplit=1) for line in read_text(listing).splitlines() if line.strip())
    return {path: expected for expected, path in lines}


def hash_once(path: Path) -> str:
    """Return the SHA-256 of a file; compute it again only if the file has changed."""
    stat = path.stat()
    return _hash(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)


@lru_cache(maxsize=4096)
def _hash(path: Path, *_written: int) -> str:
    return sha256_of(path)
