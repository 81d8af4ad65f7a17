"""Pairs with operators, made from clauses and labelled pairs; the label follows from how."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tools.mini.clauses import Clause
from tools.mini.operators import (
    AFFIRMATIONS,
    CONSEQUENCES,
    can_negate,
    condition,
    declare,
    deny,
    describe,
    emphasize,
    finish,
    negate,
    possibility,
    question,
    report,
)
from tools.mini.quantities import amount_pair

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS = ("entailment", "neutral", "contradiction")
FLIPPED = {ENTAILMENT: CONTRADICTION, CONTRADICTION: ENTAILMENT, NEUTRAL: NEUTRAL}
# A premise with one of these may presuppose what an operator leaves untouched; such premises are
# put under operators only with the clause itself as hypothesis.
PRESUPPOSING = {
    *("the", "this", "that", "these", "those", "his", "her", "their", "its", "my", "our", "your"),
    *("again", "still", "too", "also", "even", "only", "just", "another", "other", "both", "all"),
    *("who", "which", "when", "while", "after", "before", "because", "since", "first", "last"),
    *("more", "than", "back", "already", "yet", "anymore", "every", "each", "whose", "where"),
}
PRESUPPOSING_STEMS = (
    *("stop", "start", "begin", "began", "begun", "continu", "finish", "quit", "return", "resum"),
    *("kn", "realiz", "realis", "notic", "discover", "forg", "rememb", "regret", "manag", "fail"),
    *("see", "saw", "find", "found", "leav", "left", "arriv", "wak", "marr", "clos", "open"),
)
DETERMINERS = {"a", "an", "the", "two", "three", "four", "five", "six", "this", "that"} | {
    *("these", "those", "her", "his", "their", "another")
}
WEAK = ("perhaps {}", "maybe {}", "possibly {}", "it is possible that {}", "it may be that {}")
Pair = tuple[str, str, str]


@dataclass
class Texts:
    """What pairs are made of.

    Attributes:
        pairs: Labelled pairs: premise, hypothesis, label.
        clauses: The clauses of their texts.
    """

    pairs: Sequence[Pair]
    clauses: dict[str, Clause]
    all: list[Clause] = field(init=False)
    denied: list[Clause] = field(init=False)
    counted: list[Clause] = field(init=False)
    turned_hypotheses: list[Pair] = field(init=False)
    turned_premises: list[Pair] = field(init=False)

    def __post_init__(self) -> None:
        self.all = list(self.clauses.values())
        self.denied = [clause for clause in self.all if can_negate(clause)]
        self.counted = [clause for clause in self.all if clause.counted]
        self.turned_hypotheses = [
            pair
            for pair in self.pairs
            if pair[1] in self.clauses and can_negate(self.clauses[pair[1]])
        ]
        self.turned_premises = [
            pair
            for pair in self.pairs
            if pair[0] in self.clauses and pair[2] != NEUTRAL and not presupposes(pair[0])
        ]


def presupposes(text: str) -> bool:
    """Return whether a text may presuppose more than it states; names count as well."""
    words = text.replace("'s", " his ").rstrip(".").split()
    return any(
        word.lower() in PRESUPPOSING
        or word.lower().startswith(PRESUPPOSING_STEMS)
        or (n and word[0].isupper())
        for n, word in enumerate(words)
    )


def negated_clause(texts: Texts, draw: random.Random) -> Pair:
    """Pair a clause with its negation, in either order, once or twice."""
    clause = _pick(texts, draw)
    plain, negated = declare(clause), negate(clause, draw)
    if draw.random() < 0.15:
        plain = emphasize(clause)
    denied, denied_twice = deny(plain, draw), deny(negated, draw)
    affirmed = draw.choice(AFFIRMATIONS).format(plain)
    first, second, label = draw.choices(
        (
            (plain, negated, CONTRADICTION),
            (negated, plain, CONTRADICTION),
            (denied, plain, CONTRADICTION),
            (plain, denied, CONTRADICTION),
            (denied, negated, ENTAILMENT),
            (negated, denied, ENTAILMENT),
            (negated, negate(clause, draw), ENTAILMENT),
            (denied_twice, plain, ENTAILMENT),
            (denied_twice, negated, CONTRADICTION),
            (plain, denied_twice, ENTAILMENT),
            (affirmed, plain, ENTAILMENT),
            (affirmed, negated, CONTRADICTION),
        ),
        (3, 4, 3, 2, 2, 2, 2, 2, 1, 1, 3, 1),
    )[0]
    return finish(first), finish(second), label


def negated_hypothesis(texts: Texts, draw: random.Random) -> Pair:
    """Negate the hypothesis of a labelled pair, once or twice."""
    premise, hypothesis, label = draw.choice(texts.turned_hypotheses)
    clause = texts.clauses[hypothesis]
    negated, kind = negate(clause, draw), draw.random()
    if kind < 0.7:
        return premise, finish(negated), FLIPPED[label]
    if kind < 0.9:
        return premise, finish(deny(declare(clause), draw)), FLIPPED[label]
    return premise, finish(deny(negated, draw)), label


def open_question(texts: Texts, draw: random.Random) -> Pair:
    """Pair a question with its clause, the negation, or what the clause would (not) entail."""
    return _left_open(texts, draw, question)


def open_possibility(texts: Texts, draw: random.Random) -> Pair:
    """Pair a possibility with its clause, the negation, or what the clause would (not) entail."""
    return _left_open(texts, draw, possibility)


def open_condition(texts: Texts, draw: random.Random) -> Pair:
    """Pair a conditional with either of its clauses, or draw the conclusion from both."""
    first = _pick(texts, draw) if draw.random() < 0.4 else draw.choice(texts.all)
    other = draw.choice(texts.all)
    second = declare(other) if draw.random() < 0.5 else draw.choice(CONSEQUENCES)
    text = finish(condition(declare(first), second, draw))
    kind = draw.random()
    if kind < 0.6:
        return text, finish(_or_negated(first, draw)), NEUTRAL
    if kind < 0.75:
        return text, finish(second), NEUTRAL
    # With the antecedent, the consequent follows.
    text = f"{finish(f'if {declare(first)}, {second}')} {finish(declare(first))}"
    if kind < 0.9 or not can_negate(first):
        return text, finish(draw.choice((second, declare(first)))), ENTAILMENT
    return text, finish(negate(first, draw)), CONTRADICTION


def disjunction(texts: Texts, draw: random.Random) -> Pair:
    """Pair a disjunction with one of its clauses; or with the other one excluded."""
    first, second = draw.sample(texts.denied, 2)
    one, two = declare(first), declare(second)
    text = finish(draw.choice(("{} or {}.", "either {} or {}.")).format(one, two))
    kind = draw.random()
    if kind < 0.55:
        chosen = draw.choice((first, second))
        return text, finish(_or_negated(chosen, draw)), NEUTRAL
    if kind < 0.85:
        text = f"{text} {finish(negate(first, draw))}"
        return text, *draw.choice(
            (
                (finish(two), ENTAILMENT),
                (finish(one), CONTRADICTION),
                (finish(negate(second, draw)), CONTRADICTION),
            )
        )
    turned = finish(f"either {two} or {one}")
    return text, turned, ENTAILMENT


def reported(texts: Texts, draw: random.Random) -> Pair:
    """Pair what somebody says with its content; or with a verdict on it."""
    clause = draw.choice(texts.denied)
    text = finish(report(clause, draw))
    kind = draw.random()
    if kind < 0.6:
        return text, finish(_or_negated(clause, draw)), NEUTRAL
    if kind < 0.8:
        verdict = draw.choice(("But that is false.", "That is a lie.", "But it is not true."))
        return f"{text} {verdict}", finish(declare(clause)), CONTRADICTION
    verdict = draw.choice(("And that is true.", "This is correct.", "And so it is."))
    return f"{text} {verdict}", finish(declare(clause)), ENTAILMENT


def beside_operator(texts: Texts, draw: random.Random) -> Pair:
    """State one clause and leave open or deny another; ask for the one that is stated or not."""
    stated, other = draw.sample(texts.denied, 2)
    kind = draw.choice((question, possibility, report, None))
    second = kind(other, draw) if kind else deny(declare(other), draw)
    parts = [finish(declare(stated)), finish(second)]
    if draw.random() < 0.5:
        parts.reverse()
    text = " ".join(parts)
    choice = draw.random()
    if choice < 0.45:
        return text, finish(declare(stated)), ENTAILMENT
    if choice < 0.65:
        return text, finish(negate(stated, draw)), CONTRADICTION
    return text, finish(declare(other)), NEUTRAL if kind else CONTRADICTION


def operator_in_hypothesis(texts: Texts, draw: random.Random) -> Pair:
    """Put the operator into the hypothesis, or into both texts."""
    clause, other = draw.sample(texts.denied, 2)
    plain, negated = declare(clause), negate(clause, draw)
    kind = draw.randrange(6)
    if kind == 0:
        first, second = (finish(form.format(plain)) for form in draw.sample(WEAK, 2))
        return first, second, ENTAILMENT
    if kind == 1:
        return finish(negated), finish(draw.choice(WEAK).format(plain)), CONTRADICTION
    if kind == 2:
        denied = draw.choice((f"maybe {negated}", f"perhaps {negated}", deny(plain, draw)))
        return finish(plain), finish(denied), CONTRADICTION
    if kind == 3:
        turned = finish(draw.choice(("if {0}, {1}.", "{1} if {0}.")).format(declare(other), plain))
        return finish(declare(other)), turned, NEUTRAL
    if kind == 4:
        open_forms: tuple[Callable[[Clause, random.Random], str], ...] = (possibility, report)
        return finish(plain), finish(draw.choice(open_forms)(other, draw)), NEUTRAL
    condition_text = f"if {declare(other)}, {plain}"
    return finish(condition_text), finish(f"{plain} if {declare(other)}"), ENTAILMENT


def counted(texts: Texts, draw: random.Random) -> Pair:
    """Pair two numbers or quantifiers before one clause."""
    return amount_pair(draw.choice(texts.counted), draw)


def described_subject(texts: Texts, draw: random.Random) -> Pair:
    """Pair a clause that has a relative clause at its subject with the clause or its negation."""
    clause, other = _describable(texts, draw)
    whole = finish(declare(describe(clause, other, draw)))
    if draw.random() < 0.5:
        return whole, finish(declare(clause)), ENTAILMENT
    return whole, finish(negate(clause, draw)), CONTRADICTION


def longer_premise(texts: Texts, draw: random.Random) -> Pair:
    """Put statements about other things before and behind the premise of a labelled pair."""
    premise, hypothesis, label = draw.choice(texts.pairs)
    others = [finish(declare(draw.choice(texts.all))) for _ in range(draw.choice((1, 1, 2, 3)))]
    others.insert(draw.randrange(len(others) + 1), finish(premise))
    return " ".join(others), hypothesis, label


MAKERS: dict[Callable[[Texts, random.Random], Pair], int] = {
    negated_clause: 13,
    negated_hypothesis: 11,
    open_question: 15,
    open_possibility: 14,
    open_condition: 14,
    disjunction: 6,
    reported: 5,
    beside_operator: 9,
    operator_in_hypothesis: 5,
    counted: 8,
    described_subject: 4,
    longer_premise: 4,
}


def make_pairs(texts: Texts, n: int, seed: int) -> list[Pair]:
    """Return that many pairs, the same for the same seed."""
    draw = random.Random(seed)
    makers = draw.choices(list(MAKERS), list(MAKERS.values()), k=n)
    return [_vary(maker(texts, draw), draw) for maker in makers]


def _left_open(
    texts: Texts, draw: random.Random, operator: Callable[[Clause, random.Random], str]
) -> Pair:
    if draw.random() < 0.75:
        clause = _pick(texts, draw) if draw.random() < 0.4 else draw.choice(texts.all)
        return finish(operator(clause, draw)), finish(_or_negated(clause, draw)), NEUTRAL
    premise, hypothesis, _ = draw.choice(texts.turned_premises)
    return finish(operator(texts.clauses[premise], draw)), hypothesis, NEUTRAL


def _pick(texts: Texts, draw: random.Random) -> Clause:
    """Return a clause that can be negated, sometimes with a relative clause at its subject."""
    if draw.random() < 0.35:
        return describe(*_describable(texts, draw), draw)
    return draw.choice(texts.denied)


def _describable(texts: Texts, draw: random.Random) -> tuple[Clause, Clause]:
    """Return two clauses of which the second can describe the subject of the first."""
    while True:
        clause, other = draw.sample(texts.denied, 2)
        subject = clause.subject.split()
        is_noun = len(subject) > 1 and subject[0] in DETERMINERS and "," not in clause.subject
        has_short_predicate = len(other.rest.split()) < 8 and other.subject != "there"
        if is_noun and has_short_predicate and clause.plural == other.plural:
            return clause, other


def _or_negated(clause: Clause, draw: random.Random) -> str:
    if draw.random() < 0.25 and can_negate(clause):
        return negate(clause, draw)
    return declare(clause)


def _vary(pair: Pair, draw: random.Random) -> Pair:
    """Leave out a final full stop here and there, as the training texts do."""
    premise, hypothesis, label = pair
    if draw.random() < 0.2:
        hypothesis = hypothesis.removesuffix(".")
    if draw.random() < 0.08:
        premise = premise.removesuffix(".")
    return premise, hypothesis, label
