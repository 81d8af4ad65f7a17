"""Exclusion rules of the campaign's file, applied at export, with a flow count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from grice.collecting.campaign import Exclude
from grice.collecting.counts import attention_results
from grice.collecting.instrument import ends
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import Answer, Scale

# A numeric control is right within this share of its scale.
NEAR = 0.25
CONTROL = "control"


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


def apply_rules(store: Store, data: Dataset, rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the people whom the campaign's rules exclude, each with the first rule that does.

    People excluded by hand stay so; those named in `keep` are kept, whatever the rules say.
    """
    rules = store.campaign.exclude
    if rules is None:
        return {}
    by_person: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["kind"] == "work" and row["state"] in ("answered", "skipped"):
            by_person[row["person"]].append(row)
    controls = {item.id: item for item in data.items() if item.tags.get("role") == CONTROL}
    reasons = {}
    for person, answered in by_person.items():
        if person in rules.keep:
            continue
        reason = _reason(rules, store, int(person.rpartition("/")[2]), answered, controls)
        if reason:
            reasons[person] = reason
    return reasons


def _reason(
    rules: Exclude,
    store: Store,
    number: int,
    rows: list[Mapping[str, Any]],
    controls: Mapping[str, Item],
) -> str:
    """Return the first rule that excludes a person, or ""."""
    person = store.person(number)
    replies = person.replies if person is not None else {}
    for name, wanted in rules.questions.items():
        if replies.get(name, wanted) != wanted:
            return f"{name} is not {wanted}"
    with store.read() as connection:
        missed = len(attention_results(connection, store, number)[1])
    length = max(map(len, store.plan.lists)) if store.plan else len(rows)
    answers = Counter(row["answer"] for row in rows if "answer" in row)
    tests = {
        "attention": 0 < rules.attention <= missed,
        "reaction time": _is_fast(rows, rules.median_ms),
        "controls": _right_share(rows, controls, store.instrument.scale) < rules.controls,
        "same answer": answers.total() > 1 and _is_one_answer(answers, rules.same_answer),
        "incomplete": answers.total() < rules.complete * length,
    }
    return next((name for name, is_met in tests.items() if is_met), "")


def _is_fast(rows: list[Mapping[str, Any]], limit: int) -> bool:
    times = [row["ms"] for row in rows if "ms" in row]
    return bool(times) and median(times) < limit


def _is_one_answer(answers: Counter[Answer], share: float) -> bool:
    return 0 < share * answers.total() <= max(answers.values())


def _right_share(
    rows: list[Mapping[str, Any]], controls: Mapping[str, Item], scale: Scale
) -> float:
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
