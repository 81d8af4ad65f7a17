"""Published files from their authors' addresses, by checksum, into the data folder."""

from __future__ import annotations

import os
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal, Protocol
from urllib.parse import urlsplit

from grice.core.errors import GriceError, InputError
from grice.core.files import data_folder, read_table, sha256_of
from grice.core.item import Card, Remote
from grice.storage.source import Source

FileState = Literal["present", "fetched", "unverified", "failed"]
TIMEOUT = 30.0
# A download may take this long, and as much longer as its bytes need at the slowest rate that is
# waited for.
GRACE_S, MIN_BYTES_PER_S = 60.0, 10_000
MAX_BYTES = 4 << 30
PAGE = (b"<!doctype html", b"<html")


class DownloadError(GriceError):
    """The server answered, but not with the published file; the next file may be available."""


class UnexpectedFileError(Exception):
    """What the server sent cannot be the published file."""


class InterruptedDownloadError(Exception):
    """The connection broke before the end of the file."""


class Bar(Protocol):
    """Interface of the progress bar that pooch uses."""

    total: float

    def update(self, n: float) -> None:
        """Move on by `n` bytes."""

    def reset(self) -> None:
        """Set the progress back to zero."""

    def close(self) -> None:
        """Remove the bar."""


@dataclass(frozen=True)
class FetchedFile:
    """The outcome of one file.

    `unverified` means that it was fetched, but that no checksum is known for it.
    """

    dataset: str
    path: str
    state: FileState
    sha256: str | None
    size: int | None
    url: str
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return all fields by name."""
        return asdict(self)


def fetch(
    source: Source,
    *,
    folder: Path | None = None,
    mirror: str | None = None,
    bar: Callable[[str], Bar] | None = None,
) -> Iterator[FetchedFile]:
    """Fetch the files of a set one after the other and yield the outcome of each.

    A file that is present and valid is left as it is.

    A file the server refuses is passed over with the reason; without a connection or a disk to
    write on, all stops. `mirror`, or `GRICE_MIRROR`, is an address that serves files under the
    names of the data folder.
    """
    target = folder or data_folder()
    base = mirror or os.environ.get("GRICE_MIRROR", "")
    for number, remote in enumerate(source.card.files):
        path = target / remote.path
        url = f"{base.rstrip('/')}/{remote.path}" if base else remote.url
        state: FileState = (
            "present" if _present(path, remote) else "fetched" if remote.sha256 else "unverified"
        )
        left = len(source.card.files) - number - 1
        try:
            if state != "present":
                _download(url, path, remote, bar=bar(remote.path) if bar else None, left=left)
        except DownloadError as error:
            yield FetchedFile(source.name, remote.path, "failed", None, None, url, str(error))
            continue
        yield FetchedFile(
            source.name, remote.path, state, sha256_of(path), path.stat().st_size, url
        )


def _remove_empty(folders: Sequence[Path]) -> None:
    """Remove the folders created for a file that was not downloaded, innermost first.

    A folder that contains files stays.
    """
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def is_restricted(card: Card) -> bool:
    """Return whether the licence forbids some uses or is not stated.

    The user should read it before fetching.
    """
    licence = card.licence.lower()
    return (
        any(word in licence for word in ("commercial", "none", "no licence", "ldc")) or not licence
    )


def _present(path: Path, remote: Remote) -> bool:
    if not path.is_file():
        return False
    return remote.sha256 is None or sha256_of(path) == remote.sha256


def _download(url: str, path: Path, remote: Remote, *, bar: Bar | None, left: int) -> None:
    """Download into a temporary file in the same folder, verify it, then move it.

    A failure leaves the earlier file unchanged.
    """
    if not url:
        origin = f" ({remote.derived_from})" if remote.derived_from else ""
        raise DownloadError(
            f"{remote.path}: no address is published for it{origin}; put the file at {path}"
        )
    import logging

    import pooch  # type: ignore[import-untyped]
    import requests

    pooch.get_logger().setLevel(logging.WARNING)
    downloader = _Downloader(remote, bar)
    absent = [parent for parent in path.parents if not parent.exists()]
    try:
        pooch.retrieve(
            url, known_hash=remote.sha256, fname=path.name, path=path.parent, downloader=downloader
        )
    except InterruptedDownloadError:
        fact = "broke off before its end; nothing was written, try again"
        raise DownloadError(f"{url}: {fact}") from None
    except (requests.ConnectionError, requests.Timeout):
        others = f" ({left} more of this set come after it)" if left else ""
        raise GriceError(
            f"{remote.path}: no connection to {urlsplit(url).hostname}; get {url} elsewhere and put"
            f" it at {path}{others}"
        ) from None
    except requests.HTTPError as error:
        code = error.response.status_code if error.response is not None else "with an error"
        remedy = f"look at the set's homepage, or put the file at {path}"
        raise DownloadError(f"{url}: the server answers {code}; {remedy}") from None
    except requests.RequestException as error:
        raise DownloadError(
            f"{url}: broke off ({type(error).__name__}); nothing was written, try again"
        ) from None
    except (UnexpectedFileError, ValueError) as error:
        # Only pooch raises ValueError here: the checksum differs.
        fact = f"the file is not the published one (its SHA-256 is not {str(remote.sha256)[:12]}…)"
        fact = str(error) if isinstance(error, UnexpectedFileError) else fact
        remedy = "nothing was written, try again or ask its authors"
        raise DownloadError(f"{url}: {fact}; {remedy}") from None
    except OSError as error:
        fact = f"cannot be written ({error.strerror or error}); nothing was changed"
        raise GriceError(f"{path}: {fact}, free space or set GRICE_DATA") from None
    finally:
        _remove_empty(absent)


def reduce_table(path: Path, remote: Remote) -> None:
    """Keep the named columns of a fetched table, in place, and renumber persons."""
    import csv

    numbers: dict[str, int] = {}
    try:
        rows = [row for _, row in read_table(path, delimiter=",", columns=remote.columns)]
    except InputError as error:
        raise UnexpectedFileError(str(error)) from None
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(remote.columns)
        for row in rows:
            if remote.person:
                row[remote.person] = str(numbers.setdefault(row[remote.person], len(numbers) + 1))
            table.writerow([row[name] for name in remote.columns])


class _Downloader:
    """Downloader for pooch with limits on size and time.

    A web page that is served instead of the file is rejected.
    """

    def __init__(self, remote: Remote, bar: Bar | None) -> None:
        self.remote, self.bar = remote, bar

    def __call__(self, url: str, output_file: str, pooch: Any, check_only: bool = False) -> Any:  # noqa: ARG002
        import requests

        with requests.get(url, stream=True, timeout=TIMEOUT, allow_redirects=True) as response:
            response.raise_for_status()
            if check_only:
                return True
            try:
                with open(output_file, "wb") as out:
                    self._copy(response, out)
            finally:
                if self.bar is not None:
                    self.bar.close()
        self._inspect(Path(output_file), url)
        if self.remote.columns:
            reduce_table(Path(output_file), self.remote)
        return None

    def _copy(self, response: Any, out: IO[bytes]) -> None:
        from urllib3.exceptions import HTTPError

        max_size = self.remote.size or MAX_BYTES
        began, size = time.monotonic(), 0
        if self.bar is not None:
            self.bar.total = float(response.headers.get("content-length", 0))
        try:
            while part := response.raw.read1(1 << 16, decode_content=True):
                size += len(part)
                if size > max_size:
                    raise UnexpectedFileError(f"more than the {max_size:,} bytes expected")
                if (seconds := time.monotonic() - began) > GRACE_S + size / MIN_BYTES_PER_S:
                    raise UnexpectedFileError(
                        f"{size:,} bytes in {seconds:.0f} s, too slow to wait for"
                    )
                out.write(part)
                if self.bar is not None:
                    self.bar.update(len(part))
        except HTTPError as error:
            raise InterruptedDownloadError from error

    def _inspect(self, path: Path, url: str) -> None:
        """Raise an error for content that cannot be the file.

        Examples are a web page in place of an archive or data, and another size.
        """
        if urlsplit(url).path.endswith(".zip") and not zipfile.is_zipfile(path):
            raise UnexpectedFileError("the server did not send a zip archive")
        with path.open("rb") as file:
            start = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        if start.startswith(PAGE) and not self.remote.path.endswith((".html", ".htm")):
            raise UnexpectedFileError(
                "the server sent a web page (a login form?) instead of the file"
            )
        if self.remote.size is not None and path.stat().st_size != self.remote.size:
            raise UnexpectedFileError(
                f"{path.stat().st_size:,} bytes where the published file has {self.remote.size:,}"
            )
