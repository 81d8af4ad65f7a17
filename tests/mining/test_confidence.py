"""The shipped weights of confidence, and fits that update them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tools.confidence import READINGS, weights_text

from grice.mining import confidence as module
from grice.mining import fitting, work
from grice.mining.confidence import WEIGHTS, likelihood, shipped_weights
from grice.mining.fitting import Fit, ReviewedPair, fit, read_readings, shipped_fit
from grice.mining.pairs import MinedPair
from grice.mining.signals import context, coordination, removal
from grice.verbs.mine import mine

KINDS = ("complements", "conjuncts", "swaps")


def test_shipped_weights_are_the_fit_of_the_readings() -> None:
    fitted = [line.split("\t") for line in weights_text().splitlines() if not line.startswith("#")]
    shipped = [
        line.split("\t")
        for line in WEIGHTS.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    assert [row[:2] for row in fitted] == [row[:2] for row in shipped]
    for ours, theirs in zip(fitted, shipped, strict=True):
        assert float(ours[2]) == pytest.approx(float(theirs[2]), abs=1e-6)


def test_every_signal_has_a_weight() -> None:
    weighted = {name for kind in KINDS for name in shipped_weights(kind)}
    signals = {f"doubt {name}" for name in coordination.SIGNALS}
    signals |= {f"loss {name}" for name in removal.SIGNALS}
    signals |= {f"unclear {name}" for name in context.UNCLEAR} | {"unclear end", "clash clause"}
    signals |= {f"unfit {name}" for name in ("adverb", "opening", "event", "own doings")}
    names = ("doubt", "loss", "clash", "unclear", "unfit")
    assert {name for name in weighted if name.split(" ")[0] in names} == signals


def test_mining_fits_nothing_and_rates_each_pair_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.txt").write_text(
        "The cook refused to leave the ship. He hoped to stay.\n", encoding="utf-8"
    )
    rated: list[str] = []

    def rate(kind: str, pair: MinedPair, weights: dict[str, float] | None) -> float:
        rated.append(pair.key + pair.premise)
        return module.confidence(kind, pair, weights)

    monkeypatch.setattr(work, "confidence", rate)
    monkeypatch.setattr(fitting, "fit", lambda *_: pytest.fail("a fit at start"))
    written = mine("complements", tmp_path / "x.txt", out=tmp_path / "p.jsonl", keep=0)["written"]
    assert written == 4 == len(rated) == len(set(rated))


def test_an_update_of_the_weights_is_near_a_fit_on_all_readings() -> None:
    readings = [
        reading for reading in read_readings(READINGS).pairs if reading.kind == "complements"
    ]
    random.Random(1).shuffle(readings)
    new, rest = readings[:200], readings[200:]
    everything, updated, before = (
        fit(readings).weights,
        fit(new, fit(rest)).weights,
        fit(rest).weights,
    )
    change = [
        abs(likelihood(everything, r.features) - likelihood(before, r.features)) for r in readings
    ]
    error = [
        abs(likelihood(everything, r.features) - likelihood(updated, r.features)) for r in readings
    ]
    assert sum(error) < 0.2 * sum(change) and max(error) < 0.01


def test_the_shipped_curvature_belongs_to_the_shipped_weights() -> None:
    for kind in KINDS:
        shipped: Fit = shipped_fit(kind)
        assert list(shipped.weights) == list(shipped_weights(kind))
        assert (shipped.curvature == shipped.curvature.T).all() and (
            shipped.curvature.diagonal() >= 0
        ).all()
        unknown = fit([ReviewedPair(kind, False, ("unheard of",))], shipped)
        assert unknown.weights["unheard of"] < 0 and unknown.weights[""] < shipped.weights[""]


def test_readings_without_a_prior_row_stand_alone(tmp_path: Path) -> None:
    path = tmp_path / "readings.tsv"
    path.write_text("swaps\t1\ta; b\nswaps\t0\ta\n", encoding="utf-8")
    assert fitting.weights_of("swaps", path) == fit(read_readings(path).pairs).weights
    path.write_text("prior\tshipped\nswaps\t1\ta; b\nswaps\t0\ta\n", encoding="utf-8")
    assert set(fitting.weights_of("swaps", path)) == {*shipped_weights("swaps"), "a", "b"}


def test_readings_are_not_in_the_package() -> None:
    assert not list(WEIGHTS.parent.rglob("read*.tsv")) and not list(
        WEIGHTS.parent.rglob("rev*.tsv")
    )
    assert WEIGHTS.stat().st_size < 250_000
