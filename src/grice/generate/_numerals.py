"""What the two phenomena of numerals share: three frames in which a number counts something."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.paradigm import Four, numeral, scalar_phenomenon
from grice.generate.phenomenon import Draw, Phenomenon, Row

WHY = (
    'Three readings. Logical: "two" is "at least two" and its denial "fewer than two". Pragmatic: "two" implicates "not three"; but "not '
    'three" implicates no number, so those three rows keep their logical label (in one of the two published versions they are neutral, in '
    'the other they follow "some" and "all"). Exact: "two" is "exactly two" and its denial any other number. Numbers stand where '
    "negation has scope over them: in the object, after \"there\", or after \"have\"."
)  # fmt: skip


def in_object(
    batch: VerbPhrase, subject: str, plural: bool, tense: str, contracted: bool
) -> Callable[[str], tuple[str, str]]:
    """ "Ana bought two chairs", and its denial."""

    def frame(number: str) -> tuple[str, str]:
        phrase = VerbPhrase(batch.verb, f"{number} {batch.rest.removeprefix('the ')}")
        return (
            grammar.sentence(subject, grammar.tell(phrase, tense, plural)),
            grammar.sentence(subject, grammar.deny(phrase, tense, plural, contracted=contracted)),
        )

    return frame


def existing(noun: str, place: str, tense: str, contracted: bool) -> Callable[[str], tuple[str, str]]:
    """ "There are two cats in the garden", and its denial."""
    be = grammar.be(tense, plural=True)
    denied = grammar.negate(be, contracted)

    def frame(number: str) -> tuple[str, str]:
        return (
            grammar.sentence("there", be, number, noun, place),
            grammar.sentence("there", denied, number, noun, place),
        )

    return frame


def having(
    subject: str, phrase: str, plural: bool, tense: str, contracted: bool
) -> Callable[[str], tuple[str, str]]:
    """ "Ana has two sisters", and its denial."""
    denied = grammar.negate(grammar.do(tense, plural), contracted)

    def frame(number: str) -> tuple[str, str]:
        return (
            grammar.sentence(subject, grammar.have(tense, plural), number, phrase),
            grammar.sentence(subject, denied, "have", number, phrase),
        )

    return frame


def rows(frame: Callable[[str], tuple[str, str]], weak: str, strong: str, trigger: str) -> list[Row]:
    (yes_weak, no_weak), (yes_strong, no_strong) = frame(weak), frame(strong)
    return numeral(
        Four(yes_weak, yes_strong, no_weak, no_strong), {"trigger": trigger, "scale": f"{weak} - {strong}"}
    )


def numeral_phenomenon(
    name: str,
    what: str,
    slots: Callable[[Words, Mapping[str, str]], Mapping[str, Sequence[Any]]],
    build: Callable[[Draw], Sequence[Row]],
) -> Phenomenon:
    return scalar_phenomenon(
        name,
        what=what,
        why=WHY,
        slots=slots,
        build=build,
        readings=("logical", "pragmatic", "exact"),
        conditions={
            "frame": ("object", "existential", "possession"),
            "tense": ("present", "past"),
            "negation": ("contracted", "full"),
        },
        fixed=("there", "be", "have"),
        marked=("frame", "tense"),
        references=("Horn (1992), The Said and the Unsaid.",),
    )
