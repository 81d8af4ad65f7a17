"""Baselines without a model: majority, random, lexical overlap, and a verb's signature."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from grice.core.dataset import GOLD, Dataset
from grice.core.errors import InputError, unknown
from grice.core.item import Question
from grice.core.judgement import Judge, Judgement, Learner
from grice.core.scale import NLI, Answer, Scale
from grice.core.settings import read_settings, setting
from grice.theory.signature import environment, expected_label, find_construction

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")


def baseline(name: str, **settings: str) -> Judge | Learner:
    """Return `baseline/majority`, `baseline/random`, `baseline/overlap` or `baseline/signature`."""
    kinds = {"majority": Majority, "random": Random, "overlap": Overlap, "signature": Signature}
    if name not in kinds:
        raise unknown("baseline", name, kinds)
    kind: type[Judge | Learner] = kinds[name]
    return read_settings(kind, settings, noun=f"setting of baseline/{name}")


@dataclass(frozen=True)
class Constant:
    """A judge that gives the same answer to every question."""

    name: str
    answer: Answer
    identity: Mapping[str, Any]

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the same answer for each question."""
        if not scale.accepts(self.answer):
            raise InputError(
                f"'{self.name}' says {self.answer!r}, which is not on {scale}; fit it on such data"
            )
        yield from (Judgement(question.id, self.answer) for question in questions)


@dataclass(frozen=True)
class Majority:
    """The most frequent gold answer of the data it is fitted on.

    On a numeric scale it is their mean.
    """

    reading: str = ""

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:  # noqa: ARG002
        """Return a judge that always gives the most frequent answer of `train`."""
        named = self.reading or next((r for r, s in train.readings.items() if s == train.scale), "")
        if named not in train.readings:
            raise unknown("reading", named, train.readings)
        answers = train.frame[GOLD + named].drop_nulls().to_list()
        if not answers:
            raise InputError(
                f"'{train.name}' has no {named} gold to count; name another reading with -M"
                " reading=…"
            )
        labels = train.readings[named].labels
        common: Answer = max(labels, key=answers.count) if labels else sum(answers) / len(answers)
        identity = {"reading": named, "fitted on": train.fingerprint, "answer": common}
        return Constant("baseline/majority", common, identity)


@dataclass(frozen=True)
class Random:
    """A random answer, drawn from the seed and the item's id.

    It is the same in every order and on every machine.
    """

    seed: str = "0"
    name: str = field(default="baseline/random", init=False)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The seed."""
        return {"seed": self.seed}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield a random answer for each question."""
        for question in questions:
            drawn = hashlib.sha256(f"{self.seed}\x00{question.id}".encode()).digest()
            share = int.from_bytes(drawn[:8], "big") / 2**64
            if scale.low is not None and scale.high is not None:
                yield Judgement(question.id, scale.low + share * (scale.high - scale.low))
            else:
                yield Judgement(question.id, scale.labels[int(share * len(scale.labels))])


@dataclass(frozen=True)
class Overlap:
    """Entailment if (nearly) every word of the hypothesis is in the premise, else neutral.

    This is the shortcut that ConjNLI describes. On a numeric scale the answer is the share of
    hypothesis words found in the premise.
    """

    threshold: float = setting(1.0, low=0)
    name: str = field(default="baseline/overlap", init=False)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The share of words from which on the answer is entailment."""
        return {"threshold": str(self.threshold)}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield an answer by the words that premise and hypothesis share."""
        for question in questions:
            share = _overlap(question)
            if scale.low is not None and scale.high is not None:
                yield Judgement(question.id, scale.low + share * (scale.high - scale.low))
            elif not {"entailment", "neutral"} <= set(scale.labels):
                raise InputError(
                    "baseline/overlap answers entailment or neutral, which are not on the scale"
                    f" {scale}"
                )
            else:
                yield Judgement(question.id, "entailment" if share >= self.threshold else "neutral")


@dataclass(frozen=True)
class Signature:
    """The prediction of the lexical signature of the premise's verb in its environment.

    It is neutral without a known verb.
    """

    name: str = field(default="baseline/signature", init=False)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The lexicon of signatures."""
        return {"lexicon": "Ross & Pavlick 2019, Table 2"}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield an answer by the verb of each premise."""
        if scale != NLI:
            raise InputError(
                f"baseline/signature predicts {NLI}, and the data have {scale}; use another judge"
            )
        for question in questions:
            construction = find_construction(question.premise)
            answer = (
                expected_label(construction.signature, environment(question.premise, construction))
                if construction
                else "neutral"
            )
            yield Judgement(question.id, answer)


def _overlap(question: Question) -> float:
    premise = set(WORD.findall(question.premise.lower()))
    hypothesis = WORD.findall((question.hypothesis or "").lower())
    return sum(word in premise for word in hypothesis) / len(hypothesis) if hypothesis else 1.0
