"""Aspectual verbs: "stop" presupposes that it was done before, "start" that it was not."""

from __future__ import annotations

from grice.generate._everyday import habits
from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._triggers import aspectual_trigger

WORDS = ("stop", "quit", "give up", "continue", "keep on", "go on", "carry on", "start", "begin")


aspectuals = presupposition_phenomenon(
    "aspectuals",
    what=(
        "Verbs of ending and going on take an activity for granted, verbs of beginning its absence."
    ),
    why=(
        '"Ana stopped collecting stamps", its negation and its question all set out from the time'
        ' when she did; "started" from the time when she did not. The earlier state follows under'
        " every operator."
    ),
    slots=lambda words, _cell: {"person": words.people, "habit": habits()},
    build=lambda draw: trigger_rows(aspectual_trigger(draw, draw.cell["word"]), draw.rng),
    conditions={"word": WORDS, "tense": ("past", "future")},
    fixed=WORDS,
    references=("Simons (2001).", "Abusch (2010)."),
)
