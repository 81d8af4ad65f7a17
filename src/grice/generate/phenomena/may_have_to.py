"""Permission: "may" says, and does not say, "need not"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import Four, scalar, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row

TAGS = {"trigger": "modal_may", "scale": "may - have to"}


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {
        "authority": [row["authority"] for row in table("authorities")],
        "subject": words.people,
        "scene": words.scenes_of("event"),
    }


def build(draw: Draw) -> list[Row]:
    who, what = draw["subject"].text, draw["scene"].base
    need_not = "does not have to" if draw.cell["negation"] == "full" else "doesn't have to"
    sentences = []
    for modal in ("may", "has to", "may not", need_not):
        rule = f"{who} {modal} {what}"
        # A rule before or after the clause rules out the other reading of "may", a guess.
        if draw.cell["order"] == "rule first":
            sentences.append(grammar.sentence(f"{draw['authority']}, {rule}"))
        else:
            sentences.append(grammar.sentence(f"{rule}, {draw['authority']}"))
    return scalar(Four(*sentences), TAGS)


may_have_to = scalar_phenomenon(
    "may_have_to",
    what='May and have to, under a rule: from "may" a listener takes "does not have to".',
    why=(
        'A rule that obliges also permits, so "has to" entails "may", and "may" leaves "has to" open; "may" implicates "does not have '
        'to". Each sentence names a rule, so that "may" is a permission and "may not" a ban, never a guess.'
    ),
    slots=slots,
    build=build,
    conditions={"order": ("rule first", "rule last"), "negation": ("contracted", "full")},
    fixed=("may", "has", "have"),
    marked=("order",),
    references=("Horn (1989), A Natural History of Negation.",),
)
