"""grice make"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from grice.cli._flags import EngineName, Json, PartFlag, Workers, show


def make(
    name: Annotated[
        str,
        Argument(
            help="A phenomenon, a suite (core, full, imppres, people), or your own file ./mine.py."
        ),
    ],
    out: Annotated[Path, Option("--out", "-o", help="The file to write: .jsonl or .parquet.")],
    groups: Annotated[
        int | None,
        Option(min=1, help="Groups of each phenomenon (default: 100; core chooses its own)."),
    ] = None,
    seed: Annotated[int, Option(help="The same seed gives the same bytes.")] = 0,
    part: PartFlag = "",
    engine: EngineName = "local",
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Generate pairs of a phenomenon or suite, check them, and write them with a card."""
    from grice.reporting.text import print_rows
    from grice.verbs.make import make as make_pairs

    dataset_file = make_pairs(
        name, out=out, groups=groups, seed=seed, part=part, engine=engine, workers=workers
    )
    card = dataset_file.to_json()

    def text() -> None:
        row = {
            "file": str(out),
            "pairs": dataset_file.pairs,
            "seed": dataset_file.seed,
            "findings": len(dataset_file.findings),
        }
        print_rows("made", [row])
        if dataset_file.findings:
            print_rows("findings", card["findings"])

    show(card, json=json, text=text)
    if dataset_file.failed:
        raise Exit(1)
