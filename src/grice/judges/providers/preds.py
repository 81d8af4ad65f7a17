"""Stored predictions as a judge: JSON lines, CSV or Parquet by id, `.npy` by order."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.errors import GriceError, InputError, bad_line
from grice.core.files import read_bytes, read_json_lines, read_table, sha256_of
from grice.core.item import Question
from grice.core.judgement import Judgement, best, probs_problem
from grice.core.parquet import read_parquet
from grice.core.scale import Answer, Scale
from grice.core.settings import read_settings, setting, with_settings


@dataclass(frozen=True)
class PredsSettings:
    """Settings (`-M`) of `preds/…`."""

    labels: tuple[str, ...] = ()
    extra: str = setting(
        "refuse", choices=("refuse", "ignore"), noun="way with ids that are not asked"
    )


@with_settings(PredsSettings)
class Preds:
    """`preds/FILE`: the file answers each question by its id, or by its place for `.npy`.

    A file by id has `id` and `answer`, or one probability a label (`probs` in JSON, columns named
    like the labels). An array has one column a label, in the order that `labels=a,b,c` states;
    there is no default order. Ids that are not in the dataset are refused, or passed over with
    `extra=ignore`, as for a part of what a file answers.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.settings = read_settings(PredsSettings, settings, noun="setting of preds")
        self.path, self.labels = Path(name), self.settings.labels
        self.name = f"preds/{name}"
        self._replies: dict[str, Judgement] = {}

    @property
    def identity(self) -> Mapping[str, Any]:
        """The file's hash, and the meaning of its columns."""
        if not self.path.is_file():
            read_bytes(self.path)
        return {"sha256": sha256_of(self.path), "labels": list(self.labels)}

    def knows(self, ids: Iterable[str]) -> bool:
        """Return whether a file by id has a row for any of these items."""
        return not self._ids.isdisjoint(ids)

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset(str(row.get("id", "")) for _, row in _rows(self.path))

    def bind(self, ids: Sequence[str], scale: Scale) -> Preds:
        """Return this judge with the whole file read and checked against the items to answer."""
        bound = copy(self)
        bound._replies = (
            self._by_order(ids, scale) if self.path.suffix == ".npy" else self._by_id(ids, scale)
        )
        return bound

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the file's answer to each question."""
        question_list = list(questions)
        replies = (
            self._replies or self.bind([question.id for question in question_list], scale)._replies
        )
        yield from (replies[question.id] for question in question_list)

    def _by_order(self, ids: Sequence[str], scale: Scale) -> dict[str, Judgement]:
        table = _array(self.path)
        if set(self.labels) != set(scale.labels):
            remedy = f"state the order of its columns, as in -M labels={','.join(scale.labels)}"
            raise InputError(f"{self.path}: an array does not name its columns; {remedy}")
        if table.shape != (len(ids), len(self.labels)):
            fact = f"shape {table.shape} for {len(ids)} items and {len(self.labels)} labels"
            raise InputError(
                f"{self.path}: {fact}; it must have one row per item, in the dataset's order"
            )
        replies = {}
        for number, (key, row) in enumerate(zip(ids, table.tolist(), strict=True)):
            probs = dict(zip(self.labels, row, strict=True))
            problem = probs_problem(probs, scale)
            if problem:
                raise InputError(
                    f"{self.path}: row {number}: {problem}; write probabilities, not scores"
                )
            replies[key] = Judgement(key, best(probs), probs=probs)
        return replies

    def _by_id(self, ids: Sequence[str], scale: Scale) -> dict[str, Judgement]:
        wanted = set(ids)
        replies: dict[str, Judgement] = {}
        for line, row in _rows(self.path):
            key = str(row.get("id", ""))
            if not key:
                raise bad_line(
                    self.path, line, "no id", "each row names the item it answers in 'id'"
                )
            if key in replies:
                raise bad_line(self.path, line, f"duplicate id '{key}'", "keep one answer per item")
            if key not in wanted and self.settings.extra == "ignore":
                continue
            if key not in wanted:
                remedy = (
                    "leave it out, judge the dataset it belongs to, or pass over such ids with -M"
                    " extra=ignore"
                )
                raise bad_line(self.path, line, f"the id '{key}' is not in the dataset", remedy)
            replies[key] = _judgement(self.path, line, key, row, scale)
        missing = [key for key in ids if key not in replies]
        if missing:
            fact = f"no answer for '{missing[0]}' ({len(missing)} of {len(ids)} missing)"
            raise InputError(f"{self.path}: {fact}; add them, or a row with a 'fault'")
        return replies


def _array(path: Path) -> np.ndarray[Any, Any]:
    try:
        table: np.ndarray[Any, Any] = np.load(io.BytesIO(read_bytes(path)), allow_pickle=False)
    except GriceError:
        raise
    except (
        Exception
    ) as error:  # numpy parses the header as Python does, with as many kinds of errors
        raise InputError(
            f"{path}: not a plain array ({error}); save it with numpy.save, without objects"
        ) from None
    if not isinstance(table, np.ndarray) or table.dtype.kind not in "fiu":
        raise InputError(f"{path}: not an array of numbers; save probabilities with numpy.save")
    return table


def _rows(path: Path) -> Iterator[tuple[int | None, dict[str, Any]]]:
    if path.suffix in (".csv", ".tsv"):
        delimiter = "," if path.suffix == ".csv" else "\t"
        yield from read_table(path, delimiter=delimiter, columns=["id"])
    elif path.suffix == ".parquet":
        for row in read_parquet(path).iter_rows(named=True):
            yield None, row
    elif path.name.endswith((".jsonl", ".jsonl.gz", ".ndjson")):
        yield from read_json_lines(path)
    else:
        raise InputError(
            f"{path}: answers are read from .jsonl, .csv, .tsv, .parquet or .npy; convert the file"
        )


def _judgement(
    path: Path, line: int | None, key: str, row: Mapping[str, Any], scale: Scale
) -> Judgement:
    if row.get("fault"):
        return Judgement(key, fault=str(row["fault"]), raw=row.get("raw"))
    probs = _probs_of(path, line, row, scale)
    answer: Answer | None = row.get("answer")
    if answer is None and probs:
        answer = best(probs)
    if scale.numeric and isinstance(answer, str | int):
        try:
            answer = float(answer)
        except ValueError:
            raise bad_line(
                path, line, f"answer {answer!r} is not a number", f"the scale is {scale}"
            ) from None
    if answer is None:
        raise bad_line(
            path, line, f"the id '{key}' has no answer", "give 'answer', 'probs', or a 'fault'"
        )
    judgement = Judgement(key, answer, probs=probs, raw=row.get("raw"))
    problem = judgement.problem(scale)
    if not problem and probs and probs[str(answer)] == 0:
        problem = f"the answer '{answer}' has the probability 0 beside it"
    if problem:
        raise bad_line(path, line, problem, f"the scale is {scale}")
    return judgement


def _probs_of(
    path: Path, line: int | None, row: Mapping[str, Any], scale: Scale
) -> Mapping[str, float] | None:
    """Return the probabilities of a row: `probs`, or a column for each label."""
    probs = row.get("probs") or None
    if probs is None and scale.labels and set(scale.labels) <= set(row):
        try:
            probs = {label: float(row[label]) for label in scale.labels}
        except (TypeError, ValueError):
            raise bad_line(
                path, line, "a probability is not a number", "write one a label"
            ) from None
    if probs is not None and not (
        isinstance(probs, dict) and all(isinstance(p, int | float) for p in probs.values())
    ):
        raise bad_line(
            path, line, f"probs {probs!r:.40} are no probabilities", "write one a label, by name"
        )
    return probs
