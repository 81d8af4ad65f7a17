"""English, as far as the phenomena need it: pure functions from words to text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# present, past or future
Tense = str


class Verb(NamedTuple):
    base: str
    third: str
    past: str
    participle: str
    gerund: str


class VerbPhrase(NamedTuple):
    """A verb and all that follows it ("repair" + "the bicycle"); its forms are whole phrases."""

    verb: Verb
    rest: str = ""
    aspect: str = ""

    @property
    def base(self) -> str:
        return join(self.verb.base, self.rest)

    @property
    def third(self) -> str:
        return join(self.verb.third, self.rest)

    @property
    def past(self) -> str:
        return join(self.verb.past, self.rest)

    @property
    def participle(self) -> str:
        return join(self.verb.participle, self.rest)

    @property
    def gerund(self) -> str:
        return join(self.verb.gerund, self.rest)

    def then(self, *more: str) -> VerbPhrase:
        """The same phrase with something after it: a place, a time."""
        return VerbPhrase(self.verb, join(self.rest, *more), self.aspect)


class Subject(NamedTuple):
    """A noun phrase in third person; gender is f, m or empty."""

    text: str
    plural: bool = False
    gender: str = ""


BE = Verb("be", "is", "was", "been", "being")
# "a" or "an" goes by sound; these begin otherwise than they are spelt.
_AN = ("hour", "honest", "honour", "heir")
_A = (
    "uni",
    "use",
    "usu",
    "euro",
    "one",
    "ewe",
    "ukulele",
    "utensil",
    "eulogy",
    "unanim",
    "ute",
    "uranium",
    "utility",
    "utop",
)
_A_NOT = ("unin", "unim")


def join(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def article(word: str) -> str:
    """The indefinite article that goes before `word`."""
    low = word.lower()
    if low.startswith(_AN):
        return "an"
    if low.startswith(_A) and not low.startswith(_A_NOT):
        return "a"
    return "an" if low[:1] in "aeiou" else "a"


def a(phrase: str) -> str:
    """The phrase with its indefinite article: "an hour", "a unicycle"."""
    return f"{article(phrase)} {phrase}"


def noun_phrase(determiner: str, singular: str, plural: str) -> str:
    """The noun under a determiner: the, a, some-less bare, these, this … with the number it asks for.

    `bare` gives the plural or the mass noun alone; `thes` the definite plural. A mass noun is never counted.
    """
    if determiner == "bare":
        return plural or singular
    if determiner == "thes":
        return f"the {plural or singular}"
    if determiner in ("these", "those") and plural:
        return f"{determiner} {plural}"
    if determiner == "a" and singular and plural:
        return a(singular)
    if determiner == "a":
        return plural or singular
    return f"{determiner} {singular or plural}"


def sentence(*parts: str, end: str = ".") -> str:
    """The parts as a sentence: one space between, a capital at the start, a mark at the end."""
    text = join(*parts)
    return text[:1].upper() + text[1:] + end


def ask(*parts: str) -> str:
    return sentence(*parts, end="?")


def be(tense: Tense, plural: bool = False) -> str:
    if tense == "future":
        return "will be"
    if tense == "past":
        return "were" if plural else "was"
    return "are" if plural else "is"


def do(tense: Tense, plural: bool = False) -> str:
    """The auxiliary of negation and question."""
    if tense == "future":
        return "will"
    if tense == "past":
        return "did"
    return "do" if plural else "does"


def have(tense: Tense, plural: bool = False) -> str:
    if tense == "future":
        return "will have"
    if tense == "past":
        return "had"
    return "have" if plural else "has"


def negate(auxiliary: str, contracted: bool = True) -> str:
    """The auxiliary with its negation: "doesn't", "does not"; "can" gives "can't" and "cannot"."""
    head, _, tail = auxiliary.partition(" ")
    if contracted:
        negated = {
            "will": "won't",
            "can": "can't",
            "am": "am not",
            "may": "may not",
            "might": "might not",
        }.get(head, f"{head}n't")
    else:
        negated = "cannot" if head == "can" else f"{head} not"
    return join(negated, tail)


def finite(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """The phrase in a tense, agreeing: "repairs the bicycle"."""
    if phrase.verb is BE:
        return join(be(tense, plural), phrase.rest)
    if tense == "future":
        return f"will {phrase.base}"
    if tense == "past":
        return phrase.past
    return phrase.base if plural else phrase.third


def negated(phrase: VerbPhrase, tense: Tense, plural: bool = False, *, contracted: bool = True) -> str:
    """The phrase denied, with do-support where the verb needs it: "didn't repair the bicycle"."""
    if phrase.verb is BE:
        return join(negate(be(tense, plural), contracted), phrase.rest)
    return f"{negate(do(tense, plural), contracted)} {phrase.base}"


def question(subject: Subject, phrase: VerbPhrase, tense: Tense) -> str:
    """A yes–no question: "Did Ana repair the bicycle?"."""
    if phrase.verb is BE:
        head, _, tail = be(tense, subject.plural).partition(" ")
        return ask(head, subject.text, tail, phrase.rest)
    return ask(do(tense, subject.plural), subject.text, phrase.base)


def tell(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """The phrase as one would tell it: the present of an event is progressive, that of a moment the perfect."""
    if tense != "present" or phrase.aspect == "state":
        return finite(phrase, tense, plural)
    return perfect(phrase, tense, plural) if phrase.aspect == "moment" else progressive(phrase, tense, plural)


def deny(phrase: VerbPhrase, tense: Tense, plural: bool = False, *, contracted: bool = True) -> str:
    """What `tell` tells, denied: "isn't repairing the bicycle"."""
    if tense != "present" or phrase.aspect == "state":
        return negated(phrase, tense, plural, contracted=contracted)
    if phrase.aspect == "moment":
        return f"{negate(have(tense, plural), contracted)} {phrase.participle}"
    return f"{negate(be(tense, plural), contracted)} {phrase.gerund}"


def ask_whether(subject: Subject, phrase: VerbPhrase, tense: Tense) -> str:
    """What `tell` tells, as a yes–no question: "Is Ana repairing the bicycle?"."""
    if tense != "present" or phrase.aspect == "state":
        return question(subject, phrase, tense)
    if phrase.aspect == "moment":
        return ask(have(tense, subject.plural), subject.text, phrase.participle)
    return ask(be(tense, subject.plural), subject.text, phrase.gerund)


def progressive(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    return f"{be(tense, plural)} {phrase.gerund}"


def perfect(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    return f"{have(tense, plural)} {phrase.participle}"


def passive(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """Only the verb and its tail: the caller makes the object the subject."""
    return f"{be(tense, plural)} {phrase.participle}"


def possessive(owner: str, plural: bool = False) -> str:
    """ "Ana's", "Lars's", "the nurses'"."""
    return f"{owner}'" if plural and owner.endswith("s") else f"{owner}'s"


def coordinate(items: Sequence[str], word: str = "and") -> str:
    """ "A and B", "A, B and C"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def conditional(condition: str, consequence: str) -> str:
    """ "If …, then …." from two clauses without capitals or marks."""
    return sentence(f"if {condition}, then {consequence}")


def cleft(
    focus: str, clause: str, tense: Tense = "present", *, pronoun: str = "who", negative: bool = False
) -> str:
    """ "it was Ana who called", without capital or mark."""
    verb = be(tense)
    return join("it", negate(verb) if negative else verb, focus, pronoun, clause)


def relative(noun: str, clause: str, pronoun: str = "who") -> str:
    return join(noun, pronoun, clause)


def lower(text: str) -> str:
    """A sentence made ready to be embedded: no mark; the capital goes unless a name begins it."""
    text = text.rstrip(".?!")
    head = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if head.lower() in _OPENERS else text


_OPENERS = frozenset(
    [
        "the",
        "a",
        "an",
        "some",
        "all",
        "no",
        "not",
        "this",
        "that",
        "these",
        "those",
        "my",
        "his",
        "her",
        "their",
        "our",
        "your",
        "it",
        "there",
        "every",
        "each",
        "both",
        "neither",
        "either",
        "none",
        "most",
        "few",
        "many",
        "two",
        "three",
        "ten",
        "one",
        "he",
        "she",
        "they",
        "we",
        "you",
        "if",
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "will",
        "can",
    ]
)
PRONOUNS = {"f": ("she", "her", "her"), "m": ("he", "him", "his"), "": ("they", "them", "their")}
