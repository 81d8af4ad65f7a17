"""Recorded log-probabilities of open language models on IMPPRES (Tsvilodub et al. 2026).

A file of a model has two rows per item, each with the correct option and one of the two others.
An option is scored by the sum of its tokens' log-probabilities or by their mean; the two may differ
in their answer, since the options have different numbers of tokens.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import bad_line
from grice.core.files import read_table
from grice.core.scale import NLI
from grice.storage.run import Run

FOLDER = "imppres/panel"
KINDS = ("implicature", "presupposition")
SCORINGS = ("mean", "sum")
PROMPT = re.compile(r"Premise: (.*?)\nHypothesis: (.*?)(?:\n.*)?", re.DOTALL)
# The two wordings of the options. Answers to one are not compared with answers to the other.
OPTIONS = (
    (re.compile(r"\bfollows from\b"), "entailment", ""),
    (re.compile(r"\bcontradicts\b"), "contradiction", ""),
    (re.compile(r"\bno clear relationship\b"), "neutral", ""),
    (re.compile(r"\bdefinitely not true\b"), "contradiction", "statements, "),
    (re.compile(r"\bdefinitely true\b"), "entailment", "statements, "),
    (re.compile(r"\bmight be true\b"), "neutral", "statements, "),
)
COLUMNS = (
    "pretext",
    "correct",
    "incorrect",
    *(f"{option}_option_{by}_logprob" for option in ("correct", "incorrect") for by in SCORINGS),
)
PairTexts = tuple[str, str]


@dataclass
class ScoredItem:
    """The scores of an item's options, by scoring and label; the correct one comes twice."""

    scores: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))

    def of(self, scoring: str) -> dict[str, float] | None:
        """Return the mean score of each label; None unless every label has one."""
        by_label = {label: self.scores.get((scoring, label), []) for label in NLI.labels}
        if not all(by_label.values()):
            return None
        return {label: sum(scores) / len(scores) for label, scores in by_label.items()}


def panel_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return two runs per model whose files are in the data folder: scored by mean and by sum.

    Items are found by their texts in the released sets. An item whose best options are equal has
    no answer.
    """
    if "tag.version" not in data.frame.columns:
        return []
    ids = {kind: _ids_by_text(data, kind) for kind in KINDS}
    root = folder / FOLDER
    models = sorted({path.stem for kind in KINDS for path in (root / kind).glob("*.csv")})
    return [run for model in models for run in _model_runs(root, data, model, ids)]


def _ids_by_text(data: Dataset, kind: str) -> dict[PairTexts, list[str]]:
    """Return the ids of the released pairs by their texts; a few texts come twice."""
    is_released = (pl.col("tag.kind") == kind) & (pl.col("tag.version") == "v1")
    rows = data.frame.filter(is_released).select("id", "premise", "hypothesis")
    ids: dict[PairTexts, list[str]] = defaultdict(list)
    for item, premise, hypothesis in rows.iter_rows():
        ids[premise.strip(), hypothesis.strip()].append(item)
    return ids


def _model_runs(
    root: Path, data: Dataset, model: str, ids: Mapping[str, Mapping[PairTexts, Sequence[str]]]
) -> Iterator[Run]:
    by_wording: dict[str, dict[str, ScoredItem]] = defaultdict(dict)
    for kind in KINDS:
        path = root / kind / f"{model}.csv"
        if not path.is_file() or not ids[kind]:
            continue
        for (wording, *texts), scored in _read(path).items():
            for item in ids[kind].get((texts[0], texts[1]), ()):
                by_wording[wording][item] = scored
    for wording, items in sorted(by_wording.items()):
        for scoring in SCORINGS:
            scores = {item: of for item, scored in items.items() if (of := scored.of(scoring))}
            answered = {item: of for item, of in scores.items() if not _is_tied(of)}
            if answered:
                yield _run(data, f"{model} ({wording}{scoring})", answered)


def _read(path: Path) -> dict[tuple[str, str, str], ScoredItem]:
    """Return the scores of every item by wording, premise and hypothesis."""
    items: dict[tuple[str, str, str], ScoredItem] = defaultdict(ScoredItem)
    for line, row in read_table(path, delimiter=",", columns=COLUMNS):
        texts = PROMPT.fullmatch(row["pretext"].strip())
        if texts is None:
            raise bad_line(path, line, "no premise and hypothesis in 'pretext'", "fetch it again")
        for option in ("correct", "incorrect"):
            label, wording = _label(path, line, row[option])
            scored = items[wording, texts[1].strip(), texts[2].strip()]
            for scoring in SCORINGS:
                score = _score(path, line, row[f"{option}_option_{scoring}_logprob"])
                scored.scores[scoring, label].append(score)
    return items


def _label(path: Path, line: int, option: str) -> tuple[str, str]:
    """Return the label that an option stands for, and the wording it belongs to."""
    for pattern, label, wording in OPTIONS:
        if pattern.search(option):
            return label, wording
    raise bad_line(path, line, f"unknown option {option!r:.60}", "fetch it again")


def _score(path: Path, line: int, text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score) or score > 0:
        raise bad_line(path, line, f"{text!r:.40} is no log-probability", "fetch it again")
    return score


def _is_tied(scores: Mapping[str, float]) -> bool:
    best = max(scores.values())
    return sum(score == best for score in scores.values()) > 1


def _run(data: Dataset, judge: str, items: Mapping[str, Mapping[str, float]]) -> Run:
    answers: list[str] = []
    probs: dict[str, list[float]] = {label: [] for label in NLI.labels}
    for scores in items.values():
        best = max(scores.values())
        weights = {label: math.exp(score - best) for label, score in scores.items()}
        total = sum(weights.values())
        answers.append(next(label for label, score in scores.items() if score == best))
        for label in NLI.labels:
            probs[label].append(weights[label] / total)
    return Run.from_columns(data, judge, list(items), answers, probs=probs)
