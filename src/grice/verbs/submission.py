"""Validation of submitted runs: complete, unaltered, on known data, by a named judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from grice.checks.findings import SEVERITIES, CheckReport, Finding, Severity
from grice.core.dataset import Dataset
from grice.core.errors import GriceError
from grice.loading import load_data, load_named
from grice.storage.check_run import check_run
from grice.storage.run import Run
from grice.storage.run_folder import HEADER, find_runs, read_header


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
        errors = [Finding(d.check, "error", d.count, d.n, d.detail, d.examples) for d in damage]
        where = f"{folder.name}: " if len(runs) > 1 else ""
        findings += [
            replace(finding, check=where + finding.check)
            for finding in errors or _check_points(folder, n)
        ]
    if len(runs) > 1:
        findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return CheckReport(name, lines, tuple(findings))


def _check_points(folder: Path, lines: int) -> Iterator[Finding]:
    """Yield a finding on each point of a run whose lines are intact."""
    header, run = read_header(folder), Run.read(folder)
    text = f"the header and {lines:,} lines are as they were written, all answers on {run.scale}"
    if "sum" in header:
        yield Finding("unaltered", "note", 0, lines, text)
    else:
        text = "complete, but without checksums; a changed response would not be noticed"
        yield Finding("unaltered", "warning", lines, lines, text)
    finding, data = _check_data(run, lines)
    yield finding
    size = len(data) if data is not None else run.total
    odd = set(run.frame["id"]) - set(data.ids) if data is not None else set()
    missing = size - (run.asked - len(odd))
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in run.fault_kinds.items())
    severity: Severity = "error" if odd or missing else "warning" if run.faults else "note"
    text = f"all {size:,} items have a reply; faults: {kinds or 'none'}"
    if odd:
        text = f"{len(odd):,} replies are to items that {run.dataset} has not, as '{min(odd)}'"
        text += "; judge it again"
    elif missing:
        text = f"{missing:,} of {size:,} items have no reply; the same 'grice judge' goes on"
    yield Finding("complete", severity, len(odd) or missing or run.faults, lines, text)
    identity = ", ".join(f"{key} {value}" for key, value in list(run.settings.items())[:4])
    text = f"{run.judge}: {identity or 'its identity is empty; say what it is and judge again'}"
    severity = "note" if run.settings else "error"
    yield Finding("judge", severity, int(not identity), lines, text[:200])


def _check_data(run: Run, lines: int) -> tuple[Finding, Dataset | None]:
    """Check whether the data equal those of this name here; stored items prove only themselves."""
    severity: Severity = "note"
    try:
        data: Dataset | None = load_named(run.dataset)
        text = f"{run.dataset}, fingerprint {run.fingerprint}, as this grice has it"
        if data is not None and data.fingerprint != run.fingerprint:
            severity = "error"
            text = f"'{run.dataset}' has the fingerprint {data.fingerprint} here, and the run was"
            text += f" made on {run.fingerprint}; judge the data of this version"
            data = None
    except GriceError as error:
        text = f"'{run.dataset}' cannot be had here to compare with ({error})"
        try:
            severity, data = "warning", load_data(run, as_judged=True)
            text += f"; the items it keeps have its fingerprint {run.fingerprint}"
        except GriceError:
            severity, data = "error", None
            text += ", and the run keeps no items; fetch it"
    count = run.total if severity == "error" else 0
    return Finding("data", severity, count, lines, text), data
