"""The page on paper, and its paragraph for one."""

from __future__ import annotations

from pathlib import Path

import pytest

import grice
from grice.core.errors import InputError
from grice.profiling.sheets import AnswerSheet
from grice.reporting.methods import methods_paragraph
from grice.reporting.model import Profile
from tests.collecting.chromium import CHROMIUM


@pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")
def test_pdf_is_printed_beside_the_page(folder: Path) -> None:
    from grice.reporting.paper import print_page

    pdf = print_page(folder / "index.html")
    assert pdf.name == "index.pdf" and pdf.read_bytes().startswith(b"%PDF")
    pdf.unlink()


def test_pdf_without_browser_is_refused_before_anything_is_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError):
        grice.profile("baseline/overlap", data="quantifiers", out=tmp_path / "out", pdf=True)
    assert not (tmp_path / "out").exists()


def test_methods_paragraph_names_models_data_and_sources(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    profile, parts = made
    text = methods_paragraph(profile)
    assert all(judge in text for judge in profile.judges)
    assert all(part.data.fingerprint[:12] in text for part in parts)
    people = [claim.people for claim in profile.claims if claim.people]
    assert people and all(known.source in text for known in people)
    families = {claim.gate.family for claim in profile.claims if claim.gate}
    assert f"{max(families)} claims" in text
