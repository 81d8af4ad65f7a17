"""grice mine"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from grice.cli._flags import EngineName, Json, flatten, show, show_rows
from grice.verbs.mine import KEEP
from grice.verbs.mine import mine as run

mine = typer.Typer(
    help="Make pairs from real sentences: a file or folder of text, JSON lines or CoNLL-U.",
    no_args_is_help=True,
)
Corpus = Annotated[Path, Argument(help="A file or a folder of them.")]
PairsFile = Annotated[Path, Option("--out", "-o", help="The file to write, JSON lines.")]
SampleRecipe = Annotated[
    str, Option(help="adversarial: at most 15,000 pairs with the labels of ConjNLI's training set.")
]
Balance = Annotated[
    int,
    Option(
        min=0,
        metavar="N",
        help="Draw N pairs with ConjNLI's shares of conjunction, operation and label.",
    ),
]
PerConjunction = Annotated[
    int, Option(min=0, help=("At most N pairs per conjunction; 0 keeps all."))
]
PerVerb = Annotated[
    int, Option(min=0, help=("At most N sentences per verb, shortest first; 0 keeps all."))
]
Contracted = Annotated[bool, Option("--contracted", help="Write didn't for did not.")]
TargetVerbs = Annotated[int, Option(min=1, help="How many verbs are put into each sentence.")]
MinConfidence = Annotated[
    float, Option(min=0, max=0.999, help=("Minimum confidence of a pair; 0 keeps all."))
]
Unlisted = Annotated[
    bool,
    Option(
        "--unlisted", help=("Also take verbs of unknown signature, as o/o; tag evidence=unlisted.")
    ),
]


WithoutLabels = Annotated[
    bool,
    Option(
        "--unlabelled",
        help="Write pairs without labels, for people to rate, whatever the verb and its clause.",
    ),
]


@dataclass(frozen=True)
class ReadFlags:
    """Flags that say how a corpus is read and by how many workers."""

    parser: Annotated[str, Option(help="A folder with a parser (default: the built-in one).")] = ""
    reparse: Annotated[
        bool, Option("--reparse", help="Parse again where the corpus brings trees of its own.")
    ] = False
    field: Annotated[str, Option(help="For JSON lines: the field that holds the text.")] = ""
    limit: Annotated[int | None, Option(min=1, help="Read the first N sentences only.")] = None
    part: Annotated[
        str,
        Option(
            metavar="I/N",
            help="Mine the I-th of N parts of the corpus; the same command without it joins them.",
        ),
    ] = ""
    workers: Annotated[
        int, Option("--workers", min=1, help="How many processes, or Ray workers.")
    ] = 2
    engine: EngineName = "local"
    no_gate: Annotated[
        bool, Option("--no-gate", help=("Also keep pairs that fail the grammar check."))
    ] = False


@dataclass(frozen=True)
class ChoiceFlags:
    """Flags that choose among the pairs."""

    longest: Annotated[int, Option(min=3, help=("Skip sentences with more words."))] = 40
    seed: Annotated[int, Option(help="The same seed gives the same bytes.")] = 0
    review: Annotated[
        int,
        Option(
            min=0,
            metavar="N",
            help=(
                "Also write the N least confident pairs, with a sheet and a campaign to check them."
            ),
        ),
    ] = 0
    reviewed: Annotated[
        str, Option(help=("Readings that grice mine review wrote; confidence is fitted to them."))
    ] = ""


def _mine(
    kind: str,
    corpus: Path,
    out: Path,
    read: ReadFlags,
    choice: ChoiceFlags,
    *,
    json: bool,
    **own: Any,
) -> None:
    """Make pairs of a kind and print their counts."""
    from grice.reporting.text import print_rows

    options = {**vars(read), **vars(choice), **own}
    gate = not options.pop("no_gate")
    counts = run(kind, corpus, out=out, gate=gate, **options)
    rows = [{"what": key, "count": value} for key, value in counts.items()]
    show(counts, json=json, text=lambda: print_rows("mined", rows))


@mine.command()
@flatten
def complements(
    corpus: Corpus,
    out: PairsFile,
    each: PerVerb = 40,
    contracted: Contracted = False,
    read: ReadFlags = ReadFlags(),
    keep: MinConfidence = KEEP["complements"],
    unlisted: Unlisted = False,
    unlabelled: WithoutLabels = False,
    choice: ChoiceFlags = ChoiceFlags(),
    json: Json = False,
) -> None:
    """Pair sentences, and their negations, with the to- or that-complement of their verb."""
    own = {"each": each, "contracted": contracted, "keep": keep, "unlisted": unlisted}
    own["unlabelled"] = unlabelled
    _mine("complements", corpus, out, read, choice, json=json, **own)


@mine.command()
@flatten
def swaps(
    corpus: Corpus,
    out: PairsFile,
    targets: TargetVerbs = 60,
    read: ReadFlags = ReadFlags(),
    keep: MinConfidence = KEEP["swaps"],
    choice: ChoiceFlags = ChoiceFlags(),
    json: Json = False,
) -> None:
    """Replace verbs by others, in the main clause and in the complement, and that by to."""
    _mine("swaps", corpus, out, read, choice, json=json, targets=targets, keep=keep)


@mine.command()
@flatten
def conjuncts(
    corpus: Corpus,
    out: PairsFile,
    recipe: SampleRecipe = "",
    balance: Balance = 0,
    each: PerConjunction = 0,
    read: ReadFlags = ReadFlags(),
    keep: MinConfidence = KEEP["conjuncts"],
    choice: ChoiceFlags = ChoiceFlags(),
    json: Json = False,
) -> None:
    """Remove, add or replace a conjunct; each label comes with the rule that gave it."""
    own = {"recipe": recipe, "balance": balance, "each": each, "keep": keep}
    _mine("conjuncts", corpus, out, read, choice, json=json, **own)


@mine.command()
def review(
    pairs: Annotated[Path, Argument(help="The file of pairs that were reviewed.")],
    marks: Annotated[
        Path,
        Argument(
            help="The sheet of --review with its column 'right' filled in, or a file written by "
            "'grice collect export'."
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
