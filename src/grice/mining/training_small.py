"""Training the built-in pipeline (tagger, morphologizer, parser) by spaCy, from `training_small.cfg` and a treebank."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grice.core.errors import MissingExtra
from grice.mining.evaluation import score_parser, write_card
from grice.mining.parse import SpacyParser
from grice.mining.treebank import TreeRow, allows_commercial_use, read_rows

# What the Penn tag of a word says of its morphology; the treebank file itself has no feature column.
FEATURES = {
    "NN": "Number=Sing", "NNS": "Number=Plur", "NNP": "Number=Sing", "NNPS": "Number=Plur",
    "VB": "VerbForm=Inf", "VBD": "Tense=Past|VerbForm=Fin", "VBG": "VerbForm=Ger", "VBN": "Tense=Past|VerbForm=Part",
    "VBP": "Tense=Pres|VerbForm=Fin", "VBZ": "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "MD": "VerbForm=Fin",
    "JJR": "Degree=Cmp", "JJS": "Degree=Sup", "RBR": "Degree=Cmp", "RBS": "Degree=Sup",
}  # fmt: skip
CONFIG = Path(__file__).parent / "training_small.cfg"
COMPONENTS = ("tagger", "morphologizer", "parser")
CARD = Path(__file__).parent / "small_card.md"


class _TimeIsUp(Exception):
    """Ends spaCy's training loop, which has no time limit of its own."""


class _Log(StringIO):
    """A file that hands each line written to it to a function."""

    def __init__(self, log: Callable[[str], None]) -> None:
        super().__init__()
        self._log = log

    def write(self, text: str) -> int:
        if "model-last" in text:
            # Where spaCy saved it is a temporary folder.
            return len(text)
        # spaCy colours its lines whether or not a terminal reads them.
        for line in filter(None, re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()):
            self._log(line)
        return len(text)


def train_pipeline(
    treebank: Path,
    out: Path,
    *,
    minutes: float = 60.0,
    seed: int = 1,
    overrides: Mapping[str, Any] | None = None,
    log: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train by `training_small.cfg`, write the pipeline with its card to `out`, and return its scores on every split.

    `overrides` are settings of the file by their dotted names, as in `spacy train`: `{"training.max_epochs": 3}`.
    """
    try:
        from spacy.training.initialize import init_nlp
        from spacy.training.loop import train
        from spacy.util import load_config, registry
    except ImportError:
        raise MissingExtra("mining", "mine") from None
    registry.callbacks("grice.stop_after.v1")(_stop_after)
    with TemporaryDirectory() as name:
        folder = Path(name)
        sizes = {part: _convert(treebank, part, folder) for part in ("train", "dev")}
        settings = {
            "paths.train": str(folder / "train.spacy"),
            "paths.dev": str(folder / "dev.spacy"),
            "system.seed": seed,
            "training.before_update.minutes": minutes,
            **(overrides or {}),
        }
        nlp = init_nlp(load_config(CONFIG, overrides=settings, interpolate=False))
        with suppress(_TimeIsUp):
            train(nlp, folder, stdout=_Log(log), stderr=_Log(log))
        _write(_best(folder, treebank), out)
    return write_card(out, treebank, CARD, sizes["train"])


def _stop_after(minutes: float) -> Callable[[Any, dict[str, Any]], None]:
    """The callback `grice.stop_after.v1` of the config: it ends the training after so many minutes."""
    started = time.monotonic()

    def check(_nlp: Any, _step: dict[str, Any]) -> None:
        if time.monotonic() - started > minutes * 60:
            raise _TimeIsUp(f"{minutes:g} minutes are over")

    return check


def _convert(treebank: Path, part: str, folder: Path) -> dict[str, int]:
    """Write the sentences of a split that may be used as spaCy's binary file, and return how many there are."""
    import spacy
    from spacy.tokens import DocBin

    docs = read_trees(spacy.blank("en"), treebank / f"{part}.jsonl.gz", allows_commercial_use)
    DocBin(docs=docs).to_disk(folder / f"{part}.spacy")
    return {"sentences": len(docs), "tokens": sum(map(len, docs))}


def _best(folder: Path, treebank: Path) -> Any:
    """The best checkpoint, or the last state where it attaches better, since that may not have been evaluated."""
    import spacy

    saved = [folder / name for name in ("model-best", "model-last") if (folder / name).exists()]
    pipelines = [spacy.load(path) for path in saved]
    dev = treebank / "dev.jsonl.gz"
    rows = [row for row in read_rows(dev) if allows_commercial_use(row)]
    return max(pipelines, key=lambda nlp: score_parser(SpacyParser(nlp, "trained"), rows).las)


def _write(nlp: Any, out: Path) -> None:
    """The pipeline without the words it was trained on: weights know them by their hashes alone."""
    nlp.config["paths"].update(train=None, dev=None)
    nlp.to_disk(out)
    labels = {label for name in COMPONENTS for label in nlp.get_pipe(name).labels}
    (out / "vocab" / "strings.json").write_text(json.dumps(sorted(labels), indent=1), encoding="utf-8")


def read_trees(nlp: Any, path: Path, keep: Callable[[TreeRow], bool] = lambda _: True) -> list[Any]:
    """The trees of one file as annotated docs, one sentence each."""
    return [_doc(nlp, row) for row in read_rows(path) if keep(row)]


def _doc(nlp: Any, row: dict[str, Any]) -> Any:
    from spacy.tokens import Doc

    return Doc(
        nlp.vocab,
        words=row["words"],
        tags=row["xpos"],
        pos=row["upos"],
        morphs=[FEATURES.get(tag, "") for tag in row["xpos"]],
        lemmas=row["lemmas"],
        heads=[place if head == 0 else head - 1 for place, head in enumerate(row["heads"])],
        deps=["ROOT" if rel == "root" else rel for rel in row["deprels"]],
    )
