"""Terminal summary of a profile, on one screen."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from grice.core.errors import one_line
from grice.reporting.model import Profile

STEPS = "▁▂▃▄▅▆▇█"
WIDEST = 110
# The sign of a check by its state: good, in doubt, inconclusive.
MARKS = {"good": "+", "doubt": "?", "none": "-"}


def print_profile(profile: Profile) -> None:
    """Print warnings, claims, a sparkline of the judge's phenomena, and the page's path."""
    lines = [(one_line(text), style) for text, style in _lines(profile)]
    if not sys.stdout.isatty():
        print("\n".join(text for text, _ in lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for text, style in lines:
        console.print(Text(text, style=style))


def _lines(profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield each line with its style."""
    yield profile.title, "bold"
    rivals = [f"Beside it: {_few(profile.judges[1:])}."] if len(profile.judges) > 1 else []
    for text in (profile.basis, *rivals):
        yield from ((line, "dim") for line in _wrapped("", text))
    for text in profile.warnings:
        yield from ((line, "yellow") for line in _wrapped("! ", text))
    strips = {section.title: section.checks for section in profile.sections}
    for topic, claims in groupby(profile.claims, key=lambda claim: claim.title):
        yield "", ""
        yield topic, "bold"
        for claim in claims:
            yield from ((line, "") for line in _wrapped("  ", claim.text))
            if claim.beside:
                yield from ((line, "dim") for line in _wrapped("  beside it: ", claim.beside))
        # No line break between a check and its sign.
        parts = (
            f"{MARKS[check.state]} {check.name} {check.value}".replace(" ", "\u00a0")
            for check in strips.get(topic, ())
        )
        strip_text = "\u00a0· ".join(parts)
        yield from ((line, "dim") for line in _wrapped("  ", strip_text) if strip_text)
    yield "", ""
    width = max((len(figure.title) for figure in profile.overview), default=0)
    for figure in profile.overview:
        for series in figure.series:
            shares = [
                (number.row, number.estimate.value)
                for number in figure.numbers
                if number.judge == profile.judges[0] and number.series == series and number.estimate
            ]
            if shares:
                yield from ((line, "") for line in _row(figure.title.ljust(width), series, shares))
    yield "", ""
    yield f"page: {profile.page}{'' if profile.fresh else ' (nothing new to ask or draw)'}", "bold"


def _row(title: str, series: str, shares: Sequence[tuple[str, float]]) -> list[str]:
    """Return a sparkline of the phenomena with the lowest and highest rate, wrapped if long."""
    values = sorted(value for _, value in shares)
    ends = " … ".join(f"{value:.0%}" for value in dict.fromkeys((values[0], values[-1])))
    line = f"{title}  {series.ljust(9)}  {sparkline([value for _, value in shares]).ljust(24)}"
    full_line = f"{line}  {ends}"
    return [full_line] if len(full_line) <= text_width() else [line.rstrip(), f"    {ends}"]


def sparkline(shares: Sequence[float]) -> str:
    """Return rates as a row of blocks in steps of an eighth."""
    return "".join(STEPS[min(7, int(max(0.0, share) * 8))] for share in shares)


def text_width() -> int:
    """Return the width of lines: that of the terminal, at most `WIDEST`; in a pipe `WIDEST`."""
    return min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)


def _few(names: Sequence[str], max_names: int = 6) -> str:
    more = f" and {len(names) - max_names} more" if len(names) > max_names else ""
    return ", ".join(names[:max_names]) + more


def _wrapped(mark: str, text: str) -> list[str]:
    """Wrap a text to the terminal width; a number and its n stay together."""
    tied = text.replace("n = ", "n\u00a0=\u00a0")
    lines = textwrap.wrap(
        tied, text_width(), initial_indent=mark, subsequent_indent="  " if mark else ""
    )
    return [line.replace("\u00a0", " ") for line in lines]
