"""Parts of a run joined into the whole run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.storage.response_log import add_checksum, complete_lines
from grice.storage.run import Run
from grice.storage.run_folder import HEADER, LINES, STATE, lock_run, read_header
from grice.storage.run_items import items_file
from grice.storage.sessions import merge_notes


def merge_parts(parts: Sequence[Path], folder: Path) -> Run:
    """Write the responses of the parts of a run, in their order, to the folder of the whole run.

    An item in two parts is refused, and so is a folder that has other responses.
    """
    origin: dict[str, Path] = {}
    for part in parts:
        for item in Run.read(part).frame["id"]:
            if item in origin:
                raise InputError(
                    f"{part}: item '{item}' is in {origin[item]} too; merge parts of one division"
                )
            origin[item] = part
    content = b"".join(complete_lines(part / LINES) for part in parts)
    with lock_run(folder):
        present = complete_lines(folder / LINES)
        if present and present != content:
            raise InputError(
                f"{folder}: has other responses; remove it, or choose another folder with --into"
            )
        header = {k: v for k, v in read_header(parts[0]).items() if k not in ("part", "sum")}
        with write_atomically(folder / HEADER) as out:
            json.dump(add_checksum(header), out, indent=1)
            out.write("\n")
        items = items_file(header["fingerprint"])
        if (parts[0] / items).is_file() and not (folder / items).exists():
            shutil.copyfile(parts[0] / items, folder / items)
        states = b"".join(complete_lines(part / STATE) for part in parts)
        if states:
            with write_atomically(folder / STATE, binary=True) as out:
                out.write(states)
        merge_notes(parts, folder)
        with write_atomically(folder / LINES, binary=True) as out:
            out.write(content)
    return Run.read(folder)
