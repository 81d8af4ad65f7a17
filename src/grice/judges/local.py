"""A local causal model: its tokeniser, chat template, few-shot examples and generation."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.item import Item, Question
from grice.core.item_file import read_items
from grice.judges.continuations import Continuations, Ids, split_endings
from grice.models.batching import paused_gc

# A label does not change how a prompt is tokenised up to this many tokens before its end.
TAIL = 8
# Number of sequences generated at once.
WRITTEN_TOGETHER = 64


@dataclass(frozen=True)
class TextWithEndings:
    """The full prompt, and its possible continuations: one text per label or number."""

    text: str
    endings: tuple[str, ...]


@dataclass(frozen=True)
class Chat:
    """The form of a prompt: the plain text, or a conversation by the model's chat template."""

    template: bool
    system: str = ""
    thinks: bool = False

    def render(
        self, tokenizer: Any, turns: Sequence[tuple[str, str]], question: str, join: str
    ) -> str:
        """Return the examples with their answers, the question, and the text before the answer."""
        if not self.template:
            examples = "".join(f"{example}{join}{answer}\n\n" for example, answer in turns)
            return f"{self.system}\n\n{examples}{question}" if self.system else examples + question
        messages = [{"role": "system", "content": self.system}] if self.system else []
        for example, answer in turns:
            messages += [
                {"role": "user", "content": example},
                {"role": "assistant", "content": answer},
            ]
        messages.append({"role": "user", "content": question})
        try:
            rendered: str = tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True, enable_thinking=self.thinks
            )
        except Exception as error:  # a template is a program, and may raise any error
            reason = (
                str(error).strip().splitlines()[0][:120]
                if str(error).strip()
                else type(error).__name__
            )
            raise InputError(
                f"the model's chat template refuses this ({reason}); try -M system= or -M chat=no"
            ) from None
        return rendered


def use_chat(tokenizer: Any, setting: str, what: str) -> bool:
    """Return whether to use the chat template.

    `auto` uses it wherever the model has one.
    """
    has = bool(getattr(tokenizer, "chat_template", None))
    if setting == "yes" and not has:
        raise InputError(
            f"{what} has no chat template; leave -M chat=yes out, or name an instruct model"
        )
    return has if setting == "auto" else setting == "yes"


@dataclass(frozen=True)
class Examples:
    """Items with gold to show before a question; the question itself is never among them."""

    items: tuple[Item, ...] = ()
    reading: str = ""
    seed: int = 0
    chosen: dict[int, list[Item]] = field(default_factory=dict, compare=False)

    @staticmethod
    def read(path: str, reading: str, seed: int) -> Examples:
        """Return the items of a JSON-lines file that have gold for a reading.

        By default this is the first reading in the file.
        """
        if not path:
            return Examples()
        data = read_items(Path(path))
        golds = list(data.readings)
        by = reading or (golds[0] if golds else "")
        if by not in golds:
            raise InputError(
                f"{path}: has no gold '{by}'; it has {', '.join(golds) or 'none'} (-M shots_gold=…)"
            )
        return Examples(tuple(item for item in data.items() if by in item.gold), by, seed)

    def draw(self, count: int, question: Question) -> list[Item]:
        """Draw `count` examples, balanced over the labels, in an order fixed by the seed."""
        if count not in self.chosen:
            self.chosen[count] = self._balanced(count + 1)
        texts = (question.premise, question.hypothesis)
        candidates = [
            item for item in self.chosen[count] if (item.premise, item.hypothesis) != texts
        ]
        return candidates[:count]

    def _balanced(self, count: int) -> list[Item]:
        """Draw `count` examples balanced over the labels.

        One more is drawn than shown, in case one of them is the question itself.
        """
        if len(self.items) < count:
            fact = f"{len(self.items)} examples with gold are given"
            raise InputError(
                f"{fact}, and {count} are needed (one to spare); name a longer file by -M"
                " shots_from=…"
            )
        rng = random.Random(self.seed)
        piles: dict[Any, list[Item]] = {}
        for item in rng.sample(self.items, len(self.items)):
            piles.setdefault(item.gold[self.reading], []).append(item)
        rows = [list(pile) for _, pile in sorted(piles.items(), key=lambda entry: str(entry[0]))]
        dealt = [
            pile[turn] for turn in range(max(map(len, rows))) for pile in rows if turn < len(pile)
        ]
        examples = dealt[: count - 1]
        rng.shuffle(examples)
        return [*examples, dealt[count - 1]]


class EndingTokens:
    """Tokenisation of endings, cached for each way in which a prompt ends.

    A label may change how the end of the prompt is tokenised, but not what stands `TAIL` tokens
    before it. Where it does, each prompt is tokenised with each of its labels.
    """

    def __init__(self, tokenizer: Any, *, special: bool) -> None:
        self.tokenizer, self.special = tokenizer, special
        self.known: dict[tuple[Any, ...], list[Ids] | None] = {}

    def tokenise(self, texts: Sequence[TextWithEndings]) -> list[Continuations]:
        """Return each text and its endings in tokens."""
        starts = ids_of(self.tokenizer, [entry.text for entry in texts], special=self.special)
        keys = [(entry.endings, *start[-TAIL:]) for entry, start in zip(texts, starts, strict=True)]
        first: dict[tuple[Any, ...], int] = {}
        for index, key in enumerate(keys):
            if key not in self.known and len(starts[index]) > TAIL:
                first.setdefault(key, index)
        for key, row in zip(first, self._whole([texts[i] for i in first.values()]), strict=True):
            same = row.prompt == starts[first[key]]
            self.known[key] = row.endings if same else None
        known = [self.known.get(key) for key in keys]
        rest = [index for index, endings in enumerate(known) if endings is None]
        recut_rows = dict(zip(rest, self._whole([texts[i] for i in rest]), strict=True))
        rows = zip(starts, known, strict=True)
        return [
            recut_rows[i] if ends is None else Continuations(start, ends)
            for i, (start, ends) in enumerate(rows)
        ]

    def _whole(self, prompts: Sequence[TextWithEndings]) -> list[Continuations]:
        starts = ids_of(self.tokenizer, [entry.text for entry in prompts], special=self.special)
        texts = [entry.text + end for entry in prompts for end in entry.endings]
        wholes = iter(ids_of(self.tokenizer, texts, special=self.special))
        return [
            split_endings(start, [next(wholes) for _ in entry.endings])
            for start, entry in zip(starts, prompts, strict=True)
        ]


def tokenise(
    tokenizer: Any, texts: Sequence[TextWithEndings], *, special: bool
) -> list[Continuations]:
    """Return each text and its endings in tokens.

    With `special` the tokeniser adds its own marks in front.
    """
    return EndingTokens(tokenizer, special=special).tokenise(texts)


def ids_of(tokenizer: Any, texts: Sequence[str], *, special: bool) -> list[Ids]:
    """Return token ids of texts, beginning as the model expects.

    An end mark that the tokeniser adds is removed.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        backend.no_padding()
        backend.no_truncation()
        with paused_gc:
            rows: list[Ids] = [
                encoding.ids
                for encoding in backend.encode_batch_fast(list(texts), add_special_tokens=special)
            ]
    else:
        rows = tokenizer(list(texts), add_special_tokens=special)["input_ids"]
    end = tokenizer.eos_token_id
    return [row[:-1] if special and len(row) > 1 and row[-1] == end else row for row in rows]


def write(
    model: Any, prompts: Sequence[Ids], *, longest: int, temperature: float, samples: int, seed: int
) -> list[list[Ids]]:
    """Generate `samples` continuations of each prompt.

    Prompts of equal length are batched, so that none is padded.
    """
    import torch

    sampling = {
        "do_sample": temperature > 0,
        **({"temperature": temperature, "top_k": 0, "top_p": 1.0} if temperature else {}),
    }
    outputs: list[list[Ids]] = [[] for _ in prompts]
    order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
    for size, group in groupby(order, key=lambda i: len(prompts[i])):
        same = list(group)
        step = max(1, WRITTEN_TOGETHER // samples)
        for first in range(0, len(same), step):
            some = same[first : first + step]
            ids = torch.tensor([prompts[i] for i in some], device=model.device)
            # The seed depends on an item's length and position, not on earlier items.
            torch.manual_seed(seed * 1_000_003 + size * 1009 + first)
            with torch.inference_mode():
                generated = model.generate(
                    ids,
                    attention_mask=torch.ones_like(ids),
                    max_new_tokens=longest,
                    num_return_sequences=samples,
                    **sampling,
                )
            for row, tokens in enumerate(generated[:, size:].tolist()):
                outputs[some[row // samples]].append(tokens)
    return outputs
