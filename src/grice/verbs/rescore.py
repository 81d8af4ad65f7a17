"""Reading the stored replies of a run again, without new requests: `grice rescore`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.scale import NLI, Scale
from grice.judges.label_scores import CALIBRATIONS, NORMALISATIONS, reread
from grice.judges.readout import READOUTS, cell_of, combine, judgement, read
from grice.judges.reply import Reply, replies_of
from grice.judges.unit import rule
from grice.storage.response_log import frame_of
from grice.storage.run import Run
from grice.storage.run_items import read_stored_items


def rescore(
    run: str | Path | Run,
    *,
    readout: str = "",
    normalise: str = "",
    calibrate: str = "",
    into: str | Path = "runs",
) -> list[dict[str, Any]]:
    """Extract answers again from the stored replies of a run and write them as a new run.

    Replies of `openai/…` are read by `readout`; the kept log-probabilities of a run of `hf/…` by
    `normalise` (none, tokens, bytes) and `calibrate` (none, pmi, context). There is one row per
    run.

    >>> from tempfile import mkdtemp
    >>> from grice.core.dataset import Dataset
    >>> from grice.core.item import Item
    >>> from grice.core.judgement import Judgement
    >>> data = Dataset.from_items("mine", NLI, [Item("mine/0", "Some left.", "Not all left.")])
    >>> reply = '[{"text": "Neutral.", "labels": ["entailment", "neutral", "contradiction"]}]'
    >>> unread = Judgement("mine/0", fault="unreadable: Neutral.", raw=reply)
    >>> run = Run.recorded(data, "openai/m", [unread], settings={"readout": "json"})
    >>> (row,) = rescore(run, readout="text", into=mkdtemp())
    >>> row["judge"], row["answered"], row["changed"]
    ('openai/m by text', 1, 1)
    """
    existing_run = run if isinstance(run, Run) else _read(Path(run))
    if normalise or calibrate:
        rescored = _relabelled(existing_run, normalise or "none", calibrate or "none").write(
            Path(into)
        )
        return [_row(existing_run, rescored)]
    by = readout or str(existing_run.settings.get("readout", ""))
    if by not in READOUTS:
        raise unknown("readout", by, READOUTS)
    replies_by_id = {
        row["id"]: replies_of(row["raw"], row["id"])
        for row in existing_run.frame.iter_rows(named=True)
    }
    if not replies_by_id:
        raise InputError(
            f"{existing_run.folder or existing_run.judge}: no reply yet; run 'grice judge' first"
        )
    return [_row(existing_run, _again(existing_run, replies_by_id, by).write(Path(into)))]


def _read(folder: Path) -> Run:
    """Read a run with its stored items, which the new run stores too."""
    run = Run.read(folder)
    return replace(run, data=read_stored_items(folder, run.dataset, run.fingerprint, run.about))


def _relabelled(run: Run, normalise: str, calibrate: str) -> Run:
    """Return a run of `hf/…` with probabilities derived in another way."""
    for choice, known, noun in (
        (normalise, NORMALISATIONS, "normalisation"),
        (calibrate, CALIBRATIONS, "calibration"),
    ):
        if choice not in known:
            raise unknown(noun, choice, known)
    labels = NLI.labels if run.scale.numeric else run.scale.labels
    derive = rule(str(run.settings.get("unit") or "surrogate")) if run.scale.numeric else None
    judged = []
    for old in run.judgements():
        if old.fault is not None and not old.raw:
            judged.append(old)
            continue
        readings = reread(old.item, old.raw, labels, normalise, calibrate)
        read_again = combine(readings, Scale(labels=tuple(labels)))
        cells = (
            tuple(
                cell_of(cell["method"], new) for cell, new in zip(old.cells, readings, strict=True)
            )
            if old.cells
            else None
        )
        answer = derive(read_again.shares) if derive and read_again.shares else read_again.answer
        probs = None if derive else read_again.probs
        judged.append(
            replace(
                old,
                answer=answer,
                fault=read_again.fault,
                probs=probs,
                mass=read_again.mass,
                cells=cells,
            )
        )
    how = {
        "normalise": normalise,
        "calibrate": calibrate,
        "read again from": run.folder.name if run.folder else "",
    }
    name = (
        f"{run.judge} by"
        f" {', '.join(way for way in (normalise, calibrate) if way != 'none') or 'sums'}"
    )
    return replace(
        run,
        judge=name,
        frame=frame_of(judged, run.scale),
        settings={**run.settings, **how},
        folder=None,
    )


def _again(run: Run, stored: dict[str, list[Reply]], readout: str) -> Run:
    """Return a run in memory; its settings name the run it was read from."""
    unit = str(run.settings.get("unit", ""))
    scale, derive = (NLI, rule(unit)) if unit else (run.scale, None)
    judged = [
        judgement(item, replies, [read(r, readout, scale) for r in replies], scale, derive)
        for item, replies in stored.items()
        if replies
    ]
    settings = {
        **run.settings,
        "readout": readout,
        "read again from": run.folder.name if run.folder else "",
    }
    same = readout == run.settings.get("readout")
    name = run.judge if same else f"{run.judge} by {readout}"
    fresh = frame_of(judged, run.scale)
    return replace(run, judge=name, frame=fresh, settings=settings, folder=None)


def _row(old: Run, new: Run) -> dict[str, Any]:
    column = "value" if old.scale.numeric else "answer"
    both = old.frame.select("id", column).join(
        new.frame.select("id", column), on="id", suffix=".new"
    )
    changed = both.filter(~both[column].eq_missing(both[f"{column}.new"])).height
    counts = {
        "answered": new.answered,
        "faults": new.faults,
        "kinds": new.fault_kinds,
        "changed": changed,
    }
    return {"judge": new.judge, **counts, "run": str(new.folder)}
