"""Whatever is wrong with what a user gives is one line and an exit code, and nothing is left half
written.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import grice
from tests.first_day.bench import lay_out, run

TABLE = Path(__file__).parent / "bad_inputs.tsv"
CASES = [tuple(line.split("\t")) for line in TABLE.read_text(encoding="utf-8").splitlines()]
HEAD = "premise,hypothesis,label\n"
SAYS = (
    "from grice import Judgement\nclass {0}:\n    name = 'x'\n    def __init__(self, name=''):"
    " pass\n    def judge(self, questions, scale):\n"
)
MEASURE = (
    "from grice import Measure\n\n\ndef badmeasure(reading=''):\n    return Measure('x', lambda"
    " frame: 1 / 0)\n"
)
BAD_FILES = {
    "function.py": "def function(name):\n    return lambda question: 1\n",
    "raises.py": (
        SAYS.format("Raises")
        + "        for question in questions:\n            pass\n        1 / 0\n        yield\n"
    ),
    "dicts.py": (
        SAYS.format("Dicts")
        + "        yield from ({'id': question.id} for question in questions)\n"
    ),
    "broken.py": "def broken(:\n",
    "notmeasure.py": "def notmeasure(reading=''):\n    return 3\n",
    "badmeasure.py": MEASURE,
    "raising_data.py": (
        "from grice.core.item import Card\nfrom grice.storage.source import Source\n\n\n\n\n\ndef"
        " read(folder, part):\n    raise ValueError('no cake')\n\n\nraising_data = Source('x',"
        " Card('x'), ('a',), read)\n"
    ),
    "nojudge.toml": "[a]\nurl = 'x'\n",
    "notoml.toml": "[a\n",
    "codes.csv": f"{HEAD}A.,B.,0\nC.,D.,1\n",
    "onelabel.csv": f"{HEAD}A.,B.,odd\n",
    "empty.csv": "",
    "header.csv": HEAD,
    "ragged.csv": f"{HEAD}A.,B.,neutral\nC.,D.\n",
    "twice.csv": f"id,{HEAD}a,A.,B.,neutral\na,C.,D.,neutral\n",
    "badshares.json": (
        '[{"premise": "A.", "hypothesis": "B.", "label": {"entailment": 0.1, "neutral": 0.2}}]'
    ),
    "broken.json": "[{]",
    "scalar.json": "3",
    "fake.xlsx": "PK",
    "fake.parquet": "PAR1",
    "fake.zip": "PK",
    "hollow/readme.txt": "nothing",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bad")
    lay_out(place)
    odd = place / "odd.csv"
    odd.write_text(odd.read_text(encoding="utf-8").replace(";", ","), encoding="utf-8")
    for name, text in BAD_FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    (place / "latin.csv").write_bytes(f"{HEAD}Caf\xe9.,B.,neutral\n".encode("latin-1"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        grice.judge(
            "shares.json",
            ["says=./says.py", "dice=baseline/random", "words=baseline/overlap"],
            into="kept",
        )
        Path("shares2.json").write_text(
            Path("shares.json").read_text(encoding="utf-8"), encoding="utf-8"
        )
        for into in ("changed", "damaged", "headless"):
            grice.judge(
                "shares2.json" if into == "changed" else "shares.json", "says=./says.py", into=into
            )
        rows = json.loads(Path("shares2.json").read_text(encoding="utf-8"))
        Path("shares2.json").write_text(json.dumps(rows[:2]), encoding="utf-8")
        (lines,) = Path("damaged").glob("*/judgements.jsonl")
        first, _, last = lines.read_text(encoding="utf-8").splitlines()
        lines.write_text(f'{first}\n{{"id": "1", "ans\n{last}\n', encoding="utf-8")
        next(Path("headless").glob("*/run.json")).write_text("{", encoding="utf-8")
    return place


def listing(place: Path) -> dict[str, float]:
    kept = (
        path
        for path in place.rglob("*")
        if "__pycache__" not in path.parts and path.suffix != ".lock"
    )
    return {str(path): path.stat().st_mtime for path in kept if path.is_file()}


@pytest.mark.parametrize(("command", "said"), CASES, ids=[case[0] for case in CASES])
def test_a_bad_input_is_one_line_and_changes_nothing(
    folder: Path,
    command: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("GRICE_DATA", str(folder / "data"))
    before = listing(folder)
    code, out, err = run(command, monkeypatch, capfd)
    assert code in (1, 2), out + err
    lines = [line for line in err.splitlines() if line.startswith("grice: ")]
    if "No such option" in said or "range" in said:
        lines = [re.sub(r"\s+", " ", err)]
    assert len(lines) == 1 and "Traceback" not in err, err
    # Without the extra a training says that it needs it, before its settings are looked at.
    assert said in lines[0] or (
        command.startswith("train") and "needs the extra 'train'" in lines[0]
    ), err
    assert listing(folder) == before


def test_there_are_sixty_and_none_twice() -> None:
    assert len({case[0] for case in CASES}) == len(CASES) >= 60
