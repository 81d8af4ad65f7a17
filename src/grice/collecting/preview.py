"""Preview of a campaign: every page of every list as a file, without storing anything."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib import resources
from pathlib import Path

from starlette.responses import Response

from grice.collecting.app import page_for
from grice.collecting.campaign import AFTER, BEFORE, Campaign
from grice.collecting.security import Serving
from grice.collecting.site import Site
from grice.collecting.store import Person, Store
from grice.collecting.work import answer, claim
from grice.core.dataset import Dataset
from grice.core.files import escape_formula, write_atomically

STATIC = "/static/"
MOST_PAGES = 1000
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
    for package, place, name in STYLES:
        with write_atomically(folder / name) as out:
            out.write((resources.files(package) / place / name).read_text(encoding="utf-8"))
    return written


def _pages(site: Site) -> Iterator[tuple[str, Response]]:
    store = site.store
    yield "1_consent", site.show("consent.html", hidden={})
    for number in range(len(store.plan.lists) if store.plan else 1):
        person = store.arrive()
        assert person is not None, "an empty campaign has a place"
        yield from _pages_of_person(site, person, number + 1)


def _pages_of_person(site: Site, person: int, number: int) -> Iterator[tuple[str, Response]]:
    """Yield what one person sees from the instructions to the end; every pair is skipped."""
    store, prefix = site.store, f"list_{number}_" if site.store.plan else ""
    if number == 1:
        yield "2_instructions", page_for(site, _known(store, person))
    store.start(person)
    if store.campaign.practice:
        yield f"3_{prefix}practice", page_for(site, _known(store, person))
        store.mark_practised(person)
    if test := store.campaign.qualification:
        yield f"3_{prefix}test", page_for(site, _known(store, person))
        store.record_test(person, 0, True, {}, [None] * len(test.items))
    if store.open_questions(_known(store, person), BEFORE):
        yield f"3_{prefix}questions", page_for(site, _known(store, person))
        _skip_questions(store, person, BEFORE)
    for page_number in range(1, MOST_PAGES):
        page = claim(store, person)
        if page is None:
            break
        yield f"4_{prefix}page_{page_number:03d}", page_for(site, _known(store, person))
        answer(store, person, page.id, {pair.pair: {"skip": True} for pair in page.pairs})
    if store.open_questions(_known(store, person), AFTER):
        yield f"5_{prefix}questions", page_for(site, _known(store, person))
        _skip_questions(store, person, AFTER)
    yield f"5_{prefix}end", page_for(site, _known(store, person))


def _skip_questions(store: Store, person: int, when: str) -> None:
    """Answer the questions of a time by their first option, so that the next page comes."""
    for question in store.open_questions(_known(store, person), when):
        reply = {f"question-{question.name}": (*question.options, "–")[0]}
        store.answer_questions(_known(store, person), reply)


def _known(store: Store, person: int) -> Person:
    known = store.person(person)
    assert known is not None, "the person of a preview has arrived"
    return known


def _write_lists(store: Store, data: Dataset, folder: Path) -> list[Path]:
    if store.plan is None:
        return []
    items = {item.id: item for item in data.items()}
    with write_atomically(folder / "lists.csv") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("list", "place", "item", "paradigm", "condition", "premise", "hypothesis"))
        for number in range(len(store.plan.lists)):
            for position, name in enumerate(store.plan.order(number, number + 1), 1):
                item = items[name]
                cells = (item.group, store.plan.conditions.get(name, ""), item.premise)
                row = (number + 1, position, name, *cells, item.hypothesis)
                writer.writerow([escape_formula(cell) for cell in row])
    return [folder / "lists.csv"]
