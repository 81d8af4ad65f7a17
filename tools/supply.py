"""What grice is built on: `python -m tools.supply lock|licences|sbom`.

`lock --index URL` writes constraints-hashed.txt: the base install with the hash of every file that
its index has of the pinned versions, for `pip install --require-hashes -r constraints-hashed.txt`.
`licences` prints the licence of every package that an install with all extras has, those with
conditions first. `sbom -o FILE` writes the same as a CycloneDX bill of materials, for a release.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.markers import Marker

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "constraints-hashed.txt"
# Licences that ask something of whoever passes the package on, beyond naming it.
CONDITIONS = ("LGPL", "GPL", "MPL", "EPL", "AGPL", "LESSER")
REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?([^;]*)(?:;(.*))?$")


@dataclass(frozen=True)
class Package:
    """An installed package: which one, under which licence, and the extras of grice that bring it."""

    name: str
    version: str
    licence: str
    extras: tuple[str, ...]

    @property
    def conditional(self) -> bool:
        """Whether its licence asks for more than naming it."""
        return any(word in self.licence.upper() for word in CONDITIONS)


def normal(name: str) -> str:
    """A package's name as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def project() -> Mapping[str, Any]:
    """The table `[project]` of pyproject.toml."""
    found: Mapping[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return found


def packages() -> list[Package]:
    """Every installed package that grice or one of its extras needs, by name."""
    extras: dict[str, list[str]] = {
        "base": list(project()["dependencies"]),
        **project()["optional-dependencies"],
    }
    brought: dict[str, set[str]] = {}
    for extra, needed in extras.items():
        if extra in ("test", "docs", "all"):
            continue
        for name in _closure(line for line in needed if not line.startswith("grice[")):
            brought.setdefault(name, set()).add(extra)
    found = []
    for name, by in sorted(brought.items()):
        one = metadata.distribution(name)
        found.append(Package(one.metadata["Name"], one.version, licence_of(one), tuple(sorted(by))))
    return found


def _closure(lines: Iterable[str]) -> set[str]:
    """The installed packages that these requirements bring, and what those bring."""
    waiting, known = list(lines), set[str]()
    while waiting:
        found = REQUIREMENT.match(waiting.pop())
        if (
            found is None
            or "extra ==" in (found[4] or "")
            or (found[4] and not Marker(found[4]).evaluate())
        ):
            continue
        name = normal(found[1])
        if name in known:
            continue
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            # Not installed here.
            continue
        known.add(name)
        waiting += [line for line in needs if "extra ==" not in line]
        if found[2]:
            wanted = {f'extra == "{extra.strip()}"' for extra in found[2].split(",")}
            chosen = [
                line for line in needs if any(word in line.replace("'", '"') for word in wanted)
            ]
            waiting += [line.partition(";")[0] for line in chosen]
    return known


def licence_of(one: metadata.Distribution) -> str:
    """What a package says its licence is: an SPDX expression, its classifiers, or the first line of
    its text.
    """
    told = one.metadata.json
    if told.get("license_expression"):
        return str(told["license_expression"])
    classified = [
        line.rpartition(" :: ")[2]
        for line in one.metadata.get_all("Classifier") or []
        if line.startswith("License")
    ]
    text = str(told.get("license") or "").strip().splitlines()
    return "; ".join(dict.fromkeys(classified)) or (text[0][:60] if text else "not stated")


def print_licences() -> None:
    """A line a package, those with conditions first."""
    found = sorted(packages(), key=lambda one: (not one.conditional, one.name.lower()))
    for one in found:
        mark = "conditions" if one.conditional else ""
        print(f"{one.name}\t{one.version}\t{one.licence}\t{','.join(one.extras)}\t{mark}")
    print(
        f"{len(found)} packages, {sum(one.conditional for one in found)} with conditions",
        file=sys.stderr,
    )


def bill_of_materials() -> dict[str, Any]:
    """The packages in the form of CycloneDX 1.5, with the hashes that are locked."""
    hashes = locked()
    version = re.search(
        r'__version__ = "(.*?)"', (ROOT / "src/grice/__init__.py").read_text(encoding="utf-8")
    )
    assert version is not None
    components = [
        {
            "type": "library",
            "name": one.name,
            "version": one.version,
            "purl": f"pkg:pypi/{normal(one.name)}@{one.version}",
            "licenses": [{"license": {"name": one.licence}}],
            "properties": [{"name": "grice:extra", "value": extra} for extra in one.extras],
            **(
                {"hashes": [{"alg": "SHA-256", "content": h} for h in hashes[normal(one.name)]]}
                if normal(one.name) in hashes
                else {}
            ),
        }
        for one in packages()
    ]
    about = {
        "component": {
            "type": "library",
            "name": "grice",
            "version": version[1],
            "licenses": [{"license": {"id": project()["license"]}}],
        }
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": about,
        "components": components,
    }


def locked() -> dict[str, list[str]]:
    """The hashes of the lock, by package."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in LOCK.read_text(encoding="utf-8").splitlines() if LOCK.is_file() else ():
        if "==" in line and not line.startswith("#"):
            name = normal(line.partition("==")[0].strip())
            found[name] = []
        found.setdefault(name, []).extend(re.findall(r"sha256:([0-9a-f]{64})", line))
    return {name: hashes for name, hashes in found.items() if hashes}


def lock(index: str) -> str:
    """The base install with all hashes that the index has of each pinned file."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        words = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--dry-run",
            "--ignore-installed",
            "--report",
            report.name,
        ]
        subprocess.run(
            [*words, "-c", str(ROOT / "constraints.txt"), *project()["dependencies"]], check=True
        )
        chosen = json.loads(Path(report.name).read_text(encoding="utf-8"))["install"]
    lines = [
        (
            "# The base install by hash: pip install --require-hashes -r constraints-hashed.txt,"
            " then pip install --no-deps grice"
        ),
        "# Resolved on Linux with Python 3.11; written by: python -m tools.supply lock --index URL",
    ]
    for one in sorted(chosen, key=lambda one: normal(one["metadata"]["name"])):
        name, version = one["metadata"]["name"], one["metadata"]["version"]
        used = one["download_info"]["archive_info"]["hashes"]["sha256"]
        sums = sorted({used, *_indexed(index, name, version)})
        lines += [
            f"{name}=={version} \\",
            *(f"    --hash=sha256:{h} \\" for h in sums[:-1]),
            f"    --hash=sha256:{sums[-1]}",
        ]
    return "\n".join(lines) + "\n"


def _indexed(index: str, name: str, version: str) -> set[str]:
    """The hashes of all files of a version, as the index's page of the package has them."""
    with urllib.request.urlopen(f"{index.rstrip('/')}/{normal(name)}/", timeout=60) as reply:
        page = reply.read().decode()
    found = set()
    for link in re.finditer(r"<a [^>]*#sha256=([0-9a-f]{64})[^>]*>([^<]*)</a>", page):
        stem = normal(link[2].strip().lower().removesuffix(".tar.gz"))
        if stem == normal(f"{name}-{version}") or stem.startswith(
            normal(f"{name}-{version}") + "-"
        ):
            found.add(link[1])
    return found


def main() -> None:
    """Do what the first word says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("lock", "licences", "sbom"))
    parser.add_argument("--index", default="", help="lock: the address of a simple index")
    parser.add_argument("-o", "--out", type=Path, default=Path("grice.cdx.json"))
    given = parser.parse_args()
    if given.what == "licences":
        print_licences()
    elif given.what == "sbom":
        given.out.write_text(json.dumps(bill_of_materials(), indent=1) + "\n", encoding="utf-8")
        print(given.out)
    else:
        LOCK.write_text(lock(given.index), encoding="utf-8")
        print(LOCK)


if __name__ == "__main__":
    main()
