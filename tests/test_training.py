"""`grice train`: variants as operations on the data, stages, tasks and seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT
from grice.judges._lessons import lesson
from grice.training import Course, conjoined, surrogate_means, surrogates, together, train, without
from tests.judges.test_learners import pairs, tiny_encoder, vectors


def nli(*rows: tuple[str, str, str]) -> Dataset:
    return Dataset.from_items(
        "nli", NLI, [Item(str(i), a, b, {"label": c}) for i, (a, b, c) in enumerate(rows)]
    )


def test_surrogate_scores_are_the_papers_means() -> None:
    data = surrogates(
        nli(("A dog runs.", "It moves.", "entailment"), ("A dog runs.", "It sleeps.", "contradiction"))
    )
    assert data.scale == UNIT
    assert data.frame["gold.probability"].to_list() == [0.9272, 0.0209]


def test_surrogate_means_come_from_a_set_with_labels_and_scores() -> None:
    items = [
        Item(f"{label}{n}", "a", "b", {"label": label, "probability": value})
        for label, values in {
            "entailment": (1.0, 0.8),
            "neutral": (0.5, 0.3),
            "contradiction": (0.0, 0.2),
        }.items()
        for n, value in enumerate(values)
    ]
    graded = Dataset.from_items("graded", UNIT, items, readings={"label": NLI, "probability": UNIT})
    assert surrogate_means(graded, "probability", "label") == pytest.approx(
        {"entailment": 0.9, "neutral": 0.4, "contradiction": 0.1}
    )


def test_pairs_that_share_a_text_with_a_measured_set_are_left_out() -> None:
    data = nli(
        ("He managed to grin at Hanson.", "He grinned.", "entailment"),
        ("A dog runs in the park.", "It sleeps.", "contradiction"),
    )
    measured = nli(("he  managed to grin at hanson", "Somebody grinned.", "neutral"))
    assert without(data, [measured]).frame["premise"].to_list() == ["A dog runs in the park."]


def test_iterative_adversarial_training_draws_base_pairs_with_conjunctions() -> None:
    data = nli(
        ("A cat and a dog.", "A cat.", "entailment"),
        ("An orca.", "A whale.", "entailment"),
        ("A cat.", "A cat or not.", "neutral"),
    )
    drawn = conjoined(lesson(data), 1)
    assert [e.first for e in drawn.examples] == ["A cat and a dog.", "A cat."]
    assert drawn.sample == 1
    with pytest.raises(InputError, match="no base pair contains and, or, but or nor"):
        conjoined(lesson(nli(("A cat.", "A dog.", "neutral"))), 1)


def test_sets_on_one_scale_are_put_together_and_others_refused() -> None:
    one, two = nli(("a", "b", "neutral")), nli(("c", "d", "entailment"))
    both = together([one, Dataset("two", NLI, two.frame)])
    assert len(both) == 2 and both.scale == NLI
    with pytest.raises(InputError, match="different scales"):
        together([one, surrogates(two)])


def test_an_adversarial_set_needs_a_way() -> None:
    with pytest.raises(InputError, match="both or neither"):
        Course(["a"], adversarial="b")


@pytest.mark.slow
def test_two_seeds_report_their_spread(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    pairs().write(path)
    given = {"vectors": str(vectors(tmp_path)), "epochs": "2", "rate": "0.02", "batch": "8"}
    rows = train("bow", Course([str(path)], [str(path)]), out=tmp_path / "m", settings=given, seeds=2)
    assert [row["judge"] for row in rows[:2]] == [f"trained/{tmp_path}/m/seed-{seed}" for seed in (0, 1)]
    assert rows[2]["mean"] == pytest.approx(sum(row[str(path)] for row in rows[:2]) / 2, abs=1e-3)
    assert {"total", "independent", "covariance"} <= set(rows[2])


@pytest.mark.slow
def test_iterative_adversarial_training_runs_after_its_base(tmp_path: Path) -> None:
    base, hard = tmp_path / "base.jsonl", tmp_path / "hard.jsonl"
    pairs().head(24).write(base)
    nli(*[(f"A cat and {n} dogs run.", "A cat runs.", "entailment") for n in range(8)]).write(hard)
    nli(*[(f"{n} cats and dogs.", "Cats.", "entailment") for n in range(4)]).write(tmp_path / "more.jsonl")
    course = Course([str(base), str(tmp_path / "more.jsonl")], [str(hard)], adversarial=str(hard), how="iaft")
    given = {"base": tiny_encoder(tmp_path), "epochs": "2", "rate": "1e-3", "batch": "8", "max_length": "24"}
    (row,) = train("encoder", course, out=tmp_path / "m", settings=given)
    assert row["judge"].endswith("/m/2") and row[str(hard)] > 0.5
    assert (tmp_path / "m" / "1" / "model.safetensors").is_file()


@pytest.mark.slow
def test_several_tasks_share_an_encoder_and_each_is_a_judge(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.csv"
    pairs().head(12).write(one)
    two.write_text(
        "premise,label\n" + "".join(f"text {n},{'ab'[n % 2]}\n" for n in range(8)), encoding="utf-8"
    )
    given = {"base": tiny_encoder(tmp_path), "epochs": "1", "batch": "4", "max_length": "24"}
    rows = train("encoder", Course([str(one), str(two)], mix="uniform"), out=tmp_path / "m", settings=given)
    assert [row["task"] for row in rows] == [str(one), str(two)]
    assert all(Path(row["judge"].partition("/")[2], "config.json").is_file() for row in rows)
