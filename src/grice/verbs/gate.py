"""The regression gate between two models: `grice gate NEW OLD`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl

from grice import loading
from grice.analysis.statistics.gating import (
    GateOutcome,
    GateRow,
    gate_rows,
    pair_answers,
    paradigms_needed,
)
from grice.core.dataset import Dataset
from grice.core.errors import InputError, escape_controls
from grice.core.files import write_atomically
from grice.storage.run import Run
from grice.verbs.run_filter import Names, listed

RunsLike = str | Path | Run | Sequence[str | Path | Run]
# Tags by whose values a dataset is divided unless told otherwise.
STRATA = ("kind", "phenomenon")


@dataclass(frozen=True)
class GateReport:
    """Outcome of a gate with its rows, of which the first is about all items.

    `pending` and `invalid` count the items that the new model was not asked or gave no valid
    response to; `accuracy` is that of the new model, and `warnings` say why the responses of
    either model may mean little, such as a low label mass.

    >>> old, new = (
    ...     grice.judge("quantifiers@7", name, into=None, limit=240)
    ...     for name in ("baseline/overlap", "baseline/random")
    ... )
    >>> grice.gate(new, old, margin=0.1).outcome.value
    'worse'
    """

    new: str
    old: str
    datasets: tuple[str, ...]
    margin: float
    outcome: GateOutcome
    rows: tuple[GateRow, ...]
    invalid: int
    pending: int
    accuracy: float
    fail_under: float | None = None
    paradigms_needed: int | None = None
    warnings: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """One sentence: the outcome, the difference on all items, and what to do."""
        row = self.rows[0]
        estimate = row.difference
        interval = (
            f"95% CI {100 * estimate.low:+.1f} to {100 * estimate.high:+.1f}, "
            if estimate.low is not None and estimate.high is not None
            else ""
        )
        fact = (
            f"{self.new} − {self.old}: {100 * estimate.value:+.1f} points"
            f" ({interval}n = {estimate.n:,} items in {row.paradigms:,} paradigms)"
        )
        margin = f"{100 * self.margin:g} points"
        if self.outcome is GateOutcome.PASSED:
            return f"passed: {fact}; a loss of {margin} is excluded."
        if self.outcome is GateOutcome.WORSE:
            worse = [r.stratum for r in self.rows if r.outcome is GateOutcome.WORSE]
            if self.fail_under is not None and self.accuracy < self.fail_under:
                worse.insert(0, f"accuracy ({self.accuracy:.3f}, required {self.fail_under:g})")
            return f"worse on {', '.join(worse[:5])}{', …' if worse[5:] else ''}. {fact}."
        needed = (
            f" About {self.paradigms_needed:,} paradigms are needed, or a wider --margin."
            if self.paradigms_needed
            else " More paradigms are needed."
        )
        return f"too little data: {fact}; a loss of {margin} is not excluded.{needed}"

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            **vars(self),
            "datasets": list(self.datasets),
            "warnings": list(self.warnings),
            "outcome": self.outcome.value,
            "headline": self.headline,
            "rows": [row.to_json() for row in self.rows],
        }

    def to_markdown(self) -> str:
        """Return a summary for a pull request."""
        lines = [
            f"**grice gate: {_cell(self.headline)}**",
            "",
            f"Data: {_cell(', '.join(self.datasets))}. Invalid responses of the new model:"
            f" {self.invalid:,}; pending: {self.pending:,}.",
            *(f"\nWarning: {_cell(warning)}" for warning in self.warnings),
            "",
            "| items | outcome | difference | 95% CI | n | paradigms | p (Holm) |",
            "|---|---|---:|---:|---:|---:|---:|",
        ]
        for row in self.rows:
            estimate = row.difference
            interval = (
                f"{estimate.low:+.3f} to {estimate.high:+.3f}"
                if estimate.low is not None and estimate.high is not None
                else ""
            )
            lines.append(
                f"| {_cell(row.stratum)} | {row.outcome.value} | {estimate.value:+.3f} | {interval}"
                f" | {estimate.n:,} | {row.paradigms:,} | {row.corrected_p:.2g} |"
            )
        return "\n".join(lines) + "\n"

    def to_junit(self) -> str:
        """Return JUnit XML with a test case per row: a failure where the new model is worse.

        Too little data on all items is an error; a stratum with too little data is skipped.
        """
        outcomes = [row.outcome for row in self.rows]
        little = self.outcome is GateOutcome.TOO_LITTLE_DATA
        skipped = outcomes.count(GateOutcome.TOO_LITTLE_DATA) - little
        suite = ElementTree.Element(
            "testsuite",
            name="grice gate",
            tests=str(len(self.rows)),
            failures=str(outcomes.count(GateOutcome.WORSE)),
            errors=str(int(little)),
            skipped=str(skipped),
        )
        for row in self.rows:
            case = ElementTree.SubElement(
                suite, "testcase", classname="grice.gate", name=_xml(row.stratum)
            )
            fact = (
                f"difference {row.difference.value:+.4f}, n {row.difference.n}, paradigms"
                f" {row.paradigms}, p (Holm) {row.corrected_p:.3g}"
            )
            if row.outcome is GateOutcome.WORSE:
                ElementTree.SubElement(case, "failure", message=fact, type=row.outcome.value)
            elif row.outcome is GateOutcome.TOO_LITTLE_DATA:
                tag = "error" if row is self.rows[0] else "skipped"
                ElementTree.SubElement(case, tag, message=fact, type=row.outcome.value)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

    def write(self, path: str | Path) -> None:
        """Write the report as the name's ending says: `.xml` (JUnit), `.md` or `.json`."""
        import json

        forms: dict[str, Callable[[], str]] = {
            ".xml": self.to_junit,
            ".md": self.to_markdown,
            ".json": lambda: json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n",
        }
        target = Path(path)
        if target.suffix not in forms:
            raise InputError(f"{target}: a report is .xml (JUnit), .md or .json")
        with write_atomically(target) as out:
            out.write(forms[target.suffix]())


def gate(
    new: RunsLike,
    old: RunsLike,
    *,
    margin: float = 0.03,
    group_by: Names = (),
    ignore_invalid: bool = False,
    fail_under: float | None = None,
) -> GateReport:
    """Test whether a new model is worse than an old one on the same items.

    `new` and `old` are runs of one model each: run folders, a folder of runs, a profile's folder,
    or a zip of `grice pack`. The gate passes only if the 95% interval of new − old excludes a loss
    of `margin`, and no reading, dataset or value of a tag in `group_by` (default: kind and
    phenomenon) is significantly worse by more than the margin (Holm's correction over all). Invalid
    and pending responses of the new model count as wrong; `ignore_invalid` compares the items that
    both answered. It also fails if the new model's accuracy on these items is below `fail_under`.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", into=None, limit=24)
    >>> twin = grice.judge("quantifiers@7", "baseline/overlap", into=None, limit=24)
    >>> grice.gate(twin, run).outcome.value
    'too little data'
    """
    if not 0 < margin < 1:
        raise InputError(f"margin {margin:g}: pass a loss between 0 and 1, e.g. 0.03")
    new_runs, old_runs = _read("NEW", new), _read("OLD", old)
    _check_pairs(new_runs, old_runs)
    parts, tags = {}, set[str]()
    for key, old_run in old_runs.items():
        data = loading.load_data(new_runs[key])
        _check_labels(data)
        tags |= {c.removeprefix("tag.") for c in data.frame.columns if c.startswith("tag.")}
        parts[data.name] = pair_answers(
            data.frame, new_runs[key].frame, old_run.frame, ignore_invalid=ignore_invalid
        )
    pairs = pl.concat(parts.values(), how="diagonal_relaxed")
    if not pairs.height:
        raise InputError("the two models have no item in common. Evaluate both on the same items.")
    rows = gate_rows(parts, by=_strata(listed(group_by), tags), margin=margin)
    accuracy = float(pairs["accuracy"].mean() or 0.0)  # type: ignore[arg-type]
    pending = pairs["new_asked"].null_count()
    return GateReport(
        next(iter(new_runs.values())).judge,
        next(iter(old_runs.values())).judge,
        tuple(parts),
        margin,
        _outcome_of(rows, low=fail_under is not None and accuracy < fail_under),
        tuple(rows),
        pairs["new"].null_count() - pending,
        pending,
        accuracy,
        fail_under,
        paradigms_needed(rows[0], margin),
        tuple(
            f"{run.judge} on {run.dataset}: {run.warning.text}"
            for runs in (new_runs, old_runs)
            for key in old_runs
            if (run := runs[key]).warning
        ),
    )


def _check_pairs(new_runs: Mapping[str, Run], old_runs: Mapping[str, Run]) -> None:
    """Raise an error if the new model lacks data of the old one, or both are the same run."""
    missing = [run.dataset for key, run in old_runs.items() if key not in new_runs]
    if missing:
        raise InputError(
            f"NEW has no run on {', '.join(missing)}, which OLD has. Evaluate the new model on the"
            " same data."
        )
    same = [key for key in old_runs if _is_same(new_runs[key], old_runs[key])]
    if same:
        raise InputError(f"NEW and OLD are the same run ({old_runs[same[0]].folder}).")


def _strata(chosen: Sequence[str], tags: Collection[str]) -> list[str]:
    """Return the tags by whose values to divide the items."""
    unknown = [tag for tag in chosen if tag not in tags]
    if unknown:
        raise InputError(
            f"no tag '{unknown[0]}'; the data have {', '.join(sorted(tags)) or 'none'}"
        )
    return list(chosen) or [tag for tag in STRATA if tag in tags]


def _read(side: str, runs: RunsLike) -> dict[str, Run]:
    """Return the runs of one model by the fingerprint of their data."""
    sources = [runs] if isinstance(runs, str | Path | Run) else list(runs)
    read = loading.read_runs(sources)
    judges = list(dict.fromkeys(run.judge for run in read))
    by_data = {run.fingerprint: run for run in read}
    if len(judges) > 1 or len(by_data) < len(read):
        raise InputError(
            f"{side} holds runs of several models ({', '.join(judges)}). Name the runs of one."
        )
    return by_data


def _is_same(new: Run, old: Run) -> bool:
    return new is old or (
        new.folder is not None
        and old.folder is not None
        and new.folder.resolve() == old.folder.resolve()
    )


def _check_labels(data: Dataset) -> None:
    if data.scale.numeric:
        raise InputError(
            f"{data.name} has a numeric scale; the gate compares labels. Use 'grice compare RUN RUN"
            " -m MEASURE'."
        )


def _outcome_of(rows: Sequence[GateRow], *, low: bool) -> GateOutcome:
    if low or any(row.outcome is GateOutcome.WORSE for row in rows):
        return GateOutcome.WORSE
    return rows[0].outcome


def _cell(text: str) -> str:
    """Escape a text for a cell of a Markdown table."""
    plain = escape_controls(" ".join(text.split()))
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")


def _xml(text: str) -> str:
    return "".join(c for c in escape_controls(text) if c == " " or c.isprintable())
