"""Published means of human inference judgments that ship with the package, each with its source.

The files beside this one are made by `python -m tools.norms` from the published data; they hold
aggregates alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grice.core.words import read_rows

WORDS = Path(__file__).parent / "words"
# Operators as the generator and IMPPRES call them, and as the experiment does.
OPERATORS = {
    "interrogative": "question",
    "negated": "negation",
    "modal": "modal",
    "conditional": "conditional",
}


@dataclass(frozen=True)
class Norm:
    """One mean: of a scale's rates over studies, or of answers about a predicate in an environment.

    `sd` and `n` are those of what the mean is taken over: studies, or answers.
    """

    kind: str
    key: str
    condition: str
    mean: float
    sd: float
    n: int

    @property
    def noise(self) -> float:
        """The variance of the mean."""
        return self.sd**2 / self.n


@dataclass(frozen=True)
class NormSource:
    """The source of a kind of norms: the question asked, the publication and the licence."""

    kind: str
    question: str
    citation: str
    licence: str


@cache
def norms(kind: str) -> dict[tuple[str, str], Norm]:
    """Return the norms of a kind by key and condition.

    The kinds are `scale`, `projection`, `follows` and `happened`.

    >>> norms("projection")["know", "question"].n
    687
    """
    rows = read_rows(WORDS / f"norms_{kind}.tsv")
    return {
        (key, condition): Norm(kind, key, condition, float(mean), float(sd), int(n))
        for key, condition, mean, sd, n in rows
    }


@cache
def norm_sources() -> dict[str, NormSource]:
    """Return the source of each kind of norms."""
    return {row[0]: NormSource(*row) for row in read_rows(WORDS / "norms.tsv")}


def scale_key(scale: str) -> str:
    """Return the name of a scale in the norms: `some - all` and `some/all` are the same.

    >>> scale_key("warm - hot (thing)")
    'warm/hot'
    """
    scale_words = re.sub(r"\s*\(.*?\)", "", scale).replace("enourmous", "enormous")
    return "/".join(part.strip() for part in re.split(r"\s+-\s+|/", scale_words))


def predicate_key(word: str) -> str:
    """Return the name of a clause-embedding predicate in the norms.

    `be annoyed`, `annoyed` and `be_annoyed` are the same.

    >>> predicate_key("be annoyed")
    'be_annoyed'
    """
    lemma = word.strip().lower().replace(" ", "_").removesuffix("_that")
    return f"be_{lemma}" if f"be_{lemma}" in {key for key, _ in norms("projection")} else lemma
