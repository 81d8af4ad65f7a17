from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.errors import InputError
from grice.core.shelf import DATASETS, JUDGES, MEASURES, split_name


def test_a_file_is_found_by_its_name_and_a_near_miss_is_named() -> None:
    assert "imppres" in DATASETS.names()
    assert MEASURES.find("accuracy").__name__ == "accuracy"
    with pytest.raises(InputError, match="Did you mean 'imppres'"):
        DATASETS.find("impres")


def test_a_users_own_file_works_like_one_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "always_yes.py"
    path.write_text("class AlwaysYes:\n    pass\n")
    assert JUDGES.find(str(path)).__name__ == "AlwaysYes"
    path.write_text("x = 1\n")
    with pytest.raises(InputError, match="defines neither 'always_yes' nor 'AlwaysYes'"):
        JUDGES.find(str(path))
    with pytest.raises(InputError, match="no such file"):
        JUDGES.find(str(tmp_path / "none.py"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("imppres/modals", ("imppres", "modals")),
        ("./a/mine.py", ("./a/mine.py", "")),
        ("./mine.py/x", ("./mine.py", "x")),
        ("snli", ("snli", "")),
    ],
)
def test_a_name_is_a_thing_and_a_part(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts
