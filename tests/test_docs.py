"""The pages of docs/: what is made from the code is what the code says now, links lead somewhere,
nothing published is in them.
"""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

import pytest
import typer.main
from tools.document import (
    LONG,
    LONGEST,
    choose_cells,
    examples,
    literature,
    paper_page,
    phenomenon_pages,
)
from tools.reference import reference_pages
from tools.site.__main__ import EXAMPLES

from grice.cli import build
from grice.core.shelf import PAPERS, PHENOMENA
from grice.tables.paper import Cell

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
GUIDES = sorted(page for page in PAGES if page.parent.name not in ("phenomena", "papers"))
VERBS = typer.main.get_command(build()).commands  # type: ignore[attr-defined]
MADE_AGAIN = "run: python -m tools.document"


def name(page: Path) -> str:
    return str(page.relative_to(DOCS))


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_pages_of_the_phenomena_are_those_the_code_gives_now() -> None:
    made = phenomenon_pages()
    written = {f"phenomena/{page.name}": text(page) for page in (DOCS / "phenomena").glob("*.md")}
    assert written.keys() == made.keys(), MADE_AGAIN
    stale = [page for page in made if made[page] != written[page]]
    assert not stale, MADE_AGAIN


def test_the_reference_and_the_glossary_are_what_the_code_says_now() -> None:
    for name, made in reference_pages().items():
        written = (DOCS / name).read_text(encoding="utf-8")
        changed = list(unified_diff(written.splitlines(), made.splitlines(), lineterm="", n=0))
        assert not changed, "\n".join(["run: python -m tools.reference", *changed[:12]])


@pytest.mark.parametrize("phenomenon", PHENOMENA.names())
def test_examples_are_three_and_show_different_answers_where_there_are_some(
    phenomenon: str,
) -> None:
    one = PHENOMENA.find(phenomenon)
    shown = examples(one)
    there = {tuple(item.gold.values()) for index in range(4) for item in one.make_group(index, 0)}
    assert len({item.id for item in shown}) == 3
    assert len({tuple(item.gold.values()) for item in shown}) >= min(3, len(there))


def test_every_paper_has_a_page_with_each_of_its_exhibits() -> None:
    for paper in PAPERS.names():
        page = text(DOCS / "papers" / f"{paper}.md")
        missing = [e.id for e in PAPERS.find(paper).exhibits if f"\n## {e.id}\n" not in page]
        assert not missing, f"{paper}: {missing}; {MADE_AGAIN} papers"


@pytest.mark.published
def test_the_page_of_a_paper_has_the_numbers_computed_now(data_folder: Path) -> None:
    from grice.verbs.reproduce import reproduce

    assert data_folder.is_dir()
    done = reproduce("veridicality", ["Table 2", "Table 5"])
    made = paper_page(PAPERS.find("veridicality"), done)
    written = text(DOCS / "papers/veridicality.md")
    for exhibit in ("Table 2", "Table 5"):
        part = re.search(rf"\n## {exhibit}\n.*?\n(?=## |\[All)", made, re.DOTALL)
        assert part is not None and part.group() in written, f"{MADE_AGAIN} papers"


def test_a_long_exhibit_keeps_every_cell_that_differs_and_says_nothing_of_empty_ones() -> None:
    short = [Cell(str(i), "c") for i in range(LONG)]
    assert choose_cells(short) == short
    empty = [Cell(f"empty {i}", "c") for i in range(LONG)]
    some = [Cell(str(i), "c", ours=0.5) for i in range(LONGEST)]
    assert choose_cells([*empty, *some]) == some
    odd = [Cell(f"odd {i}", "c", published=0.1, ours=0.5, agrees=False) for i in range(LONGEST)]
    assert choose_cells([*some, *odd]) == odd
    assert choose_cells([*some, odd[0], empty[0]]) == [*some[: LONG - 1], odd[0]]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", text(page), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


def test_every_guide_is_in_the_index() -> None:
    index = text(DOCS / "README.md")
    missing = [
        name(page) for page in GUIDES if page.name != "README.md" and f"({name(page)})" not in index
    ]
    assert not missing


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "README.md"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_commands_in_the_docs_are_verbs_with_options_that_exist(page: Path) -> None:
    for line in re.findall(r"^\$ grice (.+)$", text(page), re.MULTILINE):
        verb, *words = line.partition("  #")[0].split()
        assert verb in VERBS, line
        if hasattr(VERBS[verb], "commands"):
            continue
        known = {
            o
            for parameter in VERBS[verb].params
            for o in (*parameter.opts, *parameter.secondary_opts)
        } | {"--help"}
        unknown = [word for word in words if re.match(r"--?[a-zA-Z]", word) and word not in known]
        assert not unknown, f"{line}: {unknown}"


def test_the_example_page_is_small_and_holds_no_items() -> None:
    page = DOCS / "example/index.html"
    assert page.stat().st_size < 1_500_000
    html = text(page)
    assert 'id="packed"' not in html and "<blockquote>" not in html
    assert "were left out of this page" in html
    for judge in ("encoder/grice-mini", "baseline/overlap", "BERT", "BOW"):
        assert judge in html


def test_the_example_of_a_language_model_is_small_and_says_how_it_was_made() -> None:
    page = DOCS / "example/smollm2/index.html"
    assert page.stat().st_size < 1_200_000
    assert "SmolLM2-135M-Instruct" in text(page)
    assert "$ grice report runs/core-0--SmolLM2* -o smollm2" in text(DOCS / "example/README.md")
    assert page.relative_to(DOCS).as_posix() in EXAMPLES


def test_the_citation_names_every_paper() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8").lower()
    for paper in PAPERS.names():
        assert PAPERS.find(paper).title.lower() in cited, paper


def test_every_phenomenon_page_tells_published_judgements_and_where_people_differ() -> None:
    assert list(literature()) == sorted(PHENOMENA.names())
    assert all(
        len(row["judgement"]) > 15 and len(row["differ"]) > 5 for row in literature().values()
    )
