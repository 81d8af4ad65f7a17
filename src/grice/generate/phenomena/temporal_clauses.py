"""Temporal clauses: a clause with "after" or "while" presupposes that what it tells happened."""

from __future__ import annotations

from functools import cache

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._scenes import Act, episodes, pair_by_tone
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import BE, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

# Moods that last, by what brings them on: "since" asks for them.
SPIRITS = {
    "good": ("cheerful", "content", "delighted", "happy", "in a good mood", "in high spirits", "pleased"),
    "bad": ("angry", "annoyed", "gloomy", "grumpy", "in a bad mood", "irritable", "unhappy", "upset"),
}


@cache
def _moods() -> list[tuple[VerbPhrase, Act]]:
    return pair_by_tone((tone, VerbPhrase(BE, mood)) for tone, moods in SPIRITS.items() for mood in moods)


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["word"] == "since":
        return {"person": words.people, "cause": _moods()}
    return {"person": words.people, "deed": episodes()}


def _build(draw: Draw) -> list[NewItem]:
    person, word = draw["person"], draw.cell["word"]
    deed = (draw["cause"][1] if word == "since" else draw["deed"]).phrase
    doer = pick_other_person(draw.words, draw.rng, person)
    presupposed = presuppose_act(doer, deed, pick_other_person(draw.words, draw.rng, doer, person))
    clause = f"{word} {doer.text} {deed.past}"
    if word == "since":
        premises = _since(draw, clause)
    else:
        phrase = draw["deed"].pick_companion(draw.rng).extend(clause)
        trigger = presupposition.Trigger(person, phrase, "past", presupposed)
        premises = presupposition.environments(trigger, draw.rng)
    return presupposition.paradigm_rows(premises, presupposed, {"trigger": "temporal_clauses"})


def _since(draw: Draw, clause: str) -> presupposition.Environments:
    """ "Since" goes with the perfect: "Bo has been cross since Ana sold the car"."""
    person, rest = draw["person"].text, f"been {draw['cause'][0].rest} {clause}"
    denied = grammar.negate("has", contracted=draw.rng.randbelow(2) == 0)
    return presupposition.clause_environments(
        f"{person} has {rest}", grammar.ask("has", person, rest), draw.rng, negated=f"{person} {denied} {rest}"
    )


temporal_clauses = presupposition.presupposition_phenomenon(
    "temporal_clauses",
    what="A clause with \"after\", \"when\", \"while\" or \"since\" takes for granted that what it tells happened.",
    why=(
        "The clause fixes a time by an event, and only an event that happened can do so; the main clause alone is denied, asked or supposed. "
        "\"Before\" is left out: what one does before something else may keep it from happening."
    ),
    slots=_slots,
    build=_build,
    conditions={"word": ("after", "when", "while", "since")},
    references=("Levinson (1983), §4.2.", "Heinämäki (1974)."),
)  # fmt: skip
