"""Other data with one gold label per item: accuracy by dataset, macro-F1 and majority baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grice.analysis.accuracy import accuracy
from grice.analysis.f1 import f1
from grice.analysis.statistics.baselines import correctness
from grice.analysis.statistics.paired import holm
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import CONSTANT, INCONCLUSIVE, FingerprintRows
from grice.profiling.gate import LEVEL, ScoreSpec, claim_gate, shuffled_marks, shuffled_share
from grice.profiling.own import confusion_figure, tag_figures
from grice.profiling.phrases import data_name, estimate_of, select
from grice.profiling.sheets import AGREED, AnswerSheet, examples, numbers
from grice.reporting.claims import ClaimNumber, Gate, Value, Verdict
from grice.reporting.model import Figure, Mark, MarkKind, Number

RIGHT, F1 = "right", "macro-F1"
READS = Verdict(
    "right",
    "above baseline",
    "Is more often correct than its baselines.",
    (
        "On {data} it is correct in {overall:share}; always {common} would be correct in"
        " {majority:round}.",
    ),
)
READS_LABELS = Verdict(
    "right_labels",
    "tells labels apart",
    "Tells the labels apart, but is not more often correct than one label throughout.",
    (
        "On {data} its balanced accuracy is {balanced:share} (best constant label: {chance:round});"
        " its accuracy is {overall:share} (always {common}: {majority:round}).",
    ),
)
READS_SOME = Verdict(
    "right_some",
    "above baseline",
    "Is more often correct than its baselines on some datasets.",
    (
        "On {n:n} of {sets:n} other datasets it is significantly above the majority and the"
        " shuffled-answer baseline (Holm)",
        ": {names}",
        ".",
    ),
)
WHAT = (
    "Data without a paradigm that this page knows: the share of right answers, and their"
    " macro-averaged F1 over all labels of the data."
)
GOOD = "The gold label. An item with several gold readings counts only if they agree."


def _write(sheets: Sequence[AnswerSheet]) -> Findings:
    """Write one section for all such data, with a row for each dataset."""
    first = sheets[0]
    short = _short([sheet.data.name for sheet in sheets])
    flat_numbers = [
        replace(number, row=short[sheet.data.name])
        for sheet in sheets
        for number in _numbers(sheet)
    ]
    marks = tuple(
        Mark(
            short[sheet.data.name],
            RIGHT,
            _majority(sheet)[0],
            f"most frequent answer: {_majority(sheet)[1]}",
            MarkKind.CONSTANT,
        )
        for sheet in sheets
    )
    gates = {short[sheet.data.name]: _gate(sheet) for sheet in sheets}
    single = _single(first, flat_numbers, *gates.values()) if len(sheets) == 1 else None
    gates = dict.fromkeys(gates, single.gate) if single else gates
    finding = replace(
        single or _several(gates),
        numbers=tuple(
            number
            for sheet in sheets
            for number in _claim_numbers(sheet, flat_numbers, short, gates)
        ),
    )
    baseline_marks = tuple(
        Mark(short[sheet.data.name], RIGHT, mark.value, mark.label, kind=MarkKind.SHUFFLED)
        for sheet in sheets
        for mark in shuffled_marks(sheet.first.drop_nulls(AGREED), {RIGHT: correctness(AGREED)}, "")
    )
    figure = Figure(
        "right",
        "Right answers and macro-F1",
        "dots",
        tuple(flat_numbers),
        finding.sentence,
        names="data",
        across="share, or macro-F1",
        marks=(*marks, *baseline_marks),
        note="A broken line is the share of the most frequent answer.",
    )
    more = (*confusion_figure(first), *tag_figures(first)) if len(sheets) == 1 else ()
    return Findings(
        (figure, *more),
        examples=examples(first.frame.drop_nulls(AGREED), ("agreed",)),
        findings=(finding,),
        gated=frozenset((first.judges[0], row) for row in _failing(gates)),
        fingerprint=_fingerprint(first, flat_numbers, (*marks, *baseline_marks), gates),
        title="" if len(sheets) > 1 else data_name(first.data.name),
        data=f"{len(sheets)} datasets" if len(sheets) > 1 else "",
    )


def _failing(gates: Mapping[str, Gate]) -> list[str]:
    return [row for row, gate in gates.items() if not gate.passed]


def _claim_numbers(
    sheet: AnswerSheet,
    by_data: Sequence[Number],
    short: Mapping[str, str],
    gates: Mapping[str, Gate],
) -> Iterator[ClaimNumber]:
    """Yield the accuracy on one dataset, by the name of its reading if it has only one."""
    data, row = sheet.data, short[sheet.data.name]
    labelled = [
        name for name, scale in data.readings.items() if scale == data.scale and not scale.numeric
    ]
    estimate = next((n.estimate for n in select(by_data, sheet.judges[0], RIGHT, row)), None)
    if estimate:
        reading = labelled[0] if len(labelled) == 1 else "agreed"
        blind = shuffled_share(sheet.first.drop_nulls(AGREED), correctness(AGREED))
        reasons = gates[row].reasons if len(gates) > 1 else ()
        yield ClaimNumber(f"accuracy:{reading}", estimate, blind, data=data.name, reasons=reasons)


def _fingerprint(
    first: AnswerSheet, by_data: Sequence[Number], marks: Sequence[Mark], gates: Mapping[str, Gate]
) -> FingerprintRows:
    """Return accuracy by dataset, from the highest; rows not above baseline are inconclusive."""
    values = {
        number.row: number.value
        for number in by_data
        if number.judge == first.judges[0] and number.series == RIGHT
    }
    rows = sorted(
        (replace(number, series="") for number in by_data if number.series == RIGHT),
        key=lambda number: -values.get(number.row, -1.0),
    )
    row_marks = [
        replace(mark, series="", label=mark.label if mark.kind is MarkKind.SHUFFLED else CONSTANT)
        for mark in marks
        if mark.series == RIGHT
    ]
    verdicts = {row: "right" if gate.passed else INCONCLUSIVE for row, gate in gates.items()}
    return FingerprintRows("right answers", tuple(rows), tuple(row_marks), verdicts)


def _short(names: Sequence[str]) -> dict[str, str]:
    """Shorten names by the path steps that all of them begin or end with.

    For example, `pragmeval/STAC/dev` and `pragmeval/GUM/dev` become STAC and GUM.
    """
    steps = {name: name.split("/") for name in names}
    max_shared = min(map(len, steps.values())) - 1 if len(steps) > 1 else 0
    before = next(
        (i for i in range(max_shared) if len({parts[i] for parts in steps.values()}) > 1),
        max_shared,
    )
    after = next(
        (
            i
            for i in range(max_shared - before)
            if len({parts[-1 - i] for parts in steps.values()}) > 1
        ),
        max_shared - before,
    )
    return {name: "/".join(parts[before : len(parts) - after]) for name, parts in steps.items()}


def _numbers(sheet: AnswerSheet) -> list[Number]:
    measures = {RIGHT: accuracy("agreed"), F1: f1("agreed", sheet.data.scale.labels)}
    return numbers(sheet, sheet.frame.drop_nulls(AGREED), "", measures, reading="agreed")


def _majority(sheet: AnswerSheet) -> tuple[float, str]:
    """Return the share of the most frequent gold label, and its name."""
    counts = Counter(sheet.first[AGREED].drop_nulls())
    [(label, count)] = counts.most_common(1)
    return count / counts.total(), label


def _gate(sheet: AnswerSheet, balance: str = "") -> Gate:
    """Test accuracy against the best constant label and against the model's shuffled answers."""
    labelled, labels = sheet.first.drop_nulls(AGREED), sheet.data.scale.labels
    return claim_gate(
        labelled, ScoreSpec(correctness(AGREED), AGREED, balance=balance, labels=labels)
    )


def _single(sheet: AnswerSheet, by_data: Sequence[Number], gate: Gate) -> ClaimDraft:
    """Return the claim on accuracy; where that fails, on accuracy balanced over the labels."""
    overall = estimate_of(by_data, sheet.judges[0], RIGHT)
    share, label = _majority(sheet)
    values: dict[str, Value] = {
        "data": data_name(sheet.data.name),
        "common": label,
        "majority": share,
    }
    if overall:
        values["overall"] = overall
    verdict = READS
    if not gate.passed:
        # A second test, so p is doubled.
        balanced = _gate(sheet, balance=AGREED)
        if balanced.passed and balanced.score:
            verdict, gate = READS_LABELS, replace(balanced, p=min(1.0, 2 * balanced.p))
            values |= {"balanced": balanced.score, "chance": 1 / len(sheet.data.scale.labels)}
    return ClaimDraft("right", f"accuracy on {data_name(sheet.data.name)}", gate, verdict, values)


def _several(gates: Mapping[str, Gate]) -> ClaimDraft:
    """Return the claim on which datasets the model exceeds both baselines, after correction."""
    corrected = dict(
        zip(gates, holm([g.p if g.passed else 1.0 for g in gates.values()]), strict=True)
    )
    better = tuple(name for name, gate in gates.items() if gate.passed and corrected[name] < LEVEL)
    values: dict[str, Value] = {"n": len(better), "sets": len(gates)}
    if better:
        values["names"] = better
    best = min(gates.values(), key=lambda gate: (not gate.passed, gate.p))
    gate = replace(best, p=min(corrected.values()))
    return ClaimDraft("right", "other datasets", gate, READS_SOME, values)


other = Chapter(
    "other",
    "Other data",
    WHAT,
    GOOD,
    lambda sheet: sheet.has(AGREED),
    write_rest=_write,
    order=100,
    phenomenon=False,
)
