"""Sentences parsed by hand, so that a test does not depend on a parser."""

from __future__ import annotations

from grice.mining._trees import from_columns
from grice.mining.parse import Sentence


def sentence(*rows: str) -> Sentence:
    """Rows of `word tag head relation [lemma]`; heads count from 1, 0 is the root."""
    cells = [row.split() for row in rows]
    words = [cell[0] for cell in cells]
    return from_columns(
        words,
        tags=[cell[1] for cell in cells],
        pos=[_pos(cell[1], cell[3]) for cell in cells],
        lemmas=[cell[4] if len(cell) > 4 else cell[0].lower() for cell in cells],
        heads=[int(cell[2]) for cell in cells],
        deprels=[cell[3] for cell in cells],
    )


def _pos(tag: str, dep: str) -> str:
    if tag.startswith("VB") or tag == "MD":
        return "AUX" if dep.split(":")[0] in ("aux", "cop") else "VERB"
    table = {
        "NNP": "PROPN",
        "NN": "NOUN",
        "NNS": "NOUN",
        "PRP": "PRON",
        "DT": "DET",
        "TO": "PART",
        "IN": "ADP",
    }
    table |= {
        "RB": "ADV",
        "JJ": "ADJ",
        "CC": "CCONJ",
        "CD": "NUM",
        ".": "PUNCT",
        ",": "PUNCT",
        "``": "PUNCT",
    }
    return "SCONJ" if dep == "mark" and tag == "IN" else table.get(tag, "X")


DECLINED = sentence(
    "Nike NNP 2 nsubj",
    "declined VBD 0 root decline",
    "to TO 6 mark",
    "be VB 6 cop",
    "a DT 6 det",
    "sponsor NN 2 xcomp",
    ". . 2 punct",
)
KNEW = sentence(
    "He PRP 2 nsubj",
    "knew VBD 0 root know",
    "that IN 6 mark",
    "the DT 5 det",
    "answer NN 6 nsubj",
    "changed VBD 2 ccomp change",
    ". . 2 punct",
)
ASKED = sentence(
    "She PRP 2 nsubj",
    "asked VBD 0 root ask",
    "him PRP 2 obj",
    "to TO 5 mark",
    "leave VB 2 xcomp",
    "early RB 5 advmod",
    ". . 2 punct",
)
HAS = sentence(
    "They PRP 3 nsubj",
    "have VBP 3 aux",
    "agreed VBN 0 root agree",
    "to TO 5 mark",
    "sing VB 3 xcomp",
    "and CC 7 cc",
    "dance VB 5 conj",
    ". . 3 punct",
)
TWO = sentence(
    "Ana NNP 4 nsubj",
    "and CC 3 cc",
    "Ben NNP 1 conj",
    "are VBP 6 cop be",
    "very RB 6 advmod",
    "tired JJ 0 root",
    ". . 6 punct",
)
LIST = sentence(
    "She PRP 2 nsubj",
    "sells VBZ 0 root sell",
    "apples NNS 2 obj",
    ", , 5 punct",
    "pears NNS 3 conj",
    "and CC 7 cc",
    "plums NNS 3 conj",
    ". . 2 punct",
)
