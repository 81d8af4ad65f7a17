from __future__ import annotations

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT
from grice.judges.providers.baseline import baseline
from grice.storage.evaluation import evaluate
from tests.hand import pair, three


def asked(name: str, *pairs: tuple[str, str]) -> list[str | None]:
    data = Dataset.from_items("hand", NLI, [Item(str(i), p, h) for i, (p, h) in enumerate(pairs)])
    return evaluate(data, baseline(name)).frame["answer"].to_list()


def test_majority_says_what_is_most_frequent_in_the_data() -> None:
    data = Dataset.from_items(
        "hand", NLI, [pair(0, "neutral"), pair(1, "contradiction"), pair(2, "neutral")]
    )
    assert set(evaluate(data, baseline("majority")).frame["answer"]) == {"neutral"}


def test_majority_on_numbers_is_their_mean() -> None:
    data = Dataset.from_items(
        "hand", UNIT, [Item("a", "x", "y", {"p": 0.2}), Item("b", "x", "z", {"p": 0.6})]
    )
    assert evaluate(data, baseline("majority")).frame["value"].to_list() == pytest.approx(
        [0.4, 0.4]
    )


def test_majority_without_gold_says_so() -> None:
    with pytest.raises(InputError, match="no reading"):
        evaluate(Dataset.from_items("hand", NLI, [Item("a", "x")]), baseline("majority"))


def test_random_depends_on_seed_and_id_alone() -> None:
    data = Dataset.from_items("hand", NLI, [pair(i) for i in range(300)])
    first = evaluate(data, baseline("random")).frame
    backwards = evaluate(
        Dataset.from_items("hand", NLI, list(data.items())[::-1]), baseline("random")
    ).frame
    assert first.sort("id").equals(backwards.sort("id"))
    assert not first.equals(evaluate(data, baseline("random", seed="1")).frame)
    assert min(first["answer"].value_counts()["count"]) > 70


def test_overlap_takes_a_subset_for_entailment() -> None:
    assert asked("overlap", ("Jo or Al sang.", "Al sang."), ("Jo sang.", "Jo and Al sang.")) == [
        "entailment",
        "neutral",
    ]


def test_signature_follows_verb_and_environment() -> None:
    given = [
        ("Ada failed to come.", "Ada came."),
        ("Ada did not fail to come.", "Ada came."),
        ("Ada came.", "Ada was there."),
    ]
    assert asked("signature", *given) == ["contradiction", "entailment", "neutral"]


@pytest.mark.parametrize(
    ("name", "settings", "fault"),
    [
        ("majorty", {}, "Did you mean 'majority'"),
        (
            "random",
            {"sed": "1"},
            "no setting of baseline/random is called 'sed'. Did you mean 'seed'",
        ),
    ],
)
def test_unknown_names_and_settings_are_refused(
    name: str, settings: dict[str, str], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        baseline(name, **settings)


def test_a_constant_answer_comes_without_probabilities() -> None:
    found = evaluate(three(), baseline("majority"))
    assert found.frame["p.entailment"].to_list() == [None] * 3
