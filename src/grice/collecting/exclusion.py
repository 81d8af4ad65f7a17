"""Exclusion rules of the campaign's file, applied at export, with a flow count."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from grice.collecting.audit import COMMAND, record
from grice.collecting.campaign import Exclude
from grice.collecting.counts import attention_missed
from grice.collecting.facts import ATTENTION, LEFT_OUT, WORK, write_meta
from grice.collecting.instrument import ends
from grice.collecting.overview import SETTLED, ratings
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import Answer, Scale

# A numeric control is right within this share of its scale.
NEAR = 0.25
CONTROL = "control"
RatingRow = Mapping[str, Any]


@dataclass(frozen=True)
class Flow:
    """How many people started, were left out by each reason, and were kept."""

    started: int
    reasons: Mapping[str, int]

    @property
    def kept(self) -> int:
        """People whose answers count."""
        return self.started - sum(self.reasons.values())

    def __str__(self) -> str:
        reasons = "; ".join(f"{reason}: {n}" for reason, n in self.reasons.items())
        return f"{self.started} started, {self.kept} kept" + (
            f" (left out: {reasons})" if reasons else ""
        )


def apply_rules(store: Store, data: Dataset, rows: Iterable[RatingRow]) -> dict[str, str]:
    """Return the people whom the campaign's rules exclude, each with the first rule that does.

    People excluded by hand stay so; those named in `keep` are kept, whatever the rules say.
    """
    rules = store.campaign.exclude
    if rules is None:
        return {}
    rows_of: dict[str, list[RatingRow]] = defaultdict(list)
    for row in rows:
        if row["state"] in SETTLED and row["person"] not in rules.keep:
            rows_of[row["person"]].append(row)
    controls = {item.id: item for item in data.items() if item.tags.get("role") == CONTROL}
    reasons = {person: _reason(rules, store, own, controls) for person, own in rows_of.items()}
    return {person: reason for person, reason in reasons.items() if reason}


def free_places(store: Store, data: Dataset, flow: Flow) -> None:
    """Free the places in lists of people whom the rules leave out, and note it in the audit log."""
    reasons = apply_rules(store, data, ratings(store))
    numbers = sorted(int(person.rpartition("/")[2]) for person in reasons)
    with store.write() as connection:
        write_meta(connection, LEFT_OUT, json.dumps(numbers))
        record(connection, store.clock(), COMMAND, "applied exclusion rules", str(flow))


def _reason(
    rules: Exclude, store: Store, rows: Sequence[RatingRow], controls: Mapping[str, Item]
) -> str:
    """Return the first rule that excludes a person, or ""."""
    for name, wanted in rules.questions.items():
        if rows[0].get("replies", {}).get(name, wanted) != wanted:
            return f"{name} is not {wanted}"
    work = [row for row in rows if row["kind"] == WORK]
    attention = ((row["id"], row.get("answer")) for row in rows if row["kind"] == ATTENTION)
    length = store.plan.longest if store.plan else len(work)
    answers = Counter(row["answer"] for row in work if "answer" in row)
    tests = {
        "attention": 0 < rules.attention <= len(attention_missed(store, attention)),
        "reaction time": _is_fast(work, rules.median_ms),
        "controls": _right_share(work, controls, store.instrument.scale) < rules.controls,
        "same answer": answers.total() > 1 and _is_one_answer(answers, rules.same_answer),
        "incomplete": answers.total() < rules.complete * length,
    }
    return next((name for name, is_met in tests.items() if is_met), "")


def _is_fast(rows: Sequence[RatingRow], limit: int) -> bool:
    times = [row["ms"] for row in rows if "ms" in row]
    return bool(times) and median(times) < limit


def _is_one_answer(answers: Counter[Answer], share: float) -> bool:
    return 0 < share * answers.total() <= max(answers.values())


def _right_share(rows: Sequence[RatingRow], controls: Mapping[str, Item], scale: Scale) -> float:
    """Return the share of a person's controls that are right; 1 without controls."""
    right = [
        _is_right(controls[row["id"]], row["answer"], scale)
        for row in rows
        if row["id"] in controls and "answer" in row
    ]
    return sum(right) / len(right) if right else 1.0


def _is_right(item: Item, answer: Answer, scale: Scale) -> bool:
    """Return whether a control is answered as any of its gold answers says."""
    golds = [gold for gold in item.gold.values() if scale.accepts(gold)]
    if isinstance(answer, str):
        return answer in golds
    low, high = ends(scale)
    tolerance = NEAR * (high - low)
    return any(isinstance(gold, int | float) and abs(answer - gold) <= tolerance for gold in golds)


def count_flow(people: Mapping[str, str | None]) -> Flow:
    """Return the flow of people, by the reason of each or None."""
    reasons = Counter(reason for reason in people.values() if reason)
    return Flow(len(people), dict(reasons.most_common()))
