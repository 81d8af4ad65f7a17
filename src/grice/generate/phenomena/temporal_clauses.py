"""Temporal clauses: a clause with "after" or "while" presupposes that what it tells happened."""

from __future__ import annotations

from functools import cache

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._random import Rng
from grice.generate._scenes import Act, episodes, moods, pair_by_tone
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import BE, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

# What one may well have done or not, whatever the news is about which one does it.
TALKS = tuple(
    f"{talk} {whom}"
    for talk in ("in touch with", "in contact with", "on the phone to", "round to see")
    for whom in ("relatives", "the grandparents", "the cousins", "the neighbours", "old friends")
)
# What one believes, thinks of or talks about need not be so.
WITHOUT = {"when": "at the thought", "since": "about the rumour"}
# Two people do what stands close together on one occasion at the same time.
_CLOSE = 2


@cache
def _causes(word: str) -> list[tuple[VerbPhrase, Act]]:
    """Return what goes with "when" or "since", each with news that it may follow."""
    if word == "when":
        return moods(word)
    return pair_by_tone(("", VerbPhrase(BE, talk)) for talk in TALKS)


def companions(act: Act, word: str) -> tuple[VerbPhrase, ...]:
    """Return what another person does after it on the same occasion, or during it."""
    n_earlier = len(act.earlier)
    return (
        act.others[n_earlier:]
        if word == "after"
        else act.others[max(0, n_earlier - _CLOSE) : n_earlier + _CLOSE]
    )


def _slots(words: Words, cell: Conditions) -> Slots:
    word = cell["word"]
    if word in WITHOUT:
        return {"cause": _causes(word), "person": words.people}
    return {"deed": [act for act in episodes() if companions(act, word)], "person": words.people}


def _build(draw: Draw) -> list[NewItem]:
    person, word = draw["person"], draw.cell["word"]
    deed = (draw["cause"][1] if word in WITHOUT else draw["deed"]).phrase
    doer = pick_other_person(draw.words, draw.rng, person)
    presupposed = presuppose_act(doer, deed, pick_other_person(draw.words, draw.rng, doer, person))
    clause = f"{word} {doer.text} {deed.past}"
    without = f"{WITHOUT.get(word, 'in the belief')} that {doer.text} had {deed.participle}"
    if word == "since":
        plain, premises = _since(draw, without, draw.rng.copy()), _since(draw, clause, draw.rng)
    else:
        main = draw["cause"][0] if word == "when" else draw.rng.pick(companions(draw["deed"], word))
        plain, premises = (
            presupposition.act_environments(person, main.extend(when), "past", rng)
            for when, rng in ((without, draw.rng.copy()), (clause, draw.rng))
        )
    return presupposition.paradigm_rows(premises, plain, presupposed)


def _since(draw: Draw, clause: str, rng: Rng) -> presupposition.Environments:
    """Return the environments of a "since" clause, with the perfect.

    An example is "Bo has been in touch with the family since Ana sold the car".
    """
    person, rest = draw["person"].text, f"been {draw['cause'][0].rest} {clause}"
    denied = grammar.negate("has", contracted=rng.randbelow(2) == 0)
    return presupposition.clause_environments(
        f"{person} has {rest}",
        grammar.ask("has", person, rest),
        rng,
        negated=f"{person} {denied} {rest}",
    )


temporal_clauses = presupposition.presupposition_phenomenon(
    "temporal_clauses",
    slots=_slots,
    build=_build,
    conditions={"word": ("after", "when", "while", "since")},
)
