"""Additives: "Ana, too, painted the fence" presupposes that someone else did."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._scenes import shared_acts
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    person, deed, tense = draw["person"].text, draw["deed"], draw.cell["tense"]
    does = grammar.inflect(deed.phrase, tense)
    if draw.cell["word"] == "too":
        who, added = f"{person}, too,", deed.phrase
    else:
        who, added = person, presupposition.add_adverb("likewise", deed.phrase)
    did = "did" if tense == "past" else "will do"
    premises = presupposition.focus_environments(who, added, tense, draw.rng)
    presupposed = presupposition.Presupposed(
        grammar.sentence("someone other than", person, does),
        grammar.sentence("nobody other than", person, does),
        grammar.sentence("someone other than", person, grammar.inflect(deed.pick_companion(draw.rng), tense)),
        (f"no one else {did} any such thing", f"whether anybody else {did} such a thing"),
    )
    return presupposition.paradigm_rows(premises, presupposed, {"trigger": "additives"})


additives = presupposition.presupposition_phenomenon(
    "additives",
    what="\"Too\" and \"likewise\" take for granted that the same holds of someone else.",
    why=(
        "The additive stands beside the subject, so what is added is the person: someone else did the same. Negation stands outside the "
        "clause, since \"too\" under \"not\" gives way to \"either\"."
    ),
    slots=lambda words, _cell: {"deed": shared_acts(), "person": words.people},
    build=_build,
    conditions={"word": ("too", "likewise"), "tense": ("past", "future")},
    references=("Karttunen and Peters (1979).", "Kripke (2009)."),
)  # fmt: skip
