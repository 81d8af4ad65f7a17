"""docs/add_a_phenomenon.md does what it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import grice
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
    assert len(commands()) == 7
    for command in commands():
        done = CliRunner().invoke(build(), shlex.split(command), catch_exceptions=False)
        assert done.exit_code == 0, f"{command}\n{done.output}"
    card = json.loads((folder / "efforts.card.json").read_text())
    assert (card["pairs"], card["seed"], card["findings"]) == (3000, 7, [])


def test_it_stands_in_its_chapter_with_all_that_the_built_in_ones_have(folder: Path) -> None:
    made = grice.profile(
        "baseline/overlap",
        data=["./effort.py", "quantifiers"],
        out=folder / "page",
        images=False,
        limit=300,
    )
    mine, built_in = (
        [s for s in made.sections if s.id.startswith("implicature") and s.data.startswith(name)]
        for name in ("effort", "quantifiers")
    )
    assert [figure.title for figure in mine[0].figures] == [
        figure.title for figure in built_in[0].figures
    ]
    assert "effort" in made.sections[0].data and not [
        s for s in made.sections if s.id.startswith("other")
    ]


def test_check_tells_which_chapter_reads_it_and_what_the_others_lack(folder: Path) -> None:
    (note,) = grice.check("./effort.py", leaks=False).of("chapter")
    assert note.detail.startswith(
        "stands in implicature; presupposition lacks the tag operator and the tag presupposition"
    )
    source = folder / "effort.py"
    source.write_text(
        source.read_text(encoding="utf-8").replace("return scalar_rows(", "return bare("),
        encoding="utf-8",
    )
    with source.open("a", encoding="utf-8") as out:
        out.write(
            "\n\ndef bare(draw, four, tags, **rest):\n    return [r._replace(gold={'logical':"
            " r.gold['logical']}) for r in scalar_rows(draw, four, tags, **rest)]\n"
        )
    warning, _ = grice.check("./effort.py", leaks=False).of("chapter")
    assert (warning.severity, "it lacks the reading pragmatic" in warning.detail) == (
        "warning",
        True,
    )


def test_the_file_loads_as_a_dataset_and_is_refused_beyond_its_capacity(folder: Path) -> None:
    data = loading.load("./effort.py@7", groups="200")
    assert len(data) == 3000
    assert data.frame["tag.negation"].value_counts()["count"].to_list() == [1500, 1500]
    with pytest.raises(InputError, match="it can give without repeats"):
        loading.load("./effort.py", groups="999999")
    assert folder.is_dir()


def test_a_flaw_in_ones_own_words_is_found(folder: Path) -> None:
    table = folder / "efforts.tsv"
    table.write_text(table.read_text().replace("fix the tap", "fix the the tap"))
    found = CliRunner().invoke(build(), ["check", "./effort.py", "--no-leaks", "--json"])
    assert found.exit_code == 1
    assert [
        f["check"] for f in json.loads(found.stdout)["findings"] if f["severity"] == "error"
    ] == ["doubled word"]
