"""The corpus of "some" in speech, rated for "not all" (Degen 2015; Schuster et al. 2020)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, number
from grice.datasets.formats.people import LIKERT7, Replies, TextRow, ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

SIMILAR = Scale(low=1.0, high=7.0, step=1.0)
DATABASE, TRIALS, CONTEXTS = "some_database.tsv", "trials_all.csv", "contexts.tab"
KNOWLEDGE = "means_speakerknowledge.csv"
NETWORK = "bert_large_lstm_test_preds_epoch190.tsv"
NO_TARGETS = ("bot_check", "example1", "example2")
FEATURES = {
    "partitive": "Partitive",
    "mention": "Mention",
    "subjecthood": "Subjecthood",
    "modification": "Modification",
    "weakness": "StrengthSome",
}
# People saw ten utterances before the sentence; the file has some twenty lines with traces and
# marks of speakers.
UTTERANCES = 10
TRACE, SPEAKER = re.compile(r"\s*--n[0-9a-f]+"), re.compile(r"^speaker\w+\.?$")


def read(folder: Path, part: str) -> Dataset:
    """Read the sentences rated after their `context`, or in `no_context`.

    `asked/PART` contains the question.
    """
    if part.startswith("asked/"):
        plain = read(folder, part.removeprefix("asked/"))
        return ask(plain, part, plain.frame["tag.question"].to_list(), LIKERT7)
    path = _path(folder, DATABASE)
    features: dict[str, TextRow] = {}
    people = Replies()
    for line, row in read_table(
        path, quoted=False, columns=("Item", "workerid", "Rating", "Sentence", *FEATURES.values())
    ):
        features[row["Item"]] = row
        if part == "context":
            people.add(row["Item"], row["workerid"], number(path, line, row["Rating"], SIMILAR))
    paraphrases = _without_context(folder, None if part == "context" else people)
    before = _contexts(folder) if part == "context" else {}
    knows = {
        row["tgrep_id"]: row["Mean"]
        for _, row in read_table(_path(folder, KNOWLEDGE), delimiter=",")
    }
    items = list(features)
    sentences = [features[item]["Sentence"] for item in items]
    texts = [
        " ".join([*before.get(item, ()), sentence])
        for item, sentence in zip(items, sentences, strict=True)
    ]
    hypotheses = [paraphrases[item] for item in items]
    frame = columns(
        f"some_corpus/{part}",
        texts,
        hypotheses,
        gold={"strength": [people.mean(item) for item in items]},
        tags={
            **{key: [features[item][name] for item in items] for key, name in FEATURES.items()},
            "knows": [knows.get(item, "") for item in items],
            "item": items,
            "question": [_question(*pair) for pair in zip(texts, hypotheses, strict=True)],
            "people": people.tags(items),
        },
    )
    return Dataset(f"some_corpus/{part}", NLI, frame, CARD, {"strength": SIMILAR})


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return every rater from 1 to 7, and the predictions of the paper's network.

    The predictions are for the sentences that it was not trained on.
    """
    path = folder / "some_corpus" / NETWORK
    of = dict(zip(data.frame["tag.item"], data.frame["id"], strict=True))
    rows = (
        [row for _, row in read_table(path, columns=("Item_ID", "predicted"))]
        if path.is_file()
        else []
    )
    predictions = [
        (of[row["Item_ID"]], min(7.0, max(1.0, float(row["predicted"]))))
        for row in rows
        if row["Item_ID"] in of
    ]
    ids, values = [item for item, _ in predictions], [value for _, value in predictions]
    network = (
        [Run.from_columns(data, "BERT-large LSTM", ids, values, scale=SIMILAR)]
        if predictions
        else []
    )
    return [*people_runs(data, SIMILAR), *network]


def _without_context(folder: Path, people: Replies | None) -> dict[str, str]:
    """Return the sentence with "some, but not all" of every item; add the ratings to `people`.

    Practice and checks are left out.
    """
    path, paraphrases = _path(folder, TRIALS), {}
    for line, row in read_table(
        path, delimiter=",", columns=("rating", "workerid", "tgrep_id", "sentence")
    ):
        if row["tgrep_id"] not in NO_TARGETS:
            paraphrases[row["tgrep_id"]] = re.sub(r"</?strong>", "", row["sentence"])
            if people is not None:
                people.add(
                    row["tgrep_id"], row["workerid"], number(path, line, row["rating"], SIMILAR)
                )
    return paraphrases


def _contexts(folder: Path) -> Mapping[str, list[str]]:
    contexts = {}
    for _, row in read_table(_path(folder, CONTEXTS), quoted=False, columns=("Item_ID", "20-b")):
        lines = [TRACE.sub("", line).strip() for line in row["20-b"].split("###")]
        utterances = [
            line for line in lines if re.search("[a-z]", line) and not SPEAKER.match(line)
        ]
        contexts[row["Item_ID"]] = utterances[-UTTERANCES:]
    return contexts


def _question(text: str, paraphrase: str) -> str:
    return (
        f"{text}\n\nHow similar is the last sentence to this one: “{paraphrase}”\n"
        "Answer from 1 (very different meaning) to 7 (same meaning)."
    )


def _path(folder: Path, name: str) -> Path:
    return find_published(folder, f"some_corpus/{name}", source="some_corpus")


CARD = read_card("some_corpus")

some_corpus = Source(
    "some_corpus",
    CARD,
    ("context", "no_context", "asked/context", "asked/no_context"),
    read,
    read_runs,
)
