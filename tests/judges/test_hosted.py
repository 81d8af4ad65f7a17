"""A server that behaves as hosted models of today do: nothing is asked twice, nothing is lost, the
cost is exact.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI
from grice.judges.budget import LimitReached
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import pair
from tests.judges.servers import Act, Script, completion, serving

ITEMS = 200


def number_of(body: dict[str, Any]) -> int:
    return int(body["messages"][-1]["content"].split("Some of the ")[1].split()[0])


def hosted(answered: dict[int, int]) -> Script:
    """Takes no `max_tokens`, thinks aloud, is busy at times, refuses some and cuts some off."""
    lock, asked = threading.Lock(), dict[int, int]()

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        if "max_tokens" in body:
            return Act(
                '{"error": {"message": "Unsupported parameter: max_tokens. Use'
                ' max_completion_tokens."}}',
                400,
            )
        item = number_of(body)
        with lock:
            asked[item] = asked.get(item, 0) + 1
            first = asked[item] == 1
        if item % 10 == 3 and first:
            return Act("{}", 429, {"Retry-After": "0.01"})
        if item % 10 == 5 and first:
            return Act("{}", 524)
        with lock:
            answered[item] = answered.get(item, 0) + 1
        if item % 20 == 7:
            return completion("I'm sorry, but I can't help with that.")
        if item % 20 == 9:
            return completion('{"answer": "neut', "length")
        return completion('{"answer": "neutral"}', reasoning_content="Some, so perhaps not all.")

    return script


def test_stopped_ten_times_every_item_is_answered_once_or_counted_and_the_cost_is_exact(
    tmp_path: Path,
) -> None:
    data = Dataset.from_items("many", NLI, [pair(i) for i in range(ITEMS)])
    prices = tmp_path / "prices.toml"
    prices.write_text('"m" = [2.0, 10.0]\n')
    answered: dict[int, int] = {}
    with serving(hosted(answered)) as server:
        how = {
            "url": server.url,
            "readout": "json",
            "backoff": "0.002",
            "prices": str(prices),
            "connections": "8",
        }
        stops = 0
        for _ in range(40):
            try:
                run = evaluate(data, Openai("m", **how, limit_requests=25), into=tmp_path / "runs")
                break
            except LimitReached:
                stops += 1
    assert stops >= 8
    assert set(answered.values()) == {1} and len(answered) == ITEMS
    assert (run.answered, run.open) == (ITEMS - 20, 0)
    assert run.fault_kinds == {"refused": 10, "cut off": 10}
    assert run.notes["tokens in"] == 20 * ITEMS and run.notes["tokens out"] == 2 * ITEMS
    assert run.notes["cost"] == pytest.approx((20 * ITEMS * 2.0 + 2 * ITEMS * 10.0) / 1e6)
    kept = json.loads((Path(run.folder or "") / "notes.json").read_text())
    assert kept["sessions"] == stops + 1
    assert Run.read(Path(run.folder or "")).notes == run.notes


def test_a_price_that_is_not_in_the_file_is_told_with_the_line_to_add(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('"other" = [1, 2]\n')
    with pytest.raises(
        InputError, match=r'no price of \'m\' \(it has other\); add: "m" = \[IN, OUT\]'
    ):
        Openai("m", prices=str(prices))
    prices.write_text('"m" = "cheap"\n')
    with pytest.raises(InputError, match="not a file of prices"):
        Openai("m", prices=str(prices))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["openai", "anthropic-batch"])
def test_killed_and_given_again_nothing_kept_is_asked_again_and_the_cost_is_the_servers(
    way: str, tmp_path: Path
) -> None:
    from benchmarks.hosted import play, wrong

    found = play(way, 40, 4, tmp_path)
    assert not wrong(found, 40), found
    assert found["kills"] >= 2
