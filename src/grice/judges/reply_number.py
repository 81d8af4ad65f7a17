"""The reader of replies that give a number."""

from __future__ import annotations

import re

from grice.core.fault import Fault, FaultKind
from grice.core.scale import UNIT, Scale
from grice.judges import reply_grammar as grammar
from grice.judges.reply_frames import frame_of
from grice.judges.reply_text import ReplyAnswer, blank, shorten

# The scale, named after the number: "0.7 out of 1", "4 on a scale from 1 to 5".
SCALE = re.compile(
    r"\(?\bon (?:a|the) scale (?:of|from) [-+]?[\d.]{1,20} (?:to|-) [-+]?[\d.]{1,20}\)?"
)
MARKUP = re.compile(
    r"^[ ]*```[^\n]*$|\*+|`+|\"|(?<!\w)_+|_+(?!\w)|^[ ]*#+|^[ ]*[-•](?= )|\$|✅\ufe0f?", re.M
)


def read_number(text: str, scale: Scale) -> ReplyAnswer | Fault:
    """Return the one number on a scale that a text states, or the reason why it gives none."""
    plain = blank(text.translate(grammar.PLAIN), MARKUP)
    values: dict[float, int] = {}
    rest = blank(plain, SCALE)
    statements = list(_statements(rest))
    for start, _, number in statements:
        value = _value(number, scale)
        if value is None:
            return Fault(FaultKind.OFF_SCALE, shorten(text))
        values.setdefault(value, start)
    if not statements:
        return Fault(_why_none(plain), shorten(text))
    after = rest[statements[-1][1] :]
    numbers = [m for m in grammar.NUMBER.finditer(after) if _value(m, scale) not in values]
    if len(values) > 1 or numbers:
        return Fault(FaultKind.SEVERAL, shorten(text))
    if grammar.RETRACTION.search(after):
        return Fault(FaultKind.NEGATED, shorten(text))
    if grammar.DOUBT.search(after) or re.match(r"[\s,]*(?:or|if|to|-)\b", after):
        return Fault(FaultKind.HEDGED, shorten(text))
    if "?" in after:
        return Fault(FaultKind.QUESTIONED, shorten(text))
    ((value, start),) = values.items()
    return ReplyAnswer(value, start)


def _statements(text: str) -> list[tuple[int, int, re.Match[str]]]:
    """Return the numbers that a sentence states, each with where it begins and ends."""
    statements = []
    for line in re.finditer(r"[^\n]+", text):
        for part in re.finditer(r"(?:^|(?<=[.!?]\s))\s*\S.*?(?=(?<=[^\d\s][.!?])\s|$)", line[0]):
            number = grammar.NUMBER.search(part[0])
            if number is None:
                continue
            opening = " ".join(part[0][: number.start()].split()).lower().lstrip("([{'")
            tail = part[0][number.end() :]
            states = frame_of(opening)
            ends = re.match(
                r"[\s)\]}']*(?:$|[.!]+(?:\s|$)|[,;:(?]|-\s|because\b|since\b|or\b|to\b)", tail
            )
            listed = re.fullmatch(r"\d{1,2}", number[0]) and re.match(r"[.)]\s*\S", tail)
            if states is None or ends is None or (listed and not opening):
                continue
            at = line.start() + part.start()
            statements.append((at + number.start(), at + number.end(), number))
    return statements


def _value(number: re.Match[str], scale: Scale) -> float | None:
    if number[2] and scale != UNIT:
        return None
    value = float(number[1]) / (100 if number[2] else 1)
    return value if scale.accepts(value) else None


def _why_none(text: str) -> FaultKind:
    if grammar.REFUSAL.search(text):
        return FaultKind.REFUSED
    numbers = {match[0] for match in grammar.NUMBER.finditer(text)}
    if not numbers:
        return FaultKind.UNREADABLE
    if len(numbers) > 1:
        return FaultKind.SEVERAL
    for kind, pattern in (
        (FaultKind.QUESTIONED, re.compile(r"\?")),
        (FaultKind.NEGATED, grammar.DENIAL),
        (FaultKind.HEDGED, grammar.HEDGE),
    ):
        if pattern.search(text):
            return kind
    return FaultKind.UNREADABLE
