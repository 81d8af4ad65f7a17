"""A run whose replies cannot be read, or whose labels get no probability, stops early and says what
to change.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.judges.providers.hf import Hf
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from grice.storage.run_warnings import (
    FIRST_REPLIES,
    LOW_MASS,
    STOP_MASS,
    UnusableReplies,
    WarningKind,
)
from tests.hand import pair
from tests.judges.models import causal_model
from tests.judges.servers import Act, Script, completion, serving

CUT_OFF = completion("<think>Is it neutral? Perhaps", "length")


def many(count: int) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(count)])


def judge(url: str, **settings: Any) -> Openai:
    return Openai("m", **{"url": url, "backoff": "0.002", "connections": 4, **settings})


def always(act: Act) -> Script:
    return lambda _body, _number: act


@pytest.mark.parametrize(
    ("act", "setting"),
    [
        (CUT_OFF, "-M max_tokens="),
        (completion("I'm sorry, but I can't help with that."), "I'm sorry"),
        (completion("It is either entailment or neutral."), "-M readout=json"),
    ],
)
def test_a_run_stops_when_its_first_replies_are_all_faults(
    act: Act, setting: str, tmp_path: Path
) -> None:
    with serving(always(act)) as server:
        with pytest.raises(UnusableReplies) as stop:
            evaluate(many(300), judge(server.url), into=tmp_path)
        first = Run.read(next(tmp_path.iterdir()))
        # A cut reply of a model that may reason is asked for again with more room.
        repeated = 4 if act is CUT_OFF else 0
        assert len(server.bodies) == first.asked + repeated <= FIRST_REPLIES + 8
        assert first.notes["requests"] == first.asked + repeated
        assert first.asked >= FIRST_REPLIES
        assert (
            setting in str(stop.value)
            and "--keep-going" in str(stop.value)
            and "\n" not in str(stop.value)
        )
        with pytest.raises(UnusableReplies):
            evaluate(many(300), judge(server.url), into=tmp_path)
        assert Run.read(next(tmp_path.iterdir())).asked >= 2 * FIRST_REPLIES
        run = evaluate(many(300), judge(server.url), into=tmp_path, keep_going=True)
    assert (run.asked, run.answered) == (300, 0)
    assert run.warning is not None and run.warning.kind is WarningKind.NO_ANSWER


def test_one_answer_among_the_first_replies_lets_a_run_go_on(tmp_path: Path) -> None:
    with serving(
        lambda _body, number: completion("neutral") if number == FIRST_REPLIES - 2 else CUT_OFF
    ) as server:
        run = evaluate(many(60), judge(server.url, connections=1), into=tmp_path)
    assert (run.asked, run.answered, run.warning) == (60, 1, None)


def test_a_resumed_run_counts_its_new_replies_only(tmp_path: Path) -> None:
    with serving(lambda _body, number: completion("neutral") if number < 30 else CUT_OFF) as server:
        evaluate(many(90), judge(server.url), into=tmp_path, limit=30)
        with pytest.raises(UnusableReplies):
            evaluate(many(90), judge(server.url), into=tmp_path)
        run = Run.read(next(tmp_path.iterdir()))
    assert (run.answered, FIRST_REPLIES <= run.faults <= FIRST_REPLIES + 8) == (30, True)


def test_failures_of_the_line_are_no_replies(tmp_path: Path) -> None:
    def script(_body: dict[str, Any], number: int) -> Act:
        return completion("neutral") if number % 25 == 24 else Act("{}", 500)

    with serving(script) as server:
        run = evaluate(many(100), judge(server.url, retries=0, connections=1), into=tmp_path)
    assert (run.asked, run.answered) == (100, 4)


def test_few_items_are_warned_of_and_not_stopped(tmp_path: Path) -> None:
    items = tmp_path / "mine.jsonl"
    many(FIRST_REPLIES - 1).write(items)
    with serving(always(CUT_OFF)) as server:
        words = [
            "judge",
            str(items),
            "--by",
            "openai/m",
            "-M",
            f"url={server.url}",
            "--into",
            str(tmp_path / "runs"),
        ]
        told = CliRunner().invoke(build(), words)
        assert told.exit_code == 0 and "-M max_tokens=" in told.stderr
        (row,) = json.loads(CliRunner().invoke(build(), [*words, "--json"]).stdout)
    assert row["warnings"].keys() == {WarningKind.NO_ANSWER}


def test_labels_without_probability_stop_a_run_and_little_is_a_warning(tmp_path: Path) -> None:
    assert (STOP_MASS, LOW_MASS) == (0.01, 0.1)
    how = {"readout": "logprobs", "endpoint": "completions"}

    def script(mass: float) -> Script:
        choice = {"text": " A", "finish_reason": "length"}
        scored = {
            "tokens": [" A"],
            "top_logprobs": [{" A": math.log(mass), " x": math.log(1 - mass)}],
        }
        return always(Act(json.dumps({"choices": [{**choice, "logprobs": scored}]})))

    with (
        serving(script(0.002)) as server,
        pytest.raises(UnusableReplies, match=r"0\.002.*-M readout=text"),
    ):
        evaluate(many(40), judge(server.url, **how), into=tmp_path / "a")
    with serving(script(0.05)) as server:
        low = evaluate(many(40), judge(server.url, **how), into=tmp_path / "b")
    with serving(script(0.2)) as server:
        enough = evaluate(many(40), judge(server.url, **how), into=tmp_path / "c")
    assert low.warning is not None and enough.warning is None
    assert low.warning.kind is WarningKind.LOW_MASS
    assert low.warning.value == pytest.approx(0.05, rel=1e-3)
    assert Run.read(low.folder or Path()).warning == low.warning


@pytest.mark.slow
def test_a_local_model_with_little_mass_stops_and_is_warned_of_in_judge_show_and_page(
    tmp_path: Path,
) -> None:
    made = causal_model(tmp_path / "tiny", "llama", longest=2048)
    with pytest.raises(UnusableReplies, match="-M readout=letter") as stop:
        evaluate(many(40), Hf(str(made)), into=tmp_path / "first")
    assert "--keep-going" in str(stop.value)
    assert Run.read(next((tmp_path / "first").iterdir())).answered >= FIRST_REPLIES
    page = tmp_path / "page"
    words = [
        "profile",
        f"hf/{made}",
        "--data",
        "quantifiers@7",
        "--limit",
        "40",
        "-o",
        str(page),
        "--no-images",
    ]
    stopped = CliRunner().invoke(build(), words)
    assert stopped.exit_code == 1 and isinstance(stopped.exception, UnusableReplies | SystemExit)
    assert CliRunner().invoke(build(), [*words, "--keep-going"]).exit_code == 0
    (run,) = [Run.read(one.parent) for one in page.glob("runs/*/run.json")]
    assert run.warning is not None and run.warning.kind is WarningKind.LOW_MASS
    assert run.warning.value < STOP_MASS
    assert run.warning.text in json.loads((page / "profile.json").read_text())["warnings"]
    shown = json.loads(CliRunner().invoke(build(), ["show", str(run.folder), "--json"]).stdout)
    assert shown["warnings"] == {WarningKind.LOW_MASS: run.warning.text}


def test_masses_of_a_run_that_was_recorded_are_judged_too() -> None:
    data = many(3)
    told = [Judgement(i, "neutral", mass=0.05) for i in data.ids]
    assert Run.recorded(data, "one", told).warning is not None
    assert Run.recorded(data, "one", [Judgement(i, "neutral") for i in data.ids]).warning is None
