"""The script that ships is what its sources in web/ give."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB, ASSETS = ROOT / "web", ROOT / "src/grice/reporting/assets"


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("node") is None or not (WEB / "node_modules/esbuild").exists(),
    reason="needs node and `npm ci` in web/",
)
def test_the_assets_are_what_the_sources_give(tmp_path: Path) -> None:
    subprocess.run(["node_modules/.bin/tsc", "--noEmit"], cwd=WEB, check=True)
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=WEB, check=True)
    for made in tmp_path.iterdir():
        assert made.read_bytes() == (ASSETS / made.name).read_bytes(), (
            f"run `npm run build` in web/: {made.name}"
        )


def test_every_package_is_pinned_to_one_version_and_no_host_is_named() -> None:
    asked = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert all(version[0].isdigit() for version in asked.values())
    locked = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in asked} == asked
    assert all("integrity" in one for name, one in locked.items() if name)
    assert not any("resolved" in one for one in locked.values())
