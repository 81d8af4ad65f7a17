"""Folder of a run: its header, its lock, and runs in folders and archives."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from grice.core.errors import Busy, GriceError, InputError, similar_path
from grice.core.files import CONTROL, archive_members, is_file, make_folder, read_json
from grice.storage.response_log import header_sum

HEADER = "run.json"
LINES = "judgements.jsonl"
LOG = "log.jsonl"
# State of a judge's requests until the next session, such as a pending batch.
STATE = "requests.jsonl"
# What commands on runs take.
PASS = (
    "Pass the folder of a run, of several runs or of a profile, or a zip written by 'grice pack'."
)
# Required fields of a header; older ones say less of the data.
NEEDED = {
    "dataset": str,
    "fingerprint": str,
    "scale": dict,
    "judge": str,
    "identity": dict,
    "seed": int,
    "asked": int,
    "versions": dict,
}


class RunKind(StrEnum):
    """Who answered: a model (or a baseline), one person, or several judges pooled."""

    MODEL = "model"
    PERSON = "person"
    POOL = "pool"


def read_header(folder: Path) -> dict[str, Any]:
    """Return the content of a run's `run.json`."""
    if not is_file(folder / HEADER):
        raise InputError(
            f"{folder}: not a run (no {HEADER}); name a folder made by 'grice judge', or a zip of"
            " 'grice pack'"
        )
    header = read_json(folder / HEADER, "put back the file that was written with the run")
    if header.get("sum", header_sum(header)) != header_sum(header):
        remedy = "put it back as it was; a run says who was asked what"
        raise GriceError(f"{folder / HEADER}: has been changed since it was written; {remedy}")
    lacking = next(
        (key for key, kind in NEEDED.items() if not isinstance(header.get(key), kind)), None
    )
    about = header.get("data", {})
    if not (isinstance(about, dict) and isinstance(about.get("read_as", {}), dict)):
        lacking = "data"
    if lacking is None:
        # Headers without a kind are of models, or of people of a campaign.
        header.setdefault(
            "kind", RunKind.PERSON if "campaign" in header["identity"] else RunKind.MODEL
        )
        lacking = None if header["kind"] in list(RunKind) else "kind"
    # A name could contain terminal commands.
    lacking = next(
        (key for key in ("judge", "dataset") if CONTROL.search(str(header.get(key)))), lacking
    )
    if lacking is not None:
        raise InputError(
            f"{folder / HEADER}: lacks '{lacking}'; restore the file that grice judge wrote"
        )
    return header


def write_log(folder: Path, **line: Any) -> None:
    """Append a JSON line to the run's log: when it was asked, how much, how long."""
    with (folder / LOG).open("a", encoding="utf-8") as out:
        time = datetime.now(UTC).isoformat(timespec="seconds")
        out.write(json.dumps({"time": time, **line}, ensure_ascii=False, default=str) + "\n")


def find_runs(path: Path) -> list[Path]:
    """Return the runs of a path: a run, a folder of runs or of a profile, or a zip of runs."""
    if path.suffix == ".zip" and path.is_file():
        headers = [name for name in _members(path) if name.endswith(f"/{HEADER}")]
        runs = [path / name.removesuffix(f"/{HEADER}") for name in headers]
    elif path.is_dir() and not (path / HEADER).is_file():
        runs = sorted(header.parent for header in path.glob(f"*/{HEADER}"))
        runs = runs or sorted(header.parent for header in path.glob(f"runs/*/{HEADER}"))
    elif path.exists() or is_file(path / HEADER):
        return [path]
    else:
        similar = similar_path(path)
        remedy = f"Did you mean '{similar}'?" if similar else PASS
        raise InputError(f"{path}: no such file or folder. {remedy}")
    if not runs:
        is_model = (path / "config.json").is_file()
        remedy = (
            f"It is a model: judge it first, grice judge core --by ./{path}." if is_model else PASS
        )
        raise InputError(f"{path}: holds no run. {remedy}")
    return runs


def _members(archive: Path) -> list[str]:
    """Return the names in an archive of runs; each is unique, and none leads out of it."""
    for name, count in Counter(archive_members(archive)).items():
        if count > 1 or Path(name).is_absolute() or ".." in Path(name).parts:
            fact = "is in it twice" if count > 1 else "leads out of the archive"
            raise InputError(
                f"{archive}: its member {name[:200]!r} {fact}; do not trust it, ask for the runs to"
                " be packed again"
            )
    return archive_members(archive)


@contextmanager
def lock_run(folder: Path) -> Iterator[None]:
    """Lock the folder, created if need be; a failure before the first reply leaves nothing."""
    from filelock import FileLock, Timeout

    fresh = not folder.exists()
    parents = [path for path in (folder.parent, *folder.parent.parents) if not path.exists()]
    try:
        make_folder(folder)
        lock = FileLock(folder / "run.lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise Busy(
            f"{folder}: another process is writing this run; wait for it or stop it"
        ) from None
    except OSError as error:
        raise GriceError(
            f"{folder}: cannot be written ({error.strerror}); choose another folder with --into"
        ) from None
    try:
        yield
    except BaseException:
        if fresh and not _has_replies(folder):
            # Tables would list an empty folder as a judge.
            shutil.rmtree(folder, ignore_errors=True)
            for parent in parents:
                with suppress(OSError):
                    parent.rmdir()
        raise
    finally:
        lock.release()


def _has_replies(folder: Path) -> bool:
    """Return whether a reply exists or is pending."""
    sent = (folder / STATE).is_file() and b'"batch"' in (folder / STATE).read_bytes()
    return sent or ((folder / LINES).is_file() and (folder / LINES).stat().st_size > 0)
