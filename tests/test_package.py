"""Wheel and sdist install into an empty environment and run outside the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github/workflows/ci.yml"


def run(*words: str | Path, where: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in words], cwd=where, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_what_is_built_installs_and_runs_elsewhere(tmp_path: Path, kind: str) -> None:
    backend = tmp_path / "backend"
    try:
        run(
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--target",
            backend,
            "hatchling>=1.27",
            where=tmp_path,
        )
    except AssertionError as error:
        pytest.skip(f"hatchling cannot be installed here: {str(error)[-80:]}")
    code = (
        f"import sys; sys.path.insert(0, {str(backend)!r}); from hatchling.build import"
        f" build_{kind} as build; print(build({str(tmp_path)!r}))"
    )
    built = tmp_path / run(sys.executable, "-c", code, where=ROOT).split()[-1]
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv", where=tmp_path)
    python = tmp_path / "venv/bin/python"
    paths = {
        "PYTHONPATH": os.pathsep.join(
            [str(backend), *(path for path in sys.path if "site-packages" in path)]
        )
    }
    words = [
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--ignore-installed",
        built,
    ]
    done = subprocess.run(
        list(map(str, words)),
        cwd=tmp_path,
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    script = "import sys; from grice.cli import main; sys.argv[0] = 'grice'; main()"
    judged: list[str | Path] = [
        python,
        "-c",
        f"import sys; sys.path += {sys.path!r}; {script}",
        "judge",
        "quantifiers",
        "--by",
        "baseline/overlap",
        "--limit",
        "24",
    ]
    assert "24" in run(*judged, where=tmp_path)
    place = run(
        python,
        "-c",
        f"import sys; sys.path += {sys.path!r}; import grice; print(grice.__file__)",
        where=tmp_path,
    )
    assert str(tmp_path / "venv") in place
    if kind == "wheel":
        assert built.stat().st_size <= 28_000_000
        names = zipfile.ZipFile(built).namelist()
        assert any(name.endswith("grice/py.typed") for name in names) and not any(
            "tests/" in name for name in names
        )


def test_the_workflow_tests_the_versions_that_the_package_says_it_runs_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = {
        one.rpartition(" ")[2]
        for one in project["classifiers"]
        if one.startswith("Programming Language :: Python :: 3.")
    }
    tested = WORKFLOW.read_text(encoding="utf-8")
    assert said and all(f'"{version}"' in tested for version in said)
