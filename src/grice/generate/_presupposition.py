"""The presupposition paradigm of Jeretič et al. 2020, Table 3: nineteen pairs from five environments, and five more controls."""

from __future__ import annotations

import re
from collections import Counter
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
# How many further controls affirm and deny the plain sentence: with those of the operators, three for each answer.
VERDICTS = (3, 2)
# How many ask about the presupposition itself, affirmed, denied and left open: for each of its two hypotheses ten.
MIRRORED = 20
# Where the walk through the frames of a group begins: below eight openings times eight endings, and more tales.
FIRST = 640
TAGS = ("kind", "phenomenon", "role", "operator", "presupposition", "control", "trigger")
PAPER = "Jeretič et al. (2020), Table 3."


# The readings of rival theories, each with whether the presupposition stands on it.
Rivals = Mapping[str, bool]


class Environments(NamedTuple):
    """The sentence of a trigger, plain and under the four operators that cancel entailments."""

    unembedded: str
    negated: str
    interrogative: str
    modal: str
    conditional: str


class Presupposed(NamedTuple):
    """What a trigger presupposes, the denial of that, and a similar statement that it leaves open."""

    positive: str
    negated: str
    neutral: str


class Trigger(NamedTuple):
    """A clause with a presupposition, before it is embedded."""

    subject: Subject
    phrase: VerbPhrase
    tense: Tense
    presupposed: Presupposed

    @property
    def clause(self) -> str:
        """The clause without capital and full stop."""
        return grammar.join(self.subject.text, grammar.inflect(self.phrase, self.tense, self.subject.plural))

    @property
    def conditional_clause(self) -> str:
        """The clause as it stands under "if"."""
        does = grammar.inflect(self.phrase, _tense_under_if(self.tense), self.subject.plural)
        return grammar.join(self.subject.text, does)


# The control of an operator asks whether the trigger itself follows: its negation excludes it, the others leave it open.
_CONTROLS = (("negated", C), ("interrogative", N), ("modal", N), ("conditional", N))


def premise_rows(
    operator: str, premise: str, presupposed: Presupposed, tags: Mapping[str, str], rivals: Rivals | None = None
) -> list[NewItem]:
    """A premise with the three hypotheses about its presupposition, labelled by what the operator does to it.

    `rivals` are the readings of other theories, each with whether the presupposition stands on it.
    """
    shown = {"role": "target", "operator": operator}
    found = []
    for polarity, hypothesis in zip(POLARITIES, presupposed, strict=True):
        gold = {name: projected_label(operator, polarity, stands=stands) for name, stands in (rivals or {}).items()}
        gold = {"label": projected_label(operator, polarity), **gold}
        found.append(NewItem(premise, hypothesis, gold, {**shown, "presupposition": polarity, **tags}))
    return found


def paradigm_rows(
    premises: Environments, presupposed: Presupposed, tags: Mapping[str, str], rivals: Rivals | None = None
) -> list[NewItem]:
    """The nineteen pairs of five premises; `tags` holds at least the trigger."""
    rows = []
    for operator, premise in zip(Environments._fields, premises, strict=True):
        rows += premise_rows(operator, premise, presupposed, tags, rivals)
    for operator, label in _CONTROLS:
        shown = {"role": "control", "operator": operator, "control": CONTROL_NAMES[label], **tags}
        rows.append(NewItem(getattr(premises, operator), premises.unembedded, {"label": label}, shown))
    return rows


def operator_rows(operator: str, premise: str, presupposed: Presupposed, plain: str) -> list[NewItem]:
    """A premise with its three hypotheses, and the control: whether the plain sentence follows, which stays open."""
    return [*premise_rows(operator, premise, presupposed, {}), control_row(operator, premise, plain, N)]


def control_row(operator: str, premise: str, plain: str, label: str, **tags: str) -> NewItem:
    """The control of an operator: whether the plain sentence follows from the premise."""
    shown = {"role": "control", "operator": operator, "control": CONTROL_NAMES[label], **tags}
    return NewItem(premise, plain, {"label": label}, shown)


def verdict_rows(plain: str, rng: Rng, counts: tuple[int, int], **tags: str) -> list[NewItem]:
    """So many controls in which the plain sentence is affirmed, and so many in which it is denied, each in other words.

    The controls of the operators are mostly neutral; with these no answer is right for all of them.
    """
    first, found = rng.randbelow(len(table("verdicts"))), []
    for (operator, label), count in zip((("affirmed", E), ("denied", C)), counts, strict=True):
        for step in range(count):
            row = table("verdicts")[(first + step) % len(table("verdicts"))]
            found.append(control_row(operator, _tell(row[operator], plain, rng, plain), plain, label, **tags))
    return found


def mirror_rows(own: Sequence[NewItem], rng: Rng, *, contrary: bool, **tags: str) -> list[NewItem]:
    """Controls that make every label as frequent for each hypothesis about a presupposition as its commonest one.

    The targets entail the presupposition and contradict its denial in each environment, so that the hypothesis alone
    would tell. In these the plain sentence is someone's story, or someone's word, and what it takes for granted is then
    denied or left open. Where the denial is `contrary` (exactly three for exactly two) it does not follow from the
    presupposition's being false, and is said itself.
    """
    plain, found = own[0].premise, []
    asked = [row for row in own if row.tags["role"] == "target"]
    counts = Counter((row.hypothesis, row.gold["label"]) for row in asked)
    places = [n for n, row in enumerate(asked) if row.tags["presupposition"] == POLARITIES[0]]
    for holds, fails in dict.fromkeys((str(asked[n].hypothesis), str(asked[n + 1].hypothesis)) for n in places):
        start = rng.randbelow(FIRST)
        told: dict[tuple[str, int], str] = {}
        # What is said of it: that it is not so, or its contrary; of a negation rather the positive.
        turned = contrary or bool(_NEGATION.search(holds))
        said = {"open": ("open", fails if turned and not contrary else holds)}
        said["denied"] = ("affirmed", fails) if turned else ("denied", holds)
        for hypothesis, labels in ((holds, {"open": N, "denied": C}), (fails, {"open": N, "denied": E})):
            top = max(counts[hypothesis, label] for label in (E, N, C))
            for status, label in labels.items():
                for step in range(top - counts[hypothesis, label]):
                    sort, text = said[status] if status != "open" or step % 2 else ("told", "")
                    if (sort, step) not in told:
                        told[sort, step] = _doubt(plain, sort, text, start + step, rng)
                    shown = {"role": "control", "operator": sort, "control": CONTROL_NAMES[label], **tags}
                    found.append(NewItem(told[sort, step], hypothesis, {"label": label}, shown))
    return found


def _doubt(plain: str, sort: str, text: str, place: int, rng: Rng) -> str:
    """The plain sentence as a story or as someone's word, and then what is so of the text; each place in other words."""
    if not text:
        # What will be is in no tale of the past.
        tales = _frames("told") if " will " in plain else _frames("told") + _frames("tale")
        return _tell(tales[place % len(tales)], plain, rng, plain)
    report, doubt = _frames("report"), _frames(sort)
    first = _tell(report[place % len(report)], plain, rng, plain, text)
    return grammar.join(first, _tell(doubt[(place // len(report) + place) % len(doubt)], text, rng, plain, text))


def _tell(pattern: str, text: str, rng: Rng, *taken: str) -> str:
    """The pattern with a sentence for its clause X, and a name for Z that is not taken."""
    clause = _clause(text)
    if _UNASSERTED.search(pattern):
        clause = re.sub("^someone ", "anyone ", clause)
    filled = fill(pattern, X=clause, Z=pick_name(rng, *taken))
    return grammar.sentence(filled[:-1], end=filled[-1])


_NEGATION = re.compile(r"\b(not|never|no|none)\b|n't")
# Where English says "anyone".
_UNASSERTED = re.compile(r"whether|untrue|false|not |n't|no truth|true that X\?")


@cache
def _frames(sort: str) -> tuple[str, ...]:
    return tuple(row["text"] for row in table("fictions") if row["sort"] == sort)


def _clause(text: str) -> str:
    """A sentence as it stands within another: no full stop, and no capital but that of a name."""
    first = text.split(" ", 1)[0].removesuffix("'s").removesuffix("'").removesuffix(",")
    return text[:-1] if first in _names() else text[0].lower() + text[1:-1]


@cache
def _names() -> frozenset[str]:
    return frozenset(person.text for person in named_people())


def trigger_rows(name: str, trigger: Trigger, rng: Rng, **tags: str) -> list[NewItem]:
    """The nineteen pairs of a trigger whose own verb is negated, asked about and put under "might"."""
    return paradigm_rows(environments(trigger, rng), trigger.presupposed, {"trigger": name, **tags})


def environments(trigger: Trigger, rng: Rng) -> Environments:
    """The five environments of a clause whose own verb is negated, asked about and put under "might"."""
    subject, phrase, tense, _ = trigger
    denied = grammar.inflect_negated(phrase, tense, subject.plural, contracted=rng.randbelow(2) == 0)
    return Environments(
        grammar.sentence(trigger.clause),
        grammar.sentence(subject.text, denied),
        grammar.question(subject, phrase, tense),
        _might(trigger) if rng.randbelow(3) == 0 else possibility(trigger.clause, rng),
        conditional(trigger.conditional_clause, rng, ahead=tense == "future"),
    )


def clause_environments(
    clause: str, question: str, rng: Rng, *, negated: str = "", supposed: str = "", ahead: bool = False
) -> Environments:
    """The five environments of a clause that is embedded whole, since its own negation would move the focus.

    `negated` and `supposed` are given where the clause has another form when it is denied or stands under "if".
    """
    return Environments(
        grammar.sentence(clause),
        grammar.sentence(negated or f"{rng.pick(_NOT)} {clause}"),
        question,
        possibility(clause, rng),
        conditional(supposed or clause, rng, ahead=ahead),
    )


def focus_environments(who: str, phrase: VerbPhrase, tense: Tense, rng: Rng, *, supposed: str = "") -> Environments:
    """The five environments of a clause with a particle at its subject: "even Ana painted the fence"."""
    return clause_environments(
        f"{who} {grammar.inflect(phrase, tense)}",
        grammar.ask(grammar.do(tense), who, phrase.base),
        rng,
        supposed=supposed or f"{who} {grammar.inflect(phrase, _tense_under_if(tense))}",
        ahead=tense == "future",
    )


def add_adverb(adverb: str, phrase: VerbPhrase) -> VerbPhrase:
    """The phrase with an adverb before its verb: "didn't only paint the fence"."""
    return VerbPhrase(Verb(*(f"{adverb} {form}" for form in phrase.verb)), phrase.rest)


def _tense_under_if(tense: Tense) -> Tense:
    """The tense of a clause under "if": English says "if she paints it" of what she will do."""
    return "present" if tense == "future" else tense


# Eight carriers each, so that none of them gives the operator's label away.
_NOT = (
    "it isn't true that", "it is not true that", "it isn't the case that", "it is not the case that", "it's not true that",
    "it's not the case that", "it is false that", "it is untrue that",
)  # fmt: skip
_POSSIBLE = (
    "it's possible that", "it is possible that", "perhaps", "maybe", "possibly", "it may be that", "it could be that",
    "there is a chance that",
)  # fmt: skip


def _might(trigger: Trigger) -> str:
    verb = f"have {trigger.phrase.participle}" if trigger.tense == "past" else trigger.phrase.base
    return grammar.sentence(trigger.subject.text, "might", verb)


def possibility(clause: str, rng: Rng) -> str:
    """The clause as something that is possible: "perhaps …", "it is possible that …"."""
    return grammar.sentence(rng.pick(_POSSIBLE), clause)


def conditional(clause: str, rng: Rng, *, ahead: bool = False) -> str:
    """The clause under "if", with a consequent that has no bearing on its presupposition.

    Where the condition lies ahead, the consequent is no remark on what is past.
    """
    consequent = rng.pick(consequents("outlook" if ahead or rng.randbelow(2) else "remark"))
    name = rng.pick(named_people()).text
    if rng.randbelow(2) and name not in clause:
        consequent = f"{name} will be {rng.pick(consequents('mood'))}"
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
    contrary: bool = False,
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """A phenomenon about a presupposition, with the tags of the published files and its own.

    `build` gives `rows` pairs, of which the first has the plain sentence for its premise; `verdicts` says how many
    controls are added that affirm and that deny it, `mirrored` how many `mirror_rows` adds. All conditions show in every sentence unless `marked` says which do.
    """
    build = parts["build"]

    def with_verdicts(draw: Draw) -> list[NewItem]:
        own = build(draw)
        shared = {tag: str(own[0].tags[tag]) for tag in ("trigger", "word") if tag in own[0].tags}
        rows = [*own, *verdict_rows(own[0].premise, draw.rng, verdicts, **shared)]
        rows += mirror_rows(own, draw.rng, contrary=contrary, **shared)
        if len(readings) == 1:
            return rows
        # Where a theory says nothing of its own it agrees.
        return [row._replace(gold={name: row.gold.get(name, row.gold["label"]) for name in readings}) for row in rows]

    readings = parts.get("readings", ("label",))
    parts = {**parts, "build": with_verdicts}
    marked, tags = tuple(conditions) if marked is None else marked, (*TAGS, *tags)
    return make_phenomenon(
        name, "presupposition", rows=rows + sum(verdicts) + mirrored, tags=tags, conditions=conditions, marked=marked,
        **parts,
    )  # fmt: skip
