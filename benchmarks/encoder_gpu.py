"""How fast encoders of base and large size answer on a GPU, beside a bare loop over batches that
were tokenised before the clock starts.

    python benchmarks/encoder_gpu.py [--pairs FILE.jsonl] [--count 100000] [--sizes base large]
    [--rounds 3] [--device cuda]

Random BERTs in bf16 with a WordPiece vocabulary of the pairs' own words, so that nothing needs to
be fetched. Passes are interleaved and the median of the rounds counts, after one that does not.
--device cpu --sizes tiny tries the script itself. Needs torch, transformers and tokenizers, not
polars.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.item import Question
from grice.core.scale import NLI
from grice.judges.providers.encoder import Encoder
from grice.models import torch as engine
from grice.models.batching import Array, TokenBatch, plan_batches, prefetch

# Hidden size, layers, heads, inner size.
SHAPES = {"tiny": (64, 2, 2, 128), "base": (768, 12, 12, 3072), "large": (1024, 24, 16, 4096)}


def main() -> None:
    flags = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    flags.add_argument(
        "--pairs", type=Path, default=None, help="JSON lines with premise and hypothesis, for core"
    )
    flags.add_argument("--count", type=int, default=100_000)
    flags.add_argument("--sizes", nargs="*", default=["base", "large"], choices=list(SHAPES))
    flags.add_argument("--rounds", type=int, default=3)
    flags.add_argument("--device", default="cuda")
    flags.add_argument("--json", type=Path, default=None, help="write the figures here too")
    given = flags.parse_args()
    asked = pairs(given.pairs, given.count)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for size in given.sizes:
            judge = random_judge(Path(scratch) / size, size, asked, given.device)
            figures[size] = row = measure(judge, asked, given.rounds)
            print(size, json.dumps(row), flush=True)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def pairs(path: Path | None, count: int) -> list[Question]:
    """So many different pairs: those of `core` or of a file, numbered where more are asked for than
    there are.
    """
    if path is None:
        import grice

        texts = [(q.premise, q.hypothesis or "") for q in grice.load("core").questions()]
    else:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        texts = [(line["premise"], line["hypothesis"]) for line in lines]
    texts = sorted(set(texts))
    many = ((f"{p} {n}" if n else p, h) for n in range(-(-count // len(texts))) for p, h in texts)
    return [Question(str(i), p, h) for i, (p, h) in enumerate(many)][:count]


def random_judge(folder: Path, size: str, asked: Sequence[Question], device: str) -> Encoder:
    """A BERT of random weights, drawn where it computes."""
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    made = BertWordPieceTokenizer()
    made.train_from_iterator(
        [f"{q.premise} {q.hypothesis}" for q in asked[:20_000]], vocab_size=8000
    )
    names = {f"{kind}_token": f"[{kind.upper()}]" for kind in ("unk", "sep", "pad", "cls", "mask")}
    words: Any = PreTrainedTokenizerFast(tokenizer_object=made._tokenizer, **names)  # type: ignore[no-untyped-call]
    words.backend_tokenizer.post_processor = _pairs_of(words)
    words.save_pretrained(folder)
    hidden, layers, heads, inner = SHAPES[size]
    config = BertConfig(
        vocab_size=30522,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=inner,
        id2label=dict(enumerate(NLI.labels)),
        label2id={name: i for i, name in enumerate(NLI.labels)},
        architectures=["BertForSequenceClassification"],
    )
    config.save_pretrained(folder)
    torch.manual_seed(0)
    with torch.device(device):
        drawn: Any = BertForSequenceClassification(config)  # type: ignore[no-untyped-call]
    model = drawn.to(torch.bfloat16 if device != "cpu" else torch.float32).eval()
    # The weights stay where they were drawn: writing and reading them again is not what is
    # measured.
    engine.load = lambda *_, **__: model
    Path(folder, "model.safetensors").touch()
    return Encoder(
        str(folder), engine="torch", device=device, dtype="bf16" if device != "cpu" else "fp32"
    )


def _pairs_of(words: Any) -> Any:
    from tokenizers.processors import TemplateProcessing

    marks = [(mark, words.convert_tokens_to_ids(mark)) for mark in ("[CLS]", "[SEP]")]
    both = "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1"
    return TemplateProcessing(single="[CLS]:0 $A:0 [SEP]:0", pair=both, special_tokens=marks)


def measure(judge: Encoder, asked: Sequence[Question], rounds: int) -> dict[str, Any]:
    """Pairs a second of judging, tokenising included, and of the bare loop."""
    ready = judge._model
    batches = list(
        plan_batches([(q.premise, q.hypothesis) for q in asked], ready.tokens, ready.budget)
    )
    model, device = ready.engine.model, ready.engine.where.device  # type: ignore[attr-defined]
    without = copy(judge)
    vars(without)["_model"] = replace(ready, engine=AtOnce())
    ways: dict[str, Callable[[], Any]] = {
        "bare loop": lambda: bare(model, batches, device),
        "grice": lambda: sum(1 for _ in judge.judge(asked, NLI)),
        "grice without the model": lambda: sum(1 for _ in without.judge(asked, NLI)),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if turn:
                times[name].append(time.perf_counter() - start)
    rates = {name: round(len(asked) / statistics.median(found)) for name, found in times.items()}
    tokens = sum(int(batch.inputs["attention_mask"].sum()) for batch in batches)
    return {
        "pairs": len(asked),
        "batches": len(batches),
        "tokens a pair": round(tokens / len(asked), 1),
        "pairs a second": rates,
        "grice over the bare loop": round(rates["grice"] / rates["bare loop"], 3),
    }


class AtOnce:
    """An engine that costs nothing: what our side alone can feed and read."""

    def scores(self, batches: Iterable[TokenBatch]) -> Iterator[tuple[TokenBatch, Array]]:
        for batch in prefetch(batches, engine.DEPTH):
            yield batch, np.zeros((len(batch.places), 3), dtype=np.float32)


def bare(model: Any, batches: Sequence[TokenBatch], device: str) -> list[Any]:
    """What one would write by hand: arrays to the device, the model, logits back."""
    import torch

    found = []
    with torch.inference_mode():
        for batch in batches:
            given = {
                name: torch.from_numpy(array).to(device) for name, array in batch.inputs.items()
            }
            found.append(model(**given).logits.float().cpu().numpy())
    return found


if __name__ == "__main__":
    main()
