from __future__ import annotations

import polars as pl
import pytest

from grice.analysis.signature import signature, soft_signatures
from grice.analysis.veridicality_bias import veridicality_bias
from tests.analysis.frames import LABELS, frame

E, N, C = LABELS


def forgets() -> pl.DataFrame:
    return frame(
        [C, E, C, N],
        groups=["s1", "s1", "s2", "s2"],
        tag_construction=["forget to"] * 4,
        tag_environment=["positive", "negative"] * 2,
        gold_signature=[C, E, C, E],
    )


def test_a_soft_signature_is_the_mean_score_in_each_environment() -> None:
    positive, negative = signature("positive")(forgets()), signature("negative")(forgets())
    assert positive is not None and negative is not None
    assert (positive.value, negative.value, positive.n) == (-1.0, 0.5, 2)


def test_soft_signatures_give_a_row_for_each_construction() -> None:
    found = soft_signatures(forgets())
    assert found.row(0) == ("hand", "forget to", -1.0, 0.5, 2)


def test_veridicality_bias_counts_what_is_inferred_where_nothing_follows() -> None:
    rows = frame([E, N, C, E], gold_signature=[N, N, N, E])
    found = veridicality_bias()(rows)
    assert found is not None and found.value == pytest.approx(2 / 3) and found.n == 3


def test_a_rating_of_two_thirds_already_infers_something() -> None:
    rows = frame([None] * 4, gold_signature=[N] * 4).with_columns(
        pl.Series("value", [2 / 3, 1 / 3, -2.0, -2 / 3])
    )
    found = veridicality_bias()(rows)
    assert found is not None and found.value == pytest.approx(2 / 4), (
        "the stated bins: -2/3 is neutral, 2/3 is not"
    )
