"""InferSent (Conneau et al. 2017), the sentence encoder of IMPPRES."""

from __future__ import annotations

from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner


class Infersent(WordVectorLearner):
    """Each text by a BiLSTM with max pooling; the pair as u, v, |u−v|, u·v; one hidden layer."""

    kind = "infersent"
    shape = NetShape("max", lstm=512, hidden=512, matched=True)
