"""grice mine"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from grice.cli._flags import EngineName, Json, show, show_rows
from grice.verbs.mine import KEEP
from grice.verbs.mine import mine as run

mine = typer.Typer(
    help=(
        "Make pairs from real sentences: text, JSON lines, CoNLL-U or Penn trees, a file or a "
        "folder, plain or gz."
    ),
    no_args_is_help=True,
)
# The flag of each argument of `grice.mine`; --no-gate is its argument gate.
FLAGS: Mapping[str, Any] = {
    "corpus": Annotated[Path, Argument(help="A file or a folder of them.")],
    "out": Annotated[Path, Option("--out", "-o", help="The file to write, JSON lines.")],
    "recipe": Annotated[
        str,
        Option(help="adversarial: 15,000 pairs, a third each of and, or and but, as the paper's."),
    ],
    "each": Annotated[int, Option(min=0, help=("At most N pairs per conjunction; 0 keeps all."))],
    "contracted": Annotated[bool, Option("--contracted", help="Write didn't for did not.")],
    "every": Annotated[
        bool, Option("--every", help=("Every reading of a coordination, not only the most likely."))
    ],
    "targets": Annotated[int, Option(min=1, help="How many verbs are put into each sentence.")],
    "parser": Annotated[
        str,
        Option(
            "--parser",
            "--pipeline",
            help="A folder or a spaCy pipeline (default: the built-in parser).",
        ),
    ],
    "reparse": Annotated[
        bool, Option("--reparse", help="Parse again where the corpus brings trees of its own.")
    ],
    "field": Annotated[str, Option(help="For JSON lines: the field that holds the text.")],
    "limit": Annotated[int | None, Option(min=1, help="Read the first N sentences only.")],
    "workers": Annotated[
        int, Option("--workers", min=1, help="How many processes, or Ray workers.")
    ],
    "engine": EngineName,
    "no_gate": Annotated[
        bool, Option("--no-gate", help=("Also keep pairs that fail the grammar check."))
    ],
    "keep": Annotated[
        float, Option(min=0, max=0.999, help=("Minimum confidence of a pair; 0 keeps all."))
    ],
    "unlisted": Annotated[
        bool,
        Option(
            "--unlisted",
            help=("Also take verbs of unknown signature, as o/o; tag evidence=unlisted."),
        ),
    ],
    "longest": Annotated[int, Option(min=3, help=("Skip sentences with more words."))],
    "seed": Annotated[int, Option(help="The same seed gives the same bytes.")],
    "review": Annotated[
        int,
        Option(
            min=0,
            metavar="N",
            help=(
                "Also write the N least confident pairs, with a sheet and a campaign to check them."
            ),
        ),
    ],
    "reviewed": Annotated[
        str, Option(help=("Readings that grice mine review wrote; confidence is fitted to them."))
    ],
    "json": Json,
}
EACH_VERB = Annotated[
    int, Option(min=0, help=("At most N sentences per verb, shortest first; 0 keeps all."))
]
SHARED = ("parser", "reparse", "field", "limit", "workers", "engine", "no_gate", "keep")
LAST = ("longest", "seed", "review", "reviewed", "json")


def _add_command(
    kind: str, summary: str, *names: str, each: Any = FLAGS["each"], keeps: tuple[str, ...] = ()
) -> None:
    """Add the command of a kind, with the flags of its own before those that all kinds share."""
    flags = {**FLAGS, "each": each}
    verb = inspect.signature(run).parameters
    defaults = {name: parameter.default for name, parameter in verb.items()}
    defaults |= {"each": 40 if kind == "complements" else 0, "workers": 2, "keep": KEEP[kind]}
    defaults |= {"no_gate": False, "json": False, "corpus": inspect.Parameter.empty}

    def command(**values: Any) -> None:
        json, no_gate = values.pop("json"), values.pop("no_gate")
        _show(run(kind, **values, gate=not no_gate), json)

    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=defaults[name],
            annotation=flags[name],
        )
        for name in ("corpus", "out", *names, *SHARED, *keeps, *LAST)
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__doc__ = summary
    mine.command(kind)(command)


_add_command(
    "complements",
    "Verbs with a to- or that-complement: the sentence and its negation, each with the complement "
    "as hypothesis.",
    "each",
    "contracted",
    each=EACH_VERB,
    keeps=("unlisted",),
)
_add_command(
    "swaps",
    "A verb put in the place of another, in the main clause and in the complement, and to for "
    "that.",
    "targets",
)
_add_command(
    "conjuncts",
    "Coordinations with a conjunct removed, added or replaced, each label with the rule that gave "
    "it.",
    "recipe",
    "each",
    "every",
)


@mine.command()
def review(
    pairs: Annotated[Path, Argument(help="The file of pairs that were reviewed.")],
    marks: Annotated[
        Path,
        Argument(
            help="The sheet of --review with its column right filled in, or a file of grice "
            "collect export."
        ),
    ],
    out: Annotated[
        Path, Option("--out", "-o", help="The file of readings to write, for --reviewed.")
    ],
    alone: Annotated[
        bool, Option("--alone", help="Fit on these readings alone, without the shipped weights.")
    ] = False,
    json: Json = False,
) -> None:
    """Turn a reviewer's marks into readings that update confidence, for a corpus of your own."""
    from grice.verbs.mine import review_pairs

    show_rows(
        f"readings written to {out}", review_pairs(pairs, marks, out=out, alone=alone), json=json
    )


def _show(counts: Mapping[str, Any], json: bool) -> None:
    from grice.reporting.text import print_rows

    rows = [{"what": key, "count": value} for key, value in counts.items()]
    show(counts, json=json, text=lambda: print_rows("mined", rows))
