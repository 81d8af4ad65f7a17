"""Cancellability: "in fact" can cancel an implicature, no entailment and no presupposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grice.generate import grammar
from grice.generate._everyday import batches, deeds, named_people, pick_name
from grice.generate.lexicon import Words
from grice.generate.paradigm import CONTROL_NAMES
from grice.generate.phenomenon import Conditions, Draw, NewItem, Phenomenon, Slots
from grice.theory.projection import denial_label


class _Statements(NamedTuple):
    """The scale-mates of one subject, their negations, and the weakest statement that follows."""

    weak: str
    strong: str
    none: str
    not_strong: str
    least: str


# Relatives that a person can have or lack, unlike a neighbour or a mother.
RELATIVES = (
    "sister",
    "brother",
    "cousin",
    "aunt",
    "uncle",
    "daughter",
    "son",
    "niece",
    "nephew",
    "stepsister",
    "stepbrother",
    "granddaughter",
    "grandson",
    "flatmate",
)


def _slots(_words: Words, cell: Conditions) -> Slots:
    acts: Sequence[Any] = deeds() if cell["scale"] == "or - and" else batches()
    return {"relative": RELATIVES, "owner": named_people(), "act": acts}


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


# Which of the sentences is said, which follows with "in fact", what the move is made on, and
# whether it denies or affirms. Each continuation also follows a sentence that gives it another
# answer, so that it does not give the answer away.
_MOVES = (
    ("weak", "strong", "target", "implicature", "denied"),
    ("weak", "not_strong", "target", "implicature", "affirmed"),
    ("weak", "none", "target", "entailment", "denied"),
    ("weak", "least", "target", "entailment", "affirmed"),
    ("not_strong", "none", "target", "implicature", "denied"),
    ("not_strong", "least", "target", "implicature", "affirmed"),
    ("not_strong", "strong", "target", "entailment", "denied"),
    ("strong", "not_strong", "control", "entailment", "denied"),
    ("strong", "least", "control", "entailment", "affirmed"),
    ("none", "least", "control", "entailment", "denied"),
)


def _row(premise: str, hypothesis: str, role: str, inference: str, move: str) -> NewItem:
    label = denial_label(inference, move)
    tags = {"role": role, "inference": inference, "move": move}
    control = {"control": CONTROL_NAMES[label]} if role == "control" else {}
    return NewItem(premise, hypothesis, {"label": label}, {**tags, **control})


def _build(draw: Draw) -> list[NewItem]:
    owner, relative, statements = draw["owner"].text, draw["relative"], _statements(draw)
    who = f"{grammar.possessive(owner)} {relative}"
    sentences = {name: grammar.sentence(who, text) for name, text in statements._asdict().items()}
    # The least that follows is no correction.
    then = {
        **{
            name: grammar.sentence("in fact,", who, text)
            for name, text in statements._asdict().items()
        },
        "least": sentences["least"],
    }
    has, has_not = (
        f"{owner} has {grammar.a(relative)}",
        f"{owner} does not have {grammar.a(relative)}",
    )
    # "In fact, she has a sister" is unnatural after "her sister", and a denial needs someone who
    # believed it.
    said_has, in_fact_not = grammar.sentence(has), grammar.sentence("in fact,", has_not)
    unrelated, name = grammar.sentence(owner, statements.weak), pick_name(draw.rng, owner)
    thinks = draw.rng.pick(
        ("thinks that", "believes that", "assumes that", "has the impression that")
    )
    corrected = f"{sentences['weak']} {then['strong']}"
    return [
        *(_row(sentences[first], then[second], *rest) for first, second, *rest in _MOVES),
        _row(sentences["weak"], in_fact_not, "target", "presupposition", "denied"),
        _row(sentences["weak"], said_has, "target", "presupposition", "affirmed"),
        _row(grammar.sentence(name, thinks, has), in_fact_not, "control", "none", "unrelated"),
        _row(grammar.sentence(name, thinks, has_not), said_has, "control", "none", "unrelated"),
        _row(unrelated, then["none"], "control", "none", "unrelated"),
        _row(corrected, sentences["not_strong"], "control", "implicature", "taken back"),
        _row(corrected, sentences["least"], "control", "entailment", "taken back"),
        _row(corrected, said_has, "control", "presupposition", "taken back"),
    ]


deniability = Phenomenon(
    name="deniability",
    kind="deniability",
    what=(
        'A sentence and a continuation with "In fact, …" that denies or affirms its implicature,'
        " its entailment or its presupposition. Score: the share right by `inference` and `move`;"
        " on `denied` an implicature must not be a contradiction, an entailment and a"
        " presupposition must."
    ),
    why=(
        '"Some of the carrots" implicates "not all", and "In fact, all of them" takes that back'
        ' without contradiction (neutral, by the literal meaning); so does "In fact, none of them"'
        ' after "not all". But "none" after "some" contradicts what was said, and "In fact, Jo does'
        ' not have a sister" what was taken for granted. Controls: sentences that literally exclude'
        " or include the continuation, ones of which nothing follows, and the implicature taken"
        " back within the premise, which then contradicts it, while entailment and presupposition"
        ' stand. Answers go with what the continuation says ("none" denies more often than "all"),'
        " so the set does not promise that the hypothesis alone tells nothing."
    ),
    slots=_slots,
    build=_build,
    rows=18,
    tags=("kind", "phenomenon", "role", "inference", "move", "control", "scale"),
    conditions={"scale": ("some - all", "most - all", "or - and")},
    references=("Jeretič et al. (2020), Figure 1.", "Grice (1975)."),
)
