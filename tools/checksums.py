"""Writes the hashes of the files that come with grice, or with a package that it pins: python -m
tools.checksums

Run it when the built-in model or parser was made again, or the version of the packaged encoder was
raised.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from grice.core.files import sha256_of
from grice.mining.morphology import PACKAGE as PARSER
from grice.mining.morphology import built_in_folder
from grice.mining.parsers import CHECKSUMS as OF_PARSER
from grice.models.checkpoint import CHECKSUMS as OF_MODELS
from grice.models.checkpoint import MODELS, PACKAGED


def listed(folder: Path, name: str) -> list[str]:
    """A line `hash name/path` for each file of a folder that is loaded."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".md", ".py", ".pyc")
    )
    return [f"{sha256_of(path)}  {name}/{path.relative_to(folder).as_posix()}" for path in files]


def model_lines() -> list[str]:
    """The lines of the built-in models and of those that packages carry."""
    lines = [
        line
        for folder in sorted(MODELS.iterdir())
        if folder.is_dir()
        for line in listed(folder, folder.name)
    ]
    for name, package in PACKAGED.items():
        found = find_spec(package)
        if found is None or found.origin is None:
            raise SystemExit(f"install {package} first, to hash what it carries")
        lines += listed(Path(found.origin).parent / "model", name)
    return lines


def parser_lines() -> list[str]:
    """The lines of the built-in parser."""
    return listed(built_in_folder(), PARSER)


def main() -> None:
    """Write both listings."""
    OF_MODELS.write_text("\n".join(model_lines()) + "\n", encoding="utf-8")
    OF_PARSER.write_text("\n".join(parser_lines()) + "\n", encoding="utf-8")
    print(f"{OF_MODELS}\n{OF_PARSER}")


if __name__ == "__main__":
    main()
