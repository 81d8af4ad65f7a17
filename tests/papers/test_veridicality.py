from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import LIKERT5, NLI
from grice.papers.bench import LocalBench
from grice.papers.bench import bench as random_bench
from grice.papers.veridicality import swaps, veridicality
from grice.papers.veridicality.printed import table_2
from grice.storage.run import Run
from grice.tables.exhibit import agreement
from grice.tables.paper import Cell
from tests.hand import answers
from tests.papers.bench import HandBench

E, N, C = NLI.labels
SIDES = ("positive", "negative")


@pytest.fixture(scope="module")
def bench(data_folder: Path) -> LocalBench:
    """The published files, read once for all tests."""
    assert data_folder.is_dir()
    return LocalBench()


def agreeing(id: str, bench: LocalBench) -> dict[tuple[str, bool], int]:
    cells = veridicality.exhibit(id).cells(bench)
    return dict(Counter((c.reading, c.agrees) for c in cells if c.agrees is not None))


def found(cells: list[Cell], row: str, column: str, judge: str = "", reading: str = "") -> Cell:
    return next(
        c for c in cells if (c.row, c.column, c.judge, c.reading) == (row, column, judge, reading)
    )


@pytest.mark.published
@pytest.mark.parametrize(
    "id, expected",
    [
        ("Table 1", {("", True): 3, ("", False): 1}),
        ("Table 2", {("", True): 132}),
        ("Section 4.2", {("columns as raters", True): 2, ("one pool", False): 2}),
        ("Section 4.3", {("", True): 2}),
        ("Table 3", {("", True): 4}),
        ("Table 4", {("", True): 4}),
        (
            "Table 5",
            {
                ("", True): 18,
                ("bins as stated", True): 1,
                ("bins as stated", False): 17,
                ("bins that reproduce", True): 18,
                ("Spearman, as stated", False): 18,
                ("Pearson, which reproduces", True): 17,
                ("Pearson, which reproduces", False): 1,
            },
        ),
        ("Table 6", {("", True): 2}),
    ],
)
def test_cells_agree_where_the_released_data_say_so(
    id: str, expected: dict[tuple[str, bool], int], bench: LocalBench
) -> None:
    assert agreeing(id, bench) == expected


@pytest.mark.published
def test_the_readings_of_r2_and_agreement_are_those_of_the_data(bench: LocalBench) -> None:
    rows = veridicality.exhibit("Section 5").cells(bench)
    for row, values in (
        ("verb type", (0.7190, 0.6067, 0.6626)),
        ("signature", (0.4633, 0.3083, 0.3854, 0.0909)),
        ("factive, implicative or none", (0.0985, 0.1132, 0.1059)),
    ):
        for reading, value in zip(
            ("positive", "negative", "both as two outputs", "both stacked"), values, strict=False
        ):
            assert found(rows, row, "R²", "people", reading).ours == pytest.approx(value, abs=5e-5)
    rated = veridicality.exhibit("Section 4.2").cells(bench)
    columns = [found(rated, side, "Spearman", "people", "columns as raters") for side in SIDES]
    assert [c.ours for c in columns] == pytest.approx([0.7841, 0.7445], abs=5e-5)
    assert [c.n for c in columns] == [1494, 1498]
    pooled = veridicality.exhibit("Section 4.2").cells(bench)
    assert found(pooled, "positive", "Spearman", "people", "one pool").ours == pytest.approx(
        0.581, abs=5e-4
    )
    assert found(pooled, "negative", "Spearman", "people", "one pool").ours == pytest.approx(
        0.515, abs=5e-4
    )


@pytest.mark.published
def test_overall_performance_of_the_released_model_in_all_readings(bench: LocalBench) -> None:
    rows = veridicality.exhibit("Table 5").cells(bench)
    expected = {
        ("positive accuracy", "bins as stated"): 0.745,
        ("negative accuracy", "bins as stated"): 0.484,
        ("positive accuracy", "bins that reproduce"): 0.340,
        ("negative accuracy", "bins that reproduce"): 0.436,
        ("positive rho", "Spearman, as stated"): 0.571,
        ("negative rho", "Spearman, as stated"): 0.598,
        ("positive rho", "Pearson, which reproduces"): 0.634,
        ("negative rho", "Pearson, which reproduces"): 0.566,
    }
    for (column, reading), value in expected.items():
        cell = found(rows, "overall", column, "BERT", reading)
        assert cell.ours == pytest.approx(value, abs=6e-4) and cell.n == 1498
        assert cell.low is not None and cell.high is not None and cell.low < value < cell.high


@pytest.mark.published
def test_the_five_verbs_that_the_printed_list_leaves_out_are_shown(bench: LocalBench) -> None:
    rows = veridicality.exhibit("Table 2").cells(bench)
    left = {c.row.partition(" ")[2]: c.ours for c in rows if c.published is None}
    assert left == {
        "warn that": 12,
        "determine that": 12,
        "learn to": 10,
        "add that": 10,
        "have to": 9,
    }
    assert sum(c.ours or 0 for c in rows) == 1498


def test_the_printed_list_of_verbs_is_read_whole() -> None:
    assert len(table_2()) == 132
    assert sum(count for _, count in table_2().values()) == 1445
    assert table_2()["attempt to"] == ("o/-", 28)


def test_without_the_published_file_every_exhibit_is_empty_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    for exhibit in veridicality.exhibits:
        cells = exhibit.cells(LocalBench())
        assert cells and all(cell.ours is None and cell.reason for cell in cells), exhibit.id


def sentences(constructions: dict[str, str], name: str = "veridicality") -> Dataset:
    """A sentence for each construction in both environments, people going with the signature."""
    items = []
    for number, (construction, signature) in enumerate(constructions.items()):
        for side, sign in zip(SIDES, signature.split("/"), strict=True):
            label, mean = {"+": (E, 2.0), "-": (C, -2.0), "o": (N, 0.0)}[sign]
            tags = {
                "environment": side,
                "construction": construction,
                "signature": signature,
                "sentence": str(number),
                "complement": construction.split()[1],
            }
            gold: dict[str, str | float] = {
                "signature": label,
                "human": mean,
                "stated": label,
                "reproduced": label,
            }
            items.append(
                Item(f"{name}/{side}/{number}", "She …", "She did.", gold, tags, f"s{number}")
            )
    return Dataset.from_items(name, NLI, items, readings={"human": LIKERT5})


VERBS = {"manage to": "+/-", "know that": "+/+", "hope to": "o/o"}


def test_every_judge_stands_in_table_5_beside_the_papers() -> None:
    data = sentences(VERBS)
    run = answers(data, data.frame["gold.signature"].to_list(), "mine")
    rows = veridicality.exhibit("Table 5").cells(HandBench(data, runs={"veridicality": [run]}))
    mine = found(rows, "overall", "positive accuracy", "mine", "bins as stated")
    assert (mine.ours, mine.n, mine.published) == (1.0, 3, None)
    theirs = found(rows, "overall", "positive accuracy", "BERT", "bins as stated")
    assert (theirs.ours, theirs.published) == (None, 0.34) and theirs.reason
    alone = found(rows, "+/-", "positive rho", "mine", "Pearson, which reproduces")
    assert alone.ours is None and "too few" in alone.reason


def test_soft_signatures_are_shown_for_people_and_judges_by_class_and_by_verb() -> None:
    data = sentences(VERBS)
    run = answers(data, [E] * len(data), "mine")
    rows = veridicality.exhibit("Figure 1").cells(HandBench(data, runs={"veridicality": [run]}))
    assert found(rows, "+/-", "negative", "people").ours == -2.0
    assert found(rows, "+/-", "negative", "mine").ours == 1.0
    assert found(rows, "+/+ know that", "negative", "people", "by verb").ours == 2.0


def swapped(kinds: tuple[str, ...]) -> Dataset:
    """`manage` put into other sentences, in both environments, for each kind of swap."""
    items = [
        Item(
            f"swaps/{kind}/{side}/{i}",
            "He managed …",
            "He did.",
            {},
            {"swap": kind, "target": "manage to", "environment": side},
            f"{kind}{i}",
        )
        for kind in kinds
        for side in SIDES
        for i in range(3)
    ]
    return Dataset.from_items("veridicality/swaps", NLI, items)


def spread(data: Dataset, judge: str, probs: dict[str, float]) -> Run:
    return Run.recorded(
        data,
        judge,
        [Judgement(i, max(probs, key=lambda k: probs[k]), probs=probs) for i in data.ids],
    )


def test_swaps_fill_tables_7_and_8_for_any_judge_that_answered_them() -> None:
    plain, changed = (sentences(VERBS), swapped(("main", "mismatch", "complement", "type")))
    before, after = {E: 0.5, N: 0.25, C: 0.25}, {E: 0.25, N: 0.25, C: 0.5}
    runs = {
        "veridicality": [spread(plain, "mine", before)],
        "veridicality/swaps": [spread(changed, "mine", after)],
    }
    bench = HandBench(plain, changed, runs=runs)
    seven, eight = (
        veridicality.exhibit("Table 7").cells(bench),
        veridicality.exhibit("Table 8").cells(bench),
    )
    expected = pytest.approx(0.25 * 0.6931472, abs=1e-6)
    cell = found(seven, "+/- target", "main verb, positive", "mine")
    assert cell.ours == expected and (cell.n, cell.published) == (3, None)
    assert found(eight, "+/-", "mismatch", "mine").ours == expected
    other = found(eight, "+/+", "mismatch", "mine")
    assert other.ours is None and "no swapped sentence" in other.reason
    bert = found(seven, "+/- target", "main verb, positive", "BERT")
    assert bert.published == 0.01 and bert.ours is None and "not released" in bert.reason


def test_figure_2_shows_what_know_does_to_other_verbs_sentences() -> None:
    plain = sentences(VERBS)
    bench = HandBench(plain, runs={"veridicality": [answers(plain, [E] * len(plain), "mine")]})
    rows = veridicality.exhibit("Figure 2").cells(bench)
    assert found(rows, "know that, positive", E, "mine").ours == 1.0
    assert "swapped sentences" in found(rows, "VB to with know, positive", E, "mine").reason


PUT_IN = {"manage to": "+/-", "know that": "+/+", "fail to": "-/+", "hope to": "o/o"}


def many(name: str, tag: str) -> Dataset:
    """Twelve sentences for each verb, in both environments, which `tag` names; swapped ones have no
    signature.
    """
    items = []
    for verb, signature in PUT_IN.items():
        for n, side in ((n, side) for n in range(12) for side in SIDES):
            tags = {
                "environment": side,
                tag: verb,
                "signature": signature,
                "complement": verb.split()[1],
                "swap": "main",
            }
            items.append(
                Item(
                    f"{name}/{verb}/{n}/{side}", "She …", "She did.", {}, tags, f"{name}/{verb}/{n}"
                )
            )
    return Dataset.from_items(name, NLI, items)


def said_of_swaps(kind: str, seed: int = 0) -> dict[tuple[str, str, str, str], Cell]:
    """The cells of Table 7 for a judge that follows signatures, or answers at random."""
    plain, changed = many("veridicality", "construction"), many("veridicality/swaps", "target")
    draw, runs = random.Random(seed), {}
    for data in (plain, changed):
        signs = [
            str(i.tags["signature"]).split("/")[i.tags["environment"] == "negative"]
            for i in data.items()
        ]
        followed = [{"+": E, "-": C, "o": N}[sign] for sign in signs]
        runs[data.name] = [
            answers(
                data,
                followed if kind == "signature" else draw.choices(NLI.labels, k=len(data)),
                "j",
            )
        ]
    cells = veridicality.exhibit("Table 7").cells(HandBench(plain, changed, runs=runs))
    return {
        (c.row, c.column, c.reading, c.judge): c
        for c in cells
        if c.judge == "j" and c.ours is not None
    }


def test_random_answers_show_no_effect_of_a_verb() -> None:
    above = []
    claims = 0
    for seed in range(12):
        cells = said_of_swaps("random", seed)
        corrected = [c.ours for (*_, reading, _), c in cells.items() if reading == swaps.CORRECTED]
        assert len(corrected) == 4 * 2 * 2
        claims += any(p < 0.05 for p in corrected if p is not None)
        above += [c for (*_, reading, _), c in cells.items() if reading == swaps.ABOVE]
        value = cells["o/o target", "main verb, positive", "", "j"].ours
        chance = cells["o/o target", "main verb, positive", swaps.SHUFFLED, "j"]
        assert value is not None and value > 0 and chance.ours is not None and chance.ours > 0.02
        assert (
            chance.low is not None
            and chance.high is not None
            and chance.low < chance.ours < chance.high
        )
    assert claims <= 2
    assert abs(sum(c.ours or 0 for c in above) / len(above)) < 0.02, (
        "without its bias the divergence is 0 on average"
    )
    assert sum((c.low or 0) <= 0 <= (c.high or 0) for c in above) / len(above) > 0.9


def test_a_judge_that_follows_signatures_shows_the_effect_of_the_verb_and_none_of_the_sentence() -> (
    None
):
    cells = said_of_swaps("signature")
    ps = {
        row: c.ours
        for (row, column, reading, _), c in cells.items()
        if reading == swaps.CORRECTED and "posi" in column
    }
    assert ps["-/+ baseline"] is not None and ps["-/+ baseline"] < 0.05
    assert ps["-/+ target"] == ps["+/+ target"] == 1.0
    above = cells["-/+ baseline", "main verb, positive", swaps.ABOVE, "j"]
    assert above.ours is not None and above.low is not None and above.low > 0.5


def test_answers_are_shuffled_by_a_seed() -> None:
    assert said_of_swaps("random", 3) == said_of_swaps("random", 3)


def test_the_paragraphs_on_swaps_name_the_readings_that_are_shown() -> None:
    for id, readings in (
        ("Table 7", {swaps.SHUFFLED, swaps.ABOVE, swaps.CORRECTED}),
        ("Table 8", {swaps.SHUFFLED, swaps.ABOVE, swaps.CORRECTED}),
        ("Table 7 by verb", {swaps.ABOVE, swaps.CORRECTED}),
        ("Figure 2", {swaps.CHANGE, swaps.CORRECTED}),
    ):
        notes = " ".join(veridicality.exhibit(id).notes)
        assert all(f"'{reading}" in notes for reading in readings) and "--targets" in notes


def put_everywhere(answer: Callable[[str, str, str], str], swap: str = "main") -> HandBench:
    """Eight sentences for each verb, into which every other verb is put; `answer` takes the verb
    that is now in a sentence, the sentence and the environment.
    """
    plain, changed = [], []
    for own, n, side in ((v, n, s) for v in PUT_IN for n in range(8) for s in SIDES):
        sentence = f"{own}/{n}"
        tags = {"environment": side, "complement": own.split()[1], "construction": own}
        plain.append(Item(f"p/{sentence}/{side}", "She …", "She did.", {}, tags, sentence))
        for target in (target for target in PUT_IN if target != own):
            more = {**tags, "swap": swap, "target": target}
            name = f"s/{sentence}/{target}/{side}"
            changed.append(Item(name, "She …", "She did.", {}, more, sentence))
    sets = {
        "veridicality": Dataset.from_items("veridicality", NLI, plain),
        "veridicality/swaps": Dataset.from_items("veridicality/swaps", NLI, changed),
    }
    runs = {}
    for name, data in sets.items():
        labels = [
            answer(
                str(i.tags.get("target", i.tags["construction"])),
                str(i.group),
                str(i.tags["environment"]),
            )
            for i in data.items()
        ]
        runs[name] = [answers(data, labels, "j")]
    return HandBench(*sets.values(), runs=runs)


def label_of(verb: str, side: str) -> str:
    sign = PUT_IN[verb].split("/")[side == "negative"]
    return {"+": E, "-": C, "o": N}[sign]


def test_a_judge_that_follows_signatures_gets_the_expected_effect_for_each_verb() -> None:
    bench = put_everywhere(lambda verb, _, side: label_of(verb, side))
    cells = veridicality.exhibit("Table 7 by verb").cells(bench)
    values = {(c.row, c.column): c.ours for c in cells if c.judge == "j" and c.reading == ""}
    assert len(values) == len(PUT_IN) * 2 * 2
    for verb, signature in PUT_IN.items():
        for side in SIDES:
            # Half an answer is added to each label, of 24 swapped sentences and of 8 and 32 others.
            mine = label_of(verb, side)
            own = {label: (8 * (label == mine) + 0.5) / 9.5 for label in NLI.labels}
            put = {label: (24 * (label == mine) + 0.5) / 25.5 for label in NLI.labels}
            all_of = Counter(label_of(other, side) for other in PUT_IN for _ in range(8))
            base = {label: (all_of[label] + 0.5) / 33.5 for label in NLI.labels}
            for against, reference in (("target", own), ("baseline", base)):
                expected = sum(p * math.log(p / reference[k]) for k, p in put.items())
                value = values[f"{signature} {verb}", f"main verb, {side}, {against}"]
                assert value == pytest.approx(expected, abs=1e-9), (verb, side, against)


def test_intervals_of_a_table_hold_together_where_answers_are_random() -> None:
    outside = tables = 0
    for seed in range(20):
        draw = random.Random(seed)
        bench = put_everywhere(lambda *_, draw=draw: draw.choice(NLI.labels))
        for id in ("Table 7", "Table 7 by verb"):
            cells = veridicality.exhibit(id).cells(bench)
            effects = [c for c in cells if c.reading == swaps.ABOVE]
            assert len(effects) == 4 * 2 * 2
            tables += 1
            outside += not all((c.low or 0) <= 0 <= (c.high or 0) for c in effects)
    assert outside / tables <= 0.1


def test_a_judge_that_sees_the_sentence_and_no_verb_shows_no_effect_of_verbs() -> None:
    rated = random.Random(3)
    fixed = {f"{v}/{n}": rated.choice(NLI.labels) for v in PUT_IN for n in range(8)}
    bench = put_everywhere(lambda _, sentence, __: fixed[sentence])
    cells = veridicality.exhibit("Table 7").cells(bench)
    effects = [c for c in cells if c.reading == swaps.ABOVE]
    assert effects and all((c.low or 0) <= 0 <= (c.high or 0) for c in effects)
    bench = put_everywhere(lambda _, sentence, __: fixed[sentence], "mismatch")
    figure = veridicality.exhibit("Figure 2").cells(bench)
    changes = [c for c in figure if c.reading == swaps.CHANGE]
    assert changes and all(c.ours == 0 for c in changes)


@pytest.mark.published
def test_random_answers_to_swaps_show_no_effect(bench: LocalBench) -> None:
    assert bench.data("veridicality")
    of = random_bench({"random": "baseline/random"}, {}, targets=1)
    for id in ("Table 7", "Figure 2", "Table 8 by verb"):
        cells = veridicality.exhibit(id).cells(of)
        effects = [c for c in cells if c.reading in (swaps.ABOVE, swaps.CHANGE)]
        assert effects and all((c.low or 0) <= 0 <= (c.high or 0) for c in effects), id
    assert len(of.data(swaps.SWAPS)) > 5_000


@pytest.mark.published
def test_peoples_bias_is_shown_under_both_bins_and_under_no_third(bench: LocalBench) -> None:
    cells = [
        c
        for c in veridicality.exhibit("Section 5").cells(bench)
        if c.row.startswith("veridicality bias")
    ]
    people = {(c.reading, c.column): round(c.ours or 0, 3) for c in cells if c.judge == "people"}
    assert people == {
        ("bins as stated", "positive"): 0.662,
        ("bins as stated", "negative"): 0.403,
        ("bins that reproduce", "positive"): 0.218,
        ("bins that reproduce", "negative"): 0.480,
    }
    more = [c for c in cells if c.row == "veridicality bias less people's"]
    assert {(c.judge, c.reading, c.column) for c in more} == {("BERT", *key) for key in people}
    assert all(c.low is not None and c.high is not None and 0 < c.low < c.high <= 1 for c in more)


@pytest.mark.published
def test_a_printed_number_of_section_5_is_counted_once(bench: LocalBench) -> None:
    cells = veridicality.exhibit("Section 5").cells(bench)
    assert agreement(cells) == (2, 2) and agreement(
        [c for c in cells if c.reading == "negative"]
    ) == (1, 2)
    fitted = [c for c in veridicality.exhibit("Table 5").cells(bench) if c.reference == "fitted"]
    assert {c.reading for c in fitted} == {"bins that reproduce"} and agreement(fitted) == (0, 0)
