"""Reading replies: what counts as an answer, and what is never taken for one."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.core.scale import LIKERT5, NLI, UNIT, Scale
from grice.judges.readout import combine, read
from grice.judges.reply import Reading, Reply, parse, parse_safely, replies_of

TURNED = ("contradiction", "entailment", "neutral")
DNC = Scale(labels=("entailed", "not-entailed"))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("neutral", "neutral"),
        ("  Neutral.  ", "neutral"),
        ("**Contradiction**", "contradiction"),
        ('"entailment"', "entailment"),
        ("Neutral. The premise leaves it open, so contradiction is out.", "neutral"),
        ("Contradiction: if some are gone, not none are.", "contradiction"),
        ("Let me think.\nThe first sentence says some.\nThe answer is: **neutral**.", "neutral"),
        ("Final answer: entailment", "entailment"),
        ("C", "neutral"),
        ("(A)", "contradiction"),
        ("B. entailment: the hypothesis is then true", "entailment"),
        ("B. contradiction", None),
        ("D", None),
        ("not entailment", None),
        ("entailment or neutral", None),
        ("The answer is neutral\nThe answer is entailment", None),
        ("Neutral.\nFinal answer: contradiction", None),
        ("It depends on what neutral means.", None),
        ("The premise says some.\nNeutral", "neutral"),
        ("The hypothesis is neutral.", "neutral"),
        ("The hypothesis is not neutral.", None),
        (
            "At first it looks like entailment. Therefore, the hypothesis is a **contradiction**.",
            "contradiction",
        ),
        ("Is it entailment? It is neutral or entailment.", None),
        (r"So we get \boxed{neutral}.", "neutral"),
        (r"\boxed{\text{entailment}}", "entailment"),
        (r"\boxed{neutral} or \boxed{entailment}", None),
        ("b", "entailment"),
        ("(b) entailment", "entailment"),
        ("a hypothesis", None),
        (
            "<|channel|>analysis<|message|>entailment?<|end|><|start|>assistant<|channel|>final<|message|>neutral",
            "neutral",
        ),
        ("<|channel|>analysis<|message|>entailment, I am sure", None),
        ("<answer>neutral</answer>", "neutral"),
        ("<answer>neutral</answer> <answer>entailment</answer>", None),
        ("### Neutral", "neutral"),
        ("«neutral»", "neutral"),
        ("entail", None),
        ("", None),
    ],
)
def test_a_label_is_read_only_where_the_text_gives_one(text: str, answer: str | None) -> None:
    found = read(Reply(TURNED, text=text, lettered=True), "text", NLI)
    assert found.answer == answer
    assert (found.fault is None) == (answer is not None)


def test_a_letter_with_its_mark_apart_is_the_same_letter_and_json_keys_may_be_large() -> None:
    scale = Scale(labels=("impliqué", "нет"))
    assert read(Reply(scale.labels, text="implique\u0301"), "text", scale).answer == "impliqué"
    assert read(Reply(TURNED, text='{"Answer": "Neutral"}'), "json", NLI).answer == "neutral"


@pytest.mark.parametrize("mark", ["{}", "Ġ{}", "▁{}"])
def test_tokens_are_read_whatever_marks_of_a_tokeniser_the_server_sends(mark: str) -> None:
    tops = [{"token": mark.format(t), "logprob": p} for t, p in (("C", -0.1), ("A", -3.0))]
    for before in ([], ["▁"], ["<0x0A>"], ["Ċ"]):
        places = [
            {"token": t, "logprob": 0.0, "top_logprobs": [{"token": t, "logprob": 0.0}]}
            for t in before
        ]
        told = {"content": [*places, {**tops[0], "top_logprobs": tops}]}
        (reply,) = parse(
            {"choices": [{"message": {"content": "C"}, "logprobs": told}]}, Reply(TURNED)
        )
        assert read(reply, "logprobs", NLI).answer == "neutral"


@pytest.mark.parametrize("score", [math.nan, 500.0, None])
def test_what_is_no_log_probability_is_a_broken_reply_and_stops_nothing(
    score: float | None,
) -> None:
    told = {"content": [{"token": "C", "logprob": score}]}
    (reply,) = parse_safely(
        {"choices": [{"message": {"content": "C"}, "logprobs": told}]}, Reply(TURNED)
    )
    assert (read(reply, "logprobs", NLI).fault or "").startswith("broken reply")


def test_fields_of_other_kinds_than_text_are_read_as_text() -> None:
    said = {
        "message": {"content": "", "refusal": {"code": 1}, "reasoning": ["a"]},
        "finish_reason": 3,
    }
    (reply,) = parse({"choices": [said]}, Reply(TURNED))
    assert (read(reply, "text", NLI).fault or "").startswith("refused: {'code': 1}")


def test_a_label_inside_another_is_told_apart() -> None:
    assert read(Reply(DNC.labels, text="Not-entailed."), "text", DNC).answer == "not-entailed"
    assert read(Reply(DNC.labels, text="Entailed."), "text", DNC).answer == "entailed"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.7", 0.7),
        (".7", 0.7),
        ("70%", 0.7),
        ("70 %", 0.7),
        ("1", 1.0),
        ("1e-3", 0.001),
        ("Probability: 0.25", 0.25),
        ("0.9. It is nearly certain.", 0.9),
        ("70", None),
        ("-0.2", None),
        ("0.2 to 0.4", None),
        ("0.2\nThe answer is 0.4", None),
        ("nan", None),
        ("likely", None),
    ],
)
def test_a_number_is_read_only_where_the_text_gives_one_on_the_scale(
    text: str, value: float | None
) -> None:
    assert read(Reply(text=text), "text", UNIT).answer == (
        None if value is None else pytest.approx(value)
    )


def test_a_percentage_means_nothing_on_another_scale() -> None:
    assert read(Reply(text="-2"), "text", LIKERT5).answer == -2
    assert read(Reply(text="100%"), "text", LIKERT5).fault == "off the scale: 100%"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"answer": "neutral"}', "neutral"),
        ('```json\n{"answer": "neutral"}\n```', "neutral"),
        ('<think>{"answer": "entailment"}</think>{"answer": "neutral"}', "neutral"),
        ('{"answer": "neither"}', None),
        ('{"reply": "neutral"}', None),
        ('{"answer": true}', None),
        ('["neutral"]', None),
        ('Here is my answer:\n```json\n{"answer": "neutral"}\n```\nI hope this helps.', "neutral"),
        ('{"answer": "neutral"} {"answer": "entailment"}', None),
        ('{"answer": "neu', None),
        ("neutral", "neutral"),
    ],
)
def test_json_states_its_answer_exactly(text: str, answer: str | None) -> None:
    assert read(Reply(NLI.labels, text=text), "json", NLI).answer == answer


def test_words_and_letters_of_a_label_share_its_mass_and_an_unclear_beginning_has_none() -> None:
    first = (
        (" B", math.log(0.2)),
        ("ent", math.log(0.3)),
        ("e", math.log(0.2)),
        ("b", math.log(0.1)),
    )
    found = read(Reply(TURNED, tops=((" B", first),)), "logprobs", NLI)
    assert found.probs == pytest.approx({"entailment": 1.0, "neutral": 0.0, "contradiction": 0.0})


def test_options_the_model_was_not_about_to_say_are_a_fault() -> None:
    first = (("The", math.log(0.995)), ("A", math.log(0.005)))
    fault = read(Reply(NLI.labels, text="The", tops=(("The", first),)), "logprobs", NLI).fault
    assert fault is not None
    assert fault.startswith("unreadable: ")
    assert "0.50%" in fault


def test_options_that_hold_more_than_all_there_is_are_a_fault() -> None:
    first = tuple((letter, 0.0) for letter in "ABC")
    fault = read(Reply(NLI.labels, text="A", tops=(("A", first),)), "logprobs", NLI).fault
    assert (
        fault == "broken reply: the options hold 300.00% where the answer stands, so these are no"
        " probabilities"
    )


def test_a_token_that_is_listed_twice_counts_once() -> None:
    first = (("A", math.log(0.5)), ("B", math.log(0.4)), ("A", math.log(0.5)))
    found = read(Reply(NLI.labels, text="A", tops=(("A", first),)), "logprobs", NLI)
    assert found.mass == pytest.approx(0.9)
    assert found.probs == pytest.approx(
        {"entailment": 5 / 9, "neutral": 4 / 9, "contradiction": 0.0}
    )


def tokens_of(
    text: str, at: int, options: dict[str, float]
) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    """The words of a reply as tokens, each certain but for the one at a place."""
    words = [word if not i else f" {word}" for i, word in enumerate(text.split(" "))]
    given = tuple((token, math.log(p)) for token, p in options.items())
    return tuple((word, given if i == at else ((word, 0.0),)) for i, word in enumerate(words))


def test_log_probabilities_are_read_where_the_answer_stands() -> None:
    options = {" C": 0.8, " A": 0.1, " B": 0.1}
    late = tokens_of("The answer is C", 3, options)
    first = (("The", (("The", math.log(0.985)), ("A", math.log(0.015)))), *late[1:])
    found = read(Reply(NLI.labels, text="The answer is C", tops=first), "logprobs", NLI)
    assert found.probs == pytest.approx({"entailment": 0.1, "neutral": 0.1, "contradiction": 0.8})
    assert found.mass == pytest.approx(1.0)
    marked = (
        ("**", (("**", 0.0),)),
        ("B", (("B", math.log(0.6)), ("A", math.log(0.2)))),
        ("**", (("**", 0.0),)),
    )
    found = read(Reply(NLI.labels, text="**B**", tops=marked), "logprobs", NLI)
    assert found.answer == "neutral"
    assert found.mass == pytest.approx(0.8)


def test_prose_without_an_answer_is_a_fault_though_an_option_might_have_begun_it() -> None:
    first = (("A", math.log(0.4)), ("The", math.log(0.6)))
    tops = (("The", first), (" premise", ((" premise", 0.0),)))
    found = read(Reply(NLI.labels, text="The premise", tops=tops), "logprobs", NLI)
    assert (found.fault or "").startswith("unreadable: ")
    assert "40.00%" in (found.fault or "")
    assert (
        read(Reply(NLI.labels, text="The premise", tops=tops, forced=True), "logprobs", NLI).answer
        == "entailment"
    )


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("text", ["A contradicts it", "C is wrong.", "B or C", "A?", "Not A"])
def test_first_token_is_not_read_where_the_text_goes_on(text: str, forced: bool) -> None:
    words = text.split(" ")
    first = ((words[0], math.log(0.95)), ("B", math.log(0.05)))
    tops = ((words[0], first), *((f" {word}", ((f" {word}", 0.0),)) for word in words[1:]))
    if forced and text == "Not A":
        return
    reply = Reply(NLI.labels, text=text, tops=tops, forced=forced, lettered=True)
    assert read(reply, "logprobs", NLI).fault is not None


def test_what_was_cut_off_may_yet_take_back_what_it_said() -> None:
    tops = tokens_of("The answer is C", 3, {" C": 1.0})
    assert read(Reply(NLI.labels, finish="length", tops=tops), "logprobs", NLI).fault is not None
    assert (
        read(Reply(NLI.labels, finish="length", tops=tops[3:]), "logprobs", NLI).answer
        == "contradiction"
    )


def test_several_askings_are_their_mean_over_those_that_could_be_read() -> None:
    certain = Reading("neutral", {"entailment": 0.0, "neutral": 1.0, "contradiction": 0.0})
    unsure = Reading("entailment", {"entailment": 0.6, "neutral": 0.4, "contradiction": 0.0})
    found = combine([certain, unsure, Reading(fault="cut off: …")], NLI)
    assert found.probs == pytest.approx({"entailment": 0.3, "neutral": 0.7, "contradiction": 0.0})
    assert combine([Reading(0.2), Reading(0.6)], UNIT).answer == pytest.approx(0.4)
    assert (
        combine([Reading(fault="timeout: …"), Reading(fault="refused: …")], NLI).fault
        == "timeout: …"
    )


@given(
    st.text(max_size=80),
    st.sampled_from(["text", "json", "logprobs"]),
    st.sampled_from([NLI, UNIT, DNC]),
)
def test_any_reply_is_an_answer_on_the_scale_or_a_fault(
    text: str, readout: str, scale: Scale
) -> None:
    found = read(Reply(scale.labels, text=text), readout, scale)
    assert (found.fault is None) == (found.answer is not None)
    assert found.answer is None or scale.accepts(found.answer)


@given(st.text(max_size=40), st.text(max_size=10))
def test_a_reply_survives_being_kept(text: str, finish: str) -> None:
    reply = Reply(NLI.labels, text, finish, tops=((text, ((text, -0.5),)),), tokens=(3, 4))
    assert replies_of(json.dumps([reply.to_json()]), "x") == [reply]
