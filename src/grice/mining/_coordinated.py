"""Define a coordination: a conjunction, the conjuncts around it, and their kinds."""

from __future__ import annotations

from dataclasses import dataclass

from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token

CONJUNCTIONS = ("and", "or", "but", "nor")
NOUN_KINDS = ("N", "NP", "Name")


@dataclass(frozen=True)
class Coordination:
    """A coordination as token ranges of its conjuncts.

    Attributes:
        mark: The conjunction.
        left: The conjunct before it; `right` is the one behind.
        head: The head of the left conjunct; `second` is that of the right one.
        kinds: The phrase types of both.
        before: Earlier conjuncts of a list.
        partner: The "both", "either" or "neither" that opens it.
        pause: The comma before the conjunction.
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

    @property
    def word(self) -> str:
        """Return the conjunction in lower case."""
        return self.mark.lower

    @property
    def kind(self) -> str:
        """Return the phrase type of the right conjunct."""
        return self.kinds[1]

    @property
    def is_clausal(self) -> bool:
        """Return whether clauses or verb phrases are joined."""
        return self.kind in ("Clause", "VP")

    @property
    def begin(self) -> int:
        """Return where the first conjunct begins."""
        return min(span.start for span in (*self.before, self.left))

    @property
    def sure(self) -> float:
        """Return how sure the parser is of both heads and the conjunction."""
        return min(self.mark.sure, self.second.sure, self.head.sure)

    @property
    def category(self) -> str:
        """Return the category as in the paper's Table 4: "NP + NP", "Adj + PP"."""
        return " + ".join(self.kinds)

    def first(self, sentence: Sentence) -> Token:
        """Return the head of all conjuncts, on which the others depend."""
        first = self.head
        while first.dep == "conj" and first.head < first.i:
            first = sentence[first.head]
        return first


@dataclass(frozen=True)
class Removal:
    """A coordination and the side, left or right, whose conjunct is removed or changed."""

    coordination: Coordination
    side: str

    @property
    def removed(self) -> range:
        """Return the tokens of the removed conjunct."""
        return self.coordination.left if self.side == "left" else self.coordination.right


def is_in_restrictor(sentence: Sentence, token: Token) -> bool:
    """Return whether a word is in a clause that says which ones are meant: "cities without rail".

    What holds of "everyone who sings and dances" or "towns that are old and small" need not hold of
    those that do one of both. Definite nouns ("the man who …") are meant either way, and so is "a
    man who …" unless it is a subject.
    """
    while token.head != token.i:
        noun = sentence[token.head]
        start = min(sentence.subtree(token.i))
        if token.dep in ("acl", "acl:relcl") and sentence[start - 1].text != ",":
            determiners = sentence.children(noun.i, "det", "nmod:poss")
            is_bare = noun.tag in ("NNS", "NNPS") and not determiners
            words = {t.lower for t in (noun, *determiners)}
            is_any = noun.dep.startswith("nsubj") and bool(words & {"a", "an", "one"})
            if is_bare or is_any or words & word_set("universals"):
                return True
        token = noun
    return False
