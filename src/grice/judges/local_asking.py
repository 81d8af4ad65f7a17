"""Prompts for a local model, and the reading of its scores and replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.core.settings import setting
from grice.judges.causal import PendingScores
from grice.judges.continuations import Continuations
from grice.judges.direct import DIRECT, free_scores, mean_shares
from grice.judges.label_scores import CALIBRATIONS, CONTENT_FREE, NORMALISATIONS, LabelScores, grade
from grice.judges.local import Chat, Examples, TextWithEndings, ids_of
from grice.judges.methods import Method
from grice.judges.prompts import Prompt, Wordings
from grice.judges.readout import cell_of, combine, combine_samples
from grice.judges.reply import Reading, Reply
from grice.judges.reply_text import LETTERS, THINKING
from grice.judges.templates import Template, fields_of
from grice.judges.unit import rule, unit_setting
from grice.models.batching import Texts, paused_gc
from grice.models.scores import short

READOUTS = ("words", "letter", "json", "graded", "text", DIRECT)
GRADES = tuple(range(101))
PromptUnit = tuple[Texts, Method]


@dataclass(frozen=True)
class HfSettings:
    """Settings (`-M`) of `hf/…`."""

    template: str = ""
    chat: str = setting("auto", choices=("auto", "yes", "no"))
    system: str = ""
    join: str | None = None
    words: Mapping[str, str] = setting(dict, expected="LABEL:TEXT,…")
    readout: str = setting("words", choices=READOUTS)
    methods: str = ""
    shots: int = setting(0, low=0)
    shots_from: str = ""
    shots_gold: str = ""
    think: int = setting(0, low=0)
    samples: int = setting(1, low=1)
    temperature: float = setting(0.0, low=0)
    max_tokens: int = setting(32, low=1)
    seed: int = setting(0, low=0)
    normalise: str = setting("none", choices=NORMALISATIONS, noun="normalisation")
    calibrate: str = setting("auto", choices=("auto", *CALIBRATIONS), noun="calibration")
    mass: float = setting(0.0, low=0, below=1)
    unit: str = unit_setting("surrogate")
    device: str = ""
    dtype: str = ""
    device_map: str = ""
    quantise: str = setting("", choices=("", "int8", "int4"))
    adapter: str = ""
    batch_tokens: int = setting(0, low=0)

    def __post_init__(self) -> None:
        if self.samples > 1 and not (self.temperature and (self.methods or self.readout == "text")):
            raise InputError(
                f"{self.samples} samples need -M readout=text and -M temperature=1, or are all the"
                " same"
            )
        if self.shots and not self.shots_from:
            raise InputError(
                f"{self.shots} examples need a file of items with gold: -M shots_from=FILE.jsonl"
            )
        if self.readout == DIRECT and (self.shots or self.think or self.words):
            raise InputError("readout=direct asks nothing: leave out -M shots, think and words")
        if self.template and (self.readout != "words" or self.methods):
            raise InputError(
                "a custom template scores label texts; leave out -M readout and -M methods"
            )


@dataclass(frozen=True)
class Outcome:
    """The result of one method: the reading, and what is stored of it."""

    reading: Reading
    stored: Mapping[str, Any]

    @staticmethod
    def fault(why: str) -> Outcome:
        """Return an outcome without an answer, with the reason."""
        return Outcome(Reading(fault=why), {"fault": why})

    @staticmethod
    def of_replies(replies: Sequence[Reply], readings: Sequence[Reading], scale: Scale) -> Outcome:
        """Return the outcome of written replies.

        The shares of several samples are its probabilities.
        """
        return Outcome(
            combine_samples(readings, scale), {"replies": [reply.to_json() for reply in replies]}
        )


@dataclass
class LocalAsking:
    """One judge on one scale: what the model reads, and what its scores mean."""

    tokenizer: Any
    chat: Chat
    settings: HfSettings
    template: Template
    examples: Examples
    scale: Scale
    worded: bool
    free: dict[Method, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    endings: dict[Method, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        odd = sorted(set(self.settings.words) - set(self.on.labels))
        if odd:
            raise InputError(
                f"-M words names '{odd[0]}', which is not on the scale {self.on}; use its labels"
            )
        texts = [self.settings.words.get(label, label).strip() for label in self.on.labels]
        same = next((word for word in texts if not word or texts.count(word) > 1), None)
        if same is not None:
            raise InputError(
                f"-M words: the text '{same}' stands for more than one label; give each its own"
            )

    @property
    def on(self) -> Scale:
        """The scale of the prompts: NLI if a rule makes a number of label probabilities."""
        return self.scale if not self.scale.numeric or self.graded else NLI

    @property
    def graded(self) -> bool:
        """Whether numbers are asked for."""
        return self.settings.readout in ("graded", "text") and self.scale.numeric

    @property
    def special(self) -> bool:
        """Whether the tokeniser adds its own marks: a chat template already contains them."""
        return not self.chat.template

    def without_chat(self) -> LocalAsking:
        """Return a copy for texts that are not a conversation."""
        return replace(self, chat=Chat(template=False), free={}, endings={})

    def prompt(self, question: Question, method: Method) -> Prompt:
        """Return the question in the words of a method.

        The default method uses `template` if the model has no chat template.
        """
        if method.readout == DIRECT:
            return method.prompt(question, self.on, Wordings())
        words = {label: self.settings.words.get(label, label) for label in self.on.labels}
        if self._templated(method):
            text = self.template.prompt(
                (question.premise, question.hypothesis), list(words.values())
            )
            return Prompt(text, self.on.labels, tuple(words.values()))
        if self.settings.words:
            return Wordings().ask(
                question,
                self.on,
                method.readout,
                order=int(method.order),
                words=self.settings.words,
            )
        return method.prompt(question, self.on, Wordings())

    def render(self, question: Question, method: Method) -> str:
        """Return the full text that the model reads before its answer."""
        turns = []
        for item in self.examples.draw(method.shots, question) if method.shots else ():
            prompt = self.prompt(item.question, method)
            answer = self._endings(prompt, method)[
                self.on.labels.index(str(item.gold[self.examples.reading]))
            ]
            turns.append((self._closed(prompt.text, method), answer))
        return self.chat.render(
            self.tokenizer,
            turns,
            self._closed(self.prompt(question, method).text, method),
            self.join,
        )

    def texts(self, question: Question, method: Method) -> TextWithEndings:
        """Return the full prompt, and the text of each label that may follow."""
        if method.readout == DIRECT:
            prompt = self.prompt(question, method)
            return TextWithEndings(prompt.text, tuple(f" {text}" for text in prompt.words))
        if method not in self.endings:
            self.endings[method] = tuple(
                self.join + end for end in self._endings(self.prompt(question, method), method)
            )
        return TextWithEndings(self.render(question, method), self.endings[method])

    @property
    def join(self) -> str:
        """The text between the prompt and the answer."""
        join = self.settings.join
        return join if join is not None else "" if self.chat.template else " "

    def after_thought(self, row: Continuations, thought: list[int]) -> Continuations:
        """Return the row with the model's reasoning appended, and the same endings.

        Unfinished reasoning is closed.
        """
        text = self.tokenizer.decode(thought, skip_special_tokens=True)
        opened = "<think>" in text or THINKING.match(
            self.tokenizer.decode(row.prompt[-8:]).rpartition("\n")[2]
        )
        text, ended, _ = text.partition("</think>")
        bridge = "</think>\n\n" if ended or opened else "\nAnswer:"
        added = ids_of(self.tokenizer, [text.rstrip() + bridge], special=False)[0]
        return Continuations(row.prompt + added, row.endings)

    def calibrate(
        self,
        methods: Iterable[Method],
        score: Callable[[Sequence[TextWithEndings], bool], list[list[float]]],
    ) -> None:
        """Score the labels after prompts without content, once for each method."""
        for method in methods:
            if method.think or self.on.numeric or method in self.free or method.readout == DIRECT:
                continue
            pairs = "hypothesis" in fields_of(self.template.pair)
            nothing = [
                self.texts(Question("", text, text if pairs else None), method)
                for text in CONTENT_FREE
            ]
            endings = nothing[0].endings
            last = "Answer:" if not self.chat.template else "Answer with one of the labels."
            empty_prompt = TextWithEndings(
                self.chat.render(self.tokenizer, (), last, self.join), endings
            )
            pmi, *context = score([empty_prompt, *nothing], self.special)
            self.free[method] = {"pmi": [round(p, 5) for p in pmi], "context": mean_shares(context)}

    def read(
        self, units: Sequence[PromptUnit], rows: Sequence[Continuations], pending: PendingScores
    ) -> list[tuple[PromptUnit, Outcome]]:
        """Return each unit with the outcome of its scores."""
        scores = pending.read().tolist()
        with paused_gc:
            return list(self._read(units, rows, scores))

    def _read(
        self,
        units: Sequence[PromptUnit],
        rows: Sequence[Continuations],
        given_scores: Sequence[list[float]],
    ) -> Iterator[tuple[PromptUnit, Outcome]]:
        settings = self.settings
        sizes: dict[Method, list[int]] = {}
        for unit, row, scores in zip(units, rows, given_scores, strict=True):
            if self.on.numeric:
                stored = {"logprobs": [round(logprob, 5) for logprob in scores]}
                yield unit, Outcome(grade(GRADES, scores, self.on, settings.mass), stored)
                continue
            method = unit[1]
            if method.readout == DIRECT:
                words = self.prompt(Question("", *unit[0]), method).words
                label_scores = LabelScores(
                    scores,
                    [len(end) for end in row.endings],
                    [len(word.encode()) for word in words],
                    {},
                    True,
                )
                yield unit, Outcome(label_scores.read(self.on.labels), label_scores.to_json())
                continue
            if method not in sizes:
                sizes[method] = [
                    len(end.removeprefix(self.join).encode()) for end in self.endings[method]
                ]
            label_scores = LabelScores(
                scores, [len(end) for end in row.endings], sizes[method], self.free.get(method, {})
            )
            calibrate = (
                settings.calibrate
                if method in self.free and settings.calibrate != "auto"
                else "none"
            )
            yield (
                unit,
                Outcome(
                    label_scores.read(self.on.labels, settings.normalise, calibrate, settings.mass),
                    label_scores.to_json(),
                ),
            )

    def compared(self, outcome: Outcome, references: Sequence[Outcome]) -> Outcome:
        """Return an outcome relative to the outcomes after premises that say nothing.

        If one of them failed, that one is returned.
        """
        failed = next(
            (
                candidate
                for candidate in (outcome, *references)
                if candidate.reading.fault is not None
            ),
            None,
        )
        if failed is not None:
            return failed
        stored = {
            **outcome.stored,
            "free": free_scores([reference.stored["logprobs"] for reference in references]),
        }
        settings = self.settings
        calibrate = "pmi" if settings.calibrate == "auto" else settings.calibrate
        return Outcome(
            LabelScores.from_json(stored).read(self.on.labels, settings.normalise, calibrate),
            stored,
        )

    def _templated(self, method: Method) -> bool:
        plain = method.readout == "words" and not self.chat.template and not self.on.numeric
        return bool(self.settings.template) or (plain and not self.worded)

    def _closed(self, text: str, method: Method) -> str:
        """Return a prompt with the cue "Answer:" if the model has no chat template.

        Only the chat wordings need it.
        """
        return text if self.chat.template or self._templated(method) else f"{text}\n\nAnswer:"

    def _endings(self, prompt: Prompt, method: Method) -> tuple[str, ...]:
        """Return the text of each label in the scale's order, or of each number for grades."""
        if self.on.numeric:
            return tuple(map(str, GRADES))
        endings = dict(zip(prompt.labels, prompt.words or prompt.labels, strict=True))
        if method.readout == "letter":
            endings = dict(zip(prompt.labels, LETTERS, strict=False))
        words = tuple(endings[label] for label in self.on.labels)
        return (
            tuple(f'{{"answer": "{word}"}}' for word in words)
            if method.readout == "json"
            else words
        )


def judgement_of(
    item: str, outcomes: Sequence[tuple[str, Outcome]], asking: LocalAsking
) -> Judgement:
    """Return one item's judgement by all its methods.

    Each method's own answer is stored as a cell.
    """
    readings = [outcome.reading for _, outcome in outcomes]
    combined = combine(readings, asking.on)
    raw = json.dumps(
        {"scores": [{"method": name, **outcome.stored} for name, outcome in outcomes]},
        separators=(",", ":"),
    )
    cells = (
        tuple(cell_of(name, outcome.reading) for name, outcome in outcomes)
        if len(outcomes) > 1
        else None
    )
    if combined.fault is not None:
        return Judgement(item, fault=combined.fault, raw=raw, mass=combined.mass, cells=cells)
    scale = asking.scale
    if asking.on.numeric or not scale.numeric:
        return Judgement(
            item, combined.answer, probs=combined.probs, raw=raw, mass=combined.mass, cells=cells
        )
    assert scale.low is not None and scale.high is not None
    value = scale.low + rule(asking.settings.unit)(combined.shares) * (scale.high - scale.low)
    return Judgement(item, short(value), raw=raw, mass=combined.mass, cells=cells)
