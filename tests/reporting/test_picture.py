"""The picture of the README shows what the built-in model's page says now."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.picture import JUDGE, PICTURES, first_words

import grice


@pytest.mark.slow
def test_the_picture_of_the_readme_is_not_stale(tmp_path: Path) -> None:
    profile = grice.profile(JUDGE, out=tmp_path, images=False)
    shown = (PICTURES / "profile.txt").read_text(encoding="utf-8")
    assert first_words(profile) == shown, "make the picture again: python -m tools.picture"
    assert (PICTURES / "profile.png").read_bytes().startswith(b"\x89PNG")
