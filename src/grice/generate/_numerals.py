"""What the two phenomena of numerals share: three frames in which a number counts something."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grice.generate import grammar
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.paradigm import TENSE_AND_NEGATION, Contrast, ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Conditions, Draw, NewItem, Phenomenon, Slots

# A number to the clause that has it, and its denial.
NumberFrame = Callable[[str], tuple[str, str]]
WHY = (
    'Three readings. Logical: "two" is "at least two" and its denial "fewer than two". Pragmatic: "two" implicates "not three"; but "not '
    'three" implicates no number, so those three rows keep their logical label (in one of the two published versions they are neutral, in '
    'the other they follow "some" and "all"). Exact: "two" is "exactly two" and its denial any other number. Numbers stand where '
    "negation has scope over them: in the object, after \"there\", or after \"have\"."
)  # fmt: skip


def _tense_and_negation(draw: Draw) -> tuple[str, bool]:
    return draw.cell["tense"], draw.cell["negation"] == "contracted"


def object_frame(draw: Draw, subject: str) -> NumberFrame:
    """The frame "Ana bought two chairs", with the batch that was drawn."""
    batch, (tense, contracted) = draw["batch"], _tense_and_negation(draw)

    def frame(number: str) -> tuple[str, str]:
        phrase = VerbPhrase(batch.verb, f"{number} {batch.rest.removeprefix('the ')}")
        return (
            grammar.join(subject, grammar.tell(phrase, tense)),
            grammar.join(subject, grammar.deny(phrase, tense, contracted=contracted)),
        )

    return frame


def existential_frame(draw: Draw, who: str) -> NumberFrame:
    """The frame "There are two guests at the wedding"."""
    tense, contracted = _tense_and_negation(draw)
    be = grammar.be(tense, plural=True)
    denied = grammar.negate(be, contracted)
    return lambda number: (grammar.join("there", be, number, who), grammar.join("there", denied, number, who))


def possession_frame(draw: Draw, subject: str, nouns: str) -> NumberFrame:
    """The frame "Ana has two sisters"."""
    tense, contracted = _tense_and_negation(draw)
    denied = grammar.negate(grammar.do(tense), contracted)
    return lambda number: (
        grammar.join(subject, grammar.have(tense), number, nouns),
        grammar.join(subject, denied, "have", number, nouns),
    )


def frame_rows(
    draw: Draw, frame: Callable[[Draw], NumberFrame], weak: str, strong: str, *, contrast: str
) -> list[NewItem]:
    """The fourteen pairs of two numbers in a frame; the controls take another option of the slot `contrast`."""

    def clauses(draw: Draw) -> ScaleClauses:
        (yes_weak, no_weak), (yes_strong, no_strong) = (frame(draw)(number) for number in (weak, strong))
        return ScaleClauses(yes_weak, yes_strong, no_weak, no_strong)

    tags = {"trigger": f"numeral_{weak}-{strong}", "scale": f"{weak} - {strong}"}
    return scalar_rows(draw, clauses, tags, kind="numeral", contrast=Contrast(contrast))


def numeral_phenomenon(
    name: str, what: str, slots: Callable[[Words, Conditions], Slots], build: Callable[[Draw], Sequence[NewItem]]
) -> Phenomenon:
    """A phenomenon of a weaker and a stronger numeral, with a third reading, exact."""
    return scalar_phenomenon(
        name,
        what=what,
        why=WHY,
        slots=slots,
        build=build,
        kind="numeral",
        conditions={"frame": ("object", "existential", "possession"), **TENSE_AND_NEGATION},
        fixed=("there", "be", "have"),
        marked=("frame", "tense"),
        references=("Horn (1992), The Said and the Unsaid.",),
    )
