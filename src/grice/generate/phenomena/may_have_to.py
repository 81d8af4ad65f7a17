"""Permission: "may" implicates "does not have to"."""

from __future__ import annotations

from grice.generate._scenes import episodes
from grice.generate.lexicon import table
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Draw, NewItem

TAGS = {"trigger": "modal_may", "scale": "may - have to"}

# The negations of "may" and of "has to", in short and in full, each in several words: their length gives nothing away.
NEGATIONS = {
    "contracted": (("mustn't", "may not", "isn't allowed to"), ("needn't", "doesn't need to", "doesn't have to")),
    "full": (("must not", "may not", "is not allowed to"), ("need not", "does not need to", "does not have to")),
}


def _clauses(draw: Draw) -> ScaleClauses:
    who, what = draw["subject"].text, draw["deed"].phrase.base
    not_weak, not_strong = (draw.rng.pick(forms) for forms in NEGATIONS[draw.cell["negation"]])
    return ScaleClauses(*(f"{who} {modal} {what}" for modal in ("may", "has to", not_weak, not_strong)))


def _build(draw: Draw) -> list[NewItem]:
    authority = _authority(draw, draw["subject"].text)
    within = (f"{authority}, ", "") if draw.cell["order"] == "rule first" else ("", f", {authority}")
    return scalar_rows(draw, _clauses, TAGS, within=within, without=" may ")


def _authority(draw: Draw, who: str) -> str:
    """Who or what allows and obliges; it rules out the other reading of "may", a guess."""
    if draw.rng.randbelow(4) == 0:
        return draw.rng.pick(table("authorities"))["authority"]
    name = draw.rng.pick(draw.words.names).name
    return _authority(draw, who) if name == who else f"as far as {name} is concerned"


may_have_to = scalar_phenomenon(
    "may_have_to",
    what='May and have to, under a rule: from "may" a listener takes "does not have to".',
    why=(
        'A rule that obliges also permits, so "has to" entails "may", and "may" leaves "has to" open; "may" implicates "does not have '
        'to". Each sentence names a rule or who lays it down, so that "may" is a permission and "may not" a ban, never a guess.'
    ),
    slots=lambda words, _cell: {"deed": episodes(), "subject": words.people},
    build=_build,
    conditions={"order": ("rule first", "rule last"), "negation": ("contracted", "full")},
    fixed=("may", "has", "have", "must", "need", "allow"),
    marked=("order",),
    references=("Horn (1989), A Natural History of Negation.",),
)
