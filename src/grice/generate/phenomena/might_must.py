"""Epistemic modals: "might" implicates "may not"."""

from __future__ import annotations

from grice.generate._scenes import news
from grice.generate.lexicon import Words
from grice.generate.paradigm import TENSE_AND_NEGATION, ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomena.start_finish import labours
from grice.generate.phenomenon import Conditions, Draw, Slots

TAGS = {"trigger": "modal_might", "scale": "might - must"}


def _slots(words: Words, cell: Conditions) -> Slots:
    """Return activities that last: "might be switching on" a lamp is unnatural."""
    if cell["tense"] == "past":
        return {"did": [f"have {act.phrase.participle}" for act in news()], "subject": words.people}
    return {"did": [f"be {work}" for work in labours()], "subject": words.people}


def _clauses(draw: Draw) -> ScaleClauses:
    cannot = "cannot" if draw.cell["negation"] == "full" else "can't"
    who = draw["subject"].text
    # "May not", since "might not" would share a word with "might" alone, which would tell the two
    # that meet.
    return ScaleClauses(
        *(f"{who} {modal} {draw['did']}" for modal in ("might", "must", cannot, "may not"))
    )


might_must = scalar_phenomenon(
    "might_must",
    slots=_slots,
    build=lambda draw: scalar_rows(draw, _clauses, TAGS),
    conditions=TENSE_AND_NEGATION,
    fixed=("might", "may", "must", "can", "have", "be"),
    marked=("tense",),
)
