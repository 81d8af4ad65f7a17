"""grice mine"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grice.cli._flags import Json, show

mine = typer.Typer(
    help="Make pairs from real sentences: text, JSON lines, CoNLL-U or Penn trees, a file or a folder, plain or gz.",
    no_args_is_help=True,
)
Corpus = Annotated[Path, typer.Argument(help="A file or a folder of them.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="The file to write, JSON lines.")]
Name = Annotated[
    str, typer.Option("--parser", help="An installed spaCy pipeline [default: the built-in one].")
]
Reparse = Annotated[
    bool, typer.Option("--reparse", help="Parse again where the corpus brings trees of its own.")
]
Field = Annotated[str, typer.Option(help="For JSON lines: the field that holds the text.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Read the first N sentences only.")]
Workers = Annotated[int, typer.Option(min=1, help="How many processes, or Ray workers.")]
Engine = Annotated[str, typer.Option(help="local, or ray for more than one machine.")]
NoGate = Annotated[bool, typer.Option("--no-gate", help="Keep also what does not read well.")]
Longest = Annotated[int, typer.Option(min=3, help="Pass over sentences of more words.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same bytes.")]
Review = Annotated[
    int, typer.Option(min=0, metavar="N", help="Also write N pairs and a campaign, for people to check.")
]


@mine.command()
def complements(
    corpus: Corpus,
    out: Out,
    each: Annotated[
        int, typer.Option(min=0, help="At most N sentences a verb, the shorter first; 0 keeps all.")
    ] = 40,
    contracted: Annotated[bool, typer.Option("--contracted", help="Write didn't for did not.")] = False,
    parser: Name = "",
    reparse: Reparse = False,
    field: Field = "",
    limit: Limit = None,
    workers: Workers = 2,
    engine: Engine = "local",
    no_gate: NoGate = False,
    longest: Longest = 40,
    seed: Seed = 0,
    review: Review = 0,
    json: Json = False,
) -> None:
    """Verbs with a to- or that-complement: the sentence and its negation, each with the complement as hypothesis."""
    from grice.mining.work import Task
    from grice.verbs.mine import Plan, Sample

    task = Task(
        "complements", parser, not reparse, not no_gate, {"contracted": contracted, "longest": longest}
    )
    sample = Sample(each, shortest=True, seed=seed)
    _mine(Plan(corpus, out, task, sample, field, limit, workers, engine), review, json)


@mine.command()
def swaps(
    corpus: Corpus,
    out: Out,
    targets: Annotated[int, typer.Option(min=1, help="How many verbs are put into each sentence.")] = 2,
    parser: Name = "",
    reparse: Reparse = False,
    field: Field = "",
    limit: Limit = None,
    workers: Workers = 2,
    engine: Engine = "local",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """A verb put in the place of another, in the main clause and in the complement, and to for that."""
    from grice.mining.work import Task
    from grice.verbs.mine import Plan, Sample

    task = Task("swaps", parser, not reparse, False, {"targets": targets, "seed": seed})
    _mine(Plan(corpus, out, task, Sample(), field, limit, workers, engine), 0, json)


@mine.command()
def conjuncts(
    corpus: Corpus,
    out: Out,
    recipe: Annotated[
        str, typer.Option(help="adversarial: 15,000 pairs, a third each of and, or and but, as the paper's.")
    ] = "",
    each: Annotated[int, typer.Option(min=0, help="At most N pairs a conjunction; 0 keeps all.")] = 0,
    every: Annotated[
        bool, typer.Option("--every", help="Every reading of a coordination, not the likeliest alone.")
    ] = False,
    parser: Name = "",
    reparse: Reparse = False,
    field: Field = "",
    limit: Limit = None,
    workers: Workers = 2,
    engine: Engine = "local",
    no_gate: NoGate = False,
    longest: Longest = 40,
    seed: Seed = 0,
    review: Review = 0,
    json: Json = False,
) -> None:
    """Coordinations with a conjunct removed, added or replaced, each label with the rule that gave it."""
    from grice.mining.work import Task
    from grice.verbs.mine import Plan, Sample, adversarial

    task = Task(
        "conjuncts", parser, not reparse, not no_gate, {"every": every, "longest": longest, "seed": seed}
    )
    sample = adversarial(recipe, each, seed) if recipe else Sample(each, seed=seed)
    _mine(Plan(corpus, out, task, sample, field, limit, workers, engine), review, json)


@mine.command()
def train_parser(
    treebank: Annotated[Path, typer.Argument(help="The folder of train, dev, test and gentle .jsonl.gz.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the pipeline to.")],
    minutes: Annotated[float, typer.Option(min=0.1, help="Stop after so long.")] = 60.0,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Train the built-in pipeline again, from the documents whose licence allows commercial use."""
    from grice.mining.training import Recipe
    from grice.mining.training import train_parser as train

    scores = train(
        treebank, out, recipe=Recipe(minutes=minutes, seed=seed), tell=lambda line: print(line, flush=True)
    )
    show(scores, json=json, text=lambda: print(f"{out}: {scores}"))


def _mine(plan: Any, review: int, json: bool) -> None:
    from grice.core.progress import bar
    from grice.reporting.text import print_rows
    from grice.verbs.mine import for_review
    from grice.verbs.mine import mine as run

    with bar(f"mine {plan.task.pairer}", "sentences") as told:
        counts = run(plan, told)
    if review:
        counts["review"] = str(for_review(plan.out, review, plan.sample.seed))
    rows = [{"what": key, "count": value} for key, value in counts.items()]
    show(counts, json=json, text=lambda: print_rows("mined", rows))
