"""Veridicality under counterfactual swaps: a verb put in the place of another, in the main clause and in the complement."""

from __future__ import annotations

from grice.generate import _veridicality as verbs
from grice.generate import grammar
from grice.generate.phenomenon import Draw, NewItem, Phenomenon
from grice.theory.signature import SIGNATURES


def _build(draw: Draw) -> list[NewItem]:
    target: verbs.VerbConstruction = draw["target"]
    base = draw.rng.pick_other(verbs.hosts(target), *verbs.namesakes(target))
    first, subject = draw["couple"]
    other = draw.rng.pick_other(draw.words.people, subject, first)
    third = draw.rng.pick_other(draw.words.people, subject, other)
    natural = verbs.Scene(first, other, draw.rng.pick(verbs.naturals(target)[draw["context"]]))
    scene = verbs.Scene(subject, third, verbs.contexts(target)[draw["context"]])
    rows = []
    for environment in verbs.ENVIRONMENTS:
        inner, inner_sentence = _inside(base, target, scene, other)
        said = verbs.main_verb(base, environment, plural=False)
        told = grammar.sentence(subject.text, said, base.complement, inner)
        plain = scene.complement(base.complement)
        for swap, one, premise, hypothesis in (
            (
                "target",
                target,
                verbs.premise(target, natural, environment),
                natural.complement(target.complement),
            ),
            ("base", base, verbs.premise(base, scene, environment), plain),
            ("main", target, verbs.premise(target, scene, environment), plain),
            ("complement", base, told, inner_sentence),
        ):
            tags = {**verbs.tags(one, environment), "swap": swap, "target": target.name}
            rows.append(NewItem(premise, hypothesis, verbs.label(one, environment), tags))
    return rows


def _inside(
    base: verbs.VerbConstruction, target: verbs.VerbConstruction, scene: verbs.Scene, other: grammar.Subject
) -> tuple[str, str]:
    """The target as the verb of the complement: what follows the base verb, and the same as a sentence."""
    who = scene.subject if base.complement == "to" else scene.other
    deed = grammar.VerbPhrase(target.phrase.verb, grammar.join(target.phrase.rest, target.complement))
    after = verbs.complement_clause(target, other, scene.deed)
    inner = verbs.complement_clause(base, scene.other, deed)
    return f"{inner} {after}", grammar.sentence(who.text, grammar.inflect(deed, "past"), after)


veridicality_swaps = Phenomenon(
    name="veridicality_swaps",
    kind="veridicality",
    what="A target verb in a sentence of its own, put in another verb's place, and put into that verb's complement.",
    why=(
        "In the place of the main verb the target should bring its own signature with it; inside the complement it should change nothing, "
        "since what follows is settled by the main verb. The tag 'swap' tells the rows: target (its own sentence), base (another verb's), "
        "main (the base with the target as main verb), complement (the base with the target inside); KL between the answers to two of them "
        "gives the rows of Table 7 and the matched column of Table 8 of Ross & Pavlick (2019) for any judge."
    ),
    slots=lambda _words, cell: {
        "target": verbs.find_by_signature(cell["target_signature"]),
        "couple": verbs.couples(),
        "context": range(verbs.CONTEXTS),
    },
    build=_build,
    rows=8,
    readings=("signature",),
    tags=("kind", "phenomenon", "verb", "complement", "construction", "signature", "environment", "swap", "target", "target_signature"),
    conditions={"target_signature": SIGNATURES},
    fixed=verbs.fixed_words(),
    references=("Ross & Pavlick (2019), §6.3.",),
)  # fmt: skip
