"""Tasks for lm-evaluation-harness and Inspect: a dataset with the prompts of a judge.

Each item carries the prompt, the texts of the labels, and what the scorer needs to read a response
as grice reads it.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.files import read_text, write_atomically
from grice.core.item import Item
from grice.core.judgement import BindsItems, Judge, ShowsPrompt
from grice.core.scale import Scale
from grice.judges.harnesses import READING
from grice.judges.prompts import Wordings, order_labels
from grice.judges.providers.openai import Openai
from grice.judges.templates import Template

ITEMS = "items.jsonl"
KINDS = ("lm-eval", "inspect")
TASKS = Path(__file__).parent / "tasks"
MAX_TOKENS = 128


@dataclass(frozen=True)
class TaskPrompt:
    """The prompt of an item: messages of a chat, or a text with the endings that are scored.

    `labels` are in the order of the prompt, each with a letter if it is `lettered`.
    """

    messages: Sequence[dict[str, str]]
    endings: Sequence[str]
    labels: Sequence[str]
    lettered: bool = False
    max_tokens: int = MAX_TOKENS
    temperature: float = 0.0

    def reading(self, scale: Scale) -> dict[str, Any]:
        """Return what a scorer needs to read a response to it."""
        return {"scale": scale.to_json(), "labels": list(self.labels), "lettered": self.lettered}


def write_task(
    data: Dataset, kind: str, folder: Path, *, reading: str = "", judge: Judge | None = None
) -> dict[str, Any]:
    """Write a dataset as a task folder of another harness; `kind` is lm-eval or inspect.

    Prompts, readout and examples are those of the judge; without one, those of `hf/…` for lm-eval
    and of `openai/…` for Inspect. Each line of its items keeps our id, so that the harness's log
    can be read back. Items without gold in the reading are left out: both harnesses need a target.
    """
    if kind not in KINDS:
        raise unknown("harness", kind, KINDS)
    known = [r for r, on in data.readings.items() if on == data.scale]
    chosen = reading or next(iter(known), "")
    if chosen not in known:
        raise unknown(f"reading of {data.name} on {data.scale}", chosen, known)
    items = [item for item in data.items() if chosen in item.gold]
    prompts = _prompts(items, data.scale, kind, judge)
    if any(prompt.endings for prompt in prompts) and kind == "inspect":
        raise InputError(
            "Inspect reads what a model writes, and this judge scores the labels; use -M"
            " readout=text or a model behind a server"
        )
    task = _task_name(data.name)
    write = _write_lm_eval if kind == "lm-eval" else _write_inspect
    write(data, folder, task, items, prompts, chosen)
    counts = {"items": len(items), "left out": len(data) - len(items)}
    return {"task": task, "reading": chosen, **counts, "folder": str(folder)}


def _prompts(
    items: Sequence[Item], scale: Scale, kind: str, judge: Judge | None
) -> list[TaskPrompt]:
    """Return the prompt of each item, of a judge or of the default one."""
    if judge is None:
        scored = kind == "lm-eval" and bool(scale.labels)
        return [(_scored if scored else _asked)(item, scale) for item in items]
    if not isinstance(judge, ShowsPrompt):
        raise InputError(f"'{judge.name}' has no prompt; name hf/MODEL or openai/MODEL")
    bound: Any = judge
    if isinstance(judge, BindsItems):
        bound = judge.bind([item.id for item in items], scale)
    return [_of_judge(bound, item, scale) for item in items]


def _scored(item: Item, scale: Scale) -> TaskPrompt:
    """Return the default prompt of `hf/…`, after which the labels are scored."""
    text = Template.read("").prompt((item.premise, item.hypothesis), list(scale.labels))
    return TaskPrompt(_user(text), [f" {label}" for label in scale.labels], scale.labels)


def _asked(item: Item, scale: Scale) -> TaskPrompt:
    """Return the default prompt of `openai/…`."""
    prompt = Wordings().ask(item.question, scale, "text")
    return TaskPrompt(_user(prompt.text), (), scale.labels)


def _of_judge(judge: Any, item: Item, scale: Scale) -> TaskPrompt:
    """Return the one prompt of a judge for an item."""
    prompt, *further = judge.show_prompt(item.question, scale)
    if further:
        raise InputError(
            f"'{judge.name}' asks each item by several prompts, and a task has one; leave out -M"
            " methods"
        )
    if not isinstance(judge, Openai):
        endings = {entry["label"]: entry["text"] for entry in prompt["endings"]}
        return TaskPrompt(_user(prompt["prompt"]), list(endings.values()), list(endings))
    body = prompt["body"]
    lettered = judge.readout == "logprobs"
    labels = order_labels(scale.labels, judge.orders.get(item.id, 0)) if lettered else scale.labels
    messages = body.get("messages") or _user(body["prompt"])
    length = judge.request["max_tokens"]
    return TaskPrompt(messages, (), labels, lettered, length, judge.request["temperature"])


def _user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def _task_name(name: str) -> str:
    """Return a task name that both harnesses accept.

    Of a file only the stem is used, since its folder means nothing elsewhere.
    """
    stem = Path(name).stem if Path(name).suffix else name
    return "grice_" + re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")


def _write_lm_eval(
    data: Dataset,
    folder: Path,
    task: str,
    items: Sequence[Item],
    prompts: Sequence[TaskPrompt],
    reading: str,
) -> None:
    """Write the items, the task and its functions for lm-evaluation-harness."""
    rows = []
    for item, prompt in zip(items, prompts, strict=True):
        if len(prompt.messages) > 1:
            raise InputError(
                "a task of lm-eval has one text per item; leave out -M system, and give it to"
                " lm-eval as --system_instruction"
            )
        row = {**item.to_json(), "prompt": prompt.messages[0]["content"]}
        row |= {"target": item.gold[reading], READING: prompt.reading(data.scale)}
        if prompt.endings:
            gold = list(prompt.labels).index(str(item.gold[reading]))
            row |= {"choices": list(prompt.endings), "gold_choice": gold}
        rows.append(row)
    _write_items(folder, rows)
    scored = bool(prompts and prompts[0].endings)
    values: dict[str, object] = {
        "task": task,
        "target": "gold_choice" if scored else "target",
        "fingerprint": data.fingerprint,
        "max_tokens": prompts[0].max_tokens if prompts else MAX_TOKENS,
    }
    kind = "choices.yaml" if scored else "generated.yaml"
    _write(folder / f"{task}.yaml", "lm_eval.yaml", kind, **values)
    _write(folder / "utils.py", "utils.txt", reading=READING)


def _write_inspect(
    data: Dataset,
    folder: Path,
    task: str,
    items: Sequence[Item],
    prompts: Sequence[TaskPrompt],
    reading: str,
) -> None:
    """Write the items and the task for Inspect."""
    rows = []
    for item, prompt in zip(items, prompts, strict=True):
        stored: Mapping[str, Any] = item.to_json()
        metadata = {key: stored[key] for key in ("gold", "tags", "group") if key in stored}
        metadata[READING] = prompt.reading(data.scale)
        rows.append(
            {
                "id": item.id,
                "input": list(prompt.messages),
                "target": str(item.gold[reading]),
                "metadata": metadata,
            }
        )
    _write_items(folder, rows)
    title = (data.card.title or data.name).replace('"', "'").replace("\\", "/")
    values: dict[str, object] = {"title": title, "folder": folder.name, "task": task}
    values |= {"fingerprint": data.fingerprint, "reading": READING}
    first = prompts[0] if prompts else TaskPrompt((), (), ())
    values |= {"max_tokens": first.max_tokens, "temperature": first.temperature}
    _write(folder / "task.py", "inspect.txt", **values)


def _write_items(folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    with write_atomically(folder / ITEMS) as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write(path: Path, *parts: str, **values: object) -> None:
    """Write files of `tasks/`, one after the other, with the values in place of their `$names`."""
    text = "".join(read_text(TASKS / part) for part in parts)
    with write_atomically(path) as out:
        out.write(string.Template(text).substitute(values))
