"""Section 4 of IMPPRES: the tags of three annotators on 200 MultiNLI pairs."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from grice.core.errors import InputError
from grice.tables.paper import Bench, Cell

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SHEETS = ("xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/worksheets/sheet3.xml")
PAIR, PRESUPPOSITION, IMPLICATURE = "E", "F", "G"
# The sheet "agreement (2)", where the authors judged the tagged pairs: columns that count for each
# row, the value that counts, and the printed number.
JUDGED = "xl/worksheets/sheet5.xml"
JUDGEMENTS: Mapping[str, tuple[tuple[str, ...], str, float | None]] = {
    "usable presuppositions": (("AA",), "yes", 23),
    "usable implicatures": (("AB",), "yes", 19),
    "tag does not match the inference": (("AF", "AG"), "nomatch", 14),
    "inference without effect on the label": (("AC", "AD"), "nomatch", 27),
    "existence presuppositions": (("O",), "existence", None),
    "conversational implicatures": (("N",), "conversational", None),
}


def cells(bench: Bench) -> Iterator[Cell]:
    """Yield counts of pairs that the annotators tagged, with the printed ones."""
    path = bench.file("imppres/Annot_agreement.xlsx", source="imppres")
    sheets = read_sheets(path)
    pairs = sorted(set.intersection(*(set(sheet) for sheet in sheets)))
    presupposed = {p: sum(sheet[p][0] for sheet in sheets) for p in pairs}
    implied = {p: sum(sheet[p][1] for sheet in sheets) for p in pairs}
    either = sum(presupposed[p] + implied[p] > 0 for p in pairs)
    counts = {
        "annotated": (len(pairs), 200),
        "presupposition, two annotators or more": (sum(n > 1 for n in presupposed.values()), 8),
        "implicature, two annotators or more": (sum(n > 1 for n in implied.values()), 3),
        "presupposition, any annotator": (sum(n > 0 for n in presupposed.values()), 51),
        "implicature, any annotator": (sum(n > 0 for n in implied.values()), 42),
        "both tags": (sum(presupposed[p] > 0 and implied[p] > 0 for p in pairs), 10),
    }
    for row, (count, printed) in counts.items():
        yield Cell.make(row, "pairs", float(count), float(printed), n=len(pairs))
    yield Cell.make("either tag", "share", either / len(pairs), 0.42, n=len(pairs))
    judged = read_judged(path)
    for row, (columns, value, number) in JUDGEMENTS.items():
        n_judged = sum(values.get(name) == value for values in judged for name in columns)
        reason = "" if judged else "the spreadsheet has no sheet 'agreement (2)'"
        ours = float(n_judged) if judged else None
        yield Cell.make(row, "pairs", ours, number, n=len(judged), reason=reason)


def read_sheets(path: Path) -> list[dict[str, tuple[bool, bool]]]:
    """Return by annotator and pair id whether there is a presupposition and an implicature."""
    try:
        with zipfile.ZipFile(path) as book:
            texts = _texts(book.read("xl/sharedStrings.xml"))
            return [_sheet(book.read(name), texts) for name in SHEETS]
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError) as error:
        raise InputError(
            f"{path}: not the annotators' spreadsheet ({error}); fetch the file again"
        ) from None


def read_judged(path: Path) -> list[dict[str, str]]:
    """Return the authors' judgements of the pairs by column; nothing without that sheet."""
    with zipfile.ZipFile(path) as book:
        if JUDGED not in book.namelist():
            return []
        texts = _texts(book.read("xl/sharedStrings.xml"))
        rows = ElementTree.fromstring(book.read(JUDGED)).iter(f"{SPACE}row")
    values = [dict(_values(row, texts)) for row in rows]
    # The first row is the header; rows of sums have no pair.
    return [row for row in values[1:] if row.get(PAIR)]


def _texts(raw: bytes) -> list[str]:
    return [
        "".join(t.text or "" for t in entry.iter(f"{SPACE}t"))
        for entry in ElementTree.fromstring(raw)
    ]


def _sheet(raw: bytes, texts: list[str]) -> dict[str, tuple[bool, bool]]:
    annotations = {}
    for number, row in enumerate(ElementTree.fromstring(raw).iter(f"{SPACE}row")):
        values = dict(_values(row, texts))
        # The first row is the header; the first sheet is padded with rows that carry no pair.
        if number and values.get(PAIR):
            annotations[values[PAIR]] = (
                values.get(PRESUPPOSITION, "").startswith("Y"),
                values.get(IMPLICATURE, "").startswith("Y"),
            )
    return annotations


def _values(row: ElementTree.Element, texts: list[str]) -> Iterator[tuple[str, str]]:
    for cell in row.iter(f"{SPACE}c"):
        value = cell.find(f"{SPACE}v")
        if value is not None and value.text is not None:
            column = re.match("[A-Z]+", cell.get("r", ""))
            text = texts[int(value.text)] if cell.get("t") == "s" else value.text
            yield column.group() if column else "", text.strip()
