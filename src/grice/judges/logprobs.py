"""Answer extraction from the log-probabilities of a reply's tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from grice.core.fault import Fault, FaultKind
from grice.core.judgement import best
from grice.core.scale import Scale
from grice.judges.reply import Reading, Reply, Top, plain_token
from grice.judges.reply_reader import read_reply
from grice.judges.reply_text import LETTERS, ReplyAnswer, shorten, strip_reasoning

# With a smaller label mass the model was going to write something else.
FLOOR = 0.01
# Largest sum of probabilities that rounding explains.
WHOLE = 1.05


def read_logprobs(reply: Reply, scale: Scale) -> Reading:
    """Return the probabilities of the labels where the answer stands, or a fault."""
    if not reply.tops:
        return Reading(fault="no logprobs: the server sent none; use -M readout=text or json")
    text = "".join(token for token, _ in reply.tops)
    rest = strip_reasoning(text)
    if rest is None or not rest:
        return Reading(
            fault=(
                "cut off: no answer after the reasoning; raise -M max_tokens"
                f" ({shorten(reply.text)})"
            )
        )
    before = text.rindex(rest)
    words = reply.words or reply.labels
    match = read_reply(rest, words, scale, letters=True)
    begins = isinstance(match, ReplyAnswer) and match.start <= 2
    # A truncated reply might have revised its answer, unless it began with it.
    if reply.finish == "length" and not begins:
        match = Fault(FaultKind.CUT_OFF, shorten(rest))
    at = match.start if isinstance(match, ReplyAnswer) and not reply.forced else 0
    mass = _mass(_token_at(reply.tops, before + at), words)
    total = math.fsum(mass)
    if isinstance(match, Fault) and not _may_follow(rest, reply, words):
        return Reading(fault=f"{match} (the options hold {total:.2%} there)")
    if total < FLOOR:
        fact = f"the options hold {total:.2%} where the answer would stand"
        return Reading(fault=f"unreadable: {fact} ({shorten(rest)})", mass=round(total, 6))
    if total > WHOLE:
        fact = (
            f"the options hold {total:.2%} where the answer stands, so these are no probabilities"
        )
        return Reading(fault=f"broken reply: {fact}")
    probs = {label: mass[reply.labels.index(label)] / total for label in scale.labels}
    return Reading(best(probs), probs, mass=round(min(total, 1.0), 6))


def _may_follow(text: str, reply: Reply, words: Sequence[str]) -> bool:
    """Return whether the first token may be read although the text states no answer.

    It may after a prompt that ended with "Answer:", unless the text begins with an option and goes
    on with something else; and where the text is a label that was cut off.
    """
    first = re.match(r"\W*(\w+)(.*)", text, re.S)
    if first is None:
        return False
    lettered = len(first[1]) == 1 and 0 <= LETTERS.find(first[1]) < len(words)
    if reply.forced:
        return not lettered and not any(label.casefold() == first[1].casefold() for label in words)
    begun = [w for w in words if w.casefold().startswith(text.strip(" *_`\"'\n").casefold())]
    return len(begun) == 1


def _token_at(tops: Sequence[Top], offset: int) -> tuple[tuple[str, float], ...]:
    """Return the likeliest tokens at a text offset.

    A token of blanks alone is skipped for the next.
    """
    end = 0
    for token, others in tops:
        end += len(token)
        if end > offset and token.strip():
            return others
    return tops[-1][1]


def _mass(others: Sequence[tuple[str, float]], words: Sequence[str]) -> list[float]:
    """Return the probability of each option among the likeliest tokens at a position.

    Some servers list the sampled token twice.
    """
    mass = [0.0] * len(words)
    for token, logprob in dict.fromkeys(others):
        word = _label_of_token(token, words)
        if word is not None:
            mass[words.index(word)] += math.exp(logprob)
    return mass


def _label_of_token(token: str, labels: Sequence[str]) -> str | None:
    """Return the word that a token stands for, or None.

    It is the word of that letter, the word itself (a point of a scale), or the only word that the
    token begins.
    """
    stripped = plain_token(token).strip(" \n\t([{\"'`*.):]},")
    if len(stripped) == 1 and 0 <= LETTERS.find(stripped) < len(labels):
        return labels[LETTERS.find(stripped)]
    if stripped in labels:
        return stripped
    if len(stripped) == 1:
        return None
    begun = [
        label for label in labels if stripped and label.casefold().startswith(stripped.casefold())
    ]
    return begun[0] if len(begun) == 1 else None
