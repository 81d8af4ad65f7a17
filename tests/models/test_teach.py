"""Can it be taught: the halves, what is scored, and the scores over seeds."""

from __future__ import annotations

import polars as pl
import pytest
from tools.mini.teach import draw_pairs, generated_pairs, summarize, taught_half


@pytest.fixture(scope="module")
def pairs() -> pl.DataFrame:
    return generated_pairs(0, 2)


def test_half_of_scales_and_triggers_is_taught_and_no_word_is_in_both(pairs: pl.DataFrame) -> None:
    taught = set(taught_half(pairs, 0))
    for kind in ("implicature", "presupposition"):
        names = set(pairs.filter(kind=kind)["word"])
        assert abs(len(taught & names) - len(names) / 2) <= 1
    scales = set(pairs.filter(kind="implicature")["word"])
    words = [
        {w for scale in part for w in scale.split(" - ")}
        for part in (taught & scales, scales - taught)
    ]
    assert not words[0] & words[1]
    assert taught == set(taught_half(pairs, 0)) != set(taught_half(pairs, 1))


def test_the_pairs_taught_are_of_both_kinds_with_the_pragmatic_label(pairs: pl.DataFrame) -> None:
    learnt = draw_pairs(pairs, 40, 0)
    assert learnt["kind"].value_counts()["count"].to_list() == [20, 20]
    quantifiers = pairs.filter(word="some - all", role="target")
    assert (quantifiers["gold"] != quantifiers["logical"]).any()
    assert pairs["gold"].null_count() == 0


def test_scores_are_over_all_seeds_with_intervals_over_words() -> None:
    rows = [
        {
            "set": name,
            "score": score,
            "model": "taught",
            "seed": seed,
            "word": f"w{n % 4}",
            "premise": f"p{n}",
            "hypothesis": "h",
            "gold": "0.5"
            if score == "Pearson's r" and n % 2
            else "0.1"
            if score == "Pearson's r"
            else "neutral",
            "answer": "neutral" if n < 6 else "entailment",
            "entailed": 0.9 if n % 2 else 0.2,
            "distance": ("near" if n % 4 < 2 else "far") if name == "a" else None,
        }
        for name, score in (("a", "right answers"), ("b", "Pearson's r"))
        for seed in (0, 1)
        for n in range(8)
    ]
    scores = {(row["set"]): row for row in summarize(pl.DataFrame(rows)).iter_rows(named=True)}
    assert set(scores) == {"a", "b", "a, near", "a, far"}
    whole = scores["a"]
    assert (whole["value"], whole["n"], whole["words"]) == (0.75, 16, 4)
    assert whole["by_seed"] == [0.75, 0.75] and whole["low"] < 0.75 < whole["high"]
    assert scores["a, near"]["n"] == scores["a, far"]["n"] == 8
    assert scores["b"]["value"] == pytest.approx(1.0) and scores["b"]["n"] == 8
