"""Engine of the base install: ONNX Runtime on the CPU."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, first_line
from grice.models.batching import Array, TokenBatch
from grice.models.integers import adapt_graph

# A batch of this many tokens stays in a core's cache; twice as many took 5% longer.
BUDGET = 512


class Onnx:
    """One graph run by several single-threaded workers, faster than splitting a batch over cores.

    The first output gives the scores. Answers come in the order asked.
    """

    def __init__(self, path: Path, *, threads: int = 0) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        graph = adapt_graph(path)
        try:
            self.session = onnxruntime.InferenceSession(
                graph, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the runtime's exceptions share no base class
            why = first_line(error)
            raise InputError(
                f"{path}: ONNX Runtime cannot load it ({why}); export it again"
            ) from None
        self.names = [argument.name for argument in self.session.get_inputs()]
        self.threads = threads or _cores()

    def scores(self, batches: Iterable[TokenBatch]) -> Iterator[tuple[TokenBatch, Array]]:
        """Yield each batch with the graph's first output, in the order given."""
        return ((batch, outputs[0]) for batch, outputs in self.outputs(batches))

    def outputs(self, batches: Iterable[TokenBatch]) -> Iterator[tuple[TokenBatch, list[Array]]]:
        """Yield each batch with all outputs of the graph, in the order given."""
        waiting: deque[tuple[TokenBatch, Future[list[Array]]]] = deque()
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="onnx")
        try:
            for batch in batches:
                waiting.append((batch, pool.submit(self._run, batch)))
                if len(waiting) >= 2 * self.threads:
                    yield _done(waiting)
            while waiting:
                yield _done(waiting)
        finally:
            pool.shutdown(cancel_futures=True)

    def _run(self, batch: TokenBatch) -> list[Array]:
        inputs = {name: batch.inputs[name] for name in self.names}
        outputs: Any = self.session.run(None, inputs)
        return outputs  # type: ignore[no-any-return]


def _done(waiting: deque[tuple[TokenBatch, Future[list[Array]]]]) -> tuple[TokenBatch, list[Array]]:
    batch, future = waiting.popleft()
    return batch, future.result()


def _cores() -> int:
    """Return the number of cores this process may use, which a container may limit."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
