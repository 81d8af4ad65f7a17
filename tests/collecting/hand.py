"""Small campaigns built by hand, and people who answer them over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from grice.collecting.app import make_app
from grice.collecting.campaign import Campaign, People, Work
from grice.collecting.security import Serving
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI, Scale

ORIGIN = "http://127.0.0.1:8765"
FAST = Serving(joins_per_minute=1e6, requests_per_second=1e6)


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        self.tick = 0.0

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def items(premises: int, each: int = 5, scale: Scale = NLI) -> Dataset:
    """So many premises with so many hypotheses each."""
    made = [
        Item(
            f"hand/{p}/{h}",
            f"There are {p} cakes.",
            f"Someone ate {h} of {p} cakes.",
            group=f"g{p}",
        )
        for p in range(premises)
        for h in range(each)
    ]
    return Dataset.from_items("hand", scale, made)


def campaign(folder: Path, instrument: str = "probability", **changes: Any) -> Campaign:
    """A campaign without a test and without waiting."""
    work = {"least_seconds": 0.0, **changes.pop("work", {})}
    people = changes.pop("people", {})
    return Campaign(
        folder / "campaign.toml",
        "By hand",
        "hand",
        instrument,
        work=Work(**work),
        people=People(**people),
        **changes,
    )


class Visitor:
    """A person with a browser's manners: the page's token, the right origin, cookies."""

    def __init__(self, store: Store, serving: Serving = FAST) -> None:
        app = make_app(store, serving)
        self.keys = app.state.site.keys
        self.http = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})

    def join(self, **fields: str) -> Visitor:
        assert self.http.post("/join", data=fields).status_code == 200
        self.form("/start")
        return self

    def form(self, address: str) -> Any:
        return self.http.post(address, data={"csrf": field(self.page(), "csrf")})

    def page(self) -> str:
        return self.http.get("/").text

    def block(self) -> dict[str, Any] | None:
        """What the page tells its script; None where there is nothing to answer."""
        return block_of(self.page())

    def post(self, address: str, content: Any, csrf: str) -> Any:
        return self.http.post(address, json=content, headers={"x-csrf": csrf})

    def answer(self, reply: Callable[[str, str], Any]) -> int:
        """Answer the page in front of me; `reply` is given premise and hypothesis.

        Returns how many were stored.
        """
        text = self.page()
        block = block_of(text)
        if block is None:
            return 0
        said = {pair: reply(premise, hypothesis) for pair, premise, hypothesis in pairs_of(text)}
        content = {"page": block["id"], "attempt": block.get("attempt"), "replies": said}
        done = self.post(block["post"], content, block["csrf"])
        assert done.status_code == 200, done.text
        return len(said)


def block_of(text: str) -> dict[str, Any] | None:
    found = re.search(r'<script type="application/json" id="block">(.*?)</script>', text, re.S)
    block: dict[str, Any] | None = json.loads(found[1]) if found else None
    return block


def pairs_of(text: str) -> list[tuple[str, str, str]]:
    """Pair number, premise and hypothesis of each pair on a page."""
    found, premise = [], ""
    pattern = (
        r"<div"
        r' class="premise">.*?<p>(.*?)</p>|data-pair="(\d+)".*?<legend>(?:<span.*?</span>)?(.*?)</legend>'
    )
    for match in re.finditer(pattern, text, re.S):
        if match[2] is None:
            premise = match[1]
        else:
            found.append((match[2], premise, match[3].strip()))
    return found


def field(text: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found, f"no field {name}"
    return found[1]


def slide(raw: int) -> dict[str, Any]:
    return {"values": {"answer": raw}}
