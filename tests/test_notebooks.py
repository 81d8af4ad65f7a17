"""The notebooks of docs/ run from top to bottom, each in an empty folder, and hold no output that
could be stale.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.judges.servers import completion, serving

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(DOCS.parent / "src"))
    book = nbformat.read(path, as_version=4)
    replies = ["neutral", "I would say: maybe.", "contradiction"]
    with serving(lambda _, number: completion(replies[number % 3])) as server:
        monkeypatch.setenv("GRICE_LLM_URL", server.url)
        nbclient.NotebookClient(
            book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    shown = [
        out
        for cell in book.cells
        if cell.cell_type == "code"
        for out in cell.outputs
        if "data" in out
    ]
    assert len(shown) >= 3
    texts = " ".join(out["data"].get("text/plain", "") for out in shown)
    assert {
        "first_profile": "runs.zip",
        "your_llm": "unreadable",
        "your_phenomenon": "stands in implicature",
    }[path.stem] in texts + str(sorted(tmp_path.iterdir()))


def test_the_notebooks_are_the_three_that_the_guides_name_and_hold_no_output() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first_profile", "your_llm", "your_phenomenon"]
    assert not [path.stem for path in NOTEBOOKS for cell in cells(path) if cell.get("outputs")]


def test_the_notebook_writes_the_files_of_the_tutorial() -> None:
    page = (DOCS / "add_a_phenomenon.md").read_text(encoding="utf-8")
    files = dict(re.findall(r"`([\w.]+)`:\n\n```\w+\n(.*?)```", page, re.DOTALL))
    written = [source(cell) for cell in cells(DOCS / "notebooks/your_phenomenon.ipynb")]
    for name, text in files.items():
        assert f"%%writefile {name}\n{text.rstrip()}" in written
