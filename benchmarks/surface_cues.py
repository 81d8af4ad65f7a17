"""Writes docs/surface_cues.md: what classifiers without understanding get from every phenomenon.

python benchmarks/surface_cues.py            (some ten minutes of one core)
"""

from __future__ import annotations

from pathlib import Path

from grice.checks.leakage import CHANCE, ENCODER, inference_rows, measure_leakage
from grice.core.estimate import Estimate
from grice.core.judgement import HasVectors
from grice.core.shelf import PHENOMENA
from grice.generate.phenomenon import Phenomenon
from grice.generate.suites import IMPPRES
from grice.loading import load_judge

PAGE = Path(__file__).parents[1] / "docs/surface_cues.md"
PAIRS, SEED, MARGIN = 2000, 1, 0.03
JUDGE = "st/all-MiniLM-L6-v2"
COLUMNS = (CHANCE, "hypothesis only", ENCODER, "premise only", "overlap", "word counts")
HEAD = f"""# Surface cues

A model may be correct for the wrong reason. Classifiers on surface features are trained on every phenomenon ({PAIRS:,} pairs, seed {SEED},
five folds, split by group): *hypothesis only* and *premise only* use the bag of words of one sentence, *overlap* the numbers of shared words
and of new words of the hypothesis, *word counts* also the lengths and their difference. *Encoder* is a head on the vectors of a
trained sentence encoder ({JUDGE}) of the hypothesis only, for the sixteen phenomena of IMPPRES. *Chance* is the majority baseline. An accuracy is bold
if its 95% confidence interval lies more than {MARGIN:.2f} above chance; the reason, from the design of the paradigm and not tested separately, is below the table.
`grice check NAME` prints the same for any dataset, with `--encoder {JUDGE}` the encoder too. Written by `python benchmarks/surface_cues.py`.

The papers' own controls (does the plain sentence follow from its negation? are opposites contradictory?) mostly have one label, and are left out; targets, pairs for balance, and controls without the trigger are measured.

**Presuppositions.** A target entails its presupposition and contradicts the negation; the same sentence without the trigger leaves both open, and unrelated hypotheses are always open. Therefore *neutral* is the
most frequent label (.60), and neither the hypothesis nor the number of shared words predicts more. `predicates` has the items of an experiment, without additions.

**Scales.** Pairs about somebody else, with or without their source, or with a remark, give each hypothesis and each number of new words the labels that they lack, except for `modals` and `may_have_to`, whose rules may hold for everybody.
`dialogues`, `scalar_contexts`, conjunctions and veridicality promise no balance: there the context, the operation or the verb determines the label.

The encoder finds no cue: its predictions are balanced over the labels, which is below the majority baseline.

| phenomenon | reading | {" | ".join(COLUMNS)} | reason |
|---|---|{"---|" * len(COLUMNS)}---|
"""
J = (
    "j",
    (
        "A premise tells which answers can be right: nothing follows from what is said of others,"
        " and a sentence without its trigger leaves open what is asked."
    ),
)
REASONS = {
    ("implicature", "premise only"): J,
    ("implicature", "overlap"): (
        "b",
        "Denials of a rule have more words of their own than what they deny (is not allowed to).",
    ),
    ("implicature", "word counts"): (
        "b",
        "Denials are longer than what they deny, and a source or a remark makes a premise longer.",
    ),
    ("presupposition", "hypothesis only"): (
        "c",
        (
            "The clause of a predicate is so or left open, and never denied; whether the plain"
            " sentence is so is asked as often each way. Balance is not promised."
        ),
    ),
    ("presupposition", "premise only"): J,
    ("presupposition", "overlap"): (
        "d",
        (
            "Controls have the whole plain sentence, targets the clause within it. Balance is not"
            " promised."
        ),
    ),
    ("presupposition", "word counts"): (
        "d",
        (
            "A negation has a word or two more than what it negates, and a sentence without its"
            " trigger is shorter or longer than with it. IMPPRES as released gives .56 to .95."
        ),
    ),
    ("context", "hypothesis only"): (
        "i",
        (
            "On the reading `default` the question changes nothing, so the denial of the stronger"
            " sentence follows more often."
        ),
    ),
    ("context", "premise only"): (
        "i",
        (
            "What the speaker knows and what is asked stand in the premise: where nothing follows,"
            " it says so."
        ),
    ),
    ("context", "overlap"): (
        "i",
        "What is taken back is said in one more sentence, which has the hypothesis's words.",
    ),
    ("context", "word counts"): (
        "i",
        (
            "What is taken back is said in one more sentence, and the stronger sentence then stands"
            " in the premise word for word."
        ),
    ),
    ("cancellability", "premise only"): (
        "e",
        "What takes an inference back stands in the premise.",
    ),
    ("cancellability", "word counts"): ("e", "What takes an inference back makes it longer."),
    ("veridicality", "hypothesis only"): (
        "f",
        "Some signatures have verbs for a few kinds of deed only.",
    ),
    ("veridicality", "premise only"): ("f", "The verb in the premise is what the label rests on."),
    ("veridicality", "word counts"): (
        "f",
        (
            "Some signatures are found with one kind of complement only, and a that-clause and a"
            " negation make the premise longer; a verb that takes in another makes it longest, and"
            " from most of those nothing follows."
        ),
    ),
    ("conjunction", "hypothesis only"): (
        "g",
        (
            "A connective in the hypothesis means that a conjunct was added or replaced, a denial"
            " that one is denied: the operation shows, and labels go with operations."
        ),
    ),
    ("conjunction", "premise only"): ("g", "The same of the premise."),
    ("conjunction", "overlap"): (
        "h",
        "Removing shortens and adding lengthens, so the operation shows.",
    ),
    ("conjunction", "word counts"): (
        "h",
        (
            "Removing shortens and adding lengthens, so the operation shows, and labels go with"
            " operations; a control (each, both, either) is longer than what it controls for."
        ),
    ),
}


def main() -> None:
    encoder = load_judge(JUDGE)
    assert isinstance(encoder, HasVectors)
    lines, notes = [], {}
    for name in PHENOMENA.names():
        phenomenon: Phenomenon = PHENOMENA.find(name)
        data = inference_rows(
            phenomenon.make(min(phenomenon.capacity, max(5, PAIRS // phenomenon.rows)), SEED)
        )
        table = measure_leakage(data, embed=encoder.embed if name in IMPPRES else None)
        for row in table.rows:
            chance = table.cell(row, CHANCE)
            assert chance is not None
            cells, marks = [f"{chance.value:.3f}"], []
            for column in COLUMNS[1:]:
                got = table.cell(row, column) if column in table.columns else None
                above = got is not None and got.low is not None and got.low > chance.value + MARGIN
                cells.append(shown(got, above))
                if above and (phenomenon.kind, column) in REASONS:
                    mark, reason = REASONS[phenomenon.kind, column]
                    marks.append(mark)
                    notes[mark, column] = reason
            lines.append(
                f"| {name} | {row[1]} | {' | '.join(cells)} | {' '.join(dict.fromkeys(marks))} |"
            )
            print(lines[-1], flush=True)
    told = [
        f"- **{mark}** ({column}): {reason}" for (mark, column), reason in sorted(notes.items())
    ]
    PAGE.write_text(HEAD + "\n".join(lines) + "\n\n" + "\n".join(told) + "\n", encoding="utf-8")


def shown(got: Estimate | None, above: bool) -> str:
    if got is None:
        return "–"
    text = f"{got.value:.3f} [{got.low:.3f}, {got.high:.3f}]"
    return f"**{text}**" if above else text


if __name__ == "__main__":
    main()
