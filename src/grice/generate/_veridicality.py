"""Verbs with a complement and a signature, and their sentences, for the veridicality phenomena."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from typing import NamedTuple, Unpack

from grice.core.errors import InputError
from grice.generate import grammar
from grice.generate._scenes import suited_acts
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import Words, read_verb, table, word_list
from grice.generate.lexicon import lexicon as words_of
from grice.generate.phenomenon import (
    Conditions,
    Phenomenon,
    PhenomenonParts,
    Slots,
    make_phenomenon,
)
from grice.theory.signature import SIGNATURES, Environment, expected_label, lexicon

ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
OTHER = {"to": "that", "that": "to"}
TAGS = ("kind", "phenomenon", "verb", "complement", "construction", "signature", "environment")
# As many deeds for each construction, so that the choice of one is a slot like any other; each line
# of undertakings.tsv has them.
DEEDS = 16


# Each exists once, so identity is equality, and a lookup need not hash all deeds.
@dataclass(frozen=True, eq=False)
class VerbConstruction:
    """A verb with its kind of complement and its signature: `forget to`, `be glad that`.

    `fitting` are all deeds that make sense in its complement, `deeds` a choice of them; `inside`
    names the verbs in whose own complement the construction reads well.
    """

    phrase: VerbPhrase
    complement: str
    clause: str
    signature: str
    inside: tuple[str, ...]
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
        """The signature given by Ross & Pavlick, if any; it can differ from ours."""
        american = self.verb.removesuffix("ise") + "ize" if self.verb.endswith("ise") else self.verb
        return lexicon().get((american, self.complement)) or lexicon().get(
            (self.verb, self.complement)
        )


@dataclass(frozen=True)
class Scene:
    """The content of a sentence: its subject, the deed, and the subject of a that-clause."""

    subject: Subject
    other: Subject
    deed: VerbPhrase

    def complement(self, kind: str) -> str:
        """Return the complement as an independent sentence."""
        who = self.subject if kind == "to" else self.other
        return grammar.sentence(who.text, self.deed.past)


@cache
def constructions() -> tuple[VerbConstruction, ...]:
    """Return every construction of veridicality.tsv, each with its choice of fitting deeds."""
    entries = []
    for number, row in enumerate(table("veridicality")):
        phrase = VerbPhrase(read_verb(row), row["rest"])
        fitting = suited_acts(row["deeds"])
        step = max(1, len(fitting) // DEEDS)
        chosen = tuple(fitting[(number + index * step) % len(fitting)] for index in range(DEEDS))
        inside = tuple(name.replace("_", " ") for name in row["inside"].split())
        kinds = row["complement"], row["clause"], row["signature"]
        entries.append(VerbConstruction(phrase, *kinds, inside, fitting, chosen))
    return tuple(entries)


# A target meets this many sentences of other verbs for each subject.
CONTEXTS = 5


class Context(NamedTuple):
    """A sentence of another verb: the verb, and the deed of its complement."""

    base: VerbConstruction
    deed: VerbPhrase


def contexts(target: VerbConstruction) -> tuple[Context, ...]:
    """Return the sentences in which a target is embedded: other verbs, with deeds that fit both."""
    return _contexts()[target]


@cache
def _contexts() -> Mapping[VerbConstruction, tuple[Context, ...]]:
    """Return the contexts of each target; targets with the fewest options choose first.

    With the same subject no two targets share a sentence: before "to" none has a verb and a deed of
    another's, and in a that-clause the one it is about tells the target (`third_person`).
    """
    contexts_by_target: dict[VerbConstruction, tuple[Context, ...]] = {}
    used: set[tuple[VerbConstruction, VerbPhrase]] = set()
    for number, target in enumerate(
        sorted(
            constructions(),
            key=lambda construction: len(construction.inside) * len(construction.fitting),
        )
    ):
        own: list[Context] = []
        for index in range(CONTEXTS if hosts(target) else 0):
            free = _free_contexts(target, used, {context.deed for context in own}, number + index)
            own.append(next(free, None) or _refuse(target))
            if target.complement == "to":
                used |= {own[-1], (target, own[-1].deed)}
        contexts_by_target[target] = tuple(own)
    return contexts_by_target


def _free_contexts(
    target: VerbConstruction,
    used: Container[tuple[VerbConstruction, VerbPhrase]],
    taken: Container[VerbPhrase],
    start: int,
) -> Iterator[Context]:
    """Yield the unused contexts of a target, with another verb and deed first for each start."""
    above, fitting = hosts(target), target.fitting
    for base in (above[(start + step) % len(above)] for step in range(len(above))):
        for deed in (fitting[(7 * start + step) % len(fitting)] for step in range(len(fitting))):
            fits = target.complement == "that" or deed in base.fitting
            if (
                fits
                and deed not in taken
                and (base, deed) not in used
                and (target, deed) not in used
            ):
                yield Context(base, deed)


def _refuse(target: VerbConstruction) -> Context:
    above = ", ".join(host.name for host in hosts(target))
    raise InputError(
        f"veridicality.tsv: {target.name} shares too few deeds with {above}; give them more, or it"
        " another verb inside"
    )


@cache
def foreign_contexts() -> tuple[Context, ...]:
    """Return sentences with "to", each a verb and a deed, ordered so that neighbours differ."""
    every = [
        Context(construction, deed)
        for construction in constructions()
        if construction.complement == "to" and construction.verb in _OPEN
        for deed in construction.fitting
    ]
    step = next(step for step in range(89, 200) if gcd(step, len(every)) == 1)
    return tuple(every[index * step % len(every)] for index in range(len(every)))


@cache
def _numbers() -> Mapping[VerbConstruction, int]:
    """Return each construction's number among those with the same kind of complement."""
    return {
        construction: number
        for kind in OTHER
        for number, construction in enumerate(
            construction for construction in constructions() if construction.complement == kind
        )
    }


def context_number(target: VerbConstruction, context: int) -> int:
    """Return a number that is unique among contexts of targets with this kind of complement."""
    return _numbers()[target] * CONTEXTS + context


def third_person(couple: tuple[Subject, Subject], number: int) -> Subject:
    """Return the subject of a that-clause of the couple's second person, by number."""
    start, free = _free_people(couple)
    return free[(start + number) % len(free)]


@cache
def _free_people(couple: tuple[Subject, Subject]) -> tuple[int, tuple[Subject, ...]]:
    """Return a start offset for the couple, and the named people who are not in it."""
    words = words_of()
    return 7 * words.people.index(couple[0]), tuple(
        person for person in words.named_people if person not in couple
    )


@cache
def naturals(target: VerbConstruction) -> tuple[tuple[VerbPhrase, ...], ...]:
    """Return the deeds of a target's own sentences, divided by context."""
    own = tuple(dict.fromkeys(target.deeds))
    return tuple(own[index::CONTEXTS] for index in range(CONTEXTS))


@cache
def find_by_signature(signature: str) -> tuple[VerbConstruction, ...]:
    """Return the constructions of a signature."""
    return tuple(
        construction for construction in constructions() if construction.signature == signature
    )


# Verbs whose complement may be nearly anything that one decides to do.
_OPEN = word_list("verbs of any act")


@cache
def hosts(target: VerbConstruction) -> tuple[VerbConstruction, ...]:
    """Return verbs whose complement can contain the target: "hoped to be able to"."""
    same = [
        construction
        for construction in constructions()
        if construction.complement == target.complement and construction.verb != target.verb
    ]
    return tuple(construction for construction in same if construction.verb in target.inside)


@cache
def told_verbs() -> tuple[VerbConstruction, ...]:
    """Return verbs with a that-clause about the past."""
    return tuple(construction for construction in constructions() if construction.clause == "had")


def subjects(words: Words, number: str) -> tuple[Subject, ...]:
    """Return single people, or several by their relation to someone."""
    return words.people if number == "singular" else words.relatives


@cache
def namesakes(target: VerbConstruction) -> tuple[VerbConstruction, ...]:
    """Return constructions of the same verb, such as "remember that" and "remember to"."""
    return tuple(
        construction for construction in constructions() if construction.verb == target.verb
    )


@cache
def couples() -> tuple[tuple[Subject, Subject], ...]:
    """Return pairs of people, each once: the subjects of a target's and of the other verb."""
    people = words_of().people
    return tuple(zip(people[::2], people[1::2], strict=False))


def premise(
    construction: VerbConstruction, scene: Scene, environment: str, *, contracted: bool = True
) -> str:
    """Return the sentence or its negation: "Ana didn't forget to lock the shed."."""
    verb = main_verb(construction, environment, scene.subject.plural, contracted=contracted)
    return grammar.sentence(
        scene.subject.text, verb, construction.complement, clause(construction, scene)
    )


@cache
def main_verb(
    construction: VerbConstruction, environment: str, plural: bool, *, contracted: bool = True
) -> str:
    """Return the past form, negated in the negative environment: "didn't forget"."""
    if environment == "positive":
        return grammar.inflect(construction.phrase, "past", plural)
    return grammar.inflect_negated(construction.phrase, "past", plural, contracted=contracted)


def clause(construction: VerbConstruction, scene: Scene) -> str:
    """Return what follows "to" or "that"."""
    return complement_clause(construction, scene.other, scene.deed)


def complement_clause(construction: VerbConstruction, other: Subject, deed: VerbPhrase) -> str:
    """Return what follows the verb's "to" or "that", for a deed."""
    if construction.complement == "to":
        return deed.base
    does = {"had": f"had {deed.participle}", "past": deed.past}.get(
        construction.clause, f"{construction.clause} {deed.base}"
    )
    return f"{other.text} {does}"


@cache
def tags(construction: VerbConstruction, environment: str) -> Mapping[str, str]:
    """Return the tags of the published set, and the signature in the paper if there is one."""
    tag_values = {
        "verb": construction.verb,
        "complement": construction.complement,
        "construction": construction.name,
        "signature": construction.signature,
        "environment": environment,
    }
    return {**tag_values, "printed": construction.printed} if construction.printed else tag_values


@cache
def label(construction: VerbConstruction, environment: Environment) -> Mapping[str, str]:
    """Return the gold answer by the signature."""
    return {"signature": expected_label(construction.signature, environment)}


@cache
def fixed_words() -> tuple[str, ...]:
    """Return the words of the constructions, which the phenomenon is about."""
    forms = (
        w
        for row in table("veridicality")
        for key in ("base", "past", "rest")
        for w in row[key].split()
    )
    return tuple(dict.fromkeys(forms))


def swap_slots(_words: Words, cell: Conditions) -> Slots:
    """Return the slots of a phenomenon that puts a target verb into sentences of other verbs."""
    target = find_by_signature(cell["target_signature"])
    return {"target": target, "couple": couples(), "context": range(CONTEXTS)}


def nesting_slots(words: Words, cell: Conditions) -> Slots:
    """Return `swap_slots` with only the targets that can be embedded under another verb."""
    slots = swap_slots(words, cell)
    return {
        **slots,
        "target": tuple(construction for construction in slots["target"] if contexts(construction)),
    }


def veridicality_phenomenon(
    name: str,
    *,
    rows: int,
    tags: tuple[str, ...] = (),
    conditions: Mapping[str, tuple[str, ...]] | None = None,
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a phenomenon about verbs with a signature, which is its reading.

    By default its conditions are all signatures of targets.
    """
    parts = {"readings": ("signature",), "fixed": fixed_words(), **parts}
    declared = conditions or {"target_signature": SIGNATURES}
    return make_phenomenon(
        name,
        "veridicality",
        rows=rows,
        tags=(*TAGS, *tags),
        conditions=declared,
        marked=(),
        **parts,
    )
