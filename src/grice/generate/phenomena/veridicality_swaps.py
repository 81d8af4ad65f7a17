"""Veridicality under counterfactual swaps of the verb, in main clause and complement."""

from __future__ import annotations

from grice.generate import _veridicality as verbs
from grice.generate import grammar
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    target: verbs.VerbConstruction = draw["target"]
    base, deed = verbs.contexts(target)[draw["context"]]
    first, subject = draw["couple"]
    third = verbs.third_person(draw["couple"], verbs.context_number(target, draw["context"]))
    third_name = draw.rng.pick_other(draw.words.named_people, subject, first, third)
    natural = verbs.Scene(first, third_name, draw.rng.pick(verbs.naturals(target)[draw["context"]]))
    scene = verbs.Scene(subject, third, deed)
    own, plain = natural.complement(target.complement), scene.complement(base.complement)
    inner, inner_sentence = _inside(base, target, scene, third_name)
    rows = []
    for environment in verbs.ENVIRONMENTS:
        verb = verbs.main_verb(base, environment, plural=False)
        nested = grammar.sentence(subject.text, verb, base.complement, inner)
        for swap, construction, premise, hypothesis in (
            ("target", target, verbs.premise(target, natural, environment), own),
            ("base", base, verbs.premise(base, scene, environment), plain),
            ("main", target, verbs.premise(target, scene, environment), plain),
            ("complement", base, nested, inner_sentence),
        ):
            tags = {**verbs.tags(construction, environment), "swap": swap, "target": target.name}
            rows.append(NewItem(premise, hypothesis, verbs.label(construction, environment), tags))
    return rows


def _inside(
    base: verbs.VerbConstruction,
    target: verbs.VerbConstruction,
    scene: verbs.Scene,
    other: grammar.Subject,
) -> tuple[str, str]:
    """Return the target as the verb of the complement, after the base verb and as a sentence."""
    who = scene.subject if base.complement == "to" else scene.other
    deed = grammar.VerbPhrase(
        target.phrase.verb, grammar.join(target.phrase.rest, target.complement)
    )
    after = verbs.complement_clause(target, other, scene.deed)
    inner = verbs.complement_clause(base, scene.other, deed)
    return f"{inner} {after}", grammar.sentence(who.text, grammar.inflect(deed, "past"), after)


veridicality_swaps = verbs.veridicality_phenomenon(
    "veridicality_swaps", slots=verbs.nesting_slots, build=_build, rows=8, tags=("swap", "target")
)
