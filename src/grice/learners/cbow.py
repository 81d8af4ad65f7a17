"""PragmEval's CBoW."""

from __future__ import annotations

from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner


class Cbow(WordVectorLearner):
    """A mean of word vectors, of one text or two matched ones, and one hidden layer.

    Two texts u and v are matched as (u, v, |u−v|, u·v).
    """

    kind = "cbow"
    shape = NetShape("mean", hidden=512, matched=True)
