"""Profiles from names and from runs: resumed, told what is missing, gated."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest

from grice.core.errors import InputError
from grice.core.judgement import Judgement
from grice.profiling import gather
from grice.profiling.gather import gather as gather_all
from grice.reporting.claims import Diagnosis
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from grice.verbs.profile import profile
from grice.verbs.report import report
from tests.hand import Says, answers, pair, three


def test_a_second_call_asks_and_draws_nothing(tmp_path: Path) -> None:
    first = profile("baseline/overlap", data="quantifiers", out=tmp_path, images=False)
    written = (tmp_path / "index.html").stat().st_mtime_ns
    second = profile("baseline/overlap", data="quantifiers", out=tmp_path, images=False)
    assert first.fresh and not second.fresh
    assert (tmp_path / "index.html").stat().st_mtime_ns == written
    written = json.loads((tmp_path / "profile.json").read_text(encoding="utf-8"))
    assert second.to_json() == written == first.to_json()


def test_another_rival_is_drawn_again(tmp_path: Path) -> None:
    profile("baseline/overlap", data="quantifiers", out=tmp_path, images=False)
    made = profile(
        "baseline/overlap",
        against=["baseline/random"],
        data="quantifiers",
        out=tmp_path,
        images=False,
    )
    assert made.fresh and made.judges == ("baseline/overlap", "baseline/random")
    assert made.differences


def test_published_sets_that_are_missing_are_told_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_DATA", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"nothing to profile: imppres: .*grice fetch imppres"):
        gather_all("baseline/overlap", [], ["published"], into=tmp_path / "runs")


def test_a_judge_that_cannot_answer_is_told_of_and_the_others_stay(tmp_path: Path) -> None:
    found = gather.gather(
        "baseline/overlap", ["baseline/signature"], ["quantifiers"], into=tmp_path
    )
    assert [run.judge for run in found.pairs[0][1]] == ["baseline/overlap", "baseline/signature"]


def test_a_report_is_made_from_runs_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = three()
    monkeypatch.setattr("grice.loading.load", lambda *_, **__: data)
    folders = [
        evaluate(data, Says(answer, name), into=tmp_path / "runs").folder
        for answer, name in (("neutral", "a"), ("entailment", "b"))
    ]
    made = report([f for f in folders if f], tmp_path / "out", images=False)
    assert made.judges == ("a", "b")
    assert made.sections[0].id == "other"


def both_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worse: int) -> tuple[Path, Path]:
    """Forty items of entailment; the first run misses `worse` of them, the second none."""
    from grice.core.dataset import Dataset
    from grice.core.scale import NLI

    data = Dataset.from_items("hand", NLI, [pair(i) for i in range(40)])
    monkeypatch.setattr("grice.loading.load", lambda *_, **__: data)
    new = answers(data, ["neutral" if i < worse else "entailment" for i in range(40)], "new").write(
        tmp_path
    )
    old = answers(data, ["entailment"] * 40, "old").write(tmp_path)
    assert new.folder and old.folder
    return new.folder, old.folder


def test_data_without_a_known_phenomenon_share_one_chapter_with_a_row_each() -> None:
    from dataclasses import replace

    from grice.profiling.build import build

    one = three()
    two = replace(one, name="second")
    made, _ = build(
        [(data, [answers(data, ["entailment", "neutral", "neutral"], "a")]) for data in (one, two)]
    )
    (section,) = made.sections
    assert section.figures[0].rows == ["hand", "second"]
    (claim,) = made.claims
    assert claim.verdict is None and claim.diagnoses[0].code is Diagnosis.TOO_FEW_ITEMS


def test_numbers_from_people_make_a_heat_map_of_a_judge_of_numbers(tmp_path: Path) -> None:
    from grice.core.dataset import Dataset
    from grice.core.item import Item
    from grice.core.scale import UNIT
    from grice.profiling.build import build
    from grice.reporting.folder import write_folder

    golds = [0.05 + 0.09 * i for i in range(10)]
    data = Dataset.from_items(
        "odds",
        UNIT,
        [Item(f"{i}", f"It may rain {i}.", "It rains.", {"p": g}) for i, g in enumerate(golds)],
    )
    made, parts = build([(data, [answers(data, [g * 0.9 for g in golds], "graded")])])
    (section,) = made.sections
    assert section.id == "certainty" and section.figures[0].kind == "heat"
    assert made.claims[0].verdict == "people"
    write_folder(
        made, [(part.data, part.frame) for part in parts], tmp_path, stamp="", images=False
    )
    assert "Against people's numbers (p)" in unescape(
        (tmp_path / "index.html").read_text(encoding="utf-8")
    )


def test_other_probabilities_make_a_new_profile(tmp_path: Path) -> None:
    from grice.profiling.folder import make_folder

    data = three()
    for confidence, fresh in ((0.8, True), (0.8, False), (0.7, True)):
        rest = (1 - confidence) / 2
        replies = [
            Judgement(
                item,
                "neutral",
                probs={"entailment": rest, "neutral": confidence, "contradiction": rest},
            )
            for item in data.ids
        ]
        pairs = [(data, [Run.recorded(data, "a", replies)])]
        assert make_folder(pairs, tmp_path, images=False).fresh == fresh
