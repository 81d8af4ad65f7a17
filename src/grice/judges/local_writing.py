"""What a local model writes after a prompt: its reasoning, or its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grice.core.item import Question
from grice.judges.continuations import Ids
from grice.judges.local import ids_of, write
from grice.judges.local_asking import HfSettings, LocalAsking, Outcome, PromptUnit
from grice.judges.readout import read
from grice.judges.reply import Reply


@dataclass(frozen=True)
class LocalWriter:
    """A causal model that writes; `longest` is the number of tokens that it takes."""

    model: Any
    longest: int
    settings: HfSettings

    def write(self, prompts: Sequence[Ids], longest: int, samples: int = 1) -> list[list[Ids]]:
        """Return the tokens that the model writes after each prompt, in each sample."""
        settings = self.settings
        how = {"temperature": settings.temperature, "samples": samples, "seed": settings.seed}
        return write(self.model, prompts, longest=longest, **how)  # type: ignore[arg-type]

    def written(
        self, units: Sequence[PromptUnit], asking: LocalAsking
    ) -> Iterator[tuple[PromptUnit, Outcome]]:
        """Yield each unit by what the model writes, in as many samples as requested."""
        tokenizer = asking.tokenizer
        room = self.settings.max_tokens + max(unit[1].think for unit in units)
        prompts = [asking.prompt(Question("", *unit[0]), unit[1]) for unit in units]
        texts = [asking.render(Question("", *u[0]), u[1]) for u in units]
        ids = ids_of(tokenizer, texts, special=asking.special)
        fits = [i for i, row in enumerate(ids) if len(row) + room <= self.longest]
        for i in set(range(len(units))) - set(fits):
            fact = f"{len(ids[i])} tokens and {room} to write, the model takes {self.longest}"
            yield units[i], Outcome.fault(f"too long: {fact}")
        outputs = self.write([ids[i] for i in fits], room, self.settings.samples)
        end = {tokenizer.eos_token_id, *_ends(self.model)}
        for i, samples in zip(fits, outputs, strict=True):
            prompt = prompts[i]
            replies = []
            for tokens in samples:
                stop = next((n for n, token in enumerate(tokens) if token in end), None)
                text = tokenizer.decode(tokens[:stop], skip_special_tokens=False)
                text = text if asking.chat.template else text.strip().partition("\n")[0]
                cut_off = stop is None and asking.chat.template
                replies.append(
                    Reply(
                        prompt.labels,
                        words=prompt.words,
                        text=text,
                        finish="length" if cut_off else "stop",
                        lettered=prompt.lettered,
                    )
                )
            yield (
                units[i],
                Outcome.of_replies(
                    replies, [read(r, "text", asking.on) for r in replies], asking.on
                ),
            )


def _ends(model: Any) -> list[int]:
    """Return the tokens at which a model stops writing."""
    ends = getattr(model.generation_config, "eos_token_id", None)
    return ends if isinstance(ends, list) else [] if ends is None else [ends]
