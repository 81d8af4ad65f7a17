"""Pieces of HTML that every part of the page uses: sentences, tables that scroll, records, assets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from grice.core.tabular import EMPTY

MANY_RECORDS = 10


def asset(name: str) -> str:
    """The text of a file that ships beside this one."""
    return files("grice.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def lead_clause(text: str) -> tuple[str, str]:
    """A sentence as its first clause and the rest."""
    end = min((at for mark in (": ", ". ", "; ") if (at := text.find(mark)) > 0), default=len(text))
    return text[:end], text[end:]


def lead_sentence(text: str) -> str:
    """A sentence with its first clause in bold, for a reader who has no more time."""
    first, rest = lead_clause(text)
    return f"<b>{sentence(first)}</b>{sentence(rest)}"


def sentence(text: str) -> str:
    """A sentence whose numbers do not break over two lines."""
    return re.sub(
        r"(\d)–(\d)", "\\1–\u2060\\2", re.sub(r"\b([nr]) = ", "\\1\u00a0=\u00a0", escape(text))
    )


def scrolling_table(label: str, head: str, rows: str, kind: str = "") -> str:
    """A table that scrolls sideways where it is wider than the page, also by keyboard."""
    table = f'<table class="{kind}">' if kind else "<table>"
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"{table}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def records(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Records as a table with a column for each key, folded where they are many."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    head = "".join(f'<th scope="col" class="word">{escape(key)}</th>' for key in keys)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="word" data-key="{escape(key)}">{_breakable(_plain(row.get(key)))}</td>'
            for key in keys
        )
        + "</tr>"
        for row in rows
    )
    table_html = scrolling_table(name, head, body, "records")
    if len(rows) <= MANY_RECORDS:
        return table_html
    return f"<details><summary>{len(rows)} rows: {escape(name)}</summary>{table_html}</details>"


def _breakable(text: str) -> str:
    """A name may break after a stroke, a checksum anywhere, a word not."""
    return re.sub(r"(\w{16})(?=\w{8})", r"\1<wbr>", escape(text).replace("/", "/<wbr>"))


def _plain(value: Any) -> str:
    if value is None or value in ("", {}, []):
        return EMPTY
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain(entry)}" for key, entry in value.items())
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:,}" if isinstance(value, int) else str(value)


def marked(text: str) -> str:
    """Emphasis and code of Markdown as HTML."""
    html_text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split())))
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html_text)
