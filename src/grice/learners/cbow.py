"""PragmEval's CBoW."""

from __future__ import annotations

from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner


class Cbow(WordVectorLearner):
    """The mean of word vectors, of a text or of two matched ones (u, v, |u−v|, u·v), and one hidden
    layer.
    """

    kind = "cbow"
    shape = NetShape("mean", hidden=512, matched=True)
