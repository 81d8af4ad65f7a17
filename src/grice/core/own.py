"""Judges from a user's own file: their identity has its checksum, their errors are one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError
from grice.core.files import sha256_of
from grice.core.item import Question
from grice.core.judgement import CAPABILITIES, Judge, Judgement, Learner
from grice.core.scale import Scale
from grice.core.shelf import own_fault

if TYPE_CHECKING:
    from grice.core.dataset import Dataset


class OwnJudge:
    """Judge of a user's own file, with the same capabilities."""

    def __init__(self, inner: Any, path: Path, source: Mapping[str, Any]) -> None:
        self.inner, self.path, self.source = inner, path, source

    @property
    def name(self) -> str:
        """Name of the judge, or of its file."""
        return str(getattr(self.inner, "name", "") or self.path.stem)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Identity given by the judge, the checksum of its file, and its settings."""
        return {**getattr(self.inner, "identity", {}), **self.source}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the judge's replies; report any error inside it on one line that names the file."""
        try:
            for reply in self.inner.judge(questions, scale):
                if not isinstance(reply, Judgement):
                    remedy = "yield grice.Judgement(question.id, answer)"
                    raise InputError(
                        f"{self.path}: judge() gave a {type(reply).__name__}; {remedy}"
                    )
                yield reply
        except Exception as error:
            raise own_fault(self.path, error) from error


class OwnLearner:
    """Learner of a user's own file; its fitted judges are judges of that file."""

    def __init__(self, inner: Learner, path: Path, source: Mapping[str, Any]) -> None:
        self.inner, self.path, self.source = inner, path, source

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        """Return the judge that the learner gives."""
        try:
            fitted = self.inner.fit(train, dev)
        except Exception as error:
            raise own_fault(self.path, error) from error
        return _as_judge(fitted, self.path, self.source)


def own_judge(value: Any, path: Path, settings: Mapping[str, Any]) -> Judge | Learner:
    """Return a user's object as a judge or learner whose identity has its file and settings."""
    source: dict[str, Any] = {
        "source": sha256_of(path),
        "settings": {key: str(setting) for key, setting in settings.items()},
    }
    if isinstance(value, Learner) and not _is_judge(value):
        return OwnLearner(value, path, source)
    return _as_judge(value, path, source)


def _is_judge(value: Any) -> bool:
    """Return whether a value can judge; a class cannot, but what it makes."""
    return callable(getattr(value, "judge", None)) and not isinstance(value, type)


def _as_judge(value: Any, path: Path, source: Mapping[str, Any]) -> OwnJudge:
    """Return the judge with a property for each of its capabilities.

    The properties are on the class, because declared capabilities are looked up there.
    """
    if not _is_judge(value):
        raise InputError(
            f"{path}: '{path.stem}' gives a {type(value).__name__} and no judge; give an object"
            " with name and judge(questions, scale), which yields grice.Judgement"
        )
    names = {name for kind in CAPABILITIES for name in vars(kind) if not name.startswith("_")}
    members = {
        name: property(attrgetter(f"inner.{name}")) for name in names if hasattr(value, name)
    }
    kind: type[OwnJudge] = type("OwnJudge", (OwnJudge,), members)
    return kind(value, path, source)
