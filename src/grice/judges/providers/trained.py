"""Any model that `grice train` saved, whichever learner made it."""

from __future__ import annotations

from pathlib import Path

from grice.core.errors import InputError
from grice.core.judgement import Judge, LoadsJudge
from grice.core.shelf import LEARNERS
from grice.models.trained_folder import read_note


def trained(name: str, **settings: str) -> Judge:
    """`trained/FOLDER`: a folder that `grice train` wrote; it sees of a pair what its learner saw.

    Encoders take the settings of `encoder/…`; the others take none. A learner of one's own is loaded from its file, which
    the folder names, so that its code is run.
    """
    kind = read_note(Path(name))["kind"]
    learner = LEARNERS.find(kind)
    if not isinstance(learner, LoadsJudge):
        raise InputError(f"trained/{name}: the learner '{kind}' cannot load it; give it a method load_judge")
    return learner.load_judge(name, **settings)
