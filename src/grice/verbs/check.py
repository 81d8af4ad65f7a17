"""What `grice check` does: look for what is wrong with a set of pairs."""

from __future__ import annotations

from grice.checks.check import check_dataset
from grice.checks.findings import CheckReport
from grice.core.dataset import Dataset
from grice.core.shelf import DATASETS, split_name
from grice.generate.lexicon import vocabulary
from grice.generate.suites import balanced_conditions
from grice.loading import load


def check(
    data: str | Dataset,
    *,
    leaks: bool = True,
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> CheckReport:
    """Look for repeats, clashing labels, slips, imbalance and surface cues in a set of pairs.

    `data` is a Dataset, or what `grice.load` takes: the name of a dataset, phenomenon or suite, your own
    `./mine.py`, or a file of pairs; for a file, `premise`, `hypothesis` and `label` name its columns and `labels` its
    labels in order (`a,b,c`). `leaks` also trains the two classifiers that look for labels on the surface. The
    report has the findings, the worst first, and `failed`: whether any of them is an error.

    >>> report = check("quantifiers", leaks=False)
    >>> report.n, report.failed
    (1400, False)
    """
    name = data if isinstance(data, str) else data.name
    if isinstance(data, str):
        data = load(data, premise=premise, hypothesis=hypothesis, label=label, labels=labels)
    # The release called imppres promises no balance; the suite of that name does.
    balanced = {} if split_name(name)[0] in DATASETS.names() else balanced_conditions(name)
    return check_dataset(data, balanced=balanced, vocabulary=vocabulary(), leaks=leaks)
