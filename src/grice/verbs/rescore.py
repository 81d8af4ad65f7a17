"""Reading the replies of a run again, without asking: what `grice rescore` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.lines import frame_of
from grice.core.run import Run
from grice.core.scale import NLI, Scale
from grice.judges.providers.openai import judgement
from grice.judges.readout import READOUTS, Reading, Reply, read, replies_of
from grice.judges.spread import PromptSpread
from grice.judges.unit import rule


def rescore(folder: Path, *, into: Path, readout: str = "", split: bool = False) -> list[dict[str, Any]]:
    """Read the kept replies of a run by a readout and write the result as a run of its own; one row each.

    `split` makes a run of each prompt instead, so that tables show how much the wording matters.
    """
    run = Run.read(folder)
    by = readout or str(run.settings.get("readout", ""))
    if by not in READOUTS:
        raise unknown("readout", by, READOUTS)
    kept = {row["id"]: replies_of(row["raw"], row["id"]) for row in run.frame.iter_rows(named=True)}
    if not kept:
        raise InputError(f"{folder}: no reply yet; ask first with 'grice judge'")
    prompts = max(len(replies) for replies in kept.values())
    if not split:
        return [_row(run, _again(run, kept, by, range(prompts)).write(into), _spread(run, kept, by, prompts))]
    return [_row(run, _again(run, kept, by, [prompt]).write(into), {}) for prompt in range(prompts)]


def _again(run: Run, kept: dict[str, list[Reply]], readout: str, prompts: Sequence[int]) -> Run:
    """A run in memory by these prompts; it remembers which run it was read from."""
    scale, unit = _asked(run)
    derive = rule(unit) if unit else None
    chosen = {item: [replies[p] for p in prompts if p < len(replies)] for item, replies in kept.items()}
    judged = [
        judgement(item, replies, _readings(replies, readout, scale), scale, derive)
        for item, replies in chosen.items()
        if replies
    ]
    part = f" prompt {prompts[0] + 1}" if len(prompts) == 1 and len(next(iter(kept.values()))) > 1 else ""
    settings = {**run.settings, "readout": readout, "read again from": run.folder.name if run.folder else ""}
    if part:
        settings["prompt"] = prompts[0] + 1
    name = (
        f"{run.judge}{part}" if readout == run.settings.get("readout") else f"{run.judge}{part} by {readout}"
    )
    fresh = frame_of(judged, run.scale)
    return replace(run, judge=name, frame=fresh, settings=settings, folder=None)


def _spread(run: Run, kept: dict[str, list[Reply]], readout: str, prompts: int) -> dict[str, Any]:
    scale, _ = _asked(run)
    spread = PromptSpread(prompts)
    for replies in kept.values():
        spread.add(_readings(replies, readout, scale), scale)
    return spread.notes()


def _readings(replies: Sequence[Reply], readout: str, scale: Scale) -> list[Reading]:
    return [read(reply, readout, scale) for reply in replies]


def _asked(run: Run) -> tuple[Scale, str]:
    """The scale the prompts asked on, and the rule that made the answer of it."""
    unit = str(run.settings.get("unit", ""))
    return (NLI if unit else run.scale), unit


def _row(old: Run, new: Run, notes: dict[str, Any]) -> dict[str, Any]:
    column = "value" if old.scale.numeric else "answer"
    both = old.frame.select("id", column).join(new.frame.select("id", column), on="id", suffix=".new")
    changed = both.filter(~both[column].eq_missing(both[f"{column}.new"])).height
    return {
        "judge": new.judge,
        "answered": new.answered,
        "faults": new.faults,
        "kinds": new.fault_kinds,
        "changed": changed,
        "run": str(new.folder),
        **({"notes": notes} if notes else {}),
    }
