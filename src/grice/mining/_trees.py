"""Read the trees that come with a corpus, CoNLL-U or columns, into sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grice.core.errors import InputError
from grice.mining.parse import Sentence, assemble

# Other spellings of a word of a tree in the original text.
SPELLINGS = {
    '"': ('"', "“", "”", "''", "``", "'"),
    "'": ("'", "’", "`", "‘"),
    "`": ("'", "’", "`", "‘"),
    "--": ("--", "—", "–", "-"),
    "...": ("...", "…"),
}
# Words that follow another without a space.
TIGHT = re.compile(r"^([,.;:!?)\]%]|n't|'(s|re|ve|ll|d|m)?$)")


def _align(words: Sequence[str], text: str) -> list[tuple[str, int, int]] | None:
    """Return each word with its offsets in the text; None if the text has other words."""
    spans, position = [], 0
    for word in words:
        start = _skip_space(text, position)
        spelling = next((s for s in _spellings(word) if text.startswith(s, start)), None)
        if spelling is None:
            return None
        position = start + len(spelling)
        spans.append((spelling, start, position))
    return spans if not text[position:].strip() else None


def _spellings(word: str) -> tuple[str, ...]:
    variants = SPELLINGS.get(word, ())
    return (word, *variants, word.replace("'", "’"))


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _join(words: Sequence[str]) -> tuple[str, list[tuple[str, int, int]]]:
    """Join words to a text with offsets, for a tree without the original text."""
    text, spans, is_open = "", [], False
    for word in words:
        is_closing = word == '"' and is_open
        is_inside_quote = text.endswith('"') and is_open and (len(text) == 1 or text[-2] == " ")
        is_tight = not text or is_closing or TIGHT.match(word) or text[-1] in "([$"
        if not is_tight and not is_inside_quote:
            text += " "
        spans.append((word, len(text), len(text) + len(word)))
        text += word
        is_open = is_open != (word == '"')
    return text, spans


def from_conllu(block: str) -> Sentence:
    """Read one CoNLL-U sentence; offsets are those in its `# text`, else in the joined words."""
    rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
    if any(len(row) != 10 for row in rows):
        fact = "a CoNLL-U line has 10 fields separated by tabs"
        raise InputError(f"'{block[:60]}': {fact}; check the file")
    rows = [row for row in rows if row[0].isdigit()]
    if not rows:
        raise InputError(f"'{block[:60]}': the sentence has no words")
    comment = re.search(r"^# text = (.*)$", block, re.MULTILINE)
    _, words, lemmas, pos, tags, _, heads, deprels, _, _ = zip(*rows, strict=True)
    return from_columns(
        words,
        tags=tags,
        pos=pos,
        lemmas=lemmas,
        heads=[int(head) for head in heads],
        deprels=deprels,
        text=comment[1] if comment else "",
    )


def from_columns(
    words: Sequence[str],
    *,
    tags: Sequence[str],
    pos: Sequence[str],
    lemmas: Sequence[str],
    heads: Sequence[int],
    deprels: Sequence[str],
    text: str = "",
) -> Sentence:
    """Make a sentence of a treebank; heads count from 1 and 0 is the root."""
    spans = _align(words, text) if text else None
    if spans is None:
        text, spans = _join(words)
    if any(not 0 <= head <= len(words) for head in heads):
        fact = f"a head points outside the sentence of {len(words)} words"
        raise InputError(f"'{text[:60]}': {fact}; check the tree")
    pairs = enumerate(zip(heads, deprels, strict=True))
    arcs = [(i if head == 0 else head - 1, label) for i, (head, label) in pairs]
    return assemble(text, spans, tags, arcs, pos=pos, lemmas=lemmas)
