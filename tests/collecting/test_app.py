"""A whole campaign of each instrument over HTTP, and who is not let in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from grice.collecting.app import make_app
from grice.collecting.campaign import Campaign, CampaignTexts, KnownPair, Qualification
from grice.collecting.export import gold, runs
from grice.collecting.overview import ratings, status
from grice.collecting.security import Limits, Serving, check_serving
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import LIKERT5, NLI, UNIT, Scale
from grice.theory.slider import probability, step
from tests.collecting.hand import ORIGIN, Visitor, block_of, campaign, field, items, slide


@pytest.fixture
def stores() -> Iterator[list[Store]]:
    made: list[Store] = []
    yield made
    for store in made:
        store.close()


def begin(stores: list[Store], asked: Campaign, data: Dataset) -> Store:
    stores.append(Store(asked, data))
    return stores[-1]


def always(reply: Any) -> Callable[[str, str], Any]:
    return lambda _premise, _hypothesis: reply


def label(word: str) -> dict[str, Any]:
    return {"values": {"answer": word}}


def test_nothing_is_kept_before_consent(stores: list[Store], tmp_path: Path) -> None:
    asked = campaign(tmp_path, texts=CampaignTexts(consent="We ask **you**."))
    store = begin(stores, asked, items(1))
    visitor = Visitor(store)
    assert "We ask <strong>you</strong>." in visitor.http.get("/").text
    assert status(store)["people"] == 0
    visitor.join()
    assert status(store)["people"] == 1


def test_a_probability_campaign_from_link_to_gold(stores: list[Store], tmp_path: Path) -> None:
    data = items(1)
    store = begin(stores, campaign(tmp_path), data)
    for raw in (1000, 4000):
        assert Visitor(store).join().answer(always(slide(raw))) == 5
    third = Visitor(store).join()
    assert third.answer(lambda _p, _h: slide(4000)) == 5
    assert third.block() is None
    assert "Thank you" in third.page()
    made = gold(store, data)
    expected = (probability(1000) + 2 * probability(4000)) / 3
    assert made.data.frame["gold.people"].to_list() == pytest.approx([expected] * 5)
    people = runs(store, data)
    assert [run.judge for run in people] == ["person/0001", "person/0002", "person/0003"]
    assert people[0].scale == UNIT
    assert people[0].frame["raw"].to_list() == ["1000"] * 5


def test_likert_ratings_and_pairs_that_make_no_sense(stores: list[Store], tmp_path: Path) -> None:
    data = items(2, 2)
    store = begin(stores, campaign(tmp_path, "likert", work={"redundancy": 2}), data)

    def senseless(_premise: str, hypothesis: str) -> dict[str, Any]:
        return {"nonsense": True} if "0 of 0" in hypothesis else {"values": {"answer": 2}}

    Visitor(store).join().answer(senseless)
    Visitor(store).join().answer(lambda _p, _h: {"values": {"answer": -1}})
    whole, dropped = gold(store, data), gold(store, data, drop_nonsense=True)
    assert whole.data.frame["gold.people"].to_list() == [-1.0, 0.5, 0.5, 0.5]
    assert whole.data.frame["tag.nonsense"].to_list() == ["1", None, None, None]
    assert dropped.data.ids == ["hand/1/0", "hand/1/1"], "the partner of the same group goes too"
    assert dropped.left_out == {"it or its partner does not make sense": 2}
    first = runs(store, data)[0]
    assert (first.answered, first.faults, first.fault_kinds) == (3, 1, {"does not make sense": 1})


def discuss(visitor: Visitor, word: str, note: str = "because") -> Any:
    block = visitor.block()
    assert block is not None
    assert block["post"] == "/discuss", "work comes before discussion"
    content = {"pair": block["pair"], "key": block["id"], "label": word, "note": note}
    return visitor.post("/discuss", content, block["csrf"])


def test_two_experts_label_differ_discuss_and_agree(stores: list[Store], tmp_path: Path) -> None:
    data = items(1, 3)
    asked = campaign(
        tmp_path,
        "labels",
        people={"access": "invited", "invitations": 2},
        work={"discussion_turns": 2},
    )
    store = begin(stores, asked, data)
    one = Visitor(store)
    two = Visitor(store)
    one.join(key=one.keys.invitation(1))
    two.join(key=two.keys.invitation(2))
    one.answer(lambda _p, _h: label("entailment"))
    assert "Thank you" in one.page()
    two.answer(lambda _p, h: label("entailment" if "0 of" in h else "neutral"))
    assert runs(store, data)[1].frame["answer"].to_list().count("neutral") == 2

    assert "You</b> chose <i>entailment" in one.page()
    discuss(one, "neutral", "I had <i>misread</i> it")
    discuss(one, "entailment")
    assert "Waiting" in one.page(), "it is the other one's turn in both"
    assert "I had &lt;i&gt;misread&lt;/i&gt; it" in two.page()
    discuss(two, "neutral")
    discuss(two, "neutral")
    discuss(one, "entailment")
    assert discuss(two, "neutral").status_code == 200
    assert two.block() is None
    assert "Thank you" in one.page()
    made = gold(store, data)
    assert made.data.frame["gold.people"].to_list() == ["entailment", "neutral"], (
        "only agreed pairs"
    )
    assert made.left_out == {"no agreement": 1}


def test_pragmatic_annotation_keeps_every_field(stores: list[Store], tmp_path: Path) -> None:
    data = items(1, 1)
    store = begin(stores, campaign(tmp_path, "pragmatic"), data)
    full = {
        "relation": "presupposition",
        "direction": "P to H",
        "negated": "no",
        "subtype": "existence",
        "embedded": "yes",
    }
    for values in (full, {**full, "embedded": "no"}, {"relation": "neither"}):
        assert Visitor(store).join().answer(always({"values": values})) == 1
    item = next(gold(store, data).data.items())
    assert item.gold["people"] == "presupposition"
    assert item.gold["people.subtype"] == "existence"
    assert "people.embedded" not in item.gold, "one yes and one no are no majority"
    assert json.loads(runs(store, data)[0].frame["raw"][0])["embedded"] == "yes"


@pytest.mark.parametrize(
    ("scale", "sign", "reply"),
    [
        (Scale(labels=("speech", "silence")), 'value="silence"', "silence"),
        (Scale(low=1.0, high=7.0, step=1.0), 'value="7"', 7),
        (Scale(low=0.0, high=100.0), 'data-widget="range"', 2500),
        (UNIT, 'data-widget="slider"', 2500),
        (LIKERT5, "definitely true", -2),
        (NLI, 'value="contradiction"', "neutral"),
    ],
)
def test_the_widget_follows_the_scale(
    stores: list[Store], tmp_path: Path, scale: Scale, sign: str, reply: Any
) -> None:
    data = items(1, 1, scale)
    store = begin(stores, campaign(tmp_path, "scale", work={"redundancy": 1}), data)
    visitor = Visitor(store).join()
    assert sign in visitor.page()
    assert visitor.answer(lambda _p, _h: {"values": {"answer": reply}}) == 1
    (run,) = runs(store, data)
    said = run.frame["answer"][0] if scale.labels else run.frame["value"][0]
    assert scale.accepts(said)
    if scale.high == 100:
        assert said == 25


TEST = Qualification(
    (
        KnownPair("A coin.", 0.5, "Heads.", easy=True),
        KnownPair("A die.", 0.9, "No six."),
        KnownPair("A lottery.", 0.01, "Won."),
    ),
    attempts=2,
)
TRUTH = {known.premise: known.answer for known in TEST.items}


def test_the_test_comes_first_and_may_be_tried_again(stores: list[Store], tmp_path: Path) -> None:
    store = begin(stores, campaign(tmp_path, qualification=TEST), items(1))
    visitor = Visitor(store).join()
    assert "attempt 1 of 2" in visitor.page()
    visitor.answer(lambda _p, _h: slide(9000))
    assert "attempt 2 of 2" in visitor.page()
    visitor.answer(lambda p, _h: slide(round(step(float(TRUTH[p])))))
    assert visitor.answer(lambda _p, _h: slide(1)) == 5


def test_who_fails_the_test_gets_no_work(stores: list[Store], tmp_path: Path) -> None:
    asked = campaign(
        tmp_path, qualification=TEST, people={"failed_url": "https://example.org/no?a=1&b=2"}
    )
    store = begin(stores, asked, items(1))
    visitor = Visitor(store).join()
    block = visitor.block()
    assert block is not None
    visitor.answer(lambda _p, _h: slide(9000))
    visitor.answer(lambda _p, _h: slide(100))
    assert 'href="https://example.org/no?a=1&amp;b=2"' in visitor.page()
    said = visitor.post("/answer", {"page": "x", "replies": {}}, block["csrf"])
    assert said.status_code == 403
    again = {"attempt": 2, "replies": {str(n): slide(1) for n in range(3)}}
    assert visitor.post("/qualify", again, block["csrf"]).status_code == 422, (
        "there is no third attempt"
    )


def test_a_platforms_id_comes_in_and_its_code_goes_out(stores: list[Store], tmp_path: Path) -> None:
    people = {
        "access": "platform",
        "completion_code": "C0DE",
        "completion_url": "https://example.org/done",
    }
    store = begin(stores, campaign(tmp_path, people=people, work={"most_per_person": 5}), items(2))
    visitor = Visitor(store)
    assert visitor.http.get("/join?PROLIFIC_PID=abc").status_code == 403, (
        "the study's key is needed"
    )
    landing = visitor.http.get(f"/join?key={visitor.keys.shared}&PROLIFIC_PID=abc").text
    visitor.join(key=field(landing, "key"), PROLIFIC_PID=field(landing, "PROLIFIC_PID"))
    assert "C0DE" not in visitor.page()
    visitor.answer(lambda _p, _h: slide(1))
    assert "C0DE" in visitor.page()
    assert 'href="https://example.org/done"' in visitor.page()
    other = Visitor(store)
    other.http.post("/join", data={"key": other.keys.shared, "PROLIFIC_PID": "abc"})
    assert "C0DE" in other.page(), "the same id is the same person on another device"
    assert "abc" not in json.dumps(list(ratings(store))), "the platform's id does not leave"


def test_joining_again_in_the_same_browser_is_the_same_person(
    stores: list[Store], tmp_path: Path
) -> None:
    store = begin(stores, campaign(tmp_path, people={"access": "link"}), items(2))
    visitor = Visitor(store)
    visitor.join(key=visitor.keys.shared)
    before = visitor.block()
    visitor.http.post("/join", data={"key": visitor.keys.shared})
    assert visitor.http.get(f"/join?key={visitor.keys.shared}").url.path == "/"
    assert visitor.block() == before
    assert status(store)["people"] == 1


def test_when_all_places_are_taken_nobody_else_comes_in(
    stores: list[Store], tmp_path: Path
) -> None:
    store = begin(stores, campaign(tmp_path, people={"most": 1}), items(2))
    Visitor(store).join()
    late = Visitor(store).http.post("/join")
    assert late.status_code == 403
    assert "All places are taken" in late.text


def test_stopping_and_going_on(stores: list[Store], tmp_path: Path) -> None:
    store = begin(stores, campaign(tmp_path), items(2))
    visitor = Visitor(store).join()
    before = visitor.block()
    visitor.form("/leave")
    assert "You have stopped here" in visitor.page()
    visitor.form("/resume")
    assert visitor.block() == before


def test_items_may_hold_markup_and_are_shown_as_they_are(
    stores: list[Store], tmp_path: Path
) -> None:
    nasty = '</script><script>alert("1")</script><img src=x onerror=alert(1)> & \u202e'
    data = Dataset.from_items("nasty", NLI, [Item("n/0", nasty, nasty)])
    texts = CampaignTexts(consent=nasty, instructions=f"![p](https://example.org/p.png) {nasty}")
    store = begin(stores, campaign(tmp_path, "labels", texts=texts), data)
    visitor = Visitor(store)
    for page in (visitor.http.get("/join").text, visitor.join().page()):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "&lt;img src=x" in page


def test_an_address_elsewhere_is_never_loaded(stores: list[Store], tmp_path: Path) -> None:
    store = begin(stores, campaign(tmp_path), items(1))
    page = Visitor(store).join().http.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    assert "http" not in page.text.replace("http-equiv", "")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1:9999"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:8765"}, 303),
    ],
)
def test_another_host_or_origin_is_refused(
    stores: list[Store], tmp_path: Path, headers: dict[str, str], code: int
) -> None:
    store = begin(stores, campaign(tmp_path), items(1))
    visitor = Visitor(store)
    assert visitor.http.post("/join", headers=headers, follow_redirects=False).status_code == code
    assert status(store)["people"] == (1 if code == 303 else 0)


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost:8765", 200),
        ("[::1]:8765", 200),
        ("study.example.org", 200),
        ("www.study.example.org", 400),
        ("evil.example", 400),
        ("[::2]:8765", 400),
        ("", 400),
    ],
)
def test_pages_are_shown_under_the_campaigns_own_names_alone(
    stores: list[Store], tmp_path: Path, host: str, code: int
) -> None:
    store = begin(stores, campaign(tmp_path), items(1))
    visitor = Visitor(store, Serving(public="https://study.example.org"))
    found = visitor.http.get("/join", headers={"host": host})
    assert found.status_code == code
    assert found.headers["x-frame-options"] == "DENY"


def test_an_answer_needs_the_pages_token_and_ones_own_cookie(
    stores: list[Store], tmp_path: Path
) -> None:
    store = begin(stores, campaign(tmp_path), items(2))
    one, two = Visitor(store).join(), Visitor(store).join()
    text = one.page()
    block = block_of(text)
    assert block is not None
    pairs = {pair: slide(1) for pair in block["drafts"]} or {"1": slide(1)}
    content = {"page": block["id"], "replies": pairs}
    assert one.post("/answer", content, "wrong").status_code == 403
    assert two.post("/answer", content, block["csrf"]).status_code == 403, "another's token"
    csrf = (two.block() or {})["csrf"]
    assert two.post("/answer", content, csrf).status_code == 410, "another's page"
    one.http.cookies.clear()
    right = one.keys.session(2)
    one.http.cookies.set(one.keys.cookie, right[:-1] + ("1" if right[-1] == "0" else "0"))
    assert one.post("/answer", content, block["csrf"]).status_code == 401
    assert status(store)["answered"] == 0


def test_wrong_links_are_limited(stores: list[Store], tmp_path: Path) -> None:
    store = begin(stores, campaign(tmp_path, people={"access": "link"}), items(1))
    visitor = Visitor(store)
    codes = [visitor.http.get(f"/join?key={n}").status_code for n in range(12)]
    assert codes == [403] * 10 + [429] * 2
    assert visitor.http.get(f"/join?key={visitor.keys.shared}").status_code == 200, (
        "a right one still works"
    )


def test_one_person_cannot_flood_the_server(stores: list[Store], tmp_path: Path) -> None:
    store = begin(stores, campaign(tmp_path), items(1))
    visitor = Visitor(store, Serving(requests_per_second=0.5))
    visitor.http.post("/join")
    codes = [visitor.http.get("/").status_code for _ in range(5)]
    assert codes[0] == 200
    assert codes[-1] == 429


def test_a_bucket_fills_again_and_old_ones_are_forgotten() -> None:
    now = [0.0]
    limits = Limits(clock=lambda: now[0], most=2)
    assert [limits.spend("a", 1, 2) for _ in range(3)] == [True, True, False]
    now[0] += 1
    assert limits.spend("a", 1, 2)
    limits.spend("b", 1, 2)
    limits.spend("c", 1, 2)
    assert len(limits.buckets) == 2


@pytest.mark.parametrize(
    ("serving", "access", "words"),
    [
        (Serving(host="192.0.2.1"), "open", "so that a token is needed"),
        (Serving(public="https://study.example.org"), "open", "so that a token is needed"),
        (Serving(host="0.0.0.0"), "link", "--public"),
        (Serving(public="study"), "link", "is no address"),
    ],
)
def test_a_wider_address_needs_a_token_and_a_name(
    serving: Serving, access: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        check_serving(serving, access)
    check_serving(Serving(host="192.0.2.1"), "link")
    check_serving(Serving(host="0.0.0.0", public="https://study.example.org"), "platform")


def admin(store: Store, agreement: Any = None) -> tuple[TestClient, str]:
    app = make_app(store, Serving(), agreement)
    http = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
    assert http.get("/admin").status_code == 401
    assert http.get("/admin?key=wrong").status_code == 403
    page = http.get(f"/admin?key={app.state.site.keys.admin}")
    assert page.status_code == 200
    assert "key=" not in str(page.url)
    return http, field(page.text, "csrf")


def test_a_failed_attempt_is_told_with_how_often_one_may_try(
    stores: list[Store], tmp_path: Path
) -> None:
    visitor = Visitor(begin(stores, campaign(tmp_path, qualification=TEST), items(1))).join()
    assert "did not pass" not in visitor.page()
    visitor.answer(lambda _p, _h: slide(5))
    assert "The last attempt did not pass" in visitor.page() and "try once more" in visitor.page()
    visitor.answer(lambda _p, _h: slide(5))
    assert "You have used all 2 attempts" in visitor.page()


def test_admin_page_shows_progress_states_and_agreement(
    stores: list[Store], tmp_path: Path
) -> None:
    store = begin(stores, campaign(tmp_path, qualification=TEST), items(1))
    worker, _tested = Visitor(store).join(), Visitor(store).join()
    worker.answer(lambda premise, _h: slide(round(step(float(TRUTH[premise])))))
    measured = {"measure": "leave_one_out:pearson", "value": 0.5, "low": 0.25, "high": 0.75, "n": 5}
    http, _ = admin(store, lambda: [measured])
    text = http.get("/admin").text
    assert text.count("taking part") == 1 and text.count("in the test") == 2, (
        "a row, and the tile that counts them"
    )
    assert "Mean correlation with the other raters" in text and "leave_one_out" not in text
    assert text.count("<svg") == 1, "the interval of the one measure"
    assert "0 of 10 ratings" in text
    worker.answer(lambda _p, _h: slide(100))
    assert "5 of 10 ratings" in http.get("/admin").text


def test_the_administrator_pauses_excludes_adds_and_downloads(
    stores: list[Store], tmp_path: Path
) -> None:
    store = begin(stores, campaign(tmp_path), items(1))
    visitor = Visitor(store).join()
    visitor.answer(lambda _p, _h: slide(1))
    rows = [{"measure": "alpha", "value": 0.5, "low": 0.25, "high": 0.75, "n": 5}]
    http, csrf = admin(store, lambda: rows)

    def change(**fields: str) -> int:
        return http.post(
            "/admin/change", data={"csrf": csrf, **fields}, follow_redirects=False
        ).status_code

    assert "0.25 to 0.75" in http.get("/admin").text
    assert http.post("/admin/change", data={"action": "pause", "csrf": "x"}).status_code == 403
    assert change(action="pause") == 303
    assert Visitor(store).join().block() is None
    assert change(action="resume") == 303
    assert change(action="redundancy", more="1") == 303
    assert status(store)["ratings asked"] == 15
    assert change(action="exclude", person="1", reason="too fast") == 303
    assert change(action="exclude", person="1e9", reason="x") == 422
    assert change(action="exclude", person="7", reason="x") == 422
    assert change(action="redundancy", more="1000") == 422
    assert change(action="nothing") == 422
    assert "excluded: too fast" in http.get("/admin").text
    assert "Your part in this study has ended" in visitor.page()
    lines = [json.loads(line) for line in http.get("/admin/ratings.jsonl").text.splitlines()]
    assert len(lines) == 5
    assert {line["excluded"] for line in lines} == {"too fast"}
    assert len(http.get("/admin/ratings.csv").text.splitlines()) == 6
    assert http.get("/admin/ratings.exe").status_code == 404
    http.cookies.clear()
    assert http.get("/admin/ratings.jsonl").status_code == 401
