"""Runs that are handed in: each point told, and refused where the data, the lines or the judge are
not what they should be.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import grice
from grice.core.errors import InputError
from grice.core.judgement import Judgement
from grice.storage.response_log import add_checksum, line_of
from grice.storage.run_folder import HEADER, LINES

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "run.schema.json").read_text())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = grice.load("quantifiers@7")
    kept = grice.judge(data, "baseline/overlap", into=tmp_path / "runs").folder
    assert kept is not None
    return kept


def points(name: str | Path) -> dict[str, str]:
    return {one.check: one.severity for one in grice.check(str(name)).findings}


def edit(folder: Path, **changes: Any) -> None:
    """Change the header as someone would who knows its checksum."""
    header = {k: v for k, v in json.loads((folder / HEADER).read_text()).items() if k != "sum"}
    (folder / HEADER).write_text(json.dumps(add_checksum(header | changes)))


def test_a_run_keeps_to_the_schema_of_submissions(folder: Path) -> None:
    jsonschema.validate(json.loads((folder / HEADER).read_text()), SCHEMA)
    line = {**SCHEMA, **SCHEMA["$defs"]["line"]}
    for text in (folder / LINES).read_text().splitlines()[:20]:
        jsonschema.validate(json.loads(text), {"$defs": SCHEMA["$defs"], **SCHEMA["$defs"]["line"]})
    for wrong in ({"id": "a"}, {"id": "a", "answer": "x", "fault": "y"}, {"answer": "x"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, {k: v for k, v in line.items() if k != "title"})


def test_a_whole_run_of_known_data_passes_every_point(folder: Path) -> None:
    assert points(folder) == dict.fromkeys(("unaltered", "data", "complete", "judge"), "note")


def test_a_run_that_stopped_is_incomplete(tmp_path: Path) -> None:
    run = grice.judge("quantifiers@7", "baseline/overlap", limit=28, into=tmp_path)
    report = grice.check(str(run.folder))
    assert report.failed and report.of("complete")[0].count == 1472


def test_fewer_items_in_the_header_hide_nothing(folder: Path) -> None:
    lines = (folder / LINES).read_bytes().splitlines(keepends=True)
    (folder / LINES).write_bytes(b"".join(lines[:100]))
    edit(folder, asked=100)
    assert points(folder)["complete"] == "error"


def test_answers_to_items_that_the_data_lack_are_told(folder: Path) -> None:
    lines = (folder / LINES).read_bytes().splitlines(keepends=True)
    (folder / LINES).write_bytes(b"".join([*lines[:-1], line_of(Judgement("made/up", "neutral"))]))
    (found,) = grice.check(str(folder)).of("complete")
    assert found.severity == "error" and "made/up" in found.detail


def test_other_data_under_a_known_name_are_told(folder: Path) -> None:
    edit(folder, fingerprint="0" * 32)
    assert points(folder)["data"] == "error"


def test_a_judge_without_identity_is_told(folder: Path) -> None:
    edit(folder, identity={})
    assert points(folder)["judge"] == "error"


def test_an_archive_tells_of_each_run_and_the_worst_comes_first(
    folder: Path, tmp_path: Path
) -> None:
    short = grice.judge("quantifiers@7", "baseline/random", limit=28, into=tmp_path / "runs")
    grice.pack(tmp_path / "runs", tmp_path / "two.zip")
    report = grice.check(str(tmp_path / "two.zip"))
    assert short.folder and report.findings[0].check == f"{short.folder.name}: complete"
    assert len(report.findings) == 8 and report.failed
    assert sum(one.severity == "error" for one in report.findings) == 1
    assert folder.name in report.findings[1].check


@pytest.mark.parametrize("name", ["{runs}/run.json", "../x/run.json", "a/../../x/run.json"])
def test_an_archive_that_leads_out_of_itself_is_refused(
    folder: Path, tmp_path: Path, name: str
) -> None:
    grice.pack(folder, tmp_path / "mine.zip")
    with zipfile.ZipFile(tmp_path / "mine.zip", "a") as archive:
        archive.writestr(name.format(runs=folder), (folder / HEADER).read_bytes())
    for verb in (grice.table, grice.check, grice.board):
        with pytest.raises(InputError, match="leads out of the archive"):
            verb(str(tmp_path / "mine.zip"))


def test_a_run_that_stands_twice_in_an_archive_is_not_two_judges(
    folder: Path, tmp_path: Path
) -> None:
    grice.pack(folder, tmp_path / "mine.zip")
    with (
        zipfile.ZipFile(tmp_path / "mine.zip", "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr(f"{folder.name}/{HEADER}", (folder / HEADER).read_bytes())
    with pytest.raises(InputError, match=r"run\.json' is in it twice"):
        grice.table(tmp_path / "mine.zip")


@pytest.mark.parametrize("how", ["dataset", "file"])
def test_a_run_does_not_decide_which_code_is_run(
    folder: Path, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs.py").write_text("open('ran', 'w').write('x')\n")
    for name in (
        "./theirs.py",
        "./theirs.py@7",
        "./theirs.py/part,premise=x",
        str(tmp_path / "theirs.py"),
    ):
        about = json.loads((folder / HEADER).read_text())["data"]
        edit(
            folder,
            **(
                {"dataset": name}
                if how == "dataset"
                else {"data": {**about, "read_as": {"file": name}}}
            ),
        )
        grice.check(str(folder))
        for kept in folder.glob("items-*"):
            kept.unlink()
        assert points(folder)["data"] in ("error", "note")
        with pytest.raises(InputError, match="is Python code, which a run may not start"):
            grice.table(folder)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"scale": {"labels": [1, 2]}},
        {"data": [1]},
        {"data": {"read_as": [1]}},
        {"judge": "\x1b[2J"},
        {"dataset": "a\x9bb"},
    ],
)
def test_a_header_that_no_run_has_is_refused(folder: Path, changes: dict[str, Any]) -> None:
    edit(folder, **changes)
    with pytest.raises(InputError):
        grice.table(folder)
    assert grice.check(str(folder)).failed
