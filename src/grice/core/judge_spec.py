"""Judges as a user names them: `gemma=openai/gemma-3-270m,url=http://…`, or a TOML table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grice.core.errors import InputError, bad_line
from grice.core.files import read_toml

# Types of a judge's settings.
SettingValue = str | float | bool
# A comma before KEY= separates settings; any other is part of a value, as in labels=yes,no.
NEXT = re.compile(r",(?=[A-Za-z_][\w.]*=)")
NAMED = re.compile(r"([^=/,]+)=(?=.)(.*)", re.S)


@dataclass(frozen=True)
class JudgeSpec:
    """Judge by `provider/name` or a path, its display name, and its settings."""

    judge: str
    name: str = ""
    settings: Mapping[str, SettingValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name.isprintable():
            raise InputError(
                f"the name {self.name!a} of a judge is not one printable line; give another"
            )

    @property
    def title(self) -> str:
        """Display name of the judge: its name, or its specification."""
        return self.name or self.judge


def parse_judge(words: str) -> JudgeSpec:
    """Parse a judge such as `gemma=openai/gemma-3-270m,url=http://…,readout=logprobs`.

    The name and the settings may be left out.

    >>> parse_judge("small=encoder/./m,threads=2")
    JudgeSpec(judge='encoder/./m', name='small', settings={'threads': '2'})
    """
    first, *rest = NEXT.split(words)
    named = NAMED.fullmatch(first)
    name, judge = (named[1].strip(" "), named[2]) if named else ("", first)
    settings: dict[str, SettingValue] = {}
    for part in rest:
        key, _, value = part.partition("=")
        if key in settings:
            raise InputError(f"'{words}': {key} is given twice; give it once")
        settings[key] = value
    if not judge.strip() or "=" in judge.partition("/")[0]:
        raise InputError(
            f"a judge is NAME=PROVIDER/NAME,KEY=VALUE,…, not '{words}'; the name and the settings"
            " may be left out"
        )
    return JudgeSpec(judge.strip(), name, settings)


def read_judges(path: Path) -> list[JudgeSpec]:
    """Return the judges of a TOML file.

    Each has a table under its name, with `judge = "provider/name"` and its settings.
    """
    tables = read_toml(path, 'each judge is a table: [NAME], judge = "provider/name"')
    return [_spec(path, name, table) for name, table in tables.items()]


def _spec(path: Path, name: str, table: object) -> JudgeSpec:
    if not isinstance(table, dict) or not isinstance(table.get("judge"), str):
        raise bad_line(
            path,
            None,
            f"'{name}' names no judge",
            f'write [{name}] and below it judge = "provider/name"',
        )
    settings: dict[str, SettingValue] = {}
    for key, value in table.items():
        if isinstance(value, list):
            value = ",".join(map(str, value))
        if not isinstance(value, str | int | float | bool):
            raise bad_line(
                path,
                None,
                f"[{name}] {key} is {value!r}",
                "a setting is text, a number, true or false, or a list",
            )
        if key != "judge":
            settings[key] = value
    return JudgeSpec(table["judge"], name, settings)
