"""Scalar diversity: how often people infer "not STRONG" from "WEAK", by scale, in four studies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI, UNIT
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, concat_frames, number
from grice.datasets.formats.people import PERCENT, YES_NO, Replies, TextRow, ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

BE = ("is", "are", "was", "were")
AUXILIARY = re.compile(r"(?:does|did|do) not ")
# The names that begin a sentence whose denial puts words before them.
NAMES = ("Cecilia",)
TRIALS = "rx22_exp1_trials.csv"
STUDIES = ("vt16", "g18", "pvt21", "rx22")
PARTS = ("all", *STUDIES, "vt16_neutral")
# The column of the rate and its unit; what is a proportion counts 1.
RATES = {
    "vt16": ("si_nonneutral", 100),
    "vt16_neutral": ("si_neutral", 100),
    "g18": ("si_rate", 1),
    "pvt21": ("SI_rate", 1),
    "rx22": ("SI percent (Exp 1)", 100),
}
WORDS = {
    "vt16": ("weak_scalemate", "strong_scalemate"),
    "g18": ("weak_adj", "strong_adj"),
    "pvt21": ("weak_adj", "strong_adj"),
    "rx22": ("Weaker", "Stronger"),
}
TAGS: Mapping[str, Mapping[str, str]] = {
    "vt16": {
        "bounded": "boundedness",
        "class": "category",
        "distance": "distance",
        "pos": "pos",
        "lsa": "lsa",
    },
    "g18": {
        "bounded": "upper",
        "extreme": "extreme",
        "negative_strengthening": "negS",
        "distance": "dist",
        "pos": "pos",
    },
    "pvt21": {
        "bounded": "bounded",
        "extreme": "extreme",
        "cooccurrence": "log_coocc",
        "similarity": "w2v_simil",
    },
    "rx22": {
        "accessibility": "Acessibility (Exp 2)",
        "distinctness": "Distinctness (Exp 3)",
        "negated_strong": "Negated strong (Exp 4)",
        "pos": "pos",
    },
}
BOUNDED = {"0": "no", "1": "yes", "NB": "no", "B": "yes"}


def read(folder: Path, part: str) -> Dataset:
    """Read one study, all four, or the neutral sentences of the first.

    `asked/STUDY` contains the question that people saw.
    """
    if part.startswith("asked/"):
        plain = read(folder, part.removeprefix("asked/"))
        return ask(
            plain,
            part,
            [
                _question(*texts)
                for texts in plain.frame.select("premise", "hypothesis").iter_rows()
            ],
            YES_NO,
        )
    frame = concat_frames(
        [_frame(folder, name) for name in (STUDIES if part == "all" else (part,))]
    )
    return Dataset(
        "scalar_diversity" if part == "all" else f"scalar_diversity/{part}",
        NLI,
        frame,
        CARD,
        {"rate": UNIT},
    )


def read_runs(_folder: Path, data: Dataset) -> Sequence[Run]:
    """Return the forty participants of the fourth study; the others publish only rates."""
    return people_runs(data, YES_NO)


def _question(premise: str, hypothesis: str) -> str:
    claim = hypothesis[0].lower() + hypothesis[1:].rstrip(".")
    return f'Mary says: "{premise}"\nWould you conclude from this that, according to Mary, {claim}?'


def _frame(folder: Path, part: str) -> pl.DataFrame:
    study = part.partition("_")[0]
    path = find_published(folder, f"scalar_diversity/{study}.csv", source="scalar_diversity")
    column, unit = RATES[part]
    sentences, people = _trials(folder) if study == "rx22" else ({}, Replies())
    rows = [
        (
            row,
            number(path, line, row[column], PERCENT if unit == 100 else UNIT) / unit,
            weak,
            strong,
        )
        for line, row in read_table(path, delimiter=",", columns=(column, *WORDS[study]))
        for weak, strong in PAIRS[part](row, sentences)
    ]
    scales = ["/".join(row[name] for name in WORDS[study]) for row, *_ in rows]
    items = [row.get("Item", "") for row, *_ in rows]
    tags = {
        key: [BOUNDED.get(row[c], row[c]) if key == "bounded" else row[c] for row, *_ in rows]
        for key, c in TAGS[study].items()
    }
    return columns(
        f"scalar_diversity/{part}",
        [weak for _, _, weak, _ in rows],
        [strong for *_, strong in rows],
        group=[f"scalar_diversity/{part}/{scale}" for scale in scales],
        gold={"rate": [rate for _, rate, _, _ in rows]},
        tags={"study": [study] * len(rows), "scale": scales, **tags, "people": people.tags(items)},
    )


def _trials(folder: Path) -> tuple[dict[str, TextRow], Replies]:
    path = find_published(folder, f"scalar_diversity/{TRIALS}", source="scalar_diversity")
    sentences, people = {}, Replies()
    for _, row in read_table(
        path, delimiter=",", columns=("Participant", "Item", "Response", "Sentence frame")
    ):
        sentences[row["Item"]] = row
        people.add(row["Item"], row["Participant"], "yes" if row["Response"] == "1" else "no")
    return sentences, people


def pair(construction: str, weak: str, strong: str) -> tuple[str, str]:
    """Return the premise "X is weak." and the hypothesis that denies the strong word of X.

    The construction is "X is weak, but not strong."

    >>> pair("he tried, but did not succeed.", "tried", "succeeded")
    ('He tried.', 'He did not succeed.')
    >>> pair("he saw some of them, but not all of them.", "some", "all")
    ('He saw some of them.', 'It is not the case that he saw all of them.')
    """
    clause, _, tail = construction.strip().rstrip(".").partition(", but ")
    words = clause.split()
    at = _weak_index(words, weak)
    before, after = words[:at], words[at + 1 :]
    if weak == "may":
        denied = [*before, tail, *after]
    elif AUXILIARY.match(tail):
        verb = re.sub(r" (it|one)$", "", tail)
        denied = [*before, verb, *after]
    elif before and before[-1] in BE:
        denied = [*before, "not", strong, *after]
    else:
        first = before[0] if before and before[0] in NAMES else "".join(before[:1]).lower()
        denied = ["It is not the case that", first, *before[1:], strong, *after]
    return _sentence(clause), _sentence(" ".join(word for word in denied if word))


def _weak_index(words: Sequence[str], weak: str) -> int:
    """Return the index of the weak word, as it is or inflected ("began" for "begin")."""
    plain = [word.lower().strip("',") for word in words]
    for length in (len(weak), 4, 3):
        matches = [i for i, word in enumerate(plain) if word.startswith(weak[:length].lower())]
        if matches:
            return matches[-1] if length == len(weak) and weak in plain else matches[0]
    return len(words) - 1


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _of(column: str) -> Callable[[TextRow, Mapping[str, TextRow]], list[tuple[str, str]]]:
    return lambda row, _: [
        pair(
            row[column],
            row.get("weak_inflected", row.get("weak_adj", "")),
            row.get("strong_inflected", row.get("strong_adj", "")),
        )
    ]


PAIRS: Mapping[str, Callable[[TextRow, Mapping[str, TextRow]], list[tuple[str, str]]]] = {
    "vt16": lambda row, _: [
        pair(
            row[f"nonneutral{i}_scalar_construction"],
            row["weak_inflected"],
            row["strong_inflected"],
        )
        for i in (1, 2, 3)
    ],
    "vt16_neutral": _of("neutral_scalar_construction"),
    "g18": _of("scalar_construction"),
    "pvt21": lambda row, _: [(row["weak_sentence"], _sentence(row["strong_sentence"]))],
    "rx22": lambda row, trials: [
        pair(trials[row["Item"]]["scalar_construction"], row["Weaker"], row["Stronger"])
    ],
}

CARD = read_card("scalar_diversity")

scalar_diversity = Source(
    "scalar_diversity", CARD, (*PARTS, *(f"asked/{name}" for name in STUDIES)), read, read_runs
)
