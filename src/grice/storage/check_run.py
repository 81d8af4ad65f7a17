"""Integrity check of a run's folder: what is damaged, where, and what can be saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    damaged = list(_damaged(lines[:-1], scale, checksummed=checksummed))
    n_intact = len(lines) - 1 - len(damaged)
    damage = []
    if damaged:
        places = tuple(f"{LINES}:{number}: {problem}" for number, problem in damaged[:5])
        damage.append(
            Damage("damaged lines", len(damaged), len(lines) - 1, SAVED.format(n=n_intact), places)
        )
    if lines[-1]:
        detail = (
            "written when a crash came; the same 'grice judge' cuts it off and asks its item again"
        )
        damage.append(Damage("a torn last line", 1, len(lines), detail, (f"{LINES}:{len(lines)}",)))
    bad = {number for number, _ in damaged}
    ids = {_id(line) for number, line in enumerate(lines[:-1], 1) if number not in bad}
    if len(ids) > n_asked:
        detail = (
            f"{len(ids):,} items have a reply where {n_asked:,} were asked; judge the data again"
            " into another folder"
        )
        damage.append(
            Damage("replies to items that were not asked", len(ids) - n_asked, len(ids), detail)
        )
    return damage, len(lines) - 1


def _damaged(lines: list[bytes], scale: Scale, *, checksummed: bool) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        problem = line_problem(line, checksummed=checksummed) or _off_scale(line, scale)
        if problem:
            yield number, problem


def _off_scale(line: bytes, scale: Scale) -> str | None:
    """Return why a complete line is no reply on the scale, or None."""
    try:
        fields = json.loads(line)
        reply = Judgement(
            fields["id"], fields.get("answer"), fields.get("fault"), fields.get("probs")
        )
        return reply.problem(scale)
    except (GriceError, KeyError, TypeError, ValueError, AttributeError) as error:
        return f"no reply ({error})"


def _id(line: bytes) -> str:
    return str(json.loads(line)["id"])
