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
    be, guess = ("was", "have guessed") if tense == "past" else ("is", "guess")
    than = f"likely than others to {deed.base}"
    doubts = (
        f"everybody would {guess} {person.text} first",
        f"whether anybody would {guess} {person.text} first",
    )
    presupposed = presuppose(person, third, f"{be} less", f"{be} more", than, doubts=doubts)
    premises = focus_environments(f"even {person.text}", deed, tense, draw.rng)
    return paradigm_rows(premises, presupposed, {"trigger": "even"})


even = presupposition_phenomenon(
    "even",
    what=(
        '"Even Ana painted the fence" takes for granted that Ana was less likely than others to'
        " do so."
    ),
    why=(
        '"Even" leaves what is asserted as it is and ranks its focus low on a scale of likelihood.'
        ' Negation stands outside the clause ("it isn\'t true that even …"), where the ranking'
        " keeps its direction."
    ),
    slots=lambda words, _cell: {"deed": shared_acts(), "person": words.people},
    build=_build,
    conditions={"tense": ("past", "future")},
    references=("Karttunen and Peters (1979).", "Rooth (1985)."),
)
