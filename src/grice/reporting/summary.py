"""Terminal view of a profile: a line per question, with its share, its verdict and people."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grice.core.errors import one_line
from grice.core.estimate import Estimate
from grice.reporting.bars import whole_percent
from grice.reporting.model import Profile
from grice.reporting.question import QuestionRow, ScaleRow

WIDEST = 110
# How many warnings are printed; the page has all.
MAX_WARNINGS = 3
HEAD = ("question", "share", "95% CI", "n", "people", "finding")
# Columns of numbers are aligned to the right.
NUMBERS = slice(1, 5)
GAP = 2
# With less room for the question, each finding is a block of lines instead of a row.
MIN_QUESTION = 20
Line = tuple[str, str]


def print_profile(profile: Profile) -> None:
    """Print the first sentence, warnings, a table of the findings, and the page's path."""
    lines = [(one_line(text), style) for text, style in profile_lines(profile)]
    if not sys.stdout.isatty():
        print("\n".join(text for text, _ in lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for text, style in lines:
        console.print(Text(text, style=style))


def profile_lines(profile: Profile) -> Iterator[Line]:
    """Yield each line with its style."""
    screen = profile.first_screen
    yield profile.title, "bold"
    yield from ((line, "") for line in _wrapped("", screen.lead))
    yield from ((line, "dim") for line in _wrapped("", screen.asked or profile.basis))
    for text in profile.warnings[:MAX_WARNINGS]:
        yield from ((line, "yellow") for line in _wrapped("! ", text))
    if n_more := len(profile.warnings) - MAX_WARNINGS:
        yield from [(f"! {n_more} more on the page", "yellow")] if n_more > 0 else []
    yield "", ""
    yield from _findings(profile)
    yield from _other_sections(profile)
    yield "", ""
    yield f"page: {profile.page}{'' if profile.fresh else ' (nothing new to ask or draw)'}", "bold"


def _findings(profile: Profile) -> Iterator[Line]:
    """Yield the table of findings; below an inconclusive one, why it is inconclusive.

    A question of several datasets is followed by the name of each.
    """
    screen = profile.first_screen
    rows: list[QuestionRow | ScaleRow] = [*screen.rows, *screen.scales]
    n_asked = Counter(row.question for row in rows)
    data = {section.id: section.data for section in profile.sections}
    cells = [
        _cells(replace(row, question=f"{row.question} ({data[row.section]})"))
        if n_asked[row.question] > 1
        else _cells(row)
        for row in rows
    ]
    if not cells:
        return
    widths = [max(map(len, column)) for column in zip(HEAD, *cells, strict=True)]
    room = text_width() - sum(widths[1:]) - GAP * (len(HEAD) - 1)
    is_table = room >= min(widths[0], MIN_QUESTION)
    widths[0] = min(widths[0], room)
    head = [_line(HEAD, widths)] if is_table else _wrapped("", f"{HEAD[0]}: {', '.join(HEAD[1:])}")
    yield from ((line, "dim") for line in head)
    for row, row_cells in zip(rows, cells, strict=True):
        lines = _table_lines(row_cells, widths) if is_table else _block_lines(row_cells)
        yield from ((line, "" if row.status == "inconclusive" else "bold") for line in lines)
        note = {"inconclusive": f"{row.reason}.", "diagnosis": row.finding}.get(row.status, "")
        yield from ((line, "dim") for line in _wrapped("    ", note))


def _other_sections(profile: Profile) -> Iterator[Line]:
    """Yield the sentences of sections without a row on the first screen (user-defined chapters)."""
    screen = profile.first_screen
    screen_sections = {row.section for row in screen.rows} | {row.section for row in screen.scales}
    for section in profile.sections:
        if section.id not in screen_sections and section.sentences:
            yield section.title, "bold"
            for sentence in section.sentences:
                yield from ((line, "") for line in _wrapped("  ", sentence))


def _table_lines(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return a row of the table; a long question goes on below."""
    first, *more = textwrap.wrap(cells[0], widths[0])
    return [_line((first, *cells[1:]), widths), *more]


def _block_lines(cells: Sequence[str]) -> list[str]:
    """Return a row as lines, for a terminal that is too narrow for the table."""
    named = [f"{name} {cell}" for name, cell in zip(HEAD[1:], cells[1:], strict=True) if cell]
    return [*_wrapped("", cells[0]), *_wrapped("    ", ", ".join(named))]


def _cells(row: QuestionRow | ScaleRow) -> tuple[str, ...]:
    if isinstance(row, QuestionRow):
        known = row.people.part(row.decides) if row.people else None
        people = f"{whole_percent(known.estimate)}%" if known else ""
        share = f"{whole_percent(row.share)}%" if row.share else ""
        return (row.question, share, *_ends(row.share, 100), people, row.chip)
    if row.estimate is None:
        return (row.question, "", "", "", "", row.chip)
    if row.unit == "points":
        value = f"{100 * row.estimate.value:.0f} points"
        return (row.question, value, *_ends(row.estimate, 100), "", row.chip)
    people = "" if row.people is None else f"{row.people:.2f}"
    value = f"r = {row.estimate.value:.2f}"
    return (row.question, value, *_ends(row.estimate, 1), people, row.chip)


def _ends(estimate: Estimate | None, scale: int) -> tuple[str, str]:
    """Return the interval and n of an estimate, empty where there are none."""
    if estimate is None:
        return "", ""
    n = f"{estimate.n:,}"
    if estimate.low is None or estimate.high is None:
        return "", n
    digits, between = (0, "–") if scale == 100 else (2, " to ")
    return f"{scale * estimate.low:.{digits}f}{between}{scale * estimate.high:.{digits}f}", n


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [
        cell.rjust(width) for cell, width in zip(cells[NUMBERS], widths[NUMBERS], strict=True)
    ]
    return (" " * GAP).join((cells[0].ljust(widths[0]), *numbers, cells[-1])).rstrip()


def text_width() -> int:
    """Return the width of lines: that of the terminal, at most `WIDEST`; in a pipe `WIDEST`."""
    return min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)


def _wrapped(mark: str, text: str) -> list[str]:
    """Wrap a text to the terminal width; a number and its n stay together."""
    tied = text.replace("n = ", "n\u00a0=\u00a0")
    lines = textwrap.wrap(
        tied, text_width(), initial_indent=mark, subsequent_indent=" " * len(mark)
    )
    return [line.replace("\u00a0", " ") for line in lines]
