"""Published files from their authors' addresses, by checksum, into the data folder."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from grice.core.errors import GriceError, MissingData
from grice.core.files import data_folder, sha256_of
from grice.core.item import Card, Remote
from grice.core.source import Source

State = Literal["present", "fetched", "unverified", "failed"]
TIMEOUT = 30.0


class DownloadError(GriceError):
    """The server answered, but not with the published file; the next file may still be had."""


class Bar(Protocol):
    """What pooch wants of a progress bar."""

    total: float

    def update(self, n: float) -> None:
        """Move on by `n` bytes."""

    def reset(self) -> None:
        """Go back to the start."""

    def close(self) -> None:
        """End the bar."""


@dataclass(frozen=True)
class FetchedFile:
    """What became of one file. `unverified` was fetched, but no checksum is known for it."""

    dataset: str
    path: str
    state: State
    sha256: str | None
    size: int | None
    url: str
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """All fields by name."""
        return asdict(self)


def fetch(
    source: Source, *, folder: Path | None = None, mirror: str | None = None, bar: Callable[[str], Bar] | None = None
) -> Iterator[FetchedFile]:
    """Fetch the files of a set one after the other, and give what became of each; a file that is there and right stays.

    A file the server refuses is passed over with the reason; without a connection or a disk to write on, all stops.
    `mirror`, or `GRICE_MIRROR`, is an address that serves files under the names of the data folder.
    """
    target = folder or data_folder()
    base = mirror or os.environ.get("GRICE_MIRROR", "")
    for number, remote in enumerate(source.card.files):
        path = target / remote.path
        url = f"{base.rstrip('/')}/{remote.path}" if base else remote.url
        state: State = "present" if _present(path, remote) else "fetched" if remote.sha256 else "unverified"
        left = len(source.card.files) - number - 1
        try:
            if state != "present":
                _download(url, path, remote, bar=bar(remote.path) if bar else None, left=left)
        except DownloadError as error:
            yield FetchedFile(source.name, remote.path, "failed", None, None, url, str(error))
            continue
        yield FetchedFile(source.name, remote.path, state, sha256_of(path), path.stat().st_size, url)


def is_restricted(card: Card) -> bool:
    """Whether the licence forbids some uses, or is not stated, so that one should look before fetching."""
    licence = card.licence.lower()
    return any(word in licence for word in ("commercial", "none", "no licence", "ldc")) or not licence


def _present(path: Path, remote: Remote) -> bool:
    if not path.is_file():
        return False
    return remote.sha256 is None or sha256_of(path) == remote.sha256


def _download(url: str, path: Path, remote: Remote, *, bar: Bar | None, left: int) -> None:
    """Into a file beside its place, checked, then moved: a failure leaves what was there before."""
    if not url:
        raise MissingData(f"{remote.path}: no address is published for it; put the file at {path}")
    import logging

    import pooch  # type: ignore[import-untyped]
    import requests

    pooch.get_logger().setLevel(logging.WARNING)
    downloader = _Downloader(pooch.HTTPDownloader(progressbar=bar or False, timeout=TIMEOUT))
    try:
        pooch.retrieve(url, known_hash=remote.sha256, fname=path.name, path=path.parent, downloader=downloader)
    except (requests.ConnectionError, requests.Timeout) as error:
        raise _unreachable(url, path, remote, left, error) from None
    except requests.HTTPError as error:
        code = error.response.status_code if error.response is not None else "with an error"
        remedy = f"look at the set's homepage, or put the file at {path}"
        raise DownloadError(f"{url}: the server answers {code}; {remedy}") from None
    except requests.RequestException as error:
        raise DownloadError(f"{url}: broke off ({type(error).__name__}); nothing was written, try again") from None
    except ValueError as error:
        fact = f"{_mismatch(error, remote)}; nothing was written"
        raise DownloadError(f"{url}: {fact}, try again or ask its authors") from None
    except OSError as error:
        fact = f"cannot be written ({error.strerror or error}); nothing was changed"
        raise GriceError(f"{path}: {fact}, free space or set GRICE_DATA") from None


def _unreachable(url: str, path: Path, remote: Remote, left: int, error: Exception) -> GriceError:
    if "IncompleteRead" in str(error) or "Connection broken" in str(error):
        return DownloadError(f"{url}: broke off before its end; nothing was written, try again")
    others = f" ({left} more of this set come after it)" if left else ""
    return GriceError(
        f"{remote.path}: no connection to {urlsplit(url).hostname}; get {url} elsewhere and put it at {path}{others}"
    )


def _mismatch(error: ValueError, remote: Remote) -> str:
    if "hash" in str(error).lower():
        return f"the file is not the published one (its SHA-256 is not {str(remote.sha256)[:12]}…)"
    return str(error)


class _Downloader:
    """Fetches as pooch does; a page that is served in place of an archive is refused."""

    def __init__(self, inner: Callable[..., Any]) -> None:
        self.inner = inner

    def __call__(self, url: str, output_file: str, pooch: Any, check_only: bool = False) -> Any:
        done = self.inner(url, output_file, pooch, check_only=check_only)
        if urlsplit(url).path.endswith(".zip") and not check_only and not zipfile.is_zipfile(output_file):
            raise ValueError("what was sent is not a zip archive")
        return done
