"""Causal language models by the log-probability of each full label text after a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from grice.core.errors import InputError, unknown
from grice.core.item import Question
from grice.core.judgement import Judgement, best
from grice.core.scale import NLI, Scale
from grice.judges._batching import Texts, grouped, within_budget
from grice.judges._causal import Asked, Causal, Ids, asked, shared_start
from grice.judges._checkpoint import Checkpoint, checkpoint, digest
from grice.judges._engines import arithmetic, told
from grice.judges._scores import short, softmax
from grice.judges._settings import whole
from grice.judges._templates import Template
from grice.judges._unit import rule

if TYPE_CHECKING:
    from grice.judges._torch import Place

NORMALISATIONS = ("none", "tokens", "bytes")
WINDOW = 256


class Hf:
    """`hf/NAME`: each label is scored as the text that goes on from a prompt, and the likeliest one is the answer.

    `template`: your own file with {premise}, {hypothesis}, {labels}. `words=entailment:yes,…`: the text of a label.
    `normalise=none|tokens|bytes`: what a label's log-probability is divided by. `unit`: the rule that makes an
    answer on 0 … 1 of NLI probabilities. `device`, `dtype=fp32|bf16`, `batch_tokens`.
    """

    def __init__(
        self,
        name: str,
        *,
        template: str = "",
        words: str = "",
        normalise: str = "none",
        unit: str = "surrogate",
        device: str = "",
        dtype: str = "",
        batch_tokens: str | int = 0,
    ) -> None:
        self.name = f"hf/{name}"
        if normalise not in NORMALISATIONS:
            raise unknown("normalisation", normalise, NORMALISATIONS)
        rule(unit)
        self.normalise, self.unit, self.device, self.dtype = normalise, unit, device, dtype
        self.template = Template.read(template)
        self.words = _pairs(words)
        self.batch_tokens = whole("batch_tokens", batch_tokens)
        self.checkpoint: Checkpoint = checkpoint(name, provider="hf")
        self.notes: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the loaded model, so that a worker elsewhere loads its own."""
        return {key: value for key, value in vars(self).items() if key not in ("_loaded", "_prepared")}

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        return {
            "sha256": digest(self.checkpoint.torch_files()),
            **told(None, device=self.device, dtype=self.dtype, what=self.name),
            "template": self.template.digest,
            "words": dict(self.words),
            "normalise": self.normalise,
            "unit": self.unit,
        }

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        return arithmetic(None, device=self.device, dtype=self.dtype, what=self.name)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        on, words = self._asked(scale)
        pairs = grouped(questions)
        texts = sorted(pairs, key=lambda pair: -len(pair[0]) - len(pair[1] or ""))
        for start in range(0, len(texts), WINDOW):
            window = texts[start : start + WINDOW]
            for pair, made in self._window(window, words):
                for key in pairs[pair]:
                    yield self._reply(key, made, on, scale)

    def shown(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Exactly what the model reads for a question: the prompt, then each label's text, cut into its tokens.

        `begins` holds the marks that the tokeniser puts in front. Needs the tokeniser, not the weights.
        """
        on, words = self._asked(scale)
        prompt = self.template.prompt((question.premise, question.hypothesis), words)
        (row,) = self._tokenised([prompt], words)
        cut, _ = self._prepared
        named, marks = cut.convert_ids_to_tokens, set(cut.all_special_tokens)
        endings = [
            {"label": label, "text": f" {word}", "tokens": named(end)}
            for label, word, end in zip(on.labels, words, row.endings, strict=True)
        ]
        begins = list(takewhile(marks.__contains__, named(row.prompt)))
        return [
            {
                "prompt": prompt,
                "begins": begins,
                "tokens": len(row.prompt),
                "longest": self.checkpoint.longest,
                "endings": endings,
            }
        ]

    def _asked(self, scale: Scale) -> tuple[Scale, list[str]]:
        """The scale the prompt asks on, and the text of each of its labels."""
        on = NLI if scale.numeric else scale
        odd = sorted(set(self.words) - set(on.labels))
        if odd:
            raise InputError(f"-M words names '{odd[0]}', which is not on the scale {on}; use its labels")
        return on, [self.words.get(label, label) for label in on.labels]

    def _window(self, window: Sequence[Texts], words: list[str]) -> Iterator[tuple[Texts, list[float] | str]]:
        """Each pair with a score for each word, or with why there is none."""
        rows = self._tokenised([self.template.prompt(pair, words) for pair in window], words)
        fits = [i for i, row in enumerate(rows) if row.length <= self.checkpoint.longest]
        for i, row in enumerate(rows):
            if row.length > self.checkpoint.longest:
                fact = f"too long: {row.length} tokens, the model takes {self.checkpoint.longest}"
                yield window[i], fact
        if not fits:
            return
        model, budget = self._loaded
        # At least one token of each prompt stays to be read, since its scores are what is wanted.
        start = min(shared_start([rows[i].prompt for i in fits]), min(len(rows[i].prompt) for i in fits) - 1)
        begun = model.begin(rows[fits[0]].prompt[:start])
        for batch in within_budget([rows[i].length for i in fits], self.batch_tokens or budget):
            chosen = [fits[i] for i in batch]
            scores = model.score([rows[i] for i in chosen], begun, start)
            for i, found in zip(chosen, scores, strict=True):
                yield window[i], self._normalised(found, rows[i], words)

    def _tokenised(self, prompts: Sequence[str], words: Sequence[str]) -> list[Asked]:
        cut, _ = self._prepared
        starts: list[Ids] = _ids(cut, prompts)
        ends = [_ids(cut, [f"{prompt} {word}" for prompt in prompts]) for word in words]
        return [asked(start, [end[i] for end in ends]) for i, start in enumerate(starts)]

    def _normalised(self, scores: Sequence[float], row: Asked, words: Sequence[str]) -> list[float]:
        if self.normalise == "none":
            return list(scores)
        by_tokens = self.normalise == "tokens"
        sizes = [len(end) for end in row.endings] if by_tokens else [len(word.encode()) for word in words]
        return [score / size for score, size in zip(scores, sizes, strict=True)]

    def _reply(self, key: str, found: list[float] | str, on: Scale, scale: Scale) -> Judgement:
        if isinstance(found, str):
            return Judgement(key, fault=found)
        table = softmax(np.array([found]))[0].tolist()
        probs = {label: short(p) for label, p in zip(on.labels, table, strict=True)}
        if scale.low is None or scale.high is None:
            return Judgement(key, best(probs), probs=probs)
        return Judgement(key, short(scale.low + rule(self.unit)(probs) * (scale.high - scale.low)))

    @cached_property
    def _prepared(self) -> tuple[Any, Place]:
        """The tokeniser and where the model will compute: all that is known before the weights are read."""
        from grice.judges._torch import place, tokenizer

        where = place(self.device, self.dtype, what=self.name)
        return tokenizer(self.checkpoint.folder), where

    @cached_property
    def _loaded(self) -> tuple[Causal, int]:
        """The model and its token budget."""
        from grice.judges._torch import load

        words, where = self._prepared
        self.checkpoint.torch_files()
        model = load("AutoModelForCausalLM", self.checkpoint.folder, where)
        return Causal(model, words.pad_token_id or 0), where.budget


def _ids(tokenizer: Any, texts: Sequence[str]) -> list[Ids]:
    """Token ids as the model expects a text to begin; a mark of the end, where one is added, is taken off."""
    rows: list[Ids] = tokenizer(list(texts))["input_ids"]
    end = tokenizer.eos_token_id
    return [row[:-1] if len(row) > 1 and row[-1] == end else row for row in rows]


def _pairs(words: str) -> dict[str, str]:
    found = {}
    for part in filter(None, (part.strip() for part in words.split(","))):
        label, colon, word = part.partition(":")
        if not colon or not word.strip():
            raise InputError(f"-M words takes LABEL:TEXT,…, not '{part}'")
        found[label.strip()] = word.strip()
    return found
