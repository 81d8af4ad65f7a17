"""PragmEval's BiLSTM."""

from __future__ import annotations

from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner


class Bilstm(WordVectorLearner):
    """A BiLSTM over word vectors, max-pooled; two texts side by side, and one hidden layer."""

    kind = "bilstm"
    shape = NetShape("max", lstm=256, hidden=256)
