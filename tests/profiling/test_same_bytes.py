"""The same command writes the same bytes, whatever Python's hash seed and the number of threads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.same_bytes import differing

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.profiling.build import build
from grice.storage.run import Run
from grice.theory.norms import norms


@pytest.fixture(autouse=True)
def _fresh_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRICE_DATA", raising=False)


def test_a_profile_with_a_rival_and_people_is_the_same_with_other_seeds_and_threads(
    tmp_path: Path,
) -> None:
    command = [
        "profile",
        "baseline/overlap",
        "--against",
        "baseline/random",
        "--limit",
        "900",
        "--no-images",
    ]
    count, names = differing(command, tmp_path, 3)
    assert count > 50 and not names
    made = json.loads((tmp_path / "0" / "out" / "profile.json").read_text(encoding="utf-8"))
    assert [mark for mark in made["fingerprint"]["marks"] if mark["label"].startswith("people, ")]


def test_a_board_and_a_report_of_the_same_runs_are_the_same_with_other_seeds_and_threads(
    tmp_path: Path,
) -> None:
    import grice

    runs = tmp_path / "runs"
    grice.judge(
        "conjunction_boolean@0", ["baseline/overlap", "baseline/random"], limit=300, into=runs
    )
    for command in (["board", str(runs)], ["report", str(runs), "--no-images"]):
        count, names = differing(command, tmp_path / command[0], 3)
        assert count > 5 and not names, command


def test_people_stand_at_every_set_that_has_their_scale() -> None:
    """A scale of two sets is people's number in both; a set whose pairs they were not asked about
    has none.
    """
    items = []
    for name, scale, condition in (
        ("quantifiers", "some - all", "W/not S"),
        ("scalar_contexts", "some - all", "W/not S"),
        ("start_finish", "start - finish", "W/not S"),
        ("scalar_contexts", "start - finish", "W/not S"),
        ("dialogues", "some - all", "not S"),
    ):
        tags = {
            "phenomenon": name,
            "kind": "implicature",
            "role": "target",
            "scale": scale,
            "condition": condition,
        }
        for i in range(3):
            gold = {"logical": "neutral", "pragmatic": "entailment"}
            items.append(
                Item(
                    f"{name} {scale} {i}",
                    f"{scale} {i}.",
                    "Not all.",
                    gold,
                    tags,
                    group=f"{name} {scale} {i}",
                )
            )
    data = Dataset.from_items("hand", NLI, items)
    profile, _ = build(
        [(data, [Run.from_columns(data, "judge", data.ids, ["neutral"] * len(items))])]
    )
    assert profile.fingerprint is not None
    marks = {
        mark.row: mark.value
        for mark in profile.fingerprint.marks
        if mark.label.startswith("people, ")
    }
    some, start = (norms("scale")[key, "weak"].mean for key in ("some/all", "start/finish"))
    assert marks == pytest.approx(
        {"quantifiers": some, "⟨start, finish⟩": start, "scalar contexts": (some + start) / 2}
    )
