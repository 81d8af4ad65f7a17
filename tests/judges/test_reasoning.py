"""Models that reason before they answer: room for it, and what is stored of it."""

from __future__ import annotations

from typing import Any

import pytest

from grice.judges.providers.openai import Openai
from grice.judges.reply import replies_of
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import three
from tests.judges.servers import Act, Script, Server, completion, serving


def judged(server: Server, **settings: Any) -> Run:
    return evaluate(three(), Openai("m", url=server.url, connections=1, **settings))


def reasoning(needed: int, form: str) -> Script:
    """A model that thinks for some tokens before it answers neutral."""

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        room: int = body.get("max_tokens") or body["max_completion_tokens"]
        done = room >= needed
        thought, tail = "It could be entailment.", "neutral" if done else ""
        if form == "field":
            return completion(tail, "stop" if done else "length", reasoning_content=thought)
        opening, closing = {
            "tags": ("<think>", "</think>"),
            "harmony": ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
        }[form]
        text = opening + thought + (closing + tail if done else "")
        return completion(text, "stop" if done else "length")

    return script


@pytest.mark.parametrize("form", ["field", "tags", "harmony"])
def test_model_that_reasons_gets_room_unless_a_limit_is_set(form: str) -> None:
    with serving(reasoning(500, form)) as server:
        run = judged(server)
        assert run.answered == 3 and set(run.frame["answer"]) == {"neutral"}
        assert [body["max_tokens"] for body in server.bodies] == [128, 4096, 4096, 4096]
        assert run.notes["reasoning"] == "max_tokens=4096"
        assert run.notes["tokens in"] == 4 * 20
        stored = replies_of(run.frame["raw"][0], "")
        assert [reply.tokens for reply in stored] == [(40, 4)]
        limited = judged(server, max_tokens=100)
        assert limited.fault_kinds == {"cut off": 3}


def test_effort_gives_room_from_the_first_request_and_is_stored() -> None:
    with serving(reasoning(500, "field")) as server:
        run = judged(server, effort="low")
        assert {body["max_tokens"] for body in server.bodies} == {4096}
        assert run.settings["request"]["reasoning_effort"] == "low"
        assert len(server.bodies) == run.answered == 3


def test_room_in_which_the_model_does_not_end_is_given_once() -> None:
    with serving(reasoning(9999, "field")) as server:
        run = judged(server)
        assert run.fault_kinds == {"cut off": 3} and len(server.bodies) == 4
