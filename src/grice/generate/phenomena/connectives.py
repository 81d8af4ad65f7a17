"""Connectives: "or" implicates "not both"."""

from __future__ import annotations

from functools import cache
from itertools import permutations

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._scenes import episodes, shared_acts
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Conditions, Draw, Slots

TAGS = {"trigger": "connective", "scale": "or - and"}
AUXILIARY = {"present": "has", "past": "", "future": "will"}


@cache
def adjective_pairs(*sorts: str) -> tuple[tuple[str, str], ...]:
    """Return compatible adjective pairs for people, in both orders; `sorts`: "state", "trait"."""
    sets = (
        row["adjectives"].split(" | ") for row in table("adjective_sets") if row["sort"] in sorts
    )
    return tuple(dict.fromkeys(pair for adjectives in sets for pair in permutations(adjectives, 2)))


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["position"] == "adjective":
        # What lasts is not foretold.
        sorts = ("state",) if cell["tense"] == "future" else ("state", "trait")
        return {"subject": words.people, "adjectives": adjective_pairs(*sorts)}
    if cell["position"] == "subject":
        return {"scene": shared_acts(), "subject": words.people}
    return {
        "deed": deeds() if cell["position"] == "object" else episodes(),
        "subject": words.people,
    }


def _added(draw: Draw) -> tuple[str, str]:
    """Pick whether "either" and "both" are used, so that length does not reveal the clause."""
    return draw.rng.pick(("", "either")), draw.rng.pick(("", "both"))


def _subjects(draw: Draw) -> ScaleClauses:
    first, scene, tense = draw["subject"], draw["scene"].phrase, draw.cell["tense"]
    either, both = _added(draw)
    # Two names or two relations, so that the order of the two says nothing.
    a, b = first.text, draw.rng.pick_other(draw.words.people_like(first), first).text
    singular, plural_form = (
        (
            grammar.perfect(scene, "present", plural)
            if tense == "present"
            else grammar.inflect(scene, tense)
        )
        for plural in (False, True)
    )
    not_both = {
        "present": f"haven't both {scene.participle}",
        "past": f"didn't both {scene.base}",
        "future": f"won't both {scene.base}",
    }
    return ScaleClauses(
        weak=grammar.join(either, a, "or", b, singular),
        strong=grammar.join(both, a, "and", b, plural_form),
        not_weak=grammar.join("neither", a, "nor", b, singular),
        not_strong=grammar.join(a, "and", b, not_both[tense]),
    )


def _objects(draw: Draw) -> ScaleClauses:
    deed, tense, who = draw["deed"], draw.cell["tense"], draw["subject"].text
    a, b, verb = deed.phrase.rest, draw.rng.pick(deed.others), deed.phrase.verb

    def tell(text: str) -> str:
        phrase = VerbPhrase(verb, text)
        predicate = (
            grammar.perfect(phrase, tense) if tense == "present" else grammar.inflect(phrase, tense)
        )
        return grammar.join(who, predicate)

    either, both = _added(draw)
    two = VerbPhrase(verb, f"both {a} and {b}")
    not_both = (
        f"hasn't {two.participle}" if tense == "present" else grammar.inflect_negated(two, tense)
    )
    return ScaleClauses(
        weak=tell(grammar.join(either, a, "or", b)),
        strong=tell(grammar.join(both, a, "and", b)),
        not_weak=tell(f"neither {a} nor {b}"),
        not_strong=grammar.join(who, not_both),
    )


def _verb_phrases(draw: Draw) -> ScaleClauses:
    first, tense, who = draw["deed"].phrase, draw.cell["tense"], draw["subject"].text
    second = draw["deed"].pick_companion(draw.rng)
    forms = [
        scene.participle if tense == "present" else scene.past if tense == "past" else scene.base
        for scene in (first, second)
    ]
    auxiliary = AUXILIARY[tense]
    either, both = _added(draw)
    negated_forms = forms if tense == "present" else [first.base, second.base]
    return ScaleClauses(
        weak=grammar.join(who, auxiliary, either, forms[0], "or", forms[1]),
        strong=grammar.join(who, auxiliary, both, forms[0], "and", forms[1]),
        not_weak=grammar.join(who, auxiliary, "neither", forms[0], "nor", forms[1]),
        not_strong=grammar.join(
            who,
            grammar.negate(auxiliary or "did"),
            "both",
            negated_forms[0],
            "and",
            negated_forms[1],
        ),
    )


def _adjectives(draw: Draw) -> ScaleClauses:
    (a, b), who = draw["adjectives"], draw["subject"].text
    be = grammar.be(draw.cell["tense"])
    return ScaleClauses(
        weak=grammar.join(who, be, f"{a} or {b}"),
        strong=grammar.join(who, be, f"{a} and {b}"),
        not_weak=grammar.join(who, be, f"neither {a} nor {b}"),
        not_strong=grammar.join(who, grammar.negate(be), f"both {a} and {b}"),
    )


POSITIONS = {
    "subject": _subjects,
    "object": _objects,
    "verb phrase": _verb_phrases,
    "adjective": _adjectives,
}

connectives = scalar_phenomenon(
    "connectives",
    slots=_slots,
    build=lambda draw: scalar_rows(draw, POSITIONS[draw.cell["position"]], TAGS),
    conditions={"tense": ("present", "past", "future"), "position": tuple(POSITIONS)},
    fixed=("or", "and", "neither", "nor", "both"),
    marked=("tense", "position"),
)
