"""Find coordinations in a parsed sentence: the conjunction, the conjuncts and their categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.mining._coordinated import CONJUNCTIONS, Coordination
from grice.mining.parse import Sentence, Token

PARTNERS = {"and": "both", "or": "either", "nor": "neither"}
# What may precede a noun and belong to it alone.
PREMODIFIERS = {
    "amod",
    "compound",
    "nummod",
    "nmod",
    "nmod:desc",
    "flat",
    "advmod",
    "nmod:unmarked",
    "goeswith",
    "det:predet",
}
DETERMINERS = {"det", "nmod:poss", "poss"}
SUBJECTS = ("nsubj", "csubj", "expl")
NEVER = ("not", "n't", "never")
# A conjunct in one of these roles is a word before another, not a phrase of its own: "the leaping
# or jumping nature".
ATTRIBUTIVE = {"amod", "compound", "advmod", "nummod", "case", "det", "flat"}
PAUSES = (",", ";", "--", "–", "—")
KIND_OF_POS = {"PROPN": "Name", "NUM": "Number", "ADJ": "Adj", "ADV": "Adv"}


def coordinations(sentence: Sentence) -> Iterator[Coordination]:
    """Yield coordinations with and, or, but and nor, as the parser's tree has them."""
    for mark in sentence.tokens:
        if mark.lower in CONJUNCTIONS and 0 < mark.i < len(sentence) - 1:
            site = _exception(sentence, mark) or _tree_reading(sentence, mark)
            if site is not None:
                yield site


def _exception(sentence: Sentence, mark: Token) -> Coordination | None:
    """Return "all but one of" as ConjNLI takes it, with a quantifier and a number joined."""
    left, right = sentence[mark.i - 1], sentence[mark.i + 1]
    is_counted = right.pos == "NUM" and mark.i + 2 < len(sentence)
    if mark.lower != "but" or left.lower != "all" or not is_counted:
        return None
    if sentence[mark.i + 2].lower != "of" or sentence[left.i - 1].lower in ("after", "at", "above"):
        return None
    spans = range(left.i, mark.i), range(right.i, right.i + 1)
    return Coordination(mark, *spans, left, right, ("Det", "Number"))


def _strip_marks(sentence: Sentence, start: int, end: int) -> int:
    """Return the end of a phrase without punctuation that does not belong to it."""
    while end > start and sentence[end - 1].punctuation and sentence[end - 1].text not in ')"”%':
        end -= 1
    return end


def _conjuncts(sentence: Sentence, mark: Token) -> tuple[Token, Token, tuple[Token, ...]] | None:
    """Return the heads on either side of a conjunction, and those of earlier list members."""
    second = sentence[mark.head] if mark.head > mark.i else None
    if second is None or second.dep != "conj":
        later = sentence.children(mark.head, "conj")
        second = next((token for token in later if token.i > mark.i), None)
    if second is None:
        return None
    first = sentence[second.head]
    is_member = first.dep == "conj" and not sentence.children(first.i, "cc")
    if is_member and sentence[_own_start(sentence, first) - 1].text == ",":
        # A list whose last member depends on the one before it.
        first = sentence[first.head]
    members = [t for t in (first, *sentence.children(first.i, "conj")) if t.i < mark.i]
    return (members[-1], second, tuple(members[:-1])) if members else None


def _tree_reading(sentence: Sentence, mark: Token) -> Coordination | None:
    """Return the coordination at a conjunction; None if its bounds cannot be trusted."""
    conjuncts = _conjuncts(sentence, mark)
    if conjuncts is None:
        return None
    first, second, earlier = conjuncts
    pause = mark.i - 1 if sentence[mark.i - 1].text in PAUSES else None
    stop = mark.i if pause is None else pause
    partner = _partner(sentence, mark, min(stop, (*earlier, first)[0].i))
    members = _list_members(sentence, earlier, first) if first.dep == "conj" else ()
    kind = _kind(sentence, second, mark.i + 1)
    start = _start(sentence, first, second, kind, mark.i, partner)
    end = _end(sentence, second, mark.i)
    if members is None or not start <= first.i < stop or end <= mark.i + 1:
        return None
    left, right = range(start, stop), range(mark.i + 1, end)
    kinds = (_kind_of_span(sentence, first, left, kind), kind)
    return Coordination(mark, left, right, first, second, kinds, members, partner, pause)


def _list_members(
    sentence: Sentence, earlier: Sequence[Token], first: Token
) -> tuple[range, ...] | None:
    """Return the earlier members; None if no commas separate them: bounds cannot be trusted."""
    spans = []
    following = first
    for token in reversed(earlier):
        start = _own_start(sentence, following)
        if start < 1 or sentence[start - 1].text not in (",", ";"):
            return None
        spans.append(range(_own_start(sentence, token), start - 1))
        following = token
    return tuple(reversed(spans))


def _own_start(sentence: Sentence, token: Token) -> int:
    """Return where a list member begins, without the comma or conjunction before it."""
    below = sentence.subtree(token.i)
    start = token.i
    while start - 1 in below and not sentence[start - 1].punctuation:
        if sentence[start - 1].dep == "cc":
            break
        start -= 1
    return start


def _partner(sentence: Sentence, mark: Token, stop: int) -> int | None:
    """Return the index of the "both", "either" or "neither" that opens the coordination."""
    word = PARTNERS.get(mark.lower)
    before = (token for token in sentence.tokens[:stop] if token.lower == word)
    indices = [token.i for token in before if word != "both" or token.dep != "det"]
    if not indices:
        return None
    partner = indices[-1]
    if any(token.punctuation for token in sentence.tokens[partner:stop]):
        return None
    # "either A or B -- or C": it is the partner of the first "or".
    is_taken = any(token.lower == mark.lower for token in sentence.tokens[partner : mark.i])
    return None if is_taken else partner


def _end(sentence: Sentence, second: Token, mark: int) -> int:
    """Return where the right conjunct ends: with all below it but further conjuncts."""
    further = sentence.children(second.i, "conj")
    outside = {i for token in further for i in sentence.subtree(token.i)}
    outside |= {token.i for token in sentence.children(second.i, "cc") if token.i > mark}
    own = [i for i in sentence.subtree(second.i) if i > mark and i not in outside]
    return _strip_marks(sentence, second.i + 1, own[-1] + 1)


def _start(
    sentence: Sentence, first: Token, second: Token, kind: str, mark: int, partner: int | None
) -> int:
    """Return where the left conjunct begins, by the form of the right one."""
    if partner is not None and partner < first.i:
        between = sentence.tokens[partner + 1 : first.i]
        if not any(token.punctuation for token in between):
            return partner + 1
    if first.dep == "conj" and kind != "Clause":
        return _own_start(sentence, first)
    if first.dep in ATTRIBUTIVE:
        return _edge(sentence, first, determiner=False)
    if kind == "Clause":
        return _clause_start(sentence, first)
    if kind in ("VP", "V"):
        return _verb_start(sentence, first, second, mark)
    if kind in ("PP", "Prep"):
        cases = [t.i for t in sentence.children(first.i, "case") if t.i < first.i]
        return min(cases) if cases else _edge(sentence, first, determiner=True)
    if kind in ("N", "Name", "Number"):
        return _noun_start(sentence, first, is_next=second.i == mark + 1)
    return _edge(sentence, first, determiner=kind == "NP")


def _noun_start(sentence: Sentence, first: Token, *, is_next: bool) -> int:
    """Return where a noun without a determiner begins: "old bards and poets".

    Args:
        is_next: The second noun follows the conjunction.
    """
    start = _edge(sentence, first, determiner=False)
    modifiers = (sentence[i].dep for i in range(start, first.i))
    can_share = all(dep in ("amod", "nummod", "compound") for dep in modifiers)
    has_article = start > 0 and sentence[start - 1].lower in ("a", "an")
    # "a good script and ending": with the article they share the adjective.
    return first.i if has_article and is_next and can_share else start


def _edge(sentence: Sentence, token: Token, *, determiner: bool) -> int:
    """Return the left edge of a phrase over the modifiers before its head."""
    labels = PREMODIFIERS | (DETERMINERS if determiner else set())
    children = {child.i: child for child in sentence.children(token.i)}
    start = token.i
    while start > 0:
        before = sentence[start - 1]
        owner = _owner(sentence, before, token)
        if owner.i not in children or owner.dep not in labels or _stops_phrase(before):
            break
        start -= 1
    return start


def _owner(sentence: Sentence, token: Token, head: Token) -> Token:
    """Return the modifier of `head` that a token before it belongs to."""
    while token.head != head.i and token.head > token.i:
        token = sentence[token.head]
    return token


def _stops_phrase(token: Token) -> bool:
    if token.dep in ("cc", "punct", "case") or token.tag in ("IN", "WRB"):
        return True
    return token.lower in ("not", "n't", "both", "either", "neither")


def _clause_start(sentence: Sentence, first: Token) -> int:
    below = sentence.subtree(first.i)
    start = first.i
    while start - 1 in below and not _opens_clause(sentence[start - 1], first):
        start -= 1
    while sentence[start].punctuation and sentence[start].text not in '"“(':
        start += 1
    return start


def _opens_clause(token: Token, first: Token) -> bool:
    """Return whether a mark opens the clause itself: "that", "because", "when", "which"."""
    is_mark = token.dep in ("cc", "mark") or token.tag in ("WRB", "WDT", "WP")
    return token.head == first.i and is_mark


def _verb_start(sentence: Sentence, first: Token, second: Token, mark: int) -> int:
    """Return where a verb phrase begins: at its auxiliary if the right one has its own."""
    infinitive = _shared_infinitive(sentence, first, second, mark)
    if infinitive is not None:
        return infinitive
    own = [t for t in sentence.children(second.i, "aux", "cop") if mark < t.i < second.i]
    children = sentence.children(first.i, "aux", "cop")
    helpers = [token for token in children if token.i < first.i and token.lower != "to"]
    if own:
        # "will be sold and be used" shares "will".
        alike = (t.i for t in helpers if own[0].tag == t.tag in ("VB", "VBN"))
        start = next(alike, None)
        if start is not None:
            return start
    has_modal = any(token.tag == "MD" for token in helpers)
    is_finite = second.tag in ("VBZ", "VBD", "MD") or (second.tag == "VBP" and not has_modal)
    start = helpers[0].i if helpers and (own or is_finite) else first.i
    if not first.verbal and not helpers:
        start = _edge(sentence, first, determiner=True)
    return _adverb_start(sentence, start)


def _shared_infinitive(sentence: Sentence, first: Token, second: Token, mark: int) -> int | None:
    """Return the index of the left verb's "to" if the right one has its own."""
    right = (token for token in sentence.children(second.i, "mark") if token.i > mark)
    left = (token for token in sentence.children(first.i, "mark") if token.i < first.i)
    if not any(token.lower == "to" for token in right):
        return None
    return next((token.i for token in left if token.lower == "to"), None)


def _adverb_start(sentence: Sentence, start: int) -> int:
    """Return where the adverbs before a verb begin; a negation is none."""
    while start > 0 and sentence[start - 1].tag in ("RB", "RBR"):
        if sentence[start - 1].lower in NEVER:
            break
        start -= 1
    return start


def _kind(sentence: Sentence, token: Token, start: int) -> str:
    """Return the category of a conjunct that begins at `start` and is headed by `token`."""
    if any(child.i >= start for child in sentence.children(token.i, *SUBJECTS)):
        return "Clause"
    helpers = sentence.children(token.i, "aux", "cop")
    if token.verbal or any(helper.i >= start for helper in helpers):
        return "VP"
    opening = sentence[start]
    is_marked = opening.tag in ("IN", "TO") and opening.dep in ("case", "mark", "advmod")
    if token.pos == "ADP":
        return "Prep"
    if is_marked:
        return "PP"
    if token.pos in ("NOUN", "PRON", "SYM", "X", "DET"):
        return "NP" if opening.dep in DETERMINERS or token.pos == "PRON" else "N"
    return KIND_OF_POS.get(token.pos, token.pos.capitalize())


def _kind_of_span(sentence: Sentence, token: Token, span: range, like: str) -> str:
    """Return the category of the left conjunct, that of the right one where both are clausal."""
    is_verbal = token.verbal or bool(sentence.children(token.i, "cop", "aux"))
    if like in ("Clause", "VP") and is_verbal:
        return like
    return _kind(sentence, token, span.start)
