"""PragmEval's CBoW."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice.learners.training.learner import WordVectorLearner


class Cbow(WordVectorLearner):
    """The mean of word vectors, of a text or of two matched ones (u, v, |u−v|, u·v), and one hidden layer."""

    kind = "cbow"
    shape: Mapping[str, Any] = {"pool": "mean", "hidden": 512, "matched": True}
