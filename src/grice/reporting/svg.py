"""PNG and PDF files of SVG drawings."""

from __future__ import annotations

from importlib import import_module


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
