"""Write a clause as a question, a negation, a possibility, a condition or a report."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from tools.mini.clauses import Clause

MODALS = {"can", "could", "will", "would", "shall", "should", "may", "might", "must"}
CONTRACTED = {"am": "am not", "can": "can't", "will": "won't", "shall": "shall not"} | {
    "may": "may not",
    "might": "might not",
}
# Under these subjects a negated verb does not contradict the statement: some do and some do not.
QUANTIFIED = {
    *("some", "many", "several", "most", "few", "all", "every", "each", "everyone", "everybody"),
    *("both", "any", "one", "someone", "somebody", "something", "others", "half", "part"),
}
DENIALS = (
    *("it is not true that {}", "it is not the case that {}", "it's not true that {}"),
    *("it is false that {}", "it isn't the case that {}", "it is wrong that {}"),
)
DOUBTS = (
    *("is it true that {}?", "is it the case that {}?", "do you think that {}?"),
    *("does anyone know whether {}?", "could it be that {}?", "who knows whether {}?"),
)
OPEN_QUESTIONS = (
    *("nobody can say whether {}.", "it is unclear whether {}.", "we wonder if {}."),
    *("the question is whether {}.", "they asked whether {}.", "it is not known whether {}."),
)
POSSIBILITIES = (
    *("perhaps {}.", "maybe {}.", "possibly {}.", "it is possible that {}.", "it may be that {}."),
    *("it might be that {}.", "it could be that {}.", "there is a possibility that {}."),
    *("it is likely that {}.", "probably {}.", "{}, perhaps.", "conceivably, {}."),
)
MODAL_VERBS = ("might", "may", "could", "should", "might well", "ought to", "may well")
CONDITIONALS = (
    *("if {}, {}.", "if {}, then {}.", "provided that {}, {}.", "assuming that {}, {}."),
    *("in case {}, {}.", "as long as {}, {}.", "unless {}, {}.", "supposing {}, {}."),
)
REVERSED_CONDITIONALS = ("{1} if {0}.", "{1} in case {0}.", "{1}, provided that {0}.")
CONSEQUENCES = (
    *("nobody will complain", "we can go home", "there will be a party", "that is good news"),
    *("the neighbours will hear of it", "everybody will be surprised", "the bus will be late"),
    *("everything is in order", "someone will write about it", "the plan works", "I am happy"),
    *("we have no reason to worry", "they will come later", "the shop will close early"),
    *("the rest is easy", "a lot of money was saved", "her mother will be proud"),
)
REPORTS = (
    *("according to {0}, {1}.", "{0} said that {1}.", "{0} says that {1}.", "{0} claims that {1}."),
    *("{1}, according to {0}.", "{0} claimed that {1}.", "if we are to believe {0}, {1}."),
)
SOURCES = (
    *("the newspaper", "a neighbour", "her brother", "the report", "one of the witnesses"),
    *("the guide", "my cousin", "a passer-by", "the radio", "the caption", "an old friend"),
)
AFFIRMATIONS = (
    *("it is true that {}.", "it is the case that {}.", "certainly, {}.", "sure enough, {}."),
    *("indeed, {}.", "without a doubt, {}."),
)


def declare(clause: Clause) -> str:
    """Return the statement, without capital and full stop."""
    return _join(clause.subject, clause.finite, clause.rest)


def can_negate(clause: Clause) -> bool:
    """Return whether the negated verb contradicts the statement."""
    words = clause.subject.lower().split()
    return QUANTIFIED.isdisjoint(words) and clause.finite.lower() not in MODALS - {"can", "will"}


def negate(clause: Clause, draw: random.Random) -> str:
    """Return the statement with its verb negated."""
    contracted = draw.random() < 0.5
    helper = clause.finite if clause.auxiliary else _do(clause)
    if contracted:
        negated = CONTRACTED.get(helper, helper + "n't")
    else:
        negated = "cannot" if helper == "can" else f"{helper} not"
    return _join(clause.subject, negated, "" if clause.auxiliary else clause.base, clause.rest)


def emphasize(clause: Clause) -> str:
    """Return the statement with "do" where it has no other auxiliary."""
    if clause.auxiliary:
        return declare(clause)
    return _join(clause.subject, _do(clause), clause.base, clause.rest)


def describe(clause: Clause, other: Clause, draw: random.Random) -> Clause:
    """Return the clause with a relative clause at its subject, often a negated one."""
    predicate = replace(other, subject=draw.choice(("who", "that")), plural=clause.plural)
    is_negated = draw.random() < 0.7
    relative = negate(predicate, draw) if is_negated else declare(predicate)
    return replace(clause, subject=f"{clause.subject} {relative}")


def ask(clause: Clause) -> str:
    """Return the yes-no question, without capital."""
    if clause.auxiliary:
        return _join(clause.finite, clause.subject, clause.rest) + "?"
    return _join(_do(clause), clause.subject, clause.base, clause.rest) + "?"


def can_take_modal(clause: Clause) -> bool:
    """Return whether a modal verb fits the clause."""
    return not (clause.auxiliary and clause.base not in {"be", "have", *MODALS})


def add_modal(clause: Clause, modal: str) -> str:
    """Return the statement with a modal verb in place of its tense."""
    base = "" if clause.finite.lower() in MODALS else clause.base
    return _join(clause.subject, modal, base, clause.rest)


def deny(text: str, draw: random.Random) -> str:
    """Return a statement that is said to be false."""
    return draw.choice(DENIALS).format(text)


def question(clause: Clause, draw: random.Random) -> str:
    """Return a sentence that leaves open whether the clause is true."""
    kind = draw.random()
    if kind < 0.6:
        return ask(clause)
    return draw.choice(DOUBTS if kind < 0.8 else OPEN_QUESTIONS).format(declare(clause))


def possibility(clause: Clause, draw: random.Random) -> str:
    """Return a sentence by which the clause is possible."""
    if can_take_modal(clause) and draw.random() < 0.5:
        return add_modal(clause, draw.choice(MODAL_VERBS)) + "."
    return draw.choice(POSSIBILITIES).format(declare(clause))


def condition(first: str, second: str, draw: random.Random) -> str:
    """Return a conditional; which of the texts is the consequent depends on the form."""
    forms: Sequence[str] = CONDITIONALS if draw.random() < 0.75 else REVERSED_CONDITIONALS
    weights = [6 if form.startswith(("if", "{1} if")) else 1 for form in forms]
    return draw.choices(forms, weights)[0].format(first, second)


def report(clause: Clause, draw: random.Random) -> str:
    """Return a sentence in which somebody else says so."""
    return draw.choice(REPORTS).format(draw.choice(SOURCES), declare(clause))


def finish(text: str) -> str:
    """Return text with a capital and a final mark."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."


def _do(clause: Clause) -> str:
    """Return the form of "do" in the tense and number of the verb."""
    if clause.finite == clause.base:
        return "do" if clause.plural or clause.subject.lower() in {"i", "you"} else "did"
    is_present = clause.finite.endswith("s") and not clause.plural
    return "does" if is_present else "did"


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)
