"""Replies that nobody asked for, over a connection that is kept: no item gets the answer of
another.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("urllib3", reason="needs the extra 'llm'")

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from tests.hand import pair
from tests.judges.servers import Act, Script, completion, serving


def many(n: int) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(n)])


def judge(url: str, **settings: str) -> Openai:
    return Openai("m", url=url, **{"backoff": "0.005", "connections": "1", **settings})


def item_of(body: dict[str, Any]) -> int:
    return int(body["messages"][0]["content"].split("Some of the ")[1].split()[0])


def reply(item: int, id: str) -> str:
    """The right answer to an item, which goes by its number."""
    return json.dumps({"id": id, **json.loads(completion(NLI.labels[item % 3]).body)})


def right(count: int) -> dict[str, str]:
    return {f"hand/{item}": NLI.labels[item % 3] for item in range(count)}


def answers(url: str, count: int, **settings: str) -> dict[str, str]:
    run = evaluate(many(count), judge(url, **settings))
    return dict(run.frame.select("id", "answer").iter_rows())


def test_a_second_reply_in_one_piece_with_the_first_is_no_answer() -> None:
    def script(body: dict[str, Any], number: int) -> Act:
        said = reply(item_of(body), f"c{number}")
        return Act(said, surplus=reply(1, f"s{number}") if number == 2 else "")

    with serving(script) as server:
        assert answers(server.url, 8) == right(8)


@pytest.mark.parametrize("first", [0, 1, 5])
@pytest.mark.parametrize("connections", ["1", "4"])
def test_a_reply_given_twice_is_not_the_answer_to_the_next_request(
    first: int, connections: str
) -> None:
    """The second comes when the next request was sent, so that no look at the connection before it
    could tell.
    """

    def script(body: dict[str, Any], number: int) -> Act:
        said = reply(item_of(body), f"c{number}")
        return Act(said, late=said if number >= first else "")

    with serving(script) as server:
        assert answers(server.url, 30, connections=connections) == right(30)


def everywhere(id: str) -> Script:
    return lambda body, _number: Act(reply(item_of(body), id))


def test_a_server_that_names_all_replies_alike_is_asked_once_more_and_then_believed() -> None:
    with serving(everywhere("chatcmpl-1")) as server:
        assert answers(server.url, 20, retries="0") == right(20)
    assert len(server.bodies) == 21 and len(set(server.connections)) <= 3


def test_replies_without_a_name_are_believed() -> None:
    with serving(everywhere("")) as server:
        assert answers(server.url, 20) == right(20)
    assert len(server.bodies) == 20 and len(set(server.connections)) == 1


def test_the_id_of_a_reply_is_kept_with_it() -> None:
    with serving(lambda body, number: Act(reply(item_of(body), f"c{number}"))) as server:
        run = evaluate(many(3), judge(server.url))
    assert sorted(json.loads(raw)[0]["id"] for raw in run.frame["raw"]) == ["c0", "c1", "c2"]
