"""The verbs around an API judge, from the command line to the files."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.storage.run import Run
from tests.hand import pair, three, wait_until
from tests.judges.servers import Act, completion, serving, two_wordings


def told(*words: str) -> Any:
    """What a verb prints with --json; a failure is raised as it is."""
    result = CliRunner().invoke(build(), [*words, "--json"], catch_exceptions=False)
    return json.loads(result.stdout)


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    three().write(path)
    return path


def test_a_prompt_is_shown_asked_and_read_again_by_verbs(items: Path, tmp_path: Path) -> None:
    runs = str(tmp_path / "runs")
    with serving(lambda _body, _number: completion("neutral")) as server:
        by = [
            "--by",
            "openai/m",
            "-M",
            f"url={server.url}",
            "-M",
            f"methods={two_wordings(tmp_path)}",
        ]
        shown = told("show-prompt", str(items), *by)
        (row,) = told("judge", str(items), *by, "--into", runs)
    assert all(sent["body"] in server.bodies for sent in shown)
    assert row["notes"]["requests"] == 6
    again = told("rescore", row["run"], "--readout", "text", "--into", runs)
    assert [part["answered"] for part in again] == [3]


def test_a_dry_run_estimates_and_asks_nothing(items: Path) -> None:
    with serving(lambda _body, _number: completion("neutral")) as server:
        (row,) = told(
            "judge",
            str(items),
            "--by",
            "openai/m",
            "-M",
            f"url={server.url}",
            "-M",
            "price=1,1",
            "--dry-run",
        )
    assert (row["requests"], server.bodies) == (3, [])
    assert row["cost, at most"] > 0


def test_a_task_goes_out_and_its_log_comes_back_by_verbs(items: Path, tmp_path: Path) -> None:
    row = told("exchange", "write", str(items), "--to", "lm-eval", "-o", str(tmp_path / "task"))
    docs = [
        json.loads(line) for line in (tmp_path / "task" / "items.jsonl").read_text().splitlines()
    ]
    log = tmp_path / "samples.jsonl"
    log.write_text(
        "\n".join(json.dumps({"doc": doc, "filtered_resps": [doc["target"]]}) for doc in docs)
    )
    found = told(
        "exchange",
        "read",
        str(log),
        "--on",
        str(items),
        "--name",
        "them",
        "--into",
        str(tmp_path / "runs"),
    )
    assert (row["items"], found["answered"]) == (3, 3)
    assert Run.read(Path(found["run"])).frame["answer"].to_list() == list(NLI.labels)


def test_faults_of_a_server_are_asked_again_in_the_same_run(items: Path, tmp_path: Path) -> None:
    better, over = False, threading.Event()

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        asked = body["messages"][0]["content"]
        if "the 1 cakes" in asked and not better:
            assert over.wait(120)
        if "the 2 cakes" in asked:
            return (
                Act('{"error": "overloaded"}', 503)
                if not better
                else completion("I can't help with that")
            )
        return completion("neutral")

    with serving(script) as server:
        command = ["judge", str(items), "--by", "openai/m", "--into", str(tmp_path / "runs")]
        command += ["-M", f"url={server.url}", "-M", "retries=0"]
        (row,) = told(*command, "-M", "timeout=3", "-M", "connections=1")
        over.set()
        assert row["kinds"] == {"http 503": 1, "timeout": 1}
        assert "again" not in row
        better, before = True, len(server.bodies)
        (estimate,) = told(*command, "--again", "timeout,http", "--dry-run")
        assert (estimate["items"], estimate["requests"], len(server.bodies)) == (2, 2, before)
        # More patience is no other judge: the run is the same.
        (again,) = told(*command, "--again", "timeout,http", "-M", "timeout=120")
        assert len(server.bodies) == before + 2
        assert again["run"] == row["run"]
        assert again["again"] == {"asked again": 2, "answered now": 1, "still faulted": 1}
        assert (again["answered"], again["kinds"]) == (2, {"refused": 1})
        (third,) = told(*command, "--again", "timeout,http")
        assert len(server.bodies) == before + 2
    assert third == again, "what a run took is kept with it"
    said = CliRunner().invoke(build(), ["show", row["run"]]).stdout
    assert "still faulted  1" in said
    (read_again,) = told("rescore", row["run"], "--into", str(tmp_path / "runs"))
    assert (read_again["answered"], read_again["faults"]) == (2, 1)


@pytest.mark.slow
def test_an_interrupt_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    items = tmp_path / "mine.jsonl"
    Dataset.from_items("many", NLI, [pair(i) for i in range(400)]).write(items)
    more = threading.Event()

    def script(_body: dict[str, Any], number: int) -> Act:
        assert number < 40 or more.wait(120)
        return completion("neutral")

    with serving(script) as server:
        command = [
            sys.executable,
            "-m",
            "grice",
            "judge",
            str(items),
            "--by",
            "openai/m",
            "--into",
            str(tmp_path / "r"),
        ]
        command += ["-M", f"url={server.url}", "-M", "connections=4", "--no-probe"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        wait_until(
            lambda: any(path.stat().st_size for path in tmp_path.glob("r/*/judgements.jsonl"))
        )
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 130, errors
        assert b"the same command goes on" in errors
        (folder,) = (tmp_path / "r").iterdir()
        before = Run.read(folder)
        assert 0 < before.answered <= 40
        more.set()
        subprocess.run(
            [*command, "-M", "connections=32"], check=True, capture_output=True, timeout=120
        )
    after = Run.read(folder)
    assert (after.answered, after.open) == (400, 0)
