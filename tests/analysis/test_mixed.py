"""The mixed model with people and items: against statsmodels, and against a known truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from grice.analysis.statistics.mixed import fit_mixed
from grice.core.errors import InputError
from grice.core.ratings import reply


def answered(
    seed: int, items: int = 40, people: int = 15, *, item: float = 0.6, told: bool = True
) -> tuple[pl.DataFrame, Any]:
    """A judge whose numbers move replies by half a point a standard deviation; each person answers two of three items."""
    draw = np.random.default_rng(seed)
    said = draw.normal(0, 1, items)
    said = (said - said.mean()) / said.std(ddof=1)
    own, shift = draw.normal(0, 0.8, people), draw.normal(0, item, items)
    rows, replies = [], []
    for i in range(items):
        kept = [k for k in range(people) if (i + k) % 3]
        values = [3 + 0.5 * said[i] + own[k] + shift[i] + draw.normal() for k in kept]
        replies.append([reply(k if told else "", float(v)) for k, v in zip(kept, values, strict=True)])
        rows += [(f"i{i}", k, v, said[i]) for k, v in zip(kept, values, strict=True)]
    frame = pl.DataFrame({"id": [f"i{i}" for i in range(items)], "group": [None] * items, "judge": ["a"] * items,
                          "answer": [None] * items, "value": said, "tag.people": replies},
                         schema_overrides={"group": pl.String, "answer": pl.String})  # fmt: skip
    return frame, rows


@pytest.mark.parametrize("seed", [1, 2])
def test_it_gives_what_statsmodels_gives(seed: int) -> None:
    import pandas as pd  # type: ignore[import-untyped]
    import statsmodels.api as sm

    frame, rows = answered(seed)
    ours = fit_mixed(frame)
    table = pd.DataFrame(rows, columns=["id", "rater", "value", "said"])
    table["said"] -= table["said"].mean()
    parts = {"rater": "0 + C(rater)", "id": "0 + C(id)"}
    made = sm.MixedLM.from_formula("value ~ said", groups=np.ones(len(table)), vc_formula=parts, data=table)
    theirs = made.fit(reml=True)
    named = dict(zip(theirs.model.exog_vc.names, theirs.vcomp, strict=True))
    assert ours.slope.value == pytest.approx(theirs.params["said"], abs=0.002)
    assert ours.slope.value - float(ours.slope.low or 0) == pytest.approx(1.96 * theirs.bse["said"], rel=0.02)
    assert (ours.person, ours.item, ours.rest) == pytest.approx((named["rater"], named["id"], theirs.scale), rel=0.03)


def test_its_interval_holds_the_truth_and_it_tells_how_much_of_the_items_is_known() -> None:
    inside, known = 0, []
    for seed in range(40):
        found = fit_mixed(answered(seed, 30, 9)[0])
        assert found.slope.low is not None and found.slope.high is not None
        inside += found.slope.low <= 0.5 <= found.slope.high
        known.append(found.known)
    assert 34 <= inside <= 40
    # Of items that vary by 0.25 + 0.36 the judge tells 0.25.
    assert float(np.median(known)) == pytest.approx(0.25 / 0.61, abs=0.08)


def test_a_judge_that_says_all_leaves_no_item_apart() -> None:
    found = fit_mixed(answered(3, item=0.0)[0])
    assert found.item < 0.05 < found.item_alone and found.known > 0.8
    assert set(found.to_json()) >= {"slope", "known", "person", "item", "rest"}


def test_it_needs_persons_who_are_told_apart_and_a_judge_that_varies() -> None:
    frame, _ = answered(4)
    with pytest.raises(InputError, match="persons who are told apart"):
        fit_mixed(answered(4, told=False)[0])
    with pytest.raises(InputError, match="says the same of every item"):
        fit_mixed(frame.with_columns(pl.lit(1.0).alias("value")))
