"""Asking over HTTP: what is sent, what is retried, what is a fault, and what is never kept."""

from __future__ import annotations

import json
import math
from pathlib import Path
from threading import Event, Lock
from typing import Any

import pytest

from grice.cluster import Cluster
from grice.cluster.judging import asker
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT
from grice.judges.budget import LimitReached, Pace
from grice.judges.client import Unreachable
from grice.judges.outages import BROKEN, REFUSALS
from grice.judges.providers.openai import Openai
from grice.loading import load_judge
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join
from grice.tables.table import tabulate
from tests.hand import held_port, pair, three, wait_until
from tests.judges.servers import (
    Act,
    Script,
    completion,
    lettered,
    serving,
    tiny_model,
    two_wordings,
)

CONNECTIONS = 4


def judge(url: str, **settings: str) -> Openai:
    return Openai("m", url=url, **{"backoff": "0.005", "connections": str(CONNECTIONS), **settings})


def asked(script: Script, data: Dataset | None = None, **settings: str) -> Run:
    with serving(script) as server:
        return evaluate(data or three(), judge(server.url, **settings))


def many(n: int) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(n)])


def always(act: Act) -> Script:
    return lambda _body, _number: act


def test_a_word_is_read_as_the_label() -> None:
    run = asked(always(completion("Neutral.")))
    assert run.frame["answer"].to_list() == ["neutral"] * 3
    assert run.faults == 0


@pytest.mark.parametrize("settings", [{}, {"readout": "json"}])
def test_a_label_in_words_comes_without_probabilities(settings: dict[str, str]) -> None:
    said = '{"answer": "neutral"}' if settings.get("readout") == "json" else "Neutral."
    run = asked(always(completion(said)), None, **settings)
    assert run.frame["answer"].to_list() == ["neutral"] * 3
    assert run.frame["p.neutral"].to_list() == [None] * 3
    table = tabulate("t", join(three(), run), "calibration:ece,label", down="kind")
    assert table.cell("a", "openai/m") is None
    assert table.notes == ("no probabilities and so no calibration:ece: openai/m",)


def test_log_probabilities_of_the_letters_become_probabilities_of_the_labels() -> None:
    tops = [
        ("B", {"B": math.log(0.5), " A": math.log(0.2), "(A": math.log(0.1), "x": math.log(0.2)})
    ]
    run = asked(always(completion("B", "length", logprobs=tops)), readout="logprobs")
    # Each of the three items shows the labels in another order.
    (row,) = run.frame.filter(answer="neutral").iter_rows(named=True)
    assert row["p.entailment"] == pytest.approx(0.3 / 0.8)
    assert row["p.contradiction"] == 0


@pytest.mark.slow
def test_a_tiny_real_model_answers_by_log_probabilities_and_the_letters_follow_the_order_shown() -> (
    None
):
    with serving(tiny_model()) as server:
        plain = evaluate(three(), judge(server.url, readout="logprobs"))
        again = evaluate(three(), judge(server.url, readout="logprobs"))
    assert plain.answered == 3
    probs = plain.frame.select("p.entailment", "p.neutral", "p.contradiction")
    assert probs.sum_horizontal().to_list() == pytest.approx([1.0] * 3)
    columns = ["id", "answer", "p.entailment"]
    assert plain.frame.select(columns).sort("id").equals(again.frame.select(columns).sort("id"))


def test_a_reply_without_log_probabilities_is_a_fault_of_that_kind() -> None:
    assert asked(always(completion("A")), readout="logprobs").fault_kinds == {"no logprobs": 3}


def test_a_base_model_is_asked_to_complete_and_read_by_its_first_tokens() -> None:
    tops = {"tokens": [" B"], "top_logprobs": [{" B": math.log(0.6), " A": math.log(0.2)}]}
    choice = {"text": " B", "finish_reason": "length", "logprobs": tops}
    with serving(always(Act(json.dumps({"choices": [choice]})))) as server:
        run = evaluate(three(), judge(server.url, endpoint="completions", readout="logprobs"))
    assert server.bodies[0]["prompt"].endswith("Answer:")
    assert sorted(run.frame["p.neutral"].to_list()) == pytest.approx([0.0, 0.25, 0.75])


def test_json_is_asked_for_with_a_schema_that_admits_only_the_labels() -> None:
    with serving(always(completion('{"answer": "contradiction"}'))) as server:
        run = evaluate(three(), judge(server.url, readout="json"))
        schema = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["answer"]["enum"] == list(NLI.labels)
    assert run.frame["answer"].to_list() == ["contradiction"] * 3


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (completion("I'm sorry, but I can't help with that."), "refused"),
        (completion(None, refusal="This goes against my rules."), "refused"),
        (completion("", "content_filter"), "refused"),
        (completion("neutral because the", "length"), "cut off"),
        (completion("<think>Is it neutral? Perhaps"), "cut off"),
        (completion("It is either entailment or neutral."), "several answers"),
        (completion(""), "unreadable"),
        (Act("no json here"), "broken reply"),
        (Act('{"choices": [{"message": 7}]}'), "broken reply"),
        (completion("", "error"), "server error"),
        (Act("oops", 524), "http 524"),
        (Act("oops", 500), "http 500"),
    ],
)
def test_what_cannot_be_read_is_a_fault_of_its_kind_and_kept_raw(act: Act, kind: str) -> None:
    run = asked(always(act), retries="1")
    assert run.fault_kinds == {kind: 3}
    if act.status == 200 and act.body.startswith('{"object"'):
        content = json.loads(act.body)["choices"][0]["message"]["content"] or ""
        if kind != "server error":
            assert json.loads(run.frame["raw"][0])[0].get("text", "") == content


def test_a_request_that_the_server_refuses_stops_at_once_with_its_own_words(tmp_path: Path) -> None:
    refusal = Act('{"error": {"message": "this model cannot be used here"}}', 400)
    with serving(always(refusal)) as server:
        with pytest.raises(
            Unreachable, match="http 400: this model cannot be used here; the server takes no such"
        ):
            evaluate(many(40), judge(server.url), into=tmp_path)
        assert len(server.bodies) <= REFUSALS + CONNECTIONS - 1, (
            "what decides, and what was under way beside it"
        )
    assert not list(tmp_path.iterdir()), "a judge that fails before its first reply leaves no run"


def test_a_model_that_refuses_max_tokens_and_temperature_is_asked_without_and_that_is_noted(
    tmp_path: Path,
) -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        if "max_tokens" in body:
            said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return Act(json.dumps({"error": {"message": said, "param": "max_tokens"}}), 400)
        if "temperature" in body:
            said = (
                "Unsupported value: 'temperature' does not support 0 with this model. Only the"
                " default (1) value."
            )
            return Act(json.dumps({"error": {"message": said, "param": "temperature"}}), 400)
        return completion("neutral", reasoning_content="Let me see.")

    with serving(script) as server:
        run = evaluate(many(20), judge(server.url), into=tmp_path)
    assert (run.answered, server.bodies[-1]["max_completion_tokens"]) == (20, 128)
    assert run.notes["refused max_tokens"] == "sent as max_completion_tokens"
    assert run.notes["refused temperature"] == "left to the server"


def test_an_account_without_money_leaves_all_items_open(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        return (
            completion("neutral")
            if number < 5
            else Act('{"error": {"message": "Insufficient credits"}}', 402)
        )

    with (
        serving(script) as server,
        pytest.raises(Unreachable, match="402: Insufficient credits; nothing is left"),
    ):
        evaluate(many(40), judge(server.url, connections="1"), into=tmp_path)
    run = Run.read(next(tmp_path.iterdir()))
    assert (run.answered, run.faults, run.open) == (5, 0, 35)


def test_an_item_that_may_not_be_asked_is_a_fault_and_the_rest_is_answered() -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        flagged = "the 0 cakes" in body["messages"][0]["content"]
        return (
            Act('{"error": {"message": "flagged by moderation"}}', 403)
            if flagged
            else completion("neutral")
        )

    run = asked(script, many(8), connections="1")
    assert (run.answered, run.fault_kinds) == (7, {"http 403": 1})


@pytest.mark.parametrize("together", [True, False])
def test_several_samples_are_a_distribution_whether_sent_together_or_one_by_one(
    together: bool,
) -> None:
    def script(body: dict[str, Any], number: int) -> Act:
        texts = ["neutral", "neutral", "entailment", "neutral"]
        several = [json.loads(completion(text).body)["choices"][0] for text in texts[: body["n"]]]
        whole = json.loads(completion(texts[number % 4]).body)
        return (
            Act(json.dumps({**whole, "choices": several}))
            if together
            else completion(texts[number % 4])
        )

    run = asked(script, many(2), samples="4", temperature="1", connections="1")
    assert run.frame["p.neutral"].to_list() == [0.75, 0.75]
    assert len(json.loads(run.frame["raw"][0])) == 4
    with pytest.raises(InputError, match="temperature=1"):
        judge("http://127.0.0.1:9/v1", samples="4")


def test_totals_dates_and_the_served_model_are_kept_over_several_sessions(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        return Act(json.dumps({**json.loads(completion("neutral").body), "model": "m-2026-05-01"}))

    with serving(script) as server:
        for limit in (4, 10):
            run = evaluate(many(10), judge(server.url, price="1,2"), into=tmp_path, limit=limit)
    kept = json.loads((next(tmp_path.iterdir()) / "notes.json").read_text())
    assert (kept["sessions"], kept["first asked"][:2]) == (2, "20")
    assert kept["notes"] == run.notes
    wanted = {
        "answered requests": 10,
        "tokens in": 200,
        "tokens out": 20,
        "served model": "m-2026-05-01",
    }
    assert {key: run.notes[key] for key in wanted} == wanted
    assert run.notes["cost"] == pytest.approx(240e-6)


def test_requests_slow_down_when_the_server_says_so_and_all_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sixteen requests are under way at once; the server refuses thirteen of them before it sends
    any other reply.
    """
    adapt, refused, received, lock = Pace.answered, 0, 0, Lock()

    def answered(pace: Pace, status: int) -> None:
        nonlocal refused
        adapt(pace, status)
        with lock:
            refused += status == 429

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        nonlocal received
        with lock:
            received += 1
        if number < 16:
            wait_until(lambda: received >= 16)
        if 3 <= number < 16:
            return Act("{}", 429)
        wait_until(lambda: refused == 13)
        return completion("neutral")

    monkeypatch.setattr(Pace, "answered", answered)
    with serving(script) as server:
        api_judge = judge(server.url, connections="16", timeout="600")
        run = evaluate(many(120), api_judge)
    assert (run.answered, run.faults) == (120, 0)
    # With at most sixteen requests under way, a refusal takes at least 1/32 of what is allowed.
    assert api_judge.notes["connections at least"] <= 16 * (31 / 32) ** 13


def test_few_requests_are_under_way_after_many_were_refused_and_more_again_after_many_answers() -> (
    None
):
    pace = Pace(16)
    for _ in range(16):
        pace.__enter__()
    for _ in range(13):
        pace.answered(429)
        pace.__exit__()
    assert (pace.least, int(pace.allowed)) == (7, 7)
    for _ in range(200):
        pace.answered(200)
    assert int(pace.allowed) == 16


def test_reasoning_before_the_answer_is_skipped() -> None:
    thought = "<think>Some say contradiction. The answer is contradiction?</think>\nneutral"
    run = asked(always(completion(thought, reasoning_content="entailment, surely")))
    assert run.frame["answer"].to_list() == ["neutral"] * 3
    assert "entailment, surely" in run.frame["raw"][0]


def test_reasoning_tokens_are_skipped_before_the_log_probabilities_are_read() -> None:
    tokens = [
        ("<think>", {"<think>": 0.0}),
        ("A", {"A": 0.0}),
        ("</think>", {"</think>": 0.0}),
        ("\n", {"\n": 0.0}),
    ]
    run = asked(always(completion("…", logprobs=[*tokens, ("C", {"C": 0.0})])), readout="logprobs")
    assert sorted(run.frame["answer"].to_list()) == sorted(NLI.labels)
    run = asked(always(completion("…", "length", logprobs=tokens[:2])), readout="logprobs")
    assert run.fault_kinds == {"cut off": 3}


def test_errors_that_pass_are_asked_again_and_answered() -> None:
    failures = [
        Act("{}", 429, {"Retry-After": "0.05"}),
        Act("{}", 500),
        Act('{"choices": [{"mess', half=True),
        Act("not json"),
    ]
    over = Event()

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        if number == len(failures):
            assert over.wait(120), "the client is to lose its patience"
        return failures[number] if number < len(failures) else completion("entailment")

    with serving(script) as server:
        run = evaluate(three(), judge(server.url, connections="1", timeout="1", retries="10"))
        over.set()
    assert run.answered == 3
    # A busy machine may be too slow for the client once more.
    assert len(server.bodies) >= 3 + len(failures) + 1


def test_a_timeout_after_all_retries_is_a_fault() -> None:
    over = Event()

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        assert over.wait(120)
        return completion("neutral")

    with serving(script) as server:
        run = evaluate(many(1), judge(server.url, timeout="0.1", retries="1"))
        over.set()
    assert run.fault_kinds == {"timeout": 1}


def test_retry_after_is_waited_for() -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        return Act("{}", 429, {"Retry-After": "0.3"}) if number == 0 else completion("neutral")

    run = asked(script, many(1))
    assert run.frame["seconds"][0] >= 0.3


def test_a_wrong_key_stops_at_once_and_the_key_is_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-9")
    with serving(always(Act('{"error": {"message": "bad key sk-secret-9"}}', 401))) as server:
        with pytest.raises(Unreachable, match="401") as error:
            evaluate(three(), judge(server.url), into=tmp_path)
        assert server.headers[0]["Authorization"] == "Bearer sk-secret-9"
    kept = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "sk-secret-9" not in kept + str(error.value)
    assert not kept, "who failed before the first reply leaves no run"


def test_a_key_repeated_in_an_error_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-9")
    run = asked(always(Act("sk-secret-9 is over its quota", 500)), retries="0", key_env="MY_KEY")
    assert "sk-secret" not in str(run.frame.to_dicts())


@pytest.mark.parametrize("key", ["e", "none", "EMPTY", "neutral"])
def test_a_short_key_is_no_part_of_the_words_of_a_reply(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", key)
    run = asked(always(completion("None of it: EMPTY. The answer is neutral")), key_env="MY_KEY")
    assert run.frame["answer"].to_list() == ["neutral"] * 3
    told = asked(
        always(Act(f"the key {key} is spent; nonetheless neutrality", 500)),
        retries="0",
        key_env="MY_KEY",
    )
    assert told.frame["fault"][0] == "http 500: the key … is spent; nonetheless neutrality"


@pytest.mark.parametrize(
    ("usage", "odd"),
    [
        ({"prompt_tokens": "many"}, 1),
        ({"prompt_tokens": 3, "prompt_tokens_details": [1]}, 1),
        ({"prompt_tokens": -5}, 1),
        ({"prompt_tokens": 10**400}, 1),
    ],
)
def test_a_usage_that_counts_nothing_is_as_none(
    usage: dict[str, Any], odd: int, tmp_path: Path
) -> None:
    said = Act(json.dumps({**json.loads(completion("neutral").body), "usage": usage}))
    with serving(always(said)) as server:
        run = evaluate(many(odd), judge(server.url), into=tmp_path)
    assert run.answered == odd and run.notes["tokens in"] >= 0


@pytest.mark.parametrize(
    "page",
    [
        "<!doctype html><title>Sign in</title>",
        'data: {"choices": [{"delta": {"content": "n"}}]}',
        '{"ok": true}',
    ],
)
def test_an_address_that_sends_no_completions_stops_early_and_shows_what_came(
    page: str, tmp_path: Path
) -> None:
    with serving(always(Act(page))) as server:
        with pytest.raises(Unreachable, match=r"broken reply: .*check -M url") as error:
            evaluate(many(40), judge(server.url, retries="0"), into=tmp_path)
        assert len(server.bodies) <= BROKEN + CONNECTIONS - 1
        assert " ".join(page.split())[:20] in str(error.value)


def test_an_error_sent_as_a_success_is_told_in_its_own_words(tmp_path: Path) -> None:
    run = asked(always(Act('{"error": "the model is loading"}')), retries="0")
    assert run.frame["fault"][0] == "http 502: the model is loading"
    refused = always(Act('{"error": {"code": "401", "message": "who are you"}}'))
    with serving(refused) as server, pytest.raises(Unreachable, match="says 401: who are you"):
        evaluate(three(), judge(server.url), into=tmp_path)


def test_an_address_that_leads_elsewhere_is_told_before_items_are_lost(tmp_path: Path) -> None:
    moved = always(Act("", 302, {"Location": "http://127.0.0.1:9/login"}))
    with serving(moved) as server, pytest.raises(Unreachable, match="http 302"):
        evaluate(many(9), judge(server.url), into=tmp_path)


def test_a_success_may_be_201_and_begin_with_a_mark_of_its_encoding_and_temperature_be_above_nothing() -> (
    None
):
    def script(body: dict[str, Any], _number: int) -> Act:
        if body.get("temperature") == 0:
            return Act('{"detail": "temperature must be strictly positive"}', 422)
        return Act("\ufeff" + completion("neutral").body, 201)

    run = asked(script)
    assert run.answered == 3 and run.notes["refused temperature"] == "left to the server"


def test_a_server_of_few_log_probabilities_or_one_reply_a_request_is_asked_for_no_more(
    tmp_path: Path,
) -> None:
    def few(body: dict[str, Any], _number: int) -> Act:
        if body.get("top_logprobs", 0) > 5:
            return Act('{"error": {"message": "top_logprobs must be between 0 and 5"}}', 400)
        if body.get("n", 1) > 1:
            return Act('{"error": {"message": "\'n\' > 1 is not supported by this model"}}', 400)
        by_letter = completion("B", logprobs=[("B", {"B": -0.1, "A": -3.0})])
        return by_letter if body.get("top_logprobs") else completion("neutral")

    with serving(few) as server:
        run = evaluate(three(), judge(server.url, readout="logprobs"), into=tmp_path)
        assert sorted(run.frame["answer"].to_list()) == sorted(NLI.labels)
        assert (
            run.notes["refused top_logprobs"] == "at most 5"
            and server.bodies[-1]["top_logprobs"] == 5
        )
        drawn = evaluate(three(), judge(server.url, samples="4", temperature="1"), into=tmp_path)
        assert drawn.notes["refused n"] == "asked one at a time"
        assert (
            drawn.notes["answered requests"] == 12
            and drawn.frame["p.neutral"].to_list() == [1.0] * 3
        )


def test_no_server_is_said_in_one_line_and_nothing_is_a_fault(tmp_path: Path) -> None:
    with held_port() as port, pytest.raises(Unreachable, match="nothing answers there"):
        evaluate(three(), judge(f"http://127.0.0.1:{port}/v1", retries="0"), into=tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_outage_leaves_its_items_open_and_the_same_command_goes_on(tmp_path: Path) -> None:
    down = False

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        return Act("{}", 503) if down and number >= 40 else completion("neutral")

    down, data = True, many(120)
    with serving(script) as server:
        with pytest.raises(Unreachable, match="remain pending"):
            # One at a time: on a busy machine a refusal may overtake the last good reply, and is
            # then a fault.
            evaluate(data, judge(server.url, retries="0", connections="1"), into=tmp_path)
        stopped = Run.read(next(tmp_path.iterdir()))
        assert (stopped.answered, stopped.faults) == (40, 0)
        down = False
        whole = evaluate(data, judge(server.url, retries="0"), into=tmp_path)
    assert (whole.answered, whole.open) == (120, 0)


def test_a_limit_of_requests_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    with serving(always(completion("neutral"))) as server:
        for answered in (20, 40):
            with pytest.raises(LimitReached, match="limit of 20 requests"):
                evaluate(many(50), judge(server.url, limit_requests="20"), into=tmp_path)
            assert Run.read(next(tmp_path.iterdir())).answered == answered
        run = evaluate(many(50), judge(server.url, limit_requests="20"), into=tmp_path)
    assert (run.answered, len(server.bodies)) == (50, 50)


@pytest.mark.parametrize(
    ("settings", "most"),
    [({"limit_tokens": "300"}, 300), ({"limit_cost": "0.0003", "price": "1,1"}, 300)],
)
def test_tokens_and_cost_never_pass_their_limit(
    settings: dict[str, str], most: int, tmp_path: Path
) -> None:
    with serving(always(completion("neutral"))) as server:
        with pytest.raises(LimitReached):
            evaluate(many(50), judge(server.url, max_tokens="4", **settings), into=tmp_path)
        assert 9 <= len(server.bodies) <= most / 22
    assert Run.read(next(tmp_path.iterdir())).answered == len(server.bodies)


def test_a_judge_with_limits_is_not_spread_over_processes() -> None:
    limited = judge("http://127.0.0.1:9/v1", limit_requests="5")
    with pytest.raises(InputError, match="cannot be asked by several workers: its limits"):
        asker(limited, Cluster("ray", 2))
    assert asker(judge("http://127.0.0.1:9/v1"), Cluster("ray", 2))


def test_the_estimate_counts_requests_tokens_and_cost_without_asking() -> None:
    found = judge("http://127.0.0.1:9/v1", price="1,2", max_tokens="10").estimate(
        list(three().questions()), NLI
    )
    assert (found["requests"], found["tokens out, at most"]) == (3, 30)
    assert found["cost, at most"] == pytest.approx((found["tokens in, about"] + 60) / 1e6)
    assert 3 * 40 < found["tokens in, about"] < 3 * 200


def test_equal_votes_are_a_fault_not_a_choice(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        return completion(
            "neutral" if "Someone" in body["messages"][0]["content"] else "entailment"
        )

    assert asked(script, methods=two_wordings(tmp_path)).fault_kinds == {"split": 3}


def test_a_probability_is_asked_for_directly_or_derived_by_a_rule() -> None:
    item = Item("u/0", "A man sleeps.", "A man is tired.", {"probability": 0.7})
    data = Dataset.from_items("u", UNIT, [item])
    assert asked(always(completion("85%")), data).frame["value"][0] == pytest.approx(0.85)
    assert asked(always(completion("7 out of 10")), data).fault_kinds == {"several answers": 1}
    halves = lettered({"entailment": 0.5, "neutral": 0.5})
    derived = asked(halves, data, readout="logprobs", unit="surrogate")
    assert derived.frame["value"][0] == pytest.approx((0.9272 + 0.4250) / 2)
    with pytest.raises(InputError, match="unit=surrogate"):
        judge("http://127.0.0.1:9/v1", readout="logprobs").estimate(list(data.questions()), UNIT)


def test_what_is_shown_is_what_is_sent(tmp_path: Path) -> None:
    question = next(three().questions())
    with serving(always(completion("neutral"))) as server:
        one = judge(
            server.url,
            connections="1",
            methods=two_wordings(tmp_path),
            seed="7",
            body='{"top_p": 0.5}',
        )
        shown = one.show_prompt(question, NLI)
        list(one.judge([question], NLI))
    assert [part["body"] for part in shown] == server.bodies
    assert shown[0]["url"] == f"{server.url}/chat/completions"
    assert server.bodies[0]["seed"] == 7


def test_identity_changes_with_what_could_change_an_answer_and_with_nothing_else(
    tmp_path: Path,
) -> None:
    base = judge("http://127.0.0.1:9/v1").identity
    own = tmp_path / "mine.txt"
    own.write_text("{text}\n{options}\n{how}")
    for setting in (
        {"readout": "json"},
        {"template": str(own)},
        {"system": "Be brief."},
        {"temperature": "1"},
    ):
        assert judge("http://127.0.0.1:9/v1", **setting).identity != base
    assert judge("http://127.0.0.1:9/v1", connections="9", limit_requests="3").identity == base


@pytest.mark.parametrize("text", ["{premise} {options}", "{hypothesis} {options}"])
def test_a_template_that_leaves_out_half_of_a_pair_is_refused_before_anything_is_sent(
    tmp_path: Path, text: str
) -> None:
    own = tmp_path / "mine.txt"
    own.write_text(text)
    with pytest.raises(InputError, match=r"\{(premise|hypothesis)\}"):
        evaluate(three(), judge("http://127.0.0.1:9/v1", template=str(own)), into=tmp_path)
    own.write_text("{text} {options}")
    assert judge("http://127.0.0.1:9/v1", template=str(own)).show_prompt(
        next(three().questions()), NLI
    )


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_a_timeout_is_more_than_0_seconds(seconds: str) -> None:
    with pytest.raises(InputError, match="timeout"):
        judge("http://127.0.0.1:9/v1", timeout=seconds)


def test_a_template_of_ones_own_is_used_and_checked(tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("Say it: {{now}} {premise} / {hypothesis}\n{options}")
    sent = judge("http://127.0.0.1:9/v1", template=str(own)).show_prompt(
        next(three().questions()), NLI
    )
    assert sent[0]["body"]["messages"][0]["content"].startswith(
        "Say it: {now} Some of the 0 cakes are gone. /"
    )
    for text, said in (
        ("{premis}", "no {premis}"),
        ("hello", "shows no item"),
        ("{premise", "not a template"),
        ("{premise:{hypothesis}}", "premise"),
    ):
        own.write_text(text)
        with pytest.raises(InputError, match=said):
            judge("http://127.0.0.1:9/v1", template=str(own))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"readout": "vibes"}, "readout"),
        ({"conections": "3"}, "Did you mean 'connections'"),
        ({"connections": "0"}, "whole number from 1"),
        ({"limit_cost": "1"}, "price"),
        ({"url": "localhost:8000"}, "not an address"),
        ({"url": "http://me:pw@host/v1"}, "password"),
        ({"body": "[1]"}, "JSON object"),
    ],
)
def test_a_wrong_setting_is_said_before_anything_is_asked(
    settings: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Openai("m", **{"url": "http://127.0.0.1:9/v1", **settings}).estimate(
            list(three().questions()), NLI
        )


def test_the_hosted_address_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError, match="set OPENAI_API_KEY"):
        evaluate(three(), Openai("m"))


@pytest.mark.slow
def test_injected_errors_add_up_exactly() -> None:
    """One in twenty goes wrong for good, by its number: each is a fault of its kind, and no item is
    asked twice.
    """
    wrong = {
        0: Act("{}", 400),
        20: completion("I cannot say."),
        40: completion("neu", "length"),
        60: Act("bad", 422),
    }
    kinds = {0: "http 400", 20: "refused", 40: "cut off", 60: "http 422"}

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        item = int(body["messages"][0]["content"].split("Some of the ")[1].split()[0])
        return wrong.get(item % 80, completion("neutral"))

    data = many(800)
    with serving(script) as server:
        run = evaluate(data, judge(server.url, connections="8"))
    assert run.fault_kinds == {kinds[k]: 10 for k in (40, 0, 60, 20)}
    assert (run.answered, run.open, len(server.bodies)) == (760, 0, 800)


@pytest.mark.parametrize(
    ("provider", "key"),
    [
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("google", "GEMINI_API_KEY"),
        ("openrouter", "OPENROUTER_API_KEY"),
        ("ollama", ""),
    ],
)
def test_a_provider_by_name_has_its_own_address_and_key(
    provider: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-theirs")
    if key:
        monkeypatch.delenv(key, raising=False)
        with pytest.raises(InputError, match=f"set {key}"):
            evaluate(three(), load_judge(f"{provider}/m"))
        monkeypatch.setenv(key, "sk-theirs")
    with serving(always(completion("neutral"))) as server:
        run = evaluate(three(), load_judge(f"{provider}/m", url=server.url, endpoint="chat"))
    assert (run.judge, run.answered) == (f"{provider}/m", 3)
    sent = server.headers[0].get("Authorization", "")
    assert sent == ("Bearer sk-theirs" if key else "")


def echo(body: dict[str, Any], _number: int) -> Act:
    """A server that echoes the prompt with one bit a word and adds a word of its own; not of a text
    with a fault.
    """
    words = body["prompt"].split(" ")
    offsets = [len(" ".join(words[:place])) + (place > 0) for place in range(len(words))]
    scores = [None, *(-math.log(2) for _ in words[1:])]
    told = {"text_offset": [*offsets, len(body["prompt"])], "token_logprobs": [*scores, -9.0]}
    choice = {
        "index": 0,
        "text": body["prompt"] + " x",
        "logprobs": None if "fault" in words else told,
    }
    return Act(json.dumps({"choices": [choice]}))


def test_surprisal_counts_the_bits_of_the_text_and_not_of_what_the_model_adds() -> None:
    with serving(echo) as server:
        texts = ["Ana locked the shed.", "Ana slept.", "a fault here", "Ana slept."]
        assert judge(server.url, endpoint="completions").surprisal(texts) == pytest.approx(
            [3.0, 1.0, None, 1.0]
        )
        assert {body["echo"] for body in server.bodies} == {True} and len(server.bodies) == 3


def test_a_chat_has_no_surprisal() -> None:
    with pytest.raises(InputError, match="use -M endpoint=completions"):
        judge("http://127.0.0.1:1/v1").surprisal(["Ana slept."])
