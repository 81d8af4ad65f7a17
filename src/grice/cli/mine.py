"""grice mine"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from grice.cli._flags import EngineName, Json, show, show_rows
from grice.verbs.mine import KEEP

mine = typer.Typer(
    help="Make pairs from real sentences: text, JSON lines, CoNLL-U or Penn trees, a file or a folder, plain or gz.",
    no_args_is_help=True,
)
CorpusPath = Annotated[Path, Argument(help="A file or a folder of them.")]
PairsFile = Annotated[Path, Option("--out", "-o", help="The file to write, JSON lines.")]
ParserName = Annotated[
    str, Option("--parser", "--pipeline", help="A folder or a spaCy pipeline [default: the built-in parser].")
]
Reparse = Annotated[bool, Option("--reparse", help="Parse again where the corpus brings trees of its own.")]
TextField = Annotated[str, Option(help="For JSON lines: the field that holds the text.")]
Limit = Annotated[int | None, Option(min=1, help="Read the first N sentences only.")]
ProcessCount = Annotated[int, Option("--workers", min=1, help="How many processes, or Ray workers.")]
NoGate = Annotated[bool, Option("--no-gate", help="Keep also what does not read well.")]
Longest = Annotated[int, Option(min=3, help="Pass over sentences of more words.")]
Seed = Annotated[int, Option(help="The same seed gives the same bytes.")]
Review = Annotated[
    int, Option(min=0, metavar="N", help="Also write the N most doubtful pairs and a campaign to check them.")
]
Reviewed = Annotated[str, Option(help="Readings of your own, by grice mine review; confidence is fitted on them.")]
Keep = Annotated[float, Option(min=0, max=0.999, help="Leave out what is less likely right than this; 0 keeps all.")]
Unlisted = Annotated[bool, Option("--unlisted", help="Verbs of no known signature too, as o/o; tag evidence=unlisted.")]


@mine.command()
def complements(
    corpus: CorpusPath,
    out: PairsFile,
    each: Annotated[int, Option(min=0, help="At most N sentences a verb, the shorter first; 0 keeps all.")] = 40,
    contracted: Annotated[bool, Option("--contracted", help="Write didn't for did not.")] = False,
    parser: ParserName = "",
    reparse: Reparse = False,
    field: TextField = "",
    limit: Limit = None,
    workers: ProcessCount = 2,
    engine: EngineName = "local",
    no_gate: NoGate = False,
    keep: Keep = KEEP["complements"],
    unlisted: Unlisted = False,
    longest: Longest = 40,
    seed: Seed = 0,
    review: Review = 0,
    reviewed: Reviewed = "",
    json: Json = False,
) -> None:
    """Verbs with a to- or that-complement: the sentence and its negation, each with the complement as hypothesis."""
    from grice.verbs.mine import mine as run

    counts = run(
        "complements", corpus, out=out, each=each, contracted=contracted, parser=parser, reparse=reparse, field=field, limit=limit,
        workers=workers, engine=engine, gate=not no_gate, keep=keep, unlisted=unlisted, longest=longest, seed=seed,
        review=review, reviewed=reviewed,
    )  # fmt: skip
    _show(counts, json)


@mine.command()
def swaps(
    corpus: CorpusPath,
    out: PairsFile,
    targets: Annotated[int, Option(min=1, help="How many verbs are put into each sentence.")] = 60,
    parser: ParserName = "",
    reparse: Reparse = False,
    field: TextField = "",
    limit: Limit = None,
    workers: ProcessCount = 2,
    engine: EngineName = "local",
    no_gate: NoGate = False,
    keep: Keep = KEEP["swaps"],
    longest: Longest = 40,
    seed: Seed = 0,
    review: Review = 0,
    reviewed: Reviewed = "",
    json: Json = False,
) -> None:
    """A verb put in the place of another, in the main clause and in the complement, and to for that."""
    from grice.verbs.mine import mine as run

    counts = run(
        "swaps", corpus, out=out, targets=targets, parser=parser, reparse=reparse, field=field, limit=limit,
        workers=workers, engine=engine, gate=not no_gate, keep=keep, longest=longest, seed=seed, review=review,
        reviewed=reviewed,
    )  # fmt: skip
    _show(counts, json)


@mine.command()
def conjuncts(
    corpus: CorpusPath,
    out: PairsFile,
    recipe: Annotated[
        str, Option(help="adversarial: 15,000 pairs, a third each of and, or and but, as the paper's.")
    ] = "",
    each: Annotated[int, Option(min=0, help="At most N pairs a conjunction; 0 keeps all.")] = 0,
    every: Annotated[bool, Option("--every", help="Every reading of a coordination, not the likeliest alone.")] = False,
    parser: ParserName = "",
    reparse: Reparse = False,
    field: TextField = "",
    limit: Limit = None,
    workers: ProcessCount = 2,
    engine: EngineName = "local",
    no_gate: NoGate = False,
    keep: Keep = KEEP["conjuncts"],
    longest: Longest = 40,
    seed: Seed = 0,
    review: Review = 0,
    reviewed: Reviewed = "",
    json: Json = False,
) -> None:
    """Coordinations with a conjunct removed, added or replaced, each label with the rule that gave it."""
    from grice.verbs.mine import mine as run

    counts = run(
        "conjuncts", corpus, out=out, recipe=recipe, each=each, every=every, parser=parser, reparse=reparse, field=field,
        limit=limit, workers=workers, engine=engine, gate=not no_gate, keep=keep, longest=longest, seed=seed,
        review=review, reviewed=reviewed,
    )  # fmt: skip
    _show(counts, json)


@mine.command()
def review(
    pairs: Annotated[Path, Argument(help="The file of pairs that were reviewed.")],
    marks: Annotated[
        Path, Argument(help="The sheet of --review with its column right filled in, or a file of grice collect export.")
    ],
    out: Annotated[Path, Option("--out", "-o", help="The file of readings to write, for --reviewed.")],
    alone: Annotated[bool, Option("--alone", help="Leave out the readings that ship.")] = False,
    json: Json = False,
) -> None:
    """Turn a reviewer's marks into readings on which confidence is fitted, for a corpus of your own."""
    from grice.verbs.mine import review_pairs

    show_rows(f"readings written to {out}", review_pairs(pairs, marks, out=out, alone=alone), json=json)


@mine.command()
def train_parser(
    treebank: Annotated[Path, Argument(help="The folder of train, dev, test and gentle .jsonl.gz.")],
    out: Annotated[Path, Option("--out", "-o", help="The folder to write the parser to.")],
    encoder: Annotated[str, Option(help="A BERT checkpoint to begin with [default: all-MiniLM-L6-v2].")] = "",
    teachers: Annotated[int, Option(min=0, help="Train so many first, and learn from them on --text.")] = 0,
    text: Annotated[str, Option(help="Text without trees, on which the teachers teach.")] = "",
    epochs: Annotated[int, Option(min=1, help="Times through the treebank.")] = 30,
    minutes: Annotated[float, Option(min=0.1, help="Stop each training after so long.")] = 600.0,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Train the built-in parser again, from the documents whose licence allows commercial use."""
    from grice.verbs.mine import train_parser as train

    scores = train(
        treebank, out=out, encoder=encoder, teachers=teachers, text=text, epochs=epochs, minutes=minutes,
        seed=seed, log=lambda line: print(line, flush=True),
    )  # fmt: skip
    show(scores, json=json, text=lambda: print(f"{out}: {scores}"))


def _show(counts: Mapping[str, Any], json: bool) -> None:
    from grice.reporting.text import print_rows

    rows = [{"what": key, "count": value} for key, value in counts.items()]
    show(counts, json=json, text=lambda: print_rows("mined", rows))
