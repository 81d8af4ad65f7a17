"""Export of human answers as runs, one judge per person, and as aggregated gold."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
from sqlalchemy import select

from grice.collecting import tables as t
from grice.collecting.exclusion import Flow, apply_rules, count_flow
from grice.collecting.instrument import NONSENSE, Instrument
from grice.collecting.overview import SETTLED, ratings
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import escape_formula
from grice.core.item import Card, Item
from grice.core.judgement import Judgement
from grice.core.ratings import PEOPLE, PEOPLE_SCALE, reply
from grice.core.scale import Answer, Scale
from grice.storage.run import Run
from grice.storage.run_folder import HEADER, RunKind, read_header

READING = "people"
# Columns of a response that are taken as they were stored.
RESPONSE = (
    *("person", "list", "page", "position", "kind", "id", "raw", "fault", "ms", "seconds"),
    "excluded",
)


def runs(store: Store, data: Dataset, *, excluded: bool = False) -> list[Run]:
    """Return one run per person, under a pseudonym; excluded people only if asked for."""
    by_person: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _work(store, data):
        if row["state"] in SETTLED and (excluded or "excluded" not in row):
            by_person[row["person"]].append(row)
    about = {"campaign": store.campaign.title, "instrument": store.instrument.name}
    return [
        Run.recorded(
            data,
            person,
            map(_judgement, rows),
            scale=store.instrument.scale,
            kind=RunKind.PERSON,
            settings=about | {key: rows[0][key] for key in ("excluded",) if key in rows[0]},
        )
        for person, rows in by_person.items()
    ]


def responses(store: Store, data: Dataset) -> pl.DataFrame:
    """Return one row per response, with person, trial, item, condition and what was answered.

    Excluded people are in it, with the reason in `excluded`, so that an analysis can say how many
    it left out. `trial` counts the pairs a person was shown; `ms` is the reaction time; `paradigm`
    and `tag.*` are the item's, `question.*` what the person said about themselves.
    """
    trials: Counter[str] = Counter()
    lines = []
    fast_ms = store.campaign.work.fast_ms
    for row in rated(store, data):
        trials[row["person"]] += 1
        if row["state"] in SETTLED:
            answer, fields, replies = (row.get(key) for key in ("answer", "fields", "replies"))
            lines.append(
                {
                    **{name: row.get(name) for name in RESPONSE},
                    "trial": trials[row["person"]],
                    "response": None if answer is None else str(answer),
                    "too_fast": row["ms"] < fast_ms if fast_ms and "ms" in row else None,
                    **{f"answer.{name}": str(value) for name, value in (fields or {}).items()},
                    **{f"question.{name}": reply for name, reply in (replies or {}).items()},
                }
            )
    if not lines:
        raise InputError(f"{store.location}: nobody has answered yet; wait for an answer")
    names = list(dict.fromkeys(name for line in lines for name in line))
    columns = {name: [line.get(name) for line in lines] for name in names}
    frame = pl.DataFrame(columns, strict=False)
    if store.plan is not None:
        conditions = pl.col("id").replace_strict(dict(store.plan.conditions), default=None)
        frame = frame.with_columns(conditions.cast(pl.String).alias("condition"))
    about = data.frame.select(
        "id", pl.col("group").alias("paradigm"), "premise", "hypothesis", pl.col("^tag\\..*$")
    )
    about = about.with_columns(pl.col(pl.List(pl.String)).list.join("; "))
    order = ["person", "trial", "page", "position", "kind", "id", "response"]
    joined = frame.join(about, on="id", how="left", maintain_order="left")
    return joined.select(*order, pl.exclude(order))


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table as CSV, in which no cell is a formula of a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([escape_formula(cell) for cell in row] for row in rows)
    return out.getvalue()


def remove_stale_runs(into: Path, store: Store, data: Dataset, written: Sequence[Run]) -> list[str]:
    """Remove runs that an earlier export of this campaign wrote to a folder and this one did not.

    They are of people excluded since, so every table of the folder would still count them. Returns
    the names of these people.
    """
    written_folders, removed_judges = {run.folder for run in written}, []
    for folder in sorted(header.parent for header in into.glob(f"*/{HEADER}")):
        header = read_header(folder)
        is_of_campaign = (
            header["kind"] == RunKind.PERSON
            and header["identity"].get("campaign") == store.campaign.title
            and header["fingerprint"] == data.fingerprint
        )
        if is_of_campaign and folder not in written_folders:
            shutil.rmtree(folder)
            removed_judges.append(str(header["judge"]))
    return removed_judges


def rated(store: Store, data: Dataset) -> list[dict[str, Any]]:
    """Return every rating; those of people whom a rule excludes have its name in `excluded`."""
    rows = list(ratings(store))
    reasons = apply_rules(store, data, rows)
    return [
        {"excluded": reasons[row["person"]], **row} if row["person"] in reasons else row
        for row in rows
    ]


def flow(store: Store, data: Dataset) -> Flow:
    """Return how many people started, how many were left out by which reason, and were kept."""
    return count_flow({row["person"]: row.get("excluded") for row in rated(store, data)})


def _work(store: Store, data: Dataset) -> Iterator[dict[str, Any]]:
    return (row for row in rated(store, data) if row["kind"] == "work")


def _judgement(row: Mapping[str, Any]) -> Judgement:
    """Return a reply as a judgement; the raw step or the further fields are its raw text."""
    raw = json.dumps(row["fields"], ensure_ascii=False) if "fields" in row else row.get("raw")
    raw_text, seconds = None if raw is None else str(raw), row.get("seconds")
    return Judgement(row["id"], row.get("answer"), row.get("fault"), raw=raw_text, seconds=seconds)


@dataclass(frozen=True)
class GoldExport:
    """Aggregated answers as a dataset, and why other pairs are not in it."""

    data: Dataset
    left_out: Mapping[str, int]


def gold(store: Store, data: Dataset, *, drop_nonsense: bool = False) -> GoldExport:
    """Return the mean, agreed or majority answer as the reading `people`; other gold stays.

    With `drop_nonsense`, a pair that anyone found senseless is left out with its partners of the
    same group.
    """
    replies: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _work(store, data):
        if row["state"] == "answered" and "excluded" not in row:
            replies[row["id"]].append(row)
    agreed, over = _agreed(store)
    senseless = _senseless(data, replies) if drop_nonsense else set()
    items, left_out = [], Counter[str]()
    for item in data.items():
        rows = replies.get(item.id, [])
        answers = [row["answer"] for row in rows if "answer" in row]
        answer = _aggregate(store.instrument, answers, agreed.get(item.id))
        if item.id in senseless:
            left_out["it or its partner does not make sense"] += 1
        elif answer is None or not answers:
            left_out[_why_open(store.instrument, answers, item.id in over)] += 1
        else:
            items.append(_with_answer(store.instrument, item, answer, rows))
    if not items:
        why = "; ".join(f"{reason}: {n}" for reason, n in left_out.items())
        raise InputError(
            f"no pair has an answer of people to export ({why}); collect more answers first"
        )
    readings = {reading: scale for reading, scale in data.readings.items() if reading != READING}
    readings |= _new_readings(store.instrument, items)
    card = Card(f"{data.card.title or data.name}, judged by people: {store.campaign.title}")
    dataset = Dataset.from_items(
        f"{data.name}+people", store.instrument.scale, items, card=card, readings=readings
    )
    return GoldExport(dataset, dict(left_out))


def _aggregate(
    instrument: Instrument, answers: Sequence[Answer], agreed: str | None
) -> Answer | None:
    """Return one answer out of several; None if experts disagree or there is no majority."""
    numbers = [answer for answer in answers if isinstance(answer, int | float)]
    if numbers:
        return fmean(numbers)
    if instrument.discussion:
        return agreed or (answers[0] if len(answers) > 1 and len(set(answers)) == 1 else None)
    return _majority(answers)


def _majority(answers: Iterable[Answer]) -> Answer | None:
    counts = Counter(answers)
    best, n = counts.most_common(1)[0] if counts else (None, 0)
    return best if 2 * n > counts.total() else None


def _why_open(instrument: Instrument, answers: Sequence[Answer], over: bool) -> str:
    """Return why a pair has no common answer; two experts may still be discussing it."""
    if not answers:
        return "nobody answered"
    if instrument.discussion and not over:
        return "one answer so far" if len(answers) == 1 else "still in discussion"
    return "no agreement"


def _agreed(store: Store) -> tuple[dict[str, str], set[str]]:
    """Return the labels agreed in discussion, and the pairs whose discussion is over."""
    with store.read() as connection:
        rows = connection.execute(select(t.pairs).where(t.pairs.c.settled)).all()
    agreed = {row.item: row.agreed for row in rows if row.agreed is not None}
    return agreed, {row.item for row in rows}


def _senseless(data: Dataset, replies: Mapping[str, Sequence[Mapping[str, Any]]]) -> set[str]:
    """Return the items that anyone found senseless, and their partners of the same group."""
    marked = {
        item for item, rows in replies.items() if any(row.get("fault") == NONSENSE for row in rows)
    }
    groups = {item.group for item in data.items() if item.id in marked} - {None}
    return marked | {item.id for item in data.items() if item.group in groups}


def _with_answer(
    instrument: Instrument, item: Item, answer: Answer, rows: Sequence[Mapping[str, Any]]
) -> Item:
    golds: dict[str, Answer] = {**item.gold, READING: answer}
    for field in instrument.fields[1:]:
        replies = [row["fields"] for row in rows if field.name in row.get("fields", {})]
        majority = _majority(reply[field.name] for reply in replies)
        if majority is not None:
            golds[f"{READING}.{field.name}"] = majority
    n_senseless = sum(row.get("fault") == NONSENSE for row in rows)
    of_people = tuple(
        reply(row["person"].rpartition("/")[2], row["answer"]) for row in rows if "answer" in row
    )
    tags: dict[str, Any] = {**item.tags, "raters": str(len(rows)), PEOPLE: of_people}
    if instrument.scale.numeric:
        tags[PEOPLE_SCALE] = f"{instrument.scale.low:g}..{instrument.scale.high:g}"
    if n_senseless:
        tags["nonsense"] = str(n_senseless)
    return replace(item, gold=golds, tags=tags)


def _new_readings(instrument: Instrument, items: Sequence[Item]) -> dict[str, Scale]:
    readings = {READING: instrument.scale}
    for field in instrument.fields[1:]:
        name = f"{READING}.{field.name}"
        labels = sorted({str(item.gold[name]) for item in items if name in item.gold})
        if field.scale is not None or labels:
            readings[name] = field.scale or Scale(labels=tuple(labels))
    return readings
