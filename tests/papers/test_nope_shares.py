"""Shares recomputed from the predictions published with NOPE."""

from __future__ import annotations

import pytest
from tools.published import FIGURES, published_share

from grice import loading
from grice.papers.nope.shares import MODELS, published_shares


@pytest.mark.parametrize("figure", FIGURES)
def test_each_figure_has_each_model_with_n_and_interval(figure: str) -> None:
    shares = published_shares(figure)
    assert tuple(shares) == MODELS
    for share in shares.values():
        assert share.n >= 900 and share.low is not None and share.high is not None
        assert share.low < share.value < share.high


@pytest.mark.published
@pytest.mark.usefixtures("data_folder")
def test_the_shares_are_those_of_the_published_files() -> None:
    data = loading.load("imppres/presupposition")
    (run,) = loading.recorded_runs(data, "recorded/DeBERTa-xlarge (all)")
    for figure in FIGURES:
        share = published_share(data, run, figure)
        shipped = published_shares(figure)["DeBERTa-xlarge"]
        assert share is not None and share.n == shipped.n
        assert share.value == pytest.approx(shipped.value, abs=1e-4)
