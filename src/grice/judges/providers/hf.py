"""Causal language models by the log-probability of each full label text after a prompt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement, best
from grice.core.scale import NLI, Scale
from grice.core.settings import read_settings, setting, with_settings
from grice.judges.causal import Causal, Continuations, Ids, shared_start, split_endings
from grice.judges.templates import Template
from grice.judges.unit import rule, unit_setting
from grice.models.batching import Texts, group_by_text, split_by_budget
from grice.models.checkpoint import Checkpoint, checkpoint
from grice.models.engines import arithmetic_identity, describe_arithmetic
from grice.models.scores import short, softmax

if TYPE_CHECKING:
    from grice.models.torch import ComputeDevice

NORMALISATIONS = ("none", "tokens", "bytes")
WINDOW = 256


@dataclass(frozen=True)
class HfSettings:
    """What `hf/…` takes by `-M`."""

    template: str = ""
    words: Mapping[str, str] = setting(dict, expected="LABEL:TEXT,…")
    normalise: str = setting("none", choices=NORMALISATIONS, noun="normalisation")
    unit: str = unit_setting("surrogate")
    device: str = ""
    dtype: str = ""
    batch_tokens: int = setting(0, low=0)


@with_settings(HfSettings)
class Hf:
    """`hf/NAME`: each label is scored as the text that goes on from a prompt, and the likeliest one is the answer.

    `template`: your own file with {premise}, {hypothesis}, {labels}. `words=entailment:yes,…`: the text of a label.
    `normalise=none|tokens|bytes`: what a label's log-probability is divided by. `unit`: the rule that makes an
    answer on 0 … 1 of NLI probabilities. `device`, `dtype=fp32|bf16`, `batch_tokens`.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = f"hf/{name}"
        self.settings = read_settings(HfSettings, settings, noun="setting of hf")
        self.template = Template.read(self.settings.template)
        self.checkpoint: Checkpoint = checkpoint(name, provider="hf")

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the loaded model, so that a worker elsewhere loads its own."""
        return {key: value for key, value in vars(self).items() if key not in ("_loaded", "_prepared")}

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The hashes of weights, tokeniser and configuration, the prompt, and how its scores are read."""
        given = self.settings
        read = {"words": dict(given.words), "normalise": given.normalise, "unit": given.unit}
        model = self.checkpoint.identity() | arithmetic_identity(None, given, what=self.name)
        return {**model, "template": self.template.digest, **read}

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """How it computes here."""
        return describe_arithmetic(None, self.settings, what=self.name)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Reply to each question, longest first; a prompt that is too long for the model is a fault."""
        on, words = self._labels(scale)
        pairs = group_by_text(questions)
        texts = sorted(pairs, key=lambda pair: -len(pair[0]) - len(pair[1] or ""))
        for start in range(0, len(texts), WINDOW):
            window = texts[start : start + WINDOW]
            for pair, made in self._window(window, words):
                for key in pairs[pair]:
                    yield self._reply(key, made, on, scale)

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Exactly what the model reads for a question: the prompt, then each label's text, cut into its tokens.

        `begins` holds the marks that the tokeniser puts in front. Needs the tokeniser, not the weights.
        """
        on, words = self._labels(scale)
        prompt = self.template.prompt((question.premise, question.hypothesis), words)
        (row,) = self._tokenised([prompt], words)
        cut, _ = self._prepared
        named, marks = cut.convert_ids_to_tokens, set(cut.all_special_tokens)
        endings = [
            {"label": label, "text": f" {word}", "tokens": named(end)}
            for label, word, end in zip(on.labels, words, row.endings, strict=True)
        ]
        begins = list(takewhile(marks.__contains__, named(row.prompt)))
        sizes = {"tokens": len(row.prompt), "longest": self.checkpoint.longest}
        return [{"prompt": prompt, "begins": begins, **sizes, "endings": endings}]

    def surprisal(self, texts: Sequence[str]) -> list[float | None]:
        """Bits of each text after its first token; None for a text that is one token or too long for the model."""
        cut, _ = self._prepared
        model, budget = self._loaded
        rows = [Continuations(ids[:1], [ids[1:]]) for ids in _ids(cut, texts)]
        fits = [i for i, row in enumerate(rows) if row.endings[0] and row.length <= self.checkpoint.longest]
        fits.sort(key=lambda i: -rows[i].length)
        found: list[float | None] = [None] * len(rows)
        for batch in split_by_budget([rows[i].length for i in fits], self.settings.batch_tokens or budget):
            chosen = [fits[i] for i in batch]
            for i, (score,) in zip(chosen, model.score([rows[i] for i in chosen], None, 0), strict=True):
                found[i] = -score / math.log(2)
        return found

    def _labels(self, scale: Scale) -> tuple[Scale, list[str]]:
        """The scale the prompt asks on, and the text of each of its labels."""
        on = NLI if scale.numeric else scale
        odd = sorted(set(self.settings.words) - set(on.labels))
        if odd:
            raise InputError(f"-M words names '{odd[0]}', which is not on the scale {on}; use its labels")
        return on, [self.settings.words.get(label, label) for label in on.labels]

    def _window(self, window: Sequence[Texts], words: list[str]) -> Iterator[tuple[Texts, list[float] | str]]:
        """Each pair with a score for each word, or with why there is none."""
        rows = self._tokenised([self.template.prompt(pair, words) for pair in window], words)
        fits = [i for i, row in enumerate(rows) if row.length <= self.checkpoint.longest]
        for i, row in enumerate(rows):
            if row.length > self.checkpoint.longest:
                yield window[i], f"too long: {row.length} tokens, the model takes {self.checkpoint.longest}"
        if not fits:
            return
        model, budget = self._loaded
        # At least one token of each prompt stays to be read, since its scores are what is wanted.
        start = min(shared_start([rows[i].prompt for i in fits]), min(len(rows[i].prompt) for i in fits) - 1)
        begun = model.begin(rows[fits[0]].prompt[:start])
        for batch in split_by_budget([rows[i].length for i in fits], self.settings.batch_tokens or budget):
            chosen = [fits[i] for i in batch]
            scores = model.score([rows[i] for i in chosen], begun, start)
            for i, found in zip(chosen, scores, strict=True):
                yield window[i], self._normalised(found, rows[i], words)

    def _tokenised(self, prompts: Sequence[str], words: Sequence[str]) -> list[Continuations]:
        cut, _ = self._prepared
        starts: list[Ids] = _ids(cut, prompts)
        ends = [_ids(cut, [f"{prompt} {word}" for prompt in prompts]) for word in words]
        return [split_endings(start, [end[i] for end in ends]) for i, start in enumerate(starts)]

    def _normalised(self, scores: Sequence[float], row: Continuations, words: Sequence[str]) -> list[float]:
        if self.settings.normalise == "none":
            return list(scores)
        by_tokens = self.settings.normalise == "tokens"
        sizes = [len(end) for end in row.endings] if by_tokens else [len(word.encode()) for word in words]
        return [score / size for score, size in zip(scores, sizes, strict=True)]

    def _reply(self, key: str, found: list[float] | str, on: Scale, scale: Scale) -> Judgement:
        if isinstance(found, str):
            return Judgement(key, fault=found)
        table = softmax(np.array([found]))[0].tolist()
        probs = {label: short(p) for label, p in zip(on.labels, table, strict=True)}
        if scale.low is None or scale.high is None:
            return Judgement(key, best(probs), probs=probs)
        return Judgement(key, short(scale.low + rule(self.settings.unit)(probs) * (scale.high - scale.low)))

    @cached_property
    def _prepared(self) -> tuple[Any, ComputeDevice]:
        """The tokeniser and where the model will compute: all that is known before the weights are read."""
        from grice.models.torch import choose_device, tokenizer

        device = choose_device(self.settings.device, self.settings.dtype, what=self.name)
        return tokenizer(self.checkpoint.folder), device

    @cached_property
    def _loaded(self) -> tuple[Causal, int]:
        """The model and its token budget."""
        from grice.models.torch import load

        words, device = self._prepared
        self.checkpoint.torch_files()
        model = load("AutoModelForCausalLM", self.checkpoint.folder, device)
        return Causal(model, words.pad_token_id or 0), device.budget


def _ids(tokenizer: Any, texts: Sequence[str]) -> list[Ids]:
    """Token ids as the model expects a text to begin; a mark of the end, where one is added, is taken off."""
    rows: list[Ids] = tokenizer(list(texts))["input_ids"]
    end = tokenizer.eos_token_id
    return [row[:-1] if len(row) > 1 and row[-1] == end else row for row in rows]
