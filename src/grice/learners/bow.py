"""Bag of words: the rival of IMPPRES that knows no order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice.learners.training.learner import WordVectorLearner


class Bow(WordVectorLearner):
    """Summed word vectors of premise and hypothesis side by side, and a softmax regression on them."""

    kind = "bow"
    shape: Mapping[str, Any] = {"pool": "sum"}
