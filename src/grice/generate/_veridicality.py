"""Verbs with a complement and a signature, and the sentences made of them; the veridicality phenomena share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Unpack

from grice.generate import grammar
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import Words, read_verb, table
from grice.generate.lexicon import lexicon as words_of
from grice.generate.phenomenon import Conditions, Phenomenon, PhenomenonParts, Slots, make_phenomenon
from grice.theory.signature import SIGNATURES, Environment, expected_label, lexicon

ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
OTHER = {"to": "that", "that": "to"}
TAGS = ("kind", "phenomenon", "verb", "complement", "construction", "signature", "environment")
# As many deeds for each construction, so that the choice of one is a slot like any other.
DEEDS = 40


# Each exists once, so identity is equality, and a lookup need not hash forty deeds.
@dataclass(frozen=True, eq=False)
class VerbConstruction:
    """A verb with its kind of complement and its signature: `forget to`, `be glad that`.

    `fitting` are all deeds that make sense in its complement, `deeds` a choice of them.
    """

    phrase: VerbPhrase
    complement: str
    clause: str
    signature: str
    inside: str
    fitting: tuple[VerbPhrase, ...]
    deeds: tuple[VerbPhrase, ...]

    @property
    def verb(self) -> str:
        """The verb: `forget`, `be glad`."""
        return self.phrase.base

    @property
    def name(self) -> str:
        """The verb with its complement: `forget to`."""
        return f"{self.verb} {self.complement}"

    @property
    def printed(self) -> str | None:
        """The signature that Ross & Pavlick give it, if they do; it is not always ours."""
        american = self.verb.removesuffix("ise") + "ize" if self.verb.endswith("ise") else self.verb
        return lexicon().get((american, self.complement)) or lexicon().get((self.verb, self.complement))


@dataclass(frozen=True)
class Scene:
    """The content of a sentence: its subject, the deed of the complement, and the subject of a that-clause."""

    subject: Subject
    other: Subject
    deed: VerbPhrase

    def complement(self, kind: str) -> str:
        """The complement as a sentence of its own."""
        who = self.subject if kind == "to" else self.other
        return grammar.sentence(who.text, self.deed.past)


@cache
def constructions() -> tuple[VerbConstruction, ...]:
    """Every construction of veridicality.tsv, each with its own choice of the deeds that fit it."""
    found = []
    for number, row in enumerate(table("veridicality")):
        phrase = VerbPhrase(read_verb(row), row["rest"])
        fitting = _fitting(row["deeds"])
        step = max(1, len(fitting) // DEEDS)
        chosen = tuple(fitting[(number + place * step) % len(fitting)] for place in range(DEEDS))
        kinds = row["complement"], row["clause"], row["signature"], row["inside"]
        found.append(VerbConstruction(phrase, *kinds, fitting, chosen))
    return tuple(found)


# A target meets this many sentences of other verbs for each subject.
CONTEXTS = 5


def contexts(target: VerbConstruction) -> tuple[VerbPhrase, ...]:
    """The deeds of the sentences into which a target is put; no two targets share one, nor a sentence."""
    return _contexts()[target]


@cache
def _contexts() -> Mapping[VerbConstruction, tuple[VerbPhrase, ...]]:
    """The deeds of each target; targets that few deeds fit choose first."""
    free = dict.fromkeys(_fitting("any"))
    found = {}
    for target in sorted(constructions(), key=lambda one: len(one.fitting)):
        own = [deed for deed in target.fitting if deed in free]
        step = max(1, len(own) // CONTEXTS)
        found[target] = tuple(own[place * step] for place in range(CONTEXTS))
        for deed in found[target]:
            del free[deed]
    return found


@cache
def naturals(target: VerbConstruction) -> tuple[tuple[VerbPhrase, ...], ...]:
    """The deeds of a target's own sentences, none of them among its contexts, divided by context."""
    own = [deed for deed in dict.fromkeys(target.deeds) if deed not in contexts(target)]
    return tuple(tuple(own[place::CONTEXTS]) for place in range(CONTEXTS))


@cache
def find_by_signature(signature: str) -> tuple[VerbConstruction, ...]:
    """The constructions of a signature."""
    return tuple(one for one in constructions() if one.signature == signature)


# Verbs under which most others still read well: "hoped to be the first to sign the lease".
_OPEN = (
    "hope", "want", "expect", "promise", "intend", "need", "try", "attempt", "manage", "pretend", "refuse", "fail", "agree",
    "decide", "be supposed", "be expected", "be willing", "be determined", "be forced", "get",
)  # fmt: skip


# A to-construction of one kind reads well under these: "promised to try to", "hoped to be able to", "pretended to forget to".
_HOSTS = {
    "will": (
        "promise", "agree", "decide", "intend", "need", "want", "refuse", "be supposed", "be expected", "be willing", "be asked",
        "be told", "be advised", "be encouraged", "be urged",
    ),
    "luck": ("hope", "want", "expect", "be expected"),
    "state": ("pretend", "be expected"),
}  # fmt: skip


@cache
def hosts(target: VerbConstruction) -> tuple[VerbConstruction, ...]:
    """Verbs in whose complement the target makes sense: any with a that-clause about the past, or those of its kind."""
    return tuple(
        one
        for one in constructions()
        if one.complement == target.complement
        and one.phrase.rest != target.phrase.verb.past  # "was asked to ask to"
        and (one.clause == "had" if target.complement == "that" else one.verb in _HOSTS[target.inside])
    )


@cache
def embedding_verbs(complement: str) -> tuple[VerbConstruction, ...]:
    """Verbs whose sentences a target can be put into: all with a that-clause, and those open to a further "to"."""
    return tuple(
        one for one in constructions() if one.complement == complement and (complement == "that" or one.verb in _OPEN)
    )


@cache
def _fitting(deeds: str) -> tuple[VerbPhrase, ...]:
    """The deeds of a sort or of the verbs named; an underscore stands for the space in `apologise_to`."""
    named = {name.replace("_", " ") for name in deeds.split()}
    fitting = (
        VerbPhrase(read_verb(row), rest, "event")
        for row in table("deeds")
        if row["sort"] != "slip" and (deeds == "any" or row["sort"] == deeds or row["base"] in named)
        for rest in row["objects"].split(" | ")
    )
    return tuple(dict.fromkeys(fitting))


def subjects(words: Words, number: str) -> tuple[Subject, ...]:
    """One person, or several by what they are to someone."""
    return words.people if number == "singular" else words.relatives


@cache
def namesakes(target: VerbConstruction) -> tuple[VerbConstruction, ...]:
    """Constructions of the same verb: "remember that" before a to-complement is "remember to", a verb of its own."""
    return tuple(one for one in constructions() if one.verb == target.verb)


@cache
def couples() -> tuple[tuple[Subject, Subject], ...]:
    """People in twos, each once: the subject of a target's own sentences, and that of the other verb's."""
    people = words_of().people
    return tuple(zip(people[::2], people[1::2], strict=False))


def premise(one: VerbConstruction, scene: Scene, environment: str, *, contracted: bool = True) -> str:
    """The sentence or its negation: "Ana didn't forget to lock the shed."."""
    verb = main_verb(one, environment, scene.subject.plural, contracted=contracted)
    return grammar.sentence(scene.subject.text, verb, one.complement, clause(one, scene))


@cache
def main_verb(one: VerbConstruction, environment: str, plural: bool, *, contracted: bool = True) -> str:
    """The verb in the past, negated in the negative environment: "didn't forget"."""
    if environment == "positive":
        return grammar.inflect(one.phrase, "past", plural)
    return grammar.inflect_negated(one.phrase, "past", plural, contracted=contracted)


def clause(one: VerbConstruction, scene: Scene) -> str:
    """What follows "to" or "that"."""
    return complement_clause(one, scene.other, scene.deed)


def complement_clause(one: VerbConstruction, other: Subject, deed: VerbPhrase) -> str:
    """What follows the verb's "to" or "that", for a deed."""
    if one.complement == "to":
        return deed.base
    does = {"had": f"had {deed.participle}", "past": deed.past}.get(one.clause, f"{one.clause} {deed.base}")
    return f"{other.text} {does}"


@cache
def tags(one: VerbConstruction, environment: str) -> Mapping[str, str]:
    """The tags of the published set, and the signature printed in the paper where it has the construction."""
    found = {
        "verb": one.verb,
        "complement": one.complement,
        "construction": one.name,
        "signature": one.signature,
        "environment": environment,
    }
    return {**found, "printed": one.printed} if one.printed else found


@cache
def label(one: VerbConstruction, environment: Environment) -> Mapping[str, str]:
    """The gold answer that the signature gives."""
    return {"signature": expected_label(one.signature, environment)}


@cache
def fixed_words() -> tuple[str, ...]:
    """The words of the constructions, which the phenomenon is about."""
    words = (w for row in table("veridicality") for key in ("base", "past", "rest") for w in row[key].split())
    return tuple(dict.fromkeys(words))


def swap_slots(_words: Words, cell: Conditions) -> Slots:
    """The slots of a phenomenon that puts a target verb into sentences of other verbs."""
    target = find_by_signature(cell["target_signature"])
    return {"target": target, "couple": couples(), "context": range(CONTEXTS)}


def veridicality_phenomenon(
    name: str,
    *,
    rows: int,
    tags: tuple[str, ...] = (),
    conditions: Mapping[str, tuple[str, ...]] | None = None,
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """A phenomenon about verbs with a signature, which is its reading; by default every signature of a target."""
    parts = {"readings": ("signature",), "fixed": fixed_words(), **parts}
    given = conditions or {"target_signature": SIGNATURES}
    return make_phenomenon(name, "veridicality", rows=rows, tags=(*TAGS, *tags), conditions=given, marked=(), **parts)
