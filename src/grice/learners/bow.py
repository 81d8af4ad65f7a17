"""Bag of words: the rival of IMPPRES that knows no order."""

from __future__ import annotations

from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner


class Bow(WordVectorLearner):
    """Summed word vectors of premise and hypothesis, and a softmax regression on them."""

    kind = "bow"
    shape = NetShape("sum")
