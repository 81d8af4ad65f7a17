"""Simulated people: a campaign is filled before the first participant, to try its analysis.

Each person has a level, each item and each condition an effect, on a latent scale of standard
deviations; careless people answer at random, bots always give the same answer at once. What is
sent goes through the same checks as what a browser sends.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from grice.collecting.campaign import PersonQuestion
from grice.collecting.instrument import AnswerField
from grice.collecting.store import Store
from grice.collecting.work import answer, claim
from grice.core.dataset import Dataset
from grice.core.scale import Answer
from grice.theory.slider import STEPS, step

CAREFUL, CARELESS, BOT = "careful", "careless", "bot"


@dataclass(frozen=True)
class SimulatedPeople:
    """How many simulated people there are of each kind, and their effects.

    `leave` of them stop after a page or two. Conditions are `effect` apart in order of their
    names; people and items vary by the standard deviations given, single answers by 1.
    """

    people: int = 30
    leave: int = 0
    careless: int = 0
    bots: int = 0
    effect: float = 0.8
    person_sd: float = 0.5
    item_sd: float = 0.3
    seed: int = 0


class SteppedClock:
    """A clock that the simulation moves on."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def simulate(
    store: Store, data: Dataset, crowd: SimulatedPeople, clock: SteppedClock
) -> dict[str, int]:
    """Let a crowd answer an empty campaign, one after the other; returns how many did what."""
    draw = random.Random(crowd.seed)
    kinds = [CARELESS] * crowd.careless + [BOT] * crowd.bots
    kinds += [CAREFUL] * (crowd.people - len(kinds))
    leaves = [True] * crowd.leave + [False] * (crowd.people - crowd.leave)
    draw.shuffle(kinds)
    draw.shuffle(leaves)
    truth = _Truth(store, data, crowd)
    counts = {"people": 0, "answers": 0, "left": 0}
    for kind, may_leave in zip(kinds, leaves, strict=True):
        person = store.arrive()
        if person is None:
            break
        store.mark(person, "started")
        # Nine of ten give the first option.
        answer_questions(
            store,
            person,
            store.campaign.questions,
            lambda options: options[0] if draw.random() < 0.9 else options[-1],
        )
        counts["people"] += 1
        level, page_number = draw.gauss(0, crowd.person_sd), 0
        last_page = draw.randrange(1, 3)
        while (page := claim(store, person)) is not None:
            page_number += 1
            if may_leave and page_number > last_page:
                store.mark(person, "finished")
                counts["left"] += 1
                break
            replies = {pair.pair: truth.reply(pair.pair, kind, level, draw) for pair in page.pairs}
            seconds = sum(reply["ms"] for reply in replies.values()) / 1000
            clock.now += max(seconds, store.campaign.work.least_seconds * len(replies))
            counts["answers"] += answer(store, person, page.id, replies).n_stored
        clock.now += 1.0
    return counts


def answer_questions(
    store: Store,
    person: int,
    questions: Sequence[PersonQuestion],
    choose: Callable[[Sequence[str]], str],
) -> None:
    """Answer questions about the person by one of the options, or a dash in their own words."""
    replies = {f"question-{q.name}": choose(q.options or ("–",)) for q in questions}
    store.answer_questions(store.known(person), replies)


class _Truth:
    """What simulated people answer to each pair."""

    def __init__(self, store: Store, data: Dataset, crowd: SimulatedPeople) -> None:
        draw = random.Random(f"{crowd.seed}/items")
        self.fields = store.instrument.fields
        self.items = store.items_by_pair()
        self.known = store.attention
        conditions = store.plan.conditions if store.plan else {}
        names = sorted(set(conditions.values()))
        self.means: dict[str, float] = {}
        for item in data.items():
            index = names.index(conditions[item.id]) if item.id in conditions else 0
            middle = crowd.effect * (index - (len(names) - 1) / 2) if names else 0.0
            self.means[item.id] = middle + draw.gauss(0, crowd.item_sd)

    def reply(self, pair: int, kind: str, level: float, draw: random.Random) -> dict[str, Any]:
        """Return a reply as the page would send it."""
        item = self.items[pair]
        ms = {CAREFUL: 1500, CARELESS: 500, BOT: 40}[kind] * draw.lognormvariate(0, 0.4)
        latent = self.means.get(item, 0.0) + level + draw.gauss(0, 1)
        share = {CAREFUL: NormalDist().cdf(latent), CARELESS: draw.random(), BOT: 1.0}[kind]
        known = self.known.get(item)
        values: dict[str, Answer] = {}
        for index, entry in enumerate(self.fields):
            is_known = known is not None and kind == CAREFUL and not index
            values[entry.name] = known.answer if is_known and known else _value(entry, share)
            if is_known and entry.widget in ("slider", "range"):
                values[entry.name] = _value(entry, _share_of(entry, values[entry.name]))
        return {"values": values, "ms": round(ms)}


def _share_of(entry: AnswerField, value: Answer) -> float:
    """Return where on a slider a value lies."""
    if entry.widget == "slider":
        return step(float(value)) / STEPS
    low, high = entry.ends
    return (float(value) - low) / (high - low)


def _value(entry: AnswerField, position: float) -> Answer:
    """Return the answer at a relative position (0 to 1) on a field's scale."""
    if entry.widget in ("slider", "range"):
        return round(position * STEPS)
    if entry.widget == "points":
        return entry.points[min(int(position * len(entry.points)), len(entry.points) - 1)]
    if entry.widget == "choice" and entry.scale is not None:
        labels = entry.scale.labels
        return labels[min(int((1 - position) * len(labels)), len(labels) - 1)]
    return (entry.suggestions or ("other",))[0]
