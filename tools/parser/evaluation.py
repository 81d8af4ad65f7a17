"""Score a parser by the conventions of CoNLL 2018: all words count, subtypes do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from grice.mining.parse import Sentence, lemma_of
from grice.mining.parsers import load_parser
from tools.parser.treebank import TreeRow, read_split

METRICS = ("tag", "pos", "lemma", "uas", "las")


class WordParser(Protocol):
    """A parser that takes words as the treebank cuts them."""

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """Return a sentence for each list of words."""


@dataclass(frozen=True)
class ParserScores:
    """Percentages over the words of a treebank, and how many they are."""

    tag: float
    pos: float
    lemma: float
    uas: float
    las: float
    words: int
    # As the paper of the first pipeline counted: subtypes told apart, punctuation left out.
    uas_without_punctuation: float
    las_with_subtypes: float


def score_parser(parser: WordParser, rows: Sequence[TreeRow]) -> ParserScores:
    """Score a parser on the gold words of treebank rows."""
    right = dict.fromkeys((*METRICS, "uas_words", "las_words"), 0)
    words = plain = 0
    for row, parsed in zip(rows, parser.parse_words([row["words"] for row in rows]), strict=True):
        columns = (row[name] for name in ("xpos", "upos", "lemmas", "heads", "deprels"))
        words += len(row["words"])
        plain += sum(dep != "punct" for dep in row["deprels"])
        # A sentence that was too long for the parser has no words, and none of them is right.
        for token, tag, pos, lemma, head, dep in zip(parsed.tokens, *columns, strict=False):
            attached = (0 if token.head == token.i else token.head + 1) == head
            right["tag"] += token.tag == tag
            right["pos"] += token.pos == pos
            right["lemma"] += lemma_of(token.text, token.pos).lower() == lemma.lower()
            right["uas"] += attached
            right["las"] += attached and universal(token.dep) == universal(dep)
            if dep != "punct":
                right["uas_words"] += attached
                right["las_words"] += attached and token.dep == dep
    share = {name: round(100 * right[name] / max(1, words), 2) for name in METRICS}
    rest = {
        name: round(100 * right[name] / max(1, plain), 2) for name in ("uas_words", "las_words")
    }
    return ParserScores(
        **share,
        words=words,
        uas_without_punctuation=rest["uas_words"],
        las_with_subtypes=rest["las_words"],
    )


def universal(dep: str) -> str:
    """Return a label without its subtype: "nsubj:pass" is nsubj."""
    return dep.split(":")[0].lower()


def write_card(
    folder: Path, treebank: Path, card: Path, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Score the parser of a folder on all splits, write its card, and return scores and facts."""
    parser = load_parser(str(folder))
    scores = {
        part: score_parser(parser, read_split(treebank, part)) for part in ("dev", "test", "gentle")
    }
    columns = [f.name for f in fields(ParserScores)]
    rows = [
        f"| {part} | " + " | ".join(f"{getattr(s, name):,}" for name in columns) + " |"
        for part, s in scores.items()
    ]
    text = card.read_text(encoding="utf-8").format(scores="\n".join(rows), **facts)
    (folder / "README.md").write_text(text, encoding="utf-8")
    return {**facts, **{part: asdict(s) for part, s in scores.items()}}
