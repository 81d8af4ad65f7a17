"""Parts of a run are joined into the whole run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hand import three

from grice.core.errors import InputError
from grice.core.sampling import Slice
from grice.loading import load, load_judge
from grice.storage.evaluation import evaluate
from grice.verbs.judge import judge
from grice.verbs.merge import merge


def test_parts_of_every_division_cover_all_items_once() -> None:
    for total in (1, 3, 7, 20):
        parts = [Slice(number, total).of(range(10)) for number in range(1, total + 1)]
        assert [index for part in parts for index in part] == list(range(10))


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"])
def test_a_part_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Slice.parse(text)


def test_merged_parts_have_the_bytes_of_the_whole_run(tmp_path: Path) -> None:
    whole = judge("quantifiers@7", "baseline/overlap", limit=100, into=tmp_path / "whole")
    for part in ("3/3", "1/3", "2/3"):
        judge("quantifiers@7", "baseline/overlap", limit=100, part=part, into=tmp_path / "parts")
    for _ in range(2):
        (merged,) = merge(tmp_path / "parts", into=tmp_path / "merged")
    assert whole.folder is not None and merged.folder is not None
    assert merged.folder.name == whole.folder.name
    for name in ("run.json", "judgements.jsonl", f"items-{whole.fingerprint}.parquet"):
        assert (merged.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_a_missing_part_stays_pending_and_the_whole_command_asks_it(tmp_path: Path) -> None:
    judge("quantifiers@7", "baseline/overlap", part="2/2", into=tmp_path / "parts")
    (merged,) = merge(tmp_path / "parts", into=tmp_path / "runs")
    assert (merged.answered, merged.open) == (750, 750)
    again = judge("quantifiers@7", "baseline/overlap", into=tmp_path / "runs")
    assert (again.folder, again.answered) == (merged.folder, 1500)
    with pytest.raises(InputError):
        merge(tmp_path / "parts", into=tmp_path / "runs")


def test_overlapping_parts_and_other_data_and_whole_runs_are_refused(tmp_path: Path) -> None:
    overlap, data = load_judge("baseline/overlap"), load("quantifiers@7")
    for name, part in (("a", Slice(1, 2)), ("b", Slice(2, 3))):
        evaluate(data, overlap, part=part, into=tmp_path / name)
    with pytest.raises(InputError, match="is in"):
        merge([tmp_path / "a", tmp_path / "b"], into=tmp_path / "runs")
    evaluate(three(), overlap, part=Slice(1, 2), into=tmp_path / "other")
    with pytest.raises(InputError, match="other data"):
        merge([tmp_path / "a", tmp_path / "other"], into=tmp_path / "runs")
    evaluate(data, overlap, limit=5, into=tmp_path / "whole")
    with pytest.raises(InputError, match="complete run"):
        merge(tmp_path / "whole", into=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
