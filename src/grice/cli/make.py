"""grice make"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grice.cli._flags import EngineName, Json, Workers, show


def make(
    name: Annotated[
        str, typer.Argument(help="A phenomenon, a suite (core, full, imppres), or your own file ./mine.py.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write: .jsonl or .parquet.")],
    groups: Annotated[
        int | None,
        typer.Option(min=1, help="Groups of each phenomenon [default: 100; core chooses its own]."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    engine: EngineName = "local",
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Make fresh pairs of a phenomenon or suite, check them on the way, and write them with a card."""
    from grice.cluster import Cluster
    from grice.core.progress import bar
    from grice.generate.suites import write
    from grice.reporting.text import print_rows

    cluster = Cluster(engine, workers)
    with bar(f"make {name}", "pairs") as told:
        scatter = cluster.map if engine == "ray" else None
        card = write(name, out, groups=groups, seed=seed, told=told, scatter=scatter)
    row = {"file": str(out), "pairs": card["pairs"], "seed": card["seed"], "findings": len(card["findings"])}

    def text() -> None:
        print_rows("made", [row])
        if card["findings"]:
            print_rows("findings", card["findings"])

    show(card, json=json, text=text)
    if any(finding["severity"] == "error" for finding in card["findings"]):
        raise typer.Exit(1)
