"""Summary of a reproduced paper in at most fifteen lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from grice.tables.exhibit import KIND_TEXT, ReproducedExhibit, agreement
from grice.tables.paper import Cell, Paper

# Lines of a summary, their width, and how many exhibits that differ and reasons are named.
LINES, WIDTH, DIFFERENT, REASONS = 15, 80, 6, 3


def summarize(paper: Paper, exhibits: Sequence[ReproducedExhibit]) -> list[str]:
    """Return what agrees by source, what differs and why, and why cells are empty."""
    cells = [cell for reproduced in exhibits for cell in reproduced.cells]
    return [
        _cut(line)
        for line in (
            f"{paper.name}: {paper.title}",
            *_sources(exhibits),
            *_differences(exhibits),
            *_empty(cells),
            "--full prints every table, -e 'TABLE' one; --chart FILE draws it.",
        )
    ][:LINES]


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _sources(exhibits: Sequence[ReproducedExhibit]) -> Iterator[str]:
    cells = [cell for reproduced in exhibits for cell in reproduced.cells]
    right, all_of = add_up(agreement(reproduced.cells) for reproduced in exhibits)
    yield f"recomputed     {right:,} of {all_of:,} printed cells agree"
    for kind, text in KIND_TEXT.items():
        right, all_of = add_up(agreement(part.cells, kinds=[kind]) for part in exhibits)
        computed = [cell for cell in cells if cell.kind == kind and cell.ours is not None]
        if computed:
            judges = ", ".join(dict.fromkeys(cell.judge for cell in computed))
            near = f"{right} of {all_of} printed numbers in our intervals" if all_of else judges
            yield f"{text:<13}  {len(computed):,} cells; {near}"
    checks = [cell.holds for cell in cells if cell.kind == "print" and cell.holds is not None]
    if checks:
        yield f"print          {sum(map(bool, checks))} of {len(checks)} of its sums hold"


def add_up(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the sums of agreeing and of compared numbers."""
    pairs = list(counts)
    return sum(right for right, _ in pairs), sum(all_of for _, all_of in pairs)


def _differences(exhibits: Sequence[ReproducedExhibit]) -> Iterator[str]:
    counts = {reproduced.exhibit: agreement(reproduced.cells) for reproduced in exhibits}
    odd = {
        exhibit: (right, all_of)
        for exhibit, (right, all_of) in counts.items()
        if right < all_of or (all_of and exhibit.differs)
    }
    if odd:
        yield "where it differs (printed cells that agree):"
    for exhibit, (right, all_of) in list(odd.items())[:DIFFERENT]:
        yield f"  {exhibit.id:<12} {f'{right} of {all_of}':<9} {exhibit.differs}".rstrip()
    if len(odd) > DIFFERENT:
        yield f"  and {', '.join(exhibit.id for exhibit in list(odd)[DIFFERENT:])}"


def _empty(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield how many printed numbers have none of ours beside them, by reason."""
    reasons = Counter(cell.reason for cell in cells if cell.published is not None and cell.reason)
    if reasons:
        yield f"not recomputed: {reasons.total():,} printed cells"
    for reason, count in reasons.most_common(REASONS):
        yield f"  {count:>4}  {reason}"
