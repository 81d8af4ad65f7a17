"""Constructions with a signature, and the sentences made of them; the veridicality phenomena share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from grice.generate import grammar
from grice.generate.grammar import BE, Subject, Verb, VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.lexicon import lexicon as words_of
from grice.theory.signature import Environment, expected_label, lexicon

ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
OTHER = {"to": "that", "that": "to"}
# As many deeds for each construction, so that the choice of one is a slot like any other.
DEEDS = 40


# Each exists once, so identity is equality, and a lookup need not hash forty deeds.
@dataclass(frozen=True, eq=False)
class Construction:
    """A verb with its complement: `forget to`, `be glad that`."""

    phrase: VerbPhrase
    complement: str
    clause: str
    signature: str
    inside: str
    fitting: tuple[VerbPhrase, ...]
    deeds: tuple[VerbPhrase, ...]

    @property
    def verb(self) -> str:
        return self.phrase.base

    @property
    def name(self) -> str:
        return f"{self.verb} {self.complement}"

    @property
    def printed(self) -> str | None:
        """The signature Ross & Pavlick give it, which is not always ours."""
        american = self.verb.removesuffix("ise") + "ize" if self.verb.endswith("ise") else self.verb
        return lexicon().get((american, self.complement)) or lexicon().get((self.verb, self.complement))


@dataclass(frozen=True)
class Scene:
    """Who says or does what: `other` is the subject of a that-clause."""

    subject: Subject
    other: Subject
    deed: VerbPhrase

    def complement(self, kind: str) -> str:
        """The complement as a sentence of its own."""
        who = self.subject if kind == "to" else self.other
        return grammar.sentence(who.text, self.deed.past)


@cache
def constructions() -> tuple[Construction, ...]:
    """All of veridicality.tsv, each with its own stretch of the deeds that fit it."""
    found = []
    for number, row in enumerate(table("veridicality")):
        verb = Verb(row["base"], row["third"], row["past"], row["participle"], row["gerund"])
        phrase = VerbPhrase(BE if row["base"] == "be" else verb, row["rest"])
        fitting = _fitting(row["deeds"])
        step = max(1, len(fitting) // DEEDS)
        chosen = tuple(fitting[(number + place * step) % len(fitting)] for place in range(DEEDS))
        found.append(
            Construction(
                phrase,
                row["complement"],
                row["clause"],
                row["signature"],
                row["inside"],
                fitting,
                chosen,
            )
        )
    return tuple(found)


# A target meets this many sentences of other verbs for each subject.
CONTEXTS = 5


def contexts(target: Construction) -> tuple[VerbPhrase, ...]:
    """The deeds of the sentences into which a target is put: some that fit it, no other's, so that no two share a sentence."""
    return _contexts()[target]


@cache
def _contexts() -> Mapping[Construction, tuple[VerbPhrase, ...]]:
    """Those that fit few verbs are dealt first."""
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
def naturals(target: Construction) -> tuple[tuple[VerbPhrase, ...], ...]:
    """The deeds of a target's own sentences, none of them among its contexts, dealt into as many hands."""
    own = [deed for deed in dict.fromkeys(target.deeds) if deed not in contexts(target)]
    return tuple(tuple(own[place::CONTEXTS]) for place in range(CONTEXTS))


@cache
def of_signature(signature: str) -> tuple[Construction, ...]:
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
    "state": ("pretend", "expect", "be expected"),
}  # fmt: skip


@cache
def hosts(target: Construction) -> tuple[Construction, ...]:
    """Verbs in whose complement the target makes sense: any with a that-clause about the past, or those of its kind."""
    return tuple(
        one
        for one in constructions()
        if one.complement == target.complement
        and one.phrase.rest != target.phrase.verb.past  # "was asked to ask to"
        and (one.clause == "had" if target.complement == "that" else one.verb in _HOSTS[target.inside])
    )


@cache
def taking(complement: str) -> tuple[Construction, ...]:
    """Verbs whose sentences can take in a target: any that takes a that-clause, and those open to a further to."""
    return tuple(
        one
        for one in constructions()
        if one.complement == complement and (complement == "that" or one.verb in _OPEN)
    )


@cache
def _fitting(deeds: str) -> tuple[VerbPhrase, ...]:
    """The deeds of a sort or of the verbs named; an underscore stands for the space in `apologise_to`."""
    named = {name.replace("_", " ") for name in deeds.split()}
    fitting = (
        VerbPhrase(
            Verb(row["base"], row["third"], row["past"], row["participle"], row["gerund"]), rest, "event"
        )
        for row in table("deeds")
        if deeds == "any" or row["sort"] == deeds or row["base"] in named
        for rest in row["objects"].split(" | ")
    )
    return tuple(dict.fromkeys(fitting))


def subjects(words: Words, number: str) -> tuple[Subject, ...]:
    """One person, or a profession in the plural."""
    if number == "singular":
        return words.people
    return tuple(Subject(f"the {noun.plural}", True) for noun in words.roles)


@cache
def namesakes(target: Construction) -> tuple[Construction, ...]:
    """Constructions of the same verb: "remember that" before a to-complement is "remember to", a verb of its own."""
    return tuple(one for one in constructions() if one.verb == target.verb)


@cache
def couples() -> tuple[tuple[Subject, Subject], ...]:
    """Each person once: the first speaks a target's own sentences, the second another verb's, so that they never meet."""
    people = words_of().people
    return tuple(zip(people[::2], people[1::2], strict=False))


def premise(one: Construction, scene: Scene, environment: str, *, contracted: bool = True) -> str:
    """The sentence or its negation: "Ana didn't forget to lock the shed."."""
    return grammar.sentence(
        scene.subject.text,
        said(one, environment, scene.subject.plural, contracted=contracted),
        one.complement,
        clause(one, scene),
    )


@cache
def said(one: Construction, environment: str, plural: bool, *, contracted: bool = True) -> str:
    if environment == "positive":
        return grammar.finite(one.phrase, "past", plural)
    return grammar.negated(one.phrase, "past", plural, contracted=contracted)


def clause(one: Construction, scene: Scene) -> str:
    """What follows "to" or "that"."""
    return embedded(one, scene.other, scene.deed)


def embedded(one: Construction, other: Subject, deed: VerbPhrase) -> str:
    if one.complement == "to":
        return deed.base
    told = {
        "had": f"had {deed.participle}",
        "would": f"would {deed.base}",
        "past": deed.past,
        "should": f"should {deed.base}",
    }[one.clause]
    return f"{other.text} {told}"


@cache
def tags(one: Construction, environment: str) -> Mapping[str, str]:
    """Those of the published set, and the signature printed in the paper where it has the construction."""
    found = {
        "verb": one.verb,
        "complement": one.complement,
        "construction": one.name,
        "signature": one.signature,
        "environment": environment,
    }
    return {**found, "printed": one.printed} if one.printed else found


@cache
def label(one: Construction, environment: Environment) -> Mapping[str, str]:
    return {"signature": expected_label(one.signature, environment)}


@cache
def fixed_words() -> tuple[str, ...]:
    """The words of the constructions, which the phenomenon is about."""
    words = (w for row in table("veridicality") for key in ("base", "past", "rest") for w in row[key].split())
    return tuple(dict.fromkeys(words))
