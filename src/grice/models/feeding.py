"""Batches made by a separate process, for a device faster than one Python interpreter.

`python -m grice.models.feeding` is that process: it gets tokeniser and texts on its input and
writes batches to its output.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO

import numpy as np

from grice.core.progress import say
from grice.models.batching import Texts, TokenBatch, Tokens, longest_first, plan_batches

# So many texts are tokenised here while the other process starts; with fewer than twice as many it
# is not worth its start. A BERT of base size on an H200 reads them in half a second, and reaches
# 0.86 of a bare loop, 0.80 with 8,192 and 0.58 without another process.
HERE = 24576


def plan_apart(texts: Sequence[Texts], tokens: Tokens, budget: int) -> Iterator[TokenBatch]:
    """Yield the batches of `plan_batches`; for many texts, another process makes most of them.

    The longest texts are batched here meanwhile. If the process fails, the rest is made here.
    """
    if len(texts) < 2 * HERE:
        yield from plan_batches(texts, tokens, budget)
        return
    order = longest_first([len(first) + len(second or "") for first, second in texts])
    here, remote = order[:HERE], order[HERE:]
    left = set(remote)
    with _started(tokens, budget, [texts[i] for i in remote]) as child:
        try:
            yield from _moved(plan_batches([texts[i] for i in here], tokens, budget), here)
            for batch in _moved(_received(child.stdout), remote):
                left.difference_update(batch.places)
                yield batch
        finally:
            child.kill()
    if left:
        say(f"the process that makes batches ended early; {len(left):,} texts are tokenised here")
        rest = sorted(left)
        yield from _moved(plan_batches([texts[i] for i in rest], tokens, budget), rest)


def _started(tokens: Tokens, budget: int, texts: list[Texts]) -> subprocess.Popen[bytes]:
    """Start the other process; a thread sends it its work."""
    from threading import Thread

    path = os.pathsep.join(dict.fromkeys(filter(None, sys.path)))
    child = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )

    def hand_over() -> None:
        assert child.stdin is not None
        try:
            with child.stdin as into:
                pickle.dump((tokens, budget, texts), into, protocol=5)
        except OSError:  # the process has ended; the end of its output shows it
            return

    Thread(target=hand_over, daemon=True).start()
    return child


def _received(stream: IO[bytes] | None) -> Iterator[TokenBatch]:
    assert stream is not None
    try:
        while (batch := pickle.load(stream)) is not None:
            yield batch
    except (EOFError, OSError, pickle.UnpicklingError):
        return


def _moved(batches: Iterator[TokenBatch], places: Sequence[int]) -> Iterator[TokenBatch]:
    """Yield batches of some of the texts, their rows indexed among all texts."""
    for batch in batches:
        yield replace(batch, places=[places[i] for i in batch.places])


def main() -> None:
    """Make batches of the texts on the input until done, or until nobody reads them."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    tokens, budget, texts = pickle.load(sys.stdin.buffer)
    try:
        for batch in plan_batches(texts, tokens, budget):
            inputs = {name: array.astype(np.int32) for name, array in batch.inputs.items()}
            pickle.dump(replace(batch, inputs=inputs), out, protocol=5)
            out.flush()
        pickle.dump(None, out)
        out.flush()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
