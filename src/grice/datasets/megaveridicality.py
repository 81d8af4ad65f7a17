"""MegaVeridicality (White & Rawlins 2018; White et al. 2018): did that thing happen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.errors import bad_line
from grice.core.files import read_table
from grice.core.ratings import POINTS
from grice.core.scale import NLI, UNIT, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, number
from grice.datasets.formats.people import Replies, ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

V1, V2 = "mega-veridicality-v1.csv", "aMV2.csv"
HAPPENED = Scale(labels=("yes", "maybe", "no"))
CONDITIONAL = {"True": "yes"}
KEYS = ("verb", "voice", "polarity", "conditional")
THING = "That thing happened."


def read(folder: Path, part: str) -> Dataset:
    """Read `v1`, 517 verbs with every response, or `v2`, 773 verbs in more frames, means only.

    `asked/v1` is the question.
    """
    if part == "asked/v1":
        plain = read(folder, "v1")
        return ask(plain, part, plain.frame["tag.question"].to_list(), HAPPENED)
    path = _path(folder, V2)
    lines = list(read_table(path, delimiter=",", columns=("sentence", "frame", "Mean", *KEYS)))
    if part == "v1":
        lines = [(line, row) for line, row in lines if row["frame"] == "that_S"]
    rows = [row for _, row in lines]
    keys = [" ".join(row[key] for key in KEYS) for row in rows]
    people = Replies()
    if part == "v1":
        people = _people(folder)
        means = list(map(people.mean, keys))
    else:
        means = [number(path, line, row["Mean"], UNIT) for line, row in lines]
    texts = [_texts(row) for row in rows]
    frame = columns(
        f"megaveridicality/{part}",
        [premise for premise, _ in texts],
        [THING] * len(rows),
        group=[f"megaveridicality/{row['verb']}" for row in rows],
        gold={"happened": means},
        tags={
            **{
                name: [row[name] for row in rows] for name in ("verb", "frame", "voice", "polarity")
            },
            "conditional": [CONDITIONAL.get(row["conditional"], "no") for row in rows],
            "kind": [_kind(row) for row in rows],
            "raters": [row.get("C", "") for row in rows],
            "question": [question for _, question in texts],
            "people": people.tags(keys),
        },
    )
    return Dataset(f"megaveridicality/{part}", NLI, frame, CARD, {"happened": UNIT})


def _kind(row: Mapping[str, str]) -> str:
    is_embedded = row["polarity"] != "positive" or row["conditional"] == "True"
    return "projection" if is_embedded else "veridicality"


def read_runs(_folder: Path, data: Dataset) -> Sequence[Run]:
    """Return every participant of the first version who speaks English natively."""
    return people_runs(data, HAPPENED, name="participant")


def _people(folder: Path) -> Replies:
    """Return the responses of native speakers.

    As in the paper, the one participant marked as non-native is left out.
    """
    path, people = _path(folder, V1), Replies()
    needed = ("participant", "veridicality", "nativeenglish", *KEYS)
    for line, row in read_table(path, delimiter=",", columns=needed):
        if row["veridicality"] not in POINTS:
            remedy = "expected yes, maybe or no; fetch the file again"
            raise bad_line(path, line, f"response '{row['veridicality']}'", remedy)
        if row["nativeenglish"] == "True":
            people.add(" ".join(row[key] for key in KEYS), row["participant"], row["veridicality"])
    return people


def _texts(row: dict[str, str]) -> tuple[str, str]:
    """Return the premise, and the question as people saw it.

    The question is a statement, or a conditional that is itself the question.
    """
    sentence = row["sentence"].replace("\\'", "'").strip()
    if row["conditional"] == "True":
        question = f"If {sentence.rstrip('.')}, did that thing happen?"
        return question, question
    return sentence, f"{sentence}\nDid that thing happen?"


def _path(folder: Path, name: str) -> Path:
    return find_published(folder, f"megaveridicality/{name}", source="megaveridicality")


CARD = read_card("megaveridicality")

megaveridicality = Source("megaveridicality", CARD, ("v1", "v2", "asked/v1"), read, read_runs)
