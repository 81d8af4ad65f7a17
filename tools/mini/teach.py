"""Can it be taught? Train grice-mini on half of the scales and triggers, score it on the others.

`python -m tools.mini teach OUT` trains twice per seed from the shipped weights: on the pairs with
their pragmatic labels, and on the same pairs with the labels shuffled.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from grice import loading
from grice.analysis.statistics.correlation import correlate
from grice.core.estimate import Estimate, mean
from grice.generate.suites import find_suite
from grice.models.checkpoint import MODELS
from tools.mini.network import Array, encode, load_network, predict, softmax, train
from tools.mini.pairs import LABELS
from tools.mini.weights import float_weights

START = MODELS / "grice-mini"
SCALES, TRIGGERS = "implicature", "presupposition"
TAUGHT, SHUFFLED = "taught", "shuffled labels"
# What is scored, and on which items of its set.
TARGET, UNDER = "pragmatic answers", "presuppositions inferred under operators"
TERCILES = ("near", "middle", "far")


@dataclass(frozen=True)
class TeachSettings:
    """Settings of the experiment.

    Attributes:
        groups: Generated paradigms per phenomenon, from which pairs are drawn.
        pairs: Pairs taught, half on scales and half on triggers.
        replayed: Pairs of SNLI and MultiNLI among them, with the answers of the model as it was.
        scored: Pairs scored of each set, at most.
    """

    seeds: int = 3
    groups: int = 100
    pairs: int = 20_000
    replayed: int = 10_000
    scored: int = 2_000
    learning_rate: float = 1e-4
    batch_size: int = 32


def teach(out: Path, settings: TeachSettings, log: Callable[[str], None] = print) -> pl.DataFrame:
    """Run the experiment; write its scores to `out` and print them."""
    out.mkdir(parents=True, exist_ok=True)
    frames = []
    for seed in range(settings.seeds):
        frames.append(_teach_once(seed, settings, log))
        answers = pl.concat(frames)
        answers.write_parquet(out / "answers.parquet")
        scores = summarize(answers)
        (out / "scores.json").write_text(
            json.dumps({"settings": asdict(settings), "scores": scores.to_dicts()}, indent=1)
        )
    for row in scores.iter_rows(named=True):
        log(
            f"{row['set']:32} {row['score']:42} {row['model']:16} {row['value']:.2f}"
            f" [{row['low']:.2f}, {row['high']:.2f}] n={row['n']:,} words={row['words']}"
        )
    return scores


def _teach_once(seed: int, settings: TeachSettings, log: Callable[[str], None]) -> pl.DataFrame:
    """Return the answers of the model before, taught, and taught with shuffled labels."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    pairs = generated_pairs(seed, settings.groups)
    is_taught = pl.col("word").is_in(taught_half(pairs, seed))
    learnt = draw_pairs(pairs.filter(is_taught), settings.pairs, seed)
    fresh = generated_pairs(seed + 1000, settings.groups)
    sets = _sets(fresh.filter(is_taught), pairs.filter(~is_taught), settings.scored, seed)
    sets = _with_distance(sets, pairs.filter(is_taught))
    replayed = _replayed(settings.replayed, seed)
    texts = [*_texts(learnt), *_texts(replayed)]
    rows, scored = encode(START, texts), encode(START, _texts(sets))
    model = load_network(START, device)
    answers = [_answers(sets, predict(model, scored, device), "before", seed)]
    targets = np.zeros((len(texts), len(LABELS)), dtype=np.float32)
    before = predict(model, encode(START, _texts(replayed)), device)
    targets[len(learnt) :] = softmax(before)
    gold = np.eye(len(LABELS), dtype=np.float32)[[LABELS.index(g) for g in learnt["gold"]]]
    steps = -(-len(texts) // settings.batch_size)
    for name in (TAUGHT, SHUFFLED):
        order = np.arange(len(gold))
        if name == SHUFFLED:
            np.random.default_rng(seed).shuffle(order)
        targets[: len(learnt)] = gold[order]
        torch.manual_seed(seed)
        model = load_network(START, device)
        train(
            model,
            rows,
            targets,
            lambda _: np.arange(len(texts)),
            device=device,
            progress=lambda step, _: step / steps,
            learning_rate=settings.learning_rate,
            size=settings.batch_size,
            after_epoch=partial(_report, log, f"seed {seed}, {name}"),
            warmup=max(1, steps // 10),
        )
        answers.append(_answers(sets, predict(model, scored, device), name, seed))
    return pl.concat(answers)


def _report(log: Callable[[str], None], title: str, _: int, loss: float) -> None:
    log(f"{title}: loss {loss:.3f}")


def generated_pairs(seed: int, groups: int) -> pl.DataFrame:
    """Return generated pairs on scales and triggers: texts, gold label, role, word, operator.

    `word` is the scale, or the phenomenon of the trigger; the gold label is the pragmatic one.
    """
    frame = find_suite("full", groups, seed).dataset().frame
    is_scale = pl.col("tag.kind") == SCALES
    return (
        frame.filter(pl.col("tag.kind").is_in([SCALES, TRIGGERS]))
        .with_columns(
            pl.col("tag.kind").alias("kind"),
            pl.col("tag.role").alias("role"),
            pl.when(is_scale).then("gold.pragmatic").otherwise("gold.label").alias("gold"),
            pl.when(is_scale).then("gold.logical").otherwise(None).alias("logical"),
            pl.when(is_scale).then("tag.scale").otherwise("tag.phenomenon").alias("word"),
            pl.col("tag.operator").alias("operator"),
            pl.col("tag.presupposition").alias("presupposition"),
        )
        .select("premise", "hypothesis", *COLUMNS)
        .drop_nulls(["gold", "word"])
    )


COLUMNS = ("kind", "role", "gold", "logical", "word", "operator", "presupposition")


def taught_half(pairs: pl.DataFrame, seed: int) -> list[str]:
    """Return half of the scales and half of the triggers; no scale shares a word with another half.

    Scales that share a word, such as dislike and hate, dislike and loathe, stay together.
    """
    draw = random.Random(seed)
    taught: list[str] = []
    for kind in (SCALES, TRIGGERS):
        words = sorted(pairs.filter(kind=kind)["word"].unique())
        families = _families(words) if kind == SCALES else [[word] for word in words]
        draw.shuffle(families)
        chosen: list[str] = []
        for family in families:
            if len(chosen) + len(family) <= (len(words) + 1) // 2:
                chosen += family
        taught += chosen
    return taught


def _families(scales: Sequence[str]) -> list[list[str]]:
    families: list[tuple[set[str], list[str]]] = []
    for scale in scales:
        words = set(scale.split(" - "))
        joined = [family for family in families if family[0] & words]
        families = [family for family in families if not family[0] & words]
        members = [name for _, names in joined for name in names]
        families.append((words.union(*(other for other, _ in joined)), [*members, scale]))
    return [sorted(members) for _, members in families]


def draw_pairs(pairs: pl.DataFrame, n: int, seed: int) -> pl.DataFrame:
    """Return half of `n` pairs of each kind, in random order."""
    parts = [pairs.filter(kind=kind) for kind in (SCALES, TRIGGERS)]
    chosen = [part.sample(min(n // 2, len(part)), seed=seed) for part in parts]
    return pl.concat(chosen).sample(fraction=1.0, shuffle=True, seed=seed)


def _sets(taught: pl.DataFrame, others: pl.DataFrame, n: int, seed: int) -> pl.DataFrame:
    """Return what is scored, with the name of its set and the score."""
    is_reading = (pl.col("role") == "target") & (pl.col("gold") != pl.col("logical"))
    is_under = (pl.col("presupposition") == "positive") & (pl.col("gold") == "entailment")
    is_under &= (pl.col("role") == "target") & (pl.col("operator") != "unembedded")
    parts = []
    for name, pairs in (("the taught half", taught), ("the other half", others)):
        scales, triggers = (pairs.filter(kind=kind) for kind in (SCALES, TRIGGERS))
        parts += [
            (f"scales, {name}", TARGET, scales.filter(is_reading)),
            (f"triggers, {name}", UNDER, triggers.filter(is_under)),
            (f"controls, {name}", "right answers", pairs.filter(role="control")),
        ]
    implicature, presupposition = _released("implicature"), _released("presupposition")
    parts += [
        ("IMPPRES, scales", TARGET, implicature.filter(is_reading)),
        ("IMPPRES, triggers", UNDER, presupposition.filter(is_under)),
        ("NOPE", "right answers", _read("nope", "gold.label", "tag.trigger")),
        ("SNLI dev", "right answers", _read("snli/dev", "gold.label", None)),
        ("people's rates", "Pearson's r", _read("scalar_diversity", "gold.rate", "tag.scale")),
    ]
    return pl.concat(
        part.sample(min(n, len(part)), seed=seed).select(
            "premise",
            "hypothesis",
            pl.col("gold").cast(pl.String),
            "word",
            pl.lit(name).alias("set"),
            pl.lit(score).alias("score"),
        )
        for name, score, part in parts
    )


def _released(part: str) -> pl.DataFrame:
    frame = loading.load(f"imppres/{part}").frame
    gold = "gold.pragmatic" if part == SCALES else "gold.label"
    logical = pl.col("gold.logical") if part == SCALES else pl.lit(None, dtype=pl.String)
    none = pl.lit(None, dtype=pl.String)
    columns = {"operator", "presupposition"}
    return frame.with_columns(
        pl.col(gold).alias("gold"),
        logical.alias("logical"),
        pl.col("tag.set").alias("word"),
        pl.col("tag.role").alias("role"),
        *(
            (pl.col(f"tag.{name}") if f"tag.{name}" in frame.columns else none).alias(name)
            for name in sorted(columns)
        ),
    )


def _read(name: str, gold: str, word: str | None) -> pl.DataFrame:
    """Return the texts and gold values of a dataset; `word` is what its interval is over."""
    frame = loading.load(name).frame.drop_nulls(gold)
    over = pl.col(word) if word else pl.col("id")
    return frame.with_columns(pl.col(gold).alias("gold"), over.alias("word"))


def _replayed(n: int, seed: int) -> pl.DataFrame:
    frames = [loading.load(f"nli_train/{source}").frame for source in ("snli", "mnli")]
    return pl.concat([frame.sample(n // 2, seed=seed) for frame in frames], how="diagonal")


def _texts(frame: pl.DataFrame) -> list[tuple[str, str]]:
    return list(frame.select("premise", "hypothesis").iter_rows())


def _with_distance(sets: pl.DataFrame, taught: pl.DataFrame) -> pl.DataFrame:
    """Add how far a scale of the other half is from the nearest taught one, in thirds of scales.

    The distance is one minus the cosine of the means of the words' input vectors.
    """
    others = sets.filter(set="scales, the other half")["word"].unique().sort().to_list()
    known = taught.filter(kind=SCALES)["word"].unique().sort().to_list()
    table = float_weights(START / "model.int8.onnx")["bert.embeddings.word_embeddings.weight"]
    rows = encode(START, [(word.replace(" - ", " "), "") for word in [*others, *known]])
    starts = np.concatenate([[0], np.cumsum(rows.lengths)])
    # Between the first token and the two separators.
    vectors = np.array([table[rows.tokens[a + 1 : b - 2]].mean(0) for a, b in pairwise(starts)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    nearest = 1 - (vectors[: len(others)] @ vectors[len(others) :].T).max(1)
    ranks = nearest.argsort().argsort() * len(TERCILES) // len(others)
    names = {word: TERCILES[rank] for word, rank in zip(others, ranks, strict=True)}
    is_scale = pl.col("set") == "scales, the other half"
    third = pl.col("word").replace_strict(names, default=None, return_dtype=pl.String)
    return sets.with_columns(pl.when(is_scale).then(third).alias("distance"))


def _answers(sets: pl.DataFrame, scores: Array, model: str, seed: int) -> pl.DataFrame:
    probabilities = softmax(scores)
    return sets.with_columns(
        pl.Series("answer", [LABELS[best] for best in probabilities.argmax(1)]),
        pl.Series("entailed", probabilities[:, 0].astype(np.float64)),
        pl.lit(model).alias("model"),
        pl.lit(seed).alias("seed"),
    )


def summarize(answers: pl.DataFrame) -> pl.DataFrame:
    """Return each set's score by model, over all seeds, with an interval over words."""
    near = answers.drop_nulls("distance").with_columns(
        (pl.col("set") + ", " + pl.col("distance")).alias("set")
    )
    rows: list[dict[str, Any]] = []
    for (name, score, model), part in pl.concat([answers, near]).group_by(
        "set", "score", "model", maintain_order=True
    ):
        estimate = _score(part)
        if estimate is not None:
            n, words = estimate.n, part["word"].n_unique()
            found = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
            by_seed = [_score(p) for p in part.partition_by("seed", maintain_order=True)]
            seeds = [round(e.value, 4) for e in by_seed if e is not None]
            row = {"set": name, "score": score, "model": model, **found, "n": n, "words": words}
            rows.append({**row, "by_seed": seeds})
    return pl.DataFrame(rows)


def _score(part: pl.DataFrame) -> Estimate | None:
    if part["score"][0] == "Pearson's r":
        by_item = part.group_by("premise", "hypothesis", "word", "gold").agg(pl.mean("entailed"))
        by_item = by_item.sort("premise", "hypothesis", "gold")
        rates = by_item["gold"].cast(pl.Float64).to_numpy()
        return correlate(by_item["entailed"].to_numpy(), rates, by_item["word"])
    return mean((part["answer"] == part["gold"]).cast(pl.Float64), part["word"])
