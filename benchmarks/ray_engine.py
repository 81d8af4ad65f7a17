"""Ray, two workers against one process, where the work is single-threaded: the bar is 1.6 times,
same judgements.

Run: python benchmarks/ray_engine.py [--items 2048] [--workers 2]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from grice.cluster import Cluster
from grice.cluster.judging import asker
from grice.core.dataset import Dataset
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.storage.evaluation import evaluate


class Works:
    """A judge that computes on one core for a while, about 20 ms an item, and answers by the
    result.
    """

    name = "works"

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"rounds": 40_000}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        for question in questions:
            digest = question.id.encode()
            for _ in range(40_000):
                digest = hashlib.sha256(digest).digest()
            yield Judgement(question.id, scale.labels[digest[0] % 3])


def main() -> None:
    # Ray's workers step back for others by default; the comparison is between equals.
    os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--items", type=int, default=2048)
    flags.add_argument("--workers", type=int, default=2)
    given = flags.parse_args()
    data = Dataset.from_items("bench", NLI, [Item(f"b/{i}", "p", "h") for i in range(given.items)])
    start = time.perf_counter()
    alone = evaluate(data, Works())
    one_process = time.perf_counter() - start
    start = time.perf_counter()
    ray.init(
        "local",
        num_cpus=given.workers,
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
    )
    # A first small run starts the workers' interpreters, which a long run pays once.
    ask = asker(Works(), Cluster("ray", given.workers))
    evaluate(data.head(given.workers), Works(), ask=ask)
    starting = time.perf_counter() - start
    start = time.perf_counter()
    spread = evaluate(data, Works(), ask=ask)
    many = time.perf_counter() - start
    found = {
        "items": given.items,
        "one process, s": round(one_process, 2),
        f"{given.workers} workers, s": round(many, 2),
        "starting the cluster, s": round(starting, 2),
        "times": round(one_process / many, 2),
        "same judgements": alone.frame.equals(spread.frame),
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
