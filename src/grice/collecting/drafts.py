"""What is set on a page but not sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, select, update

from grice.collecting import tables as t
from grice.collecting.database import retry_on_deadlock
from grice.collecting.facts import lock_person
from grice.collecting.store import Store
from grice.collecting.work import PageGone, lease


@retry_on_deadlock
def keep_draft(store: Store, person: int, page: str, drafts: Mapping[int, Any]) -> None:
    """Store the unsent answers of a page, and extend the person's claim on the page."""
    with store.write() as connection:
        lock_person(connection, person)
        on_page = (
            (t.ratings.c.person == person)
            & (t.ratings.c.page == page)
            & (t.ratings.c.state == "open")
        )
        # The ratings are locked, in the order in which they are expired, so that storing a draft
        # renews its claim.
        held = (
            select(t.ratings.c.pair, t.ratings.c.draft)
            .where(on_page)
            .order_by(t.ratings.c.pair)
            .with_for_update()
        )
        known: dict[int, str | None] = {row.pair: row.draft for row in connection.execute(held)}
        if not known or not set(drafts) <= set(known):
            raise PageGone("this page is not open any more; load it again")
        draft_texts = known | {pair: json.dumps(draft) for pair, draft in drafts.items()}
        # One update per row: after a second one PostgreSQL would check the pair and wait for its
        # lock.
        connection.execute(
            update(t.ratings)
            .where(on_page, t.ratings.c.pair == bindparam("number"))
            .values(draft=bindparam("words"), expires=store.clock() + lease(store)),
            [{"number": pair, "words": draft} for pair, draft in draft_texts.items()],
        )
