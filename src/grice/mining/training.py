"""Training the built-in pipeline (tagger, morphologizer, parser) by spaCy, from `training.cfg` and a treebank."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grice.core.errors import InputError, MissingData, MissingExtra
from grice.mining.parse import lemma_of

# The texts of these genres are licensed for non-commercial use only (CORPORA.md, GUM's LICENSE.txt).
NON_COMMERCIAL = {"whow", "fiction", "essay", "letter", "podcast"}
# Textbooks that are not from OpenStax: their licence is not stated in the corpus.
UNSTATED = {"GUM_textbook_alamo", "GUM_textbook_artwork", "GUM_textbook_evoethics"}
# What the Penn tag of a word says of its morphology; the treebank file itself has no feature column.
FEATURES = {
    "NN": "Number=Sing", "NNS": "Number=Plur", "NNP": "Number=Sing", "NNPS": "Number=Plur",
    "VB": "VerbForm=Inf", "VBD": "Tense=Past|VerbForm=Fin", "VBG": "VerbForm=Ger", "VBN": "Tense=Past|VerbForm=Part",
    "VBP": "Tense=Pres|VerbForm=Fin", "VBZ": "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "MD": "VerbForm=Fin",
    "JJR": "Degree=Cmp", "JJS": "Degree=Sup", "RBR": "Degree=Cmp", "RBS": "Degree=Sup",
}  # fmt: skip
CONFIG = Path(__file__).parent / "training.cfg"
COMPONENTS = ("tagger", "morphologizer", "parser")
CARD = Path(__file__).parent / "pipeline_card.md"


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
    """Train by `training.cfg`, write the pipeline with its card to `out`, and return its scores on every split.

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
    return write_card(out, treebank, sizes["train"])


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
    return max(pipelines, key=lambda nlp: score(nlp, read_trees(nlp, dev, allows_commercial_use))["las"])


def _write(nlp: Any, out: Path) -> None:
    """The pipeline without the words it was trained on: weights know them by their hashes alone."""
    nlp.config["paths"].update(train=None, dev=None)
    nlp.to_disk(out)
    labels = {label for name in COMPONENTS for label in nlp.get_pipe(name).labels}
    (out / "vocab" / "strings.json").write_text(json.dumps(sorted(labels), indent=1), encoding="utf-8")


def write_card(pipeline: Path, treebank: Path, size: dict[str, int]) -> dict[str, Any]:
    """Score a pipeline on dev, test and gentle, write its card beside it, and return the scores with its size."""
    import spacy

    nlp = spacy.load(pipeline)
    parts = ("dev", "test", "gentle")
    scores = {part: score(nlp, read_trees(nlp, treebank / f"{part}.jsonl.gz")) for part in parts}
    names = ("tag", "pos", "lemma", "uas", "las")
    rows = [f"| {part} | " + " | ".join(f"{s[name]:.1f}" for name in names) + " |" for part, s in scores.items()]
    text = CARD.read_text(encoding="utf-8").format(scores="\n".join(rows), **size)
    (pipeline / "README.md").write_text(text, encoding="utf-8")
    return {**size, **scores}


def allows_commercial_use(row: dict[str, Any]) -> bool:
    """Whether the document's licence allows commercial use, as far as the corpus states it."""
    document = row["id"].rsplit("-", 1)[0]
    return row["source"] != "gentle" and row["genre"] not in NON_COMMERCIAL and document not in UNSTATED


def read_trees(nlp: Any, path: Path, keep: Callable[[dict[str, Any]], bool] = lambda _: True) -> list[Any]:
    """The trees of one file as annotated docs, one sentence each."""
    return [_doc(nlp, row) for row in _rows(path) if keep(row)]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise MissingData(f"{path} is not there; the treebank is in the data folder, give the path of its folder")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}:{number}: not JSON ({error.msg}); fetch the file again") from None


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


def score(nlp: Any, gold: list[Any]) -> dict[str, float]:
    """Score a pipeline on annotated docs, in percent: tags, parts of speech, lemmas, and attachment without punctuation."""
    from spacy.tokens import Doc

    right = dict.fromkeys(("tag", "pos", "lemma", "uas", "las"), 0)
    words = attached = 0
    bare = [Doc(nlp.vocab, words=[token.text for token in doc]) for doc in gold]
    for doc, reference in zip(nlp.pipe(bare, batch_size=64), gold, strict=True):
        for ours, theirs in zip(doc, reference, strict=True):
            words += 1
            right["tag"] += ours.tag_ == theirs.tag_
            right["pos"] += ours.pos_ == theirs.pos_
            right["lemma"] += lemma_of(ours.text, ours.pos_).lower() == theirs.lemma_.lower()
            if theirs.dep_ != "punct":
                attached += 1
                same = ours.head.i == theirs.head.i
                right["uas"] += same
                right["las"] += same and ours.dep_ == theirs.dep_
    return {
        name: round(100 * count / (words if name in ("tag", "pos", "lemma") else attached), 2)
        for name, count in right.items()
    }
