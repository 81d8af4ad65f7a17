"""Tasks for other harnesses, and their logs back as runs; the logs here are written by hand in
their formats.
"""

from __future__ import annotations

import json
import runpy
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT
from grice.judges.harness_tasks import write_task
from grice.judges.harnesses import read_log, score_reply
from grice.judges.providers.openai import Openai
from grice.storage.run import Run, join
from tests.hand import three
from tests.judges.models import causal_model
from tests.judges.servers import two_wordings


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def sample(number: int, replies: list[Any]) -> str:
    """A line of lm-evaluation-harness's `samples_….jsonl`."""
    doc = {"id": f"hand/{number}", "premise": "…", "prompt": "…", "target": "neutral"}
    return json.dumps(
        {"doc_id": number, "doc": doc, "resps": [replies], "filtered_resps": replies, "acc": 1.0}
    )


def inspect_sample(
    number: int, text: str | list[Any], stop: str = "stop", epoch: int = 1
) -> dict[str, Any]:
    output = {
        "model": "m",
        "choices": [{"message": {"role": "assistant", "content": text}, "stop_reason": stop}],
    }
    return {
        "id": f"hand/{number}",
        "epoch": epoch,
        "input": "…",
        "target": "neutral",
        "output": output,
    }


def inspect_log(path: Path, samples: list[dict[str, Any]]) -> Path:
    path.write_text(
        json.dumps(
            {"version": 2, "status": "success", "eval": {"model": "org/m"}, "samples": samples}
        )
    )
    return path


def test_a_task_for_lm_eval_has_every_item_with_its_id_its_prompt_and_the_labels_in_order(
    tmp_path: Path,
) -> None:
    told = write_task(three(), "lm-eval", tmp_path)
    assert told["items"] == 3
    yaml = (tmp_path / f"{told['task']}.yaml").read_text()
    assert f"task: {told['task']}" in yaml
    assert 'doc_to_choice: "{{choices}}"' in yaml
    assert three().fingerprint in yaml
    rows = lines(tmp_path / "items.jsonl")
    assert [row["choices"] for row in rows] == [[f" {label}" for label in NLI.labels]] * 3
    assert [row["gold_choice"] for row in rows] == [0, 1, 2]
    assert [row["target"] for row in rows] == list(NLI.labels)
    assert [row["id"] for row in rows] == three().ids
    assert "Some of the 1 cakes are gone." in rows[1]["prompt"]


def test_the_loader_written_for_lm_eval_reads_the_items_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_task(three(), "lm-eval", tmp_path)

    class Datasets:
        class Dataset:
            from_list: Any = staticmethod(list)

    monkeypatch.setitem(__import__("sys").modules, "datasets", Datasets)
    loaded = runpy.run_path(str(tmp_path / "utils.py"))["load"]()
    assert [row["id"] for row in loaded["test"]] == three().ids


def test_a_numeric_task_for_lm_eval_generates_and_reads_numbers_on_the_scale(
    tmp_path: Path,
) -> None:
    data = Dataset.from_items(
        "u", UNIT, [Item("u/0", "p", "h", {"probability": 0.5}), Item("u/1", "p", "h")]
    )
    assert write_task(data, "lm-eval", tmp_path)["left out"] == 1
    assert "generate_until" in (tmp_path / "grice_u.yaml").read_text()
    score = runpy.run_path(str(tmp_path / "utils.py"))["score"]
    (doc,) = lines(tmp_path / "items.jsonl")
    scores = [score(doc, [text]) for text in (" 0.5", "0.7", "7", "x")]
    assert [one["answered"] for one in scores] == [1.0, 1.0, 0.0, 0.0]
    assert [one["acc"] for one in scores] == [1.0, 0.0, 0.0, 0.0]


def test_a_task_for_inspect_is_python_with_every_item_and_its_tags(tmp_path: Path) -> None:
    told = write_task(three(), "inspect", tmp_path)
    compile((tmp_path / "task.py").read_text(), "task.py", "exec")
    assert f"def {told['task']}()" in (tmp_path / "task.py").read_text()
    row = lines(tmp_path / "items.jsonl")[2]
    assert (row["id"], row["target"]) == ("hand/2", "contradiction")
    assert row["metadata"]["tags"] == {"kind": "a"}


def test_the_task_of_a_file_is_named_without_its_place(tmp_path: Path) -> None:
    data = replace(three(), name="some/where/my-pairs.csv")
    assert write_task(data, "inspect", tmp_path)["task"] == "grice_my_pairs"


def test_a_wrong_harness_or_reading_is_said_with_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lm-eval"):
        write_task(three(), "lmeval", tmp_path)
    with pytest.raises(InputError, match="label"):
        write_task(three(), "inspect", tmp_path, reading="pragmatic")


def test_log_likelihoods_of_lm_eval_become_probabilities_in_the_order_of_the_labels(
    tmp_path: Path,
) -> None:
    log = tmp_path / "samples_grice_hand_2026.jsonl"
    log.write_text(sample(0, [["-2.0", "False"], ["-1.0", "True"], ["-9.0", "False"]]) + "\n")
    run = read_log(log, three(), judge="their/m")
    assert run.frame["answer"].to_list() == ["neutral"]
    assert run.frame["p.neutral"][0] == pytest.approx(0.7309, abs=1e-3)
    assert (run.open, run.judge) == (2, "their/m")
    kept = run.write(tmp_path / "runs")
    assert kept.folder is not None
    assert join(three(), Run.read(kept.folder))["answer"].to_list() == ["neutral"]


def test_generated_text_of_lm_eval_is_read_or_is_a_fault(tmp_path: Path) -> None:
    log = tmp_path / "samples.jsonl"
    log.write_text(
        "\n".join(
            [sample(0, [" Neutral."]), sample(1, ["hm"]), sample(2, ["I cannot judge this."])]
        )
    )
    run = read_log(log, three())
    assert run.frame["answer"].to_list() == ["neutral", None, None]
    assert run.fault_kinds == {"refused": 1, "unreadable": 1}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"doc": {"premise": "p"}, "filtered_resps": []}', ":1: no item id"),
        (sample(0, [["-1", "x"], ["-2", "x"]]), "2 choices where the scale has 3"),
        (sample(0, ["neutral"]).replace("hand/0", "elsewhere/0"), None),
    ],
)
def test_a_log_of_another_task_is_refused(tmp_path: Path, line: str, said: str | None) -> None:
    log = tmp_path / "samples.jsonl"
    log.write_text(line)
    with pytest.raises(Exception, match=said or "elsewhere/0"):
        read_log(log, three())


def test_a_json_log_of_inspect_becomes_a_run_under_its_models_name(tmp_path: Path) -> None:
    parts = [
        {"type": "reasoning", "reasoning": "entailment?"},
        {"type": "text", "text": "contradiction"},
    ]
    failed = {"id": "hand/2", "epoch": 1, "error": {"message": "no   quota", "traceback": "…"}}
    samples = [inspect_sample(0, "neutral", "max_tokens"), inspect_sample(1, parts), failed]
    run = read_log(inspect_log(tmp_path / "log.json", samples), three())
    assert run.judge == "org/m"
    assert run.frame["answer"].to_list() == [None, "contradiction", None]
    assert run.frame["fault"].to_list() == ["cut off: neutral", None, "error: no quota"]


def test_epochs_of_inspect_are_several_askings_of_one_item(tmp_path: Path) -> None:
    said = ["neutral", "entailment", "neutral"]
    samples = [inspect_sample(0, text, epoch=k) for k, text in enumerate(said, 1)]
    run = read_log(inspect_log(tmp_path / "log.json", samples), three())
    assert run.frame["answer"].to_list() == ["neutral"] and run.frame["p.neutral"].to_list() == [
        None
    ]


def test_an_eval_archive_is_read_where_this_python_can_unpack_it(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {"model": "org/m"}}))
        archive.writestr("samples/0_epoch_1.json", json.dumps(inspect_sample(0, "neutral")))
    run = read_log(path, three())
    assert (run.judge, run.answered) == ("org/m", 1)
    path.write_bytes(b"PK no archive")
    with pytest.raises(InputError, match=r"not an \.eval archive"):
        read_log(path, three())


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"samples_….jsonl"):
        read_log(tmp_path / "log.csv", three())
    (tmp_path / "log.json").write_text("{}")
    with pytest.raises(InputError, match="--log-format json"):
        read_log(tmp_path / "log.json", three())


def test_the_prompts_are_those_of_our_own_judges(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "lm").mkdir()
    model = causal_model(tmp_path / "lm", "gpt2")
    data = three()
    write_task(data, "lm-eval", tmp_path / "a")
    write_task(data, "inspect", tmp_path / "b")
    ours = [grice.show_prompt(data, f"hf/{model}", item=item)[0]["prompt"] for item in data.ids]
    assert [row["prompt"] for row in lines(tmp_path / "a/items.jsonl")] == ours
    assert 'doc_to_text: "{{prompt}}"' in (tmp_path / "a/grice_hand.yaml").read_text()
    server = {"url": "http://localhost:1/v1", "readout": "text"}
    sent = [
        grice.show_prompt(data, "openai/m", item=item, settings=server)[0]["body"]["messages"]
        for item in data.ids
    ]
    assert [row["input"] for row in lines(tmp_path / "b/items.jsonl")] == sent


def test_a_task_carries_the_letters_and_the_system_prompt_of_a_judge(tmp_path: Path) -> None:
    judge = Openai("m", url="http://localhost:1/v1", readout="logprobs", system="Be brief.")
    write_task(three(), "inspect", tmp_path, judge=judge)
    rows = lines(tmp_path / "items.jsonl")
    assert [row["input"][0] for row in rows] == [{"role": "system", "content": "Be brief."}] * 3
    shown = [row["metadata"]["grice"] for row in rows]
    assert len({tuple(one["labels"]) for one in shown}) == 3 and all(o["lettered"] for o in shown)
    right = [score_reply(one, "A", one["labels"][0]) for one in shown]
    assert right == [{"acc": 1.0, "answered": 1.0}] * 3
    samples = [inspect_sample(i, "A") | {"metadata": {"grice": shown[i]}} for i in range(3)]
    run = read_log(inspect_log(tmp_path / "log.json", samples), three())
    assert run.frame["answer"].to_list() == [one["labels"][0] for one in shown]
    with pytest.raises(InputError, match="system_instruction"):
        write_task(three(), "lm-eval", tmp_path, judge=judge)


def test_a_task_with_several_prompts_per_item_is_refused(tmp_path: Path) -> None:
    judge = Openai("m", url="http://localhost:1/v1", methods=two_wordings(tmp_path))
    with pytest.raises(InputError, match="several prompts"):
        write_task(three(), "inspect", tmp_path / "task", judge=judge)
    assert not (tmp_path / "task").exists()
