"""The probe before a run: what it tries, what it chooses by, and what it leaves alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.judges.methods import Method
from grice.judges.positions import PositionCounts, assign_orders
from grice.judges.probe import MIN_ITEMS, PAIRS, ProbeResult, choose_readout
from grice.judges.prompts import order_labels
from grice.judges.providers.hf import Hf
from grice.judges.providers.openai import Openai
from grice.storage.run import Run
from grice.verbs.judge import judge
from tests.hand import pair
from tests.judges.models import causal_model
from tests.judges.servers import Act, completion, serving


def many(count: int = MIN_ITEMS) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(count)])


def readout_of(body: dict[str, Any]) -> str:
    if body.get("logprobs"):
        return "logprobs"
    return "json" if "response_format" in body else "text"


def shown_label(body: dict[str, Any], letter: str) -> str:
    """The label that a prompt shows with a letter."""
    (found,) = re.findall(rf"^{letter}\. (\w+)", body["messages"][-1]["content"], re.M)
    return str(found)


def letters(body: dict[str, Any], letter: str) -> Act:  # noqa: ARG001
    return completion(letter, logprobs=[(letter, {letter: math.log(0.98)})])


def chatter(body: dict[str, Any], _number: int) -> Act:
    """A model that goes on about the question, unless it may answer with a letter."""
    if readout_of(body) != "logprobs":
        return completion("That is a good question.")
    letter = next(c for c in "ABC" if shown_label(body, c) == "neutral")
    return letters(body, letter)


def chosen(script: Any, data: Dataset, into: Path | None, **settings: Any) -> Openai:
    with serving(script) as server:
        model = Openai("m", url=server.url, **settings)
        found = choose_readout(model, data, into=into, limit=None, seed=0, name="")
    assert isinstance(found, Openai)
    return found


def test_readout_with_valid_responses_is_chosen() -> None:
    assert chosen(chatter, many(), None).readout == "logprobs"


def test_default_stays_where_nothing_is_better() -> None:
    def script(body: dict[str, Any], _number: int) -> Act:
        kind = readout_of(body)
        return (
            letters(body, "A")
            if kind == "logprobs"
            else completion('{"answer": "neutral"}' if kind == "json" else "neutral")
        )

    found = chosen(script, many(), None)
    assert found.readout == "text"
    assert found.probed.startswith("readout=text")


def test_readout_bound_to_a_position_is_not_chosen() -> None:
    """Always the first letter: valid, with full label mass, and no sign of reading."""

    def script(body: dict[str, Any], number: int) -> Act:
        if readout_of(body) == "logprobs":
            return letters(body, "A")
        return completion("neutral" if number % 2 else "Well.")

    with serving(script) as server:
        model = Openai("m", url=server.url)
        candidate = model.candidates(NLI)["logprobs"]
        bound = candidate.in_orders(many().ids, NLI)
        replies = list(bound.judge(many().questions(), NLI))
    assert {reply.fault for reply in replies} == {None}
    counts = Counter(reply.answer for reply in replies)
    # Each label stands at the first position equally often.
    assert set(counts.values()) == {MIN_ITEMS // 3}
    assert bound.notes["position bias"] == pytest.approx(2 / 3, abs=1e-4)


def test_score_looks_at_validity_mass_and_evenness() -> None:
    assert ProbeResult("a", 24, 24, 0.9, 0.1).score == pytest.approx(0.81)
    assert ProbeResult("b", 24, 12, None, None).score == pytest.approx(0.5)
    assert ProbeResult("c", 24, 0, None, None).score == 0


@pytest.mark.parametrize(
    ("settings", "count"),
    [({"readout": "json"}, MIN_ITEMS), ({"limit_requests": 10}, MIN_ITEMS), ({}, MIN_ITEMS - 1)],
)
def test_chosen_readouts_limits_and_short_runs_are_not_probed(
    settings: dict[str, Any], count: int
) -> None:
    def script(_body: dict[str, Any], _number: int) -> Act:
        raise AssertionError("no request is sent")

    assert not chosen(script, many(count), None, **settings).probed


def test_run_keeps_the_probe_and_a_later_call_its_readout(tmp_path: Path) -> None:
    data = many()
    with serving(chatter) as server:
        settings = {"url": server.url}
        first = judge(data, "openai/m", settings=settings, into=tmp_path, limit=MIN_ITEMS)
        sent = len(server.bodies)
        second = judge(data, "openai/m", settings=settings, into=tmp_path)
        assert len(server.bodies) == sent
    assert isinstance(first, Run) and isinstance(second, Run)
    assert sent == 3 * PAIRS + MIN_ITEMS
    assert first.settings["readout"] == "logprobs"
    assert str(first.notes["probe"]).startswith("readout=logprobs")
    assert second.folder == first.folder
    assert second.answered == MIN_ITEMS


def test_no_probe_asks_by_the_default(tmp_path: Path) -> None:
    with serving(lambda _body, _number: completion("neutral")) as server:
        run = judge(many(), "openai/m", settings={"url": server.url}, into=tmp_path, probe=False)
        assert len(server.bodies) == MIN_ITEMS
    assert isinstance(run, Run)
    assert run.settings["readout"] == "text"


def test_orders_are_balanced_and_positions_counted() -> None:
    orders = assign_orders(Method(readout="letter"), [str(i) for i in range(31)], NLI.labels, 0)
    points = assign_orders(Method(readout="letter"), ["a", "b"], ("1", "2", "3"), 0)
    assert {method.order for method in points.values()} == {"0"}
    counts = Counter(method.order for method in orders.values())
    assert max(counts.values()) - min(counts.values()) <= 1
    positions = PositionCounts()
    assert positions.bias is None
    for order in range(3):
        positions.add(NLI.labels, order, order_labels(NLI.labels, order)[1])
        positions.add(NLI.labels, order, None)
    assert positions.notes()["position bias"] == pytest.approx(2 / 3, abs=1e-4)


def test_local_model_is_probed_by_its_scored_readouts(tmp_path: Path) -> None:
    model = Hf(str(causal_model(tmp_path, "llama", longest=1024)))
    found = choose_readout(model, many(), into=None, limit=None, seed=0, name="")
    assert isinstance(found, Hf)
    assert found.probed.count("of 24 valid") == 3
    letter = model.candidates(NLI)["letter"].in_orders(many().ids, NLI)
    assert {letter.order_of(item) for item in many().ids} == {0, 1, 2}
    assert letter.identity["orders"] == "balanced"
