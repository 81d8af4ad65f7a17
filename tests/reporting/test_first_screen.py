"""The first screen: its numbers are those of `grice table`, and its marks are where they belong."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import grice
from grice.core.estimate import Estimate
from grice.profiling.build import build
from grice.profiling.questions import _with_share
from grice.profiling.sheets import AnswerSheet
from grice.reporting.bars import (
    bar_view,
    heat_rows,
    rank_ranges,
    row_views,
    short_name,
    whole_percent,
)
from grice.reporting.claims import GateCheck, State, Test
from grice.reporting.model import Profile
from grice.reporting.question import AnswerBar, AnswerPart, FirstScreen, QuestionRow, ScaleRow
from grice.reporting.sentences import diagnosis_text
from grice.reporting.summary import profile_lines
from grice.storage.run import Run
from tests.profiling.judges import always, logical, pragmatic, run, suite

# The question of each row that counts all items of some tags, and what `grice table` is asked for.
TABLES = {
    "readings": ("accuracy:pragmatic", {"kind": "implicature", "role": "target"}),
    "unembedded": (
        "entailed",
        {
            "kind": "presupposition",
            "role": "target",
            "operator": "unembedded",
            "presupposition": "positive",
        },
    ),
    "signatures": ("accuracy:signature", {"kind": "veridicality"}),
    "conjunction": ("accuracy:label", {"kind": "conjunction"}),
}
COLUMNS = {
    "readings": "“some” → “not all”",
    "unembedded": "takes for granted",
    "signatures": "“didn’t forget to”",
    "conjunction": "“and”, “or”",
}


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return [run(pragmatic, "first/model-a", sure=0.9), run(logical, "second"), run(always, "third")]


@pytest.fixture(scope="module")
def profile(runs: list[Run]) -> Profile:
    return build([(suite(), runs)])[0]


def row_of(profile: Profile, column: str) -> QuestionRow:
    return next(row for row in profile.first_screen.rows if row.column == column)


@pytest.mark.parametrize("name", TABLES)
def test_shares_of_the_first_screen_are_those_of_grice_table(
    profile: Profile, runs: list[Run], name: str
) -> None:
    measure, where = TABLES[name]
    row = row_of(profile, COLUMNS[name])
    table = grice.table(runs, measure, where={tag: [value] for tag, value in where.items()})
    for judge in ("first/model-a", "second", "third"):
        wanted, bar = table.cell((), judge), row.bar_of(judge)
        assert wanted is not None and bar is not None
        part = bar.part(row.expected)
        assert part is not None
        assert (part.estimate.value, part.estimate.n) == (wanted.value, wanted.n)
        assert (part.estimate.low, part.estimate.high) == (wanted.low, wanted.high)


def test_page_shows_each_verdict_with_its_share_and_interval(
    runs: list[Run], tmp_path: Path
) -> None:
    made = grice.report(runs, out=tmp_path, images=False)
    assert made.page is not None
    html = made.page.read_text(encoding="utf-8")
    items = re.findall(r'<li class="question (\w+)[^"]*">(.*?)</li>', html, re.DOTALL)
    rows: list[QuestionRow | ScaleRow] = [*made.first_screen.rows, *made.first_screen.scales]
    assert [status for status, _ in items if status != "scale"] == [
        row.status for row in made.first_screen.rows
    ]
    for row, (_, text) in zip(rows, items, strict=True):
        plain = " ".join(unescape(re.sub(r"<[^>]*>|\u2060", " ", text)).split())
        assert row.question in plain and row.chip in plain
        if isinstance(row, QuestionRow) and row.status == "verdict":
            assert row.share is not None
            assert f"{whole_percent(row.share)}%" in plain
            assert f"n = {row.share.n:,}" in plain.replace("\xa0", " ")


def test_a_row_without_verdict_says_why_and_draws_no_interval(runs: list[Run]) -> None:
    screen = build([(suite(), runs[2:])])[0].first_screen
    assert {row.status for row in screen.rows} <= {"inconclusive", "diagnosis"}
    assert all(row.reason for row in screen.rows if row.status == "inconclusive")


def test_the_bracket_is_at_the_side_from_which_the_part_is_counted() -> None:
    shares = {"entailment": 0.2, "neutral": 0.3, "contradiction": 0.5}
    parts = tuple(
        AnswerPart(label, Estimate(share, 10, share - 0.1, share + 0.1))
        for label, share in shares.items()
    )
    bar = AnswerBar("model", "model", parts)
    spans = {label: bar_view(bar, label).interval for label in shares}
    assert spans["entailment"] == pytest.approx((10, 20))
    assert spans["neutral"] == pytest.approx((40, 20))
    assert spans["contradiction"] == pytest.approx((40, 20))
    assert bar_view(bar, "unknown").interval is None


def test_a_reference_has_the_same_number_in_every_row(profile: Profile) -> None:
    numbers = {
        (view.bar.name, number)
        for row in row_views(profile.first_screen)
        for number, view in row.references
    }
    assert numbers == {("second", 1), ("third", 2)}


def test_models_with_overlapping_intervals_share_ranks() -> None:
    ends = [(v - 0.1, v + 0.1) for v in (0.9, 0.8, 0.5, 0.45)]
    assert rank_ranges(ends) == ["1–2", "1–2", "3–4", "3–4"]
    assert rank_ranges([(0.85, 0.95), (0.1, 0.3)]) == ["1", "2"]


def test_a_share_is_100_only_where_it_is_exact() -> None:
    assert [whole_percent(Estimate(v, 999)) for v in (0.0, 0.001, 0.5, 0.999, 1.0)] == [
        "0",
        "<1",
        "50",
        ">99",
        "100",
    ]
    assert short_name("maker/a-very-long-model-name") == "a-very-long-mod…"


def test_many_models_are_sorted_by_the_lower_end_and_none_is_lost() -> None:
    runs = [run(logical if i % 2 else pragmatic, f"model-{i}") for i in range(7)]
    screen = build([(suite(), runs)])[0].first_screen
    rows = heat_rows(screen)
    assert {row.name for row in rows} == {one.judge for one in runs}
    assert all(len(row.cells) == len(screen.rows) for row in rows)
    assert screen.widest is not None
    lows = []
    for row in rows:
        bar = screen.widest.bar_of(row.name)
        part = bar.part(screen.widest.expected) if bar else None
        lows.append(part.estimate.low if part else None)
    known = [low for low in lows if low is not None]
    assert known == sorted(known, reverse=True)


def test_left_out_items_leave_no_sentence_on_the_first_screen(profile: Profile) -> None:
    bare = profile.without_items().first_screen
    assert isinstance(bare, FirstScreen) and bare.rows
    assert all(row.example is None and not row.query.href for row in bare.rows)


@pytest.mark.parametrize("columns", [60, 80, 110])
def test_the_terminal_prints_each_finding_in_the_width_it_has(
    profile: Profile, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = [text for text, _ in profile_lines(profile)]
    assert max(map(len, lines)) <= columns and len(lines) <= (40 if columns >= 80 else 60)
    text = " ".join(" ".join(lines).split())
    for row in profile.first_screen.rows:
        assert row.question in text if columns < 110 else row.question[:9] in text
        assert row.chip in text
        if row.share is not None:
            assert f"{whole_percent(row.share)}%" in text and str(row.share.n) in text


def test_a_question_of_two_datasets_has_their_names_in_the_terminal(profile: Profile) -> None:
    row = profile.first_screen.rows[0]
    alone = " ".join(text for text, _ in profile_lines(profile))
    twice = replace(profile.first_screen, rows=(row, row))
    lines = [text for text, _ in profile_lines(replace(profile, first_screen=twice))]
    data = next(section.data for section in profile.sections if section.id == row.section)
    assert " ".join(" ".join(lines).split()).count(f"({data})") == 2 and f"({data})" not in alone


def test_the_terminal_prints_the_numbers_of_the_file(
    made: tuple[Profile, list[AnswerSheet]], folder: Path
) -> None:
    lines = [text.split() for text, _ in profile_lines(made[0])]
    rows = json.loads((folder / "profile.json").read_text())["first_screen"]["rows"]
    parts = [
        part["estimate"]
        for row in rows
        for part in row["bars"][0]["parts"]
        if part["answer"] == row["decides"]
    ]
    assert parts
    for part in parts:
        estimate = Estimate(**part)
        numbers = {f"{whole_percent(estimate)}%", f"{estimate.n:,}"}
        if estimate.low is not None and estimate.high is not None:
            numbers.add(f"{100 * estimate.low:.0f}–{100 * estimate.high:.0f}")
        assert any(numbers <= set(line) for line in lines), numbers


def test_a_chapter_says_a_habit_once() -> None:
    profile = build([(suite(), [run(always)])])[0]
    counts = [
        " ".join(section.sentences).count(diagnosis_text(diagnosis))
        for section in profile.sections
        for claim in profile.claims
        if claim.section == section.id
        for diagnosis in claim.diagnoses
    ]
    assert counts and set(counts) == {1}


def test_a_reason_has_the_interval_of_its_row() -> None:
    score, share = Estimate(0.18, 50, 0.09, 0.26), Estimate(0.181, 50, 0.11, 0.27)
    check = GateCheck(Test.SHUFFLED, State.FAIL, {"score": score, "baseline": 0.1})
    bar = AnswerBar("one", "model", (AnswerPart("neutral", share),))
    assert _with_share(check, bar, "neutral").values["score"] == share
    assert _with_share(check, bar, "entailment") == check
