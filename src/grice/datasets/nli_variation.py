"""NLI variation (Pavlick & Kwiatkowski 2019): about fifty ratings per pair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import bad_line
from grice.core.scale import NLI, UNIT
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, json_rows, recorded_raters
from grice.storage.run import Run
from grice.storage.source import Source, find_published

FILES = {
    "pairs": "sentence-pair-analysis/preprocessed-data.jsonl",
    "contexts": "context-analysis/preprocessed-context-data.jsonl",
}
SIZES = {"word": "word", "sent": "sentence", "par": "paragraph"}


def read(folder: Path, part: str) -> Dataset:
    """Read the sentence `pairs`, or the `contexts` of words, sentences and paragraphs."""
    rows = _rows(folder, part)
    original = [str(row["original-dataset-label"]) for row in rows]
    frame = columns(
        f"nli_variation/{part}",
        [row["premise"] for row in rows],
        [row["hypothesis"] for row in rows],
        gold={
            "probability": [sum(row["ratings"]) / len(row["ratings"]) for row in rows],
            "label": [word if word in NLI.labels else None for word in original],
        },
        group=_groups(rows) if part == "contexts" else None,
        tags={
            "task": [row["task"] for row in rows],
            "original": [None if word == "NA" else word for word in original],
            "pair": [str(row["id"]) for row in rows],
            **(_contexts(rows) if part == "contexts" else {}),
        },
    )
    return Dataset(f"nli_variation/{part}", UNIT, frame, CARD, {"probability": UNIT, "label": NLI})


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return one run per position in the lists of ratings; who gave a rating is not published."""
    part = data.frame["id"][0].split("/")[1]
    ratings = {
        f"nli_variation/{part}/{i}": row["ratings"] for i, row in enumerate(_rows(folder, part))
    }
    return recorded_raters(data, ratings, scale=UNIT, name="rating")


def _rows(folder: Path, part: str) -> list[dict[str, Any]]:
    path = find_published(folder, f"nli_variation/{FILES[part]}", source="nli_variation")
    rows = []
    for line, row in json_rows(
        path, "premise", "hypothesis", "task", "original-dataset-label", "id", "labels"
    ):
        if not row["labels"]:
            raise bad_line(path, line, "no ratings in 'labels'", "fetch the file again")
        # Sliders ran from -50 to 50; the published numbers are jittered by a ten-thousandth beyond
        # the ends.
        row["ratings"] = [min(1.0, max(0.0, (rating + 50) / 100)) for rating in row["labels"]]
        rows.append(row)
    return rows


def _groups(rows: list[dict[str, Any]]) -> list[str]:
    """Return the group of a substitution in its word, sentence and paragraph.

    It is the id without its end, such as `_par` in `20_antonym_organic_inorganic_par`.
    """
    return [f"nli_variation/contexts/{row['id'].rpartition('_')[0]}" for row in rows]


def _contexts(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    parts = [row["id"].split("_") for row in rows]
    return {
        "relation": [part[1] for part in parts],
        "words": [f"{part[2]}/{part[3]}" for part in parts],
        "context": [SIZES.get(part[-1], part[-1]) for part in parts],
    }


CARD = read_card("nli_variation")

nli_variation = Source("nli_variation", CARD, tuple(FILES), read, read_runs)
