"""Factives: "regret" and "realise" presuppose their complement."""

from __future__ import annotations

from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._triggers import REPORTS, attitude_trigger, factive_reports
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    verb, deed = draw["report"]
    plain = draw.rng.pick(REPORTS)
    trigger = attitude_trigger(draw, verb, "that", deed.phrase, plain)
    return trigger_rows(trigger, draw.rng, word=verb.base)


factives = presupposition_phenomenon(
    "factives",
    slots=lambda words, cell: {
        "report": factive_reports(cell["factive"], cell["tense"]),
        "person": words.people,
    },
    build=_build,
    tags=("word",),
    conditions={"factive": ("cognitive", "emotive"), "tense": ("past", "present")},
    fixed=(
        "know realise remember recall regret resent appreciate discover find out forget learn be",
    ),
)
