"""Examples of a task: what an epoch draws, and how examples are weighed by how often their label
stands in a task.
"""

from __future__ import annotations

import pytest

from grice.core.scale import NLI
from grice.learners.training.examples import InputExample, TargetValue, TaskExamples, balance_labels


def examples(*targets: TargetValue, task: str = "task") -> TaskExamples:
    return TaskExamples(
        task, NLI, [InputExample(str(place), None, target) for place, target in enumerate(targets)]
    )


def weights(*sets: TaskExamples, degree: float = 1.0) -> list[list[float]]:
    return [[example.weight for example in one.examples] for one in balance_labels(sets, degree)]


def test_a_sample_draws_every_example_before_any_comes_twice() -> None:
    one = TaskExamples(
        "task", NLI, [InputExample(str(i), None, "neutral") for i in range(10)], sample=4
    )
    drawn = [place for epoch in range(5) for place in one.epoch_indices(epoch, seed=7)]
    assert sorted(drawn[:10]) == list(range(10)) and sorted(drawn[10:]) == list(range(10))
    assert list(one.epoch_indices(3, seed=7)) == drawn[12:16]


def test_class_weights_make_each_label_count_the_same() -> None:
    (found,) = weights(examples("neutral", "neutral", "neutral", "entailment"))
    assert found == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])


@pytest.mark.parametrize("degree", [0, 0.5, 1])
def test_class_weights_of_a_degree_are_powers_of_the_inverse_frequency_with_a_mean_of_one(
    degree: float,
) -> None:
    (found,) = weights(
        examples(*["neutral"] * 16, "entailment", *["contradiction"] * 4), degree=degree
    )
    assert sum(found) / len(found) == pytest.approx(1)
    assert found[16] / found[0] == pytest.approx(16**degree)
    assert found[17] / found[0] == pytest.approx(4**degree)


def test_a_teachers_distribution_is_weighted_by_its_most_probable_label() -> None:
    taught = [(0.5, 0.3, 0.2), (0.9, 0.1, 0.0), (0.4, 0.35, 0.25), (0.1, 0.1, 0.8)]
    (found,) = weights(examples(*taught))
    assert found == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])


def test_labels_are_counted_over_all_the_sets_of_a_task_and_of_no_other() -> None:
    taught = tuple(float(label == "neutral") for label in NLI.labels)
    first, second, other = weights(
        examples("neutral", "neutral"),
        examples(taught, "entailment"),
        examples("neutral", "entailment", task="other"),
    )
    assert first + second == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])
    assert other == pytest.approx([1, 1])
