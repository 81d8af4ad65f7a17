"""Integrity check of a run's folder: what is damaged, where, and what can be saved."""

from __future__ import annotations

import json
from pathlib import Path

from grice.core.errors import GriceError
from grice.core.files import is_file, read_bytes
from grice.core.judgement import Judgement
from grice.core.scale import Scale
from grice.storage.damage import Damage
from grice.storage.response_log import line_problem
from grice.storage.run_folder import HEADER, LINES, read_header

SAVED = (
    "the other {n:,} lines are whole: delete these, and the same 'grice judge' asks their items"
    " again"
)


def check_run(folder: Path) -> tuple[list[Damage], int]:
    """Return all damage to a run and the number of lines checked."""
    raw = read_bytes(folder / LINES) if is_file(folder / LINES) else b""
    lines = raw.split(b"\n")
    try:
        header = read_header(folder)
        scale = Scale.from_json(header["scale"])
        n_asked, checksummed = int(header["asked"]), "sum" in header
    except (GriceError, KeyError, TypeError, ValueError) as error:
        detail = f"{error}; without it nobody knows who was asked what"
        return [Damage("the header", 1, 1, detail, (HEADER,))], len(lines) - 1
    damaged: list[str] = []
    ids: set[str] = set()
    for number, line in enumerate(lines[:-1], 1):
        problem = line_problem(line, checksummed=checksummed) or _off_scale(line, scale)
        if problem:
            damaged.append(f"{LINES}:{number}: {problem}")
        else:
            ids.add(json.loads(line)["id"])
    damage: list[Damage] = []
    n_lines = len(lines) - 1
    if damaged:
        detail = SAVED.format(n=n_lines - len(damaged))
        places = tuple(damaged[:5])
        damage.append(Damage("damaged lines", len(damaged), n_lines, detail, places))
    if lines[-1]:
        detail = (
            "written when a crash came; the same 'grice judge' cuts it off and asks its item again"
        )
        damage.append(Damage("a torn last line", 1, len(lines), detail, (f"{LINES}:{len(lines)}",)))
    if len(ids) > n_asked:
        detail = (
            f"{len(ids):,} items have a reply where {n_asked:,} were asked; judge the data again"
            " into another folder"
        )
        check = "replies to items that were not asked"
        damage.append(Damage(check, len(ids) - n_asked, len(ids), detail))
    return damage, n_lines


def _off_scale(line: bytes, scale: Scale) -> str | None:
    """Return why a complete line is no reply on the scale, or None."""
    try:
        fields = json.loads(line)
        rest = (fields.get(key) for key in ("answer", "fault", "probs"))
        return Judgement(fields["id"], *rest).problem(scale)
    except (GriceError, KeyError, TypeError, ValueError, AttributeError) as error:
        return f"no reply ({error})"
