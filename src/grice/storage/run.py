"""Runs: the replies of one judge to a dataset, stored in a folder, joined with the items."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.files import write_atomically
from grice.core.item import Item
from grice.core.judgement import HasArithmetic, Judge, Judgement
from grice.core.sampling import Slice
from grice.core.scale import SCALE_ENDS, Answer, Scale
from grice.storage.response_log import add_checksum, frame_of, frame_of_columns, line_of, read_lines
from grice.storage.run_folder import HEADER, LINES, RunKind, lock_run, read_header
from grice.storage.run_items import describe_data, read_stored_items, store_items
from grice.storage.run_warnings import LOW_MASS, RunWarning, find_warning
from grice.storage.sessions import read_notes


@dataclass(frozen=True, repr=False)
class Run:
    """Evaluation of one judge on a dataset: its settings and every reply.

    total = asked + open, and asked = answered + faults.

    `again` counts the items whose fault was asked again, and their outcomes; `frame` holds their
    last reply. `frame` has the columns `id, answer, value, fault, p.LABEL…, raw, seconds, mass,
    cells`: `answer` on a scale of labels, `value` on a numeric one. `about` describes the data:
    scales, licence, how a file was read. Only a run just made has its `data` and the judge's
    `notes`.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=None)
    >>> run.judge, run.answered, run.faults
    ('baseline/overlap', 6, 0)
    """

    dataset: str
    fingerprint: str
    scale: Scale
    judge: str
    frame: pl.DataFrame
    total: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    kind: RunKind = RunKind.MODEL
    folder: Path | None = None
    again: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict, compare=False)
    data: Dataset | None = field(default=None, compare=False, repr=False)

    @property
    def asked(self) -> int:
        """Number of items with a reply, an answer or a fault."""
        return self.frame.height

    @property
    def faults(self) -> int:
        """Number of items with a fault instead of an answer."""
        return int(self.frame["fault"].is_not_null().sum())

    @property
    def answered(self) -> int:
        """Number of items with an answer."""
        return self.frame.height - self.faults

    @property
    def open(self) -> int:
        """Number of items without a reply."""
        return self.total - self.asked

    @property
    def fault_kinds(self) -> dict[str, int]:
        """Number of faults of each kind."""
        kinds = self.frame["fault"].drop_nulls().str.split(":").list.first()
        return dict(kinds.value_counts().sort("fault").iter_rows())

    @property
    def warning(self) -> RunWarning | None:
        """Reason that the replies are unusable: low label mass, or faults alone."""
        faults, masses = (self.frame[column].drop_nulls().to_list() for column in ("fault", "mass"))
        return find_warning(self.answered, faults, masses, self.settings, LOW_MASS)

    def counts(self) -> dict[str, Any]:
        """Return a row of a list of runs: judge, dataset, counts, the judge's notes, folder."""
        return {
            "judge": self.judge,
            "dataset": self.dataset,
            "asked": self.asked,
            "answered": self.answered,
            "faults": self.faults,
            "kinds": self.fault_kinds,
            "open": self.open,
            **({"warnings": {self.warning.kind.value: self.warning.text}} if self.warning else {}),
            **({"again": dict(self.again)} if self.again else {}),
            "run": str(self.folder) if self.folder else "",
            **({"notes": dict(self.notes)} if self.notes else {}),
        }

    def __repr__(self) -> str:
        counts = f"answered={self.answered}, faults={self.faults}, open={self.open}"
        return f"Run(judge={self.judge!r}, dataset={self.dataset!r}, {counts})"

    def items(self) -> Iterator[tuple[Item, Judgement]]:
        """Yield each item that has a reply, with the reply; needs items stored with the run.

        >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=None)
        >>> len([item for item, reply in run.items() if reply.answer])
        6
        """
        data = self.data
        if data is None and self.folder is not None:
            data = read_stored_items(self.folder, self.dataset, self.fingerprint, self.about)
        if data is None:
            raise InputError(f"{self.folder or self.judge}: stores no items; join it with its data")
        replies = {reply.item: reply for reply in self.judgements()}
        return ((item, replies[item.id]) for item in data.items() if item.id in replies)

    def to_polars(self) -> pl.DataFrame:
        """Return every reply as a row."""
        return self.frame

    def judgements(self) -> Iterator[Judgement]:
        """Yield every reply as a `Judgement`."""
        labels = self.scale.labels
        for row in self.frame.iter_rows(named=True):
            probs = {
                label: row[f"p.{label}"] for label in labels if row.get(f"p.{label}") is not None
            }
            answer = row["value"] if self.scale.numeric else row["answer"]
            rest = {key: row[key] for key in ("raw", "seconds", "mass")}
            cells = tuple(json.loads(row["cells"])) if row["cells"] else None
            yield Judgement(row["id"], answer, row["fault"], probs or None, cells=cells, **rest)

    def write(self, into: Path, *, items: bool = True) -> Run:
        """Write a run that was made in memory to a folder below `into`, completely or not at all.

        Returns the run read from there.

        Without `items` its data are not stored with it.
        """
        folder = into / self.folder_name()
        with lock_run(folder):
            self.write_header(folder)
            if items and self.data is not None:
                store_items(self.data, folder)
            with write_atomically(folder / LINES, binary=True) as out:
                out.writelines(map(line_of, self.judgements()))
        return replace(Run.read(folder), data=self.data, notes=self.notes)

    @staticmethod
    def recorded(
        data: Dataset,
        judge: str,
        judgements: Iterable[Judgement],
        *,
        scale: Scale | None = None,
        settings: Mapping[str, Any] | None = None,
        kind: RunKind = RunKind.MODEL,
    ) -> Run:
        """Build a run from existing replies, each checked: a rater's answers, a harness's log."""
        answer_scale = scale or data.scale
        known = set(data.ids)
        answered: set[str] = set()
        replies = list(judgements)
        for judgement in replies:
            admit(judgement, judge, known, answered, answer_scale)
        frame = frame_of(replies, answer_scale)
        return new_run(data, judge, answer_scale, frame, settings=settings or {}, kind=kind)

    @staticmethod
    def from_columns(
        data: Dataset,
        judge: str,
        ids: Sequence[str],
        answers: Sequence[Answer],
        *,
        scale: Scale | None = None,
        probs: Mapping[str, Sequence[Any]] | None = None,
        kind: RunKind = RunKind.MODEL,
    ) -> Run:
        """Build a run from the columns of a published file, without ids that the data lack."""
        answer_scale = scale or data.scale
        frame = frame_of_columns(ids, answers, answer_scale, probs or {})
        frame = frame.filter(pl.col("id").is_in(data.frame["id"].implode()))
        return new_run(data, judge, answer_scale, frame, kind=kind)

    @staticmethod
    def read(folder: Path) -> Run:
        """Read a run from its folder, or from an archive (`runs.zip/NAME`).

        An incomplete last line is skipped, and so is a fault that was asked again.
        """
        header = read_header(folder)
        scale = Scale.from_json(header["scale"])
        frame, again = read_lines(folder / LINES, scale, checksummed="sum" in header)
        if frame.height > header["asked"]:
            fact = f"{frame.height:,} items have a reply where {header['asked']:,} were asked"
            raise GriceError(f"{folder}: {fact}; see what can be saved with: grice check {folder}")
        same = {key: header[key] for key in ("dataset", "fingerprint", "judge", "seed", "versions")}
        return Run(
            scale=scale,
            frame=frame,
            folder=folder,
            again=again,
            settings=header["identity"],
            total=header["asked"],
            about=header.get("data", {}),
            kind=RunKind(header["kind"]),
            notes=read_notes(folder).get("notes", {}),
            **same,
        )

    def _header(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "fingerprint": self.fingerprint,
            "scale": self.scale.to_json(),
            "judge": self.judge,
            "kind": self.kind.value,
            "identity": dict(self.settings),
            "seed": self.seed,
            "asked": self.total,
            "versions": dict(self.versions),
            "data": dict(self.about),
        }

    def folder_name(self) -> str:
        """Return a readable name that differs wherever an answer could differ."""
        header = self._header()
        key = {k: header[k] for k in ("fingerprint", "scale", "judge", "identity", "seed")}
        content = json.dumps(key, sort_keys=True, default=str)
        label = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{self.dataset}--{self.judge}").strip("-.")
        return f"{label[:100]}--{hashlib.sha256(content.encode()).hexdigest()[:10]}"

    def write_header(
        self, folder: Path, judge: Judge | None = None, part: Slice | None = None
    ) -> None:
        """Write the header once; how a judge computes is noted apart from its identity."""
        if not (folder / HEADER).exists():
            noted: dict[str, Any] = (
                {"arithmetic": dict(judge.arithmetic)} if isinstance(judge, HasArithmetic) else {}
            )
            noted |= {"part": [part.number, part.total]} if part else {}
            with write_atomically(folder / HEADER) as out:
                json.dump(add_checksum(self._header() | noted), out, indent=1)
                out.write("\n")

    def _repr_html_(self) -> str:
        counts = f"{self.answered:,} answered, {self.faults:,} faults, {self.open:,} open"
        summary = f"<b>{escape(self.judge)}</b> on {escape(self.dataset)}: {counts}"
        return summary + str(self.frame.head(5)._repr_html_())


def new_run(data: Dataset, judge: str, scale: Scale, frame: pl.DataFrame, **rest: Any) -> Run:
    """Return a run in memory of these replies."""
    about = describe_data(data)
    return Run(
        data.name, data.fingerprint, scale, judge, frame, len(data), data=data, about=about, **rest
    )


def join(data: Dataset, *runs: Run) -> pl.DataFrame:
    """Return every reply joined with its item: one row per item and judge, in the dataset's order.

    Refuses runs made on other data, and two runs of the same judge name.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> judges = [grice.load_judge("baseline/overlap"), grice.load_judge("baseline/random")]
    >>> runs = [grice.evaluate(data, judge) for judge in judges]
    >>> grice.join(data, *runs).height
    60
    """
    if not runs:
        raise InputError("nothing to join; give at least one run")
    names = [run.judge for run in runs]
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"two runs carry the judge '{twice}'; compare them under different names")
    parts = []
    for run in runs:
        if run.fingerprint != data.fingerprint:
            raise InputError(
                f"the run of '{run.judge}' was made on other data ({run.dataset}, fingerprint"
                f" {run.fingerprint}) than '{data.name}' (fingerprint {data.fingerprint}); judge"
                " this data again"
            )
        part = _join_by_id(data.frame, run.frame)
        if part.height != run.frame.height:
            odd = run.frame.join(data.frame, on="id", how="anti")["id"][0]
            raise InputError(
                f"the run of '{run.judge}' answers '{odd}', which is not in '{data.name}'; judge"
                " it again"
            )
        ends = (run.scale.low, run.scale.high) if run.scale.numeric else ()
        columns = zip(SCALE_ENDS, ends, strict=False)
        parts.append(
            part.with_columns(
                pl.lit(run.judge).alias("judge"),
                *(pl.lit(end, pl.Float64).alias(name) for name, end in columns),
            )
        )
    return pl.concat(parts, how="diagonal")


def _join_by_id(items: pl.DataFrame, replies: pl.DataFrame) -> pl.DataFrame:
    """Return the items with a reply and their replies, in the order of the items."""
    if replies.height == items.height and (replies["id"] == items["id"]).all():
        # The texts are shared, and no table of a million ids is made.
        return items.hstack(replies.drop("id").get_columns())
    return items.join(replies, on="id", how="inner", maintain_order="left")


def admit(
    judgement: Judgement, judge: str, known: Container[str], answered: set[str], scale: Scale
) -> None:
    """Note the item of a reply; refuse one that is unexpected, repeated or off the scale."""
    if judgement.item not in known:
        raise GriceError(
            f"'{judge}' answered '{judgement.item}', which is not an open item of this dataset"
        )
    if judgement.item in answered:
        raise GriceError(
            f"'{judge}' answered '{judgement.item}' twice; a judge replies once to each question"
        )
    if problem := judgement.problem(scale):
        raise GriceError(
            f"'{judge}', item '{judgement.item}': {problem}; ask on another scale or correct the"
            " judge"
        )
    answered.add(judgement.item)
