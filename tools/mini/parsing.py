"""Find the texts that are one plain statement, and their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grice.mining._english import is_plural, lower_first
from grice.mining.parse import FINITE, Sentence, Token
from grice.mining.transformer import TransformerParser
from tools.mini.clauses import Clause

LONGEST = 28
# A clause with one of these is not turned: it is negated already, or no plain statement.
EXCLUDED = {
    *("not", "n't", "no", "nobody", "nothing", "none", "never", "neither", "nor", "without"),
    *("if", "unless", "whether", "maybe", "perhaps", "possibly", "probably", "or", "either"),
}
MARKS = set('?!"“”();:/')
QUANTITIES = {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} | {
    *("some", "several", "many")
}


def find_clause(sentence: Sentence) -> Clause | None:
    """Return the parts of a sentence that is one plain statement, or None."""
    tokens = list(sentence.tokens)
    while tokens and tokens[-1].text in (".", ","):
        tokens.pop()
    if not 3 <= len(tokens) <= LONGEST or any(
        token.lower in EXCLUDED or MARKS & set(token.text) for token in tokens
    ):
        return None
    root = next((token for token in tokens if token.dep == "root"), None)
    if root is None or _has_second_statement(sentence, root):
        return None
    end = _subject_end(sentence, root)
    if end is None or end >= len(tokens):
        return None
    finite = tokens[end]
    auxiliary = _is_auxiliary(sentence, root, finite)
    is_contracted = not finite.text[0].isalpha()
    if is_contracted or finite.tag not in FINITE or not (auxiliary or finite.i == root.i):
        return None
    if not auxiliary and _shares_tense(sentence, root):
        return None
    subject = sentence.subject(root.i)
    rest = sentence.text[tokens[end + 1].start : tokens[-1].end] if end + 1 < len(tokens) else ""
    first = sentence.text[tokens[0].end : tokens[end - 1].end]
    return Clause(
        subject=lower_first(tokens[0]) + first,
        finite=finite.text,
        base=finite.lemma,
        auxiliary=auxiliary,
        plural=is_plural(sentence, subject),
        counted=_counted(sentence, subject, first),
        rest=rest,
    )


def _subject_end(sentence: Sentence, root: Token) -> int | None:
    """Return the number of words of a subject that begins the sentence."""
    subjects = sentence.children(root.i, "nsubj", "expl")
    if not subjects:
        return None
    words = sentence.subtree(subjects[0].i)
    return len(words) if words == list(range(len(words))) else None


def _is_auxiliary(sentence: Sentence, root: Token, finite: Token) -> bool:
    helpers = sentence.children(root.i, "aux", "cop")
    is_helper = bool(helpers) and helpers[0].i == finite.i
    return is_helper or (finite.i == root.i and finite.lemma == "be")


def _has_second_statement(sentence: Sentence, root: Token) -> bool:
    conjuncts = sentence.children(root.i, "conj")
    has_own_subject = any(sentence.children(token.i, "nsubj", "expl") for token in conjuncts)
    return has_own_subject or bool(sentence.children(root.i, "parataxis", "csubj", "ccomp"))


def _shares_tense(sentence: Sentence, root: Token) -> bool:
    """Return whether another verb has the tense too: "sits and reads"."""
    return any(token.tag in FINITE for token in sentence.children(root.i, "conj"))


def _counted(sentence: Sentence, subject: Token | None, rest_of_subject: str) -> str:
    first = sentence[0]
    is_quantity = first.lower in QUANTITIES and subject is not None and first.head == subject.i
    if is_quantity and subject is not None and subject.tag == "NNS":
        return rest_of_subject.strip()
    return ""


def parse_clauses(parser: TransformerParser, texts: Iterable[str]) -> Iterator[tuple[str, Clause]]:
    """Yield each text that is a plain statement, with its parts."""
    for sentence in parser.parse(texts):
        clause = find_clause(sentence) if sentence.tokens else None
        if clause is not None:
            yield sentence.text, clause
