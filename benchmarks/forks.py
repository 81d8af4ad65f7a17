"""Commands of grice in processes forked from one that has imported what they need: thousands of
them cost little.

The parent does no work of its own, so that it has no thread that a fork would cut off.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code (None: it was stopped after its time), memory at most in
    GB, what it printed.
    """

    code: int | None
    seconds: float
    memory: float
    printed: str

    @property
    def problem(self) -> str | None:
        """What no command may do, whatever it is given."""
        if self.code is None:
            return f"no end after {self.seconds:.0f} s"
        if "Traceback (most recent call last)" in self.printed or self.code < 0:
            return (self.printed.strip().splitlines() or [f"killed by signal {-self.code}"])[-1][
                :200
            ]
        return f"{self.memory:.1f} GB" if self.memory > 2 else None


def start(
    work: Callable[[], object],
    printed: Path,
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Do this in a new process, whose number is given back; what it prints goes into a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    if process := os.fork():
        return process
    code = 1
    try:
        os.setsid()
        os.chdir(cwd)
        os.environ.update(environment or {})
        out = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for stream in (1, 2):
            os.dup2(out, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        work()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def wait(process: int, printed: Path, *, seconds: float) -> Ended:
    """Wait until a process has worked so long, or six times that where the machine is busy; then it
    is killed.
    """
    began, pause = time.monotonic(), 0.002
    while True:
        ended, status, used = os.wait4(process, os.WNOHANG)
        took = time.monotonic() - began
        if ended:
            said = printed.read_text(errors="replace") if printed.exists() else ""
            return Ended(os.waitstatus_to_exitcode(status), took, used.ru_maxrss / 2**20, said)
        if took > seconds and (_worked(process) > seconds or took > 6 * seconds):
            os.killpg(process, signal.SIGKILL)
            os.wait4(process, 0)
            return Ended(None, took, 0.0, printed.read_text(errors="replace"))
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)


def _worked(process: int) -> float:
    """The seconds that a process has had of a core."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def command(words: Sequence[str]) -> Callable[[], None]:
    """A command of grice, as its program runs it."""

    def work() -> None:
        from grice.cli import main

        sys.argv = ["grice", *words]
        main()

    return work


def import_like(
    words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> Ended:
    """Run a command once, then import here whatever it had imported."""
    names, printed = folder / "modules.txt", folder / "printed.txt"

    def work() -> None:
        try:
            command(words)()
        finally:
            names.write_text("\n".join(sorted(sys.modules)))

    ended = wait(start(work, printed, cwd=folder, environment=environment), printed, seconds=600)
    for name in names.read_text().splitlines() if names.exists() else []:
        if not name.startswith(("__", "tests")) and name not in sys.modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    return ended
