"""What is sent to a chat model: templates as files, in several wordings and orders of the labels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grice.core.errors import InputError
from grice.core.files import read_text
from grice.core.item import Question
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.templates import check_template

LETTERS = "ABCDEFGHIJKLMNOPQRST"
WORDINGS = 4
FIELDS = {"premise", "hypothesis", "text", "options", "how", "low", "high"}
# What a label means, said only where the labels are those of inference between a premise and a hypothesis.
GLOSS = {
    "entailment": "the hypothesis is then true",
    "neutral": "the hypothesis may then be true or false",
    "contradiction": "the hypothesis is then false",
}
HOW_LABEL = {
    "logprobs": "Answer with the letter of one option, and nothing else.",
    "json": 'Answer as JSON, {"answer": LABEL}, where LABEL is one of the labels above.',
    "text": "Answer with the word of one label, and nothing else.",
}
HOW_NUMBER = {"json": 'Answer as JSON, {"answer": NUMBER}.', "text": "Answer with the number, and nothing else."}


@dataclass(frozen=True)
class Prompt:
    """The text sent, and the labels in the order in which it shows them."""

    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Wordings:
    """The templates a judge uses: a user's one file, or the built-in four for each kind of question."""

    own: str | None = None

    @staticmethod
    def read(template: str) -> Wordings:
        """The built-in wordings for an empty name, else a user's file with `{premise}`, `{options}`, …"""
        if not template:
            return Wordings()
        text = read_text(Path(template))
        check_template(template, text, FIELDS, {"premise", "text"})
        return Wordings(text)

    def count(self) -> int:
        """How many wordings there are."""
        return 1 if self.own is not None else WORDINGS

    def template(self, kind: str, variant: int) -> str:
        """The template of a kind of question, in one of its wordings."""
        return self.own if self.own is not None else _built_in(kind, variant % WORDINGS + 1)

    @property
    def digest(self) -> str:
        """Changes whenever a word that could be sent does."""
        kinds = ("nli", "labels", "unit", "number")
        texts = [self.template(kind, v) for kind in kinds for v in range(self.count())]
        said = json.dumps([texts, GLOSS, HOW_LABEL, HOW_NUMBER], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    def prompt(self, question: Question, scale: Scale, readout: str, variant: int) -> Prompt:
        """The `variant`-th way of asking a question; 0 is the first wording with the labels in their order."""
        labels = order_labels(scale.labels, variant)
        template = self.template(_kind(question, scale), variant)
        values = _values(question, scale, labels, readout)
        if question.hypothesis is None and "{hypothesis" in template:
            raise InputError(f"item '{question.id}' has no hypothesis and the template asks for one; use {{text}}")
        return Prompt(template.format_map(values).strip(), labels)


def order_labels(labels: tuple[str, ...], variant: int) -> tuple[str, ...]:
    """The labels turned by `variant` places, and read backwards on every second round."""
    if not labels:
        return ()
    rounds, turn = divmod(variant, len(labels))
    turned = labels[turn:] + labels[:turn]
    return turned[::-1] if rounds % 2 else turned


def _kind(question: Question, scale: Scale) -> str:
    pair = question.hypothesis is not None
    if scale.numeric:
        return "unit" if pair and scale == UNIT else "number"
    return "nli" if pair and set(scale.labels) == set(NLI.labels) else "labels"


def _values(question: Question, scale: Scale, labels: tuple[str, ...], readout: str) -> Mapping[str, str]:
    pair = question.hypothesis is not None
    glossed = pair and set(labels) == set(NLI.labels)
    marks = [f"{letter}." for letter in LETTERS] if readout == "logprobs" else ["-"] * len(labels)
    options = [
        f"{mark} {label}: {GLOSS[label]}" if glossed else f"{mark} {label}"
        for mark, label in zip(marks, labels, strict=False)
    ]
    return {
        "premise": question.premise,
        "hypothesis": question.hypothesis or "",
        "text": f"Premise: {question.premise}\nHypothesis: {question.hypothesis}" if pair else question.premise,
        "options": "\n".join(options),
        "how": (HOW_NUMBER if scale.numeric else HOW_LABEL)[readout],
        "low": f"{scale.low:g}" if scale.low is not None else "",
        "high": f"{scale.high:g}" if scale.high is not None else "",
    }


@cache
def _built_in(kind: str, number: int) -> str:
    return (Path(__file__).parent / "prompts" / f"{kind}.{number}.txt").read_text(encoding="utf-8")
