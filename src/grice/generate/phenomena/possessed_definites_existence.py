"""Possessed definites, existence: "Ana's car" presupposes that Ana has one."""

from __future__ import annotations

from grice.generate._everyday import belongings, named_people
from grice.generate._presupposition import PAPER, presupposition_phenomenon, trigger_rows
from grice.generate._triggers import possession_trigger

possessed_definites_existence = presupposition_phenomenon(
    "possessed_definites_existence",
    what='A possessive such as "Ana\'s car" takes for granted that Ana has a car.',
    why=(
        '"Ana\'s car" refers to something Ana has. Denied, asked, supposed or held possible, the'
        " sentence is still about her car, so that she has one follows from all five environments;"
        " that someone else has one follows from none."
    ),
    slots=lambda _words, cell: {"owner": named_people(), "thing": belongings(cell["tense"])},
    build=lambda draw: trigger_rows(possession_trigger(draw), draw.rng),
    conditions={"tense": ("past", "present")},
    references=(PAPER, "Strawson (1950)."),
)
