"""Prompts for chat models: templates as files, in several wordings and label orders."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grice.core.errors import InputError, unknown
from grice.core.files import read_text
from grice.core.item import Question
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.reply_text import LETTERS
from grice.judges.templates import check_template, fields_of

WORDINGS = 4
FIELDS = {"premise", "hypothesis", "text", "options", "how", "low", "high"}
# What a label means, included only for NLI labels on a premise and a hypothesis.
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
# Readouts of local models use the instructions of these readouts of a server.
HOW = {"words": "text", "letter": "logprobs", "graded": "text"}
# Readouts whose prompts show a letter for each label.
LETTERED = ("logprobs", "letter")
FOLDER = Path(__file__).parent / "prompts"
HOW_NUMBER = {
    "json": 'Answer as JSON, {"answer": NUMBER}.',
    "text": "Answer with the number, and nothing else.",
}


@dataclass(frozen=True)
class Prompt:
    """The text sent, the labels in its order, and the words by which it shows them.

    The first `stable` characters are the same for every item with this prompt, so that a server can
    cache them. `lettered` if each label has a letter.
    """

    text: str
    labels: tuple[str, ...]
    words: tuple[str, ...] = ()
    stable: int = 0
    lettered: bool = False

    @property
    def other_words(self) -> tuple[str, ...]:
        """The words of the labels, if they are not the labels themselves."""
        return self.words if self.words != self.labels else ()


@dataclass(frozen=True)
class Way:
    """A prompt, its readout, and the name of its method if there are several."""

    prompt: Prompt
    readout: str
    method: str = ""


@dataclass(frozen=True)
class Wordings:
    """The templates of a judge: a user's file, or the four built in per kind of question."""

    own: str | None = None

    @staticmethod
    def read(template: str) -> Wordings:
        """Return the built-in wordings for an empty name, else those of a user's file.

        The file has `{premise}`, `{options}`, …
        """
        if not template:
            return Wordings()
        text = read_text(Path(template))
        check_template(template, text, FIELDS, {"premise", "text"})
        return Wordings(text)

    @property
    def digest(self) -> str:
        """A hash that changes with every change of a word that could be sent."""
        kinds = ("nli", "labels", "unit", "number")
        built_in = [_built_in(kind, str(v + 1)) for kind in kinds for v in range(WORDINGS)]
        texts = [self.own] * len(kinds) if self.own is not None else built_in
        content = json.dumps([texts, GLOSS, HOW_LABEL, HOW_NUMBER], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def ask(
        self,
        question: Question,
        scale: Scale,
        readout: str,
        *,
        wording: str = "1",
        order: int = 0,
        words: Mapping[str, str] | None = None,
    ) -> Prompt:
        """Return the prompt for a question in one wording or framing.

        The labels are in the given order, shown by the given words.
        """
        labels = order_labels(scale.labels, order)
        kind, framing = _kind(question, scale), framings().get(wording)
        if framing and (kind != "nli" or self.own is not None):
            raise InputError(
                f"the framing '{wording}' asks about pairs on {NLI} in its own words, not on"
                f" {scale}"
            )
        template = self.own if self.own is not None else _built_in(kind, wording)
        fields = fields_of(template)
        if question.hypothesis is None and "hypothesis" in fields:
            raise InputError(
                f"item '{question.id}' has no hypothesis and the template asks for one; use"
                " {text}"
            )
        if (
            self.own is not None
            and question.hypothesis is not None
            and not fields & {"hypothesis", "text"}
        ):
            fact = f"item '{question.id}' has a hypothesis, and the template leaves it out"
            raise InputError(f"{fact}; put {{hypothesis}} in it, or {{text}} for both")
        words_and_glosses = {
            label: framing[label] if framing else (label, GLOSS.get(label, "")) for label in labels
        }
        words_and_glosses |= {
            label: (word, words_and_glosses[label][1])
            for label, word in (words or {}).items()
            if label in words_and_glosses
        }
        glossed = kind == "nli"
        options = [
            f"{word}: {gloss}" if glossed and gloss else word
            for word, gloss in words_and_glosses.values()
        ]
        values = _values(question, scale, options, readout)
        text = template.format_map(values).strip()
        stable = len(template[: _first_of_item(template)].format_map(values).lstrip())
        word_list = tuple(word for word, _ in words_and_glosses.values())
        lettered = readout in LETTERED and "options" in fields
        return Prompt(text, labels, word_list, stable, lettered)


def order_labels(labels: tuple[str, ...], variant: int) -> tuple[str, ...]:
    """Rotate the labels by `variant` places, and reverse them on every second round."""
    if not labels:
        return ()
    rounds, turn = divmod(variant, len(labels))
    turned = labels[turn:] + labels[:turn]
    return turned[::-1] if rounds % 2 else turned


@cache
def _first_of_item(template: str) -> int:
    """Return where a template first depends on the item."""
    match = re.search(r"\{(premise|hypothesis|text)\b", template)
    return match.start() if match else len(template)


def _kind(question: Question, scale: Scale) -> str:
    pair = question.hypothesis is not None
    if scale.numeric:
        return "unit" if pair and scale == UNIT else "number"
    return "nli" if pair and set(scale.labels) == set(NLI.labels) else "labels"


def _values(
    question: Question, scale: Scale, options: list[str], readout: str
) -> Mapping[str, str]:
    pair = question.hypothesis is not None
    marks = [f"{letter}." for letter in LETTERS] if readout in LETTERED else ["-"] * len(options)
    return {
        "premise": question.premise,
        "hypothesis": question.hypothesis or "",
        "text": (
            f"Premise: {question.premise}\nHypothesis: {question.hypothesis}"
            if pair
            else question.premise
        ),
        "options": "\n".join(
            f"{mark} {option}" for mark, option in zip(marks, options, strict=False)
        ),
        "how": (HOW_NUMBER if scale.numeric else HOW_LABEL)[HOW.get(readout, readout)],
        "low": "0" if readout == "graded" else f"{scale.low:g}" if scale.low is not None else "",
        "high": (
            "100" if readout == "graded" else f"{scale.high:g}" if scale.high is not None else ""
        ),
    }


@cache
def _built_in(kind: str, wording: str) -> str:
    path = FOLDER / f"{kind}.{wording}.txt"
    if not path.is_file():
        known = sorted(file.name.split(".")[1] for file in FOLDER.glob(f"{kind}.*.txt"))
        raise unknown(f"wording for {kind}", wording, known)
    return path.read_text(encoding="utf-8")


@cache
def framings() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """Return the framings: for each label its own word and what it means."""
    return tomllib.loads((FOLDER / "framings.toml").read_text(encoding="utf-8"))


@cache
def word_sets() -> Mapping[str, Mapping[str, str]]:
    """Return other words for labels, by the name of the set."""
    return tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))
