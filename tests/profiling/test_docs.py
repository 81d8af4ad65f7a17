"""The code of docs/profile.md runs and says what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "profile.md"


@pytest.mark.slow
def test_the_python_of_the_guide_prints_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code.replace('out="overlap"', f'out="{tmp_path}"'), str(DOCS), "exec"), {})
    (said,) = re.findall(r"^# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.strip() == said
    assert (tmp_path / "index.html").is_file()
