"""Extraction of the one answer that a written reply gives.

Two different answers count as none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grice.core.scale import UNIT, Answer, Scale

LETTERS = "ABCDEFGHIJKLMNOPQRST"
# Some templates open the reasoning themselves, so that a reply has only the closing tag.
THOUGHT = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL)
THINKING = re.compile(r"^\s*<(?:think|thinking|reasoning)>")
# The markup of gpt-oss: the answer is in the channel called final.
FINAL = re.compile(r"^.*<\|channel\|>final(?:<\|constrain\|>\w+)?<\|message\|>", re.DOTALL)
CHANNEL = re.compile(r"^\s*(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)")
MARK = re.compile(r"<\|[a-z_]+\|>\s*$")
STATED = re.compile(
    r"\b(?:answer|label|choice|option|probability|rating)\b[*_`]*\s*(?:is\s*:?|:|=)\s*(.+?)\s*(?:\n|$)",
    re.I,
)
BOXED = re.compile(r"\\boxed\s*\{\s*(?:\\text\w*\s*\{)?([^{}]*)\}|<answer>([^<>]*)</answer>", re.I)
NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?)\s*(%?)", re.I)
SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]|\n|$)")
SAYS = re.compile(r"\b(?:is|are|be|as|say|choose|pick|label|relation|relationship|answer)\b", re.I)
ENDS = re.compile(r"\W*$|[,;]|[*_`\"']*\s+(?:because|since|given|to|of|with)\b", re.I)
DENIAL = re.compile(
    r"\b(?:not|never|neither|nor|cannot|rather than|instead of|unlike|if|or|whether)\b|n't\b", re.I
)


@dataclass(frozen=True)
class FoundAnswer:
    """An answer, and the position in the text where it begins."""

    answer: Answer
    start: int


def strip_reasoning(text: str) -> str | None:
    """Return what follows a model's reasoning, or None if the reply ends before that."""
    if FINAL.match(text):
        text = FINAL.sub("", text)
    elif CHANNEL.match(text):
        return None
    text = MARK.sub("", THOUGHT.sub("", text)).strip()
    return None if THINKING.match(text) else text


def json_answer(text: str) -> str | None:
    """Return the `answer` of the JSON in a text, with or without a fence or prose around it."""
    candidates = []
    for brace in re.finditer(r"\{", text):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, brace.start())
        except ValueError:
            continue
        if isinstance(value, dict):
            candidates += [answer for key, answer in value.items() if key.casefold() == "answer"]
    answers = {
        str(candidate)
        for candidate in candidates
        if isinstance(candidate, str | int | float) and not isinstance(candidate, bool)
    }
    return (
        answers.pop()
        if len(answers) == 1
        and len(candidates) == len([candidate for candidate in candidates if candidate is not None])
        else None
    )


def find_answer(text: str, words: Sequence[str], scale: Scale) -> FoundAnswer | None:
    """Return the one answer of a text, or None if there is none or more than one.

    The answer is all of the text, its first or last line, the label that a sentence names, or what
    the text states. `words` are the labels as the prompt showed them, in its order; the answer is
    one of the words, or a number of the scale.
    """
    boxed = _read(
        [(m.start(m.lastindex or 0), m[m.lastindex or 0]) for m in BOXED.finditer(text)],
        words,
        scale,
    )
    if boxed:
        return boxed[-1] if len({match.answer for match in boxed}) == 1 else None
    matches = _read(_places(text, scale), words, scale)
    answers = {match.answer for match in matches}
    if len(answers) == 1:
        return min(matches, key=lambda match: match.start)
    return _named(text, words) if not answers and not scale.numeric else None


def _places(text: str, scale: Scale) -> list[tuple[int, str]]:
    """List the parts of a text that may be an answer, with where they begin."""
    lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]*\S[^\n]*", text)] or [(0, "")]
    start, first = lines[0]
    sentence = re.split(r"(?<=[.:;,])\s|\s[-–—]\s", first)[0]
    places = [(0, text), lines[0], lines[-1]]
    # A letter is read with the rest of its line, which may name another label.
    places += [(start, sentence)] if len(_bare(sentence)) > 1 or scale.numeric else []
    return places + [(m.start(1), m[1]) for m in STATED.finditer(text)]


def _read(
    places: Sequence[tuple[int, str]], words: Sequence[str], scale: Scale
) -> list[FoundAnswer]:
    matches = []
    for start, part in places:
        answer: Answer | None = _number(part, scale) if scale.numeric else _label(part, words)
        if answer is not None:
            within = re.search(r"\w", part)
            matches.append(FoundAnswer(answer, start + (within.start() if within else 0)))
    return matches


def _named(text: str, words: Sequence[str]) -> FoundAnswer | None:
    """Return the only label that the last sentence names without denying or weighing it."""
    sentences = [(m.start(), m[0]) for m in SENTENCE.finditer(text) if m[0].strip()]
    if not sentences:
        return None
    start, last = sentences[-1]
    named = list(_mentions(last, words))
    if len({word for word, _ in named}) != 1 or DENIAL.search(last) or not _said_of(last, named[0]):
        return None
    other_labels = {word for word, _ in _mentions(text, words)} - {named[0][0]}
    conclusion = re.match(
        r"\W*(?:so|thus|therefore|hence|overall|in conclusion|the hypothesis|it)\b", last, re.I
    )
    if other_labels and not conclusion:
        return None
    return FoundAnswer(named[0][0], start + named[0][1])


def _said_of(sentence: str, named: tuple[str, int]) -> bool:
    """Return whether the sentence assigns the label ("… is neutral").

    A sentence that says something about the label itself does not count.
    """
    word, start = named
    before, after = sentence[:start], sentence[start + len(word) :]
    return bool(SAYS.search(before) and ENDS.match(after))


def _mentions(text: str, words: Sequence[str]) -> Iterator[tuple[str, int]]:
    for word in words:
        if len(word) > 3:
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.I):
                yield word, match.start()


def _label(text: str, words: Sequence[str]) -> str | None:
    stripped = _bare(text)
    by_word = {word.casefold(): word for word in words}
    if stripped.casefold() in by_word:
        return by_word[stripped.casefold()]
    lettered = re.fullmatch(r"(?:option\s+)?([A-Ta-t])(?:[.):]+\W*(.*))?", stripped, re.DOTALL)
    if lettered is None or LETTERS.index(lettered[1].upper()) >= len(words):
        return None
    word = words[LETTERS.index(lettered[1].upper())]
    rest = _bare(lettered[2] or "").casefold()
    return word if not rest or rest.startswith(word.casefold()) else None


def _number(text: str, scale: Scale) -> float | None:
    match = NUMBER.fullmatch(_bare(text))
    if match is None or (match[2] and scale != UNIT):
        return None
    value = float(match[1]) / (100 if match[2] else 1)
    return value if scale.accepts(value) else None


def _bare(text: str) -> str:
    marks = "*_`\"'“”„‘’«»()[]{}# "
    return text.strip().strip(marks).rstrip(".!:;, ").strip(marks)
