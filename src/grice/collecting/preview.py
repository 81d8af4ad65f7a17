"""Preview of a campaign: every page of every list as a file, without storing anything."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib import resources
from pathlib import Path

from starlette.responses import Response

from grice.collecting.campaign import AFTER, BEFORE, Campaign
from grice.collecting.export import as_csv
from grice.collecting.next_page import page_for
from grice.collecting.qualify import QualificationResult
from grice.collecting.security import Serving
from grice.collecting.simulate import answer_questions
from grice.collecting.site import Site
from grice.collecting.store import Store
from grice.collecting.work import answer, claim
from grice.core.dataset import Dataset
from grice.core.files import write_atomically

STATIC = "/static/"
MAX_PAGES = 1000
STYLES = (("grice.collecting", "pages/static", "style.css"), ("grice.core", "style", "design.css"))


def preview(campaign: Campaign, data: Dataset, folder: Path) -> list[Path]:
    """Write each page that people see, and `lists.csv` with the order of each list.

    A campaign without a design is shown as its first participant would see it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with tempfile.TemporaryDirectory() as scratch:
        address = f"sqlite:///{scratch}/preview.sqlite"
        preview_campaign = replace(
            campaign, database=address, work=replace(campaign.work, least_seconds=0.0)
        )
        with closing(Store(preview_campaign, data)) as store:
            for name, response in _pages(Site(store, Serving())):
                text = bytes(response.body).decode().replace(STATIC, "")
                text = text.replace('src="/picture/', 'src="picture-')
                written.append(folder / f"{name}.html")
                with write_atomically(written[-1]) as out:
                    out.write(text)
            written += _write_lists(store, data, folder)
            for picture in store.pictures.values():
                with write_atomically(folder / f"picture-{picture.name}", binary=True) as out:
                    out.write(picture.path.read_bytes())
    for package, part, name in STYLES:
        with write_atomically(folder / name) as out:
            out.write((resources.files(package) / part / name).read_text(encoding="utf-8"))
    return written


def _pages(site: Site) -> Iterator[tuple[str, Response]]:
    store = site.store
    yield "1_consent", site.show("consent.html", hidden={})
    for number in range(len(store.plan.lists) if store.plan else 1):
        person = store.arrive()
        assert person is not None, "an empty campaign has a place"
        yield from _pages_of_person(site, person, number + 1)


def _pages_of_person(site: Site, number: int, list_number: int) -> Iterator[tuple[str, Response]]:
    """Yield what one person sees from the instructions to the end; every pair is skipped."""
    store, prefix = site.store, f"list_{list_number}_" if site.store.plan else ""
    campaign = store.campaign

    def see(step: int, name: str) -> tuple[str, Response]:
        return f"{step}_{prefix}{name}", page_for(site, store.known(number))

    if list_number == 1:
        yield "2_instructions", page_for(site, store.known(number))
    store.mark(number, "started")
    if campaign.practice:
        yield see(3, "practice")
        store.mark(number, "practised")
    if test := campaign.qualification:
        yield see(3, "test")
        passed = QualificationResult(True, {})
        store.record_test(number, 0, passed, [None] * len(test.items))
    if questions := store.open_questions(store.known(number), BEFORE):
        yield see(3, "questions")
        answer_questions(store, number, questions, lambda options: options[0])
    n_pages = 0
    while n_pages < MAX_PAGES and (page := claim(store, number)) is not None:
        n_pages += 1
        yield see(4, f"page_{n_pages:03d}")
        answer(store, number, page.id, {pair.pair: {"skip": True} for pair in page.pairs})
    if questions := store.open_questions(store.known(number), AFTER):
        yield see(5, "questions")
        answer_questions(store, number, questions, lambda options: options[0])
    yield see(5, "end")


def _write_lists(store: Store, data: Dataset, folder: Path) -> list[Path]:
    if store.plan is None:
        return []
    items, conditions = {item.id: item for item in data.items()}, store.plan.conditions
    rows = []
    for number in range(len(store.plan.lists)):
        for position, name in enumerate(store.plan.order(number, number + 1), 1):
            item = items[name]
            about = (item.group, conditions.get(name, ""), item.premise, item.hypothesis)
            rows.append((number + 1, position, name, *about))
    columns = ("list", "place", "item", "paradigm", "condition", "premise", "hypothesis")
    with write_atomically(folder / "lists.csv") as out:
        out.write(as_csv(columns, rows))
    return [folder / "lists.csv"]
