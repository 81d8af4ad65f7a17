"""A coordination as found: a conjunction, the conjuncts around it, and their kinds."""

from __future__ import annotations

from dataclasses import dataclass

from grice.mining.parse import Sentence, Token

CONJUNCTIONS = ("and", "or", "but", "nor")


@dataclass(frozen=True)
class Coordination:
    """`left` and `right` are the conjuncts around the conjunction, as token ranges; `before` are earlier ones of a list.

    `partner` is the "both", "either" or "neither" that opens it, `pause` the comma before the conjunction.
    """

    mark: Token
    left: range
    right: range
    head: Token
    second: Token
    kinds: tuple[str, str]
    before: tuple[range, ...] = ()
    partner: int | None = None
    pause: int | None = None
    # Read from the parser's tree, the first of its readings; others are guesses by the likeness of the two sides.
    likeliest: bool = True

    @property
    def word(self) -> str:
        """The conjunction, in lower case."""
        return self.mark.lower

    @property
    def sure(self) -> float:
        """How sure the parser is of what makes it a coordination: both heads and the conjunction."""
        return min(self.mark.sure, self.second.sure, self.head.sure)

    @property
    def category(self) -> str:
        """As in the paper's Table 4: "NP + NP", "Adj + PP"."""
        return " + ".join(self.kinds)

    def first(self, sentence: Sentence) -> Token:
        """The head of all conjuncts, on which the others hang."""
        first = self.head
        while first.dep == "conj" and first.head < first.i:
            first = sentence[first.head]
        return first
