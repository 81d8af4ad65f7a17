"""Experimental design: Latin-square lists, fillers, who gets which list, and in which order."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select, update

from grice.collecting import tables as t
from grice.collecting.campaign import Design
from grice.collecting.facts import LEFT_OUT, lock_campaign, read_meta
from grice.core.errors import InputError
from grice.core.item import Item


@dataclass(frozen=True)
class StudyList:
    """Items that one person sees: one condition of each paradigm, and the fillers."""

    targets: tuple[str, ...]
    fillers: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.targets) + len(self.fillers)


@dataclass(frozen=True)
class StudyPlan:
    """Lists of a design, and the order in which a person sees one of them."""

    design: Design
    lists: tuple[StudyList, ...]
    conditions: Mapping[str, str]
    seed: int

    @property
    def longest(self) -> int:
        """Number of items of the longest list."""
        return max(map(len, self.lists))

    def order(self, number: int, person: int) -> list[str]:
        """Return the items of a list in this person's order, always the same."""
        draw = random.Random(f"{self.seed}/{number}/{person}/order")
        chosen, first = self.lists[number], self.design.first_fillers
        targets, fillers = list(chosen.targets), list(chosen.fillers)
        draw.shuffle(targets)
        draw.shuffle(fillers)
        order, fillers = fillers[:first], fillers[first:]
        longest, run = self.design.targets_in_a_row or len(targets), 0
        while targets or fillers:
            # A filler is needed after a full run; a target where the rest would not fit otherwise.
            may_fill = bool(fillers) and len(targets) <= longest * len(fillers)
            may_test = bool(targets) and run < longest
            share = len(targets) / (len(targets) + len(fillers))
            is_target = may_test and (not may_fill or draw.random() < share)
            order.append((targets if is_target else fillers).pop())
            run = run + 1 if is_target else 0
        return order


def plan_study(design: Design, items: Sequence[Item], seed: int) -> StudyPlan:
    """Return the lists of a Latin square over the conditions of each paradigm.

    List k has condition (k + p) mod n of paradigm p, so that a person sees every paradigm once and
    the conditions equally often, and every condition of a paradigm is in equally many lists.
    """
    tag, _, value = design.filler.partition("=")
    fillers = [item.id for item in items if value and item.tags.get(tag) == value]
    of_list = set(fillers)
    conditions = {item.id: _condition(design, item) for item in items if item.id not in of_list}
    cells: dict[str | None, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if item.id in conditions:
            cells[item.group][conditions[item.id]].append(item.id)
    names = sorted(set(conditions.values()))
    if not names:
        raise InputError("[design]: no item is a target; check condition and filler")
    for group, paradigm in cells.items():
        if missing := [name for name in names if name not in paradigm]:
            raise InputError(
                f"[design]: paradigm '{group}' has no item of condition {', '.join(missing)}; a"
                " Latin square needs every condition of every paradigm"
            )
    n_fillers = _count_fillers(design, len(cells), len(fillers))
    versions = max(len(entries) for paradigm in cells.values() for entries in paradigm.values())
    lists = []
    for number in range(len(names) * versions):
        rows = (
            paradigm[names[(number + index) % len(names)]]
            for index, paradigm in enumerate(cells.values())
        )
        targets = tuple(entries[number // len(names) % len(entries)] for entries in rows)
        draw = random.Random(f"{seed}/{number}/fillers")
        lists.append(StudyList(targets, tuple(draw.sample(fillers, n_fillers))))
    _check_order(design, len(cells), n_fillers)
    return StudyPlan(design, tuple(lists), conditions, seed)


def _condition(design: Design, item: Item) -> str:
    """Return the condition of a target; refuse one without condition or paradigm."""
    condition = item.tags.get(design.condition)
    if not isinstance(condition, str) or item.group is None:
        lack = "paradigm" if item.group is None else f"tag '{design.condition}'"
        raise InputError(
            f"[design]: item '{item.id}' has no {lack}; add it, or mark fillers by {design.filler}"
        )
    return condition


def _count_fillers(design: Design, n_targets: int, n_fillers: int) -> int:
    """Return how many fillers a list has."""
    wanted = round(design.ratio * n_targets) if design.ratio else n_fillers
    if wanted > n_fillers:
        raise InputError(
            f"[design]: ratio = {design.ratio:g} needs {wanted} fillers for {n_targets} paradigms,"
            f" and there are {n_fillers}; add fillers or lower it"
        )
    return wanted


def _check_order(design: Design, n_targets: int, n_fillers: int) -> None:
    """Refuse constraints that the number of fillers cannot meet."""
    longest, between = design.targets_in_a_row, n_fillers - design.first_fillers
    needed = -(-n_targets // longest) - 1 if longest else 0
    if between < needed:
        raise InputError(
            f"[design]: {n_targets} targets with at most {longest} in a row need"
            f" {needed + design.first_fillers} fillers, and a list has {n_fillers}; add fillers or"
            " loosen the order"
        )


def least_loaded(loads: Sequence[float], seed: int, person: int) -> int:
    """Return a list that has the fewest answers to expect; one at random of several."""
    fewest = min(loads)
    draw = random.Random(f"{seed}/{person}/list")
    return draw.choice([number for number, load in enumerate(loads) if load == fewest])


def next_of_list(
    connection: Connection, plan: StudyPlan, person: int, size: int, now: float
) -> Sequence[int]:
    """Return the numbers of the next pairs of a person's list, in their order.

    A person without a list gets the one that most lacks answers.
    """
    number = connection.scalar(select(t.persons.c.list).where(t.persons.c.id == person))
    if number is None:
        lock_campaign(connection)
        number = least_loaded(list_loads(connection, plan, now), plan.seed, person)
        connection.execute(update(t.persons).where(t.persons.c.id == person).values(list=number))
    seen = set(connection.scalars(select(t.ratings.c.pair).where(t.ratings.c.person == person)))
    order = plan.order(number, person)
    rows = connection.execute(select(t.pairs.c.item, t.pairs.c.id).where(t.is_work))
    numbers = {row.item: row.id for row in rows}
    return [numbers[item] for item in order if numbers[item] not in seen][:size]


def list_loads(connection: Connection, plan: StudyPlan, now: float) -> list[float]:
    """Return the answers to expect for each list, in lists.

    Of people who were excluded, by hand or by the rules of the last export, none count, of those
    who left what they answered, of others all.
    """
    left_out = json.loads(read_meta(connection, LEFT_OUT) or "[]")
    loads = [0.0] * len(plan.lists)
    is_done = t.ratings.c.state.in_(("answered", "skipped")) & t.is_work
    per_person = (
        select(
            t.persons.c.list,
            t.persons.c.finished,
            func.sum(case((is_done, 1), else_=0)).label("done"),
            func.max(t.ratings.c.expires).label("until"),
        )
        .select_from(t.rated)
        .where(t.persons.c.list.is_not(None), t.is_counted, t.persons.c.id.not_in(left_out))
        .group_by(t.persons.c.id)
    )
    for row in connection.execute(per_person):
        length = len(plan.lists[row.list])
        has_left = row.finished is not None or row.until < now
        loads[row.list] += row.done / length if has_left else 1.0
    return loads
