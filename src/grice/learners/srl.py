"""Semantic role labelling, ConjNLI's appendix A.3: what `predicate_aware` builds on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, bad_line
from grice.core.files import data_folder, read_json_lines
from grice.core.scale import Scale
from grice.learners.training.arguments import Plan
from grice.learners.training.examples import TASK, Example, Lesson
from grice.learners.training.learner import Taught
from grice.models.checkpoint import checkpoint


class Srl(Taught):
    """Tags each word's role for a marked predicate; reads files of `{"words", "predicate", "tags"}` a line.

    Paper: five epochs at 5e-5 with BERT-base; the small packaged encoder wants a higher rate.
    """

    kind = "srl"
    usual = Plan(epochs=5, batch=32, rate=2e-4, measure="span_f1")
    own: Mapping[str, str] = {"base": "all-MiniLM-L6-v2"}

    @staticmethod
    def file(name: str) -> Path:
        """A file by its path, or `srl/train` below the data folder."""
        return Path(name) if Path(name).is_file() else data_folder() / f"{name}.jsonl.gz"

    def read(self, name: str) -> Lesson:
        """The file's sentences, one predicate each, with every tag that occurs."""
        path = self.file(name)
        examples = [_example(path, number, line) for number, line in read_json_lines(path)]
        tags = sorted({str(tag) for one in examples for tag in one.target if tag != "O"})  # type: ignore[union-attr]
        kinds = sorted({tag[2:] for tag in tags})
        both = [f"{mark}-{kind}" for kind in kinds for mark in "BI"]
        return Lesson(TASK, Scale(labels=("O", *both)), examples)

    def tag(self, lessons: Sequence[Lesson], dev: Mapping[str, Lesson], ask: Mapping[str, Lesson]) -> Tagger:
        """Train on the first lesson's tags; there is no scale to answer on, so this makes no judge."""
        import torch

        from grice.learners.training.loop import teach
        from grice.learners.training.pupils import said
        from grice.learners.training.scores import span_f1

        torch.manual_seed(self.plan.seed)
        pupil = self.pupil(lessons)
        result = teach(pupil, lessons, dev, self.plan, folder=self.out, told=self.told)
        pupil.save(self.out, {"kind": self.kind, "side": "both", "plan": vars(self.plan), "dev": result.best})
        scores = {} if result.best is None else {"span F1": round(result.best, 4)}
        for name, lesson in ask.items():
            rows = pupil.rows(lesson)
            found = span_f1(said(pupil, rows, self.plan.batch * 4), [row.target for row in rows])
            scores[f"span F1 {name}"] = round(found, 4)
        return Tagger(f"srl/{self.out}", scores)

    def pupil(self, lessons: Sequence[Lesson]) -> Any:
        from grice.learners.training.srl import SrlPupil

        if not isinstance(lessons[0].examples[0].target, tuple):
            raise InputError(
                "'srl' learns from files of words with tags, not from a dataset; see: grice show learners/srl"
            )
        folder = checkpoint(self.options["base"], provider="encoder").folder
        return SrlPupil(folder, lessons[0].scale.labels, longest=self.plan.max_length)


@dataclass(frozen=True)
class Tagger:
    """A trained role labeller: its folder, and its span F1 on the dev files and on those asked besides."""

    name: str
    scores: Mapping[str, float]


def _example(path: Path, number: int, line: Any) -> Example:
    try:
        words, tags, predicate = list(line["words"]), tuple(line["tags"]), int(line["predicate"])
    except (KeyError, TypeError, ValueError):
        remedy = 'each line is {"words": […], "predicate": 0, "tags": […]}'
        raise bad_line(path, number, "no words with a predicate and tags", remedy) from None
    if len(words) != len(tags) or not 0 <= predicate < len(words):
        raise bad_line(
            path, number, f"{len(words)} words, {len(tags)} tags, predicate {predicate}", "give a tag a word"
        )
    return Example(" ".join(word.replace(" ", "_") for word in words), str(predicate), tags)
