"""The twenty predicates of Degen and Tonhauser, unembedded and under four operators.

Human judgments of their clauses are published.
"""

from __future__ import annotations

from functools import cache

from grice.generate._everyday import PRONOUNS, named_people
from grice.generate._presupposition import Environments, act_environments, control_row
from grice.generate._scenes import suited_acts
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, read_verb, table
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots, make_phenomenon
from grice.theory.worlds import C, E, N

TAGS = ("role", "operator", "presupposition", "trigger", "class")
# What the literature's class of a predicate says of its clause: in the plain sentence, and under
# the operators. Of the optionally factive ones it says nothing, and people's means are all there
# is; so of "pretend", from which many take the contrary.
CLASSES = {"factive": (E, E), "veridical nonfactive": (E, N), "nonveridical nonfactive": (N, N)}


@cache
def _predicates() -> dict[str, dict[str, str]]:
    return {row["name"]: row for row in table("predicates")}


@cache
def _reports(name: str) -> tuple[tuple[VerbPhrase, str, VerbPhrase], ...]:
    """Return the predicate in each of its tenses, with each act that it goes with."""
    row = _predicates()[name]
    phrase = VerbPhrase(read_verb(row), row["rest"])
    return tuple(
        (phrase, tense, act) for tense in row["tenses"].split() for act in suited_acts(row["acts"])
    )


def _slots(words: Words, cell: Conditions) -> Slots:
    own = _predicates()[cell["word"]]["doer"] == "own"
    return {"person": named_people() if own else words.people, "report": _reports(cell["word"])}


def _build(draw: Draw) -> list[NewItem]:
    (phrase, tense, act), person, name = draw["report"], draw["person"], draw.cell["word"]
    # One confesses what one did oneself.
    own = _predicates()[name]["doer"] == "own"
    doer = person if own else pick_other_person(draw.words, draw.rng, person)
    who = PRONOUNS[person.gender] if own else doer.text
    presupposed = presuppose_act(doer, act, pick_other_person(draw.words, draw.rng, doer, person))
    premises = act_environments(person, phrase.extend("that", who, act.past), tense, draw.rng)
    row_tags = {"trigger": "present", "class": _predicates()[name]["class"]}
    plain, under = ("", "") if name == "pretend" else CLASSES.get(row_tags["class"], ("", ""))
    rows = []
    for operator, premise in zip(Environments._fields, premises, strict=True):
        label = plain if operator == "unembedded" else under
        target = {"role": "target", "operator": operator, "presupposition": "positive", **row_tags}
        rows.append(
            NewItem(premise, presupposed.positive, {"class": label} if label else {}, target)
        )
        if operator != "unembedded":
            answer = C if operator == "negated" else N
            rows.append(control_row(operator, premise, premises.unembedded, answer, **row_tags))
    return [
        row._replace(gold={"class": row.gold["label"]} if "label" in row.gold else row.gold)
        for row in rows
    ]


predicates = make_phenomenon(
    "predicates",
    "presupposition",
    slots=_slots,
    build=_build,
    rows=9,
    readings=("class",),
    tags=TAGS,
    conditions={"word": tuple(row["name"] for row in table("predicates"))},
    marked=("word",),
    fixed=("be",),
)
