"""Logs of lm-evaluation-harness and Inspect as recorded runs, and the scorer of our tasks there."""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import InputError, bad_line
from grice.core.files import read_bytes, read_json_lines, sha256_of
from grice.core.judgement import Judgement, best
from grice.core.limits import BYTES, limit, raise_with
from grice.core.parsing import parse_json
from grice.core.scale import Scale
from grice.judges.readout import combine, read
from grice.judges.reply import Reading, Reply
from grice.storage.run import Run

# The field of an item of a task that holds what its prompt showed.
READING = "grice"
ZSTD = 93
INSPECT_FINISH = {
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}


def score_reply(
    extraction: Mapping[str, Any], text: str, target: object, *, finish: str = ""
) -> dict[str, float]:
    """Return whether a response is right and whether it is valid, for a task in another harness.

    `extraction` is what the task stores of the prompt; a number is right if it equals the target.
    """
    scale = Scale.from_json(extraction["scale"])
    reading = _read_text(extraction, text, finish, scale)
    right = reading.answer is not None and (
        reading.answer == float(str(target)) if scale.numeric else reading.answer == target
    )
    return {"acc": float(right), "answered": float(reading.answer is not None)}


def _read_text(extraction: Mapping[str, Any], text: str, finish: str, scale: Scale) -> Reading:
    """Read a response by what the prompt showed; a log of an older task says nothing of that."""
    labels = tuple(extraction.get("labels") or scale.labels)
    reply = Reply(labels, text=text, finish=finish, lettered=bool(extraction.get("lettered")))
    return read(reply, "text", scale)


def read_log(path: Path, data: Dataset, *, judge: str = "") -> Run:
    """Read a sample log of another harness as a recorded run.

    Logs are `samples_*.jsonl` of lm-evaluation-harness, or `.json` or `.eval` of Inspect.
    """
    if path.suffix == ".jsonl":
        name, samples = path.stem, _lm_eval_samples(path, data.scale)
    elif path.suffix in (".json", ".eval"):
        name, samples = _inspect_samples(path, data.scale)
    else:
        raise InputError(
            f"{path}: a log is samples_….jsonl of lm-eval, or .json or .eval of Inspect"
        )
    by_item: dict[str, list[tuple[Reading, str]]] = {}
    for item, reading, raw in samples:
        by_item.setdefault(item, []).append((reading, raw))
    judged = []
    for item, answers in by_item.items():
        combined, raw = (
            combine([reading for reading, _ in answers], data.scale),
            "\n".join(raw for _, raw in answers),
        )
        judged.append(Judgement(item, combined.answer, combined.fault, combined.probs, raw))
    settings = {"log": path.name, "sha256": sha256_of(path)}
    return Run.recorded(data, judge or name, judged, settings=settings)


LogSample = tuple[str, Reading, str]


def _lm_eval_samples(path: Path, scale: Scale) -> Iterator[LogSample]:
    """Yield the item id, the reading and the raw replies of each sample.

    Log-likelihoods of the choices become probabilities; generated text is read as by `openai/…`.
    """
    for number, line in read_json_lines(path):
        try:
            item, replies = str(line["doc"]["id"]), line["filtered_resps"]
        except (KeyError, TypeError):
            remedy = "log the samples of a task written by 'grice exchange'"
            raise bad_line(path, number, "no item id or no replies", remedy) from None
        if not isinstance(replies, list) or not replies:
            raise bad_line(
                path, number, "'filtered_resps' is no list of replies", "log the samples again"
            )
        raw = json.dumps(replies, ensure_ascii=False)
        if all(isinstance(reply, str) for reply in replies):
            extraction = line["doc"].get(READING) or {}
            yield item, _read_text(extraction, replies[0], "", scale), raw
        else:
            yield item, _likelihoods(path, number, replies, scale), raw


def _likelihoods(path: Path, number: int, replies: list[Any], scale: Scale) -> Reading:
    if len(replies) != len(scale.labels):
        fact = f"{len(replies)} choices where the scale has {len(scale.labels)} labels"
        raise bad_line(path, number, fact, f"read it against data on {scale}")
    try:
        scores = [float(reply[0]) for reply in replies]
    except (TypeError, ValueError, KeyError, IndexError, OverflowError):
        raise bad_line(
            path, number, "a likelihood is not a number", "log the samples again"
        ) from None
    highest = max(scores)
    if not math.isfinite(highest):
        return Reading(fault=f"unreadable: the likelihoods are {scores}")
    weights = [math.exp(score - highest) for score in scores]
    probs = {
        label: weight / sum(weights) for label, weight in zip(scale.labels, weights, strict=True)
    }
    return Reading(best(probs), probs)


def _inspect_samples(path: Path, scale: Scale) -> tuple[str, Iterator[LogSample]]:
    log, samples = _unpacked(path) if path.suffix == ".eval" else _whole(path)
    model = str(log.get("eval", {}).get("model", path.stem))
    return model, (_inspect_sample(sample, scale) for sample in samples)


def _whole(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    try:
        log = parse_json(read_bytes(path))
        return log, log["samples"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{path}: not a log of Inspect with samples; write one with --log-format json"
        ) from None


def _unpacked(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """Return the header and the samples of an `.eval` archive.

    Newer versions compress members in a way that this Python may not read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > limit(BYTES):
                raise InputError(
                    f"{path}: holds more than {limit(BYTES):,} bytes once unpacked;"
                    f" {raise_with(BYTES)}"
                )
            if any(member.compress_type == ZSTD for member in members):
                return _whole_through_inspect(path)
            header = parse_json(archive.read("header.json"))
            return header, [
                parse_json(archive.read(m)) for m in members if m.filename.startswith("samples/")
            ]
    except (
        OSError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        KeyError,
        ValueError,
        RuntimeError,
    ) as error:
        raise InputError(
            f"{path}: not an .eval archive ({error}); convert it: inspect log convert --to json"
        ) from None


def _whole_through_inspect(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        remedy = "install inspect-ai, or convert it: inspect log convert --to json"
        raise InputError(f"{path}: packed with zstd; {remedy}") from None
    log = json.loads(read_eval_log(str(path)).model_dump_json())
    return log, log["samples"]


def _inspect_sample(sample: Mapping[str, Any], scale: Scale) -> LogSample:
    item = str(sample.get("id"))
    if sample.get("error"):
        message = " ".join(str(sample["error"].get("message", "")).split())
        return item, Reading(fault=f"error: {message[:80]}"), json.dumps(sample["error"])
    choices = (sample.get("output") or {}).get("choices") or []
    if not choices:
        return item, Reading(fault="unreadable: an empty reply"), ""
    content = choices[0]["message"]["content"]
    # A list of parts may hold reasoning separately from the text.
    text = (
        content
        if isinstance(content, str)
        else "".join(p.get("text", "") for p in content if p["type"] == "text")
    )
    finish = INSPECT_FINISH.get(choices[0].get("stop_reason"), "")
    extraction = (sample.get("metadata") or {}).get(READING) or {}
    return item, _read_text(extraction, text, finish, scale), text
