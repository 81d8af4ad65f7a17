"""Pairs made as a dataset or into a file in constant memory, checked on the way, with a card."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from grice import loading
from grice.cli import build
from grice.core.errors import InputError
from grice.core.files import sha256_of
from grice.core.shelf import PHENOMENA
from grice.generate import suites
from grice.verbs.make import make


def test_without_a_file_the_pairs_come_back_as_a_dataset() -> None:
    made = make("quantifiers", groups=3, seed=7)
    assert (made.name, len(made)) == ("quantifiers@7", 45)
    assert made.fingerprint == loading.load("quantifiers@7", groups="3").fingerprint


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_made_file_reads_back_as_it_was_made_and_its_card_tells_what_it_is(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"pairs.{ending}"
    card = make("conjunction_boolean", out=path, groups=30, seed=4).to_json()
    back, direct = loading.load(str(path)), suites.find_suite("conjunction_boolean@4", 30).dataset()
    assert back.fingerprint == direct.fingerprint
    on_disk = json.loads((tmp_path / "pairs.card.json").read_text())
    assert on_disk == card
    assert (card["seed"], card["pairs"], card["groups"]) == (4, 150, {"conjunction_boolean": 30})
    assert sum(card["labels"]["label"].values()) == 150
    assert card["sha256"] == sha256_of(path)


def test_parquet_joins_batches_with_different_tags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grice.verbs.make.BATCH", 50)
    path = tmp_path / "core.parquet"
    card = make("core", out=path, groups=1, seed=4)
    frame = pl.read_parquet(path)
    assert frame.height == card.pairs
    assert frame.schema["tag.connective"] == pl.List(pl.String)
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    sums = [
        make("quantifiers", out=tmp_path / f"{i}.jsonl", groups=5, seed=seed).sha256
        for i, seed in enumerate((1, 1, 2))
    ]
    assert sums[0] == sums[1] != sums[2]


def test_more_groups_than_there_are_leave_no_file(tmp_path: Path) -> None:
    most = PHENOMENA.find("veridicality_swaps").capacity
    with pytest.raises(InputError, match=str(most)):
        make("veridicality_swaps", out=tmp_path / "x.jsonl", groups=most + 1)
    with pytest.raises(InputError, match="ends in"):
        make("quantifiers", out=tmp_path / "x.csv", groups=1)
    assert list(tmp_path.iterdir()) == []


def test_the_checks_on_the_way_see_every_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grice.verbs.make.BATCH", 24)
    seen: list[tuple[int, int]] = []
    card = make(
        "quantifiers", out=tmp_path / "x.jsonl", groups=5, progress=lambda *now: seen.append(now)
    )
    assert seen == [(24, 75), (48, 75), (72, 75), (75, 75)]
    assert card.findings == ()


def test_the_verbs_make_and_check_speak_json_and_exit_by_what_they_find(tmp_path: Path) -> None:
    run = CliRunner()
    made = run.invoke(
        build(), ["make", "quantifiers", "--groups", "6", "-o", str(tmp_path / "q.jsonl"), "--json"]
    )
    assert made.exit_code == 0
    assert json.loads(made.stdout)["pairs"] == 90
    good = run.invoke(build(), ["check", str(tmp_path / "q.jsonl"), "--no-leaks", "--json"])
    assert (good.exit_code, json.loads(good.stdout)["failed"]) == (0, False)
    bad = tmp_path / "bad.jsonl"
    bad.write_text(
        '{"premise":"Ana left","hypothesis":"Someone left.","gold":{"label":"neutral"}}\n' * 1
    )
    lines = (
        bad.read_text()
        + '{"id":"x","premise":"Ben sang.","hypothesis":"Ben hummed.","gold":{"label":"neutral"}}\n'
    )
    bad.write_text(lines)
    found = run.invoke(build(), ["check", str(bad), "--json"])
    assert found.exit_code == 1
    assert [
        f["check"] for f in json.loads(found.stdout)["findings"] if f["severity"] == "error"
    ] == ["final punctuation"]


def test_parts_together_have_the_lines_of_the_whole(tmp_path: Path) -> None:
    whole = make("quantifiers", groups=4_500, seed=3, out=tmp_path / "whole.jsonl")
    paths = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
    for number, path in enumerate(paths, 1):
        make("quantifiers", groups=4_500, seed=3, part=f"{number}/2", out=path)
    assert b"".join(path.read_bytes() for path in paths) == whole.path.read_bytes()
    assert all(path.stat().st_size for path in paths)
