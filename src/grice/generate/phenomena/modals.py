"""Modals: "can" implicates "does not have to"."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import deed_phrases
from grice.generate.paradigm import TENSE_AND_NEGATION, ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Draw

TAGS = {"trigger": "modal", "scale": "can - have to"}
# can, have to, and their negations in short and in full, each in several words, as often as keeps their number from telling the answer.
FORMS = {
    "present": (
        "can", "has to", (("can't", "can't", "isn't able to"), ("cannot", "cannot", "is not able to")),
        (("needn't", "doesn't need to", "doesn't have to"), ("need not", "does not need to", "does not have to")),
    ),
    "past": (
        "could", "had to", (("couldn't", "couldn't", "wasn't able to"), ("could not", "could not", "was not able to")),
        (("didn't need to", "didn't have to"), ("did not need to", "did not have to")),
    ),
}  # fmt: skip
# Near times only: what one can or has to do is mostly said of these days.
WHEN = {
    "present": ("", "today", "tonight", "this afternoon", "this week", "tomorrow", "tomorrow morning", "on Saturday", "this weekend"),
    "past": ("", "yesterday", "last night", "last week", "last Friday", "yesterday morning", "last weekend", "that evening", "in the end"),
}  # fmt: skip


def _clauses(draw: Draw) -> ScaleClauses:
    can, must, cannot, need_not = FORMS[draw.cell["tense"]]
    full = draw.cell["negation"] == "full"
    who, what = draw["subject"].text, grammar.join(draw["deed"].base, draw["time"])
    denied = (draw.rng.pick(forms[full]) for forms in (cannot, need_not))
    return ScaleClauses(*(f"{who} {modal} {what}" for modal in (can, must, *denied)))


modals = scalar_phenomenon(
    "modals",
    what='Can and have to: from "can" a listener takes "does not have to".',
    why=(
        'Both are read of what is open to someone: what one has to do one can do, so "have to" entails "can", and "can" leaves "have to" '
        'open. A speaker who knew of the duty would have named it, so "can" implicates "does not have to". Theories differ: where "can" speaks of ability and "have to" of duty, on two modal bases (Kratzer 1981), neither has a bearing on the other, and every target is open: the reading `two_bases`.'
    ),
    slots=lambda words, cell: {"deed": deed_phrases(), "time": WHEN[cell["tense"]], "subject": words.people},
    build=lambda draw: scalar_rows(draw, _clauses, TAGS, kind="ability"),
    kind="ability",
    conditions=TENSE_AND_NEGATION,
    fixed=("can", "could", "has", "had", "have", "need", "able"),
    marked=("tense",),
    references=("Horn (1989), A Natural History of Negation.", "Kratzer (1981), The Notional Category of Modality."),
)
