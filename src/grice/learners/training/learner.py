"""What every learner shares: settings as words, data into lessons, the loop, and a saved folder that is a judge."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError, MissingExtra, unknown
from grice.core.judgement import Judge
from grice.core.settings import truth
from grice.learners.training.arguments import Plan, plan_keys, recipe
from grice.learners.training.examples import TASK, Lesson, lesson

if TYPE_CHECKING:
    from grice.core.dataset import Dataset

SIDES = ("both", "hypothesis")
Told = Callable[[Any], None]


class Taught:
    """A learner. `out`: the folder to save to (one of its own if empty); `hypothesis_only=true` hides the premise.

    `reading`: which gold to learn; `recipe`: a paper's numbers; any number of the plan may be set by its name
    (`epochs`, `batch`, `rate`, `warmup`, `weight_decay`, `clip`, `precision`, `measure`, `patience`, `balanced`, `seed`, …).
    """

    kind = ""
    usual = Plan()
    own: Mapping[str, str] = {}

    def __init__(self, *, out: str | Path = "", told: Told | None = None, **settings: Any) -> None:
        if find_spec("torch") is None or find_spec("accelerate") is None:
            raise MissingExtra(f"training '{self.kind}'", "train")
        known = plan_keys() | {"hypothesis_only", "reading", "recipe", *self.own}
        for key in settings:
            if key not in known:
                raise unknown(f"setting of '{self.kind}'", key, known)
        self.out = Path(out) if out else Path(tempfile.mkdtemp(prefix=f"grice-{self.kind}-"))
        self.told = told
        start = recipe(settings["recipe"]) if settings.get("recipe") else self.usual
        self.plan = start.changed({key: value for key, value in settings.items() if key in plan_keys()})
        hidden = truth("hypothesis_only", settings.get("hypothesis_only", False))
        self.side = "hypothesis" if hidden else "both"
        self.reading = str(settings.get("reading", ""))
        self.options = {key: str(settings.get(key, usual)) for key, usual in self.own.items()}

    def lesson(self, data: Dataset, *, task: str = TASK, sample: int | None = None) -> Lesson:
        return lesson(data, task=task, reading=self.reading, side=self.side, sample=sample)

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        """A new judge; the learner stays as it was, and fitting again from its folder is fine-tuning."""
        return self.teach([self.lesson(train)], {} if dev is None else {"dev": self.lesson(dev)})[0]

    def teach(self, lessons: Sequence[Lesson], dev: Mapping[str, Lesson]) -> list[Judge]:
        """Lessons of one task or several; one judge a task. `dev` chooses the epoch by the mean of its sets."""
        import torch

        from grice.judges.providers.trained import trained
        from grice.learners.training.loop import teach

        torch.manual_seed(self.plan.seed)
        pupil = self.pupil(lessons)
        result = teach(pupil, lessons, dev, self.plan, folder=self.out, told=self.told)
        note = {
            "kind": self.kind,
            "side": self.side,
            "settings": self.options,
            "plan": vars(self.plan),
            "examples": {f"{place}:{one.task}": len(one.examples) for place, one in enumerate(lessons)},
            "best epoch": result.best_epoch,
            "dev": result.best,
        }
        return [trained(str(place)) for place in pupil.save(self.out, note)]

    def pupil(self, lessons: Sequence[Lesson]) -> Any:
        """The untrained model, ready for these lessons."""
        raise NotImplementedError


class WordNet(Taught):
    """A net over word vectors. `vectors`: a text file of them, `glove` for the package, or empty for the packaged encoder's."""

    usual = Plan(epochs=4, batch=64, rate=1e-3, weight_decay=0.0, max_length=64)
    own: Mapping[str, str] = {"vectors": ""}
    shape: Mapping[str, Any] = {}

    def pupil(self, lessons: Sequence[Lesson]) -> Any:
        from grice.learners.training.nets import NetPupil, Shape
        from grice.learners.training.vectors import vectors

        if len({one.task for one in lessons}) > 1:
            raise InputError(
                f"'{self.kind}' learns one task at a time; several tasks need the learner 'encoder'"
            )
        texts = [text for one in lessons for e in one.examples for text in (e.first, e.second or "")]
        pairs = lessons[0].examples[0].second is not None
        made = Shape(
            **{**self.shape, **({"dropout": self.plan.dropout} if self.plan.dropout is not None else {})}
        )
        return NetPupil(
            made,
            vectors(self.options["vectors"], texts),
            lessons[0].scale,
            pairs=pairs,
            longest=self.plan.max_length,
        )
