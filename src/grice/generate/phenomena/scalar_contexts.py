"""Scalar terms in context: question under discussion, speaker's knowledge, stakes, cancelling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from grice.generate import grammar
from grice.generate._everyday import PRONOUNS, pick_name
from grice.generate._scenes import TIES, occasions, read_act
from grice.generate.lexicon import Words, table, word_list
from grice.generate.phenomenon import Conditions, Draw, NewItem, Phenomenon, Slots, texts
from grice.theory.contexts import context_labels
from grice.theory.worlds import N


def _wordings(said_of: str) -> Mapping[str, tuple[str, ...]]:
    return {
        row["context"]: tuple(row["wordings"].split(" | "))
        for row in table("contexts")
        if row["said_of"] == said_of
    }


CONTEXTS = _wordings("any")
# What one saw of work that goes on for a while.
AT_WORK = _wordings("work")
# Work that one starts and finishes at one go.
WORKS = word_list("works at one go")
# What anyone may have done anywhere and the police, doctors and inspectors want to know: one for
# each act of a scene, so that none comes twice.
AT_STAKE = word_list("acts at stake")
OTHER_GENDER = {"f": "m", "m": "f"}
# Contexts whose sentence is also taken back: as many as are enriched, so that neither hypothesis
# gives its answer away.
TAKEN_BACK = ("none", "upper question", "full knowledge", "high stakes")
TAGS = (
    "kind",
    "phenomenon",
    "role",
    "condition",
    "context",
    "qud",
    "speaker",
    "stakes",
    "cancelled",
    "scale",
)


class _Assertions(NamedTuple):
    """Statements about one group or person: full clauses, short forms, and questions."""

    weak: str
    strong: str
    not_strong: str
    short_weak: str
    short_strong: str
    lower: str
    upper: str
    lower_question: str
    upper_question: str
    group: str = ""
    of_them: str = ""


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["scale"] == "start - finish":
        return {"work": [f"the {work}" for work in WORKS], "subject": words.named_people}
    return {"occasion": occasions(), "tie": TIES}


def _elsewhere(draw: Draw) -> Mapping[str, Any]:
    """Return slots for other people or other work, which the premise does not mention."""
    if "work" in draw.slots:
        return {**draw.slots, "work": draw.rng.pick_other(draw.options["work"], draw["work"])}
    return {**draw.slots, "tie": draw.rng.pick_other(TIES, draw["tie"])}


def _at_stake(slots: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the same people with an act about which the answer matters."""
    if "work" in slots:
        return slots
    occasion = slots["occasion"]
    phrase = read_act(AT_STAKE[occasion.crowd.scene.acts.index(occasion.act)])
    return {**slots, "occasion": occasion._replace(act=occasion.act._replace(phrase=phrase))}


def _statements(draw: Draw, slots: Mapping[str, Any]) -> _Assertions:
    if "work" in slots:
        who, work, she = slots["subject"].text, slots["work"], PRONOUNS[slots["subject"].gender]
        started, finished = f"{who} started {work}", f"{who} finished {work}"
        return _Assertions(
            started,
            finished,
            f"{who} did not finish {work}",
            f"{she} started it",
            f"{she} finished it",
            started,
            finished,
            f"did {who} start {work}?",
            f"did {who} finish {work}?",
        )
    weak, occasion = draw.cell["scale"].partition(" ")[0], slots["occasion"]
    phrase, them = occasion.act.phrase, f"of the {occasion.who(slots['tie'])}"
    low, every = f"any {them}" if weak == "some" else f"most {them}", f"all {them}"
    return _Assertions(
        f"{weak} {them} {phrase.past}",
        f"{every} {phrase.past}",
        f"not {every} {phrase.past}",
        f"{weak} of them did",
        "all of them did",
        f"{low} {phrase.past}",
        f"{every} {phrase.past}",
        f"did {low} {phrase.base}?",
        f"did {every} {phrase.base}?",
        them.removeprefix("of "),
        f"{weak} of them {phrase.past}",
    )


def _premise(draw: Draw, context: str, statements: _Assertions) -> str:
    """Return the weaker sentence in its context."""
    pattern = draw.rng.pick(
        (AT_WORK if "work" in draw.slots else {}).get(context, CONTEXTS[context])
    )
    low = context == "lower question"
    parts = {
        "F": grammar.sentence(statements.weak, end=""),
        # "Yes" answers a question, not a sentence that tells of one.
        "P": grammar.sentence("yes," * (low and "Q" in pattern), statements.short_weak, end=""),
        "Q": grammar.sentence(
            statements.lower_question if low else statements.upper_question, end=""
        ),
        "U": statements.lower if low else statements.upper,
        "G": statements.group,
        "T": grammar.sentence(statements.of_them, end=""),
        # "He" is not who asks.
        "Z": pick_name(
            draw.rng,
            statements.weak,
            gender=OTHER_GENDER[draw["subject"].gender] if "subject" in draw.slots else "",
        ),
    }
    return re.sub(r"\b[FGPQTUZ]\b", lambda match: parts[match[0]], pattern)


def _tags(context: str, *, cancelled: bool) -> dict[str, str]:
    kind, _, noun = context.partition(" ")
    tag_values = {
        "context": noun or "none",
        "qud": kind if noun == "question" else "none",
        "speaker": kind if noun == "knowledge" else "unstated",
        "stakes": "high" if noun == "stakes" else "unstated",
    }
    return {**tag_values, "cancelled": "yes" if cancelled else "no"}


def _build(draw: Draw) -> list[NewItem]:
    own, elsewhere = draw.slots, _elsewhere(draw)
    scenes, others = (
        {"": _statements(draw, who), "high stakes": _statements(draw, _at_stake(who))}
        for who in (own, elsewhere)
    )
    rows = []
    for context in CONTEXTS:
        scene = scenes.get(context, scenes[""])
        premise, tags = _premise(draw, context, scene), _tags(context, cancelled=False)
        for name, hypothesis in _asked(scene).items():
            gold = context_labels(context, name)
            rows.append(_row(premise, hypothesis, gold, ("target", f"W/{name}"), tags))
    for index, context in enumerate(TAKEN_BACK):
        scene, unrelated = scenes.get(context, scenes[""]), _asked(others.get(context, others[""]))
        premise = grammar.join(
            _premise(draw, context, scene), grammar.sentence("in fact,", scene.short_strong)
        )
        tags = _tags(context, cancelled=True)
        for name, hypothesis in _asked(scene).items():
            gold = context_labels(context, name, cancelled=True)
            rows.append(_row(premise, hypothesis, gold, ("control", f"W, S/{name}"), tags))
        # One of the two hypotheses is about others, whom the premise does not mention; over the
        # four contexts both are equally frequent.
        name = ("not S", "S")[index % 2]
        role_and_condition = "balance", f"W, S/{name} of others"
        rows.append(
            _row(premise, unrelated[name], dict.fromkeys(READINGS, N), role_and_condition, tags)
        )
    return rows


def _asked(statements: _Assertions) -> dict[str, str]:
    """Return the two hypotheses about the statements."""
    return {"not S": statements.not_strong, "S": statements.strong}


READINGS = ("logical", "pragmatic", "default")


def _row(
    premise: str,
    hypothesis: str,
    gold: Mapping[str, str],
    role_and_condition: tuple[str, str],
    tags: Mapping[str, str],
) -> NewItem:
    """Return a pair with this role and condition."""
    role_tags = dict(zip(("role", "condition"), role_and_condition, strict=True))
    return NewItem(premise, grammar.sentence(hypothesis), gold, {**role_tags, **tags})


scalar_contexts = Phenomenon(
    name="scalar_contexts",
    **texts("scalar_contexts"),
    kind="context",
    slots=_slots,
    build=_build,
    rows=24,
    readings=READINGS,
    tags=TAGS,
    conditions={"scale": ("some - all", "most - all", "start - finish")},
    marked=("scale",),
    fixed=("some", "most", "all", "start", "finish", "any"),
)
