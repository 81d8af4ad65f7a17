"""Participants that a platform sends: their link, their ids, and how they leave."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from grice.collecting.counts import exclude
from grice.core.scale import LIKERT5
from grice.verbs.campaign_data import open_campaign
from grice.verbs.collect import export
from tests.collecting.conftest import Open
from tests.collecting.hand import Visitor, campaign, field, items, slide

PLATFORM = {"access": "platform", "parameter": "PROLIFIC_PID"}


def test_a_placeholder_that_the_platform_did_not_fill_in_is_refused(
    opened: Open, tmp_path: Path
) -> None:
    visitor = Visitor(opened(campaign(tmp_path, people=PLATFORM), items(1)))
    for value in ("{{%PROLIFIC_PID%}}", "[PROLIFIC_PID]", "${id}"):
        parameters = {"key": visitor.keys.shared, "PROLIFIC_PID": value}
        assert visitor.http.get("/join", params=parameters).status_code == 422
        assert visitor.http.post("/join", data=parameters).status_code == 422


def test_a_platforms_visit_from_its_link_to_the_file_of_participants(
    opened: Open, tmp_path: Path
) -> None:
    """The redirect of Prolific: three ids in the link, which stay apart from the answers."""
    store = opened(campaign(tmp_path, people=PLATFORM), items(1))
    visitor = Visitor(store)
    link = {
        "key": visitor.keys.shared,
        "PROLIFIC_PID": "5f0a",
        "STUDY_ID": "study7",
        "SESSION_ID": "s9",
    }
    consent = visitor.http.get("/join", params=link).text
    assert field(consent, "STUDY_ID") == "study7"
    visitor.join(**link)
    while visitor.answer(lambda _p, _h: slide(2000)):
        pass
    admin = Visitor(store).http
    admin.get("/admin", params={"key": visitor.keys.admin})
    participants = list(csv.DictReader(io.StringIO(admin.get("/admin/participants.csv").text)))
    assert [(row["id"], row["study"], row["session"]) for row in participants] == [
        ("5f0a", "study7", "s9")
    ]
    assert "5f0a" not in admin.get("/admin/ratings.csv").text
    assert Visitor(store).http.get("/admin/participants.csv").status_code == 401


def test_whoever_skips_most_pairs_gets_no_completion_code(opened: Open, tmp_path: Path) -> None:
    ending = {**PLATFORM, "completion_code": "DONE7", "full_url": "https://example.org/full"}
    store = opened(campaign(tmp_path, people=ending, work={"redundancy": 1}), items(1))
    visitor = Visitor(store)
    link = {"key": visitor.keys.shared, "PROLIFIC_PID": "a"}
    visitor.join(**link)
    replies = iter([slide(2000)])
    while visitor.answer(lambda _p, _h: next(replies, {"skip": True})):
        pass
    assert "DONE7" not in visitor.page()
    other = Visitor(store).join(**{**link, "PROLIFIC_PID": "b"})
    while other.answer(lambda _p, _h: slide(2000)):
        pass
    assert "DONE7" in other.page()
    late = Visitor(store).join(**{**link, "PROLIFIC_PID": "c"})
    assert "https://example.org/full" in late.page()


def test_whoever_was_excluded_is_sent_back_to_the_platform(opened: Open, tmp_path: Path) -> None:
    ending = {**PLATFORM, "stopped_url": "https://example.org/stopped"}
    store = opened(campaign(tmp_path, people=ending), items(1))
    visitor = Visitor(store)
    visitor.join(key=visitor.keys.shared, PROLIFIC_PID="a")
    exclude(store, 1, "a robot")
    assert "https://example.org/stopped" in visitor.page()


PROLIFIC = """
title = "On Prolific"
dataset = "items.jsonl"
instrument = "likert"
attention_every = 1
attention_misses = 1

[work]
redundancy = 1
least_seconds = 0

[people]
access = "platform"
parameter = "PROLIFIC_PID"
most = 4
completion_url = "https://app.prolific.com/submissions/complete?cc=DONE"
stopped_url = "https://app.prolific.com/submissions/complete?cc=STOP"
full_url = "https://app.prolific.com/submissions/complete?cc=FULL"
declined_url = "https://app.prolific.com/submissions/complete?cc=NONE"

[[attention]]
premise = "Please choose the right end."
answer = 2
"""


def redirects(page: str) -> list[str]:
    """The codes with which a page sends its reader back to Prolific."""
    return re.findall(r'href="https://app\.prolific\.com/submissions/complete\?cc=(\w+)"', page)


def test_prolifics_four_exits_and_three_ids_for_the_administrator_alone(tmp_path: Path) -> None:
    items(1, scale=LIKERT5).write(tmp_path / "items.jsonl")
    file = tmp_path / "prolific.toml"
    file.write_text(PROLIFIC)
    store, _ = open_campaign(file)

    def link(person: str) -> dict[str, str]:
        ids = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        return {name: f"{name[:5].lower()}-{person}" for name in ids}

    def visit(person: str, of_attention: int) -> Visitor:
        visitor = Visitor(store)
        visitor.join(key=visitor.keys.shared, **link(person))
        for _ in range(9):
            visitor.answer(
                lambda premise, _: {
                    "values": {"answer": of_attention if "right end" in premise else 1}
                }
            )
        return visitor

    assert redirects(visit("careless", -2).page()) == ["STOP"]
    assert redirects(visit("done", 2).page()) == ["DONE"]
    late = visit("late", 2)
    assert redirects(late.page()) == ["FULL"] and late.block() is None
    undecided = Visitor(store)
    key = {"key": undecided.keys.shared}
    assert undecided.http.get("/join", params={**key, **link("nobody")}).status_code == 200
    assert redirects(undecided.http.post("/decline", data=link("nobody")).text) == ["NONE"]
    visit("fourth", 2)
    fifth = undecided.http.post("/join", data={**key, **link("fifth")})
    assert fifth.status_code == 403 and redirects(fifth.text) == ["FULL"]

    admin = Visitor(store).http
    admin.get("/admin", params={"key": undecided.keys.admin})
    rows = list(csv.DictReader(io.StringIO(admin.get("/admin/participants.csv").text)))
    columns = ("id", "study", "session")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        tuple(link(person).values()) for person in ("careless", "done", "late", "fourth")
    ]
    assert late.http.get("/admin/participants.csv").status_code == 401
    store.close()
    out = tmp_path / "out"
    export(file, into=out / "runs", out=out / "gold.jsonl", csv=out / "all.csv", excluded=True)
    written = [path.read_bytes() for path in out.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not any(part in text for text in written for part in (b"proli-", b"study-", b"sessi-"))
