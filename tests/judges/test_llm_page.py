"""Every command of the page "Profile your LLM" runs, against a tiny model and a server on loopback."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grice.cli import build
from tests.judges.models import causal_model
from tests.judges.servers import completion, serving
from tests.judges.test_hf_asking import TEMPLATE

PAGE = Path(__file__).parents[2] / "docs" / "your_local_model.md"


def commands() -> list[str]:
    blocks = re.findall(r"^```\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return [line.removeprefix("grice ") for block in blocks for line in block.splitlines() if line.startswith("grice ")]


@pytest.mark.slow
def test_every_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import AutoTokenizer

    monkeypatch.chdir(tmp_path)
    made = causal_model(tmp_path / "SmolLM2", "llama", longest=2048)
    words = AutoTokenizer.from_pretrained(made)
    words.chat_template = TEMPLATE
    words.save_pretrained(made)
    found = commands()
    assert len(found) >= 16
    with serving(lambda _body, _number: completion("neutral")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for line in found:
            if "/RUN" in line:
                (folder,) = (tmp_path / "runs" / line.partition("/RUN")[0].rpartition("/")[2]).iterdir()
                line = line.replace("/RUN", f"/{folder.name}")
            result = CliRunner().invoke(build(), shlex.split(line))
            assert result.exit_code == 0, f"grice {line}: {result.output[-800:]}{result.exception}"
    assert server.bodies
