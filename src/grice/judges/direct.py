"""Direct measures: probabilities of continuations without a question (Hu and Levy 2023).

A text continues with the hypothesis affirmed, left open or denied. What is compared is how much the
premise raises each continuation, log P(continuation | premise) − log P(continuation | a premise
that says nothing): continuations differ in length and frequency, which dominates their raw
probabilities. Both are stored.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from grice.core.errors import InputError, unknown
from grice.core.files import read_text
from grice.core.item import Question
from grice.core.scale import NLI, Scale
from grice.core.words import read_lists
from grice.judges.prompts import FOLDER, Prompt

DIRECT = "direct"
# Premises that say nothing: the first for PMI, the mean over all for contextual calibration.
BARE = ("Something was said.", "N/A.", "[MASK].")
SMALL = frozenset(read_lists(Path(__file__).parent / "words" / "lists.tsv")["small"])


@cache
def continuations() -> Mapping[str, Mapping[str, str]]:
    """Return for each wording the text that stands for each label."""
    return tomllib.loads(read_text(FOLDER / "direct.toml"))


def clause(hypothesis: str) -> str:
    """Return a sentence as it stands within another.

    Its full stop is removed, and its first word is lower-cased unless it may be a name.

    >>> clause("Not all of the boys left."), clause("Kim left.")
    ('not all of the boys left', 'Kim left')
    """
    text = hypothesis.strip().rstrip(".!?").rstrip()
    first = re.split(r"[\s,]", text, maxsplit=1)[0]
    return text[:1].lower() + text[1:] if first.lower() in SMALL else text


def direct_prompt(question: Question, scale: Scale, wording: str) -> Prompt:
    """Return the premise alone, and the text that would continue it for each label."""
    if question.hypothesis is None or set(scale.labels) != set(NLI.labels):
        raise InputError(
            f"readout=direct compares continuations of pairs on {NLI}, not on {scale}; use"
            " readout=words"
        )
    if wording not in continuations():
        raise unknown("wording of continuations", wording, continuations())
    patterns = continuations()[wording]
    endings = tuple(patterns[label].format(h=clause(question.hypothesis)) for label in scale.labels)
    return Prompt(question.premise.strip(), scale.labels, endings)


def free_scores(rows: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    """Return the baseline log-probabilities that `pmi` and `context` subtract.

    `rows` has a row for each premise that says nothing, with the scores of the continuations.
    """
    return {"pmi": [round(p, 5) for p in rows[0]], "context": mean_shares(rows)}


def mean_shares(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the logarithm of the mean share that each continuation has of its row."""
    shares = []
    for row in rows:
        top = max(row)
        weights = [math.exp(logprob - top) for logprob in row]
        shares.append([weight / math.fsum(weights) for weight in weights])
    means = [math.fsum(column) / len(shares) for column in zip(*shares, strict=True)]
    return [round(math.log(max(mean, 1e-12)), 5) for mean in means]
