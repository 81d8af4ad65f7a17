"""ESIM (Chen et al. 2017), the older model of ConjNLI's Section 6.1."""

from __future__ import annotations

from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner


class Esim(WordVectorLearner):
    """BiLSTMs whose words are aligned across the pair, mean- and max-pooled; one hidden layer."""

    kind = "esim"
    shape = NetShape("aligned", lstm=200, hidden=200)
