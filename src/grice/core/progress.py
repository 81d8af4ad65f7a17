"""Progress bars with rate and time left in a terminal or a notebook, one line in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec

# Called with how many are done, and of how many.
ProgressCallback = Callable[[int, int], None]


@contextmanager
def bar(what: str, unit: str = "items") -> Iterator[ProgressCallback]:
    """A callback `(done, total)` that draws; it writes to standard error, so a pipe gets results alone."""
    if not can_draw():
        yield from _line(what, unit)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = [
        TextColumn("{task.description}"),
        BarColumn(bar_width=30, complete_style="cyan", finished_style="green"),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    ]
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None, rate="")
        start = time.monotonic()
        first: list[int] = []
        last = 0.0

        def draw(done: int, total: int) -> None:
            nonlocal last
            first.append(done) if not first else None
            now = time.monotonic()
            # Drawing each of thousands of steps a second would cost more than the steps.
            if now - last < 0.1 and done < total:
                return
            last = now
            rate = (done - first[0]) / max(now - start, 1e-9)
            bars.update(task, completed=done, total=total, rate=f"{rate:,.0f} {unit}/s" if rate >= 1 else "")

        yield draw


@cache
def say(line: str) -> None:
    """A line on standard error, once, however often it is said."""
    print(f"note: {line}", file=sys.stderr)


def can_draw() -> bool:
    """Whether bars can be drawn: on a terminal, or in a Jupyter kernel with the ipywidgets that rich draws by."""
    return sys.stderr.isatty() or ("ipykernel" in sys.modules and find_spec("ipywidgets") is not None)


def _line(what: str, unit: str) -> Iterator[ProgressCallback]:
    start = time.monotonic()
    state = [0, 0, 0]

    def note(done: int, total: int) -> None:
        if not state[1]:
            state[2] = done
        state[0], state[1] = done, total

    yield note
    if state[1] and state[0] > state[2]:
        seconds = max(time.monotonic() - start, 1e-9)
        rate = (state[0] - state[2]) / seconds
        print(f"{what}: {state[0]} of {state[1]} {unit}, {rate:,.0f}/s", file=sys.stderr)
