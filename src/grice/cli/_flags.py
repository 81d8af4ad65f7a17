"""Flags that several commands share, and how their values are parsed."""

from __future__ import annotations

import json as _json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from typer import Argument, Option

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
        help=("Only runs of models whose name fits, as in 'gemma*'; may be repeated."),
    ),
]
DatasetPattern = Annotated[
    Repeated,
    Option(
        "--dataset",
        metavar="PATTERN",
        help=("Only runs on datasets whose name fits, as in 'imppres/*'; may be repeated."),
    ),
]
Pool = Annotated[
    Repeated,
    Option(
        metavar="NAME[=PATTERN][,how=HOW]",
        help=(
            "Pool several judges into one: people (all of a campaign) or"
            " NAME=PATTERN; how is mean, majority or distribution."
        ),
    ),
]
ChartFile = Annotated[
    Path | None,
    Option(
        "--chart",
        metavar="FILE",
        help=("Also write a chart: .svg, .pdf, .png or .html; NAME.slide.png is a slide of 16:9."),
    ),
]
Into = Annotated[Path, Option("--into", help=("The folder of runs."))]
EngineName = Annotated[str, Option("--engine", help="local, or ray for many workers.")]
Workers = Annotated[int, Option(min=1, help="How many workers the ray engine uses.")]
Gpus = Annotated[float, Option(help="GPUs per Ray worker.")]
Premise = Annotated[str, Option(help="For a file: the column of the premise or text.")]
Hypothesis = Annotated[str, Option(help="For a file: the column of the hypothesis.")]
Images = Annotated[bool, Option(help="Also write each chart as svg, png, pdf and Vega-Lite.")]
Pdf = Annotated[bool, Option("--pdf", help="Also print the page as index.pdf, by your browser.")]
EveryItem = Annotated[
    bool,
    Option(
        help="Put every item on the page; --no-items for data whose sentences may not be passed on."
    ),
]
KeepItems = Annotated[
    bool,
    Option(help=("Store the items with the run; --no-items for data that may not be passed on.")),
]
KeepGoing = Annotated[
    bool,
    Option(
        "--keep-going",
        help=(
            "Continue even if the first 20 responses are invalid, or give the labels"
            " almost no probability."
        ),
    ),
]
DryRun = Annotated[
    bool,
    Option("--dry-run", help="Only estimate requests, tokens, cost and time of the pending items."),
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
        help=("The data of runs without stored items: a file, or a dataset by name."),
    ),
]
AsJudged = Annotated[
    bool,
    Option(
        "--as-judged", help=("Use the items stored with a run even if its file has changed since.")
    ),
]
Label = Annotated[str, Option(help="For a file: the column of the gold label.")]
Labels = Annotated[str, Option(help="For a file: its labels, in order, separated by commas.")]
ChapterFiles = Annotated[
    Repeated,
    Option(help="A file with a chapter of your own for the page, as ./mine.py; may be repeated."),
]
Seed = Annotated[int, Option(help="Random seed.")]
PartFlag = Annotated[
    str,
    Option(metavar="I/N", help="Only part I of N, such as 2/4, for an array of jobs (1/N to N/N)."),
]
RunFolders = Annotated[
    list[Path], Argument(help="Folders of runs, a folder that holds some, or a zip of grice pack.")
]
Where = Annotated[
    Repeated,
    Option(
        metavar="TAG=VALUE",
        help="Only items with this tag; may be repeated, several values of a tag are all kept.",
    ),
]


def pairs(values: Iterable[str] | None, flag: str) -> dict[str, str]:
    """Parse `["a=1", "b=2"]` as a mapping."""
    mapping = {}
    for value in values or ():
        key, equals, rest = value.partition("=")
        if not equals or not key:
            raise InputError(f"{flag} takes KEY=VALUE, not '{value}'")
        mapping[key] = rest
    return mapping


def judges_of(by: Iterable[str] | None, file: Path | None) -> list[Any]:
    """Return the judges that --by and --judges name; there must be one."""
    from grice.core.judge_spec import parse_judge, read_judges

    judges = [*(read_judges(file) if file else ()), *map(parse_judge, by or ())]
    if not judges:
        raise InputError(
            "no model is named; name one with --by PROVIDER/NAME, or a file of them with --judges"
        )
    return judges


@dataclass(frozen=True)
class FileColumns:
    """Flags that say how a file is read."""

    premise: Premise = ""
    hypothesis: Hypothesis = ""
    label: Label = ""
    labels: Labels = ""

    def keywords(self) -> dict[str, str]:
        """Return the flags that are given."""
        return {key: value for key, value in vars(self).items() if value}


@dataclass(frozen=True)
class RunFlags:
    """Flags that select runs, pool their judges and name their data."""

    judge: JudgePattern = None
    dataset: DatasetPattern = None
    pool: Pool = None
    data: Data = ""
    as_judged: AsJudged = False

    def keywords(self) -> RunFilter:
        """Return the flags as the keywords of a verb."""
        return {
            "judge": self.judge or [],
            "dataset": self.dataset or [],
            "pool": self.pool or [],
            "data": self.data,
            "as_judged": self.as_judged,
        }


def flatten(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the flags of a group in place of each parameter that is a group."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    def flat(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{flag.name: values.pop(flag.name) for flag in fields(group)})
        command(**values)

    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if parameter.name in groups:
            parameters += signature(groups[parameter.name], eval_str=True).parameters.values()
        else:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
    flat.__name__, flat.__doc__ = command.__name__, command.__doc__
    flat.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return flat


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


def show_estimate(rows: list[dict[str, Any]], *, json: bool) -> None:
    """Print the rows of a dry run; as text, the time of local models is in words."""
    from grice.core.progress import duration_in_words
    from grice.reporting.text import print_rows

    def print_estimate() -> None:
        shown_rows = []
        for row in rows:
            seconds = row.get("seconds, about")
            words = {} if seconds is None else {"time": duration_in_words(seconds)}
            shown_rows.append({k: v for k, v in row.items() if k != "seconds, about"} | words)
        print_rows("estimate", shown_rows)

    show(rows, json=json, text=print_estimate)


def show_profile(profile: Profile, *, json: bool) -> None:
    """Print a profile on one screen, with the path of its page."""
    from grice.reporting.summary import print_profile

    show(profile.to_json() if json else None, json=json, text=lambda: print_profile(profile))
