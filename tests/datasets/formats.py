"""Writing small files in the formats that sets are published in."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

BOM = "\ufeff"


def put(path: Path, text: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def lines(rows: Iterable[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(rows: Sequence[Sequence[str]], *, end: str = "\n", delimiter: str = "\t") -> str:
    return "".join(delimiter.join(row) + end for row in rows)


def packed(members: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as bundle:
        for name, text in members.items():
            bundle.writestr(name, text)
    return buffer.getvalue()
