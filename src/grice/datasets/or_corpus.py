"""The corpus of "or": how strongly it implies "not both" in telephone speech (two experiments)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI, UNIT, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, number
from grice.datasets.formats.people import LIKERT7, SLIDER, Replies, ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

SCALES = {"exp3": UNIT, "exp4": Scale(low=1.0, high=7.0, step=1.0)}
FEATURES, DATABASE = "case-features.csv", "final_database"
TAGS = {
    "sentence_type": "Sentence_type",
    "operator": "DE_operator",
    "numeral": "Numeral",
    "and_test": "And_test",
    "relation": "Disjunct_relation",
    "either": "eitherPresent",
    "or_not": "orNotPresent",
}
# The operators that the authors count as downward entailing.
DOWNWARD = ("antecedent", "negation", "negpredicate")
GOOD = "good bnb sentence"


def read(folder: Path, part: str) -> Dataset:
    """Read `exp3`, rated on a slider, or its replication `exp4`, from 1 to 7.

    `asked/PART` contains the question.
    """
    if part.startswith("asked/"):
        return _ask(read(folder, part.removeprefix("asked/")), part)
    rows = read_table(_path(folder, FEATURES), delimiter=",", columns=("tgrep.id", *TAGS.values()))
    features = {row["tgrep.id"]: row for _, row in rows}
    people, good, paraphrases = _collect_replies(folder, part)
    items = [item for item in features if item in people.by_item]
    operators = [features[item]["DE_operator"] for item in items]
    frame = columns(
        f"or_corpus/{part}",
        [features[item]["entire.sentence"].strip('"') for item in items],
        [paraphrases[item] for item in items],
        gold={"exclusivity": [people.mean(item) for item in items]},
        tags={
            **{key: [features[item][name] for item in items] for key, name in TAGS.items()},
            "downward": ["yes" if operator in DOWNWARD else "no" for operator in operators],
            "good": [f"{good.mean(item):.6f}" for item in items],
            "item": items,
            "people": people.tags(items),
        },
    )
    return Dataset(f"or_corpus/{part}", NLI, frame, CARD, {"exclusivity": SCALES[part]})


def _ask(pairs: Dataset, part: str) -> Dataset:
    slider = part.endswith("exp3")
    ends = "0 (very different meaning) to 100" if slider else "1 (very different meaning) to 7"
    texts = [
        f"{text}\n\nHow similar is this sentence: “{both}”\nAnswer from {ends} (same meaning)."
        for text, both in pairs.frame.select("premise", "hypothesis").iter_rows()
    ]
    if slider:
        return ask(pairs, part, texts, SLIDER, times=100)
    return ask(pairs, part, texts, LIKERT7)


def _collect_replies(folder: Path, part: str) -> tuple[Replies, Replies, dict[str, str]]:
    """Return ratings, who found the sentence good, and the sentences with "but not both"."""
    people, good = Replies(), Replies()
    database = read_table(_database(folder), columns=("Item_ID", "sentence_butNotBoth"))
    paraphrases = {row["Item_ID"]: row["sentence_butNotBoth"] for _, row in database}
    path = _path(folder, f"{part}_data.csv")
    needed = ("tgrep.id", "workerid", "response_val", "response_goodsentence", "sentence_bnb")
    for line, row in read_table(path, delimiter=",", columns=needed):
        item = row["tgrep.id"]
        # One sentence with "but not both" is missing from the answers; the database has it.
        if row["sentence_bnb"] not in ("", "NA"):
            paraphrases[item] = row["sentence_bnb"]
        people.add(item, row["workerid"], number(path, line, row["response_val"], SCALES[part]))
        good.add(item, "", float(row["response_goodsentence"] == GOOD))
    return people, good, paraphrases


def read_runs(_folder: Path, data: Dataset) -> Sequence[Run]:
    """Return every rater, on the slider or from 1 to 7."""
    return people_runs(data, data.readings["exclusivity"])


def _path(folder: Path, name: str) -> Path:
    return find_published(folder, f"or_corpus/{name}", source="or_corpus")


def _database(folder: Path) -> Path:
    places = (f"or_corpus/{DATABASE}.tsv", f"or_corpus/{DATABASE}.csv")
    return find_published(folder, *places, source="or_corpus")


CARD = read_card("or_corpus")

or_corpus = Source("or_corpus", CARD, ("exp3", "exp4", "asked/exp3", "asked/exp4"), read, read_runs)
