"""Lessons: what an epoch draws, and how examples are weighed by how often their label stands in a task."""

from __future__ import annotations

import pytest

from grice.core.scale import NLI
from grice.learners.training.examples import Example, Lesson, Target, weighed


def lesson(*targets: Target, task: str = "task") -> Lesson:
    return Lesson(task, NLI, [Example(str(place), None, target) for place, target in enumerate(targets)])


def weights(*lessons: Lesson, degree: float = 1.0) -> list[list[float]]:
    return [[example.weight for example in one.examples] for one in weighed(lessons, degree)]


def test_a_lesson_draws_every_example_before_any_comes_twice() -> None:
    one = Lesson("task", NLI, [Example(str(i), None, "neutral") for i in range(10)], sample=4)
    drawn = [place for epoch in range(5) for place in one.epoch(epoch, seed=7)]
    assert sorted(drawn[:10]) == list(range(10)) and sorted(drawn[10:]) == list(range(10))
    assert list(one.epoch(3, seed=7)) == drawn[12:16]


def test_class_weights_make_each_label_count_the_same() -> None:
    (found,) = weights(lesson("neutral", "neutral", "neutral", "entailment"))
    assert found == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])


@pytest.mark.parametrize("degree", [0, 0.5, 1])
def test_class_weights_of_a_degree_are_powers_of_the_inverse_frequency_with_a_mean_of_one(
    degree: float,
) -> None:
    (found,) = weights(lesson(*["neutral"] * 16, "entailment", *["contradiction"] * 4), degree=degree)
    assert sum(found) / len(found) == pytest.approx(1)
    assert found[16] / found[0] == pytest.approx(16**degree)
    assert found[17] / found[0] == pytest.approx(4**degree)


def test_a_teachers_distribution_is_weighed_by_its_most_probable_label() -> None:
    taught = [(0.5, 0.3, 0.2), (0.9, 0.1, 0.0), (0.4, 0.35, 0.25), (0.1, 0.1, 0.8)]
    (found,) = weights(lesson(*taught))
    assert found == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])


def test_labels_are_counted_over_all_the_lessons_of_a_task_and_of_no_other() -> None:
    taught = tuple(float(label == "neutral") for label in NLI.labels)
    first, second, other = weights(
        lesson("neutral", "neutral"),
        lesson(taught, "entailment"),
        lesson("neutral", "entailment", task="other"),
    )
    assert first + second == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])
    assert other == pytest.approx([1, 1])
