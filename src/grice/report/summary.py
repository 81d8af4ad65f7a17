"""A profile on one screen of a terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

STEPS = "▁▂▃▄▅▆▇█"


def print_profile(found: Mapping[str, Any], page: Path, *, fresh: bool) -> None:
    """Warnings and sentences, a step for each phenomenon of the profiled judge, and where the page is."""
    lines = list(_lines(found, page, fresh=fresh))
    if not sys.stdout.isatty():
        print("\n".join(text for text, _ in lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for text, style in lines:
        console.print(Text(text, style=style))


def _lines(found: Mapping[str, Any], page: Path, *, fresh: bool) -> Iterator[tuple[str, str]]:
    yield str(found["title"]), "bold"
    if len(found["judges"]) > 1:
        yield "beside " + ", ".join(found["judges"][1:]), "dim"
    for text in found["warnings"]:
        yield from ((line, "yellow") for line in _wrapped("! ", text))
    for text in found["summary"]:
        yield from ((line, "") for line in _wrapped("• ", text))
    yield "", ""
    judge = found["judges"][0]
    width = max((len(figure["title"]) for figure in found["overview"]), default=0)
    for figure in found["overview"]:
        mine = [n for n in figure["numbers"] if n["judge"] == judge and n["value"] is not None]
        for series in dict.fromkeys(n["series"] for n in mine):
            yield _row(figure["title"].ljust(width), series, [n for n in mine if n["series"] == series]), ""
    state = "" if fresh else " (nothing new to ask or draw)"
    yield "", ""
    yield f"page: {page}{state}", "bold"


def _row(title: str, series: str, numbers: Sequence[Mapping[str, Any]]) -> str:
    """A step for each phenomenon, then the lowest and the highest by name."""
    ordered = sorted(numbers, key=lambda n: float(n["value"]))
    low, high = ordered[0], ordered[-1]
    named = f"{low['row']} {low['value']:.0%}" + (
        f" … {high['row']} {high['value']:.0%}" if len(ordered) > 1 else ""
    )
    return f"{title}  {series.ljust(9)}  {steps([n['value'] for n in numbers]).ljust(24)}  {named}"


def steps(shares: Sequence[float]) -> str:
    """Shares as a row of blocks, a step an eighth."""
    return "".join(STEPS[min(7, int(max(0.0, share) * 8))] for share in shares)


def _wrapped(mark: str, text: str) -> list[str]:
    return textwrap.wrap(text, 110, initial_indent=mark, subsequent_indent="  ")
