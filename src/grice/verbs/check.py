"""What `grice check` does: look for what is wrong with a set of pairs, a run's folder, or a campaign's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grice.checks.check import check_dataset
from grice.checks.findings import SEVERITIES, CheckReport, Finding
from grice.core.check_run import check_run
from grice.core.damage import Damage
from grice.core.dataset import Dataset
from grice.core.run_folder import HEADER
from grice.core.shelf import DATASETS, split_name
from grice.generate.lexicon import vocabulary
from grice.generate.suites import balanced_conditions
from grice.loading import load
from grice.profiling.chapter import load_chapters


def check(
    data: str | Dataset,
    *,
    leaks: bool = True,
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> CheckReport:
    """Look for repeats, clashing labels, slips, imbalance and surface cues in a set of pairs, or for damage at rest.

    `data` is a Dataset, or what `grice.load` takes: the name of a dataset, phenomenon or suite, your own
    `./mine.py`, or a file of pairs; for a file, `premise`, `hypothesis` and `label` name its columns and `labels` its
    labels in order (`a,b,c`). `leaks` also trains the two classifiers that look for labels on the surface. The
    report has the findings, the worst first, and `failed`: whether any of them is an error. Of the folder of a run, or
    of a campaign's file, every line or answer is compared with its checksum.

    >>> report = check("quantifiers", leaks=False)
    >>> report.n, report.failed
    (1400, False)
    """
    name = data if isinstance(data, str) else data.name
    if isinstance(data, str) and (Path(data) / HEADER).is_file():
        return _at_rest(data, *check_run(Path(data)))
    if isinstance(data, str) and data.endswith(".toml") and Path(data).is_file():
        return _at_rest(data, *_check_campaign(data))
    if isinstance(data, str):
        data = load(data, premise=premise, hypothesis=hypothesis, label=label, labels=labels)
    # The release called imppres promises no balance; the suite of that name does.
    balanced = {} if split_name(name)[0] in DATASETS.names() else balanced_conditions(name)
    found = check_dataset(data, balanced=balanced, vocabulary=vocabulary(), leaks=leaks)
    more = _chapters(data, own=split_name(name)[0].endswith(".py"))
    return replace(
        found, findings=tuple(sorted((*found.findings, *more), key=lambda one: SEVERITIES.index(one.severity)))
    )


def _chapters(data: Dataset, *, own: bool) -> list[Finding]:
    """In which chapter of the page the data stand, and what they lack for the others; a kind without its chapter is a warning."""
    filled = {column for column in data.frame.columns if data.frame[column].null_count() < len(data)}
    kinds = set(data.frame["tag.kind"]) if "tag.kind" in filled else set()
    there, lacking = [], []
    found: list[Finding] = []
    for chapter in load_chapters():
        missing = [column for column in chapter.needs if column not in filled]
        more = [column for column in chapter.also if column not in filled]
        if chapter.needs and not missing:
            there.append(chapter.name + (f" (with {_named(more)} it has more figures)" if more else ""))
        elif missing:
            lacking.append(f"{chapter.name} lacks {_named(missing)}")
        if missing and chapter.name in kinds:
            detail = (
                f"kind is {chapter.name}, and the chapter of that name does not read it: it lacks {_named(missing)}"
            )
            found.append(Finding("chapter", "warning", len(data), len(data), detail))
    if own:
        stands = f"stands in {' and '.join(there)}" if there else "stands in no chapter but 'other'"
        found.append(Finding("chapter", "note", 0, len(data), f"{stands}; {'; '.join(lacking)}"))
    return found


def _named(columns: Sequence[str]) -> str:
    """`gold.logical` as the reading logical, `tag.role` as the tag role."""
    words = {"gold": "the reading", "tag": "the tag"}
    return " and ".join(f"{words[kind]} {name}" for kind, _, name in (column.partition(".") for column in columns))


def _check_campaign(path: str) -> tuple[list[Damage], int]:
    from grice.verbs.collect import look_at

    with look_at(path) as (store, asked):
        from grice.collecting.verify import check_store

        return check_store(store, asked)


def _at_rest(name: str, found: Sequence[Damage], n: int) -> CheckReport:
    """Damage as findings, each an error."""
    return CheckReport(name, n, tuple(Finding(d.check, "error", d.count, d.n, d.detail, d.examples) for d in found))
