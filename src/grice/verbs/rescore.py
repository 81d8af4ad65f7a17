"""Reading the stored replies of a run again, without new requests: `grice rescore`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.scale import NLI, Scale
from grice.judges.label_scores import CALIBRATIONS, NORMALISATIONS, reread
from grice.judges.readout import READOUTS, cell_of, combine, judgement, read
from grice.judges.reply import Reading, Reply, replies_of
from grice.judges.spread import PromptSpread
from grice.judges.unit import rule
from grice.storage.response_log import frame_of
from grice.storage.run import Run
from grice.storage.run_items import read_stored_items


def rescore(
    run: str | Path | Run,
    *,
    readout: str = "",
    split: bool = False,
    normalise: str = "",
    calibrate: str = "",
    into: str | Path = "runs",
) -> list[dict[str, Any]]:
    """Extract answers again from the stored replies of a run and write them as a new run.

    Replies of `openai/…` are read by `readout`. There is one row per run.

    `split` makes a run of each prompt instead, so that tables show how much the wording matters.
    The kept log-probabilities of a run of `hf/…` are read by `normalise` (none, tokens, bytes) and
    `calibrate` (none, pmi, context).

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
        return [_row(existing_run, rescored, {})]
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
    prompts = max(len(replies) for replies in replies_by_id.values())
    if not split:
        rescored = _again(existing_run, replies_by_id, by, range(prompts)).write(Path(into))
        return [_row(existing_run, rescored, _spread(existing_run, replies_by_id, by, prompts))]
    parts = (
        _again(existing_run, replies_by_id, by, [prompt]).write(Path(into))
        for prompt in range(prompts)
    )
    return [_row(existing_run, part, {}) for part in parts]


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


def _again(run: Run, stored: dict[str, list[Reply]], readout: str, prompts: Sequence[int]) -> Run:
    """Return a run in memory from these prompts; its settings name the run it was read from."""
    scale, unit = _prompt_scale(run)
    derive = rule(unit) if unit else None
    chosen = {
        item: [replies[p] for p in prompts if p < len(replies)] for item, replies in stored.items()
    }
    judged = [
        judgement(item, replies, _readings(replies, readout, scale), scale, derive)
        for item, replies in chosen.items()
        if replies
    ]
    part = (
        f" prompt {prompts[0] + 1}"
        if len(prompts) == 1 and len(next(iter(stored.values()))) > 1
        else ""
    )
    settings = {
        **run.settings,
        "readout": readout,
        "read again from": run.folder.name if run.folder else "",
    }
    if part:
        settings["prompt"] = prompts[0] + 1
    name = (
        f"{run.judge}{part}"
        if readout == run.settings.get("readout")
        else f"{run.judge}{part} by {readout}"
    )
    fresh = frame_of(judged, run.scale)
    return replace(run, judge=name, frame=fresh, settings=settings, folder=None)


def _spread(run: Run, stored: dict[str, list[Reply]], readout: str, prompts: int) -> dict[str, Any]:
    scale, _ = _prompt_scale(run)
    spread = PromptSpread(prompts)
    for replies in stored.values():
        spread.add(_readings(replies, readout, scale), scale)
    return spread.notes()


def _readings(replies: Sequence[Reply], readout: str, scale: Scale) -> list[Reading]:
    return [read(reply, readout, scale) for reply in replies]


def _prompt_scale(run: Run) -> tuple[Scale, str]:
    """Return the scale of the prompts, and the rule that derives the answer."""
    unit = str(run.settings.get("unit", ""))
    return (NLI if unit else run.scale), unit


def _row(old: Run, new: Run, notes: dict[str, Any]) -> dict[str, Any]:
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
    return {
        "judge": new.judge,
        **counts,
        "run": str(new.folder),
        **({"notes": notes} if notes else {}),
    }
