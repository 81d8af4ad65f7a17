"""Answer extraction from a chat model's reply: by log-probabilities, as JSON, or as text.

What cannot be read is a fault. Fault kinds: `refused`, `cut off`, `unreadable`, `no logprobs`,
`server error`, and those of the transport.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Sequence
from typing import Any

from grice.core.errors import unknown
from grice.core.judgement import Judgement, best
from grice.core.scale import Scale
from grice.judges.logprobs import read_logprobs
from grice.judges.reply import Reading, Reply
from grice.judges.reply_reader import read_reply
from grice.judges.reply_text import ReplyAnswer, shorten, strip_reasoning
from grice.judges.unit import Rule
from grice.models.scores import short

READOUTS = ("logprobs", "json", "text")


def read(reply: Reply, readout: str, scale: Scale) -> Reading:
    """Read a reply on a scale by one of the readouts, without guessing."""
    if reply.failure:
        return Reading(fault=reply.failure)
    if reply.finish == "error":
        received = shorten(reply.text) or "no text"
        return Reading(fault=f"server error: the reply ended with an error ({received})")
    if reply.refusal or reply.finish == "content_filter":
        return Reading(fault=f"refused: {shorten(reply.refusal or reply.text or 'content filter')}")
    if readout == "logprobs":
        return read_logprobs(reply, scale)
    if readout not in READOUTS:
        raise unknown("readout", readout, READOUTS)
    # Labels are assumed to be in NFC, so the reply is normalised to it.
    text = strip_reasoning(unicodedata.normalize("NFC", reply.text))
    if text is None or reply.finish == "length":
        return Reading(fault=f"cut off: {shorten(text or '') or 'no text; raise -M max_tokens'}")
    match = read_reply(text, reply.words or reply.labels, scale, letters=reply.lettered)
    if not isinstance(match, ReplyAnswer):
        return Reading(fault=str(match))
    answer = match.answer if scale.numeric else _label_of_word(str(match.answer), reply)
    return Reading(answer, votes={label: float(label == answer) for label in scale.labels} or None)


def combine(readings: Sequence[Reading], scale: Scale) -> Reading:
    """Combine several readings of one item: the mean over those without a fault.

    Equal votes for two labels are the fault `split`: choosing one of them would be a guess.
    """
    read_ones = [reading for reading in readings if reading.fault is None]
    if not read_ones:
        return readings[0]
    if len(read_ones) == 1:
        return read_ones[0]
    if scale.numeric:
        return Reading(
            math.fsum(float(r.answer) for r in read_ones if r.answer is not None) / len(read_ones)
        )
    shares = {
        label: math.fsum(r.shares[label] for r in read_ones) / len(read_ones)
        for label in scale.labels
    }
    highest = [label for label, p in shares.items() if math.isclose(p, max(shares.values()))]
    if len(highest) > 1:
        return Reading(
            fault=f"split: {' and '.join(highest)} equally often in {len(read_ones)} askings"
        )
    measured = all(r.probs for r in read_ones)
    masses = [r.mass for r in read_ones if r.mass is not None]
    mass = math.fsum(masses) / len(masses) if masses else None
    return Reading(
        best(shares), shares if measured else None, votes=None if measured else shares, mass=mass
    )


def combine_samples(readings: Sequence[Reading], scale: Scale) -> Reading:
    """Combine several samples of one prompt into one reading.

    The shares of their labels are its probabilities.
    """
    combined = combine(readings, scale)
    if len(readings) == 1 or not combined.votes:
        return combined
    read_ones = sum(reading.fault is None for reading in readings)
    shares = {label: short(share) for label, share in combined.votes.items()}
    return Reading(combined.answer, shares, mass=combined.mass, samples=read_ones)


def cell_of(method: str, reading: Reading) -> dict[str, Any]:
    """Return one method's answer to an item in the form that a judgement stores."""
    values = {
        "answer": reading.answer,
        "fault": reading.fault,
        "probs": reading.probs,
        "mass": reading.mass,
    }
    drawn = {"samples": reading.samples} if reading.samples > 1 else {}
    return {
        "method": method,
        **{key: value for key, value in values.items() if value is not None},
        **drawn,
    }


def judgement(
    item: str,
    replies: Sequence[Reply],
    readings: Sequence[Reading],
    scale: Scale,
    derive: Rule | None,
    methods: Sequence[str] = (),
) -> Judgement:
    """Return the judgement of one item, with its replies stored in `raw`."""
    combined = combine(readings, scale)
    raw = json.dumps([r.to_json() for r in replies], ensure_ascii=False, separators=(",", ":"))
    shared: dict[str, Any] = {"raw": raw, "mass": combined.mass}
    if any(methods):
        shared["cells"] = tuple(
            cell_of(name, reading) for name, reading in zip(methods, readings, strict=True)
        )
    if combined.fault is not None:
        return Judgement(item, fault=combined.fault, **shared)
    if derive is not None and combined.shares:
        return Judgement(item, derive(combined.shares), **shared)
    return Judgement(item, combined.answer, probs=combined.probs, **shared)


def _label_of_word(word: str, reply: Reply) -> str:
    return reply.labels[(reply.words or reply.labels).index(word)]
