"""Export to and import from other harnesses.

A dataset becomes an lm-evaluation-harness or Inspect task; their logs become recorded runs.
"""

from __future__ import annotations

import json
import math
import re
import string
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import InputError, bad_line, unknown
from grice.core.files import read_bytes, read_json_lines, read_text, sha256_of, write_atomically
from grice.core.item import Item
from grice.core.judgement import Judgement, best
from grice.core.limits import BYTES, limit, raise_with
from grice.core.parsing import parse_json
from grice.core.scale import Scale
from grice.judges.prompts import Wordings
from grice.judges.readout import combine, read
from grice.judges.reply import Reading, Reply
from grice.judges.templates import Template
from grice.storage.run import Run

ITEMS = "items.jsonl"
ZSTD = 93
FINISH = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}
TASKS = Path(__file__).parent / "tasks"


def write_task(data: Dataset, kind: str, folder: Path, *, reading: str = "") -> dict[str, Any]:
    """Write a dataset as a task folder of another harness; `kind` is lm-eval or inspect.

    Each line of its items keeps our id, so that the harness's log can be read back. Items without
    gold in the reading are left out: both harnesses need a target.
    """
    if kind not in HARNESSES:
        raise unknown("harness", kind, HARNESSES)
    lines, write = HARNESSES[kind]
    known = [r for r, on in data.readings.items() if on == data.scale]
    chosen = reading or next(iter(known), "")
    if chosen not in known:
        raise unknown(f"reading of {data.name} on {data.scale}", chosen, known)
    task = _task_name(data.name)
    items = [item for item in data.items() if chosen in item.gold]
    with write_atomically(folder / ITEMS) as out:
        out.writelines(
            json.dumps(line, ensure_ascii=False) + "\n" for line in lines(items, data.scale, chosen)
        )
    write(data, folder, task)
    left_out = len(data) - len(items)
    return {
        "task": task,
        "reading": chosen,
        "items": len(items),
        "left out": left_out,
        "folder": str(folder),
    }


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


def _task_name(name: str) -> str:
    """Return a task name that both harnesses accept.

    Of a file only the stem is used, since its folder means nothing elsewhere.
    """
    stem = Path(name).stem if Path(name).suffix else name
    return "grice_" + re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")


def _prompt(item: Item, scale: Scale) -> str:
    """Return the prompt that `openai/…` sends for the same item with `readout=text`.

    The answers are then comparable.
    """
    return Wordings().prompt(item.question, scale, "text", 0).text


def _lm_eval_lines(items: list[Item], scale: Scale, reading: str) -> Iterator[dict[str, Any]]:
    """Yield items for lm-evaluation-harness.

    Labels are scored after the same prompt as by `hf/…`; a number is asked for as by `openai/…`.
    """
    template = Template.read("")
    for item in items:
        prompt = (
            template.prompt((item.premise, item.hypothesis), list(scale.labels))
            if scale.labels
            else _prompt(item, scale)
        )
        yield {**item.to_json(), "prompt": prompt, "target": item.gold[reading]}


def _inspect_lines(items: list[Item], scale: Scale, reading: str) -> Iterator[dict[str, Any]]:
    for item in items:
        rest = item.to_json()
        metadata = {key: rest[key] for key in ("gold", "tags", "group") if key in rest}
        yield {
            "id": item.id,
            "input": _prompt(item, scale),
            "target": str(item.gold[reading]),
            "metadata": metadata,
        }


def _write_lm_eval(data: Dataset, folder: Path, task: str) -> None:
    scale, kind = data.scale, "numbers" if data.scale.numeric else "labels"
    values = {
        "task": task,
        "labels": json.dumps(list(scale.labels)),
        "fingerprint": data.fingerprint,
    }
    _write(folder / f"{task}.yaml", "lm_eval.yaml", f"{kind}.yaml", **values)
    if scale.numeric:
        also = ", and scores replies"
        _write(
            folder / "utils.py", "utils.txt", "score.txt", also=also, low=scale.low, high=scale.high
        )
    else:
        _write(folder / "utils.py", "utils.txt", also="")


def _write_inspect(data: Dataset, folder: Path, task: str) -> None:
    title = (data.card.title or data.name).replace('"', "'").replace("\\", "/")
    values = {"title": title, "folder": folder.name, "task": task, "fingerprint": data.fingerprint}
    _write(folder / "task.py", "inspect.txt", **values)


def _write(path: Path, *parts: str, **values: object) -> None:
    """Write files of `tasks/`, one after the other, with the values in place of their `$names`."""
    text = "".join(read_text(TASKS / part) for part in parts)
    with write_atomically(path) as out:
        out.write(string.Template(text).substitute(values))


HARNESSES = {
    "lm-eval": (_lm_eval_lines, _write_lm_eval),
    "inspect": (_inspect_lines, _write_inspect),
}
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
            yield item, read(Reply(scale.labels, text=replies[0]), "text", scale), raw
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
    finish = FINISH.get(choices[0].get("stop_reason"), "")
    return item, read(Reply(scale.labels, text=text, finish=finish), "text", scale), text
