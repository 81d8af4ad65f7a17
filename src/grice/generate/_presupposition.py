"""The presupposition paradigm of Jeretič et al. 2020, Table 3, with controls without the trigger.

Nineteen pairs are made from five environments, and ten from the same sentence without its trigger.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Unpack

from grice.generate import grammar
from grice.generate._everyday import consequents, named_people
from grice.generate._random import Rng
from grice.generate.grammar import Subject, Tense, Verb, VerbPhrase
from grice.generate.lexicon import word_list
from grice.generate.phenomenon import Draw, NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.projection import POLARITIES, projected_label
from grice.theory.worlds import C, N

# Fifteen targets and the four controls of the operators, as in the paper, and ten controls without
# the trigger.
ROWS = 29
TAGS = ("kind", "phenomenon", "role", "operator", "presupposition", "trigger")


# The readings of rival theories, each with whether the presupposition stands on it.
Rivals = Mapping[str, bool | tuple[str, ...]]


class Environments(NamedTuple):
    """The sentence of a trigger, unembedded and under four operators that cancel entailments."""

    unembedded: str
    negated: str
    interrogative: str
    modal: str
    conditional: str


class Presupposed(NamedTuple):
    """The presupposition of a trigger, its negation, and a similar statement that stays open.

    `doubts` are two clauses, a denial and an embedded question: "there was no first time", "whether
    there was a first time". With them a context takes the presupposition back. They have no word of
    the hypotheses that the trigger's sentence lacks.
    """

    positive: str
    negated: str
    neutral: str
    doubts: tuple[str, str] = ("", "")


class Clause(NamedTuple):
    """A subject and what is said of it."""

    subject: Subject
    phrase: VerbPhrase


class Trigger(NamedTuple):
    """A clause with a presupposition, before it is embedded."""

    subject: Subject
    phrase: VerbPhrase
    tense: Tense
    presupposed: Presupposed
    # What the clause is without its trigger: "Ana talked about smoking".
    plain: Clause

    @property
    def clause(self) -> str:
        """The clause without capital and full stop."""
        return grammar.join(
            self.subject.text, grammar.inflect(self.phrase, self.tense, self.subject.plural)
        )

    @property
    def plain_clause(self) -> str:
        """The clause without its trigger, without capital and full stop."""
        subject, phrase = self.plain
        return grammar.join(subject.text, grammar.inflect(phrase, self.tense, subject.plural))


# A row about a sentence that has its trigger.
PRESENT: Mapping[str, str] = {"trigger": "present"}
# The control of an operator asks whether the trigger itself follows: its negation excludes it, the
# others leave it open.
_CONTROLS = (("negated", C), ("interrogative", N), ("modal", N), ("conditional", N))


def premise_rows(
    operator: str,
    premise: str,
    presupposed: Presupposed,
    tags: Mapping[str, str],
    rivals: Rivals | None = None,
) -> list[NewItem]:
    """Return a premise with the three hypotheses about its presupposition.

    Their labels follow from the operator. `rivals` are the readings of other theories, each with
    whether the presupposition projects on it, or under which operators.
    """
    shared = {"role": "target", "operator": operator}
    rows = []
    for polarity, hypothesis in zip(POLARITIES, presupposed[:3], strict=True):
        gold = {
            name: projected_label(
                operator,
                polarity,
                stands=stands if isinstance(stands, bool) else operator in stands,
            )
            for name, stands in (rivals or {}).items()
        }
        gold = {"label": projected_label(operator, polarity), **gold}
        row_tags = {**shared, "presupposition": polarity, **tags}
        rows.append(NewItem(premise, hypothesis, gold, row_tags))
    return rows


def paradigm_rows(
    premises: Environments,
    plain: Environments,
    presupposed: Presupposed,
    tags: Mapping[str, str] | None = None,
    rivals: Rivals | None = None,
) -> list[NewItem]:
    """Return the nineteen pairs of five premises, and ten of the premises without the trigger."""
    own = {**PRESENT, **(tags or {})}
    rows = []
    for operator, premise in zip(Environments._fields, premises, strict=True):
        rows += premise_rows(operator, premise, presupposed, own, rivals)
    for operator, label in _CONTROLS:
        rows.append(
            control_row(operator, getattr(premises, operator), premises.unembedded, label, **own)
        )
    for operator, premise in zip(Environments._fields, plain, strict=True):
        rows += plain_rows(operator, premise, presupposed, **(tags or {}))
    return rows


def plain_rows(operator: str, premise: str, presupposed: Presupposed, **tags: str) -> list[NewItem]:
    """Return a premise without the trigger, with the presupposition and its negation.

    Without the trigger both stay open.
    """
    shared = {"role": "control", "operator": operator, "trigger": "absent", **tags}
    hypotheses = zip(POLARITIES, presupposed[:2], strict=False)
    return [
        NewItem(premise, hypothesis, {"label": N}, {**shared, "presupposition": polarity})
        for polarity, hypothesis in hypotheses
    ]


def existence_rows(
    premises: Environments, plain: Environments, more: str, presupposed: Presupposed
) -> list[NewItem]:
    """Return the pairs of a trigger whose plain sentence entails the presupposition.

    So the contrast is made under the operators only; `more` is one more sentence that leaves the
    presupposition open and keeps the hypothesis from telling its label.
    """
    rows = paradigm_rows(premises, plain, presupposed)
    absent = [
        row
        for row in rows
        if row.tags["trigger"] == "present" or row.tags["operator"] != "unembedded"
    ]
    return [*absent, *plain_rows("modal", more, presupposed, role="balance")]


def operator_rows(
    operator: str, premise: str, presupposed: Presupposed, plain: str
) -> list[NewItem]:
    """Return a premise with its three hypotheses, and the control of the operator.

    The control asks whether the unembedded sentence follows, which stays open.
    """
    return [
        *premise_rows(operator, premise, presupposed, PRESENT),
        control_row(operator, premise, plain, N),
    ]


def control_row(operator: str, premise: str, plain: str, label: str, **tags: str) -> NewItem:
    """Return the control of an operator: whether the unembedded sentence follows."""
    row_tags = {"role": "control", "operator": operator, "trigger": "present"}
    return NewItem(premise, plain, {"label": label}, {**row_tags, **tags})


def trigger_rows(trigger: Trigger, rng: Rng, **tags: str) -> list[NewItem]:
    """Return the pairs of a trigger whose own verb is negated and questioned."""
    plain = plain_environments(trigger, rng.copy())
    return paradigm_rows(environments(trigger, rng), plain, trigger.presupposed, tags)


def plain_environments(trigger: Trigger, rng: Rng) -> Environments:
    """Return the five environments of the clause without its trigger."""
    return act_environments(*trigger.plain, trigger.tense, rng)


def environments(trigger: Trigger, rng: Rng) -> Environments:
    """Return the five environments of the trigger's clause."""
    return act_environments(trigger.subject, trigger.phrase, trigger.tense, rng)


def act_environments(subject: Subject, phrase: VerbPhrase, tense: Tense, rng: Rng) -> Environments:
    """Return the five environments of a clause whose own verb is negated and questioned.

    The modal is "might".
    """
    does = grammar.inflect(phrase, tense, subject.plural)
    clause = grammar.join(subject.text, does)
    denied = grammar.inflect_negated(
        phrase, tense, subject.plural, contracted=rng.randbelow(2) == 0
    )
    might = f"have {phrase.participle}" if tense == "past" else phrase.base
    supposed = grammar.inflect(phrase, _tense_under_if(tense), subject.plural)
    return Environments(
        grammar.sentence(clause),
        grammar.sentence(subject.text, denied),
        grammar.question(subject, phrase, tense),
        grammar.sentence(subject.text, "might", might)
        if rng.randbelow(3) == 0
        else possibility(clause, rng),
        conditional(grammar.join(subject.text, supposed), rng, ahead=tense == "future"),
    )


def clause_environments(
    clause: str,
    question: str,
    rng: Rng,
    *,
    negated: str = "",
    supposed: str = "",
    ahead: bool = False,
) -> Environments:
    """Return the five environments of a clause that is embedded as a unit.

    Its own negation would move the focus.

    `negated` and `supposed` are given where the clause has another form when it is denied or stands
    under "if".
    """
    return Environments(
        grammar.sentence(clause),
        grammar.sentence(negated or f"{denial(rng)} {clause}"),
        question,
        possibility(clause, rng),
        conditional(supposed or clause, rng, ahead=ahead),
    )


def focus_environments(
    who: str, phrase: VerbPhrase, tense: Tense, rng: Rng, *, supposed: str = ""
) -> Environments:
    """Return the five environments of a clause with a particle at its subject.

    An example is "even Ana painted the fence".
    """
    return clause_environments(
        f"{who} {grammar.inflect(phrase, tense)}",
        grammar.ask(grammar.do(tense), who, phrase.base),
        rng,
        supposed=supposed or f"{who} {grammar.inflect(phrase, _tense_under_if(tense))}",
        ahead=tense == "future",
    )


def add_adverb(adverb: str, phrase: VerbPhrase) -> VerbPhrase:
    """Add an adverb before the verb of the phrase: "didn't only paint the fence"."""
    return VerbPhrase(Verb(*(f"{adverb} {form}" for form in phrase.verb)), phrase.rest)


def _tense_under_if(tense: Tense) -> Tense:
    """Return the tense of a clause under "if": the present for the future, "if she paints it"."""
    return "present" if tense == "future" else tense


# Eight carriers each, so that none of them gives the operator's label away.
_NOT = word_list("denials")
_POSSIBLE = word_list("possibilities")


def denial(rng: Rng) -> str:
    """Return what denies the clause after it: "it isn't true that"."""
    return rng.pick(_NOT)


def possibility(clause: str, rng: Rng) -> str:
    """Return the clause as a possibility: "perhaps …", "it is possible that …"."""
    return grammar.sentence(rng.pick(_POSSIBLE), clause)


def conditional(clause: str, rng: Rng, *, ahead: bool = False) -> str:
    """Return the clause under "if", with a consequent unrelated to its presupposition.

    If the condition is about the future (`ahead`), the consequent is a prospect; otherwise it is a
    remark or a report.
    """
    consequent = rng.pick(consequents("outlook", "prospect" if ahead else "remark"))
    name = rng.pick(named_people()).text
    if rng.randbelow(2) and name not in clause and not ahead:
        consequent = f"{name} {rng.pick(consequents('told'))}"
    return grammar.sentence(f"if {clause},", "then" if rng.randbelow(2) else "", consequent)


def presupposition_phenomenon(
    name: str,
    *,
    rows: int = ROWS,
    tags: tuple[str, ...] = (),
    conditions: Mapping[str, tuple[str, ...]],
    marked: tuple[str, ...] | None = None,
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a presupposition phenomenon, with the tags of the published files and its own.

    All conditions show in every sentence unless `marked` says which do.
    """
    build, readings = parts["build"], parts.get("readings", ("label",))

    def with_readings(draw: Draw) -> list[NewItem]:
        # Where a theory says nothing of its own it agrees.
        return [
            row._replace(gold={name: row.gold.get(name, row.gold["label"]) for name in readings})
            for row in build(draw)
        ]

    if len(readings) > 1:
        parts = {**parts, "build": with_readings}
    marked, tags = tuple(conditions) if marked is None else marked, (*TAGS, *tags)
    return make_phenomenon(
        name, "presupposition", rows=rows, tags=tags, conditions=conditions, marked=marked, **parts
    )
