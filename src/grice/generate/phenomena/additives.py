"""Additives: "Ana, too, painted the fence" presupposes that someone else did."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._scenes import shared_acts
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    person, deed, tense = draw["person"].text, draw["deed"], draw.cell["tense"]
    does = grammar.inflect(deed.phrase, tense)
    plain, premises = (
        presupposition.focus_environments(who, deed.phrase, tense, rng)
        for who, rng in ((person, draw.rng.copy()), (f"{person}, too,", draw.rng))
    )
    presupposed = presupposition.Presupposed(
        grammar.sentence("someone other than", person, does),
        grammar.sentence("nobody other than", person, does),
        grammar.sentence(
            "someone other than", person, grammar.inflect(deed.pick_companion(draw.rng), tense)
        ),
    )
    return presupposition.paradigm_rows(premises, plain, presupposed)


additives = presupposition.presupposition_phenomenon(
    "additives",
    slots=lambda words, _cell: {"deed": shared_acts(), "person": words.people},
    build=_build,
    conditions={"tense": ("past", "future")},
)
