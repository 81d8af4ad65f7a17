"""What every chapter of the page keeps, whoever wrote it, and a chapter from outside the package."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from grice.core.errors import GriceError, InputError
from grice.core.shelf import CHAPTERS
from grice.profiling.build import build
from grice.profiling.chapter import Chapter, load_chapters
from grice.reporting.model import Profile
from grice.verbs.list import list_names
from grice.verbs.profile import profile
from grice.verbs.show import show
from tests.hand import answers, three
from tests.profiling.judges import logical, pragmatic, run, suite

MINE = '''"""Length: whether a short hypothesis is answered otherwise."""
import polars as pl
from grice.analysis.accuracy import accuracy
from grice.profiling.chapter import Chapter, Findings
from grice.reporting.formats import percent
from grice.profiling.sheets import numbers
from grice.reporting.model import Figure

def write(sheet):
    right = {"short": accuracy("logical"), "long": accuracy("logical")}
    found = tuple(numbers(sheet, sheet.frame, "tag.role", right, where={}, reading="logical"))
    text = f"It is right in {percent(found[0].estimate)} of what I wanted to know."
    figure = Figure("lengths", "Right by length", "dots", found, text, names="role")
    return Findings((figure,), (text,))

mine = Chapter("mine", "My own chapter", "What I count.", "What is good.", lambda sheet: sheet.has("gold.logical"), write,
               colours={"short": "pink", "long": "sky"})
'''


@pytest.fixture(scope="module")
def whole() -> Profile:
    return build([(suite(), [run(logical, "one", sure=0.9), run(pragmatic, "two")])])[0]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CHAPTERS.names())
def test_a_chapter_is_named_like_its_file_and_explains_itself(name: str) -> None:
    chapter = CHAPTERS.find(name)
    assert isinstance(chapter, Chapter) and chapter.name == name
    assert chapter.title and chapter.what and chapter.good
    assert bool(chapter.write) != bool(chapter.write_rest)
    assert list_names("chapters")[CHAPTERS.names().index(name)]["what"]
    assert show(f"chapters/{name}")["good"] == chapter.good


@pytest.mark.parametrize("name", CHAPTERS.names())
def test_a_chapter_passes_over_data_it_does_not_read(name: str) -> None:
    data = three()
    made, sheets = build([(data, [answers(data, ["neutral"] * 3, "a")])])
    if not CHAPTERS.find(name).applies(sheets[0]):
        assert name not in [section.id for section in made.sections]


def test_no_two_chapters_have_the_same_order() -> None:
    orders = [chapter.order for chapter in load_chapters()]
    assert len(orders) == len(set(orders)) and orders == sorted(orders)


def test_sections_come_in_the_order_of_the_chapters_and_figures_have_ids_of_their_own(
    whole: Profile,
) -> None:
    ids = [section.id for section in whole.sections]
    assert ids == [chapter.name for chapter in load_chapters() if chapter.name in ids]
    assert len(ids) == len(CHAPTERS.names()) - 3, (
        "all but `other`, `shares` and `unlabelled` read the suite"
    )
    assert all(f.id.startswith(f"{s.id}-") for s in whole.sections for f in s.figures)
    assert len({figure.id for figure in whole.figures}) == len(whole.figures)


def test_a_chapter_without_data_is_listed_as_not_tested() -> None:
    data = three()
    made, _ = build([(data, [answers(data, ["neutral"] * 3, "a")])])
    told = {line.partition(":")[0] for line in made.not_tested}
    assert {
        c.title.lower() for c in load_chapters() if not c.write_rest and c.absent is not None
    } <= told


@pytest.mark.slow
def test_a_chapter_from_outside_is_on_the_page_in_the_numbers_and_in_the_terminal(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from grice.cli import main

    out = tmp_path / "page"
    line = ["profile", "baseline/overlap", "--data", "quantifiers", "--no-images", "-o", str(out)]
    monkeypatch.setattr(sys, "argv", ["grice", *line, "--chapter", str(mine)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    shown = capsys.readouterr().out
    assert "My own chapter\n  It is right in" in shown
    page = (out / "index.html").read_text(encoding="utf-8")
    assert re.search(r'<section id="mine"[^>]*>.{0,400}?My own chapter', page, re.DOTALL)
    found = json.loads((out / "profile.json").read_text(encoding="utf-8"))
    assert [section["id"] for section in found["sections"]] == ["implicature", "mine", "people"]
    figure = found["sections"][1]["figures"][0]
    assert figure["id"] == "mine-lengths" and "pink" in figure["colours"].values()
    assert show(str(mine))["kind"] == "chapter"


def test_a_changed_chapter_is_drawn_again(mine: Path, tmp_path: Path) -> None:
    def fresh() -> bool:
        own = [str(mine)]
        return profile(
            "baseline/overlap", data="quantifiers", out=tmp_path, images=False, chapters=own
        ).fresh

    assert fresh() and not fresh()
    mine.write_text(MINE.replace("My own", "Our own"), encoding="utf-8")
    assert fresh()


def test_a_chapter_of_ones_own_takes_the_place_of_one_of_the_same_name(tmp_path: Path) -> None:
    path = tmp_path / "cancellability.py"
    path.write_text(
        MINE.replace('Chapter("mine"', 'Chapter("cancellability"').replace(
            "mine =", "cancellability ="
        )
    )
    titles = [chapter.title for chapter in load_chapters([str(path)])]
    assert "My own chapter" in titles and "Cancellability" not in titles


def test_what_is_wrong_in_a_chapter_of_ones_own_is_one_line(mine: Path) -> None:
    mine.write_text(MINE.replace("found[0]", "found[99]"), encoding="utf-8")
    with pytest.raises(GriceError, match=r"mine\.py:12: IndexError: tuple index") as caught:
        build([(suite(), [run(logical)])], chapters=[str(mine)])
    assert "\n" not in str(caught.value)
    mine.write_text("mine = 3", encoding="utf-8")
    with pytest.raises(InputError, match="is of type int; it must be a"):
        load_chapters([str(mine)])
    mine.write_text(MINE.replace('"pink"', '"mauve"'), encoding="utf-8")
    with pytest.raises(InputError, match="no colour 'mauve'; there are ink"):
        load_chapters([str(mine)])


def test_a_chapter_that_is_not_there_is_told_before_anyone_is_asked(tmp_path: Path) -> None:
    with pytest.raises(GriceError, match="no such file"):
        profile(
            "baseline/overlap",
            data="quantifiers",
            out=tmp_path / "p",
            chapters=[str(tmp_path / "nothere.py")],
        )
    assert not (tmp_path / "p").exists()
