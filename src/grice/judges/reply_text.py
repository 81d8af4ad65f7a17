"""Parts of a reply: its reasoning, sentences, clauses and JSON objects, with their offsets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from grice.core.scale import Answer
from grice.judges import reply_grammar as grammar

LETTERS = "ABCDEFGHIJKLMNOPQRST"
ANSWER_KEYS = {
    "answer",
    "final answer",
    "label",
    "relation",
    "relationship",
    "verdict",
    "prediction",
    "choice",
    "classification",
    "rating",
    "probability",
}
ITEM_KEYS = {"premise", "hypothesis", "sentence", "sentence 1", "sentence 2", "item", "pair", "id"}
# Some templates open the reasoning themselves, so that a reply has only the closing tag.
THOUGHT = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL)
THINKING = re.compile(r"^\s*<(?:think|thinking|reasoning)>")
# The markup of gpt-oss: the answer is in the channel called final.
FINAL = re.compile(r"^.*<\|channel\|>final(?:<\|constrain\|>\w+)?<\|message\|>", re.DOTALL)
CHANNEL = re.compile(r"^\s*(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)")
MARK = re.compile(r"(?:<\|[a-z_]+\|>|</s>|<eos>|<end_of_turn>)\s*$")
MAX_BRACES = 200

# Start and end of a JSON object in a text, and its pairs of keys and values.
JsonObject = tuple[int, int, list[tuple[str, Any]]]


@dataclass(frozen=True)
class ReplyAnswer:
    """The answer of a reply, and the offset in the text at which it begins."""

    answer: Answer
    start: int


@dataclass(frozen=True)
class AnswerLines:
    """The answers of JSON, boxes or tags as plain lines, and the offset at which they begin."""

    answers: tuple[str, ...]
    others: str
    start: int

    @property
    def text(self) -> str:
        """The reply with its answers as lines of their own."""
        return "\n".join((*self.answers, self.others))


def answer_lines(text: str) -> AnswerLines | None:
    """Return answers in JSON, boxes or tags as lines "Answer: …", or None if there are none."""
    if objects := json_objects(text):
        return _lines_of_json(text, objects)
    boxes = list(grammar.BOXED.finditer(text))
    if not boxes:
        return None
    answers = []
    for box in boxes:
        # The sentence around the box may deny it.
        opening = re.split(r"[.!?]\s|\n", text[max(0, box.start() - 400) : box.start()])[-1]
        denied = grammar.DENIAL.search(opening) or grammar.HEDGE.search(opening)
        answers.append(f"{'Not' if denied else 'Answer'}: {(box[1] or box[3] or '').strip()}")
    return AnswerLines(tuple(answers), text[boxes[-1].end() :].lstrip("}$ "), boxes[0].start())


def _lines_of_json(text: str, objects: Sequence[JsonObject]) -> AnswerLines:
    """Return the values of the keys that hold an answer, and the other ones but the item's own."""
    start, end = objects[0][0], max(end for _, end, _ in objects)
    pairs = [(_key(key), value) for _, _, fields in objects for key, value in fields]
    lines = tuple(f"Answer: {_plain_value(value)}" for key, value in pairs if key in ANSWER_KEYS)
    others = [
        f"{key}: {value}"
        for key, value in pairs
        if isinstance(value, str | float | int) and key not in ANSWER_KEYS | ITEM_KEYS
    ]
    return AnswerLines(
        lines, "\n".join((text[:start], *others, text[end:])) if lines else "", start
    )


def _key(key: str) -> str:
    return " ".join(re.split(r"[\s_-]+", key.casefold()))


def _plain_value(value: Any) -> str:
    """Return an answer in JSON as text; a value that is no text or number is none."""
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value).replace("{", " ") if is_plain else "nothing"


def strip_reasoning(text: str) -> str | None:
    """Return what follows a model's reasoning, or None if the reply ends before that."""
    if FINAL.match(text):
        text = FINAL.sub("", text)
    elif CHANNEL.match(text):
        return None
    text = MARK.sub("", THOUGHT.sub("", text)).strip()
    return None if THINKING.match(text) else text


def blank(text: str, pattern: re.Pattern[str]) -> str:
    """Replace each match by blanks, so that offsets stay."""
    return pattern.sub(lambda match: " " * len(match[0]), text)


def sentences_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence or line with its offset."""
    start = 0
    for match in grammar.SENTENCE_END.finditer(text):
        if text[start : match.end()].strip():
            yield start, text[start : match.end()]
        start = match.end()
    if text[start:].strip():
        yield start, text[start:]


def clause_around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the parts of a clause before and after a span of a text."""
    before = re.split(r"[.!?:;,()\n]|\bbut\b", text[max(0, start - 200) : start])[-1]
    # A list after one denial is denied as a whole: "neither entailment, nor contradiction".
    after = re.split(r"[.!?:;,()\n]|\bbut\b", text[end : end + 200])[0]
    return before, after


def stands_alone(text: str, match: re.Match[str]) -> bool:
    """Return whether a word is a clause of its own."""
    before, after = clause_around(text, match.start(), match.end())
    return not re.search(r"\w", before + after)


def label_key(label: str) -> str:
    """Return a label in the form in which spellings are compared."""
    return re.sub(r"[-_\s]+", "-", label.casefold())


def json_objects(text: str) -> list[JsonObject]:
    """Return the JSON objects of a text from the outside in; repeated keys are kept."""
    objects: list[JsonObject] = []
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs)
    for brace in islice(re.finditer(r"\{", text), MAX_BRACES):
        try:
            value, end = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, _Pairs) and not any(s <= brace.start() < e for s, e, _ in objects):
            objects += [(brace.start(), end, pairs) for pairs in _nested(value)]
    return objects


class _Pairs(list[tuple[str, Any]]):
    """The pairs of a JSON object, with keys that it repeats."""


def _nested(pairs: _Pairs) -> Iterator[list[tuple[str, Any]]]:
    yield list(pairs)
    for _, value in pairs:
        if isinstance(value, _Pairs):
            yield from _nested(value)


def shorten(text: str) -> str:
    """Return a text on one line of at most 80 characters."""
    flat = " ".join(text[:1000].split())
    return flat if len(flat) <= 80 else flat[:79] + "…"
