"""The documentation as a site, built offline: `python -m tools.site -o site`."""

from __future__ import annotations

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages outside docs/ that its pages link to, and the names they have on the site.
OUTSIDE = {
    "docs/README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "packages/grice-parser/README.md": "cards/parser.md",
    "src/grice/models/shipped/grice-mini/README.md": "cards/grice-mini.md",
}
MENU = {
    "Ten minutes": ["i_have_a_model", "i_study_language", "i_train_models"],
    "First steps": [
        "first_steps",
        "profile",
        "your_own",
        "llm_in_five_minutes",
        "your_local_model",
        "board",
        "faq",
        "glossary",
        "example/README",
    ],
    "Data": ["generator", "phenomena/README", "add_a_phenomenon", "mine", "surface_cues"],
    "People, papers, training": [
        "collect",
        "study",
        "people",
        "papers/README",
        "training",
        "training_results",
        "can_it_be_taught",
        "grice_mini",
    ],
    "Reference": [
        "reference",
        "many_machines",
        "machines",
        "reliability",
        "cards/grice-mini",
        "cards/parser",
        "contributing",
        "changelog",
    ],
}
# Profiles and a leaderboard, copied as they are.
EXAMPLES = ("example/index.html", "example/smollm2/index.html", "example/board/index.html")
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")


def build(out: Path) -> None:
    """Build every page into `out`; a broken link or reference is an error."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        shutil.copytree(DOCS, source, dirs_exist_ok=True)
        pages = {page: page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
        for page, name in (pages | {ROOT / page: name for page, name in OUTSIDE.items()}).items():
            (source / name).parent.mkdir(exist_ok=True)
            (source / name).write_text(
                with_site_links(page.read_text(encoding="utf-8"), page, name), encoding="utf-8"
            )
        (source / "index.md").write_text(front(source), encoding="utf-8")
        (source / "README.md").unlink()
        command = [
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-n",
            "-c",
            str(Path(__file__).parent),
        ]
        subprocess.run([sys.executable, *command, str(source), str(out)], check=True)
        for example in EXAMPLES:
            (out / example).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(DOCS / example, out / example)
        board = "example/board"
        shutil.copytree(DOCS / board, out / board, dirs_exist_ok=True)


def front(source: Path) -> str:
    """The guides' index, followed by the menu."""
    text = (source / "index.md").read_text(encoding="utf-8").replace("# Guides", "# grice")
    for title, pages in MENU.items():
        there = [page for page in pages if (source / f"{page}.md").is_file()]
        text += f"\n```{{toctree}}\n:caption: {title}\n:hidden:\n\n" + "\n".join(there) + "\n```\n"
    rest = "\n".join(f"{folder}/*" for folder in ("phenomena", "papers"))
    return text + f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{rest}\n```\n"


def with_site_links(text: str, page: Path, name: str) -> str:
    """The text of a page of the repository, its links led to where their pages are on the site.

    A file that is no page of the site is named instead of linked.
    """

    def lead(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        place = _site_name((page.parent / target).resolve())
        if place is None:
            return f"{words} (`{target.removeprefix('../')}`)"
        there = posixpath.relpath(place, posixpath.dirname(name) or ".") + anchor
        # A page of its own is opened and not downloaded.
        return f'<a href="{there}">{words}</a>' if place in EXAMPLES else f"[{words}]({there})"

    return LINK.sub(lead, text)


def _site_name(path: Path) -> str | None:
    """Where a file of the repository is on the site."""
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    if place in OUTSIDE:
        return OUTSIDE[place]
    return place.removeprefix("docs/") if place.startswith("docs/") and path.is_file() else None


def main() -> None:
    """Read the folder to write to, and build."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "-o", "--out", type=Path, default=ROOT / "site", help="the folder of the site"
    )
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
