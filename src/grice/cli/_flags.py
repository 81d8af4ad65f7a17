"""Flags that several verbs share, and how their words are read."""

from __future__ import annotations

import json as _json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grice.core.errors import InputError

if TYPE_CHECKING:
    from grice.reporting.model import Profile

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Format = Annotated[str, typer.Option("--format", "-f", help="text, md, tex, csv or json.")]
Settings = Annotated[
    list[str] | None, typer.Option("-M", metavar="KEY=VALUE", help="A setting of the judge; may be repeated.")
]
Into = Annotated[Path, typer.Option("--into", help="The folder that keeps runs.")]
EngineName = Annotated[str, typer.Option("--engine", help="local, or ray for many workers.")]
Workers = Annotated[int, typer.Option(min=1, help="How many workers the ray engine uses.")]
Premise = Annotated[str, typer.Option(help="For a file: the column of the premise or text.")]
Hypothesis = Annotated[str, typer.Option(help="For a file: the column of the hypothesis.")]
Label = Annotated[str, typer.Option(help="For a file: the column of the gold label.")]
Labels = Annotated[str, typer.Option(help="For a file: its labels, in order, separated by commas.")]


def pairs(values: Iterable[str] | None, flag: str) -> dict[str, str]:
    """`["a=1", "b=2"]` as a mapping."""
    found = {}
    for value in values or ():
        key, equals, rest = value.partition("=")
        if not equals or not key:
            raise InputError(f"{flag} takes KEY=VALUE, not '{value}'")
        found[key] = rest
    return found


def columns(premise: str, hypothesis: str, label: str, labels: str) -> dict[str, str]:
    """The flags that describe a file, without those not given."""
    given = {"premise": premise, "hypothesis": hypothesis, "label": label, "labels": labels}
    return {key: value for key, value in given.items() if value}


def show(value: Any, *, json: bool, text: Callable[[], None]) -> None:
    """JSON when asked for, else the given way of drawing."""
    if json:
        print(_json.dumps(value, ensure_ascii=False, indent=1, default=str))
    else:
        text()


def show_profile(made: Profile, *, json: bool) -> None:
    """A profile on one screen, with where its page is."""
    from grice.reporting.summary import print_profile

    show(made.to_json(), json=json, text=lambda: print_profile(made))
