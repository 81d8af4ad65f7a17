"""NOPE (Parrish et al. 2021): naturally occurring presuppositions, five ratings and labels each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.item import Card
from grice.core.run import Run
from grice.core.scale import NLI
from grice.core.source import Source, find_published
from grice.datasets.formats.cards import github
from grice.datasets.formats.frames import columns, json_rows, label, number
from grice.datasets.formats.nope_models import FILES as MODELS
from grice.datasets.formats.nope_models import REPOSITORY, REVISION, nope_runs
from grice.datasets.formats.people import PERCENT, SLIDER, Replies, ask, people_runs

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
    path, lines = _lines(folder, part)
    about = [row["metadata"] for _, row in lines]
    ids = [f"{row['uid']}".partition("-")[0] for _, row in lines]
    frame = columns(
        f"nope/{part}",
        [row["premise"].strip() for _, row in lines],
        [row["hypothesis"].strip() for _, row in lines],
        group=[f"nope/{pair}" for pair in ids],
        gold={
            "label": [label(path, line, row["label"], WORDS) for line, row in lines],
            "rating": [sum(meta["ratings"]) / len(meta["ratings"]) for meta in about],
        },
        tags={
            "trigger": [meta["trigger_type"] for meta in about],
            "polarity": [
                "negated" if (m["type"] == "negated") != m["original_negated"] else "plain"
                for m in about
            ],
            "version": [meta["type"] for meta in about],
            "pair": [str(row["uid"]) for _, row in lines],
            "people": [[f"={rating:.10g}" for rating in meta["ratings"]] for meta in about],
            "votes": [[f"={WORDS[vote]}" for vote in meta["nli_labels"]] for meta in about],
        },
    )
    return Dataset(
        "nope" if part == "main" else f"nope/{part}", NLI, frame, CARD, {"rating": PERCENT}
    )


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
    path = find_published(folder, f"{name}.gz", name, source="nope")
    return path, json_rows(path, "uid", "premise", "hypothesis", "label", "metadata")


def _priors(folder: Path) -> Dataset:
    path = find_published(folder, f"nope/{FILES['priors']}", source="nope")
    people, rows = Replies(), {}
    for line, row in read_table(
        path, delimiter=",", columns=("id", "premise", "hypothesis", "response", "anon_id")
    ):
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


CARD = Card(
    title="NOPE: naturally occurring presuppositions in English",
    citation=(
        "Parrish, Schuster, Warstadt, Agha, Lee, Zhao, Bowman & Linzen (2021). NOPE: A Corpus of"
        " Naturally-Occurring Presuppositions in English. CoNLL."
    ),
    licence="none stated; texts are from COCA, which has its own terms",
    homepage="https://github.com/nyu-mll/nope",
    counts={"main": 2_386, "adv": 346, "priors": 200},
    notes=(
        (
            "The reading 'label' is the majority of five, 'rating' the mean rating from 0 to 100."
            " Ratings became labels by thresholds fitted to each participant."
        ),
        (
            "The tag 'polarity' says whether the premise is negated; the published 'type' says"
            " whether it was changed (102 were negated already, so their changed twin is plain)."
        ),
        (
            "The five raters of a pair are known by place only; those of the priors, rated without"
            " the sentence, are runs under new numbers."
        ),
        (
            "Recorded models: RoBERTa-large (five runs), DeBERTa-xlarge, BOW and InferSent, trained"
            " on MultiNLI (mnli) or on MultiNLI, SNLI, ANLI and FEVER (all)."
        ),
    ),
    files=(
        *github(
            REPOSITORY,
            {f"nope/{name}": f"annotated_corpus/{name}" for name in FILES.values()},
            REVISION,
        ),
        *github(
            REPOSITORY,
            {f"nope/model_results/{path}": f"model_results/{path}" for path in MODELS},
            REVISION,
        ),
    ),
)

nope = Source("nope", CARD, (*FILES, "asked/main"), read, read_runs)
