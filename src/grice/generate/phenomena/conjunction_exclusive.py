""" "Or" between exclusive alternatives: years, days, places where something happened once."""

from __future__ import annotations

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate.lexicon import Words, word_list
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.conjuncts import LOGIC, replaced_label

# Something happens to each of these once, so two years exclude one another.
ONCE = {
    "person": (
        "was born in {}",
        "graduated in {}",
        "emigrated in {}",
        "learned to drive in {}",
        "first voted in {}",
    ),
    "business": ("was opened in {}", "first opened in {}"),
    "building": ("was built in {}", "was finished in {}"),
}
KINDS = {"business": ("institution", "venue", "shop"), "building": ("monument", "home")}
# These are not founded or built, or not in these years, or not in a town.
EXCEPT = word_list("not opened or built")
# Shops are younger than mansions.
SINCE = {"business": 1921, "building": 1851}


def _slots(words: Words, cell: Conditions) -> Slots:
    of = cell["of"]
    if of == "person":
        return {"who": words.named_people, "when": ONCE[of], "year": range(1961, 2012)}
    cities = [noun.singular for noun in words.nouns_of("city")]
    places = [
        noun.singular
        for noun in words.nouns_of(*KINDS[of])
        if noun.countable and noun.singular not in EXCEPT
    ]
    return {"what": places, "city": cities, "when": ONCE[of], "year": range(SINCE[of], 2012)}


def _build(draw: Draw) -> list[NewItem]:
    year = draw["year"]
    near, far = year + 1 + draw.rng.randbelow(3), year - 9 - draw.rng.randbelow(9)
    third = near + 1 + draw.rng.randbelow(3)
    who = (
        draw["who"].text if draw.cell["of"] == "person" else f"the {draw['what']} in {draw['city']}"
    )

    def say(when: str) -> str:
        return grammar.sentence(who, draw["when"].format(when))

    both = say(f"{year} or {near}")
    tag = conjuncts.tags(("or",), usage="exclusive", category="NP")
    replaced = {**tag, "operation": "replaced"}
    return [
        NewItem(
            both,
            say(str(year)),
            {"label": LOGIC["exclusive"].removed},
            {**tag, "operation": "removed"},
        ),
        NewItem(
            both,
            say(str(near)),
            {"label": LOGIC["exclusive"].removed},
            {**tag, "operation": "removed"},
        ),
        NewItem(
            say(str(year)), both, {"label": LOGIC["exclusive"].added}, {**tag, "operation": "added"}
        ),
        NewItem(both, say(f"{year} or {third}"), {"label": replaced_label("other")}, replaced),
        NewItem(both, say(f"{far} or {third}"), {"label": replaced_label("count")}, replaced),
    ]


conjunction_exclusive = conjuncts.conjunction_phenomenon(
    "conjunction_exclusive",
    slots=_slots,
    build=_build,
    conditions={"of": tuple(ONCE)},
    fixed=tuple(
        dict.fromkeys(
            word for phrases in ONCE.values() for phrase in phrases for word in phrase.split()
        )
    ),
)
