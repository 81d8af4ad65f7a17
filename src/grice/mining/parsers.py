"""Load the built-in parser, or another of the same make by its folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from grice.core.checksums import verify_files
from grice.core.errors import InputError
from grice.mining.morphology import PACKAGE, built_in_folder
from grice.mining.transformer import GRAPH, TransformerParser

CHECKSUMS = Path(__file__).parent / "checksums.txt"


@cache
def load_parser(name: str = "") -> TransformerParser:
    """Load the built-in parser, or the one in a folder.

    Raises:
        MissingExtra: The built-in parser is not installed.
        InputError: No parser is in the folder.
    """
    if not name:
        verify_files(built_in_folder(), CHECKSUMS, PACKAGE, "install grice-parser again")
        return TransformerParser(built_in_folder(), "built-in")
    if not (Path(name) / GRAPH).is_file():
        fact = f"no parser is in '{name}'"
        raise InputError(
            f"{fact}; name a folder with {GRAPH}, or leave it out for the built-in one"
        )
    return TransformerParser(Path(name), name)
