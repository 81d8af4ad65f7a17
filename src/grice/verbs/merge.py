"""Parts of runs joined into whole runs: `grice merge`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.storage.merging import merge_parts
from grice.storage.run import Run
from grice.storage.run_folder import find_runs, read_header


def merge(runs: str | Path | Sequence[str | Path], *, into: str | Path = "runs") -> list[Run]:
    """Join runs that were made with `part=`, and return a whole run for each judge.

    `runs` are folders of parts or folders that hold some. All must be of the same data, and no item
    may be in two of them. Items of parts that are missing stay pending: the command of the whole
    run asks them. The same call may be repeated.

    >>> for part in ("1/2", "2/2"):
    ...     run = grice.judge("quantifiers@7", "baseline/overlap", part=part, into="parts")
    >>> grice.merge("parts", into="merged")[0].answered
    1500
    """
    sources = [runs] if isinstance(runs, str | Path) else list(runs)
    folders = list(dict.fromkeys(f for source in sources for f in find_runs(Path(source))))
    parts: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    first: tuple[Path, dict[str, Any]] | None = None
    for folder in folders:
        header = read_header(folder)
        if "part" not in header:
            raise InputError(f"{folder}: is a complete run; merge takes runs made with --part")
        first = first or (folder, header)
        if header["fingerprint"] != first[1]["fingerprint"]:
            raise InputError(
                f"{folder}: made on other data ({header['dataset']}, fingerprint"
                f" {header['fingerprint']}) than {first[0]} ({first[1]['dataset']}, fingerprint"
                f" {first[1]['fingerprint']}); merge them apart"
            )
        parts.setdefault(Run.read(folder).folder_name(), []).append((folder, header))
    merged = []
    for name, group in parts.items():
        group.sort(key=lambda entry: entry[1]["part"])
        merged.append(merge_parts([folder for folder, _ in group], Path(into) / name))
    return merged
