"""Three frames in which a number counts something, shared by the two numeral phenomena."""

from __future__ import annotations

from collections.abc import Callable

from grice.generate import grammar
from grice.generate._everyday import batches
from grice.generate._scenes import TIES, crowds
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, word_list
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Conditions, Draw, Phenomenon, Slots

# A number to the clause that has it, and its denial.
NumberFrame = Callable[[str], tuple[str, str]]


# By when so many were done.
BY = word_list("times by which")


def object_frame(draw: Draw, subject: str) -> NumberFrame:
    """Return the frame "Ana is buying two chairs", or "By noon Ana had bought two chairs".

    It has the batch that was drawn.
    """
    batch, past = draw["batch"], draw.cell["tense"] == "past"
    who = f"{draw.rng.pick(BY)} {subject}" if past else subject

    def frame(number: str) -> tuple[str, str]:
        phrase = VerbPhrase(batch.verb, f"{number} {batch.rest.removeprefix('the ')}")
        yes, no, does = (
            ("had", "hadn't", phrase.participle) if past else ("is", "isn't", phrase.gerund)
        )
        return grammar.join(who, yes, does), grammar.join(who, no, does)

    return frame


def existential_frame(draw: Draw, who: str) -> NumberFrame:
    """Return the frame "There are two guests at the wedding"."""
    be = grammar.be(draw.cell["tense"], plural=True)
    return lambda number: (
        grammar.join("there", be, number, who),
        grammar.join("there", grammar.negate(be), number, who),
    )


def possession_frame(draw: Draw, subject: str, nouns: str) -> NumberFrame:
    """Return the frame "Ana has got two sisters", or "Ana had two sisters"."""
    past = draw.cell["tense"] == "past"
    has, has_not = ("had", "didn't have") if past else ("has got", "hasn't got")
    return lambda number: (
        grammar.join(subject, has, number, nouns),
        grammar.join(subject, has_not, number, nouns),
    )


def numeral_phenomenon(
    name: str,
    mates: tuple[str, str],
    size: str,
    possession_slots: Callable[[Words], Slots],
    possession: Callable[[Draw], tuple[str, str]],
) -> Phenomenon:
    """Define a phenomenon of a weaker and a stronger numeral, with a third reading, exact.

    `size` is that of the batches and crowds counted; `possession` gives who has what.
    """

    def slots(words: Words, cell: Conditions) -> Slots:
        if cell["frame"] == "object":
            return {"batch": batches(size), "subject": words.people}
        if cell["frame"] == "existential":
            return {"crowd": crowds(size), "tie": TIES}
        return possession_slots(words)

    def clauses(draw: Draw) -> ScaleClauses:
        match draw.cell["frame"]:
            case "object":
                say = object_frame(draw, draw["subject"].text)
            case "existential":
                say = existential_frame(draw, draw["crowd"].text(draw["tie"]))
            case _:
                say = possession_frame(draw, *possession(draw))
        (weak, not_weak), (strong, not_strong) = (say(number) for number in mates)
        return ScaleClauses(weak, strong, not_weak, not_strong)

    tags = {"trigger": f"numeral_{'-'.join(mates)}", "scale": " - ".join(mates)}
    return scalar_phenomenon(
        name,
        slots=slots,
        build=lambda draw: scalar_rows(draw, clauses, tags, kind="numeral"),
        kind="numeral",
        conditions={"frame": ("object", "existential", "possession"), "tense": ("present", "past")},
        fixed=("there", "be", "have", "get"),
        marked=("frame", "tense"),
    )
