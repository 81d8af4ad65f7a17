"""IMPPRES's scalar figures: the authors' counts for their models, judgements for other judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.macro import macro
from grice.core.errors import GriceError, InputError
from grice.core.estimate import Estimate, wilson
from grice.papers.cells import NO_JUDGE, Printed, answers, average
from grice.papers.imppres.printed import MODELS, NAMES
from grice.tables.paper import Bench, Cell, rounds_to

COUNTS = (
    "imppres/predictions/SI_results.csv",
    "imppres/predictions/alexwarstadt_tables/SI_results.csv",
)
JUDGES = {"Bert-Large": "BERT", "CBOW": "BOW", "Infersent": "InferSent"}
SETS = {
    "connectives": ("connectives",),
    "determiners": ("quantifiers",),
    "gradable adjectives": ("gradable_adjective",),
    "gradable verbs": ("gradable_verb",),
    "modals": ("modals",),
    "numerals": ("numerals_10_100", "numerals_2_3"),
}
# The released files of these sets are a later version; the paper's numbers were made on this one.
DECEMBER = ("determiners", "numerals")
SEVERAL_SCALES = ("gradable adjectives", "gradable verbs")
TARGETS = ("W/not S", "not S/W", "W/S", "S/W", "not S/not W", "not W/not S")
CONTROLS = {
    "opposite": ("S/not W", "not W/S"),
    "negation": ("W/not W", "not W/W", "S/not S", "not S/S"),
}


@dataclass(frozen=True)
class Spot:
    """A row of a scalar figure: a set, some conditions of its paradigm, and the reading."""

    set: str
    conditions: tuple[str, ...]
    reading: str


# How one judge does at a spot; `per_pair` counts pairs instead of averaging over scales.
ScalarScore = Callable[[Spot, bool], tuple[Estimate | None, str]]


def condition_rows(
    set: str, weak: str, strong: str, *, not_weak: str = "", not_strong: str = ""
) -> dict[str, Spot]:
    """Return the twelve rows of one set's figure, in words: `some/not all, logical`."""
    words = {
        "W": weak,
        "S": strong,
        "not W": not_weak or f"not {weak}",
        "not S": not_strong or f"not {strong}",
    }
    spots = {}
    for condition in TARGETS:
        premise, _, hypothesis = condition.partition("/")
        for reading in ("logical", "pragmatic"):
            spots[f"{words[premise]}/{words[hypothesis]}, {reading}"] = Spot(
                set, (condition,), reading
            )
    return dict(sorted(spots.items()))


def control_rows() -> dict[str, Spot]:
    """Return the rows of Figure 2: each set under each kind of control."""
    return {
        f"{name}, {control}": Spot(name, conditions, "logical")
        for name in SETS
        for control, conditions in sorted(CONTROLS.items())
    }


def target_rows() -> dict[str, Spot]:
    """Return the rows of Figure 3: each set under each reading."""
    return {
        f"{name}, {reading}": Spot(name, TARGETS, reading)
        for name in SETS
        for reading in ("logical", "pragmatic")
    }


def figure(
    bench: Bench,
    spots: Mapping[str, Spot],
    printed: Printed,
    relabelled: Mapping[str, str] | None = None,
    models: Sequence[str] = MODELS,
) -> Iterator[Cell]:
    """Yield the cells of a scalar figure for the paper's models and for every judge on the bench.

    `relabelled` gives for a printed row the row its numbers really belong to: then both readings
    are shown.
    """
    scores = {
        model: score
        for model, score in scalar_scores(bench).items()
        if model in models or model not in MODELS
    }
    for judge, score in scores.items():
        if judge not in models:
            yield from (_cell(row, spot, judge, score) for row, spot in spots.items())
        else:
            yield from _printed_cells(judge, score, spots, printed, relabelled)
        yield from _per_pair(judge, score, spots)


def _printed_cells(
    judge: str,
    score: ScalarScore,
    spots: Mapping[str, Spot],
    printed: Printed,
    relabelled: Mapping[str, str] | None,
) -> Iterator[Cell]:
    rows = [row for row, column in printed if column == judge]
    named = {row: spots[row.replace(" (row 10)", "")] for row in rows}
    for row in rows:
        reading = "as printed" if relabelled else ""
        yield _cell(row, named[row], judge, score, printed=printed, key=row, reading=reading)
    for row in rows if relabelled else ():
        true = (relabelled or {}).get(row, row)
        yield _cell(true, spots[true], judge, score, printed=printed, key=row, reading="corrected")


def _per_pair(judge: str, score: ScalarScore, spots: Mapping[str, Spot]) -> Iterator[Cell]:
    """Yield sets of several scales again with equal weight per pair, where the number differs."""
    for row, spot in spots.items():
        if spot.set in SEVERAL_SCALES:
            plain, _ = score(spot, False)
            pooled, _ = score(spot, True)
            if plain and pooled and f"{plain.value:.2g}" != f"{pooled.value:.2g}":
                yield Cell.make(row, judge, pooled, judge=judge, reading="per pair")


def _cell(
    row: str,
    spot: Spot,
    judge: str,
    score: ScalarScore,
    *,
    printed: Printed | None = None,
    key: str = "",
    reading: str = "",
) -> Cell:
    estimate, reason = score(spot, False)
    number = (printed or {}).get((key, judge))
    make = partial(Cell.make, judge=judge, agreed=rounds_to(".2g"), reading=reading, reason=reason)
    return make(row, judge, estimate, number, printed_row=key if key != row else "")


def scalar_scores(bench: Bench) -> dict[str, ScalarScore]:
    """Return the scores of the paper's models, then of the judges on the bench.

    A judge on the bench replaces the counts of the model of the same name.
    """
    scores: dict[str, ScalarScore]
    try:
        counts = read_counts(bench.file(*COUNTS, source="imppres"))
        scores = {model: _from_counts(counts.filter(pl.col("judge") == model)) for model in MODELS}
    except GriceError as error:
        absent = str(error)
        scores = {model: lambda _spot, _per_pair: (None, absent) for model in MODELS}
    released, why = answers(bench, "imppres/implicature")
    december, why_december = answers(bench, "imppres/implicature_dec2019")
    for judge in dict.fromkeys([*released, *december]):
        reasons = (
            why or f"{judge} has not answered imppres/implicature",
            why_december or f"{judge} has not answered imppres/implicature_dec2019",
        )
        scores[judge] = _from_judgements(released.get(judge), december.get(judge), reasons)
    return scores


def read_counts(path: Path) -> pl.DataFrame:
    """Read the authors' counts: `judge, set, condition, scale, reading, n, right`.

    The condition of a control is its kind.
    """
    table = pl.read_csv(path)
    wanted = {"Dataset", "Model", "Logical", "spec_relation", "lexemes", "Num Examples", "accuracy"}
    if not wanted <= set(table.columns):
        raise InputError(
            f"{path}: no column {sorted(wanted - set(table.columns))[0]}; fetch the file again"
        )
    relation = pl.col("spec_relation")
    control = relation.str.extract("^(opposite|negation)")
    return table.select(
        pl.col("Model").replace(JUDGES).alias("judge"),
        pl.col("Dataset").str.extract("^(?:log|prag)_(.*)[.]jsonl$").alias("set"),
        pl.coalesce(control, relation.replace(NAMES["RELATIONS"])).alias("condition"),
        pl.col("lexemes").alias("scale"),
        pl.when(pl.col("Logical").cast(pl.String).str.to_lowercase() == "true")
        .then(pl.lit("logical"))
        .otherwise(pl.lit("pragmatic"))
        .alias("reading"),
        pl.col("Num Examples").cast(pl.Float64).alias("n"),
        (pl.col("accuracy") * pl.col("Num Examples")).round(0).alias("right"),
    )


def _from_counts(counts: pl.DataFrame) -> ScalarScore:
    def score(spot: Spot, per_pair: bool) -> tuple[Estimate | None, str]:
        conditions = [
            *spot.conditions,
            *(kind for kind, parts in CONTROLS.items() if parts == spot.conditions),
        ]
        rows = counts.filter(
            pl.col("set").is_in(SETS[spot.set])
            & pl.col("condition").is_in(conditions)
            & (pl.col("reading") == spot.reading)
        )
        scales = rows.group_by("scale", maintain_order=True).agg(pl.col("right", "n").sum())
        if scales.is_empty():
            return None, "not in the authors' counts"
        right, n = scales["right"].to_numpy(), scales["n"].to_numpy()
        if per_pair or len(n) == 1:
            return _share(float(right.sum()), int(n.sum())), ""
        return (
            average([_share(r, int(m)) for r, m in zip(right.tolist(), n.tolist(), strict=True)]),
            "",
        )

    return score


def _share(right: float, n: int) -> Estimate:
    return Estimate(right / n, n, *wilson(right / n, n))


def _from_judgements(
    released: pl.DataFrame | None, december: pl.DataFrame | None, reasons: tuple[str, str]
) -> ScalarScore:
    """Return a function that scores a figure's row; the December 2019 sets use their own file."""

    def score(spot: Spot, per_pair: bool) -> tuple[Estimate | None, str]:
        index = 1 if spot.set in DECEMBER else 0
        frame = (released, december)[index]
        if frame is None:
            return None, reasons[index]
        rows = frame.filter(
            pl.col("tag.set").is_in(SETS[spot.set]) & pl.col("tag.condition").is_in(spot.conditions)
        )
        return (accuracy if per_pair else macro)(spot.reading)(rows), ""

    return score


def neither_shares(
    bench: Bench, set: str, models: Sequence[str]
) -> Iterator[tuple[str, Estimate | None, str]]:
    """Yield for each judge the share of a set's targets that follow neither reading."""
    from grice.analysis.share import share

    scores = scalar_scores(bench)
    frames = answers(
        bench, "imppres/implicature_dec2019" if set in DECEMBER else "imppres/implicature"
    )[0]
    for judge in [m for m in scores if m in models or m not in MODELS]:
        if judge in frames:
            rows = frames[judge].filter(
                pl.col("tag.set").is_in(SETS[set]) & (pl.col("tag.role") == "target")
            )
            yield judge, share("neither")(rows), ""
            continue
        parts = [
            scores[judge](Spot(set, TARGETS, reading), False)
            for reading in ("logical", "pragmatic")
        ]
        estimates = [estimate for estimate, _ in parts if estimate]
        if len(estimates) < 2:
            yield judge, None, parts[0][1] or NO_JUDGE
        else:
            rest = max(0.0, 1 - sum(estimate.value for estimate in estimates))
            yield judge, Estimate(rest, estimates[0].n, *wilson(rest, estimates[0].n)), ""
