"""Signs that the bounds of a coordination are the parser's mistake: a list of rules, each of which may fire."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from grice.mining._coordinated import Coordination
from grice.mining._coordination import ATTRIBUTIVE
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence

# Categories that stand beside each other though they differ.
MIXED = {
    frozenset(pair)
    for pair in (("NP", "N"), ("Name", "NP"), ("Name", "N"), ("Adj", "PP"), ("Adv", "PP"), ("N", "Number"))
}


def doubts(sentence: Sentence, where: Coordination) -> list[str]:
    """The names of the rules that fire on a coordination, in their order."""
    return [rule.__name__ for rule in RULES if rule(sentence, where)]


def unlike_categories(_sentence: Sentence, where: Coordination) -> bool:
    """The conjuncts are phrases of kinds that do not stand beside each other."""
    return len(set(where.kinds)) == 2 and frozenset(where.kinds) not in MIXED


def half_list(sentence: Sentence, where: Coordination) -> bool:
    """A comma before either of two nouns: the other half of the list was not seen."""
    start = where.left.start
    inner = start > 0 and sentence[start - 1].text == ","
    paused = where.pause is not None and where.word != "or"
    return not _clausal(where) and not where.before and (inner or paused)


def but_between_words(sentence: Sentence, where: Coordination) -> bool:
    """A "but" between words is an exception or a correction: "nothing but trouble", "but for the rain", ", not A but B"."""
    if where.word != "but":
        return False
    words = [sentence[i].lower for i in where.left]
    corrected = any(one == "," and other == "not" for one, other in pairwise(words))
    return where.kinds[1] not in ("Clause", "VP", "PP") or sentence[where.right.start].lower == "for" or corrected


def verb_behind(sentence: Sentence, where: Coordination) -> bool:
    """A finite verb behind nouns that are not its subject: "at the break and the captain said": two clauses, not two nouns."""
    stop = where.right.stop
    while stop < len(sentence) and sentence[stop].pos in ("ADV", "PART"):
        stop += 1
    if _clausal(where) or stop >= len(sentence) or sentence[stop].tag not in FINITE:
        return False
    top = where.head
    while top.dep == "conj" and top.head != top.i:
        top = sentence[top.head]
    verb = sentence[stop]
    owner = verb.head if verb.dep in ("aux", "aux:pass", "cop") else verb.i
    while top.head != top.i and top.dep not in ("nsubj", "nsubj:pass", "csubj"):
        if top.i == owner:
            return False
        top = sentence[top.head]
    return top.head not in (owner, verb.i) and top.i != owner


def shared_number(sentence: Sentence, where: Coordination) -> bool:
    """A number that counts both: "240 civil and military firms", "71 passengers and crew"."""
    if where.word != "and" or _clausal(where):
        return False
    if where.kinds[1] == "Adj" and any(c.isdigit() for i in (*where.left, *where.right) for c in sentence[i].text):
        # "the 16th and 17th centuries"
        return True
    noun = sentence[where.head.head] if where.head.dep in ATTRIBUTIVE else where.head
    while noun.dep in ("conj", "appos"):
        # "three lakes, Como, Garda and Maggiore"
        if noun.dep == "appos" and sentence.children(noun.head, "nummod"):
            return True
        noun = sentence[noun.head]
    noun = sentence[where.head.head] if where.head.dep in ATTRIBUTIVE else where.head
    counts = [t for t in sentence.children(noun.i, "nummod") if t.i < where.mark.i]
    own = any(t.i > where.mark.i for t in sentence.children(where.second.i, "nummod", "det", "amod"))
    return bool(counts) and not (own and where.head.dep not in ATTRIBUTIVE)


def under_operator(sentence: Sentence, where: Coordination) -> bool:
    """A negation, "only" or the like that reaches over both: "did not say that she ate and drank", "only A and B"."""
    start = where.left.start
    first = where.first(sentence).i
    near = sentence.tokens[max(0, min(start, first) - 3) : first]
    if any(t.lower in word_set("over both") for t in near) and where.kinds[1] != "Clause":
        return True
    if where.word == "or":
        return sentence[where.right.start].lower == "else"
    heads, token = [where.head], where.head
    while token.head != token.i:
        token = sentence[token.head]
        heads.append(token)
    inside = {i for span in (where.left, where.right) for i in span}
    if any(t.lemma in word_set("downward verbs") and t.i < start for t in heads):
        return True
    below = [t for head in heads for t in sentence.children(head.i) if t.i not in inside]
    denied = (*heads, *below, *(one for t in below for one in sentence.children(t.i, "det")))
    return any(t.lower in word_set("denials over") and t.i < start for t in denied)


def conditional_clause(sentence: Sentence, where: Coordination) -> bool:
    """The coordination stands under "if", "unless", "whether", "when" or the like."""
    token = where.head
    while True:
        if any(
            t.lower in ("if", "unless", "whether", "lest", "until", "before", "when", "whenever") and t.i < where.mark.i
            for t in sentence.children(token.i, "mark", "advmod")
        ) and (where.kinds[1] != "Clause" or where.head.dep == "advcl"):
            return True
        if token.head == token.i:
            return False
        token = sentence[token.head]


def best_of(sentence: Sentence, where: Coordination) -> bool:
    """A superlative, "first" or "only" above it: "the greatest threat to peace and trade" may not be the greatest to trade."""
    token = where.head
    while token.head != token.i:
        token = sentence[token.head]
        above = (*sentence.children(token.i, "amod", "advmod"), token)
        if any(t.i < where.left.start and (t.tag in ("JJS", "RBS") or t.lower in ("first", "only")) for t in above):
            return True
    return False


def many_of(sentence: Sentence, where: Coordination) -> bool:
    """A quantity of both together: "several men and women", "a lot of farms and shops"."""
    nouns = [where.first(sentence)]
    if nouns[0].dep in ("nmod", *ATTRIBUTIVE):
        nouns.append(sentence[nouns[0].head])
    words = [t for noun in nouns for t in (*sentence.children(noun.i, "amod", "det"), noun) if t.i < where.mark.i]
    return not _clausal(where) and any(t.lower in word_set("many") for t in words)


def plural_subject(sentence: Sentence, where: Coordination) -> bool:
    """A singular subject with a plural verb: it is the subject itself that has two conjuncts: "The paper of Ann and her book were"."""
    token = where.first(sentence)
    while token.head != token.i and token.dep not in ("nsubj", "nsubj:pass"):
        token = sentence[token.head]
    within = token.head != token.i and token.i != where.first(sentence).i and token.tag in ("NN", "NNP")
    verbs = [t for t in sentence.verbs(token.head) if t.verbal][:1]
    alone = not sentence.children(token.i, "conj")
    return within and alone and any(t.lower in ("are", "were", "have") for t in verbs)


def goes_on_without_subject(sentence: Sentence, where: Coordination) -> bool:
    """A further verb behind the right clause has its subject from there: "…, and Ann rose, and then left"."""
    later = [t for t in sentence.children(where.second.i, "conj") if t.i >= where.right.stop]
    later += [t for t in sentence.children(where.head.i, "conj") if t.i > where.second.i]
    return where.kinds[1] == "Clause" and any(not sentence.children(t.i, "nsubj", "expl") for t in later)


def joint_noun(sentence: Sentence, where: Coordination) -> bool:
    """A noun that needs both parts: "a mixture of fact and delirium"."""
    start = min(span.start for span in (*where.before, where.left))
    near = sentence.tokens[max(0, start - 4) : where.left.stop]
    return not _clausal(where) and any(t.lower in word_set("joint nouns") for t in near)


def set_phrase(_sentence: Sentence, where: Coordination) -> bool:
    """Two words that are one: "arts and crafts"."""
    return f"{where.head.lower} {where.second.lower}" in word_set("set phrases")


def one_firm(sentence: Sentence, where: Coordination) -> bool:
    """Two names that may be one firm: the second alone says what it is ("Cable and Wireless Plc"), or both have one "its"."""
    ends = [sentence[span.stop - 1] for span in (where.left, where.right)]
    firm = [t.lower in word_set("firms") or t.lower in word_set("institutions") for t in ends]
    behind = {t.lower for t in sentence.tokens[where.right.stop :]}
    single = where.head.dep == "nsubj" and "its" in behind and "their" not in behind
    named = all(t.pos == "PROPN" for t in ends) and where.word == "and" and not where.before
    return named and ((firm == [False, True] and len(where.left) < 3) or single)


def name_of_institution(sentence: Sentence, where: Coordination) -> bool:
    """Capitalised words with an institution among or before them may be one name: "Administration for Children and Families"."""
    capital = all(sentence[span.stop - 1].text[:1].isupper() for span in (where.left, where.right))
    around = sentence.tokens[max(0, where.left.start - 3) : where.right.stop]
    named = any(t.text[:1].isupper() and t.lower in word_set("institutions") for t in around)
    return not _clausal(where) and capital and named and sentence[where.right.start].lower != "the"


def condition(sentence: Sentence, where: Coordination) -> bool:
    """ "You swing like that and you will find an axe": the first clause is a condition."""
    subject = sentence.subject(where.head.i)
    addressed = subject is None or subject.lower == "you"
    later = any(sentence[i].lower in ("will", "'ll", "’ll", "would") for i in where.right)
    return where.word in ("and", "or") and where.kinds[1] == "Clause" and (subject is None or (addressed and later))


def equated(sentence: Sentence, where: Coordination) -> bool:
    """All of something is named: "A and B are the options", "The focus is A and B"."""
    if where.kinds[1] not in ("N", "NP", "Name", "Adj") or where.word != "and":
        return False
    first = where.first(sentence)
    subject = first.dep == "nsubj"
    named = sentence[first.head] if subject else first
    other = named if subject else sentence.subject(first.i)
    if not sentence.children(named.i, "cop") or other is None or other.pos != "NOUN":
        return False
    if where.kinds[1] == "Adj" and not subject:
        return False
    return any(t.lower == "the" or t.dep == "nmod:poss" for t in sentence.children(other.i, "det", "nmod:poss"))


def joint_amount(sentence: Sentence, where: Coordination) -> bool:
    """What both cost or weigh together, and "the two" of what follows: "A and B, the two sources"."""
    top = sentence[where.head.head]
    amount = where.head.dep == "nsubj" and top.lemma in word_set("amounts")
    amount &= any(sentence[i].pos in ("NUM", "SYM") for i in sentence.subtree(top.i) if i > top.i)
    behind = [t.lower for t in sentence.tokens[where.right.stop : where.right.stop + 6]]
    counted = bool({"two", "both", "three", "duo"} & set(behind)) or bool({"all", "each"} & set(behind[:2]))
    return where.word == "and" and not _clausal(where) and (amount or counted)


RULES: tuple[Callable[[Sentence, Coordination], bool], ...] = (
    unlike_categories, half_list, but_between_words,
    verb_behind, shared_number, under_operator, conditional_clause,
    goes_on_without_subject, joint_noun, condition, set_phrase, name_of_institution, one_firm,
    equated, joint_amount, best_of, many_of, plural_subject,
)  # fmt: skip


def _clausal(where: Coordination) -> bool:
    return where.kinds[1] in ("Clause", "VP")
