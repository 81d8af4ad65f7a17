"""Asking a model what people were asked: by log-probability over the points, by text, by samples;
compared as distributions.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import grice
from grice.core.item import Item
from grice.core.scale import Scale
from grice.datasets.formats.people import LIKERT7, SLIDER, YES_NO
from grice.datasets.projection import projection
from grice.judges.readout import read
from grice.judges.reply import Reply
from tests.datasets.tiny import write_all
from tests.judges.models import causal_model
from tests.judges.servers import Act, completion, serving

COMMITMENT = Scale(labels=("-3", "-2", "-1", "0", "1", "2", "3"))


def asked(scale: Scale, *people: tuple[str, ...]) -> grice.Dataset:
    items = [
        Item(
            f"hand/{i}",
            f"Carol: “Ann knows {i}.”\nIs Carol certain?",
            None,
            {},
            {"people": replies},
            f"g{i}",
        )
        for i, replies in enumerate(people)
    ]
    return grice.Dataset.from_items("hand", scale, items)


def by_tokens(scale: Scale, *tops: tuple[str, float]) -> dict[str, float] | None:
    """How the first token of a reply is read."""
    said = tuple((token, math.log(p)) for token, p in tops)
    found = read(
        Reply(labels=scale.labels, text=tops[0][0], tops=((tops[0][0], said),)), "logprobs", scale
    )
    return {label: round(p, 3) for label, p in (found.probs or {}).items() if p} or None


def test_a_point_counts_by_its_number_as_by_its_letter() -> None:
    assert by_tokens(LIKERT7, ("7", 0.5), ("6", 0.25), ("A", 0.25)) == {
        "7": 0.5,
        "6": 0.25,
        "1": 0.25,
    }
    assert by_tokens(SLIDER, ("100", 0.5), ("10", 0.3), (" 0", 0.2)) == {
        "100": 0.5,
        "10": 0.3,
        "0": 0.2,
    }
    assert by_tokens(COMMITMENT, ("-3", 0.6), ("3", 0.4)) == {"-3": 0.6, "3": 0.4}
    assert by_tokens(YES_NO, ("Yes", 0.75), ("no", 0.25)) == {"yes": 0.75, "no": 0.25}


@pytest.mark.parametrize(
    ("text", "scale", "answer"),
    [
        ("7", LIKERT7, "7"),
        ("My rating is 6 out of 7.", LIKERT7, None),
        ("Rating: 6", LIKERT7, "6"),
        ("70", SLIDER, "70"),
        ("-3", COMMITMENT, "-3"),
        ("Yes.", YES_NO, "yes"),
        ("G", LIKERT7, None),
    ],
)
def test_a_point_is_read_from_text(text: str, scale: Scale, answer: str | None) -> None:
    assert (
        read(Reply(labels=scale.labels, text=text, finish="stop"), "text", scale).answer == answer
    )


def openai(url: str, **settings: Any) -> Any:
    return grice.load_judge("openai/tiny", url=url, **settings)


def test_a_server_is_asked_by_log_probabilities_by_text_and_by_samples() -> None:
    data = asked(LIKERT7, ("1=7", "2=7", "3=6", "4=6"), ("1=1", "2=2"))

    def script(body: dict[str, Any], number: int) -> Act:
        high = "Ann knows 0" in body["messages"][-1]["content"]
        if body.get("logprobs"):
            tops = (
                {"G": math.log(0.5), "F": math.log(0.5)}
                if high
                else {"A": math.log(0.5), "7": math.log(0.5)}
            )
            return completion("G" if high else "A", logprobs=[("G" if high else "A", tops)])
        return completion(["7", "6"][number % 2] if high else "1")

    with serving(script) as server:
        exact, text, samples = (
            grice.evaluate(data, openai(server.url, connections=1, **settings))
            for settings in (
                {"readout": "logprobs"},
                {"readout": "text"},
                {"readout": "text", "samples": 5, "temperature": 1.0},
            )
        )
    table = grice.table([exact], "energy", down="id")
    assert [table.cells[(row, exact.judge)].value for row in table.rows] == pytest.approx(  # type: ignore[union-attr]
        [-1 / 6, 2.0]
    )
    assert text.frame["answer"].to_list()[1] == "1" and not any(
        c.startswith("p.7") and text.frame[c][0] for c in text.frame.columns
    )
    drawn = {label: samples.frame[f"p.{label}"][0] for label in ("6", "7")}
    assert sorted(drawn.values()) == pytest.approx([0.4, 0.6])
    found = [grice.table([run], "energy").records()[0]["value"] for run in (exact, text, samples)]
    assert found[0] == pytest.approx(11 / 12) and found[2] < found[1] + 1


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal_model(tmp_path_factory.mktemp("model"), "gpt2", longest=512)


@pytest.mark.parametrize("part", ["asked/exp1a", "asked/exp1b"])
def test_a_local_model_is_asked_what_people_were_asked_in_all_three_ways(
    model: Path, tmp_path: Path, part: str
) -> None:
    data = projection.load(part, write_all(tmp_path))
    for settings in ({}, {"readout": "letter"}):
        run = grice.evaluate(data, grice.load_judge(f"hf/{model}", **settings))
        probs = run.frame.select(f"p.{label}" for label in data.scale.labels)
        assert run.answered == len(data) and probs.sum_horizontal().to_list() == pytest.approx(
            [1.0] * len(data)
        )
        cell = grice.table([run], "energy", where={"predicate": "know"}).records()[0]
        assert cell["n"] >= 1 and -100 < cell["value"] <= (100 if part.endswith("a") else 1)
    written = grice.load_judge(
        f"hf/{model}", readout="text", samples=3, temperature=1.0, max_tokens=4
    )
    run = grice.evaluate(data, written)
    assert run.answered + run.faults == len(data) and set(run.fault_kinds) <= {
        "unreadable",
        "letter not shown",
        "several answers",
        "negated",
        "hedged",
        "questioned",
        "cut off",
        "split",
    }
