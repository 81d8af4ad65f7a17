"""Modals: "can" implicates "does not have to"."""

from __future__ import annotations

from grice.generate._everyday import acts_under_rules
from grice.generate.paradigm import TENSE_AND_NEGATION, ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Draw

TAGS = {"trigger": "modal", "scale": "can - have to"}
# can, have to, and their negations in short and in full, each in several words, as often as keeps
# their number from telling the answer.
FORMS = {
    "present": (
        "can",
        "has to",
        (("can't", "can't", "isn't allowed to"), ("cannot", "cannot", "is not allowed to")),
        (
            ("needn't", "doesn't need to", "doesn't have to"),
            ("need not", "does not need to", "does not have to"),
        ),
    ),
    "past": (
        "could",
        "had to",
        (
            ("couldn't", "couldn't", "wasn't allowed to"),
            ("could not", "could not", "was not allowed to"),
        ),
        (("didn't need to", "didn't have to"), ("did not need to", "did not have to")),
    ),
}


def _clauses(draw: Draw) -> ScaleClauses:
    can, must, cannot, need_not = FORMS[draw.cell["tense"]]
    full = draw.cell["negation"] == "full"
    who, act = draw["subject"].text, draw["act"]
    rule = draw.rng.pick(acts_under_rules()[act])
    denied = (draw.rng.pick(forms[full]) for forms in (cannot, need_not))
    return ScaleClauses(*(f"{who} {modal} {act} {rule}" for modal in (can, must, *denied)))


modals = scalar_phenomenon(
    "modals",
    slots=lambda words, _cell: {"act": tuple(acts_under_rules()), "subject": words.named_people},
    build=lambda draw: scalar_rows(draw, _clauses, TAGS, balance=None),
    # A rule may hold for everybody, so what it says of others is not open.
    balance=None,
    conditions=TENSE_AND_NEGATION,
    fixed=("can", "could", "has", "had", "have", "need", "allow"),
    marked=("tense",),
)
