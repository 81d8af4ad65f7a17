"""HTML helpers of the page: sentences, scrolling tables, records, assets."""

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
    """Return the text of a file in the assets folder."""
    return files("grice.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def lead_clause(text: str) -> tuple[str, str]:
    """Split a sentence into its first clause and the rest."""
    end = min((at for mark in (": ", ". ", "; ") if (at := text.find(mark)) > 0), default=len(text))
    return text[:end], text[end:]


def lead_sentence(text: str) -> str:
    """Return a sentence with its first clause in bold."""
    first, rest = lead_clause(text)
    return f"<b>{sentence(first)}</b>{sentence(rest)}"


def sentence(text: str) -> str:
    """Escape a sentence so that its numbers do not break across lines."""
    return re.sub(
        r"(\d)–(\d)", "\\1–\u2060\\2", re.sub(r"\b([nr]) = ", "\\1\u00a0=\u00a0", escape(text))
    )


def scrolling_table(label: str, head: str, rows: str, kind: str = "") -> str:
    """Return a table that scrolls sideways if it is wider than the page, also by keyboard."""
    table = f'<table class="{kind}">' if kind else "<table>"
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"{table}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def records(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return records as a table with a column for each key, folded if there are many."""
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
    """Escape a text and allow breaks after a slash and within a checksum, not within a word."""
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
    """Convert emphasis and code of Markdown to HTML."""
    html_text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split())))
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html_text)
