"""What a mean rests on: known shares of wording, readout, paradigms and items are found again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from benchmarks.components import DEVIATIONS, SimulatedModel, coverage, crossed
from typer.testing import CliRunner

import grice
from grice.analysis.statistics.methods import effects
from grice.cli import build
from grice.core.distributions import chi_square_quantile
from grice.core.errors import InputError
from grice.core.judgement import Judgement
from grice.core.methods import METHOD
from grice.judges.methods import MethodSet
from grice.storage.run import Run
from tests.hand import three

PARADIGMS, SIZE, EACH = 60, 4, 4


def answers(
    drawn: np.random.Generator,
    wordings: np.ndarray,
    readouts: np.ndarray,
    *,
    mean: float = 0.5,
    binary: bool = False,
) -> pl.DataFrame:
    """Items of paradigms, each asked by four of the methods as `MethodSet.assign` deals them, with
    known deviations.
    """
    ways = [(w, r) for w in range(len(wordings)) for r in range(len(readouts))]
    order = drawn.permutation(len(ways))
    items = np.repeat(np.arange(PARADIGMS * SIZE), EACH)
    way = order[(items * EACH + np.tile(np.arange(EACH), PARADIGMS * SIZE)) % len(ways)]
    w, r = way // len(readouts), way % len(readouts)
    group = np.repeat(drawn.normal(0, 0.15, PARADIGMS), SIZE) + drawn.normal(
        0, 0.1, PARADIGMS * SIZE
    )
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
@pytest.mark.parametrize("samples", [1, 4])
def test_known_components_are_within_their_intervals_and_a_new_wording_within_its_own(
    samples: int,
) -> None:
    found = coverage(SimulatedModel(DEVIATIONS, crossed(""), samples=samples), 100)
    assert set(found) >= {*DEVIATIONS, "a new wording", *(["sample"] if samples > 1 else [])}
    # 100 repeats of a 95% interval hold the truth 88 times or more in 999 of 1,000 cases.
    assert min(found.values()) >= 0.88, found


def test_a_factor_is_not_blamed_for_another_whose_levels_it_does_not_all_meet() -> None:
    """As in `full`, other label words are asked in plain wordings only; these are right more often,
    whatever the words.
    """
    ways = [("1", "own"), ("1", "plain"), ("follow", "own")]
    drawn = np.random.default_rng(3)
    items = np.repeat(np.arange(240), 3)
    way = [ways[i % 3] for i in range(720)]
    right = drawn.random(720) < np.array([0.9 if wording == "1" else 0.2 for wording, _ in way])
    names = [f"wording={wording},labels={labels}" for wording, labels in way]
    columns = {
        f"{METHOD}.wording": [w for w, _ in way],
        f"{METHOD}.labels": [x for _, x in way],
        METHOD: names,
    }
    rows = {
        "judge": ["m"] * 720,
        "id": [f"i{i}" for i in items],
        "group": [f"g{i // 4}" for i in items],
        **columns,
    }
    told = effects(
        pl.DataFrame({**rows, "y": right.astype(float)}), pl.col("y"), what="y", threshold=0.5
    )
    by = {one.source: one.deviation for one in told.components}
    assert by["wording"].value > 0.3
    assert by["labels"].value < 0.05 and by["labels"].low == 0


def test_a_claim_that_holds_by_one_readout_and_not_by_another_is_not_robust() -> None:
    frame = answers(np.random.default_rng(4), np.zeros(6), np.array([0.2, -0.2]), binary=True)
    assert effects(frame, pl.col("y"), what="y", threshold=0.3).verdict == "depends on the method"


def test_a_claim_that_holds_under_one_wording_only_depends_on_the_method() -> None:
    drawn = np.random.default_rng(1)
    verdicts = []
    for _ in range(40):
        frame = answers(drawn, np.array([0.3, -0.2, -0.2, -0.2]), np.zeros(2), binary=True)
        verdicts.append(effects(frame, pl.col("y"), what="y", threshold=0.5).verdict)
    assert verdicts.count("depends on the method") >= 38


def test_a_claim_that_holds_however_one_asks_is_robust_and_one_at_the_threshold_cannot_be_told() -> (
    None
):
    drawn = np.random.default_rng(2)
    same = answers(drawn, np.zeros(6), np.zeros(2), binary=True)
    told = effects(same, pl.col("y"), what="y", threshold=0.3)
    assert told.verdict == "robust"
    assert (told.new_wording.low or 0) > 0.3
    assert (
        effects(same, pl.col("y"), what="y", threshold=float(same["y"].mean())).verdict  # type: ignore[arg-type]
        == "inconclusive"
    )
    assert told.worst[1].value <= told.mean.value <= told.best[1].value


def test_chi_square_is_that_of_the_tables() -> None:
    assert chi_square_quantile(1, 0.95) == pytest.approx(3.8415, abs=1e-4)
    assert chi_square_quantile(10, 0.025) == pytest.approx(3.2470, abs=1e-4)
    assert chi_square_quantile(1000, 0.975) == pytest.approx(1089.531, abs=0.02)


def dealt(folder: Path) -> Run:
    """A run whose first wording is always right and whose second never is."""
    grice.load("quantifiers@7", groups=12).write(folder / "mine.jsonl")
    data = grice.load(folder / "mine.jsonl")
    ways = MethodSet.read("quick").assign(data.ids)
    judged = []
    for item in data.items():
        right = str(item.gold["logical"])
        wrong = next(label for label in data.scale.labels if label != right)
        cells = [
            {"method": m.name, "answer": right if m.wording == "1" else wrong}
            for m in ways[item.id]
        ]
        judged.append(Judgement(item.id, right, cells=tuple(cells)))
    return Run.recorded(data, "mine/x", judged)


def test_a_table_has_a_column_for_each_method_and_each_factor(tmp_path: Path) -> None:
    run = dealt(tmp_path)
    table = grice.table(run, "accuracy:logical", across="method.wording")
    assert [table.cell((), name).value for name in ("1", "2")] == [1.0, 0.0]  # type: ignore[union-attr]
    assert len(grice.table(run, "accuracy:logical", across="method").columns) == 12
    found = grice.methods(run, reading="logical")
    assert found.verdict == "depends on the method"
    assert found.components[0].source == "wording" and found.components[0].deviation.value == 0.5
    assert "wording=2" in found.worst[0] and "wording=2" not in found.best[0]
    folder = str(run.write(tmp_path).folder)
    told = (
        CliRunner()
        .invoke(build(), ["methods", folder, "-r", "logical"], catch_exceptions=False)
        .stdout
    )
    assert "verdict on accuracy:logical against 0.333: depends on the method" in told
    kept = (
        CliRunner()
        .invoke(build(), ["methods", folder, "-r", "logical", "--json"], catch_exceptions=False)
        .stdout
    )
    assert json.loads(kept) == json.loads(json.dumps(found.to_json()))


def test_a_run_by_one_method_has_nothing_to_tell() -> None:
    data = three()
    run = Run.recorded(data, "mine/x", [Judgement(i, "neutral") for i in data.ids])
    with pytest.raises(InputError, match="methods=quick"):
        grice.methods(run)


def test_a_reading_that_no_item_asked_has_is_told_with_those_there_are(tmp_path: Path) -> None:
    run = dealt(tmp_path)
    assert run.data is not None
    data = replace(
        run.data,
        frame=run.data.frame.with_columns(pl.lit(None, dtype=pl.String).alias("gold.pragmatic")),
    )
    with pytest.raises(
        InputError,
        match="no evaluated item has a gold label for the reading 'pragmatic'; choose one of: logical",
    ):
        grice.methods(Run.recorded(data, "mine/x", list(run.judgements())), reading="pragmatic")


def noisy(folder: Path, name: str, share: dict[str, float], samples: int = 1) -> Run:
    """A run by `standard` that is right in a share of askings that goes by wording (`""` for the
    others).
    """
    if not (folder / "mine.jsonl").exists():
        grice.load("quantifiers@7", groups=20).write(folder / "mine.jsonl")
    data, drawn = grice.load(folder / "mine.jsonl"), np.random.default_rng(len(name))
    ways, judged = MethodSet.read("standard").assign(data.ids), []
    for item in data.items():
        right, wrong = (
            str(item.gold["logical"]),
            next(x for x in data.scale.labels if x != item.gold["logical"]),
        )
        cells = []
        for method in ways[item.id]:
            hits = int(drawn.binomial(samples, share.get(method.wording, share[""])))
            probs = {
                label: {right: hits, wrong: samples - hits}.get(label, 0) / samples
                for label in data.scale.labels
            }
            more = {"probs": probs, "samples": samples} if samples > 1 else {}
            cells.append(
                {"method": method.name, "answer": right if 2 * hits > samples else wrong, **more}
            )
        judged.append(Judgement(item.id, right, cells=tuple(cells)))
    return Run.recorded(data, name, judged)


def test_samples_are_a_component_and_those_of_one_asking_count_as_one_answer(
    tmp_path: Path,
) -> None:
    found = grice.methods(noisy(tmp_path, "mine/sampled", {"": 0.6}, samples=10), reading="logical")
    by = {one.source: one.deviation for one in found.components}
    assert found.mean.n == 4 * 20 * 15
    assert found.mean.value == pytest.approx(0.6, abs=0.02)
    assert by["sample"].value == pytest.approx((0.6 * 0.4) ** 0.5, abs=0.02)
    assert (by["sample"].low or 0) < (0.6 * 0.4) ** 0.5 < (by["sample"].high or 0)
    assert by["item"].low == by["wording"].low == 0
    row = found.summary()
    assert (row["low"], row["high"]) == (found.new_wording.low, found.new_wording.high)
    assert row["methods"] == len(found.methods) and row["most favourable"] == found.best[0]


def test_two_models_are_compared_over_their_common_methods_paired_by_item_and_method(
    tmp_path: Path,
) -> None:
    steady, better = noisy(tmp_path, "mine/a", {"": 0.5}), noisy(tmp_path, "mine/bb", {"": 0.8})
    moody = noisy(tmp_path, "mine/ccc", {"": 0.2, "1": 0.9, "2": 0.9})
    found = grice.compare(better, steady, reading="logical")
    (one,) = found.methods
    assert one.verdict == "robust" and one.mean.value == pytest.approx(0.3, abs=0.05)
    assert one.new_wording.low is not None and 0 < one.new_wording.low < 0.3
    (other,) = grice.compare(moody, steady, reading="logical").methods
    assert other.verdict == "depends on the method"
    assert "wording=2" in other.best[0] or "wording" not in other.best[0]
    note = next(line for line in found.grid().notes if "common methods" in line)
    assert "for a new wording +0." in note and "robust" in note
    assert found.to_json()["methods"][0]["verdict"] == "robust"


def test_runs_asked_in_one_way_are_compared_as_before(tmp_path: Path) -> None:
    grice.load("quantifiers@7", groups=6).write(tmp_path / "mine.jsonl")
    data = grice.load(tmp_path / "mine.jsonl")
    runs = [
        Run.recorded(data, name, [Judgement(i, "neutral") for i in data.ids]) for name in ("x", "y")
    ]
    assert grice.compare(*runs, reading="logical").methods == ()
