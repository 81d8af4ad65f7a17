"""A profile on one screen of a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

STEPS = "▁▂▃▄▅▆▇█"
WIDEST = 110


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
    yield from ((line, "dim") for line in _wrapped("", found["basis"]))
    if len(found["judges"]) > 1:
        yield from ((line, "dim") for line in _wrapped("", f"Beside it: {_few(found['judges'][1:])}."))
    for text in found["warnings"]:
        yield from ((line, "yellow") for line in _wrapped("! ", text))
    for topic, claims in groupby(found["claims"], key=lambda claim: claim["title"]):
        yield "", ""
        yield topic, "bold"
        for claim in claims:
            yield from ((line, "") for line in _wrapped("  ", claim["text"]))
            if claim["beside"]:
                yield from ((line, "dim") for line in _wrapped("  beside it: ", claim["beside"]))
    yield "", ""
    judge = found["judges"][0]
    width = max((len(figure["title"]) for figure in found["overview"]), default=0)
    for figure in found["overview"]:
        mine = [n for n in figure["numbers"] if n["judge"] == judge and n["value"] is not None]
        for series in dict.fromkeys(n["series"] for n in mine):
            shown = [n for n in mine if n["series"] == series]
            yield from ((line, "") for line in _row(figure["title"].ljust(width), series, shown))
    state = "" if fresh else " (nothing new to ask or draw)"
    yield "", ""
    yield f"page: {page}{state}", "bold"


def _row(title: str, series: str, numbers: Sequence[Mapping[str, Any]]) -> list[str]:
    """A step for each phenomenon, then the lowest and the highest by name, below where there is no room."""
    ordered = sorted(numbers, key=lambda n: float(n["value"]))
    low, high = ordered[0], ordered[-1]
    named = f"{low['row']} {low['value']:.0%}" + (
        f" … {high['row']} {high['value']:.0%}" if len(ordered) > 1 else ""
    )
    line = f"{title}  {series.ljust(9)}  {steps([n['value'] for n in numbers]).ljust(24)}"
    whole = f"{line}  {named}"
    return [whole] if len(whole) <= room() else [line.rstrip(), f"    {named}"]


def steps(shares: Sequence[float]) -> str:
    """Shares as a row of blocks, a step an eighth."""
    return "".join(STEPS[min(7, int(max(0.0, share) * 8))] for share in shares)


def room() -> int:
    """How wide lines may be: the terminal, and no wider than one reads; in a pipe as much as that."""
    return min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)


def _few(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _wrapped(mark: str, text: str) -> list[str]:
    """Lines no wider than the terminal; a number and its n stay together."""
    tied = text.replace("n = ", "n\u00a0=\u00a0")
    lines = textwrap.wrap(tied, room(), initial_indent=mark, subsequent_indent="  " if mark else "")
    return [line.replace("\u00a0", " ") for line in lines]
