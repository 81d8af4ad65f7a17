"""The norms that ship with the package, made from the published files: `GRICE_DATA=… python -m
tools.norms`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

from grice.core.files import data_folder, read_table, write_atomically
from grice.core.ratings import read_replies
from grice.core.words import read_rows
from grice.datasets.megaveridicality import V2
from grice.loading import load
from grice.storage.source import find_published
from grice.theory.norms import WORDS
from grice.theory.signature import lexicon

Row = tuple[str, str, float, float, int]
STUDIES = ("vt16", "g18", "pvt21", "rx22")
OPERATORS = ("question", "negation", "modal", "conditional")
GENERATED = Path(__file__).parents[1] / "src/grice/generate/words/veridicality.tsv"
HEAD = (
    "# Made by `python -m tools.norms`; what, whose and under which licence stands in norms.tsv.\n#"
    " key\tcondition\tmean\tsd\tn\n"
)


def scales() -> Iterator[Row]:
    """Scales that two studies or more measured: the mean of their rates, never one study's own
    number.
    """
    parts = [
        load(f"scalar_diversity/{study}").frame.unique("tag.scale").select("tag.scale", "gold.rate")
        for study in STUDIES
    ]
    rows = pl.concat(parts).group_by("tag.scale").agg("gold.rate").sort("tag.scale")
    several = rows.filter(pl.col("gold.rate").list.len() >= 2)
    # Two or three rates of one scale tell little about how they vary, so all scales share one
    # spread.
    spread = math.sqrt(
        sum(pl.Series(rates).var() or 0.0 for rates in several["gold.rate"]) / several.height  # type: ignore[misc]
    )
    for scale, rates in several.iter_rows():
        yield scale, "weak", sum(rates) / len(rates), spread, len(rates)


def predicates(parts: dict[str, str]) -> Iterator[Row]:
    """Answers about each predicate, each class of them and all together, by environment: `{part:
    condition}`.
    """
    for part, condition in parts.items():
        frame = load(f"projection/{part}").where(role="target").frame
        rows = read_replies(frame).join(frame.select("id", "tag.predicate", "tag.class"), on="id")
        for tag, prefix in (("tag.predicate", ""), ("tag.class", "class: ")):
            for key, values in rows.group_by(tag).agg("value").sort(tag).iter_rows():
                yield _row(f"{prefix}{key}", condition, values)
        yield _row("all", condition, rows["value"].to_list())


def happened() -> Iterator[Row]:
    """MegaVeridicality's verbs that the lexicon of signatures or the generator has, and their
    signatures.
    """
    wanted = {f"{verb} {complement}": sign for (verb, complement), sign in lexicon().items()}
    for base, *_, rest, complement, _clause, sign, _inside, _deeds in read_rows(GENERATED)[1:]:
        wanted.setdefault(f"{base} {rest}".strip() + f" {complement}", sign)
    frames = {"that_S": "that", "to_VPeventive": "to", "to_VPstative": "to"}
    frame = load("megaveridicality/v2").frame.filter(
        pl.col("tag.frame").is_in(list(frames)) & (pl.col("tag.conditional") == "no")
    )
    frame = frame.with_columns(
        (pl.col("tag.verb") + " " + pl.col("tag.frame").replace_strict(frames)).alias(
            "construction"
        )
    )
    frame = frame.filter(pl.col("construction").is_in(list(wanted)))
    frame = frame.with_columns(
        ("signature: " + pl.col("construction").replace_strict(wanted)).alias("signature")
    )
    frame = frame.with_columns(pl.Series("sd", _spreads(frame)))
    raters = pl.col("tag.raters").cast(pl.Int64)
    about = pl.col("gold.happened") - (pl.col("gold.happened") * raters).sum() / raters.sum()
    within = (raters * (pl.col("sd") ** 2 + about**2)).sum() / raters.sum()
    for column in ("construction", "signature"):
        of = frame.group_by(column, "tag.polarity").agg(
            ((pl.col("gold.happened") * raters).sum() / raters.sum()).alias("mean"),
            within.sqrt().alias("within"),
            pl.col("gold.happened"),
            raters.sum(),
        )
        for key, polarity, mean, within_sd, values, n in of.sort(
            column, "tag.polarity"
        ).iter_rows():
            spread = math.sqrt(
                sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
            )
            # A signature's mean varies with its verbs, a verb's with the answers to its sentences.
            whole = column == "signature"
            yield (key, polarity, mean, spread if whole else within_sd, len(values) if whole else n)


def _spreads(frame: pl.DataFrame) -> list[float]:
    """The published standard deviation of the answers to each sentence; of its mean at most where
    the file has none.
    """
    path = find_published(data_folder(), f"megaveridicality/{V2}.gz", source="megaveridicality")
    known = {
        tuple(row[key] for key in ("verb", "frame", "polarity", "conditional")): row["SD"]
        for _, row in read_table(path, delimiter=",", columns=("SD",))
    }
    conditional = pl.when(pl.col("tag.conditional") == "yes").then(pl.lit("True"))
    keys = frame.select(
        "tag.verb", "tag.frame", "tag.polarity", conditional.otherwise(pl.lit("False"))
    )
    means = frame["gold.happened"].to_list()
    return [
        float(known[key]) if known[key] not in ("", "NA") else math.sqrt(mean * (1 - mean))
        for key, mean in zip(keys.iter_rows(), means, strict=True)
    ]


def _row(key: str, condition: str, values: list[float]) -> Row:
    series = pl.Series(values, dtype=pl.Float64).to_numpy()
    return key, condition, float(series.mean()), float(series.std(ddof=1)), len(values)


def tables() -> dict[str, str]:
    """The text of each file of norms by its name."""
    made: dict[str, Iterable[Row]] = {
        "scale": scales(),
        "projection": predicates({operator: operator for operator in OPERATORS}),
        "follows": predicates({"exp2a": "positive"}),
        "happened": happened(),
    }
    return {
        f"norms_{kind}.tsv": (
            HEAD
            + "".join(
                f"{key}\t{condition}\t{mean:.4f}\t{sd:.4f}\t{n}\n"
                for key, condition, mean, sd, n in rows
            )
        )
        for kind, rows in made.items()
    }


if __name__ == "__main__":
    for name, text in tables().items():
        with write_atomically(WORDS / name) as out:
            out.write(text)
