"""Scalar terms in context: what was asked, what the speaker knows, what is at stake, and what is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from grice.generate import grammar
from grice.generate._scenes import TIES, occasions
from grice.generate.lexicon import Words
from grice.generate.paradigm import CONTROL_NAMES
from grice.generate.phenomena.start_finish import labours
from grice.generate.phenomenon import Conditions, Draw, NewItem, Phenomenon, Slots
from grice.theory.contexts import context_labels
from grice.theory.worlds import N

# What stands before the weaker sentence; Q is a question about the weaker or the stronger, S the stronger as a clause.
# Each is said in several ways, the same for every answer.
CONTEXTS: Mapping[str, tuple[str, ...]] = {
    "none": ("",),
    "upper question": ("Q", "You ask: Q", "The question is: Q", "I was asked: Q"),
    "lower question": ("Q", "You ask: Q", "The question is: Q", "I was asked: Q"),
    "full knowledge": ("I was there the whole time.", "I saw everything.", "I did not miss a thing.", "I know the whole story."),
    "partial knowledge": ("I was not there the whole time.", "I did not see everything.", "I missed a good deal.", "I know only part of the story."),
    "high stakes": ("A great deal depended on whether S.", "We needed to know whether S.", "A lot hung on whether S.", "It mattered whether S."),
}  # fmt: skip
# Contexts whose sentence is also taken back: as many as are enriched, so that neither hypothesis gives its answer away.
TAKEN_BACK = ("none", "upper question", "full knowledge", "high stakes")
TAGS = (
    "kind",
    "phenomenon",
    "role",
    "condition",
    "control",
    "context",
    "qud",
    "speaker",
    "stakes",
    "cancelled",
    "scale",
)


class _Told(NamedTuple):
    """What is said of one group or person: the weaker and the stronger clause, the denial of the stronger, and two questions."""

    weak: str
    strong: str
    not_strong: str
    lower: str
    upper: str


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["scale"] == "start - finish":
        return {"work": labours(), "subject": words.people}
    return {"occasion": occasions(), "tie": TIES}


def _elsewhere(draw: Draw) -> Mapping[str, Any]:
    """The same of people at another place, or of other work, of which the premise says nothing."""
    if "work" in draw.slots:
        return {**draw.slots, "work": draw.rng.pick_other(draw.options["work"], draw["work"])}
    return {**draw.slots, "tie": draw.rng.pick_other(TIES, draw["tie"])}


def _told(draw: Draw, slots: Mapping[str, Any]) -> _Told:
    if "work" in slots:
        who, work = slots["subject"].text, slots["work"]
        return _Told(
            f"{who} started {work}", f"{who} finished {work}", f"{who} did not finish {work}",
            f"did {who} start {work}?", f"did {who} finish {work}?",
        )  # fmt: skip
    weak, occasion = draw.cell["scale"].partition(" ")[0], slots["occasion"]
    phrase, them = occasion.act.phrase, f"of the {occasion.who(slots['tie'])}"
    lower = "any" if weak == "some" else "most"
    return _Told(
        f"{weak} {them} {phrase.past}", f"all {them} {phrase.past}", f"not all {them} {phrase.past}",
        f"did {lower} {them} {phrase.base}?", f"did all {them} {phrase.base}?",
    )  # fmt: skip


def _premise(draw: Draw, context: str, told: _Told) -> str:
    """The context and the weaker sentence."""
    pattern = draw.rng.pick(CONTEXTS[context])
    asked = told.lower if context == "lower question" else told.upper
    before = pattern.replace("S.", f"{told.strong}.") if context == "high stakes" else pattern
    if before.endswith("Q"):
        before = before.removesuffix("Q") + (asked if len(before) > 1 else grammar.sentence(asked, end=""))
    return grammar.join(before, grammar.sentence(told.weak))


def _tags(context: str, *, cancelled: bool) -> dict[str, str]:
    kind, _, noun = context.partition(" ")
    found = {
        "context": noun or "none",
        "qud": kind if noun == "question" else "none",
        "speaker": kind if noun == "knowledge" else "unstated",
        "stakes": "high" if noun == "stakes" else "unstated",
    }
    return {**found, "cancelled": "yes" if cancelled else "no"}


def _build(draw: Draw) -> list[NewItem]:
    told, others = _told(draw, draw.slots), _told(draw, _elsewhere(draw))
    hypotheses = {"not S": told.not_strong, "S": told.strong}
    rows = []
    for context in CONTEXTS:
        premise = _premise(draw, context, told)
        for name, hypothesis in hypotheses.items():
            tags = {"role": "target", "condition": f"W/{name}", **_tags(context, cancelled=False)}
            rows.append(NewItem(premise, grammar.sentence(hypothesis), context_labels(context, name), tags))
    unrelated = {"not S": others.not_strong, "S": others.strong}
    for place, context in enumerate(TAKEN_BACK):
        premise = grammar.join(_premise(draw, context, told), grammar.sentence("in fact,", told.strong))
        # One of the two is asked of others, of whom nothing is said; over the four contexts each as often.
        asked = ("not S", "S")[place % 2]
        for name, hypothesis in hypotheses.items():
            rows.append(_control(premise, hypothesis, context_labels(context, name, cancelled=True), name, context))
        rows.append(_control(premise, unrelated[asked], dict.fromkeys(READINGS, N), f"{asked} of others", context))
    return rows


READINGS = ("logical", "pragmatic", "default")


def _control(premise: str, hypothesis: str, gold: Mapping[str, str], name: str, context: str) -> NewItem:
    control = CONTROL_NAMES[gold["logical"]]
    tags = {"role": "control", "condition": f"W, S/{name}", "control": control, **_tags(context, cancelled=True)}
    return NewItem(premise, grammar.sentence(hypothesis), gold, tags)


scalar_contexts = Phenomenon(
    name="scalar_contexts",
    kind="context",
    what=(
        "The weaker word of a scale after a question, from a speaker who knows or does not, where much depends on it, and taken back: when does "
        "\"some\" give \"not all\"?"
    ),
    why=(
        "The implicature is drawn where the stronger word matters and the speaker would know of it. After \"Did all of them leave?\" \"Some did\" gives "
        "\"not all\"; after \"Did any of them leave?\" it answers the question and the stronger word is beside the point, so \"not all\" is open; a speaker who did "
        "not see everything may not know. \"In fact, all of them did\" takes the implicature back: \"not all\" is then contradicted under every reading, and "
        "these pairs, with others about whom nothing is said, are the controls. The reading `default` is Levinson's (2000), on which \"some\" suggests \"not all\" "
        "whatever was asked."
    ),
    slots=_slots,
    build=_build,
    rows=24,
    readings=READINGS,
    tags=TAGS,
    conditions={"scale": ("some - all", "most - all", "start - finish")},
    marked=("scale",),
    fixed=("some", "most", "all", "start", "finish", "any"),
    references=(
        "van Kuppevelt (1996), Inferring from Topics.", "Zondervan (2010), Scalar Implicatures or Focus.", "Bergen and Grodner (2012), Speaker Knowledge Influences the "
        "Comprehension of Pragmatic Inferences.", "Goodman and Stuhlmüller (2013), Knowledge and Implicature.", "Levinson (2000), Presumptive Meanings.",
    ),
)  # fmt: skip
