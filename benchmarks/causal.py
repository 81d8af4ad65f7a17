"""How fast a causal model is asked by label texts: grice beside a loop over whole texts, lm-eval,
and reading each prompt once.

    python benchmarks/causal.py [--items 120] [--model FOLDER] [--rounds 3] [--lm-eval 16]
    python benchmarks/causal.py --model FOLDER --lm-eval 8 16 --lm-eval-only
    python benchmarks/causal.py --gpu [--items 6090] [--sizes 0.13 0.95 3.1] [--rounds 3]

Passes are interleaved and the median of the rounds counts. The floor has its tokens ready
beforehand and reads each prompt once, for the scores of its last place alone. Processor time is
compared too, since on a busy machine the clock tells little. Without --model a random Llama is
made; --lm-eval names batch sizes of its hf backend.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.judges.causal import Causal
from grice.judges.providers.hf import Hf
from grice.models.batching import split_by_budget
from grice.models.torch import BUDGET

# Hidden size, layers, heads, inner size: parameters in thousands of millions by name.
SHAPES = {"0.13": (576, 30, 9, 1536), "0.95": (2048, 16, 32, 5632), "3.1": (3072, 24, 24, 8192)}
VOCABULARY = 49152


def main() -> None:
    flags = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    flags.add_argument(
        "--items", type=int, default=0, help="how many pairs of core (120; 6,090 with --gpu)"
    )
    flags.add_argument(
        "--pairs",
        type=Path,
        default=None,
        help="JSON lines with premise and hypothesis in their place",
    )
    flags.add_argument("--model", type=Path, default=None)
    flags.add_argument("--sizes", nargs="*", default=list(SHAPES))
    flags.add_argument("--rounds", type=int, default=3)
    flags.add_argument("--lm-eval", nargs="*", type=int, default=[], dest="lm_eval")
    flags.add_argument(
        "--lm-eval-only",
        action="store_true",
        help="measure nothing else beside it; for a busy machine",
    )
    flags.add_argument("--gpu", action="store_true")
    flags.add_argument("--json", type=Path, default=None, help="write the figures here too")
    given = flags.parse_args()
    asked = questions(given.pairs, given.items or (6090 if given.gpu else 120))
    figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        if given.model:
            judge = Hf(str(given.model), chat="no")
            figures[given.model.name] = measure(
                judge, asked, given.rounds, given.lm_eval, skip_others=given.lm_eval_only
            )
        for size in [] if given.model else given.sizes if given.gpu else given.sizes[:1]:
            judge = random_judge(Path(scratch) / size, size, asked, gpu=given.gpu)
            figures[size] = measure(judge, asked, given.rounds, given.lm_eval)
    for name, row in figures.items():
        print(name, json.dumps(row))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def questions(path: Path | None, count: int) -> list[Question]:
    """Pairs of the suite `core`, or of a file."""
    if path is None:
        import grice

        return list(grice.load("core").questions())[:count]
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Question(str(i), line["premise"], line["hypothesis"])
        for i, line in enumerate(lines[:count])
    ]


def random_judge(folder: Path, size: str, asked: Sequence[Question], *, gpu: bool) -> Hf:
    """A Llama of random weights with a tokeniser that cuts the labels into 3, 1 and 1 tokens."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    kinds: dict[str, Any] = {
        "special_tokens": ["<s>", "</s>", "<pad>"],
        "initial_alphabet": pre_tokenizers.ByteLevel.alphabet(),
    }
    words = [
        "Premise: Hypothesis: Given the premise, the hypothesis is one of: neutral, contradiction."
        " Answer:"
    ] * 9
    texts = [f"{q.premise} {q.hypothesis}" for q in asked]
    made.train_from_iterator(
        [*words, " entail ment", *texts], trainers.BpeTrainer(vocab_size=8000, **kinds)
    )
    marks = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    tokenizer: Any = PreTrainedTokenizerFast(tokenizer_object=made, **marks)  # type: ignore[no-untyped-call]
    hidden, layers, heads, inner = SHAPES[size]
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads // (3 if heads % 3 == 0 else 4),
        intermediate_size=inner,
        max_position_embeddings=2048,
    )
    torch.manual_seed(0)
    with torch.device("cuda" if gpu else "cpu"):
        drawn: Any = LlamaForCausalLM(config)  # type: ignore[no-untyped-call]
        model = drawn.to(torch.bfloat16 if gpu else torch.float32).eval()
    tokenizer.save_pretrained(folder)
    config.save_pretrained(folder)
    judge = Hf(str(folder), dtype="bf16" if gpu else "fp32", device="cuda" if gpu else "cpu")
    # The weights stay where they were drawn: writing and reading them again is not what is
    # measured.
    vars(judge)["_loaded"] = (
        Causal(model, tokenizer.pad_token_id),
        BUDGET["cuda" if gpu else "cpu"],
    )
    vars(judge)["_prepared"] = (tokenizer, judge._prepared[1])
    return judge


def measure(
    judge: Hf,
    asked: Sequence[Question],
    rounds: int,
    lm_eval: Sequence[int],
    *,
    skip_others: bool = False,
) -> dict[str, Any]:
    """Items a second of each way, the median of interleaved rounds, after one round that is not
    counted.
    """
    asking = judge._asking(NLI)
    method = judge.methods.methods[0]
    texts = [asking.texts(question, method) for question in asked]
    from grice.judges.local import tokenise

    rows = tokenise(judge._prepared[0], texts, special=asking.special)
    model, budget = judge._loaded
    ways: dict[str, Callable[[], Any]] = {
        "ours": lambda: list(judge.judge(asked, NLI)),
        "whole texts": lambda: whole_texts(
            model, [row.prompt + end for row in rows for end in row.endings], budget
        ),
        "floor": lambda: floor(model, [row.prompt for row in rows], budget),
    }
    for batch in lm_eval:
        ways[f"lm-eval, batch {batch}"] = lm_eval_way(judge, rows, batch)
    if skip_others:
        ways = {
            name: way for name, way in ways.items() if name == "ours" or name.startswith("lm-eval")
        }
    times: dict[str, list[float]] = {name: [] for name in ways}
    worked: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, way in ways.items():
            start, at_work = time.perf_counter(), time.process_time()
            way()
            _synchronize()
            if turn:
                times[name].append(time.perf_counter() - start)
                worked[name].append(time.process_time() - at_work)
    rates = {name: round(len(asked) / statistics.median(found), 1) for name, found in times.items()}
    best = max((rates[name] for name in rates if name.startswith("lm-eval")), default=None)
    busy = {name: statistics.median(found) for name, found in worked.items()}
    least = min((busy[name] for name in busy if name.startswith("lm-eval")), default=None)
    parameters = sum(weights.numel() for weights in model.model.parameters())
    return {
        "parameters": parameters,
        "items": len(asked),
        "tokens a prompt": round(statistics.fmean(len(row.prompt) for row in rows), 1),
        "tokens of the labels": [len(end) for end in rows[0].endings],
        "items a second": rates,
        **(
            {"ours over the floor": round(rates["ours"] / rates["floor"], 3)}
            if "floor" in rates
            else {}
        ),
        **({"ours over lm-eval": round(rates["ours"] / best, 2)} if best else {}),
        **({"ours over lm-eval by CPU time": round(least / busy["ours"], 2)} if least else {}),
        "largest difference to whole texts": largest_difference(judge, asked, rows, model),
    }


def floor(model: Causal, prompts: Sequence[list[int]], budget: int) -> None:
    """Each prompt read once, and its last scores looked at."""
    import torch

    with torch.inference_mode():
        for batch in split_by_budget([len(row) for row in prompts], budget):
            logits = model.model(
                input_ids=_ids(model, [prompts[i] for i in batch]), logits_to_keep=1
            ).logits
            logits[:, -1].argmax(-1)


def whole_texts(model: Causal, texts: Sequence[list[int]], budget: int) -> None:
    """Every prompt with every label read whole, and the scores of all its places looked at."""
    import torch

    with torch.inference_mode():
        for batch in split_by_budget([len(row) for row in texts], budget):
            logits = model.model(
                input_ids=_ids(model, [texts[i] for i in batch]), logits_to_keep=4
            ).logits
            torch.log_softmax(logits.float(), dim=-1).sum().item()


def _ids(model: Causal, rows: Sequence[list[int]]) -> Any:
    ids = np.full((len(rows), max(map(len, rows))), model.pad, dtype=np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
    return model._move(ids)


def lm_eval_way(judge: Hf, rows: Sequence[Any], batch: int) -> Callable[[], Any]:
    """The same prompts and labels by lm-evaluation-harness's own loop over requests."""
    from lm_eval.models.huggingface import HFLM

    tokenizer = judge._prepared[0]
    harness = HFLM(pretrained=judge._loaded[0].model, tokenizer=tokenizer, batch_size=batch)
    requests = [(("", ""), row.prompt, end) for row in rows for end in row.endings]
    return lambda: harness._loglikelihood_tokens(requests, disable_tqdm=True)


def largest_difference(
    judge: Hf, asked: Sequence[Question], rows: Sequence[Any], model: Causal
) -> float:
    """Between our log-probabilities and those of whole texts read one at a time, over twenty items."""
    import torch

    found: dict[str, Judgement] = {one.item: one for one in judge.judge(asked[:20], NLI)}
    gaps = []
    for question, row in zip(asked[:20], rows, strict=False):
        kept = json.loads(found[question.id].raw or "")["scores"][0]["logprobs"]
        for ours, end in zip(kept, row.endings, strict=True):
            with torch.inference_mode():
                logits = model.model(input_ids=_ids(model, [row.prompt + end])).logits[0].float()
            logs = torch.log_softmax(logits, dim=-1)
            places = range(len(row.prompt) - 1, len(row.prompt) + len(end) - 1)
            gaps.append(
                abs(ours - sum(float(logs[p, t]) for p, t in zip(places, end, strict=True)))
            )
    return float(round(max(gaps), 6))


def _synchronize() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
