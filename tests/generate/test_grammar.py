import pytest

from grice.generate import grammar
from grice.generate.grammar import BE, Subject, Verb, VerbPhrase

MEND = VerbPhrase(Verb("mend", "mends", "mended", "mended", "mending"), "the kite", "event")
FIND = VerbPhrase(Verb("find", "finds", "found", "found", "finding"), "a coin", "moment")
OWN = VerbPhrase(Verb("own", "owns", "owned", "owned", "owning"), "a barn", "state")
TIRED = VerbPhrase(BE, "tired", "state")
ANA, NURSES = Subject("Ana", False, "f"), Subject("the nurses", True)


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("apple", "an"),
        ("hour", "an"),
        ("honest man", "an"),
        ("unicycle", "a"),
        ("uncle", "an"),
        ("unimportant note", "an"),
        ("European city", "a"),
        ("one-way ticket", "a"),
        ("umbrella", "an"),
        ("ukulele", "a"),
        ("house", "a"),
        ("union leader", "a"),
    ],
)
def test_the_article_goes_by_sound(word: str, article: str) -> None:
    assert grammar.a(word) == f"{article} {word}"


@pytest.mark.parametrize(
    ("phrase", "tense", "plural", "told", "denied"),
    [
        (MEND, "present", False, "is mending the kite", "isn't mending the kite"),
        (MEND, "present", True, "are mending the kite", "aren't mending the kite"),
        (MEND, "past", False, "mended the kite", "didn't mend the kite"),
        (MEND, "future", True, "will mend the kite", "won't mend the kite"),
        (FIND, "present", False, "has found a coin", "hasn't found a coin"),
        (OWN, "present", False, "owns a barn", "doesn't own a barn"),
        (OWN, "present", True, "own a barn", "don't own a barn"),
        (TIRED, "past", True, "were tired", "weren't tired"),
        (TIRED, "present", False, "is tired", "isn't tired"),
        (TIRED, "future", False, "will be tired", "won't be tired"),
    ],
)
def test_verbs_agree_and_take_do_support(
    phrase: VerbPhrase, tense: str, plural: bool, told: str, denied: str
) -> None:
    assert grammar.tell(phrase, tense, plural) == told
    assert grammar.deny(phrase, tense, plural) == denied


def test_negation_can_be_written_in_full() -> None:
    assert grammar.deny(MEND, "past", contracted=False) == "did not mend the kite"
    assert grammar.negate("can", contracted=False) == "cannot"
    assert grammar.negate("may") == "may not"


@pytest.mark.parametrize(
    ("subject", "phrase", "tense", "asked"),
    [
        (ANA, MEND, "past", "Did Ana mend the kite?"),
        (NURSES, MEND, "present", "Do the nurses mend the kite?"),
        (ANA, OWN, "present", "Does Ana own a barn?"),
        (ANA, TIRED, "future", "Will Ana be tired?"),
        (NURSES, TIRED, "past", "Were the nurses tired?"),
    ],
)
def test_questions_put_the_auxiliary_first(
    subject: Subject, phrase: VerbPhrase, tense: str, asked: str
) -> None:
    assert grammar.question(subject, phrase, tense) == asked


@pytest.mark.parametrize(
    ("determiner", "singular", "plural", "text"),
    [
        ("a", "egg", "eggs", "an egg"),
        ("a", "tea", "", "tea"),
        ("the", "", "jeans", "the jeans"),
        ("a", "", "jeans", "jeans"),
        ("bare", "pear", "pears", "pears"),
        ("thes", "pear", "pears", "the pears"),
        ("these", "pear", "pears", "these pears"),
    ],
)
def test_determiners_ask_for_a_number(
    determiner: str, singular: str, plural: str, text: str
) -> None:
    assert grammar.noun_phrase(determiner, singular, plural) == text


def test_possessives_follow_number() -> None:
    assert grammar.possessive("the nurses", plural=True) == "the nurses'"
    assert grammar.possessive("Lars") == "Lars's"
    assert grammar.possessive("the boss") == "the boss's"
