"""The readings under which a pair can have an answer, each with a description."""

from __future__ import annotations

READINGS = {
    "logical": "what the words mean and nothing more: *some* leaves *all* open",
    "pragmatic": "what a cooperative speaker is taken to mean: *some* and not *all*",
    "exact": "a numeral taken as *exactly* that many",
    "presuppositional": (
        "the stronger word takes something for granted, also when it is denied: *finish* the start,"
        " *know* the truth"
    ),
    "attitude": (
        "what *wish* takes for granted is the belief of the one who wishes, not a fact (Heim 1992)"
    ),
    "existential": "what *none* takes for granted holds of someone, not of all (Beaver 2001)",
    "existence": "a cleft takes for granted only that someone did it, not how many did (Horn 1981)",
    "asserted": (
        "*only Ana* says both that she did and that no one else did, so that under an operator both"
        " are open (Atlas 1993)"
    ),
    "salient": (
        "*Ana's car* is the car that is meant, and she may have others (Coppock and Beaver 2015)"
    ),
    "default": (
        "implicatures are drawn whatever was asked, unless the speaker cannot know (Levinson 2000)"
    ),
    "signature": "what the verb's signature says of its complement",
    "class": (
        "what the class of a predicate in the literature says of its clause: *know* takes it for"
        " granted, *be right* says it"
    ),
    "label": "the one answer there is",
}
# What the one answer counts as following, where the kind of pair decides it.
LABEL_OF_KIND = {
    "presupposition": (
        "what is said or taken for granted; the latter also under *not*, *if*, *perhaps* and in a"
        " question"
    )
}


def describe_reading(reading: str, kind: str | None = None) -> str:
    """Describe a reading for pairs of a kind; an unknown reading is described by its name.

    >>> describe_reading("exact")
    'a numeral taken as *exactly* that many'
    >>> describe_reading("label", "presupposition")
    'what is said or taken for granted; the latter also under *not*, ...'
    """
    if reading == "label" and kind in LABEL_OF_KIND:
        return LABEL_OF_KIND[kind]
    return READINGS.get(reading, f"the answer under the reading *{reading}*")
