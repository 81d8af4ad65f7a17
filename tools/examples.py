"""Make the example page and the example leaderboard of the docs again, from published data.

The commands that make them stand in the docs and are read from there.

    GRICE_DATA=… python -m tools.examples         # both
    GRICE_DATA=… python -m tools.examples page    # one of: page, board
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.picture import PICTURES, take

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLE = DOCS / "example"
# Where each example's commands stand, and the folder that the last of them writes.
WRITTEN = {
    "page": (EXAMPLE / "README.md", "An example page", "example"),
    "board": (DOCS / "board.md", "The leaderboard above", "site"),
}


def commands(name: str) -> list[list[str]]:
    """The commands of an example as words, without those that fetch."""
    file, heading, _ = WRITTEN[name]
    found = re.search(
        rf"^#+ {heading}\n.*?```console\n(.*?)```", file.read_text(encoding="utf-8"), re.S | re.M
    )
    assert found is not None, f"{file}: no commands under '{heading}'"
    lines = [
        line.removeprefix("$ ") for line in found[1].splitlines() if line.startswith("$ grice ")
    ]
    return [shlex.split(line)[1:] for line in lines if not line.startswith("grice fetch")]


def make(name: str) -> None:
    """Run an example's commands in an empty folder and put what they write into the docs."""
    with tempfile.TemporaryDirectory() as place:
        for words in commands(name):
            subprocess.run([sys.executable, "-m", "grice", *words], cwd=place, check=True)
        made = Path(place) / WRITTEN[name][2]
        if name == "page":
            shutil.copyfile(made / "index.html", EXAMPLE / "index.html")
            return
        shutil.rmtree(EXAMPLE / "board", ignore_errors=True)
        for page in sorted(made.rglob("*.html")):
            copy = EXAMPLE / "board" / page.relative_to(made)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, copy)
        take(made / "index.html", PICTURES / "board.png", shown="body")


if __name__ == "__main__":
    for one in sys.argv[1:] or WRITTEN:
        make(one)
