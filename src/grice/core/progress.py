"""Progress bars with rate and time left on a terminal or in a notebook, lines in a pipe."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib.util import find_spec

from grice.core.errors import one_line

# Arguments: number done, total.
ProgressCallback = Callable[[int, int], None]


@contextmanager
def bar(what: str, unit: str = "items") -> Iterator[ProgressCallback]:
    """Draw a progress bar on standard error; yield its callback `(done, total)`."""
    if not can_draw():
        yield from _line(what, unit)
        return
    start, last = time.monotonic(), 0.0
    first: list[int] = []
    with _bars(what) as update:

        def draw(done: int, total: int) -> None:
            nonlocal last
            first.append(done) if not first else None
            now = time.monotonic()
            # Drawing thousands of steps per second would cost more than the steps.
            if now - last < 0.1 and done < total:
                return
            last = now
            rate = (done - first[0]) / max(now - start, 1e-9)
            speed = f", {two_digits(rate)} {unit}/s" if rate > 0 else ""
            left = f", {_clock((total - done) / rate)} left" if rate > 0 and done < total else ""
            update(done, total, f"{done:,}/{total:,}{speed}{left}")

        yield draw


# Arguments: step, total, status text, seconds left if known.
StepCallback = Callable[[int, int, str, float | None], None]
# Interval between lines without a terminal.
LINE_SECONDS = 10.0


@contextmanager
def step_bar(what: str) -> Iterator[StepCallback]:
    """Draw a progress bar for work that reports a status; yield its callback.

    Without a terminal it writes a line every ten seconds.
    """
    last = 0.0
    with _bars(what) if can_draw() else nullcontext() as update:

        def draw(step: int, steps: int, status: str, left: float | None) -> None:
            nonlocal last
            now, over = time.monotonic(), step >= steps
            more = f", {_clock(left)} left" if left and not over else ""
            text = f"step {step:,} of {steps:,}, {status}{more}"
            if update is not None:
                update(step, steps, text)
            elif step and (over or now - last >= LINE_SECONDS):
                last = now
                _tell(f"{what}: {text}")

        yield draw


@contextmanager
def _bars(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """Draw a bar on a terminal; yield a callback `(done, total, status)`."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = [
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30, complete_style="cyan", finished_style="green"),
        TextColumn("{task.fields[status]}", markup=False),
    ]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(one_line(what), total=None, status="")
        yield lambda done, total, status: bars.update(
            task, completed=done, total=total, status=one_line(status)
        )


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, within = divmod(minutes, 60)
    return f"{hours}:{within:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def two_digits(rate: float) -> str:
    """Return a rate with two digits or its whole number: 0.47, 4.7, 47, 4,712."""
    places = max(0, 1 - math.floor(math.log10(rate))) if rate > 0 else 0
    return f"{rate:,.{places}f}"


def duration_in_words(seconds: float) -> str:
    """Return a duration as people say it: `about 7 minutes`, `less than a minute`."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return "less than a minute"
    if minutes < 120:
        return f"about {minutes} minute{'s' * (minutes > 1)}"
    hours = round(seconds / 3600)
    return f"about {hours} hours" if hours < 48 else f"about {round(hours / 24)} days"


@cache
def say(line: str) -> None:
    """Write a line to standard error, once per process."""
    _tell(f"note: {line}")


def _tell(line: str) -> None:
    """Write a line to standard error; ignore a closed or full stream."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(one_line(line), file=sys.stderr, flush=True)


def can_draw() -> bool:
    """Return whether bars can be drawn: on a terminal, or in Jupyter with ipywidgets."""
    return (sys.stderr is not None and sys.stderr.isatty()) or (
        "ipykernel" in sys.modules and find_spec("ipywidgets") is not None
    )


def _line(what: str, unit: str) -> Iterator[ProgressCallback]:
    """Write one line at the end: how many were done here, and how fast."""
    start, begun, done_now, total_now = time.monotonic(), -1, 0, 0

    def note(done: int, total: int) -> None:
        nonlocal begun, done_now, total_now
        begun = done if begun < 0 else begun
        done_now, total_now = done, total

    yield note
    if done_now > begun:
        rate = (done_now - begun) / max(time.monotonic() - start, 1e-9)
        _tell(f"{what}: {done_now} of {total_now} {unit}, {two_digits(rate)}/s")
