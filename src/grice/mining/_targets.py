"""Choose the verbs that are put in the place of another, and tell which verb none replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from grice.mining._constructions import VerbComplement, auxiliaries, constructions
from grice.mining._words import word_classes, word_set
from grice.mining.parse import Sentence
from grice.mining.sampling import draw
from grice.mining.signals.context import FUTURE
from grice.theory.signature import extended_lexicon, lexicon

# A verb with its complement, "to" or "that".
Target = tuple[str, str]
PRONOUNS = {"i", "he", "she", "we", "they", "you", "who"}
PERSONS = PRONOUNS | {"someone", "everyone", "somebody", "everybody"}
NO_SUBJECTS = {"it", "there", "this", "that", "what", "which"}
# What replaces no other verb well: "be that" and "give that" are no verbs of saying or doing, and
# the list has two past forms and their verbs.
UNFIT = {"be", "give", "use", "have", "saw", "felt"}
# What no sentence with a person as its subject has ("they seem that", "he tells that"), or few
# sentences.
IMPOSSIBLE = {
    *((verb, "that") for verb in ("seem", "appear", "tell", "ensure")),
    ("deserve", "to"),
    ("threaten", "to"),
}
# Who says "I reveal that it rains" does it by saying so.
PERFORMED = {"reveal", "discover", "learn", "verify", "know", "confirm"}


@dataclass(frozen=True)
class SwapOptions:
    """How many targets, and the seed."""

    targets: int
    seed: int


@cache
def agreed_signatures() -> Mapping[Target, str]:
    """Return the signatures of verbs that may be put in: those that readers agree on."""
    entries = extended_lexicon().items()
    return {key: entry.signature for key, entry in entries if "?" not in entry.signature}


def choose_targets(
    sentence: Sentence, site: VerbComplement, complement: str, count: int, options: SwapOptions
) -> list[Target]:
    """Draw as many targets for every sentence, by its text, so that targets are spread evenly."""
    excluded = {site.listed_verb, *UNFIT}
    excluded |= set(word_set("mandative")) | _unfit_for_subject(sentence, site)
    listed = (t for t in agreed_signatures() if t[1] == complement and t in lexicon())
    targets = [t for t in listed if t not in IMPOSSIBLE and t[0] not in excluded]
    if complement == site.complement:
        targets = _keep_fitting(sentence, site, targets)
    else:
        targets = [t for t in targets if t[0] not in word_set("both frames")]
    key = f"/{sentence.text}"
    return sorted(targets, key=lambda t: draw(f"{options.seed}/{' '.join(t)}{key}"))[:count]


def _unfit_for_subject(sentence: Sentence, site: VerbComplement) -> set[str]:
    """Return verbs that do not fit a speaker as subject, or a modal above."""
    verbs: set[str] = set()
    subject = sentence.subject(site.verb.i)
    if subject is not None and subject.lower in ("i", "we") and site.tag == "VBP":
        verbs |= PERFORMED
    if any(helper.tag == "MD" for helper in auxiliaries(sentence, site.verb)):
        verbs |= word_set("raising") | word_set("before be")
    return verbs


def _keep_fitting(sentence: Sentence, site: VerbComplement, targets: list[Target]) -> list[Target]:
    """Keep the targets that fit the complement, and the subject if it is no person."""
    if site.complement == "that":
        if not any(token.pos == "NUM" for token in sentence.tokens[site.mark.i :]):
            # "estimated that ten"
            targets = [t for t in targets if t[0] != "estimate"]
        is_alike = site.listed_verb in word_set("raising") | word_set("showing")
        of_things = word_set("showing") if is_alike else frozenset[str]()
    else:
        targets = _keep_before_infinitive(sentence, site, targets)
        of_things = word_set("raising")
    if not targets or is_person(sentence, site):
        return targets
    return [t for t in targets if t[0] in of_things]


def _keep_before_infinitive(
    sentence: Sentence, site: VerbComplement, targets: list[Target]
) -> list[Target]:
    """Keep the targets that fit an infinitive: "proved to be"; none under most modals."""
    modals = (t.lower for t in auxiliaries(sentence, site.verb) if t.tag == "MD")
    if any(modal not in FUTURE for modal in modals):
        return []
    if site.head.lemma in word_set("states"):
        return [t for t in targets if t[0] in word_set("before be")]
    return [t for t in targets if t[0] != "prove"]


def choose_inner(sentence: Sentence, site: VerbComplement, options: SwapOptions) -> list[Target]:
    """Choose targets for the complement's verb, if that has such a complement itself."""
    nested = (inner for inner in constructions(sentence) if inner.verb.i == site.head.i)
    inner = next((inner for inner in nested if inner.doer is None), None)
    if inner is None or irreplaceable(sentence, inner) or not is_person(sentence, site):
        return []
    if site.head.tag == "VBG" or sentence.children(site.head.i, "aux:pass"):
        return []
    targets = choose_targets(sentence, inner, inner.complement, options.targets, options)
    # One does not hope to want or to seem.
    states = word_set("states") | word_set("raising") if site.complement == "to" else frozenset()
    return [target for target in targets if target[0] not in states]


def is_person(sentence: Sentence, site: VerbComplement) -> bool:
    """Return whether the subject is a person, by its word: a pronoun, a person's name, a role."""
    subject = sentence.subject(site.verb.i)
    raising = word_set("raising")
    if subject is None or (subject.lower == "they" and site.listed_verb in raising):
        return False
    if subject.lower in PERSONS or subject.lower in word_set("people"):
        return True
    names = sentence.children(subject.i, "flat", "compound")
    first = min([subject.i, *(token.i for token in names)])
    if word_classes().get(sentence[first].text) == "name first":
        return True
    is_saying = site.complement == "that" and site.listed_verb not in raising | word_set("showing")
    children = sentence.children(subject.i)
    is_determined = any(token.tag in ("DT", "PRP$") for token in children)
    return is_saying and subject.tag == "NNP" and not is_determined


def _has_idiom(_sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "the time has come to"."""
    return site.name == "come to"


def _has_emphasis(sentence: Sentence, site: VerbComplement) -> bool:
    return any(helper.lemma == "do" for helper in auxiliaries(sentence, site.verb))


def _has_words_between(sentence: Sentence, site: VerbComplement) -> bool:
    between = sentence.tokens[site.verb.i + 1 : site.mark.i]
    return any(token.pos in ("PRON", "NOUN", "PROPN") for token in between)


def _has_object(sentence: Sentence, site: VerbComplement) -> bool:
    return bool(site.particle or sentence.children(site.verb.i, "obj", "iobj", "obl"))


def _has_no_subject(sentence: Sentence, site: VerbComplement) -> bool:
    subject = sentence.subject(site.verb.i)
    return subject is None or subject.dep == "expl" or subject.lower in NO_SUBJECTS


def _is_progressive(_sentence: Sentence, site: VerbComplement) -> bool:
    return site.tag == "VBG"


def _has_auxiliary_inside(_sentence: Sentence, site: VerbComplement) -> bool:
    return site.complement == "to" and site.head.dep in ("aux", "aux:pass")


def _is_perception(sentence: Sentence, site: VerbComplement) -> bool:
    helpers = {helper.lower for helper in auxiliaries(sentence, site.verb)}
    return bool(helpers & {"can", "could"}) and site.lemma in word_set("perception")


def _is_quotation(sentence: Sentence, site: VerbComplement) -> bool:
    return site.head.lemma in word_set("saying") and bool(set(sentence.text) & set('"“'))


def _has_outcome(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect what may take it back: "claimed that it rained, although it did not"."""
    behind = {token.lower for token in sentence.tokens[site.mark.i :]}
    return bool(behind & {"but", "although", "though", "however", "yet"})


def _is_subjunctive(_sentence: Sentence, site: VerbComplement) -> bool:
    return site.complement == "that" and site.lemma in word_set("mandative")


# Why no other verb replaces this one; the first test that holds is counted.
IRREPLACEABLE: Mapping[str, Callable[[Sentence, VerbComplement], bool]] = {
    "an idiom": _has_idiom,
    "an emphatic do": _has_emphasis,
    "words between": _has_words_between,
    "a particle or an object": _has_object,
    "no subject for another verb": _has_no_subject,
    "a progressive": _is_progressive,
    "a perfect, progressive or passive infinitive": _has_auxiliary_inside,
    "a perception": _is_perception,
    "a quotation": _is_quotation,
    "a subjunctive": _is_subjunctive,
    "an outcome": _has_outcome,
}


def irreplaceable(sentence: Sentence, site: VerbComplement) -> str:
    """Return why no other verb replaces this one; empty if one does."""
    return next((reason for reason, test in IRREPLACEABLE.items() if test(sentence, site)), "")
