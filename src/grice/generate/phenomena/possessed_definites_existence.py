"""Possessed definites, existence: "Ana's car" presupposes that Ana has one."""

from __future__ import annotations

from grice.generate._everyday import belongings, named_people
from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._triggers import possession_trigger

possessed_definites_existence = presupposition_phenomenon(
    "possessed_definites_existence",
    slots=lambda _words, cell: {"owner": named_people(), "thing": belongings(cell["tense"])},
    build=lambda draw: trigger_rows(possession_trigger(draw), draw.rng),
    conditions={"tense": ("past", "present")},
)
