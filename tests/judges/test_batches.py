"""Batch endpoints in two forms: everything is answered or counted, nothing is sent twice, and the
cost is the server's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI
from grice.judges.budget import LimitReached
from grice.judges.client import Unreachable
from grice.judges.providers.anthropic import Anthropic
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import pair, wait_until
from tests.judges.hosted import PRICES, HostedModel, hosting
from tests.judges.servers import completion, serving

ITEMS = 60
FAULTS = {"cut off": ITEMS // 20, "refused": ITEMS // 20}


def many(count: int = ITEMS) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(count)])


@pytest.fixture
def prices(tmp_path: Path) -> str:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    return str(path)


def judge(kind: type[Openai], model: HostedModel, prices: str, **more: Any) -> Openai:
    how = {
        "url": model.url,
        "readout": "json",
        "backoff": "0.002",
        "poll": "0.01",
        "prices": prices,
        "batch": "true",
    }
    return kind("m", **how, **more)


@pytest.mark.parametrize("kind", [Openai, Anthropic])
def test_a_batch_is_sent_waited_for_and_collected_and_what_failed_in_it_is_asked_alone(
    kind: type[Openai], tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel()) as model:
        run = evaluate(many(), judge(kind, model, prices, batch_size=25), into=tmp_path / "runs")
    assert (run.answered, run.open, run.fault_kinds) == (ITEMS - 6, 0, FAULTS)
    assert run.notes["failed in a batch and asked alone"] == ITEMS // 10
    by_item = [one["item"] for one in model.ledger]
    assert sorted(by_item) == list(range(ITEMS)), "each item is answered once, by a batch or alone"
    # Expired ones are sent again in a further batch: three of 25 at most, and one for the rest.
    assert len(model.batches) == 4
    assert sum(one["batched"] for one in model.ledger) == ITEMS - 1 - ITEMS // 10
    assert run.notes["cost"] == round(model.cost, 6)
    assert run.notes["tokens cached"] == sum(one["cached"] for one in model.ledger)
    assert kind is Anthropic or run.notes["tokens of reasoning"] == 4 * ITEMS
    assert Run.read(run.folder or Path()).notes == run.notes


@pytest.mark.parametrize("kind", [Openai, Anthropic])
def test_a_batch_whose_reply_was_lost_is_found_and_not_sent_again(
    kind: type[Openai], tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel(lost=1)) as model:
        run = evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
    assert (run.open, len(model.batches)) == (0, 2)
    assert sorted(one["item"] for one in model.ledger) == list(range(20))


@pytest.mark.parametrize("kind", [Openai, Anthropic])
@pytest.mark.parametrize("clock", [-7200.0, 0.0, 7200.0])
def test_a_lost_batch_is_found_behind_newer_ones_whatever_the_clocks_say(
    kind: type[Openai], clock: float, tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel(lost=1, others=True, clock=clock, page=1)) as model:
        run = evaluate(many(19), judge(kind, model, prices), into=tmp_path / "runs")
    sent = [
        one
        for one in model.batches.values()
        if not one["rows"][0]["custom_id"].startswith("theirs")
    ]
    # A second batch has what expired in the first.
    assert (run.open, len(sent[0]["rows"]), sum(len(one["rows"]) for one in sent[1:]) <= 2) == (
        0,
        18,
        True,
    )


def spoiled(change: str) -> Callable[[bytes], bytes]:
    """Files of results in which the line of item 12 is changed."""
    no_money = {"error": {"code": 402, "message": "no money"}}

    def spoil(content: bytes) -> bytes:
        lines = content.splitlines()
        for place, line in enumerate(lines):
            row = json.loads(line)
            if row["custom_id"].split("-")[1] != "11":
                continue
            answer = row.get("response") or {}
            changed = {
                "not JSON": b'{"custom_id": "torn',
                "a number": b"7",
                "no name": json.dumps({**row, "custom_id": None}).encode(),
                "a word as status": (
                    json.dumps({**row, "response": {**answer, "status_code": "abc"}}).encode()
                ),
                "a list": json.dumps({**row, "response": [1], "result": [1]}).encode(),
                "an account without money": (
                    json.dumps(
                        {
                            **row,
                            "response": {"status_code": 200, "body": no_money},
                            "result": {"type": "succeeded", "message": no_money},
                        }
                    ).encode()
                ),
            }
            lines[place] = changed[change]
        return b"".join(line + b"\n" for line in lines)

    return spoil


@pytest.mark.parametrize("kind", [Openai, Anthropic])
@pytest.mark.parametrize(
    "change",
    ["not JSON", "a number", "no name", "a word as status", "a list", "an account without money"],
)
def test_a_bad_line_of_results_is_a_failure_of_its_request_alone(
    kind: type[Openai], change: str, tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel(spoil=spoiled(change))) as model:
        run = evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
    assert (run.open, run.answered) == (0, 18)
    alone = [one["item"] for one in model.ledger if not one["batched"]]
    assert sorted(one["item"] for one in model.ledger if one["batched"] and one["item"] == 12) == [
        12
    ]
    # Anthropic's results have no status, so that this change leaves them as they were.
    assert (12 in alone) is not (kind is Anthropic and change == "a word as status")


@pytest.mark.parametrize("kind", [Openai, Anthropic])
def test_an_empty_account_stops_a_run_and_the_next_command_collects_its_batch(
    kind: type[Openai], tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel(credit=1)) as model:
        with pytest.raises(Unreachable, match="says 402: no money"):
            evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
        assert Run.read(next((tmp_path / "runs").iterdir())).open >= 2, "both that failed in it"
        model.credit = None
        run = evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
    assert (run.open, run.answered) == (0, 18)
    assert sorted(entry["item"] for entry in model.ledger) == list(range(20))


@pytest.mark.parametrize("kind", [Openai, Anthropic])
def test_of_results_that_come_twice_the_first_holds_and_they_are_counted(
    kind: type[Openai], tmp_path: Path, prices: str
) -> None:
    def twice(content: bytes) -> bytes:
        return content + content.replace(b"neutral", b"entailment")

    with hosting(HostedModel(spoil=twice)) as model:
        run = evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
    assert set(run.frame["answer"].drop_nulls()) == {"neutral"}
    assert run.notes["repeated in a batch"] == sum(
        len(one["rows"]) for one in model.batches.values()
    )


@pytest.mark.parametrize("kind", [Openai, Anthropic])
@pytest.mark.parametrize("keep", [1, 2, 3])
def test_a_run_goes_on_from_whatever_was_written_down(
    kind: type[Openai], keep: int, tmp_path: Path, prices: str
) -> None:
    """As after a kill: of the lines about the server only the first few are there, and no reply, or
    a torn one.
    """
    with hosting(HostedModel()) as model:
        whole = evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
        assert whole.folder is not None
        state = whole.folder / "requests.jsonl"
        lines = [line for line in state.read_bytes().splitlines() if line]
        state.write_bytes(b"\n".join(lines[:keep]) + b'\n{"batch": "torn')
        first = (whole.folder / "judgements.jsonl").read_bytes().splitlines()[0]
        (whole.folder / "judgements.jsonl").write_bytes(first + b"\n")
        batches, given_out = len(model.batches), len(model.ledger)
        run = evaluate(many(20), judge(kind, model, prices), into=tmp_path / "runs")
    assert run.open == 0
    again = [one["item"] for one in model.ledger[given_out:]]
    # Only what failed in the batch is asked alone again, and what it did not come to is sent again.
    assert set(again) <= {1, 6, 11, 16} or keep == 1
    assert len(model.batches) == batches + 1


def test_a_batch_under_way_is_collected_though_the_next_command_asks_one_by_one(
    tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel(looks=10**9)) as model:
        one = judge(Openai, model, prices)
        with pytest.raises(KeyboardInterrupt):
            evaluate(
                many(20), one, into=tmp_path / "runs", progress=interrupt_once_looked_at(model)
            )
        model.looks = 1
        rest = judge(Openai, model, prices, limit_requests=60)
        run = evaluate(
            many(20), Openai("m", **{**vars_of(rest), "batch": "false"}), into=tmp_path / "runs"
        )
    assert (run.open, len(model.batches)) == (0, 1)
    assert sum(one["batched"] for one in model.ledger) >= 14


def vars_of(one: Openai) -> dict[str, Any]:
    given = one.settings
    return {key: getattr(given, key) for key in ("url", "readout", "backoff", "poll", "prices")}


def interrupt_once_looked_at(model: HostedModel) -> Any:
    """Raises an interrupt after the first answer, as soon as a batch was looked at."""

    def progress(now: int, total: int) -> None:  # noqa: ARG001
        if now >= 1:
            wait_until(lambda: any(batch["looks"] for batch in list(model.batches.values())))
            raise KeyboardInterrupt

    return progress


def test_a_dry_run_tells_the_price_by_batch_and_needs_no_server(prices: str) -> None:
    how = {"url": "http://127.0.0.1:9/v1", "readout": "json", "prices": prices}
    questions = list(many().questions())
    alone = Openai("m", **how).estimate(questions, NLI)
    batch = Openai("m", **how, batch="true", batch_size=25).estimate(questions, NLI)
    assert batch == {
        **alone,
        "batches": 3,
        "cost, at most": pytest.approx(alone["cost, at most"] / 2),
    }


def test_limits_hold_for_batches_too_and_the_next_command_goes_on(
    tmp_path: Path, prices: str
) -> None:
    with hosting(HostedModel()) as model:
        stops = 0
        for _ in range(10):
            try:
                run = evaluate(
                    many(40),
                    judge(Openai, model, prices, limit_requests=15),
                    into=tmp_path / "runs",
                )
                break
            except LimitReached:
                stops += 1
    assert stops >= 2
    assert run.open == 0
    assert sorted(one["item"] for one in model.ledger) == list(range(40))


def test_a_server_without_batches_says_so_at_once(tmp_path: Path) -> None:
    with serving(lambda _body, _number: completion("neutral")) as server:
        with pytest.raises(Unreachable, match=r"/v1/files says 404.*leave out -M batch=true"):
            evaluate(
                many(5), Openai("m", url=server.url, batch="true", backoff="0.002"), into=tmp_path
            )
        assert Run.read(next(tmp_path.iterdir())).answered == 1
        run = evaluate(many(5), Openai("m", url=server.url), into=tmp_path)
    assert (run.answered, run.open) == (5, 0)


def test_a_batch_needs_a_folder_to_be_remembered_in() -> None:
    with pytest.raises(InputError, match="resumed from the run's folder"):
        evaluate(many(2), Openai("m", url="http://127.0.0.1:9/v1", batch="true"))


def test_what_is_sent_to_anthropic_is_in_its_own_form_with_the_prefix_marked_for_the_cache(
    tmp_path: Path,
) -> None:
    template = tmp_path / "mine.txt"
    template.write_text("Read with care. " * 300 + "\n{premise}\n{hypothesis}\n{options}\n{how}")
    with hosting(HostedModel()) as model:
        how = {
            "url": model.url,
            "system": "You read closely.",
            "readout": "json",
            "template": str(template),
        }
        evaluate(many(3), Anthropic("m", **how, effort="low", connections=1))
    sent, heads = model.bodies[0], model.headers[0]
    mark = {"cache_control": {"type": "ephemeral"}}
    assert sent["system"] == [{"type": "text", "text": "You read closely.", **mark}]
    before, after = sent["messages"][0]["content"]
    assert before == {"type": "text", "text": "Read with care. " * 300 + "\n", **mark}
    assert after["text"].startswith("Some of the 0 cakes") and "cache_control" not in after
    assert sent["output_config"]["effort"] == "low"
    assert sent["output_config"]["format"]["schema"]["properties"]["answer"]["enum"] == list(
        NLI.labels
    )
    assert {key.lower(): value for key, value in heads.items()}["anthropic-version"] == "2023-06-01"
    assert {json.dumps(body["messages"][0]["content"][0]) for body in model.bodies} == {
        json.dumps(before)
    }
