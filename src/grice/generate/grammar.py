"""English grammar as needed by the phenomena: pure functions from words to text."""

from __future__ import annotations

from typing import NamedTuple

# present, past or future
Tense = str


class Verb(NamedTuple):
    """The five forms of a verb: repair, repairs, repaired, repaired, repairing."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


class VerbPhrase(NamedTuple):
    """A verb and its complements ("repair" + "the bicycle"); its forms are complete phrases."""

    verb: Verb
    rest: str = ""
    aspect: str = ""

    @property
    def base(self) -> str:
        """The dictionary form: "repair the bicycle"."""
        return join(self.verb.base, self.rest)

    @property
    def third(self) -> str:
        """The third person singular: "repairs the bicycle"."""
        return join(self.verb.third, self.rest)

    @property
    def past(self) -> str:
        """The past tense: "repaired the bicycle"."""
        return join(self.verb.past, self.rest)

    @property
    def participle(self) -> str:
        """The past participle: "repaired the bicycle"."""
        return join(self.verb.participle, self.rest)

    @property
    def gerund(self) -> str:
        """The ing-form: "repairing the bicycle"."""
        return join(self.verb.gerund, self.rest)

    def extend(self, *more: str) -> VerbPhrase:
        """Return the phrase with something added at its end: a place, a time."""
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
    """Join the parts with one space; empty ones are left out."""
    return " ".join(part for part in parts if part)


def article(word: str) -> str:
    """Return the indefinite article that goes before `word`."""
    low = word.lower()
    sounds_as_consonant = low.startswith(_A) and not low.startswith(_A_NOT)
    return "an" if low.startswith(_AN) or (low[:1] in "aeiou" and not sounds_as_consonant) else "a"


def a(phrase: str) -> str:
    """Return the phrase with its indefinite article: "an hour", "a unicycle"."""
    return f"{article(phrase)} {phrase}"


def noun_phrase(determiner: str, singular: str, plural: str) -> str:
    """Return the noun with a determiner (the, a, this, these …), in the number it requires.

    `bare` gives the plural or the mass noun alone; `thes` the definite plural. A mass noun is never
    counted.
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
    """Join the parts as a sentence, with an initial capital and a final mark."""
    text = join(*parts)
    return text[:1].upper() + text[1:] + end


def ask(*parts: str) -> str:
    """Join the parts as a question."""
    return sentence(*parts, end="?")


def be(tense: Tense, plural: bool = False) -> str:
    """Return the form of "be" in a tense."""
    present, past = ("are", "were") if plural else ("is", "was")
    return {"future": "will be", "past": past}.get(tense, present)


def do(tense: Tense, plural: bool = False) -> str:
    """Return the auxiliary of negation and question."""
    return {"future": "will", "past": "did"}.get(tense, "do" if plural else "does")


def have(tense: Tense, plural: bool = False) -> str:
    """Return the form of "have" in a tense."""
    return {"future": "will have", "past": "had"}.get(tense, "have" if plural else "has")


def negate(auxiliary: str, contracted: bool = True) -> str:
    """Negate the auxiliary: "doesn't", "does not"; "can" gives "can't" and "cannot"."""
    head, _, tail = auxiliary.partition(" ")
    odd = {"will": "won't", "can": "can't", "am": "am not", "may": "may not", "might": "might not"}
    full = "cannot" if head == "can" else f"{head} not"
    return join(odd.get(head, f"{head}n't") if contracted else full, tail)


def inflect(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """Return the phrase in a simple tense: "repairs the bicycle"."""
    if phrase.verb is BE:
        return join(be(tense, plural), phrase.rest)
    if tense == "future":
        return f"will {phrase.base}"
    if tense == "past":
        return phrase.past
    return phrase.base if plural else phrase.third


def inflect_negated(
    phrase: VerbPhrase, tense: Tense, plural: bool = False, *, contracted: bool = True
) -> str:
    """Negate the phrase in a simple tense: "didn't repair the bicycle".

    "Do" is added where the verb needs it.
    """
    if phrase.verb is BE:
        return join(negate(be(tense, plural), contracted), phrase.rest)
    return f"{negate(do(tense, plural), contracted)} {phrase.base}"


def question(subject: Subject, phrase: VerbPhrase, tense: Tense) -> str:
    """Return a yes–no question: "Did Ana repair the bicycle?"."""
    if phrase.verb is BE:
        head, _, tail = be(tense, subject.plural).partition(" ")
        return ask(head, subject.text, tail, phrase.rest)
    return ask(do(tense, subject.plural), subject.text, phrase.base)


def tell(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """Return the phrase in narrative form, by tense and aspect.

    The present of an event is progressive, that of a moment perfect.
    """
    if tense != "present" or phrase.aspect == "state":
        return inflect(phrase, tense, plural)
    return (
        perfect(phrase, tense, plural)
        if phrase.aspect == "moment"
        else progressive(phrase, tense, plural)
    )


def deny(phrase: VerbPhrase, tense: Tense, plural: bool = False, *, contracted: bool = True) -> str:
    """Return the negation of what `tell` returns: "isn't repairing the bicycle"."""
    if tense != "present" or phrase.aspect == "state":
        return inflect_negated(phrase, tense, plural, contracted=contracted)
    if phrase.aspect == "moment":
        return f"{negate(have(tense, plural), contracted)} {phrase.participle}"
    return f"{negate(be(tense, plural), contracted)} {phrase.gerund}"


def progressive(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """Return the progressive of the phrase: "is repairing the bicycle"."""
    return f"{be(tense, plural)} {phrase.gerund}"


def perfect(phrase: VerbPhrase, tense: Tense, plural: bool = False) -> str:
    """Return the perfect of the phrase: "has repaired the bicycle"."""
    return f"{have(tense, plural)} {phrase.participle}"


def possessive(owner: str, plural: bool = False) -> str:
    """Return the possessive form: "Ana's", "Lars's", "the nurses'"."""
    return f"{owner}'" if plural and owner.endswith("s") else f"{owner}'s"
