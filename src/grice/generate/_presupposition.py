"""The presupposition paradigm of Jeretič et al. 2020, Table 3, with controls for every answer.

Nineteen pairs are made from five environments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, Unpack

from grice.generate import grammar
from grice.generate._everyday import consequents, named_people, pick_name
from grice.generate._random import Rng
from grice.generate.grammar import Subject, Tense, Verb, VerbPhrase
from grice.generate.lexicon import table
from grice.generate.paradigm import CONTROL_NAMES, fill
from grice.generate.phenomenon import Draw, NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.projection import POLARITIES, projected_label
from grice.theory.worlds import C, E, N

ROWS = 19
# How many further controls affirm and deny the plain sentence: with those of the operators, three
# for each answer.
VERDICTS = (3, 2)
# How many ask about the presupposition itself where a premise is quoted, and it is denied or left
# open: four for each premise.
MIRRORED = 20
# Where the walk through the frames of a group begins.
FIRST = 640
TAGS = ("kind", "phenomenon", "role", "operator", "presupposition", "control", "trigger")
PAPER = "Jeretič et al. (2020), Table 3."


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

    `doubts` are two clauses for the controls, a denial and an embedded question: "there was no
    first time", "whether there was a first time". They have no word of the hypotheses that the
    trigger's sentence lacks, so that a control shares as many words with its hypothesis as a target
    does.
    """

    positive: str
    negated: str
    neutral: str
    doubts: tuple[str, str] = ("", "")


class Trigger(NamedTuple):
    """A clause with a presupposition, before it is embedded."""

    subject: Subject
    phrase: VerbPhrase
    tense: Tense
    presupposed: Presupposed

    @property
    def clause(self) -> str:
        """The clause without capital and full stop."""
        return grammar.join(
            self.subject.text, grammar.inflect(self.phrase, self.tense, self.subject.plural)
        )

    @property
    def conditional_clause(self) -> str:
        """The clause in the form used under "if"."""
        does = grammar.inflect(self.phrase, _tense_under_if(self.tense), self.subject.plural)
        return grammar.join(self.subject.text, does)


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
        rows.append(NewItem(premise, hypothesis, gold, row_tags, presupposed.doubts))
    return rows


def paradigm_rows(
    premises: Environments,
    presupposed: Presupposed,
    tags: Mapping[str, str],
    rivals: Rivals | None = None,
) -> list[NewItem]:
    """Return the nineteen pairs of five premises; `tags` holds at least the trigger."""
    rows = []
    for operator, premise in zip(Environments._fields, premises, strict=True):
        rows += premise_rows(operator, premise, presupposed, tags, rivals)
    for operator, label in _CONTROLS:
        row_tags = {
            "role": "control",
            "operator": operator,
            "control": CONTROL_NAMES[label],
            **tags,
        }
        rows.append(
            NewItem(getattr(premises, operator), premises.unembedded, {"label": label}, row_tags)
        )
    return rows


def operator_rows(
    operator: str, premise: str, presupposed: Presupposed, plain: str
) -> list[NewItem]:
    """Return a premise with its three hypotheses, and the control of the operator.

    The control asks whether the unembedded sentence follows, which stays open.
    """
    return [
        *premise_rows(operator, premise, presupposed, {}),
        control_row(operator, premise, plain, N),
    ]


def control_row(operator: str, premise: str, plain: str, label: str, **tags: str) -> NewItem:
    """Return the control of an operator: whether the unembedded sentence follows."""
    row_tags = {"role": "control", "operator": operator, "control": CONTROL_NAMES[label], **tags}
    return NewItem(premise, plain, {"label": label}, row_tags)


def verdict_rows(
    plain: str,
    rng: Rng,
    counts: tuple[int, int],
    answers: tuple[tuple[int, int], str] = ((0, 0), ""),
    /,
    **tags: str,
) -> list[NewItem]:
    """Return controls that affirm the unembedded sentence and controls that deny it, reworded.

    `counts` says how many of each. The controls of the operators are mostly neutral; with these no
    single answer is correct for all of them. `answers` says how many of either kind answer a
    question, whose verb is not inflected like that of the unembedded sentence.
    """
    n_answers, question = answers
    first, rows = rng.randbelow(len(table("verdicts"))), []
    for (operator, label), count, short in zip(
        (("affirmed", E), ("denied", C)), counts, n_answers, strict=True
    ):
        for step in range(count):
            frame = table("verdicts")[(first + step) % len(table("verdicts"))][operator]
            premise = _tell(frame, plain, rng, plain)
            if step < short:
                premise = grammar.join(
                    question, _pick_frame("yes" if label == E else "no", first + step)
                )
            row = control_row(operator, premise, plain, label, **tags)
            rows.append(row._replace(tags={**row.tags, "role": "balance"}))
    return rows


def _answers(own: Sequence[NewItem], plain: str, rng: Rng) -> tuple[tuple[int, int], str]:
    """Return how many verdicts of each kind answer the question of a group, and the question.

    Each answer then contains all words of the unembedded sentence equally often.
    """
    premises = {str(row.tags["operator"]): row.premise for row in own if row.hypothesis == plain}
    question, denial = premises.get("interrogative", ""), premises.get("negated", "")
    if not question:
        return (0, 0), ""
    alike = set(_clause(plain).split()) <= set(_clause(denial).split())
    return ((1, 1) if alike or rng.randbelow(2) else (2, 0)), question


def mirror_rows(own: Sequence[NewItem], rng: Rng, **tags: str) -> list[NewItem]:
    """Return controls in which a target is quoted and its presupposition is denied or left open.

    The targets entail the presupposition and contradict its negation in each environment, so the
    hypothesis alone would reveal the label. Here each premise occurs once more for either other
    answer: as someone's words, or as a line in a story. The denial is anaphoric, so that lexical
    overlap does not reveal the label either.
    """
    rows, start = [], rng.randbelow(FIRST)
    targets = [row for row in own if row.tags["role"] == "target"]
    standing = [n for n in range(0, len(targets), 3) if targets[n].gold["label"] == E]
    for step, n in enumerate(standing):
        holds, fails, index = targets[n], targets[n + 1], start + step
        denied, unknown = holds.doubts
        quoted = _quote("quote", holds.premise, index, rng)
        false = f"{quoted} {_add('denied', index // 3, denied)}"
        if index % 2:
            sort, open_ = "open", f"{quoted} {_add('open', index // 3, unknown)}"
        else:
            sort, open_ = "told", _quote("told", holds.premise, index // 2, rng)
        for operator, premise, answers in (("denied", false, (C, E)), (sort, open_, (N, N))):
            for row, label in zip((holds, fails), answers, strict=True):
                row_tags = {
                    "role": "balance",
                    "operator": operator,
                    "control": CONTROL_NAMES[label],
                    **tags,
                }
                rows.append(NewItem(premise, row.hypothesis, {"label": label}, row_tags))
    return rows


def _add(sort: str, place: int, clause: str) -> str:
    """Return the clause in one of the frames of a sort, as a sentence."""
    return grammar.sentence(fill(_pick_frame(sort, place)[:-1], X=clause))


def _quote(sort: str, text: str, place: int, rng: Rng) -> str:
    """Return the text as someone's words: questions are wondered, all else is said."""
    frame = _pick_frame(sort, place)
    if text.endswith("?"):
        frame = _SAYING.sub(lambda verb: _WONDERING[verb[0]], frame)
    return fill(frame, X=text, Z=pick_name(rng, text))


_WONDERING = {"said": "wondered", "says": "wonders", "wrote": "wondered"}
_SAYING = re.compile(r"\b(said|says|wrote)\b")


def _tell(pattern: str, text: str, rng: Rng, *taken: str) -> str:
    """Fill the pattern with a sentence for its clause X, and an unused name for Z."""
    filled = fill(pattern, X=_clause(text), Z=pick_name(rng, *taken))
    return grammar.sentence(filled[:-1], end=filled[-1])


@cache
def _frames(sort: str) -> tuple[str, ...]:
    return tuple(row["text"] for row in table("fictions") if row["sort"] == sort)


def _pick_frame(sort: str, place: int) -> str:
    frames = _frames(sort)
    return frames[place % len(frames)]


def _clause(text: str) -> str:
    """Return a sentence in its embedded form: no full stop, and no capital but that of a name."""
    first = text.split(" ", 1)[0].removesuffix("'s").removesuffix("'").removesuffix(",")
    return text[:-1] if first in _names() else text[0].lower() + text[1:-1]


@cache
def _names() -> frozenset[str]:
    return frozenset(person.text for person in named_people())


def trigger_rows(name: str, trigger: Trigger, rng: Rng, **tags: str) -> list[NewItem]:
    """Return the nineteen pairs of a trigger whose own verb is negated and questioned.

    The modal is "might".
    """
    return paradigm_rows(environments(trigger, rng), trigger.presupposed, {"trigger": name, **tags})


def environments(trigger: Trigger, rng: Rng) -> Environments:
    """Return the five environments of a clause whose own verb is negated and questioned.

    The modal is "might".
    """
    subject, phrase, tense, _ = trigger
    denied = grammar.inflect_negated(
        phrase, tense, subject.plural, contracted=rng.randbelow(2) == 0
    )
    return Environments(
        grammar.sentence(trigger.clause),
        grammar.sentence(subject.text, denied),
        grammar.question(subject, phrase, tense),
        _might(trigger) if rng.randbelow(3) == 0 else possibility(trigger.clause, rng),
        conditional(trigger.conditional_clause, rng, ahead=tense == "future"),
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
        grammar.sentence(negated or f"{rng.pick(_NOT)} {clause}"),
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
_NOT = (
    "it isn't true that",
    "it is not true that",
    "it's simply not true that",
    "it's just not true that",
    "it's not true that",
    "it's plainly not true that",
    "it is false that",
    "it is untrue that",
)
_POSSIBLE = (
    "it's possible that",
    "it is possible that",
    "perhaps",
    "maybe",
    "possibly",
    "it may be that",
    "it could be that",
    "there is a chance that",
)


def _might(trigger: Trigger) -> str:
    verb = f"have {trigger.phrase.participle}" if trigger.tense == "past" else trigger.phrase.base
    return grammar.sentence(trigger.subject.text, "might", verb)


def possibility(clause: str, rng: Rng) -> str:
    """Return the clause as a possibility: "perhaps …", "it is possible that …"."""
    return grammar.sentence(rng.pick(_POSSIBLE), clause)


def conditional(clause: str, rng: Rng, *, ahead: bool = False) -> str:
    """Return the clause under "if", with a consequent unrelated to its presupposition.

    Where the condition lies ahead, the consequent is no remark on what is past; a mere prospect is
    for what lies ahead.
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
    verdicts: tuple[int, int] = VERDICTS,
    mirrored: int = MIRRORED,
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a presupposition phenomenon, with the tags of the published files and its own.

    `build` gives `rows` pairs, of which the first has the plain sentence for its premise;
    `verdicts` says how many controls are added that affirm and that deny it, `mirrored` how many
    `mirror_rows` adds. All conditions show in every sentence unless `marked` says which do.
    """
    build = parts["build"]

    def with_verdicts(draw: Draw) -> list[NewItem]:
        own = build(draw)
        shared = {tag: str(own[0].tags[tag]) for tag in ("trigger", "word") if tag in own[0].tags}
        plain = own[0].premise
        rows = [
            *own,
            *verdict_rows(plain, draw.rng, verdicts, _answers(own, plain, draw.rng), **shared),
        ]
        rows += mirror_rows(own, draw.rng, **shared)
        if len(readings) == 1:
            return rows
        # Where a theory says nothing of its own it agrees.
        return [
            row._replace(gold={name: row.gold.get(name, row.gold["label"]) for name in readings})
            for row in rows
        ]

    readings = parts.get("readings", ("label",))
    parts = {**parts, "build": with_verdicts}
    marked, tags = tuple(conditions) if marked is None else marked, (*TAGS, *tags)
    return make_phenomenon(
        name,
        "presupposition",
        rows=rows + sum(verdicts) + mirrored,
        tags=tags,
        conditions=conditions,
        marked=marked,
        **parts,
    )
