"""What is shown above a pair: a text, and a picture from a file beside the data."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from pathlib import Path

import pytest

from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import LIKERT5
from grice.verbs.campaign_data import open_campaign
from grice.verbs.study import preview
from tests.collecting.hand import Visitor

CAMPAIGN = """
title = "Above a pair"
dataset = "items.jsonl"
instrument = "likert"

[work]
per_page = 9
least_seconds = 0
"""
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def opened(folder: Path, *tags: dict[str, str]) -> Store:
    """A campaign whose items share one premise, each with these tags."""
    items = [
        Item(f"i{n}", "Ann smiles.", f"Guess {n}.", tags=tags_of, group="g")
        for n, tags_of in enumerate(tags)
    ]
    Dataset.from_items("hand", LIKERT5, items).write(folder / "items.jsonl")
    (folder / "own.toml").write_text(CAMPAIGN)
    return open_campaign(folder / "own.toml")[0]


def page_of(store: Store) -> tuple[Visitor, str]:
    visitor = Visitor(store)
    visitor.http.get("/join")
    visitor.join()
    return visitor, visitor.page()


def test_a_context_stands_escaped_above_its_pairs_and_again_where_it_changes(
    tmp_path: Path,
) -> None:
    above = ["<b>Sun</b>", "<b>Sun</b>", "Rain & wind", "Rain & wind"]
    _, page = page_of(opened(tmp_path, *({"context": text} for text in above)))
    order = [int(number) for number in re.findall(r"Guess (\d)\.", page)]
    assert sorted(order) == [0, 1, 2, 3]
    texts = re.findall(r'<p class="context">(.*?)</p>', page)
    assert texts == [escape(text) for text, _ in groupby(above[number] for number in order)]
    assert page.count('class="premise"') == len(texts)


def test_a_picture_is_served_to_participants_alone_with_its_words(tmp_path: Path) -> None:
    (tmp_path / "a smile.png").write_bytes(PNG)
    tags = {"picture": "a smile.png", "alt": 'Ann "smiles" <at> Bea'}
    store = opened(tmp_path, tags, tags)
    visitor, page = page_of(store)
    assert page.count("<img ") == 1
    assert '<img src="/picture/1.png" alt="Ann &#34;smiles&#34; &lt;at&gt; Bea">' in page
    reply = visitor.http.get("/picture/1.png")
    assert (reply.content, reply.headers["content-type"]) == (PNG, "image/png")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert Visitor(store).http.get("/picture/1.png").status_code == 404
    for name in ("2.png", "a%20smile.png", "..%2Fitems.jsonl", "../items.jsonl"):
        assert visitor.http.get(f"/picture/{name}").status_code == 404
    store.close()
    files = preview(tmp_path / "own.toml", tmp_path / "pages")
    assert (tmp_path / "pages" / "picture-1.png").read_bytes() == PNG
    assert any('src="picture-1.png"' in file.read_text() for file in files)


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("drawing.svg", b"<svg onload='alert(1)'/>", "'drawing.svg' is no picture here"),
        ("fake.png", b"<svg onload='alert(1)'/>", "'fake.png' does not begin like a .png"),
        ("../outside.png", PNG, "'../outside.png' is no picture here"),
        ("missing.png", None, "'missing.png' is no picture here"),
        ("large.png", PNG + bytes(5_000_000), "make it smaller than 5,000,000"),
    ],
)
def test_what_is_no_picture_beside_the_data_is_refused(
    name: str, content: bytes | None, match: str, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=match):
        opened(folder, {"picture": name, "alt": "Ann"})
    assert not list(folder.glob("*.sqlite"))


def test_a_picture_without_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ann.png").write_bytes(PNG)
    with pytest.raises(InputError, match="describe it in the tag 'alt'"):
        opened(tmp_path, {"picture": "ann.png"})
