"""Runs as one zip archive: `grice pack`."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.loading import RunLike, load_data, read_runs
from grice.storage.response_log import line_of
from grice.storage.run import Run
from grice.storage.run_folder import HEADER, LINES, read_header
from grice.storage.run_items import SHARED, frame_bytes, items_file


def pack(
    runs: RunLike | Sequence[RunLike], out: str | Path, *, items: bool = True
) -> list[dict[str, Any]]:
    """Write runs as one zip archive and return one row per run.

    Every command that reads runs accepts the archive.

    The items are in it once for each dataset; `items=False` leaves them out, for data that may not
    be passed on.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into="runs")
    >>> packed = grice.pack(run, "mine.zip")
    >>> packed[0]["items"], grice.read_run(f"mine.zip/{run.folder.name}").answered
    (1500, 6)
    """
    path, stored_runs = Path(out), read_runs(runs)
    if path.suffix != ".zip":
        raise InputError(f"{path}: an archive of runs ends in .zip; name it so with -o")
    if any(run.folder is None for run in stored_runs):
        raise InputError("a run in memory has no folder to pack; judge with into=…")
    rows: list[dict[str, Any]] = []
    stored_fingerprints: set[str] = set()
    with (
        write_atomically(path, binary=True) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for run in stored_runs:
            assert run.folder is not None
            # Runs of the same name from two folders may stand in one archive.
            same_name = [row for row in rows if row["run"].rstrip("+") == run.folder.name]
            name = run.folder.name + "+" * len(same_name)
            header = json.dumps(read_header(run.folder), indent=1) + "\n"
            _add(archive, f"{name}/{HEADER}", header.encode())
            _add(archive, f"{name}/{LINES}", b"".join(map(line_of, run.judgements())))
            if items and run.fingerprint not in stored_fingerprints:
                data = load_data(run, as_judged=True)
                _add(archive, f"{SHARED}/{items_file(run.fingerprint)}", frame_bytes(data.frame))
                stored_fingerprints.add(run.fingerprint)
            rows.append(_row(name, run, items))
    return rows


def _row(name: str, run: Run, items: bool) -> dict[str, Any]:
    licence = run.about.get("licence", "")
    return {
        "run": name,
        "judge": run.judge,
        "dataset": run.dataset,
        "items": run.total if items else 0,
        "answers": run.asked,
        "licence of the data": licence or "none is named",
    }


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # A fixed date, so that the same runs give the same bytes.
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
