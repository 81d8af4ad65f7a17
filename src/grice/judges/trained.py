"""Any model that `grice train` saved, whichever learner made it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import sha256_of
from grice.core.item import Question
from grice.core.judgement import Computes, Judge, Judgement, best
from grice.core.scale import Scale
from grice.judges._engines import arithmetic
from grice.judges._lessons import TASK, Example, Lesson, seen
from grice.judges._scores import short, softmax

NOTE, BODY = "grice.json", "body"
BATCH = 64


def trained(name: str, **settings: str) -> Judge:
    """`trained/FOLDER`: a folder that `grice train` wrote; it sees of a pair what its learner saw.

    Encoders take the settings of `encoder/…`; the others take none.
    """
    folder = Path(name)
    note = _note(folder)
    if note["kind"] in ("encoder", "distilled"):
        from grice.judges.encoder import Encoder

        inner = Encoder(str(folder), **settings)
        return Seen(f"trained/{name}", inner, note["side"]) if note["side"] != "both" else inner
    if note["kind"] == "srl":
        raise InputError(
            f"trained/{name}: a role labeller answers no question; give it to predicate_aware as -M srl={name}"
        )
    if settings:
        raise InputError(f"trained/{name}: a '{note['kind']}' takes no settings, not {', '.join(settings)}")
    return Net(f"trained/{name}", folder, note["kind"], note["side"])


@dataclass(frozen=True)
class Seen:
    """A judge that is shown only what its learner saw: of a pair, the hypothesis."""

    name: str
    inner: Judge
    side: str

    @property
    def identity(self) -> Mapping[str, Any]:
        return {**self.inner.identity, "side": self.side}

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        return self.inner.arithmetic if isinstance(self.inner, Computes) else {}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        shown = [Question(q.id, *seen(q.premise, q.hypothesis, self.side)) for q in questions]
        yield from self.inner.judge(shown, scale)


class Net:
    """A net over word vectors, or a predicate-aware encoder, as it was saved."""

    def __init__(self, name: str, folder: Path, kind: str, side: str) -> None:
        self.name, self.folder, self.kind, self.side = name, folder, kind, side

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        weights = sorted(self.folder.rglob("*.safetensors"))
        return {
            "kind": self.kind,
            "side": self.side,
            **{str(path.relative_to(self.folder)): sha256_of(path) for path in weights},
        }

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """In fp32 on the best device there is, as `judge` asks for."""
        return arithmetic(None, device="", dtype="", what=self.name)

    @cached_property
    def _pupil(self) -> Any:
        if self.kind == "predicate_aware":
            from grice.judges._srl import FusedPupil

            return FusedPupil.load(self.folder)
        from grice.judges._nets import NetPupil

        return NetPupil.load(self.folder)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        from grice.judges._pupils import said

        own: Scale = Scale.from_json(_note(self.folder)["scale"])
        if scale.numeric != own.numeric or sorted(scale.labels) != sorted(own.labels):
            raise InputError(f"{self.name} answers on {own}, not on {scale}; ask on its own scale")
        asked = list(questions)
        target = own.labels[0] if own.labels else 0.5
        examples = [Example(*seen(q.premise, q.hypothesis, self.side), target) for q in asked]
        if not examples:
            return
        rows = self._pupil.rows(Lesson(TASK, own, examples))
        answers = said(self._pupil, rows, BATCH, bf16=False)
        for question, scores in zip(asked, answers, strict=True):
            yield _judgement(question.id, scores, own, scale)


def _judgement(item: str, scores: Any, own: Scale, scale: Scale) -> Judgement:
    if own.labels:
        probs = {
            label: short(p) for label, p in zip(own.labels, softmax(scores[None])[0].tolist(), strict=True)
        }
        probs = {label: probs[label] for label in scale.labels}
        return Judgement(item, best(probs), probs=probs)
    assert scale.low is not None and scale.high is not None
    import math

    share = 1 / (1 + math.exp(-float(scores[0])))
    return Judgement(item, short(scale.low + share * (scale.high - scale.low)))


def _note(folder: Path) -> dict[str, Any]:
    path = folder / NOTE
    if not path.is_file():
        raise InputError(
            f"{folder}: holds no {NOTE}, so grice train did not write it; use encoder/{folder} for other checkpoints"
        )
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
