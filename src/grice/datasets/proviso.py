"""Proviso (Azin et al. 2026): presuppositions of conditionals, rated by four language models."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, json_array, json_rows
from grice.datasets.formats.people import ask
from grice.storage.run import Run
from grice.storage.source import Source, find_published

ITEMS, OUTPUTS = "problem_set.json", "likert_outputs.jsonl"
LIKELY = Scale(low=0.0, high=7.0, step=1.0)
POINTS = Scale(labels=tuple(str(point) for point in range(8)))
MODELS = {
    "gpt5": "GPT-5",
    "gemini": "Gemini 2.5 Flash",
    "llama": "Llama 3.1 8B",
    "qwen": "Qwen2 7B",
}
RATING = re.compile(r"Final Rating\W*?(\d+(?:\.\d+)?)", re.IGNORECASE)
FIELDS = ("id", "probability", "statement_1", "statement_2", "background")


def read(folder: Path, part: str) -> Dataset:
    """Read the conditionals `without` a background or `with` one.

    `asked/PART` asks for a rating.
    """
    if part.startswith("asked/"):
        plain = read(folder, part.removeprefix("asked/"))
        texts = [
            f"{premise}\n\nStatement: {hypothesis}\nHow likely is the statement, from 0 (very"
            " unlikely) to 7 (very likely)?"
            for premise, hypothesis in plain.frame.select("premise", "hypothesis").iter_rows()
        ]
        return ask(plain, part, texts, POINTS)
    rows = _items(folder)
    premises = [
        f"{row['background']} {row['statement_1']}" if part == "with" else row["statement_1"]
        for row in rows
    ]
    frame = columns(
        f"proviso/{part}",
        premises,
        [row["statement_2"] for row in rows],
        # Three in a row are one scenario; the published titles distinguish 29 of the 30.
        group=[f"proviso/{(int(row['id']) - 1) // 3}" for row in rows],
        tags={
            "band": [row["probability"] for row in rows],
            "item": [str(row["id"]) for row in rows],
        },
    )
    return Dataset(f"proviso/{part}", NLI, frame, CARD)


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return four language models, each asked once, from 0 to 7.

    A reply without a final rating is an invalid response.
    """
    of = dict(zip(data.frame["tag.item"], data.frame["id"], strict=True))
    background = "with" in data.frame["id"][0].split("/")
    replies: dict[str, list[Judgement]] = {name: [] for name in MODELS}
    for model, number, rating in _ratings(folder, background):
        if item := of.get(number):
            replies[model].append(_judgement(item, rating))
    return [
        Run.recorded(data, MODELS[name], judgements, scale=LIKELY)
        for name, judgements in replies.items()
        if judgements
    ]


def _ratings(folder: Path, background: bool) -> Iterator[tuple[str, str, float | None]]:
    """Yield (model, item, rating) of every reply.

    They are read from one file of all replies, or from the published file of each model.
    """
    collected = (folder / f"proviso/{OUTPUTS}.gz", folder / f"proviso/{OUTPUTS}")
    path = next((path for path in collected if path.is_file()), None)
    if path is not None:
        for _, row in json_rows(path, "model", "context", "id", "rating"):
            if row["context"] == background:
                yield row["model"], str(row["id"]), row["rating"]
        return
    for model in MODELS:
        path = folder / "proviso" / published(model, "with" if background else "without")
        for row in json_array(path, "id", "response") if path.is_file() else ():
            yield model, str(row["id"]), read_rating(row["response"])


def read_rating(response: str) -> float | None:
    """Return the number after the last "Final Rating" of a reply; None where there is none.

    >>> read_rating("Step 1 … **Final Rating:** 6"), read_rating("I would say 6 out of 7.")
    (6.0, None)
    """
    ratings = RATING.findall(response)
    return float(ratings[-1]) if ratings else None


def published(model: str, context: str) -> str:
    """Return the path of a model's replies in the folder of the set and in the repository."""
    return f"outputs/{model}_{context}_context_likert.json"


def _judgement(item: str, rating: float | None) -> Judgement:
    if rating is None:
        return Judgement(item, fault="unreadable: no final rating in the recorded reply")
    return Judgement(item, float(rating))


def _items(folder: Path) -> list[dict[str, Any]]:
    return json_array(find_published(folder, f"proviso/{ITEMS}", source="proviso"), *FIELDS)


CARD = read_card("proviso")

proviso = Source(
    "proviso", CARD, ("without", "with", "asked/without", "asked/with"), read, read_runs
)
