"""How participants join: the link they come by, their consent, and what a platform calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from grice.collecting.instrument import clean_words
from grice.collecting.security import Refusal, equal_secrets, read_form
from grice.collecting.site import Site, client_address, site_of

# Maximum length of a platform's id, and what its id looks like before it is filled in.
LONGEST_ID = 200
PLACEHOLDER = re.compile(r"[{}\[\]$%<>]")
# The platform's names for its study and for a participant's session in it.
STUDY, SESSION = "STUDY_ID", "SESSION_ID"


async def join(request: Request) -> Response:
    """Show the consent page; after consent, store the person and set their cookie."""
    site = site_of(request)
    parameters = dict(request.query_params) if request.method == "GET" else await read_form(request)
    outside = _outside(site, request, parameters)
    if outside is None and await is_known(site, request):
        # A signed-in person stays the same person; otherwise they would see pairs twice.
        return RedirectResponse("/", status_code=303)
    if request.method == "GET":
        wanted = {
            "key": parameters.get("key", ""),
            site.store.campaign.people.parameter: outside or "",
            **_visit(site, parameters),
        }
        hidden = {name: value for name, value in wanted.items() if value}
        return site.show("consent.html", hidden=hidden)
    rate = site.serving.joins_per_minute
    if not site.limits.spend(f"join:{client_address(request)}", rate / 60, rate):
        raise Refusal(429, "Many people join from your network; try again in a minute.")
    visit = _visit(site, parameters)
    number = await run_in_threadpool(
        site.store.arrive, outside, visit.get(STUDY), visit.get(SESSION)
    )
    if number is None:
        message, exit_url = "Thank you for your interest.", site.store.campaign.people.full_url
        return site.show(
            "message.html", 403, title="All places are taken", words=message, exit=exit_url
        )
    return site.sign_in(site.keys.cookie, site.keys.session(number))


def _visit(site: Site, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the platform's ids of its study and of this session, where the link has them."""
    if site.store.campaign.people.access != "platform":
        return {}
    texts = {name: parameters.get(name, "")[:LONGEST_ID] for name in (STUDY, SESSION)}
    return {
        name: clean_words(text, name)
        for name, text in texts.items()
        if text.strip() and not PLACEHOLDER.search(text)
    }


async def is_known(site: Site, request: Request) -> bool:
    """Return whether a request comes from a participant who joined before."""
    number = site.keys.person(request)
    return number is not None and await run_in_threadpool(site.store.person, number) is not None


def _outside(site: Site, request: Request, parameters: Mapping[str, str]) -> str | None:
    """Return the external id of a newcomer, after their key is checked."""
    people, key = site.store.campaign.people, parameters.get("key", "")
    if people.access == "open":
        return None
    if people.access == "invited":
        number = site.keys.invitation_number(key)
        right = number is not None
        outside: str | None = f"invitation/{number}"
    else:
        right = equal_secrets(key, site.keys.shared)
        outside = None
    if not right:
        raise site.wrong_key(
            request, "This link is not complete; copy it whole from your invitation."
        )
    if site.keys.links_expired:
        raise Refusal(403, "This link has expired; ask the sender for a new one.")
    if people.access == "platform":
        outside = clean_words(parameters.get(people.parameter, ""), people.parameter)
        # An id that was cut or cleaned could be somebody else's; a placeholder that the platform
        # did not fill in is everybody's.
        if (
            outside != parameters[people.parameter].strip(" ")
            or len(outside) > LONGEST_ID
            or PLACEHOLDER.search(outside)
        ):
            raise Refusal(
                422,
                f"The id '{people.parameter}' in your link is damaged; open the link of the"
                " platform again.",
            )
    return outside
