"""grice train"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grice.cli._flags import Json, Settings, pairs, show

Learner = Annotated[
    str,
    typer.Argument(
        help="bow, cbow, bilstm, infersent, encoder, distilled, srl or predicate_aware; or a file."
    ),
]
Out = Annotated[
    Path, typer.Option("--out", "-o", help="The folder to save to; the judge is then trained/FOLDER.")
]


On = Annotated[list[str], typer.Option("--on", help="A dataset to learn; may be repeated.")]
Dev = Annotated[
    list[str] | None,
    typer.Option("--dev", help="A dataset that chooses the best epoch; may be repeated."),
]
Then = Annotated[
    list[str] | None, typer.Option("--then", help="Learn this after the first (intermediate training).")
]
Mix = Annotated[str, typer.Option(help="Several tasks on one encoder: uniform or proportional.")]
Adversarial = Annotated[str, typer.Option(help="A dataset of adversarial pairs.")]
How = Annotated[str, typer.Option(help="aft: after the base; iaft: beside fresh base pairs in every epoch.")]
Amount = Annotated[int, typer.Option(min=0, help="Use the first N adversarial pairs only; 0 for all.")]
Start = Annotated[
    str, typer.Option("--from", help="A trained folder to go on from, in place of the first stage.")
]
Ask = Annotated[
    list[str] | None,
    typer.Option("--ask", help="A dataset to answer and score besides; it chooses nothing."),
]
Apart = Annotated[
    list[str] | None,
    typer.Option("--apart", help="Leave out training pairs that share a text with this dataset."),
]
Unlabelled = Annotated[
    list[str] | None,
    typer.Option("--unlabelled", help="A dataset whose texts the teachers of 'distilled' label."),
]
Surrogate = Annotated[
    bool, typer.Option("--surrogate", help="Learn labels as UNLI's mean probability of each.")
]
Recipe = Annotated[str, typer.Option(help="The settings of a paper of grice list papers, or of grice-mini.")]
Seeds = Annotated[int, typer.Option(min=1, help="Train so many, and report their spread.")]


def train(
    learner: Learner,
    out: Out,
    on: On,
    dev: Dev = None,
    then: Then = None,
    mix: Mix = "",
    adversarial: Adversarial = "",
    how: How = "",
    amount: Amount = 0,
    start: Start = "",
    ask: Ask = None,
    apart: Apart = None,
    unlabelled: Unlabelled = None,
    surrogate: Surrogate = False,
    recipe: Recipe = "",
    seeds: Seeds = 1,
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Train a model. After a kill the same command goes on; once finished it is not done again.

    -M KEY=VALUE sets a number of the training, -M then.KEY=VALUE one of its second stage alone.
    """
    from grice.learners.training.stages import TrainingSpec
    from grice.learners.training.stages import train as run
    from grice.reporting.text import print_rows

    given = pairs(settings, "-M") | ({"recipe": recipe} if recipe else {})
    spec = TrainingSpec(
        on,
        dev or [],
        then=then or [],
        mix=mix,
        adversarial=adversarial,
        how=how,
        start=start,
        ask=ask or [],
        apart=apart or [],
        unlabelled=unlabelled or [],
        surrogate=surrogate,
        amount=amount,
    )
    rows = run(learner, spec, out=out, settings=given, seeds=seeds)
    show(rows, json=json, text=lambda: print_rows("trained", rows))
