"""Flags that several commands share, and how their values are parsed."""

from __future__ import annotations

import json as _json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from grice.core.errors import InputError

if TYPE_CHECKING:
    from grice.reporting.model import Profile
    from grice.verbs.run_filter import RunFilter


def complete_judge(begun: str) -> list[str]:
    """Return the judges for the shell's completion."""
    from grice.core.shelf import JUDGES

    return [f"{name}/" for name in JUDGES.names() if f"{name}/".startswith(begun)]


def complete_dataset(begun: str) -> list[str]:
    """Return the datasets, phenomena and suites for the shell's completion."""
    from grice.core.shelf import DATASETS, PHENOMENA

    return [
        name
        for name in (*DATASETS.names(), *PHENOMENA.names(), "core", "full")
        if name.startswith(begun)
    ]


def complete_measure(begun: str) -> list[str]:
    """Return the measures for the shell's completion."""
    from grice.core.shelf import MEASURES

    return [name for name in MEASURES.names() if name.startswith(begun)]


# The value of a flag that may be repeated.
Repeated = list[str] | None
Json = Annotated[bool, Option("--json", help="Print JSON.")]
Format = Annotated[str, Option("--format", "-f", help="text, md, tex, csv or json.")]
Settings = Annotated[
    Repeated, Option("-M", metavar="KEY=VALUE", help="A setting of the judge; may be repeated.")
]
By = Annotated[
    Repeated,
    Option(
        "--by",
        metavar="[NAME=]JUDGE[,KEY=VALUE…]",
        autocompletion=complete_judge,
        help=(
            "A judge as provider/name, with what tables call it before and its own settings after,"
            " or 'recorded' for the models published with the data, 'recorded/BERT*' for those"
            " whose name fits; may be repeated."
        ),
    ),
]
Judges = Annotated[
    Path | None,
    Option(
        "--judges",
        metavar="FILE",
        help='A TOML file of judges: [NAME], judge = "provider/name", settings.',
    ),
]
JudgePattern = Annotated[
    Repeated,
    Option(
        "--judge",
        metavar="PATTERN",
        help="Only runs of judges so called, as in 'gemma*'; may be repeated.",
    ),
]
DatasetPattern = Annotated[
    Repeated,
    Option(
        "--dataset",
        metavar="PATTERN",
        help="Only runs on datasets so called, as in 'imppres/*'; may be repeated.",
    ),
]
Pool = Annotated[
    Repeated,
    Option(
        metavar="NAME[=PATTERN][,how=HOW]",
        help=(
            "One judge of several: people, for all of a campaign, or NAME=PATTERN; by mean,"
            " majority or distribution."
        ),
    ),
]
ChartFile = Annotated[
    Path | None,
    Option(
        "--chart",
        metavar="FILE",
        help="Also draw it: .svg, .pdf, .png or .html; x.slide.png is a sheet of 16 to 9.",
    ),
]
Into = Annotated[Path, Option("--into", help="The folder that keeps runs.")]
EngineName = Annotated[str, Option("--engine", help="local, or ray for many workers.")]
Workers = Annotated[int, Option(min=1, help="How many workers the ray engine uses.")]
Premise = Annotated[str, Option(help="For a file: the column of the premise or text.")]
Hypothesis = Annotated[str, Option(help="For a file: the column of the hypothesis.")]
Images = Annotated[bool, Option(help="Also write each chart as svg, png and pdf.")]
EveryItem = Annotated[
    bool,
    Option(
        help="Put every item on the page; --no-items for data whose sentences may not be passed on."
    ),
]
KeepItems = Annotated[
    bool, Option(help="Keep the items with the run; --no-items for data that may not be passed on.")
]
KeepGoing = Annotated[
    bool,
    Option(
        "--keep-going",
        help=(
            "Go on although the first 20 replies are all faults, or give their labels almost no"
            " probability."
        ),
    ),
]
Probe = Annotated[
    bool,
    Option(
        "--probe/--no-probe",
        help=(
            "Ask a language model 24 items by each readout first, and take the one with the best"
            " label mass, validity and evenness (runs of 240 items or more without -M readout)."
        ),
    ),
]
Data = Annotated[
    str,
    Option(
        "--data",
        metavar="DATA",
        help="The data of runs that keep no items: a file, or a dataset by name.",
    ),
]
AsJudged = Annotated[
    bool,
    Option(
        "--as-judged", help="Read the items that a run keeps, though its file has changed since."
    ),
]
Label = Annotated[str, Option(help="For a file: the column of the gold label.")]
Labels = Annotated[str, Option(help="For a file: its labels, in order, separated by commas.")]


def pairs(values: Iterable[str] | None, flag: str) -> dict[str, str]:
    """Parse `["a=1", "b=2"]` as a mapping."""
    mapping = {}
    for value in values or ():
        key, equals, rest = value.partition("=")
        if not equals or not key:
            raise InputError(f"{flag} takes KEY=VALUE, not '{value}'")
        mapping[key] = rest
    return mapping


def columns(premise: str, hypothesis: str, label: str, labels: str) -> dict[str, str]:
    """Return the flags that describe a file, without the empty ones."""
    flags = {"premise": premise, "hypothesis": hypothesis, "label": label, "labels": labels}
    return {key: value for key, value in flags.items() if value}


def judges_of(by: Iterable[str] | None, file: Path | None) -> list[Any]:
    """Return the judges that --by and --judges name; there must be one."""
    from grice.core.judge_spec import parse_judge, read_judges

    judges = [*(read_judges(file) if file else ()), *map(parse_judge, by or ())]
    if not judges:
        raise InputError(
            "no judge is named; name one with --by PROVIDER/NAME, or a file of them with --judges"
        )
    return judges


def run_filter(
    judge: Repeated, dataset: Repeated, pool: Repeated, data: str, as_judged: bool
) -> RunFilter:
    """Return the flags that select runs, as keywords."""
    return {
        "judge": judge or [],
        "dataset": dataset or [],
        "pool": pool or [],
        "data": data,
        "as_judged": as_judged,
    }


def show(value: Any, *, json: bool, text: Callable[[], None]) -> None:
    """Print JSON when it is requested; otherwise call `text`."""
    if json:
        print(_json.dumps(value, ensure_ascii=False, indent=1, default=str))
    else:
        text()


def show_rows(title: str, rows: list[dict[str, Any]], *, json: bool) -> None:
    """Print rows as JSON when it is requested; otherwise as a table under a title."""
    from grice.reporting.text import print_rows

    show(rows, json=json, text=lambda: print_rows(title, rows))


def show_profile(made: Profile, *, json: bool) -> None:
    """Print a profile on one screen, with the path of its page."""
    from grice.reporting.summary import print_profile

    show(made.to_json(), json=json, text=lambda: print_profile(made))
