"""ConjNLI: tags by the rules that give Table 3, quotes as they are, and the roles file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from grice.core.errors import InputError
from grice.datasets.conjnli import FILES, conjnli, operation, roles
from grice.theory.conjunction import TOKEN
from grice.verbs.show import show
from tests.datasets.formats import BOM, put


def test_the_byte_order_mark_is_no_part_of_the_first_column(tiny: Path) -> None:
    assert (tiny / "conjnli" / FILES["dev"]).read_bytes().startswith(BOM.encode())
    assert conjnli.load("dev", tiny).frame["premise"][0] == "Ann sings and Ben dances."


def test_quotes_are_part_of_the_text(tiny: Path) -> None:
    assert conjnli.load("adversarial", tiny).frame["premise"][2].startswith('He said "go"')


def test_tags_follow_the_words_of_either_text(tiny: Path) -> None:
    frame = conjnli.load("dev", tiny).frame
    assert frame["tag.conjunction"].to_list() == [["and"], ["or"], ["or", "but"]]
    assert frame["tag.multiple"].to_list() == ["no", "no", "yes"]
    assert frame["tag.quantifier"].to_list() == ["no", "no", "yes"]
    assert frame["tag.negation"].to_list() == ["no", "yes", "yes"]


def test_words_are_matched_with_their_case(tmp_path: Path) -> None:
    put(
        tmp_path / "conjnli/conj_dev.tsv",
        "Premise\tHypothesis\tLabel\nAnd NOT All.\tSo.\tneutral\n",
    )
    frame = conjnli.load("dev", tmp_path).frame
    assert "tag.conjunction" not in frame.columns
    assert frame["tag.negation"].to_list() == ["no"]


def test_test_has_no_gold(tiny: Path) -> None:
    assert conjnli.load("test", tiny).readings == {}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("Ann sings and dances well.", "Ann sings well.", "removed"),
        ("Ann sings well.", "Ann sings and dances well.", "added"),
        ("Ann sings and dances well.", "Ann sings and cooks well.", "replaced"),
        ("Ann sings.", "ann sings", None),
        ("Ann sings and dances.", "It rains.", None),
    ],
)
def test_the_operation_is_read_off_the_texts(
    premise: str, hypothesis: str, expected: str | None
) -> None:
    assert operation(TOKEN.findall(premise), TOKEN.findall(hypothesis)) == expected


def test_an_unknown_label_names_its_line(tmp_path: Path) -> None:
    put(
        tmp_path / "conjnli/conj_dev.tsv",
        f"{BOM}Premise\tHypothesis\tLabel\nA.\tB.\tneutral\nA.\tC.\tentails\n",
    )
    with pytest.raises(InputError, match=r"conj_dev.tsv:3: unknown label 'entails'"):
        conjnli.load("dev", tmp_path)


def test_roles_keep_a_line_of_tags_for_each_predicate(tiny: Path) -> None:
    first, second, third = roles(tiny)
    assert first.sentence == "Ann sings and Ben dances."
    assert [tags.index("B-V") for tags in first.tags] == [1, 4]
    assert second.tags == (("B-ARG0", "B-V"),)
    assert third.tags == ()


@pytest.mark.published
@pytest.mark.parametrize(
    ("part", "counts"),
    [
        (
            "dev",
            {"and": 320, "or": 293, "but": 99, "multiple": 152, "quantifier": 131, "negation": 70},
        ),
        (
            "test",
            {
                "and": 537,
                "or": 471,
                "but": 135,
                "multiple": 229,
                "quantifier": 175,
                "negation": 101,
            },
        ),
    ],
)
def test_table_3_is_reproduced(data_folder: Path, part: str, counts: dict[str, int]) -> None:
    frame = conjnli.load(part, data_folder).frame
    found = dict(frame.explode("tag.conjunction")["tag.conjunction"].value_counts().iter_rows())
    ours = {word: found[word] for word in ("and", "or", "but")}
    ours |= {
        tag: frame.filter(pl.col(f"tag.{tag}") == "yes").height
        for tag in ("multiple", "quantifier", "negation")
    }
    assert ours == counts


@pytest.mark.published
def test_table_2_and_the_roles_of_dev(data_folder: Path) -> None:
    frame = conjnli.load("dev", data_folder).frame
    labels = dict(frame["gold.label"].value_counts().iter_rows())
    assert labels == {"entailment": 204, "neutral": 281, "contradiction": 138}
    found = roles(data_folder)
    assert len(found) == 2 * 623
    assert found[0].sentence.split() == frame["premise"][0].split()


@pytest.mark.published
def test_quoted_cells_of_the_adversarial_file_stay_whole(data_folder: Path) -> None:
    frame = conjnli.load("adversarial", data_folder).frame
    cells = pl.concat([frame["premise"], frame["hypothesis"]])
    # Reading with quotes would alter 476 cells: each begins with one.
    assert cells.str.starts_with('"').sum() > 400


def test_a_part_that_does_not_exist_is_no_missing_file() -> None:
    with pytest.raises(InputError, match="no part of conjnli is called 'swaps'"):
        show("conjnli/swaps")
