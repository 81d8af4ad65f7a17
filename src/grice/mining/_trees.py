"""Trees that come with a corpus: Penn brackets and CoNLL-U, read into the one view of a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from grice.core.errors import InputError
from grice.mining.parse import Phrase, Sentence, assemble

ESCAPED = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
ATOM = re.compile(r"\(|\)|[^\s()]+")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD")
HELPERS = {"be", "am", "is", "are", "was", "were", "been", "being", "have", "has", "had", "having", "do", "does", "did",
           "'s", "'re", "'m", "'ve", "'d", "to", "'ll"}  # fmt: skip
BE = {"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"}
# Which child heads a phrase, best first; content words head, as in Universal Dependencies.
HEADS = {
    "S": ("VP", "S", "SBAR", "ADJP", "NP"), "SINV": ("VP", "S"), "SQ": ("VP", "SQ", "NP", "ADJP", "PP"), "SBARQ": ("SQ", "S"),
    "SBAR": ("S", "SINV", "SQ", "VP", "SBAR"), "PP": ("NP", "S", "SBAR", "PP", "ADJP", "VP", "ADVP"), "WHPP": ("WHNP",),
    "ADJP": ("JJ", "JJR", "JJS", "VBN", "VBG", "ADJP"), "ADVP": ("RB", "RBR", "RBS", "ADVP"), "PRN": ("S", "SBAR", "NP"),
    "QP": ("CD",), "UCP": (), "FRAG": ("NP", "S"), "ROOT": (), "X": (),
}  # fmt: skip
NOMINAL = ("NN", "NNS", "NNP", "NNPS", "NX", "NP", "PRP", "CD", "DT", "EX", "WP", "QP", "JJ")


@dataclass
class Node:
    """A bracket of a tree: a leaf has a word, any other node has children."""

    label: str
    children: list[Node] = field(default_factory=list)
    word: str = ""
    start: int = 0
    end: int = 0
    head: int = 0


def read_tree(text: str) -> Node:
    """One bracketed tree: `(ROOT (S (NP (PRP He)) …))`."""
    stack: list[Node] = [Node("TOP")]
    for atom in ATOM.findall(text):
        if atom == "(":
            stack.append(Node(""))
        elif atom == ")":
            if len(stack) < 2:
                raise InputError(f"'{text[:60]}': a bracket closes that was not opened; check the tree")
            done = stack.pop()
            stack[-1].children.append(done)
        elif not stack[-1].label:
            stack[-1].label = atom
        else:
            stack[-1].word = atom
    if len(stack) != 1 or not stack[0].children:
        raise InputError(f"'{text[:60]}': {len(stack) - 1} brackets are not closed; check the tree")
    return stack[0].children[0]


def from_tree(tree: str, text: str = "") -> Sentence:
    """A Penn tree as a sentence; `text` is the original, for exact offsets, and is rebuilt where it does not fit."""
    top = read_tree(tree)
    leaves: list[Node] = []
    _number(top, leaves)
    if not leaves:
        raise InputError(f"'{tree[:60]}': the tree has no words")
    words = [ESCAPED.get(leaf.word, leaf.word.replace("\\/", "/")) for leaf in leaves]
    placed = _placed(words, text) if text else None
    if placed is None:
        text, placed = _joined(words)
    arcs: list[tuple[int, str]] = [(0, "dep")] * len(leaves)
    _attach(top, arcs, leaves)
    arcs[top.head] = (top.head, "root")
    phrases: list[Phrase] = []
    _phrases(top, phrases)
    return assemble(text, placed, [leaf.label for leaf in leaves], arcs, constituents=tuple(phrases))


def _number(node: Node, leaves: list[Node]) -> None:
    node.label = re.split(r"[-=|]", node.label)[0] if not node.label.startswith("-") else node.label
    node.start = len(leaves)
    if node.word:
        node.head = len(leaves)
        leaves.append(node)
    node.children = [child for child in node.children if child.word or child.children]
    for child in node.children:
        _number(child, leaves)
    node.end = len(leaves)
    if node.children:
        node.head = _headed(node).head


def _phrases(node: Node, found: list[Phrase]) -> None:
    if node.children:
        found.append(Phrase(node.label, node.start, node.end))
        for child in node.children:
            _phrases(child, found)


def _headed(node: Node) -> Node:
    children = node.children
    if any(child.label == "CC" for child in children):
        # In Universal Dependencies the first conjunct heads a coordination.
        solid = [c for c in children if c.label not in ("CC", "DT", "PRP$") and _solid(c)]
        if node.label not in ("NP", "VP", "NX") or any(c.children for c in solid):
            return solid[0] if solid else children[0]
    if node.label == "VP":
        return _verb_head(children)
    if node.label in ("NP", "WHNP", "NX", "NAC"):
        return _noun_head(children)
    for label in HEADS.get(node.label, ()):
        for child in children:
            if child.label == label:
                return child
    return next((child for child in reversed(children) if _solid(child)), children[-1])


def _verb_head(children: Sequence[Node]) -> Node:
    for place, child in enumerate(children):
        if child.label in VERBS or child.label == "TO":
            if child.label in ("MD", "TO") or child.word.lower() in HELPERS:
                inner = next((c for c in children[place + 1 :] if c.label == "VP"), None)
                if inner is not None:
                    return inner
                if child.word.lower() in BE:
                    rest = [c for c in children[place + 1 :] if c.label in ("NP", "ADJP", "PP", "ADVP")]
                    if rest:
                        return rest[0]
            return child
    return next((c for c in children if c.label == "VP"), next((c for c in children if _solid(c)), children[0]))


def _noun_head(children: Sequence[Node]) -> Node:
    first = next((c for c in children if c.label == "NP"), None)
    possessive = first is not None and any(c.label == "POS" for c in (*children, *first.children[-1:]))
    if first is not None and not possessive:
        return first
    nominal = (c for c in reversed(children) if c.label in NOMINAL and c.label != "NP")
    return next(nominal, next((c for c in reversed(children) if _solid(c)), children[-1]))


def _solid(node: Node) -> bool:
    return bool(node.children) or any(c.isalnum() for c in node.word)


def _attach(node: Node, arcs: list[tuple[int, str]], leaves: Sequence[Node]) -> None:
    """Give every child that is not the head an arc to it."""
    conjuncts = _conjuncts(node)
    for child in node.children:
        if child.head != node.head:
            arcs[child.head] = (node.head, _relation(node, child, leaves))
        _attach(child, arcs, leaves)
    for place, conjunct in enumerate(conjuncts):
        if conjunct.head != node.head:
            arcs[conjunct.head] = (node.head, "conj")
            before = conjuncts[place - 1].end if place else node.start
            for child in node.children:
                if before <= child.start < conjunct.start and (child.label in ("CC", ",") or not _solid(child)):
                    arcs[child.head] = (conjunct.head, "cc" if child.label == "CC" else "punct")


def _conjuncts(node: Node) -> list[Node]:
    if not any(child.label in ("CC", "CONJP") for child in node.children):
        return []
    solid = [c for c in node.children if c.label not in ("CC", "CONJP") and _solid(c)]
    if any(c.children for c in solid):
        return [c for c in solid if c.label not in ("ADVP", "RB", "PP") or c.head == node.head or c is solid[-1]]
    # Flat words: those on either side of the conjunction, and those behind commas.
    following = [*(child.label for child in node.children[1:]), ""]
    flat = (c for c, after in zip(node.children, following, strict=True) if after in ("CC", ",", ""))
    return [c for c in flat if _solid(c) and c.label not in ("CC", "CONJP")]


def _relation(node: Node, child: Node, leaves: Sequence[Node]) -> str:
    head = leaves[node.head]
    label, word = child.label, leaves[child.head].word.lower()
    before = child.head < node.head
    if not _solid(child):
        return "punct"
    if label == "CC":
        return "cc"
    if label in VERBS or label == "TO":
        if label == "TO" or (before and word == "to"):
            return "mark"
        if head.label == "VBN" and word in BE | {"got", "get", "gets"}:
            return "aux:pass"
        return "aux" if head.label in VERBS else "cop"
    if label in ("IN", "WHADVP") and node.label in ("SBAR", "PP"):
        return "mark" if node.label == "SBAR" else "case"
    if node.label in ("S", "SINV", "SQ") and label in ("NP", "WHNP", "EX") and (before or node.label == "SINV"):
        return "nsubj"
    if node.label == "VP":
        return _in_verb_phrase(child, leaves)
    if node.label in ("NP", "NX"):
        return {"SBAR": "acl:relcl", "S": "acl", "VP": "acl", "PP": "nmod", "DT": "det", "JJ": "amod", "ADJP": "amod",
                "CD": "nummod", "PRP$": "nmod:poss", "NP": "nmod"}.get(label, "compound")  # fmt: skip
    plain = {"PP": "obl", "ADVP": "advmod", "RB": "advmod", "SBAR": "advcl", "NP": "obl", "S": "advcl"}
    return plain.get(label, "advmod" if before else "dep")


def _in_verb_phrase(child: Node, leaves: Sequence[Node]) -> str:
    if child.label == "NP":
        return "obj"
    if child.label in ("S", "VP"):
        first = leaves[child.start]
        return "xcomp" if first.label in ("TO", "VBG", "VB") or first.word.lower() == "to" else "ccomp"
    if child.label == "SBAR":
        mark = leaves[child.start].word.lower()
        return "ccomp" if mark == "that" or leaves[child.start].label not in ("IN", "WRB") else "advcl"
    return {"PP": "obl", "ADVP": "advmod", "RB": "advmod", "PRT": "compound:prt", "ADJP": "xcomp"}.get(
        child.label, "dep"
    )


def _placed(words: Sequence[str], text: str) -> list[tuple[str, int, int]] | None:
    """Each word at its place in the text, or nothing where the text has other words."""
    found, place = [], 0
    for word in words:
        spelled = next((w for w in _spellings(word) if text.startswith(w, _skip(text, place))), None)
        if spelled is None:
            return None
        start = _skip(text, place)
        place = start + len(spelled)
        found.append((spelled, start, place))
    return found if not text[place:].strip() else None


def _spellings(word: str) -> tuple[str, ...]:
    quotes = ('"', "“", "”", "''", "``", "'") if word == '"' else ("'", "’", "`", "‘") if word in ("'", "`") else ()
    dashes = ("--", "—", "–", "-") if word == "--" else ("...", "…") if word == "..." else ()
    return (word, *quotes, *dashes, word.replace("'", "’"))


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _joined(words: Sequence[str]) -> tuple[str, list[tuple[str, int, int]]]:
    """A text made from the words where the original is not at hand."""
    text, found, opened = "", [], False
    for word in words:
        closes = word == '"' and opened
        tight = not text or closes or re.match(r"^([,.;:!?)\]%]|n't|'(s|re|ve|ll|d|m)?$)", word) or text[-1] in "([$"
        if text and not tight and not (text.endswith('"') and opened and _fresh(text)):
            text += " "
        found.append((word, len(text), len(text) + len(word)))
        text += word
        opened = opened != (word == '"')
    return text, found


def _fresh(text: str) -> bool:
    return len(text) == 1 or text[-2] == " "


def from_conllu(block: str) -> Sentence:
    """The lines of one CoNLL-U sentence; offsets are those in its `# text`, else in the words joined."""
    rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
    if any(len(row) != 10 for row in rows):
        raise InputError(f"'{block[:60]}': a CoNLL-U line has 10 fields separated by tabs; check the file")
    rows = [row for row in rows if row[0].isdigit()]
    if not rows:
        raise InputError(f"'{block[:60]}': the sentence has no words")
    named = re.search(r"^# text = (.*)$", block, re.MULTILINE)
    _, words, lemmas, pos, tags, _, heads, deprels, _, _ = zip(*rows, strict=True)
    text, numbers = named[1] if named else "", [int(head) for head in heads]
    return from_columns(words, tags=tags, pos=pos, lemmas=lemmas, heads=numbers, deprels=deprels, text=text)


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
    """A sentence of a treebank; heads count from 1 and 0 is the root."""
    placed = _placed(words, text) if text else None
    if placed is None:
        text, placed = _joined(words)
    if any(not 0 <= head <= len(words) for head in heads):
        raise InputError(f"'{text[:60]}': a head points outside the sentence of {len(words)} words")
    arcs = [(i if head == 0 else head - 1, rel) for i, (head, rel) in enumerate(zip(heads, deprels, strict=True))]
    return assemble(text, placed, tags, arcs, pos=pos, lemmas=lemmas)
