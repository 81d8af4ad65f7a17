"""Dialogues: a question and an answer with an implicature or a presupposition, or without."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from grice.generate import grammar
from grice.generate._everyday import PRONOUNS, habits, pick_name
from grice.generate._scenes import TIES, occasions, shared_acts
from grice.generate.lexicon import Words
from grice.generate.phenomena.scalar_contexts import READINGS, TAGS
from grice.generate.phenomenon import Conditions, Draw, NewItem, Phenomenon, Slots, texts
from grice.theory.contexts import answer_labels, context_labels
from grice.theory.worlds import N

# Who speaks: Q is the question, R the answer. A question may begin with a word of no weight, the
# same for every answer.
FRAMES = ("Q – R", "A: Q B: R", "Question: Q Answer: R", "Z: Q Y: R")
OPENERS = ("", "", "so, ", "by the way, ")
URGENT = (
    "I need to know exactly.",
    "Please be exact.",
    "Please be precise.",
    "I need a precise answer.",
)
AS_FAR = ("as far as I could see", "as far as I know", "from what I saw", "from what I have heard")


# The tags qud, speaker, stakes and context of a turn, by the theory's key for its label.
TURNS = {
    "upper question": ("upper", "unstated", "unstated", "question"),
    "high stakes": ("upper", "unstated", "high", "stakes"),
    "lower question": ("lower", "unstated", "unstated", "question"),
    "partial knowledge": ("upper", "partial", "unstated", "knowledge"),
    "none": ("upper", "unstated", "unstated", "question"),
    "asserted": ("none", "unstated", "unstated", "news"),
    "denied": ("upper", "unstated", "unstated", "question"),
    "suspended": ("none", "partial", "unstated", "news"),
    "unknown": ("upper", "partial", "unstated", "question"),
    "rejected": ("upper", "unstated", "unstated", "question"),
}


class _Turn(NamedTuple):
    """A question and an answer, with the theory's key for its label."""

    label: str
    question: str
    answer: str


class _Dialogue(NamedTuple):
    """The target turns, the turns that cancel the inference, and two hypotheses per subject."""

    turns: Sequence[_Turn]
    cancelled: Sequence[_Turn]
    hypotheses: tuple[str, str]
    of_others: tuple[str, str]


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["scale"] == "some - all":
        return {"occasion": occasions(), "tie": TIES}
    if cell["scale"] == "or - and":
        return {"scene": shared_acts(), "subject": words.named_people}
    return {"habit": habits(), "subject": words.named_people}


def _some(draw: Draw) -> _Dialogue:
    occasion, phrase = draw["occasion"], draw["occasion"].act.phrase
    them, others = (
        f"of the {occasion.who(tie)}"
        for tie in (draw["tie"], draw.rng.pick_other(TIES, draw["tie"]))
    )
    questions = (
        f"did all {them} {phrase.base}?",
        f"how many {them} {phrase.past}?",
        f"did any {them} {phrase.base}?",
    )
    hypotheses = [
        (f"not all {of} {phrase.past}", f"all {of} {phrase.past}") for of in (them, others)
    ]
    return _scalar(draw, questions, "some of them did", "all of them did", *hypotheses)


def _or(draw: Draw) -> _Dialogue:
    phrase, rng = draw["scene"].phrase, draw.rng
    a, b = draw["subject"].text, rng.pick_other(draw.words.named_people, draw["subject"]).text
    c = pick_name(rng, a, b)
    d = pick_name(rng, a, b, c)
    # "Did both …?" is not answered with "or"; "who did?" is answered by all who did.
    questions = (
        f"who {phrase.past}?",
        f"do you know who {phrase.past}?",
        f"did anyone {phrase.base}?",
    )
    hypotheses = [
        (
            f"{first} and {second} did not both {phrase.base}",
            f"both {first} and {second} {phrase.past}",
        )
        for first, second in ((a, b), (c, d))
    ]
    return _scalar(draw, questions, f"{a} or {b} did", "both of them did", *hypotheses)


def _scalar(
    draw: Draw,
    questions: Sequence[str],
    weak: str,
    strong: str,
    own: tuple[str, str],
    others: tuple[str, str],
) -> _Dialogue:
    """Return the weaker answer after different questions about the scale.

    The questions are about the stronger or the weaker sentence; in one the speaker may not know.
    """
    upper, second, lower = questions
    answer = grammar.sentence(weak)
    taken_back = f"{answer} {grammar.sentence('in fact,', strong)}"
    urgent = f"{upper} {draw.rng.pick(URGENT)}"
    turns = (
        _Turn("upper question", second, answer),
        _Turn("high stakes", urgent, answer),
        _Turn("lower question", lower, grammar.sentence("yes,", weak)),
        _Turn("partial knowledge", second, grammar.sentence(f"{weak},", draw.rng.pick(AS_FAR))),
    )
    cancelled = [_Turn("none", question, taken_back) for question in (upper, second)]
    return _Dialogue(turns, cancelled, own, others)


def _stop(draw: Draw) -> _Dialogue:
    who, habit, rng = draw["subject"], draw["habit"], draw.rng
    third, she = rng.pick_other(draw.words.named_people, who).text, PRONOUNS[who.gender]
    say, news = grammar.sentence, f"what is new with {who.text}?"
    question = f"has {who.text} stopped {habit.gerund}?"
    stopped, never = f"{she} has stopped {habit.gerund}", f"{she} has never {habit.participle}"
    no = say(f"no, {she} has not")
    turns = (
        _Turn("asserted", news, say(stopped)),
        _Turn("denied", question, no),
        _Turn("suspended", news, say(f"{stopped}, if {she} ever {habit.past}")),
        _Turn("unknown", question, say(f"I do not know whether {she} ever {habit.past}")),
    )
    cancelled = (
        _Turn("rejected", question, f"{no} {say('in fact,', never)}"),
        _Turn("rejected", question, f"{say(f'{she} cannot have stopped')} {say(never)}"),
    )
    pairs = [
        (f"{name} has {habit.participle}", f"{name} has never {habit.participle}")
        for name in (who.text, third)
    ]
    return _Dialogue(turns, cancelled, *pairs)


_BUILDERS = {"some - all": _some, "or - and": _or, "stop": _stop}


def _build(draw: Draw) -> list[NewItem]:
    dialogue, stop = _BUILDERS[draw.cell["scale"]](draw), draw.cell["scale"] == "stop"
    names = ("positive", "negated") if stop else ("not S", "S")
    rows = []
    for turn in (*dialogue.turns, *dialogue.cancelled):
        taken_back = turn in dialogue.cancelled
        premise, frame = _speak(draw, turn)
        tags = dict(zip(("qud", "speaker", "stakes", "context"), TURNS[turn.label], strict=True))
        tags["frame"] = frame
        tags["cancelled"] = "yes" if taken_back else "no"
        questions = []
        for hypothesis, name in zip(dialogue.hypotheses, names, strict=True):
            gold = (
                answer_labels(turn.label, name)
                if stop
                else context_labels(turn.label, name, cancelled=taken_back)
            )
            questions.append((hypothesis, gold, name))
        if taken_back:
            index = dialogue.cancelled.index(turn)
            questions.append(
                (dialogue.of_others[index], dict.fromkeys(READINGS, N), f"{names[index]} of others")
            )
        for hypothesis, gold, name in questions:
            role = "target"
            if taken_back:
                role = "balance" if name.endswith("of others") else "control"
            row_tags = {"role": role, "condition": name, **tags}
            rows.append(NewItem(premise, grammar.sentence(hypothesis), gold, row_tags))
    return rows


def _speak(draw: Draw, turn: _Turn) -> tuple[str, str]:
    """Return the two turns in one of the frames, and the frame."""
    frame, rng = draw.rng.pick(FRAMES), draw.rng
    opener = (
        "" if turn.label == "high stakes" or frame.startswith("Question") else rng.pick(OPENERS)
    )
    sentence, _, urged = turn.question.partition("?")
    question = grammar.join(grammar.sentence(opener + sentence, end="?"), urged.strip())
    speaker = pick_name(rng, turn.question)
    other = pick_name(rng, turn.question, speaker)
    parts = {"Q": question, "R": turn.answer, "Z": speaker, "Y": other}
    return re.sub(r"\b[QRZY]\b", lambda match: parts[match[0]], frame), frame


dialogues = Phenomenon(
    name="dialogues",
    **texts("dialogues"),
    kind="context",
    slots=_slots,
    build=_build,
    rows=14,
    readings=READINGS,
    tags=(*(tag for tag in TAGS if tag != "scale"), "frame"),
    conditions={"scale": tuple(_BUILDERS)},
    marked=("scale",),
    fixed=(
        "some all any both or and stop know see do by did he how it one please she so what who",
    ),
)
