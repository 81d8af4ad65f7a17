"""A Python function as a judge."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judge_spec import JudgeSpec
from grice.core.judgement import Judge, Judgement, Learner, best
from grice.core.scale import Answer, Scale

JudgeFunction = Callable[[str, str | None], Answer | Mapping[str, float] | None]


class FunctionJudge:
    """Judge that calls a function with the premise and the hypothesis of each item.

    The function returns a label or number of the scale, a mapping from labels to probabilities, or
    None for no answer.

    >>> from grice.core.scale import NLI
    >>> judge = FunctionJudge(lambda premise, hypothesis: "neutral")
    >>> [reply.answer for reply in judge.judge([Question("a", "Bo left.", "Bo ran.")], NLI)]
    ['neutral']
    """

    def __init__(self, function: JudgeFunction) -> None:
        self.function = function
        name = getattr(function, "__name__", type(function).__name__)
        self.name = f"function/{name.strip('<>')}"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The name of the function and a hash of its source."""
        try:
            source = inspect.getsource(self.function)
        except (OSError, TypeError):  # typed at a prompt
            code = getattr(self.function, "__code__", None)
            source = f"{code.co_code.hex()} {code.co_consts}" if code else repr(self.function)
        return {"function": self.name, "source": hashlib.sha256(source.encode()).hexdigest()}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield what the function returns for each question."""
        for question in questions:
            value = self.function(question.premise, question.hypothesis)
            if value is None:
                yield Judgement(question.id, fault="unreadable: the function returned None")
            elif isinstance(value, Mapping):
                probs = {str(label): float(share) for label, share in value.items()}
                if not probs.keys() <= set(scale.labels):
                    odd = next(label for label in probs if label not in scale.labels)
                    raise InputError(
                        f"{self.name} gives a probability to '{odd}', which is not on the scale"
                        f" {scale}; use its labels"
                    )
                yield Judgement(question.id, best(probs), probs=probs)
            elif isinstance(value, str | int | float):
                yield Judgement(question.id, value)
            else:
                raise InputError(
                    f"{self.name} returns a {type(value).__name__}; return a label, a number, a"
                    " dict of probabilities, or None"
                )


def as_judge(value: Judge | Learner | JudgeSpec | JudgeFunction) -> Judge | Learner | JudgeSpec:
    """Return a function as a judge, and a judge, a learner or a specification unchanged."""
    if isinstance(value, JudgeSpec):
        return value
    # An isinstance check of a protocol would read what makes a judge's identity.
    if hasattr(value, "judge") or hasattr(value, "fit"):
        return cast(Judge | Learner, value)
    if not callable(value) or isinstance(value, type):
        name = getattr(value, "__name__", type(value).__name__)
        raise InputError(f"a judge is provider/name, a judge, or a function, not {name}")
    return FunctionJudge(value)
