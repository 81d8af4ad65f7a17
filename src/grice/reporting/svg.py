"""Drawings as SVG text: what the page shows, and what becomes a PNG or PDF file."""

from __future__ import annotations

import re
from html import escape
from importlib import import_module

from grice.reporting.palette import LIGHT


def remove_links(drawn: str) -> str:
    """Remove the links of a drawing for a file of its own, which has no items to link to."""
    return re.sub(r"</?a\b[^>]*>", "", drawn)


def png(drawn: str, scale: float = 2.0) -> bytes:
    """Convert an SVG drawing to a PNG file, `scale` times its size."""
    return bytes(import_module("vl_convert").svg_to_png(_plain_brackets(drawn), scale=scale))


def pdf(drawn: str) -> bytes:
    """Convert an SVG drawing to a PDF file."""
    return bytes(import_module("vl_convert").svg_to_pdf(_plain_brackets(drawn)))


def _plain_brackets(drawn: str) -> str:
    """Replace the angle brackets of scales by ones that every font has.

    With the original ones the converter would set the whole name in another font.
    """
    return drawn.replace("⟨", "‹").replace("⟩", "›")


def inline(drawn: str, alt: str) -> str:
    """Return SVG for the page: colours as CSS variables, and one image for a screen reader.

    The variables let the drawing follow the light and the dark theme.
    """
    markup = re.sub(rf'<rect [^>]*fill="{LIGHT["paper"]}"[^>]*/>', "", drawn, count=1)
    for name, colour in LIGHT.items():
        markup = re.sub(f'"{colour}"', f'"var(--{name})"', markup, flags=re.IGNORECASE)
    # A mark shows its number on hover and opens its items on click. To a screen reader the chart is
    # one image; the table below it has every number as a link.
    markup = re.sub(
        r'<(path|line) aria-label="([^"]*)"([^>]*)/>', r"<\1\3><title>\2</title></\1>", markup
    )
    markup = re.sub(r' (?:role|aria-[a-z]+)="[^"]*"', "", markup)
    markup = re.sub(
        r'<a [^>]*?href="([^"]*)"[^>]*>', r'<g class="to" data-to="\1">', markup
    ).replace("</a>", "</g>")
    size = re.search(r'width="(\d+(?:\.\d+)?)" height="(\d+(?:\.\d+)?)"', markup)
    assert size is not None
    markup = markup.replace(
        size.group(0), f'style="max-width:{size.group(1)}px" preserveAspectRatio="xMinYMin meet"', 1
    )
    return markup.replace("<svg ", f'<svg role="img" aria-label="{escape(alt, quote=True)}" ', 1)
