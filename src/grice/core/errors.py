"""Errors whose message is one line: the fact with its value, then what to do."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

# Terminal control characters, and marks that change the writing direction.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class GriceError(Exception):
    """Failure that a user can act on; a command prints it in one line and exits with `code`."""

    code = 1


class InputError(GriceError):
    """User input that cannot be used: a file, a flag, a name."""

    code = 2


class SettingError(InputError):
    """Setting that is unknown or not taken; `setting` is its name."""

    def __init__(self, message: str, setting: str) -> None:
        super().__init__(message)
        self.setting = setting

    def __reduce__(self) -> tuple[type[SettingError], tuple[str, str]]:
        return type(self), (str(self), self.setting)


class MissingData(GriceError):
    """Missing published file; the message says which one and how to get it."""


class MissingExtra(GriceError):
    """Missing optional package; the message is its `pip install` line."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra '{extra}'; install it with: pip install 'grice[{extra}]'"
        )
        self.needs = (what, extra)

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        # Errors of worker processes are pickled by their arguments; without this the message would
        # be passed as `what`.
        return type(self), self.needs


class NoMemory(GriceError):
    """Device out of memory; on a shared device, a later attempt may succeed."""


class Busy(GriceError):
    """Folder locked by another process."""


def bad_line(path: Path | str, line: int | None, fact: str, remedy: str) -> InputError:
    """Return an error at a line of a file: `data.csv:7: unknown label 'entails'; use one of …`."""
    position = f"{path}:{line}" if line is not None else f"{path}"
    return InputError(one_line(f"{position}: {fact}; {remedy}"))


def one_line(words: str) -> str:
    """Return external text on one line, with control characters escaped, for use in a message."""
    return escape_controls(words.replace("\r", "\\r").replace("\n", "\\n"))


def first_line(error: BaseException) -> str:
    """Return the first line of another library's error, or the error's class if it has no text."""
    text = str(error).strip() or type(error).__name__
    return one_line(text.splitlines()[0])[:200]


def escape_controls(text: str) -> str:
    """Escape terminal control characters in a text as JSON does, except line ends and tabs."""
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def similar_path(path: Path) -> str:
    """Return the path of the same folder whose name is most like that of a missing one, or ""."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    match = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    return one_line(str(path.parent / match[0])) if match else ""


def closest(name: str, names: Sequence[str]) -> str:
    """Return the name most like this one, or one that shares a word with it; "" for none."""
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    words = name.split("_")
    close += [candidate for candidate in names if name in candidate.split("_")]
    close += [candidate for candidate in names if candidate in words]
    return next(iter(close), "")


def unknown(kind: str, name: str, known: Iterable[str], hint: str = "") -> InputError:
    """Return an error for an unknown name, with the closest match and the available names."""
    names = sorted(set(known) - {""})
    close = closest(name, names)
    meant = f" Did you mean '{close}'?" if close else ""
    available = ", ".join(names[:40]) + (" …" if len(names) > 40 else "") or "none"
    message = f"no {kind} is called '{name[:200]}'.{meant} There are: {available}. {hint}"
    return InputError(one_line(message.rstrip()))
