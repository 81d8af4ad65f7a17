"""Projection and veridicality of twenty predicates.

The studies are Degen & Tonhauser (2021, 2022) and Hofmann, de Marneffe & Tonhauser (2024).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI, UNIT
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, number
from grice.datasets.formats.people import SLIDER, YES_NO, Replies, TextRow, ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

OPERATORS = ("question", "negation", "modal", "conditional")
BINARY = ("exp1b", "exp2b", "exp3b")
# The stimuli that each part shows; prior2a shows facts alone.
STIMULI = {
    "exp1a": "question_2022",
    "exp1b": "question_2022",
    "exp2a": "declarative",
    "exp2b": "declarative",
    "exp3a": "contradiction",
    "exp3b": "contradiction",
    "prior1": "question",
    "prior2a": "",
    "prior2b": "question_2022",
    **{operator: operator for operator in OPERATORS},
}
# Which names were drawn is not recorded: any of the pool will do.
SPEAKER = "Carol"
SUBJECT = {"f": "Scott", "m": "Laura", "": "Scott"}


class Stimulus(NamedTuple):
    """What was rated: of a control, `control` names the experiment that had it."""

    predicate: str
    item: str
    fact: str
    control: str


def read(folder: Path, part: str) -> Dataset:
    """Read an experiment, or projection under one operator.

    `asked/PART` contains the question that people saw.
    """
    if part.startswith("asked/"):
        pairs = read(folder, part.removeprefix("asked/"))
        questions = pairs.frame["tag.question"].to_list()
        if part.endswith(BINARY):
            return ask(pairs, part, questions, YES_NO)
        return ask(pairs, part, questions, SLIDER, times=100)
    people, priors = _collect_replies(folder, part)
    stimuli = [(s, texts) for s, texts in _stimuli(folder, part) if " ".join(s) in people.by_item]
    keys = [" ".join(stimulus) for stimulus, _ in stimuli]
    is_question = STIMULI[part].startswith("question")
    operator = part if part in OPERATORS else "question" if is_question else ""
    frame = columns(
        f"projection/{part}",
        [texts["premise"] for _, texts in stimuli],
        [texts["hypothesis"] for _, texts in stimuli],
        group=[f"projection/{stimulus.item}" for stimulus, _ in stimuli],
        gold={
            "rating": [people.mean(key) for key in keys],
            "prior": [priors.mean(key) for key in keys],
        },
        tags={
            "role": ["control" if stimulus.control else "target" for stimulus, _ in stimuli],
            "predicate": [stimulus.predicate for stimulus, _ in stimuli],
            "class": [texts["class"] for _, texts in stimuli],
            "operator": [operator] * len(stimuli),
            "content": [stimulus.item for stimulus, _ in stimuli],
            "prior": [stimulus.fact for stimulus, _ in stimuli],
            "question": [texts["question"] for _, texts in stimuli],
            "people": people.tags(keys),
            "priors": priors.tags(keys),
        },
    )
    return Dataset(f"projection/{part}", NLI, frame, CARD, {"rating": UNIT, "prior": UNIT})


def _collect_replies(folder: Path, part: str) -> tuple[Replies, Replies]:
    """Return the ratings of a part and, of `prior1`, how likely people found each content."""
    people, priors = Replies(), Replies()
    for stimulus, row in _responses(folder, part):
        key, answer = " ".join(stimulus), float(row["answer"])
        people.add(key, row["who"], ("yes" if answer else "no") if part in BINARY else answer)
        if part == "prior1":
            priors.add(key, row["who"], float(row["prior"]))
    return people, priors


def read_runs(_folder: Path, data: Dataset) -> Sequence[Run]:
    """Return every participant, on the slider or by yes and no."""
    part = data.name.rpartition("/")[2]
    return people_runs(
        data, YES_NO if part in BINARY else data.readings["rating"], name="participant"
    )


def _responses(folder: Path, part: str) -> Iterator[tuple[Stimulus, TextRow]]:
    """Yield (stimulus, reply) for every response.

    A participant of the operators belongs to one experiment.
    """
    file = "operators.csv" if part in OPERATORS else f"{part}.csv"
    path = find_published(folder, f"projection/responses/{file}", source="projection")
    answer = "prior" if part == "prior2a" else "response" if part.startswith("exp") else "certainty"
    for line, row in read_table(path, delimiter=",", columns=("participant", "item", answer)):
        experiment = row.get("experiment", part)
        if part in OPERATORS and row["operator"] != part:
            continue
        control = "" if row["item"].isdigit() else experiment
        fact = "" if control else row.get("prior_condition", "")
        predicate = row.get("predicate", "filler" if control else "")
        row["answer"] = str(number(path, line, row[answer], UNIT))
        yield (
            Stimulus(predicate, row["item"], fact, control),
            {**row, "who": f"{experiment} {row['participant']}"},
        )


def _stimuli(folder: Path, part: str) -> Iterator[tuple[Stimulus, TextRow]]:
    """Yield (stimulus, texts) in the order of the published list, then the controls."""
    contents = {row["item"]: row for row in _table(folder, "contents")}
    classes = {row["predicate"]: row["class"] for row in _table(folder, "predicates")}
    facts = ("high", "low") if part.startswith("prior") else ("",)
    stimulus_set = STIMULI[part]
    rows = (
        [row for row in _table(folder, "stimuli") if row["set"] == stimulus_set]
        if stimulus_set
        else [{"predicate": "", "item": i, "text": ""} for i in contents]
    )
    for row in rows:
        about = contents[row["item"]]
        text = row["text"].replace("{subject}", SUBJECT[about["gender"]])
        for fact in facts:
            texts = _texts(part, text, about["content"], about.get(f"fact_{fact}", ""))
            texts["class"] = classes.get(row["predicate"], "")
            yield Stimulus(row["predicate"], row["item"], fact, ""), texts
    for row in _table(folder, "controls"):
        for experiment in row["experiments"].split():
            texts = _texts(part, row["text"], row["content"], row["fact"])
            yield Stimulus(row["predicate"], row["item"], "", experiment), {**texts, "class": ""}


def _texts(part: str, text: str, content: str, fact: str) -> TextRow:
    """Return the texts that a judge of pairs sees, and the complete question as people saw it."""
    claim = f"{content[0].upper()}{content[1:]}."
    if part == "prior2a":
        return {
            "premise": f"{fact}.",
            "hypothesis": claim,
            "question": (
                f"Fact: {fact}.\nHow likely is it that {content}?\nAnswer from 0 (impossible) to"
                " 100 (definitely)."
            ),
        }
    if part.startswith("exp2"):
        return {
            "premise": text,
            "hypothesis": claim,
            "question": f"What is true: {text}\nDoes it follow that {content}?{_ends(part)}",
        }
    if part.startswith("exp3"):
        question = f"{SPEAKER}: “{text}”\nIs {SPEAKER}'s utterance contradictory?{_ends(part)}"
        return {
            "premise": f"{SPEAKER}: “{text}”",
            "hypothesis": f"{SPEAKER}'s utterance is contradictory.",
            "question": question,
        }
    known = f"Fact (which {SPEAKER} knows): {fact}.\n" if fact else ""
    verb = f"{SPEAKER} asks" if text.endswith("?") else SPEAKER
    question = f"{known}{verb}: “{text}”\nIs {SPEAKER} certain that {content}?{_ends(part)}"
    return {
        "premise": f"{fact}. {text}" if fact else text,
        "hypothesis": claim,
        "question": question,
    }


def _ends(part: str) -> str:
    return "" if part in BINARY else "\nAnswer from 0 (no) to 100 (yes)."


@cache
def _table(folder: Path, name: str) -> tuple[TextRow, ...]:
    path = find_published(folder, f"projection/items/{name}.csv", source="projection")
    return tuple(row for _, row in read_table(path, delimiter=","))


CARD = read_card("projection")

projection = Source(
    "projection",
    CARD,
    (*STIMULI, *(f"asked/{part}" for part in STIMULI)),
    read,
    read_runs,
    has_default_part=False,
)
