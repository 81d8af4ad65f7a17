"""Administrator's page: state of the campaign, and what can be changed while it runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from grice.collecting.audit import ADMINISTRATOR, audit_lines, record
from grice.collecting.counts import add_redundancy, exclude, include
from grice.collecting.export import as_csv
from grice.collecting.instrument import clean_words
from grice.collecting.overview import COLUMNS, PARTICIPANT, participants, people, ratings, status
from grice.collecting.security import ADMIN_SECONDS, Refusal, equal_secrets, read_form
from grice.collecting.site import Site, site_of
from grice.core.errors import GriceError, InputError

# Display names of the measures of agreement.
NAMES = {
    "kappa": "Cohen's κ, mean over pairs of raters",
    "alpha:nominal": "Krippendorff's α, nominal",
    "alpha:interval": "Krippendorff's α, interval",
    "leave_one_out:pearson": "Mean correlation with the other raters, Pearson's r",
    "leave_one_out:spearman": "Mean correlation with the other raters, Spearman's ρ",
}


def _let_in(request: Request) -> Site:
    site = site_of(request)
    if not site.keys.is_admin(request):
        raise Refusal(
            401, "This page needs the administrator's link, which 'grice collect serve' prints."
        )
    return site


async def enter(request: Request) -> Response:
    """Move the token from the address into a cookie, so that no log holds it.

    Then the page is shown.
    """
    site, key = site_of(request), request.query_params.get("key")
    if key is None:
        _let_in(request)
        return await run_in_threadpool(_page, site)
    if not equal_secrets(key, site.keys.admin):
        raise site.wrong_key(request, "This is not the administrator's link.")
    await run_in_threadpool(_note_arrival, site)
    value = site.keys.admin_session(int(site.store.clock()))
    return site.sign_in(
        f"{site.keys.cookie}_admin", value, ADMIN_SECONDS, path="/admin", samesite="strict"
    )


def _note_arrival(site: Site) -> None:
    with site.store.write() as connection:
        record(connection, site.store.clock(), ADMINISTRATOR, "signed in")


def _page(site: Site) -> Response:
    return site.show(
        "admin.html",
        stand=status(site.store),
        people=people(site.store),
        agreement=_agreement(site),
        links=links(site),
        log=_log(site),
        csrf=site.keys.csrf("admin"),
    )


def _log(site: Site) -> list[dict[str, Any]]:
    with site.store.read() as connection:
        lines = audit_lines(connection, 50)
    return [
        {**line, "at": f"{datetime.fromtimestamp(line['at'], UTC):%Y-%m-%d %H:%M:%S} UTC"}
        for line in lines
    ]


def _agreement(site: Site) -> dict[str, Any]:
    try:
        rows = site.agreement() if site.agreement else ()
        return {
            "rows": [{**row, "name": NAMES.get(row["measure"], row["measure"])} for row in rows],
            "words": "",
        }
    except GriceError as error:
        return {"rows": [], "words": str(error)}


def links(site: Site) -> list[str]:
    """Return the addresses to give to people."""
    front, campaign = site.serving.front, site.store.campaign.people
    if campaign.access == "open":
        return [f"{front}/"]
    if campaign.access == "link":
        return [f"{front}/join?key={site.keys.shared}"]
    if campaign.access == "platform":
        return [
            f"{front}/join?key={site.keys.shared}&{campaign.parameter}={{{{%{campaign.parameter}%}}}}"
        ]
    return [
        f"{front}/join?key={site.keys.invitation(n)}" for n in range(1, campaign.invitations + 1)
    ]


async def change(request: Request) -> Response:
    """Pause or resume, exclude someone with a reason or include them again, or ask for more."""
    site = _let_in(request)
    form = await read_form(request)
    if not equal_secrets(form.get("csrf", ""), site.keys.csrf("admin")):
        raise Refusal(403, "This form is out of date; load the page again.")
    await run_in_threadpool(_change, site, form)
    return RedirectResponse("/admin", status_code=303)


def _change(site: Site, form: Mapping[str, str]) -> None:
    def whole(name: str) -> int:
        return _parse_whole(form.get(name, ""))

    store = site.store
    actions = {
        "pause": lambda: store.pause(True),
        "resume": lambda: store.pause(False),
        "exclude": lambda: exclude(
            store, whole("person"), clean_words(form.get("reason", ""), "reason")
        ),
        "include": lambda: include(store, whole("person")),
        "redundancy": lambda: add_redundancy(store, whole("more")),
    }
    if (action := form.get("action", "")) not in actions:
        raise InputError("no such action; load the page again")
    actions[action]()


def _parse_whole(words: str) -> int:
    if not (words.isascii() and words.isdigit() and len(words) < 10):
        raise InputError(f"'{words[:40]}' is not a whole number; enter one")
    return int(words)


async def download(request: Request) -> Response:
    """Send every rating as JSON lines or CSV, without the ids of the platform."""
    site = _let_in(request)
    kind = request.path_params["kind"]
    if kind not in ("jsonl", "csv"):
        raise Refusal(404, "Ratings come as jsonl or csv.")
    rows = await run_in_threadpool(lambda: list(ratings(site.store)))
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _file(
        site, f"ratings.{kind}", "".join(lines) if kind == "jsonl" else _table(rows, COLUMNS)
    )


async def download_participants(request: Request) -> Response:
    """Send the platform's ids of the participants as CSV, apart from their answers."""
    site = _let_in(request)
    rows = await run_in_threadpool(participants, site.store)
    return _file(site, "participants.csv", _table(rows, PARTICIPANT))


def _table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return rows as CSV, with lists and objects in JSON."""
    cells = ([row.get(column) for column in columns] for row in rows)
    nested = (dict, list)
    return as_csv(
        columns, ([json.dumps(c) if isinstance(c, nested) else c for c in row] for row in cells)
    )


def _file(site: Site, name: str, text: str) -> Response:
    """Return a file to download, called after the campaign."""
    full_name = _safe(f"{site.store.campaign.name}-{name}")
    headers = {"content-disposition": f'attachment; filename="{full_name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def _safe(name: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)


routes = [
    Route("/admin", enter),
    Route("/admin/change", change, methods=["POST"]),
    Route("/admin/ratings.{kind:str}", download),
    Route("/admin/participants.csv", download_participants),
]
