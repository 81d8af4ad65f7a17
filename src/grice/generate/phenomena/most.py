"""Some, most, all: the middle of the scale of determiners."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._scenes import TIES, occasions
from grice.generate.paradigm import ScaleSentences, one_way_rows, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    noun = f"of the {draw['occasion'].who(draw['tie'])}"
    does = grammar.tell(draw["occasion"].act.phrase, draw.cell["tense"], plural=True)
    some, most, all_, none, half, not_all = (
        grammar.sentence(head, noun, does) for head in ("some", "most", "all", "none", "no more than half", "not all")
    )
    tags = {"trigger": "quantifier_most", "scale": draw.cell["scale"]}
    if draw.cell["scale"] == "some - most":
        return scalar_rows(ScaleSentences(some, most, none, half), tags)
    return one_way_rows(ScaleSentences(most, all_, half, not_all), tags)


most = scalar_phenomenon(
    "most",
    what='Some, most and all: from "some" a listener takes "not most", from "most" "not all".',
    why=(
        '"Most" is taken as "more than half", so its denial is "no more than half". "No more than half" implicates "some"; but "not all" '
        'does not implicate "most", so those three rows have the same label under both readings.'
    ),
    slots=lambda _words, _cell: {"occasion": occasions(), "tie": TIES},
    build=_build,
    conditions={"tense": ("present", "past", "future"), "scale": ("some - most", "most - all")},
    fixed=("some", "most", "all", "not", "none", "half"),
    marked=("tense",),
    references=("Horn (1989), A Natural History of Negation.",),
)
