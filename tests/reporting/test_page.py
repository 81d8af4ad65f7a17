"""The page and its folder: whole in one file, every number with its items, nothing from elsewhere."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

import pytest

from grice.core.estimate import Estimate
from grice.profiling.sheets import AnswerSheet
from grice.reporting.chart import NARROW, WIDE, spec, svg
from grice.reporting.evidence import code_items, pack
from grice.reporting.figures import count_note
from grice.reporting.folder import write_folder
from grice.reporting.model import SCHEMA, Figure, Number, Profile, Query


class Seen(HTMLParser):
    """What a browser would fetch, and what ids and links there are."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if tag == "a" and "href" in found else []
        for key in ("src", "srcset", "data", "action"):
            self.fetched += [found[key] or ""] if key in found else []
        self.fetched += [found["href"] or ""] if tag == "link" else []


def seen(folder: Path) -> Seen:
    parser = Seen()
    parser.feed((folder / "index.html").read_text(encoding="utf-8"))
    return parser


@pytest.mark.slow
def test_the_page_is_one_file_that_fetches_nothing(folder: Path) -> None:
    found = seen(folder)
    assert all(address.startswith("data:") for address in found.fetched)
    assert all(link.startswith("#") for link in found.links)
    assert "default-src 'none'" in (folder / "index.html").read_text(encoding="utf-8")
    assert (folder / "index.html").stat().st_size < 6_000_000


@pytest.mark.slow
def test_ids_are_unique_and_links_lead_somewhere(folder: Path) -> None:
    found = seen(folder)
    assert len(found.ids) == len(set(found.ids))
    assert {link[1:] for link in found.links if not link.startswith("#items?")} <= set(found.ids)


@pytest.mark.slow
def test_a_judges_name_cannot_break_the_page(folder: Path) -> None:
    assert "two <b>" not in (folder / "index.html").read_text(encoding="utf-8").replace(
        "two <b></b>", ""
    )


def items_of(part: dict[str, Any], query: str) -> int:
    """The number of items that the page's script shows for a link: the same rules, in Python."""
    asked = dict(parse_qsl(query.removeprefix("#items?")))
    reading = asked.pop("reading", "")
    judge, differ = asked.pop("judge", ""), asked.pop("differ", "")
    asked.pop("data")
    kept = range(part["n"])
    for name, value in asked.items():
        code, codes = part["columns"][name]["values"].index(value), part["columns"][name]["codes"]
        kept = [
            i for i in kept if codes[i] == code or (isinstance(codes[i], list) and code in codes[i])
        ]  # type: ignore[assignment]
    if reading:
        kept = [i for i in kept if part["columns"][f"gold.{reading}"]["codes"][i] >= 0]  # type: ignore[assignment]
    by_name = {one["name"]: one["answer"] for one in part["judges"]}
    if differ:
        kept = [i for i in kept if by_name[judge][i] != by_name[differ][i]]  # type: ignore[assignment]
    return len(kept)


def test_every_number_opens_as_many_items_as_it_counts(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    profile, parts = made
    packed = code_items(parts[0].data, parts[0].frame)
    checked = 0
    for figure in profile.figures:
        if figure.kind not in ("heat", "plane", "forest"):
            for number in figure.numbers:
                # A mean over words has no items of its own to open.
                if number.estimate and number.query.href:
                    assert items_of(packed, number.query.href) == number.estimate.n, (
                        figure.id,
                        number.row,
                    )
                    checked += 1
    assert checked > 100


def test_a_difference_opens_the_items_on_which_the_two_differ(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    profile, parts = made
    packed = code_items(parts[0].data, parts[0].frame)
    rows = [
        row for row in profile.differences if row.reading == "logical" and row.rival == "two <b>"
    ]
    assert rows
    for row in rows:
        assert items_of(packed, row.query.href) >= row.only_first + row.only_rival > 0


def test_evidence_unpacks_to_what_was_asked_and_answered(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    part = made[1][0]
    (found,) = json.loads(zlib.decompress(base64.b64decode(pack([(part.data, part.frame)]))))
    assert found["n"] == len(part.data) and found["id"] == part.data.ids
    item = next(iter(part.data.items()))
    assert found["texts"][found["premise"][0]] == item.premise
    one = found["judges"][0]
    assert found["labels"][one["answer"][0]] == item.gold["logical"]
    assert max(column[0] for column in one["probs"]) == 900


def test_every_kind_of_chart_can_be_drawn_for_a_page_and_a_phone(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    kinds = {figure.kind: figure for figure in made[0].figures}
    assert {
        "fingerprint",
        "dots",
        "stack",
        "matrix",
        "plane",
        "triangle",
        "forest",
        "reliability",
    } <= set(kinds)
    for figure in kinds.values():
        for width in (WIDE, NARROW):
            assert spec(figure, width)["datasets"]["rows"]
            assert svg(figure, width).count("<path") > 3


@pytest.mark.slow
def test_the_folder_holds_numbers_and_tables(
    made: tuple[Profile, list[AnswerSheet]], folder: Path
) -> None:
    written = json.loads((folder / "profile.json").read_text(encoding="utf-8"))
    assert written["schema"] == SCHEMA and written["judges"] == ["one", "two <b>", "three"]
    assert Profile.read(folder) == made[0]
    for figure in made[0].figures:
        for kind in ("csv", "md", "tex"):
            assert (folder / "tables" / f"{figure.id}.{kind}").stat().st_size > 0


def test_a_query_is_an_address_within_the_page() -> None:
    query = Query(0, {"tag.scale": "some - all"}, "me & you", "logical")
    assert query.href == "#items?data=0&judge=me+%26+you&reading=logical&tag.scale=some+-+all"


@pytest.mark.slow
def test_the_numbers_keep_to_the_documented_schema(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(
        (Path(__file__).parents[2] / "docs/schema/profile.schema.json").read_text(encoding="utf-8")
    )
    jsonschema.validate(json.loads((folder / "profile.json").read_text(encoding="utf-8")), schema)


def test_a_page_without_items_says_so_and_holds_no_sentence_of_the_data(
    made: tuple[Profile, list[AnswerSheet]], tmp_path: Path
) -> None:
    profile, parts = made
    bare = profile.without_items()
    write_folder(
        bare, [(part.data, part.frame) for part in parts], tmp_path, stamp="x", images=False
    )
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    sentences = {
        text for part in parts for name in ("premise", "hypothesis") for text in part.frame[name]
    }
    assert not [sentence for sentence in sentences if sentence in text]
    assert (
        not [link for link in seen(tmp_path).links if link.startswith("#items")]
        and "data-to" not in text.partition("<script>")[0]
    )
    assert not {"items", "packed"} & set(seen(tmp_path).ids)
    assert "were left out of this page" in text
    assert [n.estimate for f in bare.figures for n in f.numbers] == [
        n.estimate for f in profile.figures for n in f.numbers
    ]


def test_every_chart_tells_its_n(made: tuple[Profile, list[AnswerSheet]]) -> None:
    for figure in made[0].figures:
        assert "n = " in count_note(figure) or figure.kind == "heat", figure.id


def test_differences_of_a_matrix_are_points_with_a_sign(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    from grice.reporting.rows import chart_rows

    figure = next(f for f in made[0].figures if f.kind == "matrix")
    points = {row["points"] for row in chart_rows(figure)}
    assert points and points <= {"−100", "0", "+100"}


def test_the_page_explains_its_words(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    glossary = text[text.index('<section id="glossary">') :]
    words = re.findall(r"<dt>(.*?)</dt><dd>.+?</dd>", glossary)
    assert {
        "reading",
        "paradigm",
        "control",
        "target",
        "<code>W/not S</code>",
        "PtoN",
        "signature",
    } <= set(words)
    assert "recipe" not in words and "*" not in glossary[: glossary.index("</section>")]


@pytest.mark.parametrize("kind", ["dots", "reliability"])
def test_an_interval_tells_the_value_and_both_ends_when_pointed_at(
    kind: Literal["dots", "reliability"],
) -> None:
    numbers = [
        Number(
            "r", "", "a judge", Estimate(0.5, 40, 0.37, 0.58), Query(0, {}, "a judge"), x=0.5, y=0.5
        )
    ]
    figure = Figure(
        "f", "title", kind, tuple(numbers), "finding", names="row", across="right", line=0.5
    )
    shown = re.findall('aria-label="(r, [^"]*)"', svg(figure))
    assert shown[:2] == ["r, a judge: 0.50 (0.37 to 0.58), n=40"] * 2
