"""The pages of docs/ that follow from the code: one for each phenomenon, one for each paper.

`python -m tools.document` writes the phenomena, `python -m tools.document papers` the papers, which
need the published files (GRICE_DATA).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, islice, pairwise
from pathlib import Path

from grice.core.files import write_atomically
from grice.core.item import Item
from grice.core.shelf import PAPERS, PHENOMENA
from grice.generate.lexicon import read_table
from grice.generate.phenomenon import Phenomenon
from grice.tables.exhibit import ReproducedExhibit, agreement, count_agreement, explain_marks
from grice.tables.paper import STATUS_TEXT, Cell, Paper
from grice.tables.tabular import EMPTY, markdown_rows
from grice.verbs.reproduce import reproduce

Pages = Mapping[str, str]
EXAMPLES, VALUES = 3, 12
# A long exhibit shows the cells that could be computed; a very long one those that differ and the
# first others.
LONG, LONGEST = 40, 60
ABSENT = re.compile(r"\S+ is not in the data folder .*; put it there, or run: (grice fetch \w+)")


def phenomenon_pages() -> Pages:
    """`phenomena/<name>.md` for each phenomenon, and an index of them by kind."""
    found = [PHENOMENA.find(name) for name in PHENOMENA.names()]
    pages = {f"phenomena/{one.name}.md": _phenomenon(one) for one in found}
    return {"phenomena/README.md": _index(found), **pages}


def paper_pages(names: Sequence[str] = ()) -> Pages:
    """`papers/<name>.md` for each paper, computed on the published files at hand, and an index."""
    found = {name: reproduce(name) for name in names or PAPERS.names()}
    pages = {
        f"papers/{name}.md": paper_page(PAPERS.find(name), done) for name, done in found.items()
    }
    return {"papers/README.md": _papers(found), **pages}


def write(pages: Pages, folder: Path) -> None:
    for name, text in pages.items():
        with write_atomically(folder / name) as out:
            out.write(text)


def _index(found: Sequence[Phenomenon]) -> str:
    parts = [
        "# Phenomena",
        (
            "What the generator can make, by kind. Each page is made from the phenomenon's file by"
            " `python -m tools.document`; how the generator works is in"
            " [generator.md](../generator.md), how to add one of your own in"
            " [add_a_phenomenon.md](../add_a_phenomenon.md)."
        ),
    ]
    for kind in dict.fromkeys(one.kind for one in sorted(found, key=lambda one: one.kind)):
        body = [
            [f"[{one.name}]({one.name}.md)", one.what, ", ".join(one.readings), f"{one.capacity:,}"]
            for one in found
            if one.kind == kind
        ]
        parts.append(f"## {kind.capitalize()} ({len(body)})")
        parts.append(
            markdown_rows(["phenomenon", "what", "readings", "groups without repeats"], body)
        )
    return _page(parts)


UNCHECKED = "† This source is named from memory and was not checked against a copy."


def _phenomenon(one: Phenomenon) -> str:
    size = f"{one.rows} pairs make a group; there are {one.capacity:,} groups without repeats."
    tags = ", ".join(f"`{tag}`" for tag in one.tags)
    return _page(
        [
            f"# {one.name}",
            one.what,
            f"**Why these answers.** {one.why}",
            f"Kind: {one.kind}. {size}",
            "## Examples",
            "Seed 0; `grice make` gives as many more as you like.",
            markdown_rows(
                ["premise", "hypothesis", *one.readings],
                [
                    [
                        item.premise,
                        item.hypothesis or EMPTY,
                        *(str(item.gold.get(r, EMPTY)) for r in one.readings),
                    ]
                    for item in examples(one)
                ],
            ),
            f"```console\n$ grice make {one.name} --groups 50 --seed 7 -o {one.name}.jsonl\n```",
            "## Readings",
            *(f"- `{reading}`: {one.describe_reading(reading)}" for reading in one.readings),
            "## What people say",
            f"**Judgements in the literature.** {literature()[one.name]['judgement']}",
            f"**Where people differ.** {literature()[one.name]['differ']}",
            UNCHECKED if "†" in "".join(literature()[one.name].values()) else "",
            "## Conditions and tags",
            *_conditions(one),
            f"Every pair has the tags {tags}." if tags else "",
            "## References" if one.references else "",
            *(f"- {text}" for text in one.references),
            "[All phenomena](README.md)",
        ]
    )


@cache
def literature() -> Mapping[str, Mapping[str, str]]:
    """What tools/literature.tsv tells of each phenomenon: published judgements, and where people or
    theories differ.
    """
    return {
        row["phenomenon"]: row for row in read_table(Path(__file__).with_name("literature.tsv"))
    }


def _conditions(one: Phenomenon) -> Iterator[str]:
    yield "Balanced exactly:" if one.conditions else "It has no conditions that are balanced."
    for name, values in one.conditions.items():
        more = f" … {len(values)} in all" if len(values) > VALUES else ""
        yield f"- `{name}`: {', '.join(values[:VALUES])}{more}"


def examples(one: Phenomenon) -> list[Item]:
    """The first pairs of seed 0 that differ in their answers, then the first of the others."""
    groups = chain.from_iterable(one.make_group(index, 0) for index in range(min(8, one.capacity)))
    items = list(islice(groups, 60))
    by_answers = {tuple(item.gold.values()): item for item in reversed(items)}
    kept = [item for item in items if item in by_answers.values()][:EXAMPLES]
    return [*kept, *(item for item in items if item not in kept)][:EXAMPLES]


def _papers(found: Mapping[str, Sequence[ReproducedExhibit]]) -> str:
    body = []
    for name, done in found.items():
        cells = [cell for one in done for cell in one.cells]
        right, compared = (
            sum(counts) for counts in zip(*(agreement(one.cells) for one in done), strict=True)
        )
        counts = [str(len(done)), f"{right} of {compared}", str(sum(c.empty for c in cells))]
        body.append([f"[{name}]({name}.md)", PAPERS.find(name).citation, *counts])
    return _page(
        [
            "# Papers",
            (
                "Papers' tables and figures computed again, ours beside the printed numbers. A cell"
                " agrees if our number, rounded as the paper rounds, is the printed one. A printed"
                " number is counted once: where what a paper states and what its release gives"
                " differ, it agrees if one of the readings does, and each page tells them apart."
                " What was fitted to the print, or is not printed, is not counted, nor is what only"
                " checks printed numbers against each other. Made by"
                " `python -m tools.document papers`."
            ),
            markdown_rows(
                ["paper", "citation", "exhibits", "cells that agree", "empty cells"], body
            ),
            (
                "An empty cell says what it needs: most often a model whose predictions were not"
                " released (`--by NAME=JUDGE` puts one there, `--train` trains the paper's own), or"
                " a file that was not at hand when the page was made (`grice fetch`)."
            ),
            (
                "`grice reproduce PAPER` prints a summary, `--full` every table, `-e 'Figure 7'` one,"
                " and `--chart FILE` draws it as the paper does. `--on SEED --by NAME=JUDGE`"
                " generates the designs of imppres, veridicality and conjnli anew and compares the"
                " judge on published and fresh pairs; `--on FILE` takes mined ones."
            ),
        ]
    )


def paper_page(paper: Paper, done: Sequence[ReproducedExhibit]) -> str:
    """What the paper has and how each is had here, then each exhibit."""
    return _page(
        [
            f"# {paper.title}",
            paper.citation,
            *paper.notes,
            f"```console\n$ grice reproduce {paper.name}\n```",
            *(_coverage(paper, done) if paper.coverage else _agreement(done)),
            *(part for one in done for part in _exhibit(paper.name, one)),
            "[All papers](README.md)",
        ]
    )


def _agreement(done: Sequence[ReproducedExhibit]) -> Iterator[str]:
    head = ["exhibit", "what", "printed cells that agree", "empty cells"]
    body = []
    for one in done:
        agree = "; ".join(count_agreement(one.cells)).replace(" printed cells agree", "") or EMPTY
        empty = str(sum(cell.empty for cell in one.cells))
        body.append([_link(one.exhibit.id, one.exhibit.id), one.exhibit.title, agree, empty])
    yield markdown_rows(head, body)


def _coverage(paper: Paper, done: Sequence[ReproducedExhibit]) -> Iterator[str]:
    """What the paper has, section by section, how each is had here, and what agrees by source."""
    yield "## What the paper has"
    yield (
        "A recomputed number agrees if it rounds to the printed one; of models trained here it is"
        " counted how often the printed number lies in our interval"
        " ([how they were trained](../training_results.md))."
    )
    cells = {one.exhibit.id: one.cells for one in done}
    body = []
    for item in paper.coverage:
        link = _link(item.item, item.exhibit) if item.exhibit else item.item
        why = f"`grice fetch {item.why}`" if item.status == "fetch" else item.why or EMPTY
        own = cells.get(item.exhibit, [])
        counts = [agreement(own), agreement(own, kinds=["trained"])]
        agree = [f"{right} of {all_of}" if all_of else EMPTY for right, all_of in counts]
        body.append([item.section, link, STATUS_TEXT[item.status], *agree, why])
    head = ["section", "item", "how it is had here", "recomputed", "trained here", "why, with what"]
    yield markdown_rows(head, body)


def _link(text: str, exhibit: str) -> str:
    return f"[{text}](#{_anchor(exhibit)})"


def _exhibit(paper: str, one: ReproducedExhibit) -> Iterator[str]:
    yield f"## {one.exhibit.id}"
    yield one.exhibit.title
    for note in (
        *one.exhibit.notes,
        *one.notes,
        *explain_marks(one.cells),
        *count_agreement(one.cells),
    ):
        yield f"- {_placeless(note)}"
    shown = choose_cells(one.cells)
    if shown:
        grid = replace(one, cells=[replace(cell, reason="") for cell in shown]).grid()
        yield markdown_rows(grid.head, grid.body)
    left = len(one.cells) - len(shown)
    if left:
        yield f"{left} more cells: `grice reproduce {paper} --exhibit '{one.exhibit.id}'`."
    for why, count in Counter(_placeless(cell.reason) for cell in one.cells if cell.empty).items():
        yield f"- {count} empty: {why}"


def choose_cells(cells: Sequence[Cell]) -> list[Cell]:
    """All cells of a short exhibit, those with a number beside the printed one of a long one, of a
    very long one the telling ones.
    """
    if len(cells) <= LONG:
        return list(cells)
    ours = [cell for cell in cells if not cell.empty]
    if len(ours) <= LONGEST:
        return ours
    odd = [cell for cell in ours if cell.agrees is False]
    others = [cell for cell in ours if cell.agrees is not False][: max(0, LONG - len(odd))]
    return [cell for cell in ours if cell in odd or cell in others]


def _placeless(text: str) -> str:
    """A reason without the place of the data folder, which is another one elsewhere."""
    return ABSENT.sub(r"needs files that were not at hand: `\1`", text)


def _anchor(title: str) -> str:
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _page(parts: Sequence[str]) -> str:
    """Parts with an empty line between them; the lines of a list stand together."""
    kept = [part for part in parts if part]
    text = kept[0]
    for before, part in pairwise(kept):
        text += ("\n" if before.startswith("- ") and part.startswith("- ") else "\n\n") + part
    return text + "\n"


if __name__ == "__main__":
    write(paper_pages() if sys.argv[1:] == ["papers"] else phenomenon_pages(), Path("docs"))
