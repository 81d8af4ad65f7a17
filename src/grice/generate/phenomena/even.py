"""Even: "Even Ana painted the fence" presupposes that she was not the likeliest to."""

from __future__ import annotations

from grice.generate._presupposition import (
    focus_environments,
    paradigm_rows,
    presupposition_phenomenon,
)
from grice.generate._scenes import shared_acts
from grice.generate._triggers import pick_other_person, presuppose
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    person, deed, tense = draw["person"], draw["deed"].phrase, draw.cell["tense"]
    third = pick_other_person(draw.words, draw.rng, person)
    be = "was" if tense == "past" else "is"
    than = f"likely than others to {deed.base}"
    presupposed = presuppose(person, third, f"{be} less", f"{be} more", than)
    plain, premises = (
        focus_environments(who, deed, tense, rng)
        for who, rng in ((person.text, draw.rng.copy()), (f"even {person.text}", draw.rng))
    )
    return paradigm_rows(premises, plain, presupposed)


even = presupposition_phenomenon(
    "even",
    slots=lambda words, _cell: {"deed": shared_acts(), "person": words.people},
    build=_build,
    conditions={"tense": ("past", "future")},
)
