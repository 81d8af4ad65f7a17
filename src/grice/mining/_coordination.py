"""Coordinations in a parsed sentence: the conjunction, the conjuncts on either side, and what kind of phrase they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grice.mining._coordinated import CONJUNCTIONS, Coordination
from grice.mining._likeness import coordinations_by_likeness
from grice.mining.parse import FINITE, Sentence, Token

PARTNERS = {"and": "both", "or": "either", "nor": "neither"}
# What may stand left of a noun and belong to it alone.
PREMODIFIERS = {
    "amod", "compound", "nummod", "nmod", "nmod:desc", "flat", "advmod", "nmod:unmarked", "goeswith", "det:predet",
}  # fmt: skip
DETERMINERS = {"det", "nmod:poss", "poss"}
SUBJECTS = ("nsubj", "csubj", "expl")
NEVER = ("not", "n't", "never")
# A conjunct in one of these places is a word before another, not a phrase of its own: "the leaping or jumping nature".
ATTRIBUTIVE = {"amod", "compound", "advmod", "nummod", "case", "det", "flat"}


def coordinations(sentence: Sentence) -> Iterator[Coordination]:
    """Every coordination with and, or, but, nor, and every reading of its bounds, the likeliest first."""
    for mark in sentence.tokens:
        if mark.lower in CONJUNCTIONS and 0 < mark.i < len(sentence) - 1:
            pair = _conjuncts(sentence, mark)
            found = list(_readings(sentence, mark, *pair)) if pair is not None else []
            read = len(found)
            if not any(one.kinds[1] == "Clause" for one in found):
                found += _two_clauses(sentence, mark)
            found += coordinations_by_likeness(sentence, mark)
            seen: set[tuple[range, range]] = set()
            for place, one in enumerate(found):
                if (one.left, one.right) not in seen:
                    seen.add((one.left, one.right))
                    # What the tree does not have is a guess, by which lists lose their conjunction.
                    yield replace(one, likeliest=place == 0 < read)


def _two_clauses(sentence: Sentence, mark: Token) -> Iterator[Coordination]:
    """ ", but S" where the parser missed it: a comma, then a subject and its finite verb up to the end of the sentence."""
    if sentence[mark.i - 1].text not in (",", ";") and mark.lower != "but":
        return
    end = len(sentence)
    while end > mark.i + 1 and sentence[end - 1].punctuation and sentence[end - 1].text not in ')"”%':
        end -= 1
    second = _finite_behind(sentence, mark.i + 1, end)
    first = next((t for t in sentence.tokens[: mark.i] if t.tag in FINITE), None)
    if second is None or first is None or any(t.lower in CONJUNCTIONS for t in sentence.tokens[first.i : mark.i]):
        return
    if any(t.dep == "mark" or t.tag in ("WDT", "WP") for t in sentence.tokens[: first.i]):
        return
    pause = mark.i - 1 if sentence[mark.i - 1].text in (",", ";") else None
    stop = mark.i if pause is None else pause
    yield Coordination(mark, range(stop), range(mark.i + 1, end), first, second, ("Clause", "Clause"), (), None, pause)


def _finite_behind(sentence: Sentence, start: int, end: int) -> Token | None:
    """The first finite verb behind a subject, with no comma, mark or other verb on the way."""
    named = False
    for token in sentence.tokens[start:end]:
        if token.tag in FINITE:
            return token if named else None
        if token.punctuation or token.dep == "mark" or token.tag in ("WDT", "WP", "VBG", "VBN"):
            return None
        named = named or token.pos in ("NOUN", "PROPN", "PRON")
    return None


def _conjuncts(sentence: Sentence, mark: Token) -> tuple[Token, Token, tuple[Token, ...]] | None:
    """The heads on either side of a conjunction, and those of earlier members of its list."""
    second = sentence[mark.head] if mark.head > mark.i else None
    if second is None or second.dep != "conj":
        second = next((t for t in sentence.children(mark.head, "conj") if t.i > mark.i), None)
    if second is None:
        return None
    first = sentence[second.head]
    listed = first.dep == "conj" and not sentence.children(first.i, "cc")
    if listed and sentence[_own_start(sentence, first) - 1].text == ",":
        # A list whose last member hangs on the one before it.
        first = sentence[first.head]
    members = [t for t in (first, *sentence.children(first.i, "conj")) if t.i < mark.i]
    return (members[-1], second, tuple(members[:-1])) if members else None


def _readings(
    sentence: Sentence, mark: Token, first: Token, second: Token, earlier: tuple[Token, ...]
) -> Iterator[Coordination]:
    pause = mark.i - 1 if sentence[mark.i - 1].text in (",", ";", "--", "–", "—") else None
    stop = mark.i if pause is None else pause
    partner = _partner(sentence, mark, min(stop, (*earlier, first)[0].i))
    lists = _list(sentence, earlier, first) if first.dep == "conj" else ()
    if lists is None:
        return
    kind = _kind(sentence, second, mark.i + 1)
    seen = set()
    for end in _ends(sentence, second, mark.i):
        for start in _starts(sentence, first, second, kind, mark.i, partner):
            left, right = range(start, stop), range(mark.i + 1, end)
            if not left or not right or (start, end) in seen or not (start <= first.i < stop):
                continue
            seen.add((start, end))
            kinds = (_kind_of_span(sentence, first, left, kind), kind)
            yield Coordination(mark, left, right, first, second, kinds, lists, partner, pause)


def _list(sentence: Sentence, earlier: tuple[Token, ...], first: Token) -> tuple[range, ...] | None:
    """The stretches of earlier members; None where they are not parted by commas, so that bounds cannot be trusted."""
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
    """Where a member of a list begins: its own words, without the comma or conjunction before it."""
    below = sentence.subtree(token.i)
    start = token.i
    while start - 1 in below and not sentence[start - 1].punctuation and sentence[start - 1].dep != "cc":
        start -= 1
    return start


def _partner(sentence: Sentence, mark: Token, stop: int) -> int | None:
    word = PARTNERS.get(mark.lower)
    places = [t.i for t in sentence.tokens[:stop] if t.lower == word and (word != "both" or t.dep != "det")]
    between = sentence.tokens[places[-1] : stop] if places else ()
    # "either A or B -- or C": the partner of the first "or".
    taken = bool(places) and any(t.lower == mark.lower for t in sentence.tokens[places[-1] : mark.i])
    return places[-1] if places and not taken and not any(t.punctuation for t in between) else None


def _ends(sentence: Sentence, second: Token, mark: int) -> list[int]:
    """Where the right conjunct may end: with all that hangs on it, or before what both conjuncts share."""
    below = [i for i in sentence.subtree(second.i) if i > mark]
    outside = {i for t in sentence.children(second.i, "conj") for i in sentence.subtree(t.i)}
    outside |= {t.i for t in sentence.children(second.i, "cc") if t.i > mark}
    own = [i for i in below if i not in outside]
    end = own[-1] + 1
    while end - 1 > second.i and sentence[end - 1].punctuation and sentence[end - 1].text not in ')"”%':
        end -= 1
    ends = [end]
    shared = [t for t in sentence.children(second.i, "nmod", "acl", "obl", "obj", "advcl") if t.i > second.i]
    if shared and _tail(sentence, second, shared):
        ends.append(min(min(sentence.subtree(t.i)) for t in shared))
    return [e for e in ends if e > mark + 1]


def _tail(sentence: Sentence, second: Token, shared: list[Token]) -> bool:
    """Whether what follows the second conjunct may belong to the first as well."""
    first = sentence[second.head]
    return (
        first.pos == second.pos
        and not any(
            first.i < t.i < second.i and t.dep in ("obj", "nmod", "obl", "acl", "acl:relcl")
            for t in sentence.children(first.i)
        )
        and min(min(sentence.subtree(t.i)) for t in shared) > second.i
    )


def _starts(sentence: Sentence, first: Token, second: Token, kind: str, mark: int, partner: int | None) -> list[int]:
    """Where the left conjunct may begin, read from the shape of the right one."""
    between = () if partner is None else sentence.tokens[partner + 1 : first.i]
    if partner is not None and partner < first.i and not any(t.punctuation for t in between):
        return [partner + 1]
    if first.dep == "conj" and kind != "Clause":
        return [_own_start(sentence, first)]
    if first.dep in ATTRIBUTIVE:
        return list(dict.fromkeys([_edge(sentence, first, determiner=False), first.i]))
    if kind == "Clause":
        return [_clause_start(sentence, first)]
    if kind in ("VP", "V"):
        return _verb_starts(sentence, first, second, mark)
    if kind in ("PP", "Prep"):
        case = [t.i for t in sentence.children(first.i, "case") if t.i < first.i]
        return [min(case)] if case else [_edge(sentence, first, determiner=True)]
    if kind == "NP":
        return [_edge(sentence, first, determiner=True)]
    if kind in ("N", "Name", "Number"):
        bare = _edge(sentence, first, determiner=False)
        whole = _edge(sentence, first, determiner=True)
        # "the old bards and poets": what stands before may be shared, so both readings.
        shared = all(sentence[i].dep in ("amod", "nummod", "compound") for i in range(bare, first.i))
        one = bare > 0 and sentence[bare - 1].lower in ("a", "an") and second.i == mark + 1
        order = [bare, first.i if shared else bare]
        # "a good script and ending": with the article they share the adjective.
        return list(dict.fromkeys([*(order[::-1] if one else order), whole]))
    return [_edge(sentence, first, determiner=False)]


def _edge(sentence: Sentence, token: Token, *, determiner: bool) -> int:
    """The left edge of a phrase over the modifiers that stand before its head."""
    wanted = PREMODIFIERS | (DETERMINERS if determiner else set())
    start = token.i
    children = {t.i: t for t in sentence.children(token.i)}
    while start > 0:
        before = sentence[start - 1]
        owner = before
        while owner.head != token.i and owner.head != owner.i and owner.head > owner.i:
            owner = sentence[owner.head]
        if owner.i not in children or children[owner.i].dep not in wanted or before.dep in ("cc", "punct", "case"):
            break
        if before.lower in ("not", "n't", "both", "either", "neither") or before.tag in ("IN", "WRB"):
            break
        start -= 1
    return start


def _clause_start(sentence: Sentence, first: Token) -> int:
    below = sentence.subtree(first.i)
    start = first.i
    while start - 1 in below and not _opens(sentence[start - 1], first):
        start -= 1
    while sentence[start].punctuation and sentence[start].text not in '"“(':
        start += 1
    return start


def _opens(token: Token, first: Token) -> bool:
    """A conjunction or a mark of the clause itself, not of one inside it: "that", "because", "when", "which"."""
    return token.head == first.i and (token.dep in ("cc", "mark") or token.tag in ("WRB", "WDT", "WP"))


def _verb_starts(sentence: Sentence, first: Token, second: Token, mark: int) -> list[int]:
    """A verb phrase begins at its auxiliary if the right one brings its own, else at the verb itself."""
    own = [t for t in sentence.children(second.i, "aux", "cop") if mark < t.i < second.i]
    helpers = [t for t in sentence.children(first.i, "aux", "cop") if t.i < first.i and t.lower != "to"]
    infinitive = any(t.lower == "to" for t in sentence.children(second.i, "mark") if t.i > mark)
    to = [t.i for t in sentence.children(first.i, "mark") if t.lower == "to" and t.i < first.i]
    if infinitive and to:
        return [to[0]]
    modal = any(t.tag == "MD" for t in helpers)
    bare = [t.i for t in helpers if own and own[0].tag == t.tag in ("VB", "VBN")]
    if bare:
        # "will be sold and be used" shares "will".
        return bare[:1]
    finite = bool(own) or second.tag in ("VBZ", "VBD", "MD") or (second.tag == "VBP" and not modal)
    start = helpers[0].i if finite and helpers else first.i
    if not first.verbal and not helpers:
        start = _edge(sentence, first, determiner=True)
    starts = [start]
    adverb = start
    while adverb > 0 and (word := sentence[adverb - 1]).tag in ("RB", "RBR") and word.lower not in NEVER:
        adverb -= 1
    if adverb < start:
        starts.insert(0, adverb)
    return starts


def _kind(sentence: Sentence, token: Token, start: int) -> str:
    """The category of a conjunct that begins at `start` and is headed by `token`."""
    opening = sentence[start]
    if any(t.i >= start for t in sentence.children(token.i, *SUBJECTS)):
        return "Clause"
    if token.verbal or any(t.i >= start for t in sentence.children(token.i, "aux", "cop")):
        return "VP"
    if opening.tag in ("IN", "TO") and token.pos != "ADP" and opening.dep in ("case", "mark", "advmod"):
        return "PP"
    if token.pos == "ADP":
        return "Prep"
    if token.pos in ("NOUN", "PRON", "SYM", "X", "DET"):
        return "NP" if opening.dep in DETERMINERS or token.pos == "PRON" else "N"
    return {"PROPN": "Name", "NUM": "Number", "ADJ": "Adj", "ADV": "Adv"}.get(token.pos, token.pos.capitalize())


def _kind_of_span(sentence: Sentence, token: Token, span: range, like: str) -> str:
    if like in ("Clause", "VP") and (token.verbal or sentence.children(token.i, "cop", "aux")):
        return like
    return _kind(sentence, token, span.start)
