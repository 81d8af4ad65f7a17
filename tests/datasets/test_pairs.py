"""Sets of labelled pairs: u-SNLI, ANLI, SICK, MED, CAD, DNC, HANS, GLUE diagnostics, the training
mix.
"""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from grice.core.errors import GriceError, InputError, MissingData
from grice.core.scale import NLI, UNIT
from grice.datasets.anli import anli
from grice.datasets.cad_nli import cad_nli
from grice.datasets.dnc import RATING, TWO_WAY, dnc
from grice.datasets.glue_diagnostics import glue_diagnostics
from grice.datasets.hans import hans
from grice.datasets.med import med
from grice.datasets.nli_train import nli_train
from grice.datasets.sick import RELATEDNESS, sick
from grice.datasets.snli import snli
from grice.datasets.unli import unli
from grice.storage.source import Source
from tests.datasets.formats import packed, put
from tests.datasets.tiny import write_dnc


def test_u_snli_is_read_from_its_archive_with_probability_and_class(tiny: Path) -> None:
    data = unli.load("dev", tiny)
    assert data.scale == UNIT
    assert data.readings == {"probability": UNIT, "label": NLI}
    assert data.frame["gold.probability"].to_list() == [0.97, 0.4, 0.0]
    assert data.frame["gold.label"].to_list() == ["entailment", "neutral", "contradiction"]


def test_hypotheses_of_one_premise_share_a_group(tiny: Path) -> None:
    assert unli.load("dev", tiny).frame["group"].to_list() == [
        "unli/dev/p0",
        "unli/dev/p0",
        "unli/dev/p1",
    ]


def test_u_snli_is_read_from_loose_files_and_a_nested_archive_too(tmp_path: Path) -> None:
    text = "id,pre,hyp,nli,unli\n0,A.,B.,2,0.9\n"
    put(tmp_path / "unli/u-snli.zip", packed({"u-snli/train.csv": text}))
    put(tmp_path / "unli/dev.csv", text)
    assert len(unli.load("train", tmp_path)) == len(unli.load("dev", tmp_path)) == 1
    with pytest.raises(MissingData, match=r"unli/test.csv is not in the data folder"):
        unli.load("test", tmp_path)


@pytest.mark.parametrize("value", ["1.2", "likely"])
def test_what_is_no_probability_names_its_line(tmp_path: Path, value: str) -> None:
    put(tmp_path / "unli/dev.csv", f"id,pre,hyp,nli,unli\n0,A.,B.,2,{value}\n")
    with pytest.raises(InputError, match=rf"dev.csv:2: '{value}' is not a number on 0 … 1"):
        unli.load("dev", tmp_path)


def test_anli_reads_a_round_or_all_three(tiny: Path) -> None:
    assert anli.load("", tiny).frame["tag.round"].to_list() == ["R1", "R1", "R2", "R2", "R3", "R3"]
    one = anli.load("R2/train", tiny)
    assert one.ids == ["anli/R2/train/0", "anli/R2/train/1"]
    assert one.frame["gold.label"].to_list() == ["entailment", "neutral"]


def test_sick_lowers_its_labels_and_reads_crlf(tiny: Path) -> None:
    data = sick.load("test", tiny)
    assert b"\r\n" in (tiny / "sick/SICK_test_annotated.txt").read_bytes()
    assert data.frame["gold.label"].to_list() == ["entailment", "neutral"]
    assert data.readings["relatedness"] == RELATEDNESS
    assert data.frame["premise"][0] == 'A "dog" runs'


def test_the_original_may_stand_anywhere_among_its_edits(tmp_path: Path) -> None:
    rows = [
        "P1\tH\tneutral",
        "P\tH1\tneutral",
        "P\tH\tentailment",
        "P2\tH\tcontradiction",
        "P\tH2\tcontradiction",
    ]
    unclear = ["A\tB\tneutral"] * 5
    put(
        tmp_path / "cad_nli/dev.tsv",
        "\n".join(["sentence1\tsentence2\tgold_label", *rows, *unclear]) + "\n",
    )
    edited = cad_nli.load("dev", tmp_path).frame["tag.edited"].to_list()
    assert edited == ["premise", "hypothesis", "none", "premise", "hypothesis", *[None] * 5]


def test_sick_is_read_from_the_file_that_holds_all_splits_too(tmp_path: Path) -> None:
    head = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tSemEval_set\n"
    rows = "1\tA.\tB.\tNEUTRAL\t3.0\tTRAIN\n4\tC.\tD.\tENTAILMENT\t4.5\tTRIAL\n6\tE.\tF.\tCONTRADICTION\t2.5\tTRAIN\n"
    put(tmp_path / "sick/SICK.zip", packed({"SICK.txt": head + rows}))
    data = sick.load("train", tmp_path)
    assert data.ids == ["sick/train/0", "sick/train/1"]
    assert data.frame["tag.pair"].to_list() == ["1", "6"]
    assert data.frame["gold.label"].to_list() == ["neutral", "contradiction"]


def test_a_truncated_archive_is_an_error_of_one_line(tmp_path: Path) -> None:
    put(tmp_path / "sick/SICK.zip", packed({"SICK.txt": "x" * 500})[:100])
    with pytest.raises(GriceError, match=r"SICK.zip: not a zip archive .*fetch it again"):
        sick.load("train", tmp_path)


def test_med_finds_the_direction_in_its_genre(tiny: Path) -> None:
    frame = med.load("", tiny).frame
    assert frame["tag.monotonicity"].to_list() == ["downward", "upward", "non_monotone"]
    assert frame["tag.genre"].to_list()[1] == ["upward_monotone", "paper", "lexical_knowledge"]
    assert frame["premise"][0] == 'No "dog" ran'


def test_five_rows_are_an_original_and_its_edits(tiny: Path) -> None:
    frame = cad_nli.load("dev", tiny).frame
    assert frame["tag.edited"].to_list()[:5] == [
        "none",
        "premise",
        "hypothesis",
        "premise",
        "hypothesis",
    ]
    assert frame["group"].n_unique() == 2
    assert frame["hypothesis"][0] == 'A man reads "Emma".'
    assert (
        cad_nli.load("revised_premise/train", tiny).frame["group"].to_list()
        == ["cad_nli/train/p0"] * 2 + ["cad_nli/train/p1"] * 2
    )


def test_the_dnc_keeps_ratings_beside_the_authors_two_way_label(tiny: Path) -> None:
    data = dnc.load("kg_relations/test", tiny)
    assert (data.scale, data.readings["rating"]) == (TWO_WAY, RATING)
    assert data.frame["gold.label"].to_list() == ["entailed", "not-entailed"]
    assert data.frame["gold.rating"].to_list() == [5.0, 1.0]


def test_a_pair_of_the_dnc_carries_its_own_licence(tiny: Path) -> None:
    assert dnc.load("puns/dev", tiny).frame["tag.licence"].to_list() == ["CC BY-NC", None]


def test_function_words_stand_on_scales_of_their_own(tiny: Path) -> None:
    assert dnc.load("function_words/NLI", tiny).scale == NLI
    assert dnc.load("function_words/ACCEPTABILITY", tiny).scale.labels == (
        "acceptable",
        "unacceptable",
    )


def test_the_training_set_of_names_stands_in_two_files(tmp_path: Path) -> None:
    write_dnc(tmp_path)
    folder = tmp_path / "dnc/train"
    for piece in ("1", "2"):
        (folder / f"recast_ner_{piece}_data.json").write_bytes(
            (folder / "recast_ner_data.json").read_bytes()
        )
    (folder / "recast_ner_data.json").unlink()
    ids = dnc.load("ner/train", tmp_path).ids
    assert ids == [
        "dnc/ner_1/train/0",
        "dnc/ner_1/train/1",
        "dnc/ner_2/train/0",
        "dnc/ner_2/train/1",
    ]


@pytest.mark.parametrize(("text", "fact"), [("[{", "not JSON"), ("{}", "not a JSON array")])
def test_a_broken_array_is_an_error_of_one_line(tmp_path: Path, text: str, fact: str) -> None:
    put(tmp_path / "dnc/dev/recast_puns_data.json", text)
    with pytest.raises(GriceError, match=rf"recast_puns_data.json.*{fact}"):
        dnc.load("puns/dev", tmp_path)


def test_an_unknown_dnc_label_names_its_pair(tmp_path: Path) -> None:
    put(
        tmp_path / "dnc/dev/recast_puns_data.json",
        '[{"context": "A", "hypothesis": "B", "label": "maybe", "pair-id": 9}]',
    )
    with pytest.raises(InputError, match=r"pair 9: unknown label 'maybe'"):
        dnc.load("puns/dev", tmp_path)


def test_hans_has_two_labels_and_its_heuristics(tiny: Path) -> None:
    data = hans.load("", tiny)
    assert data.scale.labels == ("entailment", "non-entailment")
    assert data.frame["tag.subcase"].to_list() == ["ln_preposition", "le_conjunction"]


def test_diagnostics_hold_several_tags_and_may_have_no_label(tiny: Path) -> None:
    frame = glue_diagnostics.load("", tiny).frame
    assert frame["tag.lexical_semantics"].to_list() == [["Quantifiers", "Lexical entailment"], None]
    assert frame["gold.label"].to_list() == ["entailment", None]
    assert frame["premise"][1] == 'Ann said "she won.'


@pytest.mark.parametrize(
    ("source", "part", "path", "row"),
    [
        (anli, "R1/dev", "anli/R1/dev.jsonl", {"context": "A.", "label": "e"}),
        (
            dnc,
            "puns/dev",
            "dnc/dev/recast_puns_data.json",
            {"context": "A.", "label": "entailed", "pair-id": 1},
        ),
        (snli, "dev", "snli/snli_1.0_dev.jsonl", {"sentence1": "A.", "gold_label": "neutral"}),
    ],
)
def test_a_file_with_other_fields_is_refused_in_one_line(
    tmp_path: Path, source: Source, part: str, path: str, row: dict[str, object]
) -> None:
    text = json.dumps([row]) if path.endswith(".json") else json.dumps(row)
    put(tmp_path / path, text)
    with pytest.raises(GriceError, match=r"no field '(hypothesis|sentence2)'.*fetch") as caught:
        source.load(part, tmp_path)
    assert "\n" not in str(caught.value)


def test_the_training_mix_counts_rows_within_each_source(tiny: Path) -> None:
    whole, part = nli_train.load("", tiny), nli_train.load("snli", tiny)
    assert whole.ids[:4] == [
        "nli_train/snli/0",
        "nli_train/snli/1",
        "nli_train/snli/2",
        "nli_train/mnli/0",
    ]
    assert part.ids == [f"nli_train/snli/{i}" for i in range(6)]
    assert set(part.ids) < set(whole.ids)


def test_a_broken_training_mix_is_refused(tmp_path: Path) -> None:
    import gzip

    put(tmp_path / "nli_train/snli_mnli_anli_subset.jsonl.gz", gzip.compress(b'{"premise": "A",\n'))
    with pytest.raises(InputError, match="not JSON lines"):
        nli_train.load("", tmp_path)


@pytest.mark.published
def test_all_but_a_few_counterfactual_groups_show_their_original(data_folder: Path) -> None:
    frame = cad_nli.load("train", data_folder).frame
    groups = frame.group_by("group").agg(
        (pl.col("tag.edited") == "none").sum().alias("none"),
        (pl.col("tag.edited") == "premise").sum().alias("premise"),
    )
    assert groups.height == 1_666
    assert groups.filter((pl.col("none") == 1) & (pl.col("premise") == 2)).height > 1_600
