"""Words put in the place of a conjunct's: numbers plus one, antonyms, co-hyponyms, names by other names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from grice.mining._words import antonyms, class_members, numbers, word_classes
from grice.mining.parse import Sentence, Token
from grice.mining.sampling import draw

# Readings of a word WordNet lists first are the ones a text is likely to mean.
SENSES = 1


def replacements(sentence: Sentence, spans: tuple[range, ...], *, seed: int = 0) -> Iterator[tuple[Token, str, str]]:
    """(token, new word, how) for at most one word of each conjunct, numbers first, then names, then words."""
    for span in spans:
        tokens = [sentence[i] for i in span]
        found = next((change for token in tokens if (change := _number(sentence, token))), None)
        found = found or next((change for token in tokens if (change := _member(sentence, token, seed))), None)
        found = found or next((change for token in tokens if (change := _opposite(token))), None)
        if found:
            yield found


def _number(sentence: Sentence, token: Token) -> tuple[Token, str, str] | None:
    if token.pos != "NUM":
        return None
    if token.i and sentence[token.i - 1].text in ("[", "("):
        return None
    if re.fullmatch(r"\d{1,3}(,\d{3})+|\d+", token.text):
        plain = int(token.text.replace(",", "")) + 1
        # "1 hour" would need "hours".
        if plain == 2 and any(t.pos == "NOUN" for t in sentence.tokens[token.i + 1 : token.i + 2]):
            return None
        return token, f"{plain:,}" if "," in token.text else str(plain).zfill(len(token.text)), "number"
    if token.lower in numbers()[1:-1]:
        word = numbers()[numbers().index(token.lower) + 1]
        return token, word.capitalize() if token.text[0].isupper() else word, "number"
    return None


def _member(sentence: Sentence, token: Token, seed: int) -> tuple[Token, str, str] | None:
    """Another of the class the word belongs to, chosen by the sentence, so that the same sentence gives the same word."""
    lower = token.text if token.pos == "PROPN" else token.lower
    name = word_classes().get(lower)
    if name is None or _part_of_name(sentence, token, name):
        return None
    present = {t.lower for t in sentence.tokens}
    others = [word for word in class_members()[name] if word.lower() not in present]
    if not others:
        return None
    word = others[int.from_bytes(draw(f"{seed}/{sentence.text}/{token.start}"), "big") % len(others)]
    return token, word, "name" if name.startswith("name ") else "co-hyponym"


def _part_of_name(sentence: Sentence, token: Token, name: str) -> bool:
    """A city inside "Chicago Tribune" is not a city; a first name may have a surname behind it."""
    if token.pos != "PROPN" or name == "name first":
        return False
    around = [t for t in sentence.tokens if abs(t.i - token.i) == 1 and t.pos == "PROPN"]
    return any(not sentence.text[min(t.end, token.end) : max(t.start, token.start)].strip() for t in around)


def _opposite(token: Token) -> tuple[Token, str, str] | None:
    if token.pos not in ("ADJ", "ADV", "NOUN", "VERB") or not token.text.islower():
        return None
    word = antonyms().get((token.lower, token.pos))
    if word is not None:
        return token, word, "antonym"
    # Only the plain form: an antonym in WordNet is a lemma.
    found = _wordnet(token.lemma, token.pos) if token.lemma == token.lower else None
    return (token, found, "antonym") if found else None


@cache
def _wordnet(lemma: str, pos: str) -> str | None:
    """The antonym an installed WordNet gives to the first sense of a word."""
    lexicon = _installed()
    if lexicon is None:
        return None
    import wn

    letter = {"ADJ": "a", "ADV": "r", "NOUN": "n", "VERB": "v"}[pos]
    for word in wn.words(lemma, pos=letter, lexicon=lexicon)[:1]:
        for sense in word.senses()[:SENSES]:
            for other in sense.get_related("antonym"):
                return str(other.word().lemma())
    return None


@cache
def _installed() -> str | None:
    """An English WordNet that the `wn` package has, if any."""
    try:
        import wn
    except ImportError:
        return None
    found = [lexicon for lexicon in wn.lexicons() if lexicon.language == "en"]
    return f"{found[0].id}:{found[0].version}" if found else None
