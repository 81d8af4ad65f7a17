"""A server is held to the labels by the form that it obeys; where it obeys none that is said, or
the command ends.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI, UNIT
from grice.judges.client import Unreachable
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import pair
from tests.judges.servers import Act, Script, completion, serving


def vllm(body: dict[str, Any]) -> list[str] | None:
    return (body.get("structured_outputs") or {}).get("choice") or body.get("guided_choice")


def sglang(body: dict[str, Any]) -> list[str] | None:
    return re.findall(r"[a-z]+", body["regex"]) if "regex" in body else None


def llama_cpp(body: dict[str, Any]) -> list[str] | None:
    found = re.findall(r'"([a-z]+)"', body.get("grammar", ""))
    return found or None


def plain(body: dict[str, Any]) -> None:  # noqa: ARG001
    return None


def held(by: Any, *, refuses: bool = False) -> Script:
    """A model that prates unless its server holds it to words; `refuses`: unknown fields are an
    error, as at OpenAI's.
    """
    known = {"model", "messages", "max_tokens", "temperature", "response_format"}

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        odd = [key for key in body if key not in known]
        if refuses and odd:
            return Act(
                json.dumps(
                    {"error": {"message": f"Unrecognized request argument supplied: {odd[0]}"}}
                ),
                400,
            )
        words = by(body)
        return completion(words[-1] if words else "Well, that depends on what one calls banana.")

    return script


def asked(
    script: Script, tmp_path: Path, count: int = 4, **settings: Any
) -> tuple[Run, list[dict[str, Any]]]:
    data = Dataset.from_items("few", NLI, [pair(i) for i in range(count)])
    with serving(script) as server:
        run = evaluate(
            data, Openai("m", url=server.url, backoff="0.002", **settings), into=tmp_path / "runs"
        )
    return run, server.bodies


@pytest.mark.parametrize(
    ("server", "form"),
    [(vllm, "structured_outputs.choice"), (sglang, "regex"), (llama_cpp, "grammar")],
)
def test_auto_finds_the_form_that_the_server_obeys_and_uses_it_for_every_item(
    server: Any, form: str, tmp_path: Path
) -> None:
    run, bodies = asked(held(server), tmp_path, constrain="auto", price="1,1")
    assert run.frame["answer"].to_list() == ["contradiction"] * 4
    assert run.settings["constrain"] == "auto"
    assert (run.notes["constraint"], run.notes["constrained by"]) == (form, f"{form} (4)")
    assert all("quince" in json.dumps(body) for body in bodies[:-4]), (
        "the server is asked before the items"
    )
    assert all(server(body) == list(NLI.labels) for body in bodies[-4:])
    assert run.notes["tokens in"] == 20 * len(bodies), "what finding out cost is counted"


def test_what_was_found_out_holds_for_the_next_sitting(tmp_path: Path) -> None:
    data = Dataset.from_items("few", NLI, [pair(i) for i in range(6)])
    with serving(held(llama_cpp)) as server:
        for limit in (3, 6):
            evaluate(
                data, Openai("m", url=server.url, constrain="auto"), into=tmp_path, limit=limit
            )
    assert sum("quince" in json.dumps(body) for body in server.bodies) == 4


@pytest.mark.parametrize("refuses", [True, False])
def test_a_server_that_obeys_none_is_asked_in_words_and_that_is_said(
    refuses: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from grice.core.progress import say

    say.cache_clear()
    run, bodies = asked(held(plain, refuses=refuses), tmp_path, constrain="auto")
    assert run.fault_kinds == {"unreadable": 4}
    assert run.notes["constraint"] == "none that the server obeys"
    told = capsys.readouterr().err
    assert "cannot be held to the labels, so they are asked for in words alone" in told
    assert (
        "Unrecognized request argument supplied: guided_choice"
        if refuses
        else "passed over: it wrote"
    ) in told
    assert set(bodies[-1]) == {"model", "messages", "max_tokens", "temperature"}


def test_a_schema_that_the_server_does_not_take_is_loosened_step_by_step_and_that_is_noted(
    tmp_path: Path,
) -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        if "response_format" in body:
            kind = body["response_format"]["type"]
            return Act(
                json.dumps({"error": {"message": f"response_format {kind} is not supported"}}), 400
            )
        return completion('{"answer": "neutral"}')

    run, _ = asked(script, tmp_path / "a", readout="json", connections=1)
    assert (run.answered, run.notes["refused response_format"]) == (4, "left out")
    assert "constrained by" not in run.notes
    with pytest.raises(Unreachable, match="response_format json_schema is not supported"):
        asked(script, tmp_path / "b", readout="json", constrain="json_schema")
    run, bodies = asked(script, tmp_path / "c", readout="json", constrain="none")
    assert run.answered == 4 and not any("response_format" in body for body in bodies)


def test_what_would_be_sent_is_shown_with_the_forms_that_are_tried() -> None:
    question = pair(0).question
    (shown,) = Openai("m", constrain="auto").show_prompt(question, NLI)
    assert shown["body"]["structured_outputs"] == {"choice": list(NLI.labels)}
    assert shown["constraint"].startswith(
        "the first of structured_outputs.choice, guided_choice, regex, grammar that"
    )
    (shown,) = Openai("m", readout="json").show_prompt(question, NLI)
    assert shown["body"]["response_format"]["type"] == "json_schema" and "constraint" not in shown
    with pytest.raises(InputError, match="constrain=auto holds for labels"):
        Openai("m", constrain="auto").show_prompt(question, UNIT)


def test_a_constraint_that_does_not_go_with_the_readout_is_refused() -> None:
    for readout, constrain in (("json", "auto"), ("text", "json_schema"), ("logprobs", "auto")):
        with pytest.raises(InputError, match=f"constrain={constrain} applies to"):
            Openai("m", readout=readout, constrain=constrain)
