"""Output formats of tables, comparisons and exhibits: text, LaTeX, CSV, JSON, HTML, charts."""

from __future__ import annotations

import csv
import io
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from grice.core.errors import GriceError, InputError, one_line
from grice.core.files import escape_formula, write_atomically
from grice.tables.charts import chart_page, check_chart, draw_svg, fit_slide, plot_points

if TYPE_CHECKING:
    import polars as pl

    from grice.core.estimate import Estimate

FORMATS = ("text", "md", "tex", "csv", "json")
EMPTY = "–"
# Results from fewer paradigms than this carry a warning.
FEW = 20
# A value, then its interval and n, which a notebook shows in small type.
WITH_INTERVAL = re.compile(r"(\S+)( \[.*| n=.*)")


@dataclass(frozen=True)
class Grid:
    """Text table: heading, rows, notes; the first `left` columns are left-aligned names."""

    title: str
    head: Sequence[str]
    body: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    left: int = 1

    def __post_init__(self) -> None:
        """Escape line ends and control characters, so that no name forges a row."""
        for part in ("head", "notes"):
            object.__setattr__(self, part, [one_line(text) for text in getattr(self, part)])
        object.__setattr__(self, "title", one_line(self.title))
        object.__setattr__(self, "body", [[one_line(cell) for cell in row] for row in self.body])

    def to_text(self) -> str:
        """Return aligned columns, never wrapped."""
        lines = [list(self.head), *map(list, self.body)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.head))]
        text = [
            "  ".join(
                cell.ljust(width) if i < self.left else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *text, *self.notes])

    def to_markdown(self) -> str:
        """Return a pipe table under its title, with the notes below it."""
        head, *body = ([escape_markdown(cell) for cell in row] for row in (self.head, *self.body))
        title, *notes = (escape_markdown(text) for text in (self.title, *self.notes))
        return "\n".join(
            [f"**{title}**", "", markdown_rows(head, body), *(f"\n{note}" for note in notes)]
        )

    def to_latex(self) -> str:
        """Return a booktabs table; it needs only `\\usepackage{booktabs}`."""
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape_latex(self.title)}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(self.head) - 1)}}}",
            r"\toprule",
            " & ".join(map(escape_latex, self.head)) + r" \\",
            r"\midrule",
            *(" & ".join(map(escape_latex, row)) + r" \\" for row in self.body),
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par\footnotesize {escape_latex(note)}" for note in self.notes),
            r"\end{table}",
        ]
        return "\n".join(lines)

    def to_html(self) -> str:
        """Return a table for a notebook: names left, numbers right, intervals in small type."""
        head, *body = (
            "".join(self._html_cell(tag, i, cell) for i, cell in enumerate(row))
            for tag, row in (("th", self.head), *(("td", row) for row in self.body))
        )
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        notes = "".join(
            f"<p style='opacity:.7;margin:.3em 0'>{escape(note)}</p>" for note in self.notes
        )
        return (
            "<table style='border-collapse:collapse;font-variant-numeric:tabular-nums'>"
            f"<caption style='text-align:left;font-weight:600'>{escape(self.title)}</caption>"
            f"<thead><tr style='border-bottom:1px solid currentColor'>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>{notes}"
        )

    def _html_cell(self, tag: str, column: int, text: str) -> str:
        side, content = "left" if column < self.left else "right", escape(text)
        if side == "right" and (parts := WITH_INTERVAL.fullmatch(text)):
            content = f"{escape(parts[1])}<small style='opacity:.65'>{escape(parts[2])}</small>"
        return f"<{tag} style='text-align:{side}'>{content}</{tag}>"


class NumberStyle(TypedDict, total=False):
    """How numbers are written: decimals (None for the default), with intervals, with n."""

    digits: int | None
    interval: bool
    count: bool


class Tabular(ABC):
    """Result that can be shown as a table; a subclass gives its grid, records and points."""

    @abstractmethod
    def grid(self, *, digits: int | None = None, interval: bool = True, count: bool = True) -> Grid:
        """Return the table as text cells, for printing."""

    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """Return the raw numbers, one dictionary for each."""

    @abstractmethod
    def points(self) -> list[dict[str, Any]]:
        """Return the numbers to draw: `row`, `series`, `value`, `low`, `high` and `n`."""

    @abstractmethod
    def to_json(self) -> Any:
        """Return the raw numbers and their metadata as JSON values."""

    def to_polars(self) -> pl.DataFrame:
        """Return the raw numbers as a Polars frame, one row for each."""
        import polars as pl

        return pl.DataFrame(self.records(), infer_schema_length=None)

    def to_pandas(self) -> Any:
        """Return the raw numbers as a pandas frame, one row for each; pandas must be installed."""
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise GriceError(
                "to_pandas() needs pandas; pip install pandas, or use to_polars()"
            ) from None
        return pandas.DataFrame(self.records())

    def to_csv(self) -> str:
        """Return the raw numbers as CSV, in which no spreadsheet reads a name as a formula."""
        records = self.records()
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(escape_formula, records[0] if records else self.grid().head))
        writer.writerows(map(escape_formula, record.values()) for record in records)
        return out.getvalue().rstrip("\n")

    def to_markdown(self, **style: Unpack[NumberStyle]) -> str:
        """Return a Markdown table."""
        return self.grid(**style).to_markdown()

    def to_latex(self, **style: Unpack[NumberStyle]) -> str:
        """Return a LaTeX table with booktabs."""
        return self.grid(**style).to_latex()

    def render(self, format: str, **style: Unpack[NumberStyle]) -> str:
        """Return the table as text in one of `FORMATS`."""
        if format == "json":
            return json.dumps(self.to_json(), ensure_ascii=False, indent=1, default=str)
        if format == "csv":
            return self.to_csv()
        check_format(format)
        grid = self.grid(**style)
        return {"md": grid.to_markdown, "tex": grid.to_latex, "text": grid.to_text}[format]()

    def plot(self) -> Any:
        """Return an Altair chart with a point for each number and a line for its interval."""
        return plot_points(self.grid().title, self.points())

    def write_chart(self, path: str | Path) -> None:
        """Write the chart to a svg, pdf, png or html file; `x.slide.png` is a slide in 16:9."""
        kind = check_chart(Path(path))
        drawn = self.plot()
        if kind == "html":
            content = chart_page(drawn.to_dict()).encode()
        else:
            from vl_convert import svg_to_pdf, svg_to_png

            svg = draw_svg(drawn.to_dict())
            svg = fit_slide(svg) if Path(path).stem.endswith(".slide") else svg
            write: dict[str, Callable[[str], Any]] = {
                "svg": str.encode,
                "pdf": svg_to_pdf,
                "png": partial(svg_to_png, scale=2),
            }
            content = bytes(write[kind](svg))
        with write_atomically(Path(path), binary=True) as out:
            out.write(content)

    def __str__(self) -> str:
        return self.grid().to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.grid().to_html()


def check_format(format: str) -> None:
    """Refuse a format that tables do not have."""
    if format not in FORMATS:
        raise InputError(f"no format '{format}'; there are {', '.join(FORMATS)}")


def few_paradigms(noun: str, few: Mapping[str, int], total: int) -> str:
    """Return a warning on the rows or cells with few paradigms, whose numbers are given by name."""
    named = ", ".join(f"{name} ({count})" for name, count in list(few.items())[:5])
    more = ", …" if len(few) > 5 else ""
    return (
        f"{len(few)} of {total} {noun} rest on fewer than {FEW} paradigms: {named}{more}; their"
        " intervals are wide"
    )


def number(value: float | None, digits: int = 3) -> str:
    """Format a number: `0.912`, whole counts without decimals, a dash for none."""
    if value is None:
        return EMPTY
    if float(value).is_integer() and abs(value) >= 2:
        return f"{value:,.0f}"
    return f"{value:.{digits}f}"


def estimate_text(
    estimate: Estimate | None, *, digits: int = 3, interval: bool = True, count: bool = False
) -> str:
    """Format an estimate: `0.912 [0.880, 0.936] n=400`, or a dash for none.

    For items of 50 paradigms it is `n=400/50`, for those that 9 people answered `n=400×9`.
    """
    if estimate is None:
        return EMPTY
    ends = ""
    if interval and estimate.low is not None and estimate.high is not None:
        ends = f" [{number(estimate.low, digits)}, {number(estimate.high, digits)}]"
    groups = f"/{estimate.paradigms}" if estimate.paradigms not in (None, estimate.n) else ""
    groups += "" if estimate.people is None else f"×{estimate.people}"
    return number(estimate.value, digits) + ends + (f" n={estimate.n}{groups}" if count else "")


def ends_text(low: float | None, high: float | None, pattern: str, empty: str = "") -> str:
    """Format an interval by a pattern such as `{:.2f} to {:.2f}`; `empty` where there is none."""
    return empty if low is None or high is None else pattern.format(low, high)


def signed_text(value: float | None, digits: int = 3) -> str:
    """Format a difference, with a minus sign that is as wide as its plus."""
    return EMPTY if value is None else f"{value:+.{digits}f}".replace("-", "−")


def markdown_rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table without title and notes; links in its cells stay links."""
    rows = [head, ["---"] * len(head), *body]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    )


def escape_markdown(text: str) -> str:
    """Return the text without links and HTML; the brackets of intervals stay as they are."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text).replace("](", "]\\(")


def escape_latex(text: str) -> str:
    """Return the text with LaTeX's special characters escaped."""
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "−": "$-$",
    }
    plain = {c: "\\" + c for c in "&%$#_{}"}
    return "".join(special.get(c) or plain.get(c) or c for c in text)
