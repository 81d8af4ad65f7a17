"""grice train"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from grice.cli._flags import EngineName, Gpus, Json, Repeated, Settings, pairs, show

if TYPE_CHECKING:
    from grice.learners.training.results import TrainResult

LearnerName = Annotated[
    str,
    Argument(
        help="A learner by name, see 'grice list learners'; or a file of your own, ./mine.py."
    ),
]
OutFolder = Annotated[
    Path, Option("--out", "-o", help="The folder to save to; the judge is then trained/FOLDER.")
]
On = Annotated[list[str], Option("--on", help=("A training dataset; may be repeated."))]
Dev = Annotated[
    Repeated, Option("--dev", help=("A dataset that selects the best epoch; may be repeated."))
]
Then = Annotated[
    Repeated, Option("--then", help="Learn this after the first (intermediate training).")
]
Mix = Annotated[str, Option(help="Several tasks on one encoder: uniform or proportional.")]
Adversarial = Annotated[str, Option(help="A dataset of adversarial pairs.")]
How = Annotated[
    str, Option(help="aft: after the base; iaft: beside fresh base pairs in every epoch.")
]
Amount = Annotated[int, Option(min=0, help="Use the first N adversarial pairs only; 0 for all.")]
Start = Annotated[
    str, Option("--from", help="A trained folder to go on from, in place of the first stage.")
]
Ask = Annotated[
    Repeated, Option("--ask", help=("A further dataset to evaluate on; may be repeated."))
]
Apart = Annotated[
    Repeated,
    Option("--apart", help="Leave out training pairs that share a text with this dataset."),
]
Unlabelled = Annotated[
    Repeated,
    Option("--unlabelled", help="For 'distilled': a dataset of texts, which the teachers label."),
]
Surrogate = Annotated[
    bool, Option("--surrogate", help="Learn labels as UNLI's mean probability of each.")
]
PaperRecipe = Annotated[
    str,
    Option(
        "--recipe", help="Use the settings of this paper ('grice list papers') or of grice-mini."
    ),
]
Seeds = Annotated[int, Option(min=1, help=("Train with this many seeds, and report their spread."))]
SeedsAtOnce = Annotated[int, Option("--workers", min=1, help="Train this many seeds at once.")]


def train(
    learner: LearnerName,
    out: OutFolder,
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
    recipe: PaperRecipe = "",
    seeds: Seeds = 1,
    engine: EngineName = "local",
    workers: SeedsAtOnce = 1,
    gpus: Gpus = 0.0,
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Train a model; the same command resumes, and does nothing once training has finished.

    -M KEY=VALUE sets a training argument or a setting of the learner, -M then.KEY=VALUE one of its
    second stage alone.
    """
    from grice.verbs import train as verb

    done = verb.train(
        learner,
        on=on,
        out=out,
        dev=dev or [],
        then=then or [],
        mix=mix,
        adversarial=adversarial,
        how=how,
        amount=amount,
        start=start,
        ask=ask or [],
        apart=apart or [],
        unlabelled=unlabelled or [],
        surrogate=surrogate,
        recipe=recipe,
        seeds=seeds,
        engine=engine,
        workers=workers,
        gpus=gpus,
        settings=pairs(settings, "-M"),
    )
    show(done.to_rows(), json=json, text=lambda: _print_result(done, learner, out))


def _print_result(done: TrainResult, learner: str, out: Path) -> None:
    from grice.reporting.text import print_rows

    scores = done.score_rows()
    if scores:
        print_rows("scores", scores)
    if done.spread or not scores:
        rows = [row.to_row() for row in done.spread or done.models]
        print_rows("over seeds" if done.spread else "trained", rows)
    if not scores:
        print("nothing was evaluated; name data to evaluate with --dev or --ask")
    own = f",learner={learner}" if learner.endswith(".py") else ""
    for model in done.models:
        print(f"evaluate it: grice judge DATA --by trained/{model.folder}{own}")
    for log in sorted(out.rglob("log.jsonl")):
        print(f"loss and dev score by step, one JSON object per line: {log}")
