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

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "your_local_model.md"
FIVE_MINUTES = DOCS / "llm_in_five_minutes.md"


def commands(text: str) -> list[str]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    blocks = [block for kind, block in fences if not kind]
    return [
        line.removeprefix("grice ")
        for block in blocks
        for line in block.splitlines()
        if line.startswith("grice ")
    ]


def chat_model(folder: Path) -> None:
    from transformers import AutoTokenizer

    causal_model(folder, "llama", longest=2048)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("section", "n_commands"),
    [
        ("A checkpoint on this machine", 2),
        ("A server", 1),
        ("A hosted API", 2),
        ("Continuous integration", 3),
    ],
)
def test_each_guide_of_five_minutes_runs(
    section: str, n_commands: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Random weights give no label much probability.
    monkeypatch.setattr("grice.storage.run_warnings.STOP_MASS", 0.0)
    for name in ("SmolLM2", "new", "old"):
        chat_model(tmp_path / name)
    text = FIVE_MINUTES.read_text(encoding="utf-8").partition(f"## {section}\n")[2]
    lines = commands(text.partition("\n## ")[0])
    assert len(lines) == n_commands
    with hosting(HostedModel()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for line in lines:
            line = line.replace("http://127.0.0.1:8080", server.url.removesuffix("/v1"))
            line = line.replace("judge core", "judge quick --limit 60")
            words = [
                str(path)
                for word in shlex.split(line.replace("quick -", "quick --limit 24 -"))
                for path in (sorted(Path().glob(word)) if "*" in word else [word])
            ]
            outcome = CliRunner().invoke(build(), words)
            # Random models are alike, and 60 items are too few to tell.
            assert outcome.exit_code == (4 if words[0] == "gate" else 0), outcome.output[-800:]
            out = words[words.index("-o") + 1] if "-o" in words else ""
            assert not out or (tmp_path / out / "index.html").is_file()


@pytest.mark.slow
def test_every_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Random weights give no label much probability.
    monkeypatch.setattr("grice.storage.run_warnings.STOP_MASS", 0.0)
    chat_model(tmp_path / "SmolLM2")
    found = commands(PAGE.read_text(encoding="utf-8"))
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
