"""The presupposition paradigm of Jeretič et al. 2020, Table 3: nineteen pairs from five environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grice.generate import grammar
from grice.generate._everyday import consequents, moods, named
from grice.generate._random import Rng
from grice.generate.grammar import Subject, Tense, Verb, VerbPhrase
from grice.generate.paradigm import C, E, N
from grice.generate.phenomenon import Row

ROWS = 19
TAGS = ("kind", "phenomenon", "role", "operator", "presupposition", "trigger")
PAPER = "Jeretič et al. (2020), Table 3."


class Environments(NamedTuple):
    """One trigger, plain and under the four operators that cancel entailments."""

    unembedded: str
    negated: str
    interrogative: str
    modal: str
    conditional: str


class Presupposed(NamedTuple):
    """What the trigger takes for granted, its denial, and a likeness it says nothing of."""

    positive: str
    negated: str
    neutral: str


class Trigger(NamedTuple):
    """A clause that takes something for granted, before it is embedded."""

    subject: Subject
    phrase: VerbPhrase
    tense: Tense
    presupposed: Presupposed

    @property
    def clause(self) -> str:
        return grammar.join(self.subject.text, grammar.finite(self.phrase, self.tense, self.subject.plural))

    @property
    def supposed(self) -> str:
        """The clause as it stands under "if"."""
        return grammar.join(
            self.subject.text, grammar.finite(self.phrase, under_if(self.tense), self.subject.plural)
        )


ANSWERS = (("positive", E), ("negated", C), ("neutral", N))
# The control of an operator asks whether the trigger itself follows: its negation excludes it, the others leave it open.
_CONTROLS = (("negated", C), ("interrogative", N), ("modal", N), ("conditional", N))


def answered(
    operator: str,
    premise: str,
    presupposed: Presupposed,
    answers: tuple[tuple[str, str], ...],
    tags: Mapping[str, str],
) -> list[Row]:
    """A premise with the three hypotheses about what is taken for granted."""
    return [
        Row(
            premise,
            hypothesis,
            {"label": label},
            {"role": "target", "operator": operator, "presupposition": polarity, **tags},
        )
        for (polarity, label), hypothesis in zip(answers, presupposed, strict=True)
    ]


def paradigm(premises: Environments, presupposed: Presupposed, tags: Mapping[str, str]) -> list[Row]:
    """The nineteen rows; `tags` holds at least the trigger."""
    rows = []
    for operator, premise in zip(Environments._fields, premises, strict=True):
        rows += answered(operator, premise, presupposed, ANSWERS, tags)
    for operator, label in _CONTROLS:
        shown = {"role": "control", "operator": operator, **tags}
        rows.append(Row(getattr(premises, operator), premises.unembedded, {"label": label}, shown))
    return rows


def environments(trigger: Trigger, rng: Rng) -> Environments:
    """The five environments of a clause whose own verb is negated, asked about and put under "might"."""
    subject, phrase, tense, _ = trigger
    denied = grammar.negated(phrase, tense, subject.plural, contracted=rng.below(2) == 0)
    return Environments(
        grammar.sentence(trigger.clause),
        grammar.sentence(subject.text, denied),
        grammar.question(subject, phrase, tense),
        _might(trigger) if rng.below(3) == 0 else possible(trigger.clause, rng),
        conditional(trigger.supposed, rng, ahead=tense == "future"),
    )


def around(
    clause: str, question: str, rng: Rng, *, negated: str = "", supposed: str = "", ahead: bool = False
) -> Environments:
    """The same of a clause that is embedded whole, since its own negation would move the focus.

    `negated` and `supposed` are given where the clause looks otherwise when it is denied or stands under "if".
    """
    return Environments(
        grammar.sentence(clause),
        grammar.sentence(negated or f"{rng.pick(_NOT)} {clause}"),
        question,
        possible(clause, rng),
        conditional(supposed or clause, rng, ahead=ahead),
    )


def with_adverb(adverb: str, phrase: VerbPhrase) -> VerbPhrase:
    """One phrase, so that "didn't", "did" and "might" find it whole: "didn't only paint the fence"."""
    return VerbPhrase(Verb(*(f"{adverb} {form}" for form in phrase.verb)), phrase.rest)


def under_if(tense: Tense) -> Tense:
    """English says "if she paints it" of what she will do."""
    return "present" if tense == "future" else tense


_NOT = ("it isn't true that", "it is not true that", "it isn't the case that", "it is not the case that")
_POSSIBLE = ("it's possible that", "it is possible that", "perhaps", "maybe")


def _might(trigger: Trigger) -> str:
    verb = f"have {trigger.phrase.participle}" if trigger.tense == "past" else trigger.phrase.base
    return grammar.sentence(trigger.subject.text, "might", verb)


def possible(clause: str, rng: Rng) -> str:
    return grammar.sentence(rng.pick(_POSSIBLE), clause)


def conditional(clause: str, rng: Rng, *, ahead: bool = False) -> str:
    """ "If …, …." with a consequent that has no bearing on what the clause takes for granted.

    A condition that lies ahead takes no remark on what is past.
    """
    consequent = rng.pick(consequents("outlook" if ahead or rng.below(2) else "remark"))
    name = rng.pick(named()).text
    if rng.below(2) and name not in clause:
        consequent = f"{name} will be {rng.pick(moods())}"
    return grammar.sentence(f"if {clause},", "then" if rng.below(2) else "", consequent)
