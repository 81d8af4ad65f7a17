"""The code of docs/profile.md runs and says what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "profile.md"


@pytest.mark.slow
def test_the_python_of_the_guide_prints_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code.replace('out="overlap"', f'out="{tmp_path}"'), str(DOCS), "exec"), {})
    (said,) = re.findall(r"^# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.strip() == said
    assert (tmp_path / "index.html").is_file()


def test_the_examples_of_the_docs_are_made_by_commands_that_leave_published_sentences_out() -> None:
    from tools.examples import EXAMPLE, WRITTEN, commands

    for name, (_, _, folder) in WRITTEN.items():
        made = commands(name)
        assert made[-1][0] in ("profile", "board") and made[-1][made[-1].index("-o") + 1] == folder
        assert all("--no-items" in words for words in made), (
            "the data are not this repository's to pass on"
        )
    text = (EXAMPLE / "index.html").read_text(encoding="utf-8")
    assert all(f'"name":"{judge}"' in text for judge in ("encoder/grice-mini", "BERT", "BOW"))
    assert (
        'id="packed"' not in text
        and "blockquote" not in text.partition("</style>")[2].partition("<script")[0]
    )
    board = (EXAMPLE / "board" / "index.html").read_text(encoding="utf-8")
    assert board.count("<tr data-name=") >= 6
