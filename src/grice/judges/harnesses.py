"""To and from other harnesses: a dataset as an lm-evaluation-harness or Inspect task, their logs as recorded runs."""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import InputError, bad_line, unknown
from grice.core.files import read_bytes, read_json_lines, sha256_of, write_atomically
from grice.core.item import Item
from grice.core.judgement import Judgement, best
from grice.core.run import Run
from grice.core.scale import Scale
from grice.judges.prompts import Wordings
from grice.judges.readout import Reading, Reply, combine, read

ITEMS = "items.jsonl"
ZSTD = 93


def write_task(data: Dataset, kind: str, folder: Path, *, reading: str = "") -> dict[str, Any]:
    """Write a dataset as a task folder of another harness; `kind` is lm-eval or inspect.

    Each line of its items keeps our id, so that the harness's log can be read back. Items without gold in the
    reading are left out: both harnesses need a target.
    """
    if kind not in HARNESSES:
        raise unknown("harness", kind, HARNESSES)
    lines, write = HARNESSES[kind]
    chosen = reading or next((r for r, on in data.readings.items() if on == data.scale), "")
    if data.readings.get(chosen) != data.scale:
        known = [r for r, on in data.readings.items() if on == data.scale]
        raise unknown(f"reading of {data.name} on {data.scale}", chosen, known)
    task = _task_name(data.name)
    items = [item for item in data.items() if chosen in item.gold]
    with write_atomically(folder / ITEMS) as out:
        out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(items, data.scale, chosen))
    write(data, folder, task)
    left_out = len(data) - len(items)
    return {"task": task, "reading": chosen, "items": len(items), "left out": left_out, "folder": str(folder)}


def read_log(path: Path, data: Dataset, *, judge: str = "") -> Run:
    """A sample log of lm-evaluation-harness (`samples_*.jsonl`) or Inspect (`.json`, `.eval`) as a recorded run."""
    if path.suffix == ".jsonl":
        name, samples = path.stem, _lm_eval_samples(path, data.scale)
    elif path.suffix in (".json", ".eval"):
        name, samples = _inspect_samples(path, data.scale)
    else:
        raise InputError(f"{path}: a log is samples_….jsonl of lm-eval, or .json or .eval of Inspect")
    readings: dict[str, list[Reading]] = {}
    raws: dict[str, list[str]] = {}
    for item, reading, raw in samples:
        readings.setdefault(item, []).append(reading)
        raws.setdefault(item, []).append(raw)
    judged = []
    for item, found in readings.items():
        whole = combine(found, data.scale)
        judged.append(Judgement(item, whole.answer, whole.fault, whole.probs, "\n".join(raws[item])))
    settings = {"log": path.name, "sha256": sha256_of(path)}
    return Run.recorded(data, judge or name, judged, settings=settings)


def _task_name(name: str) -> str:
    """A name both harnesses take; of a file its stem alone, since its place means nothing elsewhere."""
    words = Path(name).stem if Path(name).suffix else name
    return "grice_" + re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")


def _prompt(item: Item, scale: Scale) -> str:
    """The words that `openai/…` would send for the same item, so that the two can be compared."""
    return Wordings().prompt(item.question, scale, "text", 0).text


def _lm_eval_lines(items: list[Item], scale: Scale, reading: str) -> Iterator[dict[str, Any]]:
    for item in items:
        yield {**item.to_json(), "prompt": _prompt(item, scale), "target": item.gold[reading]}


def _inspect_lines(items: list[Item], scale: Scale, reading: str) -> Iterator[dict[str, Any]]:
    for item in items:
        rest = item.to_json()
        metadata = {key: rest[key] for key in ("gold", "tags", "group") if key in rest}
        yield {"id": item.id, "input": _prompt(item, scale), "target": str(item.gold[reading]), "metadata": metadata}


LM_EVAL = """\
task: {task}
custom_dataset: !function utils.load
test_split: test
doc_to_text: "{{{{prompt}}}}\\nAnswer:"
doc_to_target: target
target_delimiter: " "
num_fewshot: 0
{how}
metadata:
  version: 1
  fingerprint: {fingerprint}
"""
LABELS = """\
output_type: multiple_choice
doc_to_choice: {labels}
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true"""
NUMBERS = """\
output_type: generate_until
generation_kwargs:
  until: ["\\n"]
  max_gen_toks: 16
process_results: !function utils.score
metric_list:
  - metric: answered
    aggregation: mean
    higher_is_better: true"""
UTILS = '''\
"""Reads the items beside this file{also}."""

import json
from pathlib import Path

import datasets


def load(**_):
    lines = Path(__file__).with_name("items.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    # Tags differ from item to item, and a table has the same columns in each row.
    kept = [{{key: row.get(key) for key in ("id", "premise", "hypothesis", "prompt", "target")}} for row in rows]
    return {{"test": datasets.Dataset.from_list(kept)}}
'''
SCORE = '''

def score(doc, results):
    """Whether the reply is a number on the scale; how near it is to the gold is for `grice exchange` and its tables."""
    try:
        value = float(results[0].strip())
    except ValueError:
        return {{"answered": 0.0}}
    return {{"answered": float({low} <= value <= {high})}}
'''
INSPECT = '''\
"""{title}, as an Inspect task: inspect eval {folder}/task.py --model …"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import exact
from inspect_ai.solver import generate


@task
def {task}() -> Task:
    items = json_dataset(str(Path(__file__).with_name("items.jsonl")), name="{task}")
    return Task(dataset=items, solver=generate(), scorer=exact(), metadata={{"fingerprint": "{fingerprint}"}})
'''


def _write_lm_eval(data: Dataset, folder: Path, task: str) -> None:
    scale = data.scale
    how = NUMBERS if scale.numeric else LABELS.format(labels=json.dumps(list(scale.labels)))
    utils = UTILS.format(also=", and scores replies" if scale.numeric else "")
    score = SCORE.format(low=scale.low, high=scale.high) if scale.numeric else ""
    _write(folder / f"{task}.yaml", LM_EVAL.format(task=task, how=how, fingerprint=data.fingerprint))
    _write(folder / "utils.py", utils + score)


def _write_inspect(data: Dataset, folder: Path, task: str) -> None:
    title = (data.card.title or data.name).replace('"', "'").replace("\\", "/")
    text = INSPECT.format(title=title, folder=folder.name, task=task, fingerprint=data.fingerprint)
    _write(folder / "task.py", text)


def _write(path: Path, text: str) -> None:
    with write_atomically(path) as out:
        out.write(text)


HARNESSES = {"lm-eval": (_lm_eval_lines, _write_lm_eval), "inspect": (_inspect_lines, _write_inspect)}
LogSample = tuple[str, Reading, str]


def _lm_eval_samples(path: Path, scale: Scale) -> Iterator[LogSample]:
    """Log-likelihoods of the choices become probabilities; generated text is read as `openai/…` reads it."""
    for number, line in read_json_lines(path):
        try:
            item, replies = str(line["doc"]["id"]), line["filtered_resps"]
        except (KeyError, TypeError):
            remedy = "log the samples of a task written by 'grice exchange'"
            raise bad_line(path, number, "no item id or no replies", remedy) from None
        raw = json.dumps(replies, ensure_ascii=False)
        if all(isinstance(reply, str) for reply in replies):
            yield item, read(Reply(scale.labels, text=replies[0]), "text", scale), raw
        else:
            yield item, _likelihoods(path, number, replies, scale), raw


def _likelihoods(path: Path, number: int, replies: list[Any], scale: Scale) -> Reading:
    if len(replies) != len(scale.labels):
        fact = f"{len(replies)} choices where the scale has {len(scale.labels)} labels"
        raise bad_line(path, number, fact, f"read it against data on {scale}")
    scores = [float(reply[0]) for reply in replies]
    highest = max(scores)
    if not math.isfinite(highest):
        return Reading(fault=f"unreadable: the likelihoods are {scores}")
    weights = [math.exp(score - highest) for score in scores]
    probs = {label: weight / sum(weights) for label, weight in zip(scale.labels, weights, strict=True)}
    return Reading(best(probs), probs)


def _inspect_samples(path: Path, scale: Scale) -> tuple[str, Iterator[LogSample]]:
    log, samples = _unpacked(path) if path.suffix == ".eval" else _whole(path)
    model = str(log.get("eval", {}).get("model", path.stem))
    return model, (_inspect_sample(sample, scale) for sample in samples)


def _whole(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    try:
        log = json.loads(read_bytes(path))
        return log, log["samples"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: not a log of Inspect with samples; write one with --log-format json") from None


def _unpacked(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """The members of an `.eval` archive, which newer versions pack in a way this Python may not read."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if any(member.compress_type == ZSTD for member in members):
                return _whole_through_inspect(path)
            header = json.loads(archive.read("header.json"))
            samples = [json.loads(archive.read(m)) for m in members if m.filename.startswith("samples/")]
            return header, samples
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InputError(f"{path}: not an .eval archive ({error}); convert it: inspect log convert --to json") from None


def _whole_through_inspect(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise InputError(
            f"{path}: packed with zstd; install inspect-ai, or convert it: inspect log convert --to json"
        ) from None
    log = json.loads(read_eval_log(str(path)).model_dump_json())
    return log, log["samples"]


def _inspect_sample(sample: Mapping[str, Any], scale: Scale) -> LogSample:
    item = str(sample.get("id"))
    if sample.get("error"):
        said = " ".join(str(sample["error"].get("message", "")).split())
        return item, Reading(fault=f"error: {said[:80]}"), json.dumps(sample["error"])
    choices = (sample.get("output") or {}).get("choices") or []
    if not choices:
        return item, Reading(fault="unreadable: an empty reply"), ""
    content = choices[0]["message"]["content"]
    # A list of parts may hold reasoning apart from the text.
    text = content if isinstance(content, str) else "".join(p.get("text", "") for p in content if p["type"] == "text")
    finish = {"max_tokens": "length", "model_length": "length"}.get(choices[0].get("stop_reason"), "")
    finish = "content_filter" if choices[0].get("stop_reason") == "content_filter" else finish
    return item, read(Reply(scale.labels, text=text, finish=finish), "text", scale), text
