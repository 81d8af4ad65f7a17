"""Folder of a trained model: `grice.json` names the learner and how it was trained.

`body` is an encoder shared by tasks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import read_json

NOTE, BODY = "grice.json", "body"


def write_note(folder: Path, note: Mapping[str, Any]) -> None:
    """Write how a model was trained into its folder."""
    text = json.dumps(dict(note), indent=1, default=str)
    (folder / NOTE).write_text(text + "\n", encoding="utf-8")


def read_note(folder: Path) -> dict[str, Any]:
    """Return how the model in this folder was trained.

    `kind` names its learner, `side` the part of a pair that it sees.
    """
    path = folder / NOTE
    if not path.is_file():
        remedy = f"use encoder/{folder} for other checkpoints"
        raise InputError(f"{folder}: holds no {NOTE}, so grice train did not write it; {remedy}")
    return read_json(path, "train the model again")
