"""Local causal language models.

They are read by the log-probability of each label's text after a prompt, or by what they write.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.core.settings import read_settings, with_settings
from grice.judges.causal import Causal, PendingScores, PrefixCache
from grice.judges.continuations import Continuations
from grice.judges.direct import BARE, DIRECT
from grice.judges.local import Chat, EndingTokens, Examples, ids_of, tokenise, use_chat
from grice.judges.local_asking import HfSettings, LocalAsking, Outcome, PromptUnit, judgement_of
from grice.judges.local_batches import WINDOW, PromptBatch, PromptPacker
from grice.judges.local_writing import LocalWriter
from grice.judges.methods import Method, MethodSet
from grice.judges.positions import PositionCounts, assign_orders
from grice.judges.prompts import Wordings
from grice.judges.reply_text import LETTERS
from grice.judges.templates import Template
from grice.models.batching import prefetch, split_by_budget
from grice.models.checkpoint import Checkpoint, checkpoint
from grice.models.engines import arithmetic_identity, describe_arithmetic

if TYPE_CHECKING:
    from grice.models.torch import ComputeDevice

DEPTH = 3


# Settings that choose the readout or the prompts: no probe then.
CHOSEN = {
    *("readout", "methods", "template", "words", "join", "shots", "think", "samples", "unit"),
    *("normalise", "calibrate", "mass"),
}


@with_settings(HfSettings)
class Hf:
    """`hf/NAME`: a causal language model that scores each label as a continuation of a prompt.

    The likeliest label is the answer. `chat=auto|yes|no`, `system`: use the model's own chat
    template. `template`: your own file with {premise}, {hypothesis}, {labels}; `join`: the text
    between it and the answer. `words=entailment:yes,…`: the text of a label.
    `readout=words|letter|json|graded|text|direct`: label texts, letters, JSON, numbers from 0 to
    100, what the model writes (`max_tokens`, `temperature`, `samples=20`, `seed`), or without a
    question how probable the hypothesis is after the premise. `think=256`: tokens to reason in
    first. `shots=4`, `shots_from=FILE.jsonl`, `shots_gold`: examples before the question.
    `methods=quick|standard|full|FILE.toml`: several prompt variants. `normalise=none|tokens|bytes`,
    `calibrate=auto|none|pmi|context`: how scores become probabilities; `mass=0.01`: below this
    label mass an answer is a fault. `unit`: the rule that makes an answer on 0 … 1 of NLI
    probabilities. `device`, `device_map=auto`, `dtype=fp32|bf16|fp16|auto`, `quantise=int8|int4`,
    `adapter=FOLDER`, `batch_tokens`.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = f"hf/{name}"
        self.settings = options = read_settings(HfSettings, settings, noun="setting of hf")
        self.template = Template.read(options.template)
        self.examples = Examples.read(options.shots_from, options.shots_gold, options.seed)
        context = (
            f"few{options.shots}"
            if options.shots
            else f"think{options.think}"
            if options.think
            else "zero"
        )
        single = MethodSet((Method(readout=options.readout, context=context),), 1)
        self.methods = MethodSet.read(options.methods) if options.methods else single
        self.assigned: Mapping[str, tuple[Method, ...]] = {}
        self.given, self.probed = dict(settings), ""
        self.checkpoint: Checkpoint = checkpoint(name, provider="hf")
        self.notes: dict[str, Any] = {}
        # The loaded model, shared by the copies that a probe compares.
        self._weights: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but the loaded model, so that a worker process loads its own."""
        return {**vars(self), "_weights": {}}

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The hashes of the checkpoint's files, the prompt, and how its scores are read."""
        settings = self.settings
        plain, left = (
            HfSettings(),
            {"device", "dtype", "batch_tokens", "device_map", "template", "shots_from", "adapter"},
        )
        always = {"words", "normalise", "unit", "readout", "chat"}
        relevant = {
            k: v
            for k, v in vars(settings).items()
            if k not in left and (k in always or v != vars(plain)[k])
        }
        model = self.checkpoint.identity() | arithmetic_identity(None, settings, what=self.name)
        digests = {"template": self.template.digest, "wordings": Wordings().digest}
        if settings.methods:
            digests["methods"] = self.methods.digest
        if settings.shots_from:
            examples = json.dumps([item.to_json() for item in self.examples.items], sort_keys=True)
            digests["shots_from"] = hashlib.sha256(examples.encode()).hexdigest()[:16]
        if settings.adapter:
            digests["adapter"] = checkpoint(settings.adapter, provider="hf").identity()["sha256"]
        orders = {"orders": "balanced"} if self._balances else {}
        return {**model, **digests, **relevant, **orders, "words": dict(settings.words)}

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """The arithmetic on this machine."""
        return describe_arithmetic(None, self.settings, what=self.name)

    @property
    def _balances(self) -> bool:
        """Whether letters are shown, one order per item."""
        return self.settings.readout == "letter" and not self.settings.methods

    def in_orders(self, ids: Sequence[str], scale: Scale) -> Hf:
        """Return a copy that shows the labels in balanced orders, whatever its readout."""
        labels = scale.labels or NLI.labels
        orders = assign_orders(self.methods.methods[0], ids, labels, self.settings.seed)
        bound = copy(self)
        bound.assigned = {item: (method,) for item, method in orders.items()}
        return bound

    def order_of(self, item: str) -> int | None:
        """Return the order in which an item's labels are shown; None if there is none."""
        (method, *others) = self._methods_of(item)
        plain = method.readout == "words" and not use_chat(
            self._prepared[0], self.settings.chat, self.name
        )
        shows = item in self.assigned and not others and not plain and not self.settings.template
        return int(method.order) if shows and method.order.isdigit() else None

    def candidates(self, scale: Scale) -> Mapping[str, Hf]:
        """Return this judge by each readout; none if the readout or the prompts were chosen."""
        if scale.numeric or CHOSEN & self.given.keys() or len(scale.labels) > len(LETTERS):
            return {}
        by_readout = {}
        for readout in ("words", "letter", "json"):
            other = copy(self)
            vars(other).pop("identity", None)
            other.settings = replace(self.settings, readout=readout)
            other.methods = MethodSet((Method(readout=readout),), 1)
            by_readout[readout] = other
        return by_readout

    def bind(self, ids: Sequence[str], scale: Scale) -> Hf:
        """Return a copy of this judge with methods, or label orders, assigned to the items.

        Items with assigned methods keep them.
        """
        if self._balances and not self.assigned.keys() >= set(ids):
            return self.in_orders(ids, scale)
        if not self.settings.methods or self.assigned.keys() >= set(ids):
            return self
        bound = copy(self)
        bound.assigned = self.methods.assign(ids, self.settings.seed)
        return bound

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield a judgement of each question, longest first.

        A prompt that is too long for the model is a fault.
        """
        asking = self._asking(scale)
        waiting: dict[PromptUnit, list[str]] = {}
        parts: dict[str, list[PromptUnit]] = {}
        for question in questions:
            text = (question.premise, question.hypothesis)
            parts[question.id] = [(text, method) for method in self._methods_of(question.id)]
            for unit in parts[question.id]:
                waiting.setdefault(unit, []).append(question.id)
        left = {key: len(units) for key, units in parts.items()}
        done: dict[PromptUnit, Outcome] = {}
        masses: list[float] = []
        positions = PositionCounts()
        for unit, outcome in self._outcomes(list(waiting), asking):
            done[unit] = outcome
            masses += [] if outcome.reading.mass is None else [outcome.reading.mass]
            for key in waiting[unit]:
                left[key] -= 1
                if self._balances and (order := self.order_of(key)) is not None:
                    positions.add(asking.on.labels, order, outcome.reading.answer)
                if not left[key]:
                    yield judgement_of(key, [(u[1].name, done[u]) for u in parts[key]], asking)
        self.notes = {**positions.notes(), **({"probe": self.probed} if self.probed else {})}
        if masses:
            self.notes |= {
                "mean mass of the labels": float(f"{sum(masses) / len(masses):.3g}"),
                "least mass of the labels": float(f"{min(masses):.3g}"),
            }

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Return exactly what the model reads for a question, in tokens.

        That is the prompt, then each label's text. `begins` holds the marks that the tokeniser puts
        in front. Needs the tokeniser, not the weights.
        """
        default_asking = self._asking(scale)
        tokenizer, _ = self._prepared
        named, marks = tokenizer.convert_ids_to_tokens, set(tokenizer.all_special_tokens)
        prompts = []
        for method in self._methods_of(question.id):
            asking = default_asking.without_chat() if method.readout == DIRECT else default_asking
            prompt = asking.texts(question, method)
            (row,) = tokenise(tokenizer, [prompt], special=asking.special)
            labels = asking.on.labels or prompt.endings
            endings = [
                {"label": label, "text": text, "tokens": named(end)}
                for label, text, end in zip(labels, prompt.endings, row.endings, strict=True)
            ]
            begins = list(takewhile(marks.__contains__, named(row.prompt)))
            sizes = {"tokens": len(row.prompt), "longest": self.checkpoint.longest}
            by = {"method": method.name} if len(self.methods.methods) > 1 else {}
            prompts.append(
                {"prompt": prompt.text, **by, "begins": begins, **sizes, "endings": endings}
            )
        return prompts

    def surprisal(self, texts: Sequence[str]) -> list[float | None]:
        """Return the bits of each text after its first token.

        None stands for a text that is one token or too long for the model.
        """
        tokenizer, _ = self._prepared
        model, budget = self._loaded
        rows = [Continuations(ids[:1], [ids[1:]]) for ids in ids_of(tokenizer, texts, special=True)]
        fits = [
            i
            for i, row in enumerate(rows)
            if row.endings[0] and row.length <= self.checkpoint.longest
        ]
        bits: list[float | None] = [None] * len(rows)
        for batch in split_by_budget(
            [rows[i].length for i in fits], self.settings.batch_tokens or budget
        ):
            chosen = [fits[i] for i in batch]
            for i, (score,) in zip(
                chosen, model.score([rows[i] for i in chosen]).read().tolist(), strict=True
            ):
                bits[i] = -score / math.log(2)
        return bits

    def _methods_of(self, item: str) -> tuple[Method, ...]:
        return self.assigned.get(item, self.methods.methods[: self.methods.each])

    def _asking(self, scale: Scale) -> LocalAsking:
        tokenizer, _ = self._prepared
        settings = self.settings
        chat = use_chat(tokenizer, settings.chat, self.name)
        thinks = any(method.think for method in self.methods.methods)
        spoken = Chat(chat, settings.system, thinks)
        return LocalAsking(
            tokenizer,
            spoken,
            settings,
            self.template,
            self.examples,
            scale,
            bool(settings.template or settings.methods),
        )

    def _outcomes(
        self, units: Sequence[PromptUnit], asking: LocalAsking
    ) -> Iterator[tuple[PromptUnit, Outcome]]:
        written = [unit for unit in units if unit[1].readout == "text"]
        scored = [unit for unit in units if unit[1].readout not in ("text", DIRECT)]
        direct = [unit for unit in units if unit[1].readout == DIRECT]
        for start in range(0, len(written), WINDOW):
            writer = LocalWriter(self._loaded[0].model, self.checkpoint.longest, self.settings)
            yield from writer.written(written[start : start + WINDOW], asking)
        if scored:
            asking.calibrate({unit[1] for unit in scored}, self._free_scores)
            yield from self._scored(scored, asking)
        if direct:
            yield from self._direct(direct, asking.without_chat())

    def _direct(
        self, units: Sequence[PromptUnit], asking: LocalAsking
    ) -> Iterator[tuple[PromptUnit, Outcome]]:
        """Yield each unit by what may follow its premise.

        It is compared with what may follow premises that say nothing.
        """
        reference_units = [
            ((text, sentence), method)
            for sentence, method in dict.fromkeys((u[0][1], u[1]) for u in units)
            for text in BARE
        ]
        free = dict(self._scored(reference_units, asking))
        for unit, outcome in self._scored(units, asking):
            (_, sentence), method = unit
            yield unit, asking.compared(outcome, [free[(text, sentence), method] for text in BARE])

    def _scored(
        self, units: Sequence[PromptUnit], asking: LocalAsking
    ) -> Iterator[tuple[PromptUnit, Outcome]]:
        """Yield each unit by the scores of its endings; the device is some batches ahead."""
        model, budget = self._loaded
        waiting: deque[tuple[list[PromptUnit], list[Continuations], PendingScores]] = deque()
        begun: dict[tuple[int, ...], PrefixCache | None] = {}
        for batch in prefetch(self._batches(units, asking, budget), DEPTH):
            some, rows, start, longest = batch.units, batch.rows, batch.start, batch.longest
            if start is None:
                (unit,), (row,) = some, rows
                limit = self.checkpoint.longest
                thought = f" and {unit[1].think} to think in" if row.length <= limit else ""
                fact = f"{row.length} tokens{thought}, the model takes {limit}"
                yield unit, Outcome.fault(f"too long: {fact}")
                continue
            key = (*start, longest)
            if key not in begun:
                begun = {key: model.begin(start, longest)}
            waiting.append((some, rows, model.score(rows, begun[key])))
            if len(waiting) >= DEPTH:
                yield from asking.read(*waiting.popleft())
        while waiting:
            yield from asking.read(*waiting.popleft())

    def _batches(
        self, units: Sequence[PromptUnit], asking: LocalAsking, budget: int
    ) -> Iterator[PromptBatch]:
        """Yield batches of prompts of similar lengths, and each prompt that is too long alone."""
        cutter = EndingTokens(self._prepared[0], special=asking.special)
        limit = self.checkpoint.longest
        packer = PromptPacker(self._loaded[0], budget, self.settings.batch_tokens)
        for window in packer.windows(units):
            rows = cutter.tokenise([asking.texts(Question("", *u[0]), u[1]) for u in window])
            fits = [i for i, row in enumerate(rows) if row.length + window[i][1].think <= limit]
            self._think(window, rows, fits, asking)
            fits = [i for i in fits if rows[i].length <= limit]
            for i in sorted({*range(len(rows))} - {*fits}):
                yield PromptBatch([window[i]], [rows[i]], None, 0)
            yield from packer.pack(window, rows, fits)

    def _think(
        self,
        units: Sequence[PromptUnit],
        rows: list[Continuations],
        fits: list[int],
        asking: LocalAsking,
    ) -> None:
        """Generate the model's reasoning before its answer, in rows that have room for it."""
        for budget in {units[i][1].think for i in fits} - {0}:
            indices = [i for i in fits if units[i][1].think == budget]
            writer = LocalWriter(self._loaded[0].model, self.checkpoint.longest, self.settings)
            thoughts = writer.write([rows[i].prompt for i in indices], budget)
            for i, (thought,) in zip(indices, thoughts, strict=True):
                rows[i] = asking.after_thought(rows[i], thought)

    def _free_scores(self, texts: Sequence[Any], special: bool) -> list[list[float]]:
        """Return the scores of a few prompts in one batch."""
        tokenizer, _ = self._prepared
        model, _ = self._loaded
        scores: list[list[float]] = (
            model.score(tokenise(tokenizer, texts, special=special)).read().tolist()
        )
        return scores

    @property
    def _prepared(self) -> tuple[Any, ComputeDevice]:
        """The tokeniser and the device: what is known before the weights are read."""
        from grice.models.torch import choose_device, tokenizer

        if "prepared" not in self._weights:
            device = choose_device(self.settings.device, self.settings.dtype, what=self.name)
            self._weights["prepared"] = tokenizer(self.checkpoint.path), device
        prepared: tuple[Any, ComputeDevice] = self._weights["prepared"]
        return prepared

    @property
    def _loaded(self) -> tuple[Causal, int]:
        """The model and its token budget."""
        if "loaded" not in self._weights:
            self._weights["loaded"] = self._load()
        loaded: tuple[Causal, int] = self._weights["loaded"]
        return loaded

    def _load(self) -> tuple[Causal, int]:
        from grice.models.torch import load_causal

        tokenizer, device = self._prepared
        self.checkpoint.torch_files()
        settings = {n: getattr(self.settings, n) for n in ("device_map", "quantise", "adapter")}
        model = load_causal(self.checkpoint.path, device, **settings)
        return Causal(model, tokenizer.pad_token_id or 0), device.budget
