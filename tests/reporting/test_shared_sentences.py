"""Every sentence of a result, rendered once with sample values, for review in one file."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from grice.core.estimate import Estimate
from grice.core.shelf import CHAPTERS
from grice.reporting.claims import Diagnosis, GateCheck, State, Test, Value, Verdict
from grice.reporting.sentences import DIAGNOSES, REASONS, reason_text, render, render_clauses

GOLDEN = Path(__file__).parents[1] / "golden" / "sentences.md"
MODULES = ("grice.profiling.projection",)
RATE = Estimate(0.62, 480, 0.58, 0.66)
SAMPLES: dict[str, Value] = {
    "": RATE,
    "baseline": 0.33,
    "needed": 0.6,
    "unit": "paradigms",
    "needed_paradigms": 6,
    "n": 480,
    "paradigms": 40,
    "label": "neutral",
    "parent": "implicature",
    "family": 41,
    "p": 0.08,
    "what": "share of inferences",
    "best": "80%",
    "worst": "31%",
    "best_name": "wording=1",
    "worst_name": "wording=3",
    "explained": "constant_answer",
    "mass": 0.012,
    "position": 1,
    "due": 0.41,
    "n_due": 197,
    "operator": "interrogative",
    "data": "core",
    "common": "neutral",
    "majority": 0.41,
    "words": 58,
    "ceiling": 0.94,
    "title": "Scalar inference by scale",
    "sets": 16,
    "passing": 14,
    "shuffled": 0.33,
    "low": 0.0,
    "high": 0.99,
}
NAMES = [
    "kept",
    "lost",
    "blocked",
    "most",
    "few",
    "logical_sets",
    "pragmatic_sets",
    "weakest",
    "names",
    "wrong_kinds",
    "wrong_answers",
]


def sample(template: str) -> dict[str, Value]:
    fields = {name for _, name, _, _ in Formatter().parse(template) if name}
    samples = SAMPLES | dict.fromkeys(NAMES, ("negated", "modal"))
    return {name: samples.get(name, RATE) for name in fields}


def verdicts() -> Iterator[tuple[str, str, Verdict]]:
    chapters = [f"grice.profiling.chapters.{name}" for name in CHAPTERS.names()]
    for module in (*chapters, *MODULES):
        for name, value in sorted(vars(importlib.import_module(module)).items()):
            if isinstance(value, Verdict):
                yield module.rpartition(".")[2], name, value


def rendered() -> str:
    lines = ["# Sentences of results, with sample values", "", "## Reasons", ""]
    for test in Test:
        check = GateCheck(test, State.FAIL, sample(REASONS[test][1]))
        short = render(REASONS[test][0], sample(REASONS[test][0]))
        lines.append(f"- `{test}`: {short} — {reason_text(check)}")
    lines += ["", "## Diagnoses", ""]
    for code in Diagnosis:
        headline, text = (render(template, sample(template)) for template in DIAGNOSES[code])
        lines.append(f"- `{code}`: {headline} {text}")
    lines += ["", "## Verdicts", ""]
    for module, _, verdict in verdicts():
        values = sample("".join(verdict.clauses))
        text = render_clauses(verdict.clauses, values)
        lines.append(f"- {module} `{verdict.code}` ({verdict.chip}): {verdict.headline} {text}")
    return "\n".join(lines) + "\n"


def test_rendered_sentences_equal_the_golden_file() -> None:
    """Write the file anew with `python -m tests.reporting.test_shared_sentences`."""
    assert rendered() == GOLDEN.read_text(encoding="utf-8")


def test_headlines_are_short_and_have_no_numbers() -> None:
    headlines = [verdict.headline for _, _, verdict in verdicts()]
    assert len(headlines) > 15
    for headline in headlines:
        assert 0 < len(headline) <= 90 and not any(letter.isdigit() for letter in headline)


def test_every_code_has_its_sentence() -> None:
    assert set(REASONS) == set(Test) and set(DIAGNOSES) == set(Diagnosis)


if __name__ == "__main__":
    GOLDEN.write_text(rendered(), encoding="utf-8")
