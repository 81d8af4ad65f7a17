"""`grice train`: variants as operations on the data, stages, tasks and seeds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT
from grice.learners.training.data import (
    collect_texts,
    concatenate,
    exclude_overlap,
    pairs_with_conjunction,
    surrogate_scores,
)
from grice.learners.training.examples import TaskExamples
from grice.learners.training.spec import TrainingData, TrainingSpec
from grice.learners.training.stages import plan_stages
from grice.loading import load
from tests.learners.test_learners import pairs, tiny_encoder, vectors
from tests.learners.training import train


def nli(*rows: tuple[str, str, str]) -> Dataset:
    return Dataset.from_items(
        "nli", NLI, [Item(str(i), a, b, {"label": c}) for i, (a, b, c) in enumerate(rows)]
    )


def test_surrogate_scores_are_the_papers_means() -> None:
    data = surrogate_scores(
        nli(
            ("A dog runs.", "It moves.", "entailment"),
            ("A dog runs.", "It sleeps.", "contradiction"),
        )
    )
    assert data.scale == UNIT
    assert data.frame["gold.probability"].to_list() == [0.9272, 0.0209]


def test_pairs_that_share_a_text_with_a_measured_set_are_left_out() -> None:
    data = nli(
        ("He managed to grin at Hanson.", "He grinned.", "entailment"),
        ("A dog runs in the park.", "It sleeps.", "contradiction"),
    )
    measured = nli(("he  managed to grin at hanson", "Somebody grinned.", "neutral"))
    assert exclude_overlap(data, collect_texts([measured])).frame["premise"].to_list() == [
        "A dog runs in the park."
    ]


def test_iterative_adversarial_training_draws_base_pairs_with_conjunctions() -> None:
    data = nli(
        ("A cat and a dog.", "A cat.", "entailment"),
        ("An orca.", "A whale.", "entailment"),
        ("A cat.", "A cat or not.", "neutral"),
    )
    drawn = pairs_with_conjunction(TaskExamples.from_dataset(data), 1)
    assert [e.first for e in drawn.examples] == ["A cat and a dog.", "A cat."]
    assert drawn.sample == 1
    with pytest.raises(InputError, match="no base pair contains and, or, but or nor"):
        pairs_with_conjunction(TaskExamples.from_dataset(nli(("A cat.", "A dog.", "neutral"))), 1)


def test_sets_on_one_scale_are_put_together_and_others_refused() -> None:
    one, two = nli(("a", "b", "neutral")), nli(("c", "d", "entailment"))
    both = concatenate([one, Dataset("two", NLI, two.frame)])
    assert len(both) == 2 and both.scale == NLI
    with pytest.raises(InputError, match="different scales"):
        concatenate([one, surrogate_scores(two)])


def test_an_adversarial_set_needs_a_way() -> None:
    with pytest.raises(InputError, match="both or neither"):
        TrainingSpec(["a"], adversarial="b")


@pytest.mark.slow
def test_two_seeds_report_their_spread(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    pairs().write(path)
    given = {
        "vectors": str(vectors(tmp_path)),
        "epochs": "2",
        "learning_rate": "0.02",
        "batch_size": "8",
    }
    rows = train(
        "bow", TrainingSpec([str(path)], [str(path)]), out=tmp_path / "m", settings=given, seeds=2
    ).to_rows()
    assert [row["judge"] for row in rows[:2]] == [
        f"trained/{tmp_path}/m/seed-{seed}" for seed in (0, 1)
    ]
    assert rows[2]["mean"] == pytest.approx(sum(row[str(path)] for row in rows[:2]) / 2, abs=1e-3)
    assert {"total", "independent", "covariance"} <= set(rows[2])


@pytest.mark.slow
def test_iterative_adversarial_training_runs_after_its_base(tmp_path: Path) -> None:
    base, hard = tmp_path / "base.jsonl", tmp_path / "hard.jsonl"
    pairs().head(24).write(base)
    nli(*[(f"A cat and {n} dogs run.", "A cat runs.", "entailment") for n in range(8)]).write(hard)
    nli(*[(f"{n} cats and dogs.", "Cats.", "entailment") for n in range(4)]).write(
        tmp_path / "more.jsonl"
    )
    spec = TrainingSpec(
        [str(base), str(tmp_path / "more.jsonl")], [str(hard)], adversarial=str(hard), how="iaft"
    )
    given = {
        "base": tiny_encoder(tmp_path),
        "epochs": "2",
        "learning_rate": "1e-3",
        "batch_size": "8",
        "max_length": "24",
    }
    (row,) = train("encoder", spec, out=tmp_path / "m", settings=given).to_rows()
    assert row["judge"].endswith("/m/2") and row[str(hard)] > 0.5
    assert (tmp_path / "m" / "1" / "model.safetensors").is_file()


@pytest.mark.slow
def test_several_tasks_share_an_encoder_and_each_is_a_judge(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.csv"
    pairs().head(12).write(one)
    two.write_text(
        "premise,label\n" + "".join(f"text {n},{'ab'[n % 2]}\n" for n in range(8)), encoding="utf-8"
    )
    given = {"base": tiny_encoder(tmp_path), "epochs": "1", "batch_size": "4", "max_length": "24"}
    rows = train(
        "encoder",
        TrainingSpec([str(one), str(two)], mix="uniform"),
        out=tmp_path / "m",
        settings=given,
    ).to_rows()
    assert [row["task"] for row in rows] == [str(one), str(two)]
    assert all(Path(row["judge"].partition("/")[2], "config.json").is_file() for row in rows)


@pytest.mark.slow
def test_seeds_on_two_files_with_the_same_ids_are_told_apart(tmp_path: Path) -> None:
    """Rows of a file without ids are counted, so two files share them."""
    for name, label in (("one", "entailment"), ("two", "contradiction")):
        lines = [f"A {n} runs.,It runs.,{label}\n" for n in ("dog", "cat", "cow")]
        (tmp_path / f"{name}.csv").write_text(
            "premise,hypothesis,label\n" + "".join(lines), encoding="utf-8"
        )
    one, two = str(tmp_path / "one.csv"), str(tmp_path / "two.csv")
    given = {"vectors": str(vectors(tmp_path)), "epochs": "3", "learning_rate": "0.1"}
    rows = train(
        "bow", TrainingSpec([one], [one], ask=[two]), out=tmp_path / "m", settings=given, seeds=2
    ).to_rows()
    assert {row["judge"]: row["mean"] for row in rows[2:]} == {
        f"2 seeds on {one}": 1.0,
        f"2 seeds on {two}": 0.0,
    }


def tiny(folder: Path, **more: str) -> dict[str, str]:
    """Settings for a training of a second."""
    return {
        "base": tiny_encoder(folder),
        "epochs": "1",
        "batch_size": "8",
        "max_length": "24",
        **more,
    }


def note(folder: Path) -> Any:
    return json.loads((folder / "grice.json").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_second_stage_starts_from_a_folder_and_has_settings_of_its_own(tmp_path: Path) -> None:
    data, target = str(tmp_path / "pairs.jsonl"), str(tmp_path / "target.jsonl")
    pairs().head(12).write(Path(data))
    nli(("A cat runs.", "It moves.", "entailment"), ("A cat runs.", "It sleeps.", "neutral")).write(
        Path(target)
    )
    given = tiny(
        tmp_path, learning_rate="1e-3", **{"then.learning_rate": "1e-4", "then.batch_size": "2"}
    )
    (row,) = train(
        "encoder",
        TrainingSpec([data], then=[target], ask=[data]),
        out=tmp_path / "m",
        settings=given,
    ).to_rows()
    first, second = (note(tmp_path / "m" / stage) for stage in "12")
    assert (first["arguments"]["learning_rate"], first["arguments"]["batch_size"]) == (1e-3, 8)
    assert (second["arguments"]["learning_rate"], second["arguments"]["batch_size"]) == (1e-4, 2)
    assert second["settings"]["base"] == str(tmp_path / "m" / "1") and row["folder"].endswith(
        "/m/2"
    )
    # The same from the folder of the first stage: only the second is trained, in the folder itself.
    spec = TrainingSpec([data], then=[target], start=str(tmp_path / "m" / "1"), ask=[data])
    (again,) = train("encoder", spec, out=tmp_path / "again", settings=given).to_rows()
    assert again[data] == row[data] and not (tmp_path / "again" / "1").exists()
    assert note(tmp_path / "again")["settings"]["base"] == str(tmp_path / "m" / "1")
    # Without a second stage the first itself goes on from the folder.
    spec = TrainingSpec([target], start=str(tmp_path / "m" / "1"))
    train("encoder", spec, out=tmp_path / "on", settings=tiny(tmp_path))
    assert note(tmp_path / "on")["settings"]["base"] == str(tmp_path / "m" / "1")


def test_settings_of_a_second_stage_need_one(tmp_path: Path) -> None:
    pairs().head(6).write(tmp_path / "pairs.jsonl")
    spec = TrainingSpec([str(tmp_path / "pairs.jsonl")])
    with pytest.raises(
        InputError, match=r"-M then\.learning_rate is for a second stage: --then or --adversarial"
    ):
        train("bow", spec, out=tmp_path / "m", settings={"then.learning_rate": "0.1"})


def test_a_folder_to_start_from_is_there_and_has_weights(tmp_path: Path) -> None:
    pairs().head(6).write(tmp_path / "pairs.jsonl")
    spec = TrainingSpec([str(tmp_path / "pairs.jsonl")], start=str(tmp_path / "gone"))
    with pytest.raises(InputError, match=r"--from .*gone: no such folder"):
        train("encoder", spec, out=tmp_path / "m")
    (tmp_path / "gone").mkdir()
    with pytest.raises(
        InputError, match=r"gone: has neither an \.onnx graph nor \.safetensors weights"
    ):
        train("encoder", spec, out=tmp_path / "m")


@pytest.mark.slow
def test_tasks_on_scales_of_their_own_can_come_before_a_target(tmp_path: Path) -> None:
    one, two, target = (str(tmp_path / name) for name in ("one.jsonl", "two.csv", "target.jsonl"))
    pairs().head(8).write(Path(one))
    Path(two).write_text(
        "premise,label\n" + "".join(f"text {n},{'ab'[n % 2]}\n" for n in range(8)), encoding="utf-8"
    )
    pairs().head(4).write(Path(target))
    spec = TrainingSpec([one, two], mix="uniform", then=[target], ask=[target])
    (row,) = train("encoder", spec, out=tmp_path / "m", settings=tiny(tmp_path)).to_rows()
    assert row["folder"].endswith("/m/2") and target in row


@pytest.mark.slow
def test_each_stage_is_chosen_by_the_dev_sets_on_its_own_scale(tmp_path: Path) -> None:
    first, target = str(tmp_path / "first.jsonl"), str(tmp_path / "target.csv")
    pairs().head(8).write(Path(first))
    lines = "".join(f"text {n},{'ab'[n % 2]}\n" for n in range(8))
    Path(target).write_text("premise,label\n" + lines, encoding="utf-8")
    spec = TrainingSpec([first], [first, target], then=[target])
    (row,) = train("encoder", spec, out=tmp_path / "m", settings=tiny(tmp_path)).to_rows()
    assert target in row and first not in row
    earlier = json.loads((tmp_path / "m" / "1" / "done.json").read_text(encoding="utf-8"))[
        "models"
    ][0]
    assert first in earlier["scores"] and target not in earlier["scores"]


def named(name: str) -> Dataset:
    """A set of one pair, whose texts are its own."""
    return replace(
        nli((f"The premise of {name} is long.", f"The hypothesis of {name}.", "neutral")), name=name
    )


def test_each_set_is_read_once_however_often_it_is_named() -> None:
    read: list[str] = []

    def counted(name: str) -> Dataset:
        read.append(name)
        return named(name)

    spec = TrainingSpec(
        ["a", "b"], ["a", "c"], then=["a"], ask=["c", "d"], apart=["c", "d"], unlabelled=["b"]
    )
    data = TrainingData.read(spec, counted)
    assert read == ["a", "b", "c", "d"]
    assert data.train_set("a") is data.train_set("a")


def test_stages_are_planned_before_any_is_run(tmp_path: Path) -> None:
    spec = TrainingSpec(["a", "b"], ["c"], adversarial="d", how="iaft", ask=["e"], amount=3)
    first, second = plan_stages(
        TrainingData.read(spec, named), tmp_path, {"epochs": "2", "then.epochs": "1"}
    )
    assert (first.out, second.out, second.answers) == (tmp_path / "1", tmp_path / "2", tmp_path)
    assert (first.settings, second.settings) == ({"epochs": "2"}, {"epochs": "1"})
    assert (list(first.measured[""]), list(second.measured[""])) == (["c"], ["c", "e"])
    assert [(one.limit, one.interleaved) for one in second.train] == [(3, False), (0, True)]
    assert first.spec is not None and second.spec is None
    begun = replace(spec, start=str(tmp_path))
    (only,) = plan_stages(TrainingData.read(begun, named), tmp_path / "m", {})
    assert (only.out, only.start) == (tmp_path / "m", tmp_path)


def test_texts_without_labels_are_for_a_learner_with_teachers(tmp_path: Path) -> None:
    data = tmp_path / "pairs.jsonl"
    data.write_text(json.dumps({"premise": "a", "hypothesis": "b", "label": "neutral"}) + "\n")
    with pytest.raises(InputError, match="--unlabelled is for the learner 'distilled'"):
        train(
            "bow", TrainingSpec([str(data)], unlabelled=[str(data)]), out=tmp_path / "m", quiet=True
        )


def test_plain_adversarial_training_has_nothing_for_teachers_to_label(tmp_path: Path) -> None:
    spec = TrainingSpec(["a"], adversarial="b", how="aft")
    with pytest.raises(
        InputError, match="--how aft has no base pairs for teachers to label; train 'encoder'"
    ):
        train("distilled", spec, out=tmp_path / "m", quiet=True)
    assert not (tmp_path / "m").exists()


def test_texts_without_labels_are_different_and_not_those_that_are_measured(tmp_path: Path) -> None:
    def written(name: str, *pairs: tuple[str, str]) -> str:
        lines = [json.dumps({"premise": a, "hypothesis": b, "label": "neutral"}) for a, b in pairs]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return str(tmp_path / name)

    more = written("more.jsonl", ("a", "b"), ("a", "b"), ("held", "out"), ("c", "d"))
    spec = TrainingSpec([more], [written("dev.jsonl", ("held", "out"))], unlabelled=[more])
    assert TrainingData.read(spec, load).unlabelled_texts == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize(
    ("learner", "settings", "told"),
    [
        ("bow", {"out": "x"}, "-M out=x is no setting of a training; -o names its folder"),
        ("bow", {"hypothesis_only": "maybe"}, "-M hypothesis_only is true or false, not 'maybe'"),
        ("distilled", {"temperature": "0"}, "-M temperature is a number from 0.01 on, not '0'"),
        ("distilled", {"teachers": "0"}, "-M teachers is a whole number from 1 on, not '0'"),
    ],
)
def test_settings_are_refused_before_anything_is_read(
    tmp_path: Path, learner: str, settings: dict[str, str], told: str
) -> None:
    with pytest.raises(InputError) as error:
        train(learner, TrainingSpec(["nowhere.csv"]), out=tmp_path / "m", settings=settings)
    assert str(error.value) == told and not (tmp_path / "m").exists()
