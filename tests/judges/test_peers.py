"""The same answers, item by item, in grice and in the harnesses to which a task is exported."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.judgement import Judge
from grice.core.scale import NLI
from grice.judges.harness_tasks import write_task
from grice.judges.harnesses import read_log
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.judges.models import causal_model
from tests.judges.servers import Act, completion, serving
from tests.judges.test_hf_asking import TEMPLATE, shots

pytestmark = pytest.mark.slow
ITEMS = 200


@pytest.fixture(scope="module")
def data() -> Dataset:
    return grice.load("quantifiers@7").head(ITEMS)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import AutoTokenizer

    folder = causal_model(tmp_path_factory.mktemp("chat"), "llama", longest=2048)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    return folder


def judge_of(name: str, **settings: Any) -> Judge:
    judge = grice.load_judge(name, **settings)
    assert isinstance(judge, Judge)
    return judge


def assert_same_answers(theirs: Run, ours: Run) -> None:
    assert theirs.asked == ours.asked == ITEMS
    for column in ("answer", *(c for c in ours.frame.columns if c.startswith("p."))):
        first, second = (run.frame.sort("id")[column].to_list() for run in (theirs, ours))
        assert first == (second if column == "answer" else pytest.approx(second, abs=1e-4))


@pytest.mark.parametrize(
    "settings",
    [
        {"chat": "no"},
        {"chat": "yes", "system": "Be brief."},
        {"chat": "no", "shots": 3},
        {"chat": "yes", "shots": 3},
        {"chat": "yes", "readout": "letter"},
    ],
    ids=["plain", "chat", "three-shot", "chat three-shot", "chat letters"],
)
def test_lm_eval_answers_as_hf(
    settings: dict[str, Any], data: Dataset, model: Path, tmp_path: Path
) -> None:
    lm_eval = pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed")
    examples = {"shots_from": str(shots(tmp_path / "shots.jsonl"))} if "shots" in settings else {}
    judge = judge_of(f"hf/{model}", dtype="fp32", **settings, **examples)
    task = write_task(data, "lm-eval", tmp_path / "task", reading="logical", judge=judge)["task"]
    tasks = pytest.importorskip("lm_eval.tasks").TaskManager(include_path=str(tmp_path / "task"))
    results = lm_eval.simple_evaluate(
        "hf",
        model_args=f"pretrained={model},dtype=float32",
        tasks=[task],
        task_manager=tasks,
        device="cpu",
        batch_size=8,
        log_samples=True,
    )
    log = tmp_path / "samples.jsonl"
    log.write_text(
        "".join(json.dumps(line, default=str) + "\n" for line in results["samples"][task])
    )
    ours = evaluate(data, judge, keep_going=True)
    assert_same_answers(read_log(log, data), ours)
    accuracy = grice.table(ours, "accuracy:logical").cell((), ours.judge)
    assert accuracy is not None
    assert results["results"][task]["acc,none"] == pytest.approx(accuracy.value)


SHAPES = ("{}", "The answer is {}.", "It is not {}.", "{}?", "**{}**", "Perhaps {}.", "I refuse.")


def reply(body: dict[str, Any], number: int) -> Act:
    """Answer in a shape that depends on the prompt alone."""
    text = body["messages"][-1]["content"]
    drawn = int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16)
    act = completion(SHAPES[drawn % len(SHAPES)].format(NLI.labels[drawn % 3]))
    named = {"id": f"reply-{number}", "model": "m", "created": 0}
    return Act(json.dumps(json.loads(act.body) | named))


@pytest.mark.parametrize(
    "settings",
    [{}, {"system": "Be brief."}, {"readout": "json"}, {"template": "three_shot.txt"}],
    ids=["plain", "chat", "json", "three-shot"],
)
def test_inspect_reads_replies_as_grice(
    settings: dict[str, str], data: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect_ai = pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    pytest.importorskip("openai", reason="Inspect needs openai for a server")
    monkeypatch.chdir(tmp_path)
    example = "Premise: Bo has {0} cats.\nHypothesis: Bo has {0} dogs.\nAnswer: neutral\n\n"
    (tmp_path / "three_shot.txt").write_text(
        "".join(example.format(i) for i in range(3)) + "{text}\n{options}\n{how}\nAnswer:"
    )
    with serving(reply) as server:
        judge = judge_of("openai/m", url=server.url, **settings)
        write_task(data, "inspect", tmp_path / "task", reading="logical", judge=judge)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        (log,) = inspect_ai.eval(
            "task/task.py",
            model="openai/m",
            model_base_url=server.url,
            model_args={"responses_api": False},
            log_dir="logs",
            log_format="json",
            display="none",
        )
        ours = evaluate(data, judge, keep_going=True)
    assert log.status == "success", log.error
    theirs = read_log(Path(log.location.removeprefix("file://")), data)
    assert_same_answers(theirs, ours)
    scores = {score.name: score.metrics for score in log.results.scores}
    assert scores["answered"]["mean"].value == ours.answered / ITEMS
    accuracy = grice.table(ours, "accuracy:logical").cell((), ours.judge)
    assert accuracy is not None
    assert scores["acc"]["accuracy"].value == pytest.approx(accuracy.value * ours.answered / ITEMS)
