"""Validation of submitted runs: complete, unaltered, on known data, by a named judge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grice.checks.findings import CheckReport, Finding, Severity
from grice.core.dataset import Dataset
from grice.core.errors import GriceError
from grice.loading import load_data, load_named
from grice.storage.check_run import check_run
from grice.storage.run import Run
from grice.storage.run_folder import HEADER, find_runs, read_header

Point = tuple[str, Severity, int, str]


def holds_runs(path: Path) -> bool:
    """Return whether a path is a run, a folder of runs, or a zip of `grice pack`."""
    return (
        (path / HEADER).is_file()
        or (path.suffix == ".zip" and path.is_file())
        or any(path.glob(f"*/{HEADER}"))
    )


def check_runs(name: str) -> CheckReport:
    """Check each run and return a finding for each point: a note if it is valid, else an error."""
    runs = find_runs(Path(name))
    findings: list[Finding] = []
    lines = 0
    for folder in runs:
        damage, n = check_run(folder)
        lines += n
        where = f"{folder.name}: " if len(runs) > 1 else ""
        errors = [
            Finding(where + d.check, "error", d.count, d.n, d.detail, d.examples) for d in damage
        ]
        findings += errors or [
            Finding(where + check, severity, count, n, text)
            for check, severity, count, text in _points(folder, n)
        ]
    order = ("error", "warning", "note") if len(runs) > 1 else ()
    return CheckReport(
        name,
        lines,
        tuple(
            sorted(findings, key=lambda finding: order.index(finding.severity))
            if order
            else findings
        ),
    )


def _points(folder: Path, lines: int) -> Iterator[Point]:
    """Yield each point with its severity, the number of lines concerned, and a message."""
    header, run = read_header(folder), Run.read(folder)
    if "sum" in header:
        unaltered = (
            f"the header and {lines:,} lines are as they were written, all answers on {run.scale}"
        )
        yield "unaltered", "note", 0, unaltered
    else:
        yield (
            "unaltered",
            "warning",
            lines,
            "complete, but without checksums; a changed response would not be noticed",
        )
    known, data = _known(run)
    yield known
    size = len(data) if data is not None else run.total
    odd = set(run.frame["id"]) - set(data.ids) if data is not None else set()
    missing = size - (run.asked - len(odd))
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in run.fault_kinds.items())
    if odd:
        text = (
            f"{len(odd):,} replies are to items that {run.dataset} has not, as '{min(odd)}'; judge"
            " it again"
        )
    elif missing:
        text = f"{missing:,} of {size:,} items have no reply; the same 'grice judge' goes on"
    else:
        text = f"all {size:,} items have a reply; faults: {kinds or 'none'}"
    severity: Severity = "error" if odd or missing else "warning" if run.faults else "note"
    yield "complete", severity, len(odd) or missing or run.faults, text
    identity = ", ".join(f"{key} {value}" for key, value in list(run.settings.items())[:4])
    named = f"{run.judge}: {identity or 'its identity is empty; say what it is and judge again'}"[
        :200
    ]
    yield "judge", "note" if run.settings else "error", int(not identity), named


def _known(run: Run) -> tuple[Point, Dataset | None]:
    """Check whether the data equal those of this name here; stored items prove only themselves."""
    try:
        data = load_named(run.dataset)
    except GriceError as error:
        why = f"'{run.dataset}' cannot be had here to compare with ({error})"
        try:
            stored = load_data(run, as_judged=True)
        except GriceError:
            return (
                "data",
                "error",
                run.total,
                f"{why}, and the run keeps no items; fetch it",
            ), None
        return (
            "data",
            "warning",
            0,
            f"{why}; the items it keeps have its fingerprint {run.fingerprint}",
        ), stored
    if data.fingerprint != run.fingerprint:
        fact = (
            f"'{run.dataset}' has the fingerprint {data.fingerprint} here, and the run was made on"
            f" {run.fingerprint}"
        )
        return ("data", "error", run.total, f"{fact}; judge the data of this version"), None
    return (
        "data",
        "note",
        0,
        f"{run.dataset}, fingerprint {run.fingerprint}, as this grice has it",
    ), data
