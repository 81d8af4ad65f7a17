"""Signals that the bounds of a coordination are the parser's mistake, or that it holds jointly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from grice.mining._coordinated import NOUN_KINDS, Coordination
from grice.mining._coordination import ATTRIBUTIVE
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

# Categories that are coordinated though they differ.
MIXED = {
    frozenset(("NP", "N")),
    frozenset(("Name", "NP")),
    frozenset(("Name", "N")),
    frozenset(("Adj", "PP")),
    frozenset(("Adv", "PP")),
    frozenset(("N", "Number")),
}
SUBJECTS = ("nsubj", "nsubj:pass")


def has_unlike_categories(_sentence: Sentence, site: Coordination) -> bool:
    """Detect conjuncts whose categories are not coordinated in English."""
    return len(set(site.kinds)) == 2 and frozenset(site.kinds) not in MIXED


def is_half_list(sentence: Sentence, site: Coordination) -> bool:
    """Detect a comma before either of two nouns: the parser missed the other half of a list."""
    start = site.left.start
    has_comma = start > 0 and sentence[start - 1].text == ","
    has_pause = site.pause is not None and site.word != "or"
    return not site.is_clausal and not site.before and (has_comma or has_pause)


def is_but_between_words(sentence: Sentence, site: Coordination) -> bool:
    """Detect an exception or correction: "nothing but trouble", "but for rain", ", not A but B"."""
    if site.word != "but":
        return False
    words = [sentence[i].lower for i in site.left]
    is_corrected = any(first == "," and second == "not" for first, second in pairwise(words))
    is_exception = sentence[site.right.start].lower == "for"
    return site.kind not in ("Clause", "VP", "PP") or is_exception or is_corrected


def has_verb_behind(sentence: Sentence, site: Coordination) -> bool:
    """Detect two clauses read as two nouns: "at the break and the captain said"."""
    stop = site.right.stop
    while stop < len(sentence) and sentence[stop].pos in ("ADV", "PART"):
        stop += 1
    if site.is_clausal or stop >= len(sentence) or sentence[stop].tag not in FINITE:
        return False
    verb = sentence[stop]
    owner = verb.head if verb.dep in ("aux", "aux:pass", "cop") else verb.i
    top = site.head
    while top.dep == "conj" and top.head != top.i:
        top = sentence[top.head]
    while top.head != top.i and top.dep not in (*SUBJECTS, "csubj"):
        if top.i == owner:
            return False
        top = sentence[top.head]
    return top.head not in (owner, verb.i) and top.i != owner


def shares_number(sentence: Sentence, site: Coordination) -> bool:
    """Detect a number that counts both: "240 civil and military firms", "71 men and women"."""
    if site.word != "and" or site.is_clausal:
        return False
    words = [sentence[i].text for i in (*site.left, *site.right)]
    if site.kind == "Adj" and any(c.isdigit() for word in words for c in word):
        # "the 16th and 17th centuries"
        return True
    top = _noun(sentence, site)
    if _is_counted_apposition(sentence, top):
        return True
    has_count = any(t.i < site.mark.i for t in sentence.children(top.i, "nummod"))
    determiners = sentence.children(site.second.i, "nummod", "det", "amod")
    is_own = any(t.i > site.mark.i for t in determiners) and site.head.dep not in ATTRIBUTIVE
    return has_count and not is_own


def _noun(sentence: Sentence, site: Coordination) -> Token:
    """Return the noun that attributes modify, or the head of the left conjunct."""
    return sentence[site.head.head] if site.head.dep in ATTRIBUTIVE else site.head


def _is_counted_apposition(sentence: Sentence, noun: Token) -> bool:
    """Detect names of what was counted: "three lakes, Como, Garda and Maggiore"."""
    while noun.dep in ("conj", "appos"):
        if noun.dep == "appos" and sentence.children(noun.head, "nummod"):
            return True
        noun = sentence[noun.head]
    return False


def is_under_operator(sentence: Sentence, site: Coordination) -> bool:
    """Detect a negation or "only" over both: "did not say that she sang and danced"."""
    start, first = site.left.start, site.first(sentence).i
    near = sentence.tokens[max(0, min(start, first) - 3) : first]
    if site.kind != "Clause" and any(t.lower in word_set("over both") for t in near):
        return True
    if site.word == "or":
        return sentence[site.right.start].lower == "else"
    heads = [site.head, *_ancestors(sentence, site.head)]
    if any(t.lemma in word_set("downward verbs") and t.i < start for t in heads):
        return True
    return any(t.lower in word_set("denials over") for t in _above(sentence, site, heads))


def _ancestors(sentence: Sentence, token: Token) -> Iterator[Token]:
    """Yield the heads above a token up to the root."""
    while token.head != token.i:
        token = sentence[token.head]
        yield token


def _above(sentence: Sentence, site: Coordination, heads: list[Token]) -> Iterator[Token]:
    """Yield the heads, their dependents outside the conjuncts and those' determiners before it."""
    inside = {i for span in (site.left, site.right) for i in span}
    dependents = [t for head in heads for t in sentence.children(head.i) if t.i not in inside]
    determiners = [t for dependent in dependents for t in sentence.children(dependent.i, "det")]
    yield from (t for t in (*heads, *dependents, *determiners) if t.i < site.left.start)


def is_in_conditional(sentence: Sentence, site: Coordination) -> bool:
    """Detect "if", "unless", "whether", "when" or the like above the coordination."""
    if site.kind == "Clause" and site.head.dep != "advcl":
        return False
    heads = (site.head, *_ancestors(sentence, site.head))
    marks = (mark for head in heads for mark in sentence.children(head.i, "mark", "advmod"))
    words = word_set("conditionals and times")
    return any(mark.lower in words and mark.i < site.mark.i for mark in marks)


def is_under_superlative(sentence: Sentence, site: Coordination) -> bool:
    """Detect a superlative, "first" or "only": "the greatest threat to peace and trade"."""
    heads = list(_ancestors(sentence, site.head))
    modifiers = [t for head in heads for t in sentence.children(head.i, "amod", "advmod")]
    before = (t for t in (*heads, *modifiers) if t.i < site.left.start)
    return any(t.tag in ("JJS", "RBS") or t.lower in ("first", "only") for t in before)


def is_quantity_of_both(sentence: Sentence, site: Coordination) -> bool:
    """Detect a quantity of both: "several men and women", "a lot of farms and shops"."""
    if site.is_clausal:
        return False
    nouns = [site.first(sentence)]
    if nouns[0].dep in ("nmod", *ATTRIBUTIVE):
        nouns.append(sentence[nouns[0].head])
    words = [t for noun in nouns for t in (*sentence.children(noun.i, "amod", "det"), noun)]
    return any(t.lower in word_set("many") and t.i < site.mark.i for t in words)


def is_inside_plural_subject(sentence: Sentence, site: Coordination) -> bool:
    """Detect a subject with two conjuncts read as one: "The paper of Ann and her book were"."""
    first = site.first(sentence)
    token = first
    while token.head != token.i and token.dep not in SUBJECTS:
        token = sentence[token.head]
    if token.head == token.i or token.i == first.i or token.tag not in ("NN", "NNP"):
        return False
    verb = next((t for t in sentence.verbs(token.head) if t.verbal), None)
    is_plural = verb is not None and verb.lower in ("are", "were", "have")
    return is_plural and not sentence.children(token.i, "conj")


def goes_on_without_subject(sentence: Sentence, site: Coordination) -> bool:
    """Detect a further verb whose subject is in the right clause: "and Ann rose, and then left"."""
    if site.kind != "Clause":
        return False
    later = [t for t in sentence.children(site.second.i, "conj") if t.i >= site.right.stop]
    later += [t for t in sentence.children(site.head.i, "conj") if t.i > site.second.i]
    return any(not sentence.children(t.i, "nsubj", "expl") for t in later)


def is_under_joint_noun(sentence: Sentence, site: Coordination) -> bool:
    """Detect a noun that needs both parts: "a mixture of fact and delirium"."""
    near = sentence.tokens[max(0, site.begin - 4) : site.left.stop]
    return not site.is_clausal and any(t.lower in word_set("joint nouns") for t in near)


def is_set_phrase(_sentence: Sentence, site: Coordination) -> bool:
    """Detect two words that are one: "arts and crafts"."""
    return f"{site.head.lower} {site.second.lower}" in word_set("set phrases")


def is_one_firm(sentence: Sentence, site: Coordination) -> bool:
    """Detect two names that may be one firm: "Cable and Wireless Plc", or one "its" for both."""
    ends = [sentence[span.stop - 1] for span in (site.left, site.right)]
    if site.word != "and" or site.before or any(t.pos != "PROPN" for t in ends):
        return False
    names = word_set("firms") | word_set("institutions")
    is_firm = [t.lower in names for t in ends]
    behind = {t.lower for t in sentence.tokens[site.right.stop :]}
    has_one_owner = site.head.dep == "nsubj" and "its" in behind and "their" not in behind
    return (is_firm == [False, True] and len(site.left) < 3) or has_one_owner


def is_name_of_institution(sentence: Sentence, site: Coordination) -> bool:
    """Detect one name in capitals: "Administration for Children and Families"."""
    if site.is_clausal or sentence[site.right.start].lower == "the":
        return False
    ends = (sentence[span.stop - 1] for span in (site.left, site.right))
    around = sentence.tokens[max(0, site.left.start - 3) : site.right.stop]
    capitals = (t for t in around if t.text[:1].isupper())
    is_capital = all(t.text[:1].isupper() for t in ends)
    return is_capital and any(t.lower in word_set("institutions") for t in capitals)


def is_condition(sentence: Sentence, site: Coordination) -> bool:
    """Detect a first clause that is a condition: "You swing like that and you will find an axe"."""
    if site.word not in ("and", "or") or site.kind != "Clause":
        return False
    subject = sentence.subject(site.head.i)
    if subject is None:
        return True
    futures = ("will", "'ll", "’ll", "would")
    return subject.lower == "you" and any(sentence[i].lower in futures for i in site.right)


def is_equated(sentence: Sentence, site: Coordination) -> bool:
    """Detect a list of all there are: "A and B are the options", "The focus is A and B"."""
    if site.kind not in (*NOUN_KINDS, "Adj") or site.word != "and":
        return False
    first = site.first(sentence)
    is_subject = first.dep == "nsubj"
    predicate = sentence[first.head] if is_subject else first
    noun = predicate if is_subject else sentence.subject(first.i)
    if not sentence.children(predicate.i, "cop") or noun is None or noun.pos != "NOUN":
        return False
    if site.kind == "Adj" and not is_subject:
        return False
    determiners = sentence.children(noun.i, "det", "nmod:poss")
    return any(t.lower == "the" or t.dep == "nmod:poss" for t in determiners)


def is_joint_amount(sentence: Sentence, site: Coordination) -> bool:
    """Detect a cost or weight of both, or "the two" behind: "A and B, the two sources"."""
    if site.word != "and" or site.is_clausal:
        return False
    verb = sentence[site.head.head]
    has_amount = any(
        sentence[i].pos in ("NUM", "SYM") for i in sentence.subtree(verb.i) if i > verb.i
    )
    is_amount = site.head.dep == "nsubj" and verb.lemma in word_set("amounts") and has_amount
    behind = [t.lower for t in sentence.tokens[site.right.stop : site.right.stop + 6]]
    is_counted = {"two", "both", "three", "duo"} & {*behind} or {"all", "each"} & {*behind[:2]}
    return is_amount or bool(is_counted)


# Name in files of readings to test.
SIGNALS: Mapping[str, Callable[[Sentence, Coordination], bool]] = {
    "unlike_categories": has_unlike_categories,
    "half_list": is_half_list,
    "but_between_words": is_but_between_words,
    "verb_behind": has_verb_behind,
    "shared_number": shares_number,
    "under_operator": is_under_operator,
    "conditional_clause": is_in_conditional,
    "goes_on_without_subject": goes_on_without_subject,
    "joint_noun": is_under_joint_noun,
    "condition": is_condition,
    "set_phrase": is_set_phrase,
    "name_of_institution": is_name_of_institution,
    "one_firm": is_one_firm,
    "equated": is_equated,
    "joint_amount": is_joint_amount,
    "best_of": is_under_superlative,
    "many_of": is_quantity_of_both,
    "plural_subject": is_inside_plural_subject,
}


def coordination_signals(sentence: Sentence, site: Coordination) -> list[str]:
    """Return the names of the signals that fire, in the order of the table."""
    return [name for name, test in SIGNALS.items() if test(sentence, site)]
