"""Models of a paper that learn from those of another experiment in place of the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grice.core.errors import InputError
from grice.learners.training.folder import DONE, WEIGHTS
from grice.papers.experiment import ExperimentSettings, TrainingJob

OF_TEACHING = ("extra", "temperature")


def split_teachers(
    options: ExperimentSettings, *kinds: str
) -> tuple[dict[str, str], ExperimentSettings, ExperimentSettings]:
    """Return the teachers' experiment of each kind, and the settings with and without theirs.

    A kind without teachers has an empty name. The first settings are of jobs that are distilled,
    the second of all others.
    """
    named = {
        key: options.settings[key]
        for key in ("teachers", *(f"{kind}.teachers" for kind in kinds))
        if key in options.settings
    }
    full = {key: value for key, value in options.settings.items() if key not in named}
    # Without teachers there is nothing that takes these, and they are refused as any other name.
    plain = {k: v for k, v in full.items() if not named or k.rpartition(".")[2] not in OF_TEACHING}
    teachers = {kind: named.get(f"{kind}.teachers", named.get("teachers", "")) for kind in kinds}
    return teachers, replace(options, settings=full), replace(options, settings=plain)


def distill(
    job: TrainingJob, teachers: str, names: Sequence[str], *, alike: Sequence[str] = ()
) -> TrainingJob:
    """Return the job, distilled from all models of these names in another experiment.

    Every finished seed with stored weights is a teacher.

    One that is not finished, there where others are being trained, does not teach. `alike` are sets
    whose texts the teachers label too.
    """
    done = (
        path.parent for name in names for path in (Path(teachers) / name).glob(f"seed-*/{DONE}")
    )
    teacher_folders = sorted(folder for folder in done if any(folder.glob(WEIGHTS)))
    if not teacher_folders:
        raise InputError(
            f"{teachers}: no model of {names[0].rpartition('/')[2]} to learn from; train it there"
            " first, weights kept"
        )
    more = {"teacher": ",".join(map(str, teacher_folders)), "teacher_epochs": "0", "extra": "1"}
    spec = replace(job.spec, unlabelled=alike)
    return replace(job, learner="distilled", spec=spec, settings={**more, **job.settings})
