"""NOPE (Parrish et al. 2021): naturally occurring presuppositions, five ratings and labels each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.ratings import reply
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, json_rows, label, number
from grice.datasets.formats.nope_models import nope_runs
from grice.datasets.formats.people import PERCENT, SLIDER, Replies, ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

FILES = {
    "main": "nli_corpus.main.jsonl",
    "adv": "nli_corpus.adv.jsonl",
    "priors": "priors.individual_ratings.csv",
}
WORDS: dict[str, str | None] = {"E": "entailment", "N": "neutral", "C": "contradiction"}


def read(folder: Path, part: str) -> Dataset:
    """Read the `main` corpus, the adversarial pairs `adv`, or the `priors`.

    The priors are hypotheses rated without the sentence.
    """
    if part.startswith("asked/"):
        plain = read(folder, part.removeprefix("asked/"))
        pairs = plain.frame.select("premise", "hypothesis").iter_rows()
        return ask(plain, part, [_question(*texts) for texts in pairs], SLIDER)
    if part == "priors":
        return _priors(folder)
    return _pairs(folder, part)


def _pairs(folder: Path, part: str) -> Dataset:
    path, lines = _lines(folder, part)
    rows = [row for _, row in lines]
    details = [row["metadata"] for row in rows]
    frame = columns(
        f"nope/{part}",
        [row["premise"].strip() for row in rows],
        [row["hypothesis"].strip() for row in rows],
        group=[f"nope/{str(row['uid']).partition('-')[0]}" for row in rows],
        gold={
            "label": [label(path, line, row["label"], WORDS) for line, row in lines],
            "rating": [sum(detail["ratings"]) / len(detail["ratings"]) for detail in details],
        },
        tags={
            "trigger": [detail["trigger_type"] for detail in details],
            "polarity": ["negated" if _is_negated(detail) else "plain" for detail in details],
            "version": [detail["type"] for detail in details],
            "pair": [str(row["uid"]) for row in rows],
            "people": [_replies(detail["ratings"]) for detail in details],
            "votes": [_replies(map(WORDS.get, detail["nli_labels"])) for detail in details],
        },
    )
    name = "nope" if part == "main" else f"nope/{part}"
    return Dataset(name, NLI, frame, CARD, {"rating": PERCENT})


def _replies(answers: Iterable[Any]) -> list[str]:
    return [reply("", answer) for answer in answers]


def _is_negated(detail: Mapping[str, Any]) -> bool:
    """Return whether the premise is negated: its change removed a negation that was there."""
    return bool((detail["type"] == "negated") != detail["original_negated"])


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return five ratings and their labels by position in the list, then the paper's models."""
    people = people_runs(
        data, PERCENT, name="rating" if "tag.votes" in data.frame.columns else "rater"
    )
    votes = people_runs(data, NLI, tag="votes", name="annotator") if data.scale == NLI else []
    part = data.frame["id"][0].split("/")[1]
    return [*people, *votes, *(nope_runs(folder, data, part) if part in ("main", "adv") else ())]


def _question(premise: str, hypothesis: str) -> str:
    return (
        f"{premise}\n\nStatement: {hypothesis}\nHow likely is it that the statement is true? Answer"
        " from 0 (impossible) to 100 (certain)."
    )


def _lines(folder: Path, part: str) -> tuple[Path, list[tuple[int, dict[str, Any]]]]:
    name = f"nope/{FILES[part]}"
    path = find_published(folder, name, source="nope")
    return path, json_rows(path, "uid", "premise", "hypothesis", "label", "metadata")


def _priors(folder: Path) -> Dataset:
    path = find_published(folder, f"nope/{FILES['priors']}", source="nope")
    people, rows = Replies(), {}
    needed = ("id", "premise", "hypothesis", "response", "anon_id")
    for line, row in read_table(path, delimiter=",", columns=needed):
        rows[row["id"]] = row
        people.add(row["id"], row["anon_id"], number(path, line, row["response"], PERCENT))
    frame = columns(
        "nope/priors",
        [row["premise"].strip() for row in rows.values()],
        [row["hypothesis"].strip() for row in rows.values()],
        group=[f"nope/{pair}" for pair in rows],
        gold={"rating": [people.mean(pair) for pair in rows]},
        tags={"pair": list(rows), "people": people.tags(rows)},
    )
    return Dataset("nope/priors", NLI, frame, CARD, {"rating": PERCENT})


CARD = read_card("nope")

nope = Source("nope", CARD, (*FILES, "asked/main"), read, read_runs)
