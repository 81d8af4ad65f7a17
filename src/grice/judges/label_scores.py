"""Log-probabilities of label texts, and ways to turn them into probabilities.

Stored for an item is what the model gave, so that length normalisation, PMI and calibration are a
`rescore`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError
from grice.core.judgement import best
from grice.core.scale import Scale
from grice.judges.reply import Reading
from grice.models.scores import NOT_A_NUMBER, short

NORMALISATIONS = ("none", "tokens", "bytes")
CALIBRATIONS = ("none", "pmi", "context")
# Replacements of premise and hypothesis in a content-free prompt (Zhao et al. 2021).
CONTENT_FREE = ("N/A", "[MASK]", "")


@dataclass(frozen=True)
class LabelScores:
    """One prompt's log-probability of each label's text, in the order of the scale's labels.

    `free` are the same after a prompt without content: after the words before the answer alone for
    `pmi`, after the whole prompt with its texts left out for `context`. Both are stored for every
    item, since they cost a few prompts per run. `direct` if the texts are continuations and not
    answers: their label mass is not meaningful.
    """

    logprobs: Sequence[float]
    tokens: Sequence[int]
    bytes: Sequence[int]
    free: Mapping[str, Sequence[float]]
    direct: bool = False

    @staticmethod
    def from_json(fields: Mapping[str, Any]) -> LabelScores:
        """Return the scores that `to_json` wrote."""
        direct = bool(fields.get("direct"))
        return LabelScores(
            fields["logprobs"], fields["tokens"], fields["bytes"], fields.get("free", {}), direct
        )

    @property
    def mass(self) -> float:
        """The label mass: total probability of the labels' texts among all continuations."""
        return min(1.0, math.fsum(map(math.exp, self.logprobs)))

    def read(
        self,
        labels: Sequence[str],
        normalise: str = "none",
        calibrate: str = "none",
        least: float = 0.0,
    ) -> Reading:
        """Return the probabilities of the labels relative to each other.

        The reading is a fault if the label mass is below `least`.
        """
        if not all(map(math.isfinite, self.logprobs)):
            return Reading(fault=NOT_A_NUMBER)
        mass = self.mass
        if mass < least and not self.direct:
            return Reading(
                fault=f"little mass: the labels hold {mass:.2%} of what could follow", mass=mass
            )
        scores = list(self.logprobs)
        if calibrate != "none":
            scores = [
                score - free for score, free in zip(scores, self.free[calibrate], strict=True)
            ]
        if normalise != "none":
            sizes = self.tokens if normalise == "tokens" else self.bytes
            scores = [score / size for score, size in zip(scores, sizes, strict=True)]
        top = max(scores)
        weights = [math.exp(score - top) for score in scores]
        total = math.fsum(weights)
        probs = {
            label: short(weight / total) for label, weight in zip(labels, weights, strict=True)
        }
        return Reading(best(probs), probs, mass=None if self.direct else short(mass))

    def to_json(self) -> dict[str, Any]:
        """Return the fields that a run stores."""
        fields = {
            "logprobs": [round(p, 5) for p in self.logprobs],
            "tokens": self.tokens,
            "bytes": self.bytes,
        }
        return {
            **fields,
            **({"free": self.free} if self.free else {}),
            **({"direct": True} if self.direct else {}),
        }


def reread(
    item: str, raw: str | None, labels: Sequence[str], normalise: str, calibrate: str
) -> list[Reading]:
    """Return the readings of a judgement's stored scores, normalised and calibrated anew.

    The judgement is one of `hf/…`, or a direct one of `openai/…`, which stores such scores too.
    What could not be scored stays a fault.
    """
    try:
        document = json.loads(raw or "")
        entries = (
            [entry.get("scores", entry) for entry in document]
            if isinstance(document, list)
            else document["scores"]
        )
        scores = [
            entry["fault"] if "fault" in entry else LabelScores.from_json(entry)
            for entry in entries
        ]
    except (TypeError, ValueError, KeyError, AttributeError):
        fact = f"item '{item}' keeps no log-probabilities of labels"
        raise InputError(
            f"{fact}; only runs of hf/… that score label texts can be calibrated again"
        ) from None
    if calibrate != "none" and not all(
        calibrate in score.free for score in scores if isinstance(score, LabelScores)
    ):
        raise InputError(
            f"item '{item}' has no stored scores of a content-free prompt, which calibration needs;"
            " judge it again"
        )
    return [
        (
            score.read(labels, normalise, calibrate)
            if isinstance(score, LabelScores)
            else Reading(fault=score)
        )
        for score in scores
    ]


def grade(
    values: Sequence[float], logprobs: Sequence[float], scale: Scale, least: float
) -> Reading:
    """Return the mean of numbers with these log-probabilities, mapped to a numeric scale."""
    if not all(map(math.isfinite, logprobs)):
        return Reading(fault=NOT_A_NUMBER)
    mass = min(1.0, math.fsum(map(math.exp, logprobs)))
    if mass < least:
        return Reading(
            fault=f"little mass: the numbers hold {mass:.2%} of what could follow", mass=mass
        )
    top = max(logprobs)
    weights = [math.exp(logprob - top) for logprob in logprobs]
    mean = math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)
    low, high = values[0], values[-1]
    assert scale.low is not None and scale.high is not None
    return Reading(
        short(scale.low + (mean - low) / (high - low) * (scale.high - scale.low)), mass=short(mass)
    )
