"""Table 4 of ConjNLI: categories of conjuncts, by the parser of `grice mine` where none is given.

The released pairs carry no categories; mined and generated pairs carry one each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.core.errors import GriceError
from grice.papers.cells import answers, find_data, find_example, percent
from grice.papers.conjnli.printed import EXAMPLES
from grice.tables.paper import Bench, Cell

DEV, TEST = "conjnli/dev", "conjnli/test"
# What the paper calls the parser's finer categories.
PHRASES = {"N": "NP", "Name": "NP", "Number": "NP", "Adv": "AdvP"}


def categories(bench: Bench) -> Iterator[Cell]:
    """Yield the printed sentences, then pairs and each judge's accuracy by category."""
    yield from _printed_sentences(bench)
    try:
        of_pairs = bench.once("categories of pairs", lambda: _of_pairs(bench.data(DEV).frame))
    except GriceError as error:
        yield Cell.make("NP + NP", "pairs", None, reason=str(error))
        return
    frames, _ = answers(bench, DEV)
    for category in of_pairs["category"].value_counts(sort=True)["category"]:
        ids = of_pairs.filter(pl.col("category") == category)["id"].implode()
        yield Cell.make(category, "pairs", len(ids[0]), n=len(ids[0]))
        for judge, frame in frames.items():
            share = percent(accuracy("label")(frame.filter(pl.col("id").is_in(ids))))
            yield Cell.make(category, "accuracy", share, judge=judge)


def _printed_sentences(bench: Bench) -> Iterator[Cell]:
    """Yield how often each sentence is a released text, and whether its categories are found."""
    splits = [find_data(bench, name) for name in (DEV, TEST)]
    sides = [data.frame[side] for data, _ in splits if data for side in ("premise", "hypothesis")]
    texts = pl.concat(sides).to_frame("premise") if sides else None
    absent = next((why for _, why in splits if why), f"not found in {DEV}, {TEST}")
    for example in EXAMPLES["Table 4"]:
        matches = [] if texts is None else find_example(texts, example)["premise"].to_list()
        n = len(matches)
        yield Cell.make(example.row, "texts", n or None, n=n, reason=absent)
        is_found, reason = _is_found(example.row, matches[:1])
        yield Cell.make(
            example.row, "found by the parser", is_found, 1.0, n=1, reason=reason or absent
        )


def _is_found(row: str, texts: Sequence[str]) -> tuple[float | None, str]:
    """Return 1 if the parser finds the printed categories in the text, or why it cannot tell."""
    try:
        parsed = parse_categories(texts)
    except GriceError as error:
        return None, str(error)
    return (float(set(row.split(", ")) <= set(parsed[0])), "") if parsed else (None, "")


def _of_pairs(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row per pair and category: those of the longer text, unless the pair has a tag."""
    if "tag.category" in frame.columns:
        named = frame.select("id", pl.col("tag.category").alias("category")).drop_nulls()
        return named.with_columns(pl.col("category").map_elements(name_phrases, pl.String))
    longer = [max(pair, key=len) for pair in frame.select("premise", "hypothesis").iter_rows()]
    categories = pl.Series("category", parse_categories(longer), dtype=pl.List(pl.String))
    return frame.select("id", categories).explode("category").drop_nulls()


def parse_categories(texts: Sequence[str]) -> list[list[str]]:
    """Return the categories of each text's coordinations, each once."""
    from grice.mining.pairers.conjuncts import conjunct_categories
    from grice.mining.parsers import load_parser

    parsed = load_parser().parse(texts)
    return [list(dict.fromkeys(map(name_phrases, conjunct_categories(s)))) for s in parsed]


def name_phrases(category: str) -> str:
    """Return a category in the paper's terms; a single one is that of both conjuncts.

    >>> name_phrases("Number + Adj"), name_phrases("VP")
    ('NP + Adj', 'VP + VP')
    """
    parts = [PHRASES.get(part, part) for part in category.split(" + ")]
    return " + ".join(parts * 2 if len(parts) == 1 else parts)
