from __future__ import annotations

import polars as pl
import pytest

from grice.analysis.accuracy import accuracy
from grice.analysis.consistency import consistency
from grice.analysis.entailed import entailed
from grice.analysis.f1 import f1
from grice.analysis.lean import lean
from grice.analysis.macro import macro
from grice.analysis.projection import projection
from grice.analysis.share import share
from grice.core.errors import InputError
from tests.analysis.frames import LABELS, drawn, frame

E, N, C = LABELS


def test_f1_is_sklearns_over_the_fixed_labels() -> None:
    rows = drawn(70)
    metrics = pytest.importorskip("sklearn.metrics")
    expected = metrics.f1_score(
        rows["gold.label"].to_list(), rows["answer"].to_list(), labels=list(LABELS), average="macro"
    )
    found = f1("label")(rows)
    assert found is not None and found.value == pytest.approx(expected) and found.n == 70


def test_f1_counts_a_label_that_never_occurs_as_zero() -> None:
    found = f1("label")(frame([E, E, N], [E, E, N]))
    assert found is not None and found.value == pytest.approx(2 / 3)
    given = f1("label", labels=(E, N))(frame([E, E, N], [E, E, N]))
    assert given is not None and given.value == 1.0


def test_macro_lets_every_scale_count_the_same() -> None:
    rows = frame([E, E, E, N], [E, E, E, E], tag_scale=["a", "a", "a", "b"])
    found, plain = macro("label")(rows), accuracy("label")(rows)
    assert found is not None and plain is not None
    assert (found.value, plain.value) == (0.5, 0.75)


def test_the_three_shares_add_up_to_one_where_the_readings_differ() -> None:
    rows = frame([N, E, C, C], gold_logical=[N, N, N, C], gold_pragmatic=[E, E, E, C])
    found = [share(kind)(rows) for kind in ("logical", "pragmatic", "neither")]
    assert [round(f.value, 6) for f in found if f] == [0.333333] * 3
    assert {f.n for f in found if f} == {3}
    with pytest.raises(InputError, match="neither"):
        share("social")(rows)


def test_a_paradigm_is_consistent_only_when_all_of_it_is_right_and_answered() -> None:
    rows = frame([E, N, E, C, E, None], [E, N, E, N, E, E], groups=["a", "a", "b", "b", "c", "c"])
    found = consistency("label")(rows)
    assert found is not None and (found.value, found.n) == (0.5, 2)


def test_lean_and_entailed_count_a_label_against_gold_and_alone() -> None:
    rows = frame([E, E, N, C], [E, N, N, C])
    leant, share_of = lean("entailment")(rows), entailed()(rows)
    assert leant is not None and leant.value == pytest.approx(0.25)
    assert share_of is not None and share_of.value == pytest.approx(0.5)


def test_projection_keeps_a_target_only_where_both_controls_hold() -> None:
    def paradigm(name: str, plain: str, control: str, target: str) -> pl.DataFrame:
        return frame(
            [plain, control, target],
            [E, C, E],
            groups=[name] * 3,
            tag_role=["target", "control", "target"],
            tag_operator=["unembedded", "negated", "negated"],
            tag_presupposition=["positive", None, "positive"],
        ).with_columns(pl.col("id") + name)

    rows = pl.concat(
        [
            paradigm("kept", E, C, E),
            paradigm("kept2", E, C, N),
            paradigm("no plain", N, C, E),
            paradigm("no control", E, E, E),
        ]
    )
    found = projection()(rows)
    assert found is not None and (found.value, found.n) == (0.5, 2)
    assert projection()(paradigm("no plain", N, C, E)) is None
