"""Train the built-in parser again, from the documents whose licence allows commercial use.

python -m tools.parser TREEBANK -o FOLDER [--teachers 6 --text FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.parser.train import ENCODER, train_parser


def main() -> None:
    """Train, write the parser and its card, and print its scores."""
    options = argparse.ArgumentParser(
        prog="python -m tools.parser", description="Train the built-in parser again."
    )
    options.add_argument(
        "treebank", type=Path, help="the folder of train, dev, test and gentle .jsonl.gz"
    )
    options.add_argument(
        "-o", "--out", type=Path, required=True, help="the folder to write the parser to"
    )
    options.add_argument(
        "--encoder", default=ENCODER, help=f"a BERT checkpoint to begin with [default: {ENCODER}]"
    )
    options.add_argument(
        "--teachers", type=int, default=0, help="train so many first, and learn from them on --text"
    )
    options.add_argument(
        "--text", type=Path, help="text without trees, on which the teachers teach"
    )
    options.add_argument(
        "--epochs", type=int, default=30, help="times through the treebank [default: 30]"
    )
    options.add_argument(
        "--minutes", type=float, default=600.0, help="stop each training after so long"
    )
    options.add_argument("--seed", type=int, default=1, help="random seed [default: 1]")
    arguments = vars(options.parse_args())
    treebank, out = arguments.pop("treebank"), arguments.pop("out")
    scores = train_parser(treebank, out, **arguments, log=lambda line: print(line, flush=True))
    print(scores)


if __name__ == "__main__":
    main()
