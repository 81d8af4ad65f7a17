"""Veridicality: whether a complement holds, under a verb and under the verb's negation."""

from __future__ import annotations

from grice.generate import _veridicality as verbs
from grice.generate.phenomenon import Draw, NewItem
from grice.theory.signature import SIGNATURES


def _build(draw: Draw) -> list[NewItem]:
    construction: verbs.VerbConstruction = draw["construction"]
    third_name = draw.rng.pick_other(draw.words.named_people, draw["subject"])
    scene = verbs.Scene(draw["subject"], third_name, construction.deeds[draw["deed"]])
    contracted = draw.cell["negation"] == "contracted"
    hypothesis = scene.complement(construction.complement)
    rows = []
    for environment in verbs.ENVIRONMENTS:
        premise = verbs.premise(construction, scene, environment, contracted=contracted)
        rows.append(
            NewItem(
                premise,
                hypothesis,
                verbs.label(construction, environment),
                verbs.tags(construction, environment),
            )
        )
    return rows


veridicality_signatures = verbs.veridicality_phenomenon(
    "veridicality_signatures",
    slots=lambda words, cell: {
        "construction": verbs.find_by_signature(cell["signature"]),
        "subject": verbs.subjects(words, cell["number"]),
        "deed": range(verbs.DEEDS),
    },
    build=_build,
    rows=2,
    conditions={
        "signature": SIGNATURES,
        "number": ("singular", "plural"),
        "negation": ("contracted", "full"),
    },
)
