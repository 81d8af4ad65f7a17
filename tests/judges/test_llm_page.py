"""Every command of the page "Profile your LLM" runs, against a tiny model and a server on loopback."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grice.cli import build
from tests.judges.hosted import HostedModel, hosting
from tests.judges.models import causal_model
from tests.judges.test_hf_asking import TEMPLATE

PAGE = Path(__file__).parents[2] / "docs" / "your_local_model.md"


def commands() -> list[str]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    blocks = [block for kind, block in fences if not kind]
    return [
        line.removeprefix("grice ")
        for block in blocks
        for line in block.splitlines()
        if line.startswith("grice ")
    ]


@pytest.mark.slow
def test_every_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import AutoTokenizer

    monkeypatch.chdir(tmp_path)
    # Random weights give no label much probability.
    monkeypatch.setattr("grice.storage.run_warnings.STOP_MASS", 0.0)
    made = causal_model(tmp_path / "SmolLM2", "llama", longest=2048)
    words = AutoTokenizer.from_pretrained(made)
    words.chat_template = TEMPLATE
    words.save_pretrained(made)
    found = commands()
    assert len(found) >= 22
    (prices,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    Path("prices.toml").write_text(prices)
    with hosting(HostedModel()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for line in found:
            if run := re.search(r"(runs/\w+)/RUN", line):
                (folder,) = Path(run[1]).iterdir()
                line = line.replace("RUN", folder.name)
            result = CliRunner().invoke(build(), shlex.split(line))
            assert result.exit_code == 0, f"grice {line}: {result.output[-800:]}{result.exception}"
    assert server.bodies and server.batches
