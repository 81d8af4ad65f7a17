"""Train teachers on a treebank, then one parser on their judgments of further text."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError, MissingExtra
from grice.mining._tokens import EnglishTokens
from grice.mining.corpora import read_records
from grice.mining.morphology import word_data
from grice.models.checkpoint import Checkpoint, checkpoint
from tools.parser.evaluation import write_card
from tools.parser.treebank import TreebankLabels, allows_commercial_use, read_split

if TYPE_CHECKING:
    from tools.parser.network import ParserNetwork
    from tools.parser.training import ParserSettings

CARD = Path(__file__).parent / "card.md"
ENCODER = "all-MiniLM-L6-v2"
# Sentences without trees that are read, and of how many words.
MAX_SENTENCES, N_WORDS = 200_000, range(4, 70)


def train_parser(
    treebank: Path,
    out: Path,
    *,
    encoder: str = ENCODER,
    teachers: int = 0,
    text: Path | None = None,
    epochs: int = 30,
    minutes: float = 600.0,
    seed: int = 1,
    log: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train on a treebank, write graph and card to `out`, and return the scores on every split.

    Args:
        teachers: Parsers of other seeds that are trained first; their mean probabilities on `text`
            are learnt too.
        minutes: The maximum for each training.
    """
    if any(find_spec(name) is None for name in ("torch", "transformers", "onnx")):
        raise MissingExtra("tools.parser", "hf,mine")
    if bool(teachers) != bool(text):
        raise InputError(
            f"{teachers} teachers and text {text or 'none'}: teachers need text to teach on; "
            "give both or neither"
        )
    from grice.mining._pieces import WordPieces
    from tools.parser.graph import write_graph
    from tools.parser.training import ParserExample, ParserSettings, encode_rows, train_network

    start = checkpoint(encoder, provider="encoder")
    rows = read_split(treebank, "train", allows_commercial_use)
    dev = read_split(treebank, "dev", allows_commercial_use)
    labels, pieces = TreebankLabels.of([*rows, *dev]), WordPieces(start.tokenizer_file())
    train, held_out = (encode_rows(part, pieces, labels) for part in (rows, dev))
    settings = ParserSettings(epochs=epochs, minutes=minutes, seed=seed)
    networks = []
    for number in range(1, teachers + 1):
        log(f"teacher {number} of {teachers}")
        own = replace(settings, seed=seed + number)
        teacher = _make_network(start, labels, own)
        networks.append(
            train_network(teacher, train, held_out, own, pad=pieces.pad, log=log).eval()
        )
    rows_of_text = (pieces.row(words) for words in _read_sentences(text)) if text else ()
    extra = [ParserExample(row) for row in rows_of_text if row is not None]
    settings = replace(settings, unlabelled=len(extra))
    network = train_network(
        _make_network(start, labels, settings),
        train,
        held_out,
        settings,
        pad=pieces.pad,
        teachers=networks,
        extra=extra,
        log=log,
    )
    write_graph(network, labels, start.tokenizer_file(), out)
    facts = {
        "sentences": len(rows),
        "tokens": sum(len(row["words"]) for row in rows),
        "teachers": teachers,
        "unlabelled": len(extra),
        "text": text.name if text else "none",
        "command": f"--teachers {teachers} --text FILE" if teachers else "",
    }
    return write_card(out, treebank, CARD, facts)


def _make_network(
    start: Checkpoint, labels: TreebankLabels, settings: ParserSettings
) -> ParserNetwork:
    import torch

    from tools.parser.network import ParserNetwork, new_encoder

    torch.manual_seed(settings.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    sizes = {"labels": len(labels.deps), "tags": len(labels.tags), "pos": len(labels.pos)}
    return ParserNetwork(new_encoder(start.folder), **sizes).to(device)


def _read_sentences(text: Path) -> Iterable[list[str]]:
    """Read the words of the first sentences of a corpus that are neither too short nor too long."""
    tokens = EnglishTokens(**word_data()["tokens"])
    texts = (record.text for record in read_records(text) if not record.fault)
    docs = (tokens.words(text) for text in itertools.islice(texts, MAX_SENTENCES))
    sentences = ([word for word, _, _ in doc] for doc in docs)
    return (words for words in sentences if len(words) in N_WORDS)
