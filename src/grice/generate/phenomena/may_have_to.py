"""Permission: "may" implicates "does not have to"."""

from __future__ import annotations

from grice.generate._everyday import acts_under_rules
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Draw

TAGS = {"trigger": "modal_may", "scale": "may - have to"}

# The negations of "may" and of "has to", in short and in full, each in several words: their length
# gives nothing away.
NEGATIONS = {
    "contracted": (
        ("mustn't", "may not", "isn't allowed to"),
        ("needn't", "doesn't need to", "doesn't have to"),
    ),
    "full": (
        ("must not", "may not", "is not allowed to"),
        ("need not", "does not need to", "does not have to"),
    ),
}


def _clauses(draw: Draw) -> ScaleClauses:
    who, act = draw["subject"].text, draw["act"]
    rule = draw.rng.pick(acts_under_rules()[act])
    not_weak, not_strong = (draw.rng.pick(forms) for forms in NEGATIONS[draw.cell["negation"]])
    clauses = (f"{who} {modal} {act}" for modal in ("may", "has to", not_weak, not_strong))
    first = draw.cell["order"] == "rule first"
    return ScaleClauses(
        *(f"{rule} {clause}" if first else f"{clause} {rule}" for clause in clauses)
    )


may_have_to = scalar_phenomenon(
    "may_have_to",
    slots=lambda words, _cell: {"act": tuple(acts_under_rules()), "subject": words.named_people},
    build=lambda draw: scalar_rows(draw, _clauses, TAGS, balance=None),
    # A rule may hold for everybody, so what it says of others is not open.
    balance=None,
    conditions={"order": ("rule first", "rule last"), "negation": ("contracted", "full")},
    fixed=("may", "has", "have", "must", "need", "allow"),
    marked=("order",),
)
