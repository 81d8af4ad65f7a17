"""docs/add_a_phenomenon.md does what it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grice import loading
from grice.cli import build
from grice.core.errors import InputError

PAGE = Path(__file__).parents[2] / "docs/add_a_phenomenon.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the page writes out, in a folder of their own."""
    page = PAGE.read_text(encoding="utf-8")
    for name, text in re.findall(r"`([\w.]+)`:\n\n```\w+\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands() -> list[str]:
    return re.findall(r"^\$ grice (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_command_of_the_page_runs(folder: Path) -> None:
    assert len(commands()) == 4
    for command in commands():
        done = CliRunner().invoke(build(), shlex.split(command), catch_exceptions=False)
        assert done.exit_code == 0, f"{command}\n{done.output}"
    card = json.loads((folder / "favours.card.json").read_text())
    assert (card["pairs"], card["seed"], card["findings"]) == (400, 7, [])


def test_the_file_loads_as_a_dataset_and_is_refused_beyond_its_capacity(folder: Path) -> None:
    data = loading.load("./politeness.py@7", groups="200")
    assert len(data) == 400
    assert data.frame["tag.polarity"].value_counts()["count"].to_list() == [200, 200]
    with pytest.raises(InputError, match="it can give without repeats"):
        loading.load("./politeness.py", groups="999999")
    assert folder.is_dir()


def test_a_flaw_in_ones_own_words_is_found(folder: Path) -> None:
    table = folder / "favours.tsv"
    table.write_text(table.read_text().replace("lent the drill\tlend", "lent the the drill\tlend"))
    found = CliRunner().invoke(build(), ["check", "./politeness.py", "--no-leaks", "--json"])
    assert found.exit_code == 1
    assert [f["check"] for f in json.loads(found.stdout)["findings"] if f["severity"] == "error"] == ["doubled word"]
