"""Train grice-mini again, step by step as in docs/grice_mini.md: `python -m tools.mini --help`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def main() -> None:
    """Read the command line and run one step."""
    parser = argparse.ArgumentParser(prog="python -m tools.mini", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    prepare = steps.add_parser("prepare", help="collect and parse the training texts")
    prepare.add_argument("out", type=Path)
    train = steps.add_parser("train", help="continue training from a shipped folder")
    train.add_argument("data", type=Path)
    train.add_argument("start", type=Path)
    train.add_argument("out", type=Path)
    train.add_argument("-M", action="append", default=[], metavar="NAME=VALUE")
    average = steps.add_parser("average", help="average trainings, and calibrate")
    average.add_argument("data", type=Path)
    average.add_argument("start", type=Path)
    average.add_argument("out", type=Path)
    average.add_argument("trained", type=Path, nargs="+")
    folder = steps.add_parser("folder", help="write a checkpoint from the trained weights")
    folder.add_argument("trained", type=Path)
    folder.add_argument("start", type=Path)
    folder.add_argument("out", type=Path)
    scores = steps.add_parser("scores", help="score models side by side, as on the card")
    scores.add_argument("models", nargs="+")
    teach = steps.add_parser("teach", help="teach half of the scales and triggers, score the rest")
    teach.add_argument("out", type=Path)
    teach.add_argument("-M", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    if given.step == "prepare":
        from tools.mini.prepare import prepare as run

        print(run(given.out))
    elif given.step == "train":
        from tools.mini.train import MiniSettings, train_mini

        train_mini(given.data, given.start, given.out, MiniSettings(**_settings(given.M)))
    elif given.step == "teach":
        from tools.mini.teach import TeachSettings
        from tools.mini.teach import teach as run_experiment

        run_experiment(given.out, TeachSettings(**_settings(given.M)))
    elif given.step == "scores":
        from tools.mini.scores import score_models

        score_models(given.models)
    elif given.step == "average":
        from tools.mini.average import average as combine

        combine(given.data, given.start, given.trained, given.out)
    else:
        from tools.mini.weights import write_folder

        write_folder(given.trained, given.start, given.out)


def _settings(pairs: list[str]) -> dict[str, Any]:
    """Return settings as numbers: whole ones where they are."""
    texts = dict(pair.split("=", 1) for pair in pairs)
    return {name: int(x) if x.isdigit() else float(x) for name, x in texts.items()}


if __name__ == "__main__":
    main()
