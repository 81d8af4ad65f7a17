"""The page on paper, printed by the browser that is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from grice.core.errors import InputError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAX_SECONDS = 120
# Milliseconds of virtual time in which the page draws its charts.
MAX_DRAWING = 60_000


def find_browser() -> str:
    """Return the path of an installed browser that prints without a window."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise InputError(
            f"--pdf: no browser found ({', '.join(BROWSERS)}); install one, or print index.html"
        )
    return path


def print_page(page: Path) -> Path:
    """Print a page as PDF beside it, and return the path."""
    pdf = page.with_suffix(".pdf")
    # A browser refuses its sandbox to the administrator.
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # The script of the page draws the charts: time runs until it has nothing left to do.
    flags += ["--disable-gpu", "--no-pdf-header-footer", f"--virtual-time-budget={MAX_DRAWING}"]
    command = [find_browser(), "--headless", *flags]
    printed = subprocess.run(
        [*command, f"--print-to-pdf={pdf.resolve()}", page.resolve().as_uri()],
        capture_output=True,
        timeout=MAX_SECONDS,
        check=False,
    )
    if printed.returncode or not pdf.is_file():
        raise InputError(f"--pdf: {command[0]} did not print {page}; print it from a browser")
    return pdf
