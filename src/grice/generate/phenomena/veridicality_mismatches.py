"""Deliberately ungrammatical sentences: a verb before the wrong kind of complement."""

from __future__ import annotations

from grice.generate import _veridicality as verbs
from grice.generate import grammar
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    target: verbs.VerbConstruction = draw["target"]
    wrong = verbs.OTHER[target.complement]
    first, subject = draw["couple"]
    number = verbs.context_number(target, draw["context"])
    if wrong == "to":
        base, deed = verbs.foreign_contexts()[number]
    else:
        base = draw.rng.pick_other(verbs.told_verbs(), *verbs.namesakes(target))
        deed = draw.rng.pick(base.fitting)
    third = verbs.third_person(draw["couple"], number)
    third_name = draw.rng.pick_other(draw.words.named_people, subject, first, third)
    natural = verbs.Scene(first, third_name, draw.rng.pick(verbs.naturals(target)[draw["context"]]))
    scene = verbs.Scene(subject, third, deed)
    own, foreign = natural.complement(target.complement), scene.complement(wrong)
    rows = []
    for environment in verbs.ENVIRONMENTS:
        verb = verbs.main_verb(target, environment, plural=False)
        mismatched = grammar.sentence(subject.text, verb, wrong, verbs.clause(base, scene))
        turned = grammar.sentence(first.text, verb, wrong, verbs.clause(target, natural))
        for swap, construction, premise, hypothesis in (
            ("target", target, verbs.premise(target, natural, environment), own),
            ("base", base, verbs.premise(base, scene, environment), foreign),
            ("mismatch", None, mismatched, foreign),
            ("type", None, turned, own),
        ):
            tags = {
                **verbs.tags(construction or target, environment),
                "swap": swap,
                "target": target.name,
            }
            # No answer is the right one to a sentence that is not English.
            gold = verbs.label(construction, environment) if construction else {}
            rows.append(NewItem(premise, hypothesis, gold, tags))
    return rows


veridicality_mismatches = verbs.veridicality_phenomenon(
    "veridicality_mismatches", slots=verbs.swap_slots, build=_build, rows=8, tags=("swap", "target")
)
