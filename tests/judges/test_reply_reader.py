"""The reader of replies: a corpus of shapes, and a fuzzer that composes more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grice.core.fault import Fault, FaultKind
from grice.core.scale import LIKERT5, NLI, UNIT, Scale
from grice.judges.readout import read
from grice.judges.reply import Reply
from grice.judges.reply_reader import read_reply
from grice.judges.reply_text import ReplyAnswer

SCALES = {
    "nli": NLI,
    "unit": UNIT,
    "likert": LIKERT5,
    "truth": Scale(labels=("true", "unknown", "false")),
    "yesno": Scale(labels=("no", "yes")),
    "dnc": Scale(labels=("entailed", "not-entailed")),
    "impl": Scale(labels=("implicature", "no implicature")),
}
# The order in which the prompt of the replies with letters shows the labels.
LETTERED = ("contradiction", "entailment", "neutral")
LINES = (Path(__file__).parent / "replies.tsv").read_text(encoding="utf-8").splitlines()[1:]

LABELS = st.sampled_from(NLI.labels)
# Frames that state, and frames that deny, weigh, ask about or list a label.
STATED = (
    "{0}",
    "{0}.",
    "The answer is {0}.",
    "It is {0}.",
    "Label: {0}",
    "Therefore, the answer is {0}.",
    "I would choose {0}.",
)
DENIED = (
    "not {0}",
    "It is not {0}.",
    "There is no {0}.",
    "The answer is hardly {0}.",
    "I would not choose {0}.",
    "Anything but {0}.",
    "We can rule out {0}.",
    "{0} is not the answer.",
    "Far from {0}.",
)
WEIGHED = (
    "maybe {0}",
    "It is probably {0}.",
    "The answer might be {0}.",
    "I guess {0}.",
    "{0}, I guess.",
    "If so, {0}.",
    "It is {0} or not.",
    "{0}, unless he lies.",
)
ASKED = ("{0}?", "Is it {0}?", "Would you say {0}?", "It is {0}, right?")
LISTED = ("{0}, {1}", "{0} or {1}", "{0}/{1}", "- {0}\n- {1}", "{0}: 0.7, {1}: 0.3", "{0} and {1}")
WRAPPED = ("{}", "**{}**", "`{}`", '"{}"', "«{}»", "> {}", "- {}", "```\n{}\n```", "# {}", "  {}\n")
BEFORE = ("", "Let me think.\n", "The premise says some.\n", "Sure! ", "Step 1: read.\n\n")
AFTER = ("", "\nThe premise leaves it open.", "\n\nReason: nothing else is said.", "\nThank you.")
TAKEN_BACK = (" Wait, no.", " That is wrong.", "\nI'm not sure.", " Just kidding.", " Or is it?")


def read_line(line: str) -> tuple[object, object, str]:
    scale_name, letters, answer, quoted = line.split("\t")
    scale, shown = SCALES[scale_name], letters != "-"
    reply = Reply(LETTERED if shown else scale.labels, text=json.loads(quoted), lettered=shown)
    expected = (float(answer) if scale.numeric else answer) if answer else None
    return read(reply, "text", scale).answer, expected, line


def test_corpus_of_replies_is_read_exactly() -> None:
    readings = [read_line(line) for line in LINES]
    assert len(readings) >= 400
    assert sum(expected is None for _, expected, _ in readings) >= 200
    assert [line for answer, expected, line in readings if answer != expected] == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", FaultKind.UNREADABLE),
        ("The hypothesis follows.", FaultKind.UNREADABLE),
        ("entailment or neutral", FaultKind.SEVERAL),
        ("It is not neutral.", FaultKind.NEGATED),
        ("Neutral. That is wrong.", FaultKind.NEGATED),
        ("It is probably neutral.", FaultKind.HEDGED),
        ("Neutral. I'm not sure.", FaultKind.HEDGED),
        ("Is it neutral?", FaultKind.QUESTIONED),
        ("neutral?", FaultKind.QUESTIONED),
        ("A", FaultKind.LETTER),
        ("(b)", FaultKind.LETTER),
        ("I'm sorry, I can't help with that.", FaultKind.REFUSED),
        ('{"answer": "There is no contradiction."}', FaultKind.NEGATED),
        ('{"answer": "neutral", "answer": "entailment"}', FaultKind.SEVERAL),
    ],
)
def test_reply_without_answer_has_a_kind(text: str, kind: FaultKind) -> None:
    found = read_reply(text, NLI.labels, NLI)
    assert isinstance(found, Fault)
    assert found.kind is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("70", FaultKind.OFF_SCALE),
        ("0.2 or 0.4", FaultKind.SEVERAL),
        ("about 0.4", FaultKind.HEDGED),
    ],
)
def test_number_without_answer_has_a_kind(text: str, kind: FaultKind) -> None:
    found = read_reply(text, (), UNIT)
    assert isinstance(found, Fault)
    assert found.kind is kind


@settings(max_examples=400, deadline=None)
@given(
    LABELS,
    st.sampled_from(STATED),
    st.sampled_from(WRAPPED),
    st.sampled_from(BEFORE),
    st.sampled_from(AFTER),
)
def test_stated_label_is_read(label: str, frame: str, wrap: str, before: str, after: str) -> None:
    text = before + wrap.format(frame.format(label)) + after
    found = read_reply(text, NLI.labels, NLI)
    # A block or heading after words on the same line is no markup.
    if before and not before.endswith("\n") and wrap not in ("{}", "**{}**", "`{}`", '"{}"'):
        assert isinstance(found, Fault) or found.answer == label
    else:
        assert isinstance(found, ReplyAnswer), found
        assert found.answer == label


@settings(max_examples=800, deadline=None)
@given(
    LABELS,
    LABELS,
    st.sampled_from(DENIED + WEIGHED + ASKED + LISTED),
    st.sampled_from(WRAPPED),
    st.sampled_from(BEFORE),
    st.sampled_from(AFTER),
)
def test_qualified_label_is_never_read(
    label: str, other: str, frame: str, wrap: str, before: str, after: str
) -> None:
    if frame in LISTED and label == other:
        return
    text = before + wrap.format(frame.format(label, other)) + after
    assert isinstance(read_reply(text, NLI.labels, NLI), Fault)


@settings(max_examples=300, deadline=None)
@given(LABELS, st.sampled_from(STATED), st.sampled_from(TAKEN_BACK), st.sampled_from(BEFORE))
def test_label_that_is_taken_back_is_not_read(
    label: str, frame: str, back: str, before: str
) -> None:
    assert isinstance(read_reply(before + frame.format(label) + back, NLI.labels, NLI), Fault)


@settings(max_examples=300, deadline=None)
@given(LABELS, LABELS, st.sampled_from(STATED), st.sampled_from(STATED), st.sampled_from(BEFORE))
def test_two_stated_labels_are_no_answer(
    label: str, other: str, frame: str, second: str, before: str
) -> None:
    if label != other:
        text = f"{before}{frame.format(label)}\n{second.format(other)}"
        assert isinstance(read_reply(text, NLI.labels, NLI), Fault)


@pytest.mark.parametrize(
    "text",
    [
        *(part * 20_000 for part in (" ", "*", "'", ".", "_", "`", "$", "\n", "{", "7")),
        *(
            part * 3_000
            for part in ("neutral, ", "neutral. ", "neutral\n", "A. ", "0.7 ", "<answer>")
        ),
        *(
            part * 1_500
            for part in ("\\boxed{neutral} ", "\\boxed{", '{"answer":', "so ", "neutral?")
        ),
        *(f"neutral{part * 20_000}x" for part in (" ", ".", "!", ")", "-", ",")),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_reply_is_read_in_linear_time(text: str) -> None:
    """Each takes minutes where a pattern looks at every part of it from every place."""
    for scale, letters in ((NLI, False), (NLI, True), (UNIT, False)):
        found = read_reply(text, scale.labels, scale, letters=letters)
        assert isinstance(found, ReplyAnswer | Fault)
