"""Templates of the HTML pages, and the filters that they use."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from textwrap import shorten
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grice.core.estimate import Estimate
from grice.reporting.bars import CLASSES, whole_percent
from grice.reporting.question import label_word
from grice.tables.tabular import EMPTY, ends_text, number, signed_text

# Nothing may leave a page: no script, style, image or request from anywhere but its own folder, and
# no text is run as code.
POLICY = Markup(
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'self' file:;"
    " img-src data:; base-uri 'none'; form-action 'none'"
)


# How much of a warning stands before it is opened, in letters.
FIRST_WORDS = 110


def asset(name: str) -> str:
    """Return the text of a file in the assets folder."""
    return files("grice.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def render(template: str, **values: Any) -> str:
    """Fill a template of the templates folder."""
    return _environment().get_template(template).render(**values) + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grice.reporting", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "policy": POLICY,
        "asset": lambda name: Markup(asset(name)),
        "EMPTY": EMPTY,
        "ends_text": ends_text,
    }
    environment.filters |= {
        "sentence": sentence,
        "marked": marked,
        "value": lambda value: _breakable(_plain(value)),
        "wrapping": lambda name: Markup(escape(name).replace("/", "/<wbr>")),
        "commas": "{:,}".format,
        "percent": "{:.0%}".format,
        "two_digits": "{:.2g}".format,
        "decimals": number,
        "signed": signed_text,
        "packed_json": _packed_json,
        "query_string": urlencode,
        "share": share_text,
        "ends": ends_of,
        "points": lambda estimate: f"{100 * estimate.value:.0f}",
        "answer_word": label_word,
        "answer_class": lambda answer: CLASSES.get(answer, "other"),
        "capitalised": lambda text: text[:1].upper() + text[1:].rstrip("."),
        "first_words": lambda text: shorten(text, FIRST_WORDS, placeholder="…"),
    }
    return environment


def share_text(estimate: Estimate) -> str:
    """Return a share as a whole percentage, exact at 0 and 100."""
    return f"{whole_percent(estimate)}%"


def ends_of(estimate: Estimate, between: str = "–") -> str:
    """Return the ends of the interval in per cent; empty without an interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    link = f" {between} " if between.isalpha() else between
    return f"{100 * estimate.low:.0f}{link}{100 * estimate.high:.0f}"


def _packed_json(value: Any) -> Markup:
    """Return JSON for a script element; `<` is escaped so that no text can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def sentence(text: str) -> Markup:
    """Escape a sentence so that its numbers do not break across lines."""
    unbroken = re.sub(r"\b([nr]) = ", "\\1\u00a0=\u00a0", escape(text))
    unbroken = re.sub(r"(?<=[ (])-(?=[\d.])", "−", unbroken)
    return Markup(re.sub(r"(\d)–(\d)", "\\1–\u2060\\2", unbroken))


def marked(text: str) -> Markup:
    """Convert emphasis and code of Markdown to HTML."""
    html_text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split())))
    return Markup(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html_text))


def _breakable(text: str) -> Markup:
    """Escape a text and allow breaks after a slash and within a checksum, not within a word."""
    escaped = escape(text).replace("/", "/<wbr>")
    return Markup(re.sub(r"(\w{16})(?=\w{8})", r"\1<wbr>", escaped))


def _plain(value: Any) -> str:
    if value is None or value in ("", {}, []):
        return EMPTY
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain(entry)}" for key, entry in value.items())
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:,}" if isinstance(value, int) else str(value)
