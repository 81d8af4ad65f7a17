"""The command `grice profile`: its estimate before it runs, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import grice
from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.judgement import Judgement
from grice.storage.run import Run
from grice.verbs.profile import BelowThreshold, _require


def test_dry_run_estimates_each_model_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "page"
    words = ["profile", "baseline/overlap", "--data", "quantifiers@7", "--limit", "24"]
    words += [
        "--against",
        "openai/m,url=http://127.0.0.1:9/v1",
        "--against",
        "panel/mini",
        "-o",
        str(out),
    ]
    outcome = CliRunner().invoke(build(), [*words, "--dry-run", "--json"])
    assert outcome.exit_code == 0, outcome.output
    rows = json.loads(outcome.stdout)
    assert [(row["judge"], row["dataset"], row["items"]) for row in rows] == [
        ("baseline/overlap", "quantifiers@7", 24),
        ("openai/m", "quantifiers@7", 24),
    ]
    assert rows[1]["requests"] == 24 and rows[1]["tokens out, at most"] == 24 * 128
    assert not out.exists()


def test_fail_under_is_exit_code_3_after_the_page_is_written(tmp_path: Path) -> None:
    words = ["profile", "baseline/overlap", "--data", "quantifiers@7", "--limit", "24"]
    words += ["-o", str(tmp_path), "--fail-under"]
    failed = CliRunner().invoke(build(), [*words, "1"])
    assert isinstance(failed.exception, BelowThreshold) and failed.exception.code == 3
    assert (tmp_path / "index.html").is_file()
    assert CliRunner().invoke(build(), [*words, "0"]).exit_code == 0


def test_fail_under_counts_invalid_responses_as_wrong() -> None:
    data = grice.load("quantifiers@7", groups=2)
    with pytest.raises(BelowThreshold, match=r"is 0\.000 \(95% CI 0\.000 to 0\.\d+, n = \d+\)"):
        _require(0.1, [(data, [_refused(data)])], None)  # type: ignore[arg-type]


def _refused(data: Dataset) -> Run:
    return Run.recorded(data, "m", [Judgement(id, fault="refused: no") for id in data.ids])
