"""Any model that `grice train` saved, of any learner."""

from __future__ import annotations

from pathlib import Path

from grice.core.errors import InputError
from grice.core.judgement import Judge, LoadsJudge
from grice.core.shelf import LEARNERS
from grice.models.trained_folder import read_note


def trained(name: str, *, learner: str = "", **settings: str) -> Judge:
    """Load `trained/FOLDER`, which `grice train` wrote; it sees of a pair what its learner saw.

    Encoders take the settings of `encoder/…`; the others take none. A model of a learner of your
    own needs `-M learner=./mine.py`: a folder from elsewhere never decides which code is run.
    """
    kind = str(read_note(Path(name))["kind"])
    if kind.endswith(".py") and not learner:
        raise InputError(
            f"trained/{name}: was made by {kind}, whose code would be run; if you trust it: -M"
            f" learner={kind}"
        )
    loader = LEARNERS.find(learner or kind)
    if not isinstance(loader, LoadsJudge):
        raise InputError(
            f"trained/{name}: the learner '{learner or kind}' cannot load it; give it a method"
            " load_judge"
        )
    return loader.load_judge(name, **settings)
