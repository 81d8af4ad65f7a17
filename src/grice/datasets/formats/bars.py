"""Progress bars for downloads: in a terminal or a notebook, so that a pipe stays quiet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from grice.core.errors import one_line
from grice.core.progress import can_draw

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@contextmanager
def download_bars() -> Iterator[Callable[[str], FileBar] | None]:
    """Yield a function that adds a progress bar for a file name, or None if none can be drawn."""
    if not can_draw():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    shape = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*shape, console=Console(stderr=True), transient=True) as progress:
        yield lambda name: FileBar(progress, progress.add_task(one_line(name), total=None))


class FileBar:
    """One file's bar, with the methods pooch calls."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self.progress = progress
        self.task = task

    @property
    def total(self) -> float:
        """Number of bytes of the file; 0 if unknown."""
        return self.progress.tasks[self.progress.task_ids.index(self.task)].total or 0.0

    @total.setter
    def total(self, size: float) -> None:
        """Set the number of bytes of the file."""
        self.progress.update(self.task, total=size or None)

    def update(self, n: float) -> None:
        """Count bytes that came."""
        self.progress.advance(self.task, n)

    def reset(self) -> None:
        """Set the progress back to zero."""
        self.progress.update(self.task, completed=0)

    def close(self) -> None:
        """Remove the bar."""
        self.progress.remove_task(self.task)
