"""The contents of a registry: `grice list`."""

from __future__ import annotations

import inspect
from typing import Any

from grice.core.errors import unknown
from grice.core.files import data_folder
from grice.core.shelf import SHELVES
from grice.verbs.show import first_line


def list_names(kind: str = "datasets") -> list[dict[str, Any]]:
    """List datasets, phenomena, judges, learners, measures, papers or chapters.

    There is one row per entry, with its name and a description.

    >>> [row["name"] for row in grice.list_names("judges")][:3]
    ['anthropic', 'baseline', 'encoder']
    """
    if kind not in SHELVES:
        raise unknown("shelf", kind, SHELVES)
    return [_row(kind, name) for name in SHELVES[kind].names()]


def _row(kind: str, name: str) -> dict[str, Any]:
    plugin = SHELVES[kind].find(name)
    if kind == "datasets":
        card = plugin.card
        counts = {
            "items": card.counts.get("all", sum(card.counts.values())) or None,
            "parts": len(plugin.parts),
        }
        return {
            "name": name,
            "title": card.title,
            **counts,
            "licence": card.licence,
            "here": _here(name),
        }
    if kind == "papers":
        return {"name": name, "title": plugin.title, "exhibits": len(plugin.exhibits)}
    if kind == "phenomena":
        return {"name": name, "kind": plugin.kind, "what": plugin.what.strip().split("\n")[0]}
    if kind == "chapters":
        return {
            "name": name,
            "title": plugin.title,
            "what": first_line(inspect.getmodule(plugin.write or plugin.write_rest)),
        }
    return {"name": name, "what": first_line(plugin)}


def _here(name: str) -> str:
    """Return whether the data folder has files of a set; `show` says which parts can be read."""
    folder = data_folder() / name
    return "yes" if folder.is_dir() and any(folder.iterdir()) else "no"
