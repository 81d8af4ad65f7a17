"""Read the trees that come with a corpus, Penn brackets and CoNLL-U, into sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grice.core.errors import InputError
from grice.mining.parse import Phrase, Sentence, assemble

ESCAPED = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
ATOM = re.compile(r"\(|\)|[^\s()]+")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD")
BE = {"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"}
HAVE_DO = {"have", "has", "had", "having", "do", "does", "did", "'ve", "'d"}
HELPERS = BE | HAVE_DO | {"to", "'ll"}
# Which child heads a phrase, best first; content words head, as in Universal Dependencies.
HEADS = {
    "S": ("VP", "S", "SBAR", "ADJP", "NP"),
    "SINV": ("VP", "S"),
    "SQ": ("VP", "SQ", "NP", "ADJP", "PP"),
    "SBARQ": ("SQ", "S"),
    "SBAR": ("S", "SINV", "SQ", "VP", "SBAR"),
    "PP": ("NP", "S", "SBAR", "PP", "ADJP", "VP", "ADVP"),
    "WHPP": ("WHNP",),
    "ADJP": ("JJ", "JJR", "JJS", "VBN", "VBG", "ADJP"),
    "ADVP": ("RB", "RBR", "RBS", "ADVP"),
    "PRN": ("S", "SBAR", "NP"),
    "QP": ("CD",),
    "FRAG": ("NP", "S"),
}
# The relation of a child inside a noun phrase, and inside a verb phrase, by its label.
NOUN_RELATIONS = {
    "SBAR": "acl:relcl",
    "S": "acl",
    "VP": "acl",
    "PP": "nmod",
    "DT": "det",
    "JJ": "amod",
    "ADJP": "amod",
    "CD": "nummod",
    "PRP$": "nmod:poss",
    "NP": "nmod",
}
VERB_RELATIONS = {
    "PP": "obl",
    "ADVP": "advmod",
    "RB": "advmod",
    "PRT": "compound:prt",
    "ADJP": "xcomp",
}
PLAIN_RELATIONS = {
    "PP": "obl",
    "ADVP": "advmod",
    "RB": "advmod",
    "SBAR": "advcl",
    "NP": "obl",
    "S": "advcl",
}
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
    """Read one bracketed tree: `(ROOT (S (NP (PRP He)) …))`."""
    stack: list[Node] = [Node("TOP")]
    for atom in ATOM.findall(text):
        if atom == "(":
            stack.append(Node(""))
        elif atom == ")":
            if len(stack) < 2:
                fact = "a bracket closes that was not opened"
                raise InputError(f"'{text[:60]}': {fact}; check the tree")
            node = stack.pop()
            stack[-1].children.append(node)
        elif not stack[-1].label:
            stack[-1].label = atom
        else:
            stack[-1].word = atom
    if len(stack) != 1 or not stack[0].children:
        fact = f"{len(stack) - 1} brackets are not closed"
        raise InputError(f"'{text[:60]}': {fact}; check the tree")
    return stack[0].children[0]


def from_tree(tree: str, text: str = "") -> Sentence:
    """Read a Penn tree as a sentence.

    Args:
        text: The original, for exact offsets; it is rebuilt from the words if it does not fit.
    """
    top = read_tree(tree)
    leaves: list[Node] = []
    _number_leaves(top, leaves)
    if not leaves:
        raise InputError(f"'{tree[:60]}': the tree has no words")
    words = [ESCAPED.get(leaf.word, leaf.word.replace("\\/", "/")) for leaf in leaves]
    spans = _align(words, text) if text else None
    if spans is None:
        text, spans = _join(words)
    arcs: list[tuple[int, str]] = [(0, "dep")] * len(leaves)
    _attach(top, arcs, leaves)
    arcs[top.head] = (top.head, "root")
    phrases: list[Phrase] = []
    _collect_phrases(top, phrases)
    tags = [leaf.label for leaf in leaves]
    return replace(assemble(text, spans, tags, arcs), constituents=tuple(phrases))


def _number_leaves(node: Node, leaves: list[Node]) -> None:
    """Set the span and the head of a node and of all below it; drop empty nodes."""
    node.label = re.split(r"[-=|]", node.label)[0] if not node.label.startswith("-") else node.label
    node.start = len(leaves)
    if node.word:
        node.head = len(leaves)
        leaves.append(node)
    node.children = [child for child in node.children if child.word or child.children]
    for child in node.children:
        _number_leaves(child, leaves)
    node.end = len(leaves)
    if node.children:
        node.head = _head_child(node).head


def _collect_phrases(node: Node, phrases: list[Phrase]) -> None:
    if node.children:
        phrases.append(Phrase(node.label, node.start, node.end))
        for child in node.children:
            _collect_phrases(child, phrases)


def _head_child(node: Node) -> Node:
    """Return the child that heads a phrase."""
    children = node.children
    if any(child.label == "CC" for child in children):
        # In Universal Dependencies the first conjunct heads a coordination.
        words = [c for c in children if c.label not in ("CC", "DT", "PRP$") and _has_word(c)]
        if node.label not in ("NP", "VP", "NX") or any(c.children for c in words):
            return words[0] if words else children[0]
    if node.label == "VP":
        return _verb_head(children)
    if node.label in ("NP", "WHNP", "NX", "NAC"):
        return _noun_head(children)
    for label in HEADS.get(node.label, ()):
        for child in children:
            if child.label == label:
                return child
    return _last_word(children)


def _last_word(children: Sequence[Node]) -> Node:
    return next((child for child in reversed(children) if _has_word(child)), children[-1])


def _verb_head(children: Sequence[Node]) -> Node:
    """Return the first verb, or what follows it if it is an auxiliary or a copula."""
    for i, child in enumerate(children):
        if child.label in VERBS or child.label == "TO":
            return _content_behind(child, children[i + 1 :]) or child
    phrases = (child for child in children if child.label == "VP")
    words = (child for child in children if _has_word(child))
    return next(phrases, next(words, children[0]))


def _content_behind(verb: Node, behind: Sequence[Node]) -> Node | None:
    """Return the verb phrase behind an auxiliary, or the predicate behind a copula."""
    word = verb.word.lower()
    if verb.label not in ("MD", "TO") and word not in HELPERS:
        return None
    phrase = next((child for child in behind if child.label == "VP"), None)
    if phrase is not None or word not in BE:
        return phrase
    predicates = ("NP", "ADJP", "PP", "ADVP")
    return next((child for child in behind if child.label in predicates), None)


def _noun_head(children: Sequence[Node]) -> Node:
    first = next((c for c in children if c.label == "NP"), None)
    if first is not None:
        ends = (*children, *first.children[-1:])
        if not any(child.label == "POS" for child in ends):
            return first
    nominal = (c for c in reversed(children) if c.label in NOMINAL and c.label != "NP")
    return next(nominal, _last_word(children))


def _has_word(node: Node) -> bool:
    """Return whether a node is more than punctuation."""
    return bool(node.children) or any(c.isalnum() for c in node.word)


def _attach(node: Node, arcs: list[tuple[int, str]], leaves: Sequence[Node]) -> None:
    """Give every child that is not the head an arc to it."""
    for child in node.children:
        if child.head != node.head:
            arcs[child.head] = (node.head, _relation(node, child, leaves))
        _attach(child, arcs, leaves)
    before = node.start
    for conjunct in _conjuncts(node):
        if conjunct.head != node.head:
            arcs[conjunct.head] = (node.head, "conj")
            for child in node.children:
                if before <= child.start < conjunct.start and _is_separator(child):
                    relation = "cc" if child.label == "CC" else "punct"
                    arcs[child.head] = (conjunct.head, relation)
        before = conjunct.end


def _is_separator(node: Node) -> bool:
    return node.label in ("CC", ",") or not _has_word(node)


def _conjuncts(node: Node) -> list[Node]:
    if not any(child.label in ("CC", "CONJP") for child in node.children):
        return []
    words = [c for c in node.children if c.label not in ("CC", "CONJP") and _has_word(c)]
    if any(c.children for c in words):
        adverbials = ("ADVP", "RB", "PP")
        last = words[-1]
        return [c for c in words if c.label not in adverbials or c.head == node.head or c is last]
    # Flat words: those on either side of the conjunction, and those behind commas.
    following = [*(child.label for child in node.children[1:]), ""]
    children = zip(node.children, following, strict=True)
    flat = (child for child, after in children if after in ("CC", ",", ""))
    return [c for c in flat if _has_word(c) and c.label not in ("CC", "CONJP")]


def _relation(node: Node, child: Node, leaves: Sequence[Node]) -> str:
    """Return the relation of a child to the head of its phrase."""
    if not _has_word(child):
        return "punct"
    if child.label == "CC":
        return "cc"
    if child.label in VERBS or child.label == "TO":
        return _helper_relation(leaves[node.head], child, leaves[child.head].word.lower())
    if child.label in ("IN", "WHADVP") and node.label in ("SBAR", "PP"):
        return "mark" if node.label == "SBAR" else "case"
    is_before = child.head < node.head
    is_nominal = child.label in ("NP", "WHNP", "EX")
    if node.label in ("S", "SINV", "SQ") and is_nominal and (is_before or node.label == "SINV"):
        return "nsubj"
    if node.label == "VP":
        return _verb_relation(child, leaves)
    if node.label in ("NP", "NX"):
        return NOUN_RELATIONS.get(child.label, "compound")
    return PLAIN_RELATIONS.get(child.label, "advmod" if is_before else "dep")


def _helper_relation(head: Node, child: Node, word: str) -> str:
    """Return the relation of "to", an auxiliary or a copula to its head."""
    if child.label == "TO" or (word == "to" and child.head < head.head):
        return "mark"
    if head.label == "VBN" and word in BE | {"got", "get", "gets"}:
        return "aux:pass"
    return "aux" if head.label in VERBS else "cop"


def _verb_relation(child: Node, leaves: Sequence[Node]) -> str:
    """Return the relation of a child inside a verb phrase."""
    if child.label == "NP":
        return "obj"
    first = leaves[child.start]
    if child.label in ("S", "VP"):
        is_open = first.label in ("TO", "VBG", "VB") or first.word.lower() == "to"
        return "xcomp" if is_open else "ccomp"
    if child.label == "SBAR":
        is_that = first.word.lower() == "that"
        return "ccomp" if is_that or first.label not in ("IN", "WRB") else "advcl"
    return VERB_RELATIONS.get(child.label, "dep")


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
