"""What a mean rests on: known shares of wording, readout, paradigms and items are found again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import grice
from grice.analysis.statistics.methods import effects
from grice.cli import build
from grice.core.distributions import chi_square_quantile
from grice.core.errors import InputError
from grice.core.judgement import Judgement
from grice.core.methods import METHOD
from grice.core.run import Run
from grice.judges.methods import MethodSet
from tests.hand import three

PARADIGMS, SIZE, EACH = 60, 4, 4


def answers(
    drawn: np.random.Generator, wordings: np.ndarray, readouts: np.ndarray, *, mean: float = 0.5, binary: bool = False
) -> pl.DataFrame:
    """Items of paradigms, each asked by four of the methods as `MethodSet.assign` deals them, with known deviations."""
    ways = [(w, r) for w in range(len(wordings)) for r in range(len(readouts))]
    order = drawn.permutation(len(ways))
    items = np.repeat(np.arange(PARADIGMS * SIZE), EACH)
    way = order[(items * EACH + np.tile(np.arange(EACH), PARADIGMS * SIZE)) % len(ways)]
    w, r = way // len(readouts), way % len(readouts)
    group = np.repeat(drawn.normal(0, 0.15, PARADIGMS), SIZE) + drawn.normal(0, 0.1, PARADIGMS * SIZE)
    y = mean + wordings[w] + readouts[r] + group[items]
    y = (drawn.random(len(y)) < y).astype(float) if binary else y + drawn.normal(0, 0.3, len(y))
    return pl.DataFrame(
        {
            "judge": ["m"] * len(y),
            "id": [f"i{i}" for i in items],
            "group": [f"g{i // SIZE}" for i in items],
            METHOD: [f"wording={a},readout={b}" for a, b in zip(w, r, strict=True)],
            f"{METHOD}.wording": [f"w{a}" for a in w],
            f"{METHOD}.readout": [f"r{b}" for b in r],
            "y": y,
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize(("wording", "readout", "binary"), [(0.1, 0.05, False), (0.1, 0.0, True)])
def test_known_components_are_within_their_intervals_and_a_new_wording_within_its_own(
    wording: float, readout: float, binary: bool
) -> None:
    drawn = np.random.default_rng(7)
    repeats, found = 120, {"wording": 0, "readout": 0, "paradigm": 0, "item": 0, "new": 0}
    for _ in range(repeats):
        w, r = drawn.normal(0, wording, 6), drawn.normal(0, readout, 3)
        told = effects(answers(drawn, w, r, binary=binary), pl.col("y"), what="y", threshold=0.3)
        truth = {"wording": wording, "readout": readout, "paradigm": 0.15, "item": 0.1}
        for one in told.components:
            low, high = one.deviation.low or 0.0, one.deviation.high or 0.0
            found[one.source] += low <= truth[one.source] <= high
        low, high = told.new_wording.low or 0.0, told.new_wording.high or 0.0
        found["new"] += low <= 0.5 + drawn.normal(0, wording) + r.mean() <= high
    # 120 repeats of a 95% interval hold the truth 107 times or more in 99 of 100 cases.
    assert min(found.values()) >= 107, found


def test_a_claim_that_holds_under_one_wording_only_depends_on_the_method() -> None:
    drawn = np.random.default_rng(1)
    verdicts = []
    for _ in range(40):
        frame = answers(drawn, np.array([0.3, -0.2, -0.2, -0.2]), np.zeros(2), binary=True)
        verdicts.append(effects(frame, pl.col("y"), what="y", threshold=0.5).verdict)
    assert verdicts.count("depends on the method") >= 38


def test_a_claim_that_holds_however_one_asks_is_robust_and_one_at_the_threshold_cannot_be_told() -> None:
    drawn = np.random.default_rng(2)
    same = answers(drawn, np.zeros(6), np.zeros(2), binary=True)
    told = effects(same, pl.col("y"), what="y", threshold=0.3)
    assert told.verdict == "robust"
    assert (told.new_wording.low or 0) > 0.3
    assert effects(same, pl.col("y"), what="y", threshold=float(same["y"].mean())).verdict == "cannot be told"  # type: ignore[arg-type]
    assert told.worst[1].value <= told.mean.value <= told.best[1].value


def test_chi_square_is_that_of_the_tables() -> None:
    assert chi_square_quantile(1, 0.95) == pytest.approx(3.8415, abs=1e-4)
    assert chi_square_quantile(10, 0.025) == pytest.approx(3.2470, abs=1e-4)


def dealt(folder: Path) -> Run:
    """A run whose first wording is always right and whose second never is."""
    grice.load("quantifiers@7", groups=12).write(folder / "mine.jsonl")
    data = grice.load(folder / "mine.jsonl")
    ways = MethodSet.read("quick").assign(data.ids)
    judged = []
    for item in data.items():
        right = str(item.gold["logical"])
        wrong = next(label for label in data.scale.labels if label != right)
        cells = [{"method": m.name, "answer": right if m.wording == "1" else wrong} for m in ways[item.id]]
        judged.append(Judgement(item.id, right, cells=tuple(cells)))
    return Run.recorded(data, "mine/x", judged)


def test_a_table_has_a_column_for_each_method_and_each_factor(tmp_path: Path) -> None:
    run = dealt(tmp_path)
    table = grice.table(run, "accuracy:logical", across="method.wording")
    assert [table.cell((), name).value for name in ("1", "2")] == [1.0, 0.0]  # type: ignore[union-attr]
    assert len(grice.table(run, "accuracy:logical", across="method").columns) == 12
    found = grice.methods(run, reading="logical")
    assert found.verdict == "depends on the method"
    assert found.components[0].source == "wording" and found.components[0].deviation.value > 0.5
    assert "wording=2" in found.worst[0] and "wording=2" not in found.best[0]
    folder = str(run.write(tmp_path).folder)
    told = CliRunner().invoke(build(), ["methods", folder, "-r", "logical"], catch_exceptions=False).stdout
    assert "verdict on accuracy:logical against 0.333: depends on the method" in told
    kept = CliRunner().invoke(build(), ["methods", folder, "-r", "logical", "--json"], catch_exceptions=False).stdout
    assert json.loads(kept) == json.loads(json.dumps(found.to_json()))


def test_a_run_by_one_method_has_nothing_to_tell() -> None:
    data = three()
    run = Run.recorded(data, "mine/x", [Judgement(i, "neutral") for i in data.ids])
    with pytest.raises(InputError, match="methods=quick"):
        grice.methods(run)
