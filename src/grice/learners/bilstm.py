"""PragmEval's BiLSTM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice.learners.training.learner import WordVectorLearner


class Bilstm(WordVectorLearner):
    """A BiLSTM over word vectors, max-pooled; two texts side by side, and one hidden layer."""

    kind = "bilstm"
    shape: Mapping[str, Any] = {"pool": "max", "lstm": 256, "hidden": 256}
