"""Cancellability: a context takes back an implicature or a presupposition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from grice.generate import grammar
from grice.generate._everyday import PRONOUNS, batches, deeds, named_people, pick_name
from grice.generate._triggers import pick_trigger, trigger_slots
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import fill
from grice.generate.phenomenon import Conditions, Draw, NewItem, Phenomenon, Slots, texts
from grice.theory.worlds import C, E, N


class _Statements(NamedTuple):
    """The scale-mates of one subject, their negations, and the weakest statement that follows."""

    weak: str
    strong: str
    none: str
    not_strong: str
    least: str


def _statements(draw: Draw) -> _Statements:
    if draw.cell["scale"] == "or - and":
        verb, rest, _ = draw["act"].phrase
        second = draw.rng.pick(draw["act"].others)
        return _Statements(
            f"{verb.past} {rest} or {second}",
            f"{verb.past} both {rest} and {second}",
            f"{verb.past} neither {rest} nor {second}",
            f"did not {verb.base} both {rest} and {second}",
            f"{verb.past} {rest}, {second} or both",
        )
    verb, rest, _ = draw["act"]
    some = draw.cell["scale"].partition(" ")[0]
    return _Statements(
        f"{verb.past} {some} of {rest}",
        f"{verb.past} all of {rest}",
        f"{verb.past} none of {rest}",
        f"did not {verb.base} all of {rest}",
        f"{verb.past} at least one of {rest}",
    )


# What is said and how it goes on, what is asked, what the row is about and what the continuation
# does to it. "I am not sure whether …" leaves the inference open.
_STATED = (
    ("weak", "strong", "not_strong", C, "target", "implicature", "denied"),
    ("weak", "strong", "strong", E, "target", "implicature", "denied"),
    ("not_strong", "none", "least", C, "target", "implicature", "denied"),
    ("not_strong", "none", "none", E, "target", "implicature", "denied"),
    ("weak", "", "none", C, "target", "entailment", "denied"),
    ("strong", "", "not_strong", C, "target", "entailment", "denied"),
    ("weak", "strong", "least", E, "control", "entailment", "cancelled"),
    ("strong", "", "least", E, "control", "entailment", "none"),
    ("none", "", "least", C, "control", "entailment", "none"),
)
# What is said of somebody else, and asked: with these neither the hypothesis nor the number of
# shared words tells the label.
_OF_OTHERS = (("weak", "least"), ("strong", "not_strong"), ("none", "none"))
_TRIGGERS = ("possession", "change of state", "aspectual", "iterative", "factive")
_ASPECTUALS = ("stop", "quit", "give up")


def _slots(words: Words, cell: Conditions) -> Slots:
    acts: Sequence[Any] = deeds() if cell["scale"] == "or - and" else batches()
    return {**trigger_slots(words, cell["trigger_type"]), "act": acts, "actor": named_people()}


def _row(
    premise: str, hypothesis: str, label: str, role: str, inference: str, move: str
) -> NewItem:
    tags = {"role": role, "inference": inference, "move": move}
    return NewItem(premise, hypothesis, {"label": label}, tags)


def _statement_rows(draw: Draw) -> list[NewItem]:
    """Return the pairs in which the same speaker takes an implicature back, or leaves it open."""
    actor, statements = draw["actor"], _statements(draw)
    pronoun = PRONOUNS[actor.gender]
    sentences = {
        name: grammar.sentence(actor.text, text) for name, text in statements._asdict().items()
    }
    rows = []
    for stated, then, hypothesis, *rest in _STATED:
        went_on = grammar.sentence("in fact,", pronoun, getattr(statements, then)) if then else ""
        rows.append(_row(grammar.join(sentences[stated], went_on), sentences[hypothesis], *rest))
    unsure = grammar.sentence(draw.rng.pick(_UNSURE), "whether", pronoun, statements.strong)
    premise = f"{sentences['weak']} {unsure}"
    for hypothesis in ("not_strong", "strong"):
        rows.append(_row(premise, sentences[hypothesis], N, "target", "implicature", "doubted"))
    other = draw.rng.pick_other(named_people(), actor).text
    premise = grammar.sentence(other, statements.strong)
    rows.append(_row(premise, sentences["strong"], N, "control", "none", "none"))
    for stated, hypothesis in _OF_OTHERS:
        clause = f"{other} {getattr(statements, stated)}"
        premise = grammar.sentence(f"{clause}, as {actor.text} told us")
        rows.append(_row(premise, sentences[hypothesis], N, "balance", "none", "none"))
    return rows


_UNSURE = ("I am not sure", "I can't say", "I don't know", "it is not clear")


def _presupposition_rows(draw: Draw) -> list[NewItem]:
    """Return the pairs in which a presupposition is cancelled, denied, doubted or quoted."""
    trigger, rng = pick_trigger(draw, _ASPECTUALS), draw.rng
    subject, phrase, tense, presupposed, _ = trigger
    plain = grammar.sentence(trigger.clause)
    negated = grammar.sentence(
        subject.text, grammar.inflect_negated(phrase, tense, contracted=rng.randbelow(2) == 0)
    )
    denied, unknown = presupposed.doubts
    name = pick_name(rng, plain, denied, presupposed.positive)
    quoted = fill(rng.pick(_frames("quote")), X=plain, Z=name)
    report = fill(rng.pick(_frames("told")), X=plain, Z=name)
    false, open_ = (
        grammar.sentence(fill(rng.pick(_frames(sort))[:-1], X=clause))
        for sort, clause in (("denied", denied), ("open", unknown))
    )
    corrected = grammar.sentence("in fact,", denied)
    contexts = (
        (f"{negated} {corrected}", "cancelled", C, E),
        (f"{negated} {open_}", "doubted", N, N),
        (f"{quoted} {false}", "rejected", C, E),
        (f"{quoted} {open_}", "doubted", N, N),
        (report, "quoted", N, N),
    )
    rows = [
        _row(premise, hypothesis, label, "target", "presupposition", move)
        for premise, move, *labels in contexts
        for hypothesis, label in zip(presupposed[:2], labels, strict=True)
    ]
    rows.append(_row(plain, presupposed.positive, E, "control", "presupposition", "none"))
    rows.append(_row(plain, presupposed.negated, C, "target", "presupposition", "denied"))
    return rows


@cache
def _frames(sort: str) -> tuple[str, ...]:
    return tuple(row["text"] for row in table("fictions") if row["sort"] == sort)


cancellability = Phenomenon(
    name="cancellability",
    **texts("cancellability"),
    kind="cancellability",
    slots=_slots,
    build=lambda draw: _statement_rows(draw) + _presupposition_rows(draw),
    rows=27,
    tags=("kind", "phenomenon", "role", "inference", "move", "scale", "trigger_type"),
    conditions={
        "scale": ("some - all", "most - all", "or - and"),
        "trigger_type": _TRIGGERS,
        "tense": ("past",),
    },
    marked=("scale", "trigger_type"),
)
