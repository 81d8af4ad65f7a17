"""What the regression gate says of models whose truth is known.

python -m benchmarks.gate [--cases 200] [--paradigms 800] [--items 8]
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.storage.run import Run
from grice.verbs.gate import gate

KINDS = ("implicature", "presupposition", "veridicality", "conjunction")
# A case changes the replies of the new model; the number is its true loss of accuracy.
Change = Callable[[random.Random, Item, str], str | None]


def data_of(paradigms: int, items: int) -> Dataset:
    """Items in paradigms of one size, with labels in turn and four kinds."""
    return Dataset.from_items(
        "gate",
        NLI,
        [
            Item(
                f"g/{p}-{i}",
                f"Premise {p}.",
                f"Hypothesis {i}.",
                {"label": NLI.labels[(p + i) % 3]},
                group=f"p{p}",
                tags={"kind": KINDS[p % 4]},
            )
            for p in range(paradigms)
            for i in range(items)
        ],
    )


def replies(
    data: Dataset, rng: random.Random, accuracy: float, shared: Mapping[str, float]
) -> dict[str, str | None]:
    """Right answers with this probability; `shared` draws make models err on the same items."""
    return {
        item.id: (
            str(item.gold["label"])
            if 0.5 * shared[item.id] + 0.5 * rng.random() < _threshold(accuracy)
            else wrong(rng, str(item.gold["label"]))
        )
        for item in data.items()
    }


def _threshold(accuracy: float) -> float:
    """The value that the mean of two uniform draws is below with this probability."""
    tail = min(accuracy, 1 - accuracy) / 2
    return math.sqrt(tail) if accuracy <= 0.5 else 1 - math.sqrt(tail)


def wrong(rng: random.Random, gold: str) -> str:
    """A label that is not the gold one."""
    return rng.choice([label for label in NLI.labels if label != gold])


def run_of(data: Dataset, name: str, answers: Mapping[str, str | None]) -> Run:
    """A run in memory: None is an invalid response, a missing item is pending."""
    return Run.recorded(
        data,
        name,
        [
            Judgement(key, answer) if answer else Judgement(key, fault="refused: no")
            for key, answer in answers.items()
        ],
    )


def case(data: Dataset, kind: str, loss: float, seed: int) -> tuple[Run, Run]:
    """The new and the old model of a case."""
    rng = random.Random(f"{kind}/{loss}/{seed}")
    shared = {item.id: rng.random() for item in data.items()}
    accuracy = rng.uniform(0.6, 0.95)
    old = replies(data, rng, accuracy, shared)
    new = replies(data, rng, accuracy, shared)
    items = {item.id: item for item in data.items()}
    if kind == "drop":
        new = replies(data, rng, accuracy - loss, shared)
    elif kind == "refusals":
        new = {key: None if rng.random() < loss else answer for key, answer in new.items()}
    elif kind == "incomplete":
        new = {key: answer for key, answer in new.items() if rng.random() >= loss}
    elif kind == "one kind":
        new = {
            key: (
                wrong(rng, str(items[key].gold["label"]))
                if items[key].tags["kind"] == KINDS[seed % 4] and rng.random() < loss * 2
                else answer
            )
            for key, answer in new.items()
        }
    elif kind == "identical":
        new = dict(old)
    return run_of(data, "new", new), run_of(data, "old", old)


def main() -> None:
    """Print how often each kind of case gets each outcome."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--paradigms", type=int, default=800)
    parser.add_argument("--items", type=int, default=8)
    parser.add_argument("--margin", type=float, default=0.03)
    args = parser.parse_args()
    data, start = data_of(args.paradigms, args.items), time.perf_counter()
    print(f"{len(data):,} items in {args.paradigms} paradigms, margin {args.margin:g}")
    worse = [
        (kind, loss)
        for kind in ("drop", "refusals", "incomplete", "one kind")
        for loss in (0.05, 0.1, 0.2, 0.3)
    ]
    per = -(-args.cases // len(worse))
    total: Counter[str] = Counter()
    for kind, loss in worse:
        counts = Counter(
            gate(*case(data, kind, loss, seed), margin=args.margin).outcome.value
            for seed in range(per)
        )
        total += counts
        print(f"worse: {kind} {loss:g}: {dict(counts)}")
    print(f"worse in all: {dict(total)}")
    equal = Counter(
        gate(*case(data, "equal", 0, seed), margin=args.margin).outcome.value
        for seed in range(args.cases)
    )
    print(f"equal: {dict(equal)}")
    same = gate(*case(data, "identical", 0, 0), margin=args.margin).outcome.value
    print(f"identical answers: {same}")
    few = data_of(5, args.items)
    little = Counter(
        gate(*case(few, kind, 1.0 if kind == "drop" else 0, seed), margin=args.margin).outcome.value
        for kind in ("equal", "identical")
        for seed in range(20)
    )
    print(f"5 paradigms: {dict(little)}")
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
