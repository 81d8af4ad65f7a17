"""Some, most, all: the middle of the scale of determiners."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._scenes import TIES, occasions
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Draw, NewItem


def _clauses(draw: Draw) -> ScaleClauses:
    noun = f"of the {draw['occasion'].who(draw['tie'])}"
    does = grammar.tell(draw["occasion"].act.phrase, draw.cell["tense"], plural=True)
    some_of, most_of, all_, none, half, not_all = (
        f"{head} {noun} {does}"
        for head in ("some", "most", "all", "none", "no more than half", "not every single one")
    )
    low = draw.cell["scale"] == "some - most"
    return (
        ScaleClauses(some_of, most_of, none, half)
        if low
        else ScaleClauses(most_of, all_, half, not_all)
    )


def _build(draw: Draw) -> list[NewItem]:
    kind = "both ways" if draw.cell["scale"] == "some - most" else "one way"
    where = draw["occasion"].crowd.source(draw["tie"])
    tags = {"trigger": "quantifier_most"}
    return scalar_rows(draw, _clauses, tags, kind=kind, balance="mixed", witness=where)


most = scalar_phenomenon(
    "most",
    slots=lambda _words, _cell: {"occasion": occasions(), "tie": TIES},
    build=_build,
    balance="mixed",
    # No present: "one" would have another form of the verb, and the two denials would no longer be
    # alike.
    conditions={"tense": ("past", "future"), "scale": ("some - most", "most - all")},
    fixed=("some", "most", "all", "not", "every", "none", "half"),
    marked=("tense",),
)
