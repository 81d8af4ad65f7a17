"""Writes docs/surface_cues.md: what two classifiers without understanding get from every phenomenon.

python benchmarks/surface_cues.py            (about a minute)
"""

from __future__ import annotations

from pathlib import Path

from grice.checks.leakage import measure_leakage
from grice.core.estimate import Estimate
from grice.core.shelf import PHENOMENA
from grice.generate.phenomenon import Phenomenon

PAGE = Path(__file__).parents[1] / "docs/surface_cues.md"
PAIRS, SEED, MARGIN = 3000, 1, 0.03
HEAD = f"""# What the surface gives away

A model may be right for the wrong reason. Two classifiers that understand nothing are trained on every phenomenon ({PAIRS:,} pairs, seed {SEED},
five folds that never cut a group in two): *hypothesis only* sees the bag of the hypothesis's
words, *word counts* only how long both sentences are, by how much they differ, and how many words they share. *Chance* is the share of the
commonest label. An accuracy is bold where its 95% interval lies more than {MARGIN:.2f} above chance; the reason, read off the design of the
paradigm and not tested apart, stands below the table.
`grice check NAME` prints the same for any dataset. Made by `python benchmarks/surface_cues.py`.

| phenomenon | reading | chance | hypothesis only | word counts | reason |
|---|---|---|---|---|---|
"""
REASONS = {
    ("implicature", "hypothesis only"): ("a", "Some rows of these scales carry no implicature (numerals under negation, belief): their hypotheses are fewer, and known by their words."),
    ("implicature", "word counts"): ("b", "Each of the paradigm's four sentences is premise and hypothesis as often under each label, so neither alone tells anything. Two fillers are as far apart in their words as the implicatures; where the four sentences are unlike in length (may not, doesn't have to; neither … nor, not both), that tells which two of them meet. The controls by themselves are at chance."),
    ("presupposition", "hypothesis only"): ("c", "The paper's design: the hypothesis is the presupposition, its denial, or one about something else, so a denial in the hypothesis goes with contradiction in whatever environment the premise is. IMPPRES as released gives .62 to .73."),
    ("presupposition", "word counts"): ("d", "The neutral hypothesis is about someone or something else and shares a word less with the premise; controls repeat the premise almost whole. IMPPRES as released gives .56 to .95."),
    ("context", "hypothesis only"): ("i", "On the reading `default` the question changes nothing, so the denial of the stronger sentence follows more often."),
    ("context", "word counts"): ("i", "What is taken back is said in one more sentence, and the stronger sentence then stands in the premise word for word."),
    ("deniability", "hypothesis only"): ("e", "The hypothesis is the sentence or its denial, and denials go with contradiction more often."),
    ("deniability", "word counts"): ("e", "The hypothesis is the sentence or its denial, and denials go with contradiction more often."),
    ("veridicality", "hypothesis only"): ("f", "Some signatures have verbs for a few kinds of deed only."),
    ("veridicality", "word counts"): ("f", "Some signatures are found with one kind of complement only, and a that-clause and a negation make the premise longer; a verb that takes in another makes it longest, and from most of those nothing follows."),
    ("conjunction", "hypothesis only"): ("g", "A connective in the hypothesis means that a conjunct was added or replaced, a denial that one is denied: the operation shows, and labels go with operations."),
    ("conjunction", "word counts"): ("h", "Removing shortens and adding lengthens, so the operation shows, and labels go with operations; a control (each, both, either) is longer than what it controls for."),
}  # fmt: skip


def main() -> None:
    lines, notes = [], {}
    for name in PHENOMENA.names():
        phenomenon: Phenomenon = PHENOMENA.find(name)
        data = phenomenon.make(min(phenomenon.capacity, max(5, PAIRS // phenomenon.rows)), SEED)
        table = measure_leakage(data)
        for row in table.rows:
            chance = table.cell(row, "chance")
            assert chance is not None
            cells, marks = [f"{chance.value:.3f}"], []
            for column in table.columns[1:]:
                got = table.cell(row, column)
                above = got is not None and got.low is not None and got.low > chance.value + MARGIN
                cells.append(shown(got, above))
                if above:
                    mark, reason = REASONS[phenomenon.kind, column]
                    marks.append(mark)
                    notes[mark, column] = reason
            lines.append(f"| {name} | {row[1]} | {' | '.join(cells)} | {' '.join(dict.fromkeys(marks))} |")
        print(lines[-1])
    told = [f"- **{mark}** ({column}): {reason}" for (mark, column), reason in sorted(notes.items())]
    PAGE.write_text(HEAD + "\n".join(lines) + "\n\n" + "\n".join(told) + "\n", encoding="utf-8")


def shown(got: Estimate | None, above: bool) -> str:
    if got is None:
        return "–"
    text = f"{got.value:.3f} [{got.low:.3f}, {got.high:.3f}]"
    return f"**{text}**" if above else text


if __name__ == "__main__":
    main()
