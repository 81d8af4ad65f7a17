"""Sets of what people inferred: every figure that is known of them, recomputed from what the
readers give.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from grice.analysis.energy import energy
from grice.analysis.statistics.raters import label_value
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import read_table
from grice.core.ratings import read_replies
from grice.core.scale import NLI
from grice.datasets.commitmentbank import commitmentbank
from grice.datasets.formats.frames import json_rows
from grice.datasets.imppres import imppres
from grice.datasets.megaveridicality import megaveridicality
from grice.datasets.nope import nope
from grice.datasets.or_corpus import or_corpus
from grice.datasets.projection import OPERATORS, projection
from grice.datasets.proviso import proviso
from grice.datasets.scalar_diversity import pair, scalar_diversity
from grice.datasets.some_corpus import some_corpus
from grice.judges.prompts import Wordings
from grice.judges.providers.baseline import Random
from grice.judges.reply_text import LETTERS
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join
from grice.storage.source import Source


def near(value: Any, abs: float = 1e-9) -> Any:
    """About this number, or these; of any type, so that it may stand in a tuple."""
    return pytest.approx(value, abs=abs)


def r(x: pl.Series, y: pl.Series) -> float:
    return float(np.corrcoef(x.cast(pl.Float64), y.cast(pl.Float64))[0, 1])


def rho(x: pl.Series, y: pl.Series) -> float:
    return r(x.cast(pl.Float64).rank("average"), y.cast(pl.Float64).rank("average"))


def means(frame: pl.DataFrame, tag: str, gold: str) -> dict[str, float]:
    return dict(frame.group_by(f"tag.{tag}").agg(pl.col(f"gold.{gold}").mean()).iter_rows())


def counts(frame: pl.DataFrame, tag: str) -> dict[str, int]:
    return dict(frame[f"tag.{tag}"].value_counts().iter_rows())


@cache
def scales(folder: Path, part: str) -> pl.DataFrame:
    """One row a scale."""
    return scalar_diversity.load(part, folder).frame.unique("tag.scale", maintain_order=True)


def by_judge(runs: list[Run]) -> dict[str, Run]:
    return {run.judge: run for run in runs}


def accuracy(run: Run, frame: pl.DataFrame) -> float:
    both = run.frame.join(frame, on="id")
    return 100 * float((both["answer"] == both["gold.label"]).cast(pl.Float64).to_numpy().mean())


@pytest.mark.parametrize(
    ("construction", "weak", "strong", "hypothesis"),
    [
        ("the tea is warm, but not hot.", "warm", "hot", "The tea is not hot."),
        (
            "Ann began the race, but did not complete it.",
            "begin",
            "complete",
            "Ann did not complete the race.",
        ),
        ("she may come, but will not.", "may", "will", "She will not come."),
        (
            "Cecilia saw some owls, but not all.",
            "some",
            "all",
            "It is not the case that Cecilia saw all owls.",
        ),
        (
            "The tank is partly full, but not wholly.",
            "partly",
            "wholly",
            "The tank is not wholly full.",
        ),
    ],
)
def test_a_construction_becomes_the_weak_sentence_and_the_denied_strong_one(
    construction: str, weak: str, strong: str, hypothesis: str
) -> None:
    premise, denied = pair(construction, weak, strong)
    assert denied == hypothesis
    assert premise == f"{construction[0].upper()}{construction[1:].partition(',')[0]}."


def test_people_are_runs_under_new_numbers_on_the_scale_they_answered(tiny: Path) -> None:
    data = some_corpus.load("context", tiny)
    runs = by_judge(some_corpus.runs(data, tiny))
    assert list(runs) == ["rater 1", "rater 2", "rater 1 again", "BERT-large LSTM"]
    assert runs["rater 1"].scale.to_json() == {"low": 1.0, "high": 7.0, "step": 1.0}
    assert data.frame["gold.strength"].to_list() == near([16 / 3, 1])
    assert data.frame["premise"][0] == 'yeah. we picked them all. i ate some of the "best" plums.'
    assert data.frame["hypothesis"][0] == 'i ate some, but not all of the "best" plums.'


def test_yes_and_no_stay_words(tiny: Path) -> None:
    data = projection.load("exp1b", tiny)
    runs = projection.runs(data, tiny)
    assert {run.scale.labels for run in runs} == {("yes", "no")}
    know = data.frame.filter((pl.col("tag.predicate") == "know") & (pl.col("tag.content") == "1"))
    assert (know["gold.rating"][0], know["tag.people"][0].to_list()) == (0.5, ["1=yes", "2=no"])


def test_a_question_stands_as_people_saw_it_and_is_answered_with_labels(tiny: Path) -> None:
    plain, asked = projection.load("exp1a", tiny), projection.load("asked/exp1a", tiny)
    assert plain.frame["hypothesis"][0] == "Ann sleeps."
    assert asked.frame["hypothesis"][0] is None
    assert (
        asked.frame["premise"][0]
        == "Carol: “Scott knows that Ann sleeps.”\nIs Carol certain that Ann sleeps?\nAnswer from 0"
        " (no) to 100 (yes)."
    )
    assert asked.scale.labels == tuple(str(10 * step) for step in range(11))
    assert asked.frame["gold.rating"][0] == 100 * plain.frame["gold.rating"][0] == 50.0
    assert asked.frame["tag.people"][0].to_list() == ["1=75", "2=25"]


ASKED = [
    (source, part)
    for source in (
        scalar_diversity,
        some_corpus,
        or_corpus,
        nope,
        projection,
        megaveridicality,
        proviso,
        commitmentbank,
    )
    for part in source.parts
    if part.startswith("asked")
]


@pytest.mark.parametrize(("source", "part"), ASKED, ids=lambda one: getattr(one, "name", one))
def test_what_people_were_asked_can_be_asked_of_a_model_with_a_probability_for_each_point(
    tiny: Path, source: Source, part: str
) -> None:
    data = source.load(part, tiny)
    question = next(data.questions())
    prompt = Wordings().ask(question, data.scale, "logprobs")
    assert question.hypothesis is None and question.premise in prompt.text
    assert (
        prompt.labels == data.scale.labels
        and f"{LETTERS[len(prompt.labels) - 1]}. {prompt.labels[-1]}" in prompt.text
    )
    assert all(label_value(label) is not None for label in data.scale.labels)
    assert all(reading.numeric for reading in data.readings.values())
    if "tag.people" in data.frame.columns:
        rows = join(data, evaluate(data, Random()))
        several = data.frame["tag.people"].list.len().max()
        assert energy()(rows) is not None or several == 1


def test_a_reply_without_a_rating_is_a_fault(tiny: Path) -> None:
    data = proviso.load("with", tiny)
    gpt, _ = proviso.runs(data, tiny)
    assert (gpt.judge, gpt.answered, gpt.fault_kinds) == ("GPT-5", 2, {"unreadable": 1})


def test_a_response_that_is_no_answer_names_its_line(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "megaveridicality").mkdir()
    for name in ("aMV2.csv", "mega-veridicality-v1.csv"):
        text = (
            (tiny / "megaveridicality" / name)
            .read_text()
            .replace("positive,False,yes", "positive,False,yess", 1)
        )
        (tmp_path / "megaveridicality" / name).write_text(text)
    with pytest.raises(InputError, match=r"v1.csv:2: response 'yess'; expected yes, maybe or no"):
        megaveridicality.load("v1", tmp_path)


def test_the_one_who_is_no_native_speaker_is_left_out(tiny: Path) -> None:
    data = megaveridicality.load("v1", tiny)
    assert dict(
        zip(
            data.frame["tag.polarity"] + data.frame["tag.conditional"],
            data.frame["gold.happened"],
            strict=True,
        )
    ) == {"negativeno": 0.5, "positiveyes": 0.75, "positiveno": 1.0}
    assert data.frame["premise"].to_list()[0] == "Someone didn't know that a thing happened."


def test_the_published_replies_of_each_model_are_read_where_they_are_not_gathered(
    tiny: Path, tmp_path: Path
) -> None:
    from grice.datasets.proviso import published

    (tmp_path / "proviso/outputs").mkdir(parents=True)
    (tmp_path / "proviso/problem_set.json").write_bytes(
        (tiny / "proviso/problem_set.json").read_bytes()
    )
    said = [
        {"id": 1, "response": "**Final Rating: 5** or so. Final Rating:\n 4.5"},
        {"id": 2, "response": "6 out of 7"},
    ]
    (tmp_path / "proviso" / published("qwen", "without")).write_text(json.dumps(said))
    data = proviso.load("without", tmp_path)
    (qwen,) = proviso.runs(data, tmp_path)
    assert (qwen.judge, qwen.frame["value"][0], qwen.fault_kinds) == (
        "Qwen2 7B",
        4.5,
        {"unreadable": 1},
    )
    assert proviso.runs(proviso.load("with", tmp_path), tmp_path) == []
    assert {remote.path for remote in proviso.card.files} >= {
        f"proviso/{published('gpt5', 'with')}",
        f"proviso/{published('llama', 'without')}",
    }


@pytest.mark.published
def test_scalar_diversity_has_its_rates(data_folder: Path) -> None:
    vt16, neutral, g18, pvt21, rx22 = (
        scales(data_folder, part) for part in ("vt16", "vt16_neutral", "g18", "pvt21", "rx22")
    )
    rate = "gold.rate"
    found = [frame[rate].mean() for frame in (vt16, neutral, g18, pvt21, rx22)]
    assert found == near([0.4365, 0.4128, 0.3856, 0.3318, 0.3871], abs=5e-5)
    assert [frame[rate].std() for frame in (vt16, g18, pvt21, rx22)] == near(
        [0.2850, 0.2121, 0.2249, 0.3009], abs=5e-5
    )
    ends = [
        [f["tag.scale"][int(at or 0)] for at in (f[rate].arg_min(), f[rate].arg_max())]
        for f in (vt16, g18, pvt21, rx22)
    ]
    assert ends == [
        ["content/happy", "difficult/impossible"],
        ["attractive/stunning", "low/depleted"],
        ["calm/meditative", "grey/black"],
        ["scared/petrified", "partially/completely"],
    ]
    assert [
        value for f in (vt16, g18, pvt21, rx22) for value in (f[rate].min(), f[rate].max())
    ] == near([0.04, 0.96, 0.08, 0.81, 0.0571, 0.9348, 0.025, 0.95], abs=5e-5)
    assert [frame.height for frame in (vt16, g18, pvt21, rx22)] == [43, 70, 50, 60]
    assert counts(vt16, "pos") == {"adj": 32, "verb": 8, "quant": 2, "adv": 1}
    assert counts(rx22, "pos") == {"adj": 32, "verb": 15, "adv": 11, "conj": 1, "det": 1}
    assert r(vt16[rate], neutral[rate]) == near(0.912, abs=5e-4)
    assert means(vt16, "bounded", "rate") == near({"yes": 0.6257, "no": 0.2559}, abs=5e-5)
    assert means(vt16, "class", "rate") == near({"C": 0.7575, "O": 0.4036}, abs=5e-5)
    assert means(g18, "bounded", "rate") == near({"yes": 0.5, "no": 0.322}, abs=5e-4)
    assert r(g18[rate], g18["tag.negative_strengthening"]) == near(-0.618, abs=5e-4)
    assert r(pvt21[rate], pvt21["tag.cooccurrence"]) == near(0.421, abs=5e-4)
    factors = [
        r(rx22[rate], rx22[f"tag.{name}"])
        for name in ("accessibility", "distinctness", "negated_strong")
    ]
    assert factors == near([0.590, 0.325, -0.611], abs=5e-4)


@pytest.mark.published
def test_scales_of_two_studies_go_together(data_folder: Path) -> None:
    frames = {part: scales(data_folder, part) for part in ("vt16", "g18", "pvt21", "rx22")}
    for one, other, n, value in (
        ("g18", "vt16", 31, 0.793),
        ("rx22", "vt16", 26, 0.898),
        ("g18", "rx22", 21, 0.842),
    ):
        both = frames[one].join(frames[other], on="tag.scale")
        assert (both.height, r(both["gold.rate"], both["gold.rate_right"])) == (
            n,
            near(value, abs=5e-4),
        )
    assert len({scale for frame in frames.values() for scale in frame["tag.scale"]}) == 156
    data = scalar_diversity.load("rx22", data_folder)
    runs = scalar_diversity.runs(data, data_folder)
    assert (len(runs), sum(run.answered for run in runs)) == (40, 2400)
    replies = read_replies(data.frame)
    assert int((replies["answer"] == "yes").sum()) == 929
    shares = replies.group_by("id", maintain_order=True).agg(pl.col("value").mean())
    assert shares["value"].to_list() == near(data.frame["gold.rate"].to_list(), abs=1e-9)


@pytest.mark.published
def test_the_surprisal_of_the_strong_word_goes_with_the_rates_as_printed(data_folder: Path) -> None:
    path = data_folder / "scalar_diversity/gpt2_strong_surprisal.tsv"
    table = pl.DataFrame([row for _, row in read_table(path)]).with_columns(
        pl.col("surprisal").cast(pl.Float64)
    )
    table = table.group_by("dataset", pl.col("scale_id").alias("tag.scale")).agg(
        pl.col("surprisal").mean()
    )
    for part, n, value in (
        ("rx22", 57, -0.361),
        ("pvt21", 50, -0.180),
        ("g18", 67, -0.053),
        ("vt16", 39, -0.045),
    ):
        both = scales(data_folder, part).join(
            table.filter(pl.col("dataset") == part), on="tag.scale"
        )
        both = both.filter(pl.col("tag.lsa").is_not_null()) if part == "vt16" else both
        assert (both.height, r(both["surprisal"], both["gold.rate"])) == (
            n,
            near(value, abs=5e-4),
        ), part
        if part == "rx22":
            assert r(both["surprisal"], both["tag.accessibility"]) == near(-0.357, abs=5e-4)


@pytest.mark.published
def test_some_has_its_ratings_with_and_without_context(data_folder: Path) -> None:
    data, bare = (some_corpus.load(part, data_folder) for part in ("context", "no_context"))
    replies, others = read_replies(data.frame), read_replies(bare.frame)
    assert (replies.height, len(data), replies["rater"].n_unique()) == (13_630, 1_362, 243)
    assert (others.height, others["rater"].n_unique()) == (13_820, 690)
    assert [int((replies["value"] == k).sum()) for k in range(1, 8)] == [
        2525,
        2085,
        1667,
        1187,
        1912,
        2218,
        2036,
    ]
    assert [int((others["value"] == k).sum()) for k in range(1, 8)] == [
        2037,
        1975,
        1638,
        1679,
        2229,
        2301,
        1961,
    ]
    strength = data.frame["gold.strength"]
    assert [strength.mean(), bare.frame["gold.strength"].mean(), strength.std()] == near(
        [3.929, 4.073, 1.333], abs=5e-4
    )
    assert (strength < 4).mean() == near(0.5095, abs=5e-5)
    assert r(strength, bare.frame["gold.strength"]) == near(0.680, abs=5e-4)
    runs = some_corpus.runs(data, data_folder)
    assert sum(run.answered for run in runs if run.judge.startswith("rater")) == 13_630
    published = {
        row["Item"]: row
        for _, row in read_table(data_folder / "some_corpus/means_c_noc.csv", delimiter=",")
    }
    for frame, column in ((data.frame, "Mean_context"), (bare.frame, "Mean_nocontext")):
        wanted = [float(published[item][column]) for item in frame["tag.item"]]
        assert frame["gold.strength"].to_list() == near(wanted, abs=1e-6)


@pytest.mark.published
def test_the_strength_of_some_goes_with_its_features(data_folder: Path) -> None:
    frame = some_corpus.load("context", data_folder).frame
    assert means(frame, "partitive", "strength") == near({"yes": 4.989, "no": 3.536}, abs=5e-4)
    assert counts(frame, "partitive") == {"yes": 368, "no": 994}
    assert means(frame, "mention", "strength") == near(
        {"old": 4.852, "med": 4.062, "new": 3.415}, abs=5e-4
    )
    assert counts(frame, "mention") == {"old": 142, "med": 766, "new": 454}
    assert (counts(frame, "subjecthood"), counts(frame, "modification")) == (
        {"subject": 257, "other": 1_105},
        {"unmodified": 695, "modified": 667},
    )
    assert means(frame, "subjecthood", "strength") == near(
        {"subject": 5.011, "other": 3.677}, abs=5e-4
    )
    assert means(frame, "modification", "strength") == near(
        {"unmodified": 4.059, "modified": 3.794}, abs=5e-4
    )
    assert r(frame["tag.weakness"], frame["gold.strength"]) == near(-0.514, abs=5e-4)
    bare = some_corpus.load("no_context", data_folder).frame
    assert bare["premise"].n_unique() == 1_300
    assert means(bare, "partitive", "strength") == near({"yes": 4.6655, "no": 3.854}, abs=5e-4)
    known = frame.filter(pl.col("tag.knows").is_not_null())
    rest = frame.filter(pl.col("tag.knows").is_null())
    assert (known.height, rest.height, read_replies(known).height) == (582, 780, 5_830)
    assert [known["gold.strength"].mean(), rest["gold.strength"].mean()] == near(
        [4.811, 3.271], abs=5e-4
    )
    assert known["tag.knows"].cast(pl.Float64).mean() == near(0.544, abs=5e-4)
    assert r(known["tag.knows"], known["gold.strength"]) == near(-0.222, abs=5e-4)


@pytest.mark.published
def test_the_models_of_some_go_with_people_as_printed(data_folder: Path) -> None:
    data = some_corpus.load("context", data_folder)
    network = by_judge(some_corpus.runs(data, data_folder))["BERT-large LSTM"]
    both = network.frame.join(data.frame, on="id")
    assert (both.height, r(both["value"], both["gold.strength"])) == (408, near(0.7758, abs=5e-5))
    path = data_folder / "some_corpus/bert-base-uncased_all.csv"
    said = pl.DataFrame(
        [
            (row["Item"], float(row["surprisal_at_strong"]))
            for _, row in read_table(path, delimiter=",")
        ],
        schema=["tag.item", "surprisal"],
        orient="row",
    )
    both = data.frame.join(said, on="tag.item")
    assert r(both["surprisal"], both["gold.strength"]) == near(-0.400, abs=5e-4)
    assert rho(both["surprisal"], both["gold.strength"]) == near(-0.532, abs=5e-4)


@pytest.mark.published
def test_or_has_its_ratings_in_both_experiments(data_folder: Path) -> None:
    slider, likert = (or_corpus.load(part, data_folder) for part in ("exp3", "exp4"))
    for data, raters, replies, mean, sd, good, below, downward in (
        (slider, 414, 12_276, 0.4712, 0.159, 0.635, 0.584, (0.415, 0.476)),
        (likert, 420, 12_500, 3.312, 1.022, 0.542, 0.753, (2.777, 3.363)),
    ):
        given, frame = read_replies(data.frame), data.frame
        assert (given["rater"].n_unique(), given.height) == (raters, replies)
        value = frame["gold.exclusivity"]
        assert [value.mean(), value.std()] == near([mean, sd], abs=5e-4)
        assert frame["tag.good"].cast(pl.Float64).mean() == near(good, abs=5e-4)
        assert (value < (0.5 if data is slider else 4)).mean() == near(below, abs=5e-4)
        assert counts(frame, "downward")["yes"] == 107
        assert means(frame, "downward", "exclusivity") == near(
            dict(zip(("yes", "no"), downward, strict=True)), abs=5e-4
        )
        assert not frame["hypothesis"].is_in(["", "NA"]).any()
    found = read_replies(likert.frame)["value"]
    assert [int((found == k).sum()) for k in range(1, 8)] == [
        4174,
        2023,
        1119,
        992,
        1104,
        1284,
        1804,
    ]
    both = slider.frame.join(likert.frame, on="tag.item")
    assert r(both["gold.exclusivity"], both["gold.exclusivity_right"]) == near(0.526, abs=5e-4)
    assert means(slider.frame, "either", "exclusivity") == near(
        {"yes": 0.558, "no": 0.466}, abs=5e-4
    )
    assert counts(slider.frame, "either")["yes"] == 67
    assert (counts(slider.frame, "numeral")["num"], counts(slider.frame, "and_test")["change"]) == (
        361,
        1_041,
    )
    each = read_replies(slider.frame).group_by("id").len()["len"]
    assert (int((each == 9).sum()), int((each >= 16).sum()), each.max()) == (1_124, 120, 19)
    assert means(slider.frame, "numeral", "exclusivity") == near(
        {"num": 0.508, "nonum": 0.456}, abs=5e-4
    )
    assert means(slider.frame, "and_test", "exclusivity") == near(
        {"change": 0.487, "nochange": 0.390}, abs=5e-4
    )


@pytest.mark.published
def test_nope_has_its_labels_ratings_and_agreement(data_folder: Path) -> None:
    main, adv, priors = (nope.load(part, data_folder).frame for part in ("main", "adv", "priors"))
    assert dict(main["gold.label"].value_counts().iter_rows()) == {
        "entailment": 1922,
        "neutral": 419,
        "contradiction": 45,
    }
    assert dict(adv["gold.label"].value_counts().iter_rows()) == {
        "neutral": 174,
        "contradiction": 119,
        "entailment": 53,
    }
    for frames, unanimous, same in (
        ((main, adv), 0.3869, 0.8152),
        ((main,), 0.4204, 0.8270),
        ((adv,), None, 0.7335),
    ):
        frame = pl.concat(frames, how="diagonal")
        votes = read_replies(frame, "votes").join(frame.select("id", "gold.label"), on="id")
        assert (votes["answer"] == votes["gold.label"]).mean() == near(same, abs=5e-5)
        if unanimous:
            alike = votes.group_by("id").agg(pl.col("answer").n_unique() == 1)
            assert alike["answer"].mean() == near(unanimous, abs=5e-5)
    assert [frame["gold.rating"].mean() for frame in (main, adv, priors)] == near(
        [86.73, 37.18, 52.24], abs=5e-3
    )
    n = {
        name: tuple(
            counts(main.filter(pl.col("tag.trigger") == name), "polarity")[p]
            for p in ("plain", "negated")
        )
        for name in ("aspectual_verbs", "clause_embedding_predicates", "implicative_predicates")
    }
    assert list(n.values()) == [(137, 135), (116, 99), (145, 152)]
    clauses = main.filter(pl.col("tag.trigger") == "clause_embedding_predicates")
    assert means(clauses, "version", "rating") == near(
        {"original": 86.71, "negated": 52.41}, abs=5e-3
    )
    spread = (
        read_replies(main)
        .join(main.select("id", "tag.trigger"), on="id")
        .group_by("id", "tag.trigger")
        .agg(pl.col("value").std(ddof=1))
    )
    sd = dict(spread.group_by("tag.trigger").agg(pl.col("value").mean()).iter_rows())
    assert [sd["implicative_predicates"], sd["temporal_adverbs"]] == near([18.74, 7.28], abs=6e-3)
    twins = main.group_by("group").len()["len"]
    assert (len(twins), int((twins == 2).sum())) == (1_239, 1_147)
    assert priors.height == 200 and read_replies(priors)["rater"].n_unique() == 32


@pytest.mark.published
def test_the_recorded_models_have_their_published_accuracies_on_nope(data_folder: Path) -> None:
    wanted = {
        "RoBERTa-large (mnli)": (75.90, 52.31),
        "RoBERTa-large (all)": (79.21, 56.94),
        "DeBERTa-xlarge (mnli)": (75.15, 57.51),
        "DeBERTa-xlarge (all)": (78.83, 59.54),
        "BOW (mnli)": (52.51, 29.19),
        "BOW (all)": (60.69, 29.48),
        "InferSent (mnli)": (75.02, 17.92),
        "InferSent (all)": (74.52, 17.92),
    }
    for at, part in enumerate(("main", "adv")):
        data = nope.load(part, data_folder)
        runs = by_judge(nope.runs(data, data_folder))
        for name, both in wanted.items():
            assert accuracy(runs[name], data.frame) == near(both[at], abs=6e-3), name
        five = [
            accuracy(run, data.frame)
            for name, run in runs.items()
            if name.startswith("RoBERTa-large (all)")
        ]
        assert (len(five), np.mean(five)) == (5, near((78.52, 56.474)[at], abs=6e-3))
        assert 100 * np.mean((data.frame["gold.label"] == "entailment").to_numpy()) == near(
            (80.55, 15.32)[at], abs=6e-3
        )


@pytest.mark.slow
@pytest.mark.published
def test_the_recorded_models_have_their_accuracies_on_imppres(data_folder: Path) -> None:
    wanted = {
        "RoBERTa-large (mnli)": (52.46, 45.39, 79.00),
        "RoBERTa-large (all)": (58.40, 49.06, 93.42),
        "DeBERTa-xlarge (mnli)": (48.56, 44.13, 65.14),
        "DeBERTa-xlarge (all)": (54.35, 48.56, 76.06),
        "BOW (mnli)": (43.42, 54.92, 0.28),
        "BOW (all)": (43.60, 54.76, 1.75),
        "InferSent (mnli)": (35.88, 44.50, 3.53),
        "InferSent (all)": (34.81, 41.67, 9.08),
    }
    data = imppres.load("presupposition", data_folder)
    runs = by_judge(imppres.runs(data, data_folder))
    targets = data.frame.filter(pl.col("tag.role") == "target")
    for name, three in wanted.items():
        parts = (data.frame, targets, data.frame.filter(pl.col("tag.role") == "control"))
        assert [accuracy(runs[name], part) for part in parts] == near(three, abs=6e-3), name
    by_set = {
        "all_n_presupposition": (64.20, 42.47),
        "both_presupposition": (39.53, 34.87),
        "change_of_state": (32.73, 32.27),
        "cleft_existence": (72.80, 83.93),
        "cleft_uniqueness": (6.67, 7.00),
        "only_presupposition": (65.27, 66.80),
        "possessed_definites_existence": (70.80, 71.47),
        "possessed_definites_uniqueness": (15.13, 25.80),
        "question_presupposition": (74.40, 72.40),
    }
    for name, both in by_set.items():
        part = targets.filter(pl.col("tag.set") == name)
        found = [
            accuracy(runs[model], part) for model in ("RoBERTa-large (all)", "DeBERTa-xlarge (all)")
        ]
        assert found == near(both, abs=6e-3), name
    clefts = imppres.load("cleft_existence", data_folder)
    one = by_judge(imppres.runs(clefts, data_folder))["RoBERTa-large (all)"]
    assert accuracy(one, clefts.frame.filter(pl.col("tag.role") == "target")) == near(
        72.80, abs=6e-3
    )


@cache
def predicates(folder: Path, part: str) -> dict[str, float]:
    """The mean over responses, which is the published one, of each predicate and control."""
    frame = projection.load(part, folder).frame
    replies = read_replies(frame).join(frame.select("id", "tag.predicate"), on="id")
    return dict(replies.group_by("tag.predicate").agg(pl.col("value").mean()).iter_rows())


@pytest.mark.published
def test_projection_has_the_published_mean_of_every_predicate(data_folder: Path) -> None:
    people = {
        part: read_replies(projection.load(part, data_folder).frame)["rater"].n_unique()
        for part in (
            "exp1a",
            "exp1b",
            "exp2a",
            "exp2b",
            "exp3a",
            "exp3b",
            "prior1",
            "prior2a",
            "prior2b",
        )
    }
    assert list(people.values()) == [266, 436, 259, 375, 263, 353, 286, 75, 266]
    rows = [
        row for _, row in read_table(data_folder / "projection/predicate_means.csv", delimiter=",")
    ]
    parts = {
        "1a": "exp1a",
        "1b": "exp1b",
        "2a": "exp2a",
        "2b": "exp2b",
        "3a": "exp3a",
        "3b": "exp3b",
    }
    checked = 0
    for row in rows:
        part = parts.get(
            row["experiment"], row["operator"] if row["experiment"] == "operators" else ""
        )
        if part and row["operator"] != "all" and row["predicate"] in predicates(data_folder, part):
            assert predicates(data_folder, part)[row["predicate"]] == near(
                float(row["mean"]), abs=6e-5
            ), row
            checked += 1
    assert checked >= 200
    targets = [
        read_replies(projection.load(part, data_folder).where(role="target").frame).height
        for part in ("prior1", "prior2a", "prior2b")
    ]
    assert targets == [5_720, 1_500, 5_320]
    shown = {
        "exp1a": {"MC": 0.111},
        "exp2a": {"entailing C": 0.961, "non-ent. C": 0.030},
        "exp3a": {"contradictory C": 0.960, "noncontrd. C": 0.059},
    }
    for part, controls in shown.items():
        assert {name: predicates(data_folder, part)[name] for name in controls} == near(
            controls, abs=6e-4
        )


@pytest.mark.published
def test_projection_has_the_participants_of_every_experiment(data_folder: Path) -> None:
    """The reader gives a person of each experiment a number of its own, though the published ones
    repeat.
    """
    found: dict[tuple[str, str], set[str]] = {}
    path = data_folder / "projection/responses/operators.csv.gz"
    for _, row in read_table(path, delimiter=","):
        found.setdefault((row["operator"], row["experiment"]), set()).add(row["participant"])
    n = [
        len(found[operator, f"{digit}{operator[0]}"])
        for digit in (1, 2, 3)
        for operator in OPERATORS
    ]
    assert n == [242, 274, 281, 266, 220, 215, 220, 224, 225, 228, 233, 230]
    for place, operator in enumerate(OPERATORS):
        people = read_replies(projection.load(operator, data_folder).frame)["rater"].n_unique()
        assert people == sum(n[place::4])


@pytest.mark.published
def test_projection_has_the_printed_rank_correlations(data_folder: Path) -> None:
    known = sorted(predicates(data_folder, "question").keys() - {"MC"})

    def of(part: str, names: list[str] = known) -> pl.Series:
        return pl.Series([predicates(data_folder, part)[name] for name in names])

    for one, other, value in (
        ("exp1a", "exp1b", 0.983),
        ("exp2a", "exp2b", 0.989),
        ("exp3a", "exp3b", 0.985),
        ("question", "exp1a", 0.993),
        ("question", "negation", 0.913),
        ("question", "modal", 0.943),
        ("question", "conditional", 0.955),
        ("exp1a", "exp2a", 0.334),
    ):
        assert rho(of(one), of(other)) == near(value, abs=6e-4), (one, other)
    assert rho(of("exp1a", [*known, "MC"]), of("prior1", [*known, "MC"])) == near(0.991, abs=6e-4)
    for one, other, value in (("exp2a", "exp3a", 0.953), ("exp2b", "exp3b", 0.934)):
        both = [
            (predicates(data_folder, one)[a], predicates(data_folder, other)[b])
            for a, b in [
                *((name, name) for name in known),
                ("entailing C", "contradictory C"),
                ("non-ent. C", "noncontrd. C"),
            ]
        ]
        assert rho(pl.Series([a for a, _ in both]), pl.Series([b for _, b in both])) == near(
            value, abs=6e-4
        )
    bare = [
        rho(of(one), of(other))
        for one, other in (("exp2a", "exp3a"), ("exp2b", "exp3b"), ("exp1a", "prior1"))
    ]
    assert bare == near([0.937, 0.918, 0.990], abs=6e-4)


@pytest.mark.published
def test_certainty_by_operator_and_by_prior_is_as_printed(data_folder: Path) -> None:
    wanted = {
        "question": (0.5180, 13_740, 687),
        "negation": (0.4830, 14_340, 717),
        "modal": (0.4754, 14_680, 734),
        "conditional": (0.5594, 14_400, 720),
    }
    for operator in OPERATORS:
        frame = projection.load(operator, data_folder).where(role="target").frame
        replies = read_replies(frame)
        mean, n, people = wanted[operator]
        assert (replies.height, replies["rater"].n_unique()) == (n, people)
        assert replies["value"].mean() == near(mean, abs=5e-5)
    for part, tag, high, low in (
        ("prior1", "people", 0.5404, 0.4037),
        ("prior1", "priors", 0.6863, 0.2339),
        ("prior2a", "people", 0.6948, 0.1600),
        ("prior2b", "people", 0.4904, 0.3196),
    ):
        frame = projection.load(part, data_folder).where(role="target").frame
        replies = read_replies(frame, tag).join(frame.select("id", "tag.prior"), on="id")
        found = dict(replies.group_by("tag.prior").agg(pl.col("value").mean()).iter_rows())
        assert found == near({"high": high, "low": low}, abs=6e-5), (part, tag)
    one, other = (
        projection.load(part, data_folder).where(role="target").frame
        for part in ("prior1", "prior2a")
    )
    replies = read_replies(one, "priors").join(
        one.select("id", "tag.content", "tag.prior"), on="id"
    )
    both = (
        replies.group_by("tag.content", "tag.prior")
        .agg(pl.col("value").mean())
        .join(other, on=["tag.content", "tag.prior"])
    )
    assert (both.height, rho(both["value"], both["gold.rating"])) == (40, near(0.977, abs=6e-4))


@pytest.mark.published
def test_the_commitmentbank_has_its_printed_figures(data_folder: Path) -> None:
    frame = commitmentbank.load("", data_folder).frame
    assert counts(frame, "embedding") == {
        "negation": 605,
        "modal": 311,
        "question": 167,
        "conditional": 117,
    }
    assert (frame["tag.verb"].n_unique(), read_replies(frame).height) == (48, 11_545)
    assert counts(frame.filter(pl.col("tag.verb") == "think"), "embedding") == {
        "negation": 265,
        "question": 61,
        "modal": 39,
        "conditional": 21,
    }
    kept = frame.filter(pl.col("tag.modal").is_null() | (pl.col("tag.modal") == "EP"))
    assert (kept.height, counts(kept, "genre"), kept["tag.verb"].n_unique()) == (
        982,
        {"WSJ": 100, "BNC": 461, "SWBD": 421},
        45,
    )
    assert set(frame["tag.verb"]) - set(kept["tag.verb"]) == {"guarantee", "specify", "swear"}
    replies = read_replies(kept).join(kept.select("id", "tag.verb"), on="id")
    by_verb = replies.group_by("tag.verb").agg(pl.col("value").mean()).sort("value")
    assert [by_verb.row(0), by_verb.row(-1)] == [("occur", -1.5), ("forget", near(2.425))]
    know = kept.filter((pl.col("tag.verb") == "know") & (pl.col("tag.person") == "third"))
    assert (int((kept["tag.verb"] == "know").sum()), know.height) == (122, 59)
    assert read_replies(kept.filter(pl.col("tag.verb") == "know"))["value"].mean() == near(
        0.769, abs=6e-4
    )
    assert counts(kept, "embedding") == {
        "negation": 573,
        "question": 166,
        "conditional": 114,
        "modal": 129,
    }
    assert dict(
        frame.select("tag.pair", "gold.commitment")
        .filter(pl.col("tag.pair").is_in(["BNC-2375", "BNC-2394", "BNC-2630", "BNC-428"]))
        .iter_rows()
    ) == {"BNC-2375": 3, "BNC-2394": -0.25, "BNC-2630": 3, "BNC-428": -0.75}
    plausible = (
        kept.filter(pl.col("tag.genre") != "SWBD")["tag.plausibility"].drop_nulls().cast(pl.Float64)
    )
    assert (len(plausible), (plausible <= -1).mean(), (plausible >= 1).mean()) == (
        558,
        near(0.095, abs=5e-4),
        near(0.167, abs=5e-4),
    )
    assert ((plausible > -1) & (plausible < 1)).mean() == near(0.738, abs=5e-4)
    assert (frame["tag.plausibility"].drop_nulls().len(), counts(frame, "factive")) == (
        733,
        {"yes": 292, "no": 908},
    )
    labels = dict(frame["gold.label"].value_counts().iter_rows())
    assert labels == {"entailment": 251, "neutral": 37, "contradiction": 268, None: 644}
    assert frame["gold.commitment"].mean() == near(0.0814, abs=5e-5)
    assert means(frame, "embedding", "commitment") == near(
        {"negation": -0.643, "question": 0.452, "conditional": 0.570, "modal": 1.108}, abs=5e-4
    )
    assert means(kept, "embedding", "commitment") == near(
        {"negation": -0.667, "question": 0.458, "conditional": 0.588, "modal": 0.772}, abs=5e-4
    )
    factive = {
        name: means(kept.filter(pl.col("tag.embedding") == name), "factive", "commitment")
        for name in ("negation", "question", "conditional", "modal")
    }
    assert [(one["yes"], one["no"]) for one in factive.values()] == [
        near(both, abs=6e-4)
        for both in ((0.726, -1.148), (1.880, -0.009), (1.326, 0.348), (1.907, 0.457))
    ]


@pytest.mark.published
def test_megaveridicality_has_its_printed_figures(data_folder: Path) -> None:
    data = megaveridicality.load("v1", data_folder)
    replies = read_replies(data.frame).join(
        data.frame.select("id", "tag.verb", "tag.kind", "tag.polarity", "tag.conditional"), on="id"
    )
    replies = replies.with_columns(pl.col("value") * 2 - 1)
    assert (replies.height, replies["rater"].n_unique()) == (21_692, 290)
    for kind, ends, mean in (("veridicality", (9, 20), 10.4), ("projection", (29, 60), 31.5)):
        n = replies.filter(pl.col("tag.kind") == kind).group_by("tag.verb").len()["len"]
        assert ((n.min(), n.max()), n.mean()) == (ends, near(mean, abs=0.06))
    follows = replies.filter(pl.col("tag.kind") == "veridicality")
    assert follows["rater"].n_unique() == 159
    by_kind = {
        kind: dict(
            replies.filter(pl.col("tag.kind") == kind)
            .group_by("tag.verb")
            .agg(pl.col("value").mean())
            .iter_rows()
        )
        for kind in ("veridicality", "projection")
    }
    sure = [verb for verb, value in by_kind["veridicality"].items() if value == 1]
    assert (len(sure), sum(by_kind["projection"][verb] >= 0.3 - 1e-9 for verb in sure)) == (97, 92)
    printed = {
        "bother": 0.967,
        "inform": 0.7,
        "know": 0.633,
        "grumble": 0.5,
        "notify": 0.4,
        "gloat": 0.4,
        "convey": 0.4,
        "confirm": 0.3,
    }
    assert {verb: by_kind["projection"][verb] for verb in printed} == near(printed, abs=6e-4)
    both = (
        "annoy 1 .767, know 1 .633, reveal 1 .567, discover .8 .3, see .9 .4, inform 1 .7, hear .3"
        " .6, announce .9 .533, acknowledge .9 .433, admit .9 .433, confess .9 .4, confirm 1 .3,"
        " say .4 .267, prove .9 .207, establish .5 .167, demonstrate .9 .138, think .1 -.033,"
        " suggest 0 -.167, pretend -.8 -.367"
    )
    for verb, *shown in map(str.split, both.split(",")):
        got = [by_kind[kind][verb] for kind in ("veridicality", "projection")]
        assert got == near([float(one) for one in shown], abs=6e-4), verb
    tweet = follows.filter(pl.col("tag.verb") == "tweet")["answer"].value_counts()
    assert dict(tweet.iter_rows()) == {"yes": 11, "maybe": 9}
    four = {
        (p, c): v
        for p, c, v in (
            replies.group_by("tag.polarity", "tag.conditional")
            .agg(pl.col("value").mean())
            .iter_rows()
        )
    }
    assert four == near(
        {
            ("positive", "no"): 0.601,
            ("negative", "no"): 0.371,
            ("positive", "yes"): 0.617,
            ("negative", "yes"): 0.244,
        },
        abs=6e-4,
    )
    second = megaveridicality.load("v2", data_folder).where(frame="that_S").frame
    assert second["gold.happened"].to_list() == near(
        data.frame["gold.happened"].to_list(), abs=1e-9
    )


@pytest.mark.published
@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        (
            "with",
            {
                "GPT-5": (90, 5.822, 0.842, 5.433, 5.867, 6.167),
                "Gemini 2.5 Flash": (89, 6.697, 0.647, 6.448, 6.767, 6.867),
                "Llama 3.1 8B": (77, 4.403, 1.575, 4.963, 4.250, 3.962),
                "Qwen2 7B": (90, 5.844, 0.935, 6.000, 5.800, 5.733),
            },
        ),
        (
            "without",
            {
                "GPT-5": (90, 6.100, 0.972, 5.833, 5.933, 6.533),
                "Gemini 2.5 Flash": (82, 6.695, 0.842, 6.448, 6.741, 6.923),
                "Llama 3.1 8B": (88, 5.119, 1.322, 5.586, 4.833, 4.948),
                "Qwen2 7B": (86, 6.221, 1.011, 6.379, 6.200, 6.074),
            },
        ),
    ],
)
def test_the_models_of_proviso_have_their_means(
    data_folder: Path, part: str, wanted: dict[str, tuple[float, ...]]
) -> None:
    data = proviso.load(part, data_folder)
    frame = join(data, *proviso.runs(data, data_folder))
    for judge, (n, mean, *bands) in wanted.items():
        rows = frame.filter((pl.col("judge") == judge) & pl.col("value").is_not_null())
        found = [
            rows["value"].mean(),
            rows["value"].std(),
            *(
                rows.filter(pl.col("tag.band") == band)["value"].mean()
                for band in ("high", "mid", "low")
            ),
        ]
        assert (rows.height, found) == (n, near([mean, *bands], abs=6e-4)), judge


@pytest.mark.published
def test_the_ratings_of_proviso_are_what_its_replies_say(data_folder: Path) -> None:
    from grice.datasets.proviso import read_rating

    rows = [
        row
        for _, row in json_rows(
            data_folder / "proviso/likert_outputs.jsonl.gz", "rating", "response"
        )
    ]
    assert (len(rows), sum(row["rating"] is None for row in rows)) == (720, 28)
    assert [read_rating(row["response"]) for row in rows] == [row["rating"] for row in rows]


WITH_RATERS = (
    scalar_diversity,
    some_corpus,
    or_corpus,
    nope,
    projection,
    megaveridicality,
    commitmentbank,
)


@pytest.mark.slow
@pytest.mark.published
@pytest.mark.parametrize("source", WITH_RATERS, ids=lambda one: one.name)
def test_nobody_can_be_found_by_a_published_number(data_folder: Path, source: Source) -> None:
    """Raters of every part are numbered from 1 by first sight, and no item carries age, gender,
    initials, hash or time.
    """
    for part in source.parts:
        data: Dataset = source.load(part, data_folder)
        assert data.scale == NLI or part.startswith("asked")
        said = {column.removeprefix("tag.") for column in data.frame.columns}
        assert (
            not {
                "gender",
                "age",
                "annotator",
                "workerid",
                "anon_id",
                "participant",
                "time",
                "comments",
            }
            & said
        )
        if "people" in said:
            numbers = {int(rater) for rater in read_replies(data.frame)["rater"] if rater}
            assert numbers == set(range(1, len(numbers) + 1)), part
    text = json.dumps(source.card.to_json()) + source.name
    assert not re.search(r"\b[0-9a-f]{32}\b|\bA[0-9A-Z]{13}\b", text)
