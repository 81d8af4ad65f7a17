"""Workers that are actors of a Ray cluster, and how a cluster is joined."""

from __future__ import annotations

import math
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from grice.cluster.workers import Setup, Worker, WorkerDied
from grice.core.errors import GriceError, MissingExtra, first_line

LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Seconds to wait for a connection to a cluster.
CONNECT_SECONDS = 4.0
# Seconds without a result after which the cluster is looked at.
CHECK_SECONDS = 5.0


class RayActors:
    """Actors of a Ray cluster."""

    def __init__(
        self, make: Callable[[], Any], workers: int, setup: Setup | None, gpus: float
    ) -> None:
        if not os.environ.get("RAY_ADDRESS"):
            # A cluster of our own listens on loopback alone, as Ray's do on macOS and Windows. Ray
            # reads this when it is imported.
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        try:
            import ray as package
        except ImportError:
            raise MissingExtra("the ray engine", "ray") from None
        self.ray: Any = package
        self.gpus = gpus
        self.scratch = _connect(package, workers)
        _check_room(self.ray.cluster_resources(), workers, gpus)
        # Handed over once: a judge may carry a model.
        reference = package.put(make)
        actor = package.remote(num_cpus=1, num_gpus=gpus, max_restarts=0)(Worker)
        # Workers that may still wait for a node, each with a reference that ends that.
        self.unplaced: dict[Any, Any] = {}
        self.n_running = 0
        begin = LikeTheCommand.here(setup, gpus)

        def start_worker(number: int) -> Any:
            worker: Any = actor.remote(reference, begin, number, workers)
            self.unplaced[worker] = worker.__ray_ready__.remote()
            self.n_running += 1
            return worker

        self.start_worker: Callable[[int], Any] = start_worker

    def start(self, worker: Any, work: Any) -> Hashable:
        """Hand work to an actor."""
        reference: Hashable = worker.do.remote(work)
        return reference

    def wait(self, references: list[Any]) -> Iterable[Any]:
        """Return the first that has ended; see to lost nodes while none has."""
        while True:
            done: list[Any] = self.ray.wait(references, num_returns=1, timeout=CHECK_SECONDS)[0]
            if done:
                return done
            self._check_head()
            self._end_unplaced()

    def _check_head(self) -> None:
        """Raise an error if the head of the cluster is gone; Ray itself would end the process."""
        host, _, port = self.ray.get_runtime_context().gcs_address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError:
            raise GriceError(
                "the head of the Ray cluster does not answer any more; start it again, then run the"
                " same command to go on"
            ) from None

    def _end_unplaced(self) -> None:
        """End workers that wait for a node for which the cluster has no room left."""
        references = list(self.unplaced.values())
        waiting = self.ray.wait(references, num_returns=len(references), timeout=0)[1]
        self.unplaced = {w: r for w, r in self.unplaced.items() if r in waiting}
        if waiting and self.ray.available_resources().get("CPU", 0.0) < 1:
            total = self.ray.cluster_resources().get("CPU", 0.0)
            for worker in list(self.unplaced)[: max(0, math.ceil(self.n_running - total))]:
                self.ray.kill(worker)

    def has_room(self, workers: int) -> bool:
        """Return whether the nodes that are left have room for so many workers."""
        has = self.ray.cluster_resources()
        return bool(has.get("CPU", 0.0) >= workers and has.get("GPU", 0.0) >= self.gpus * workers)

    def end(self, worker: Any) -> None:
        """End an actor that failed."""
        self.n_running -= 1
        self.unplaced.pop(worker, None)
        self.ray.kill(worker)

    def result(self, reference: Any) -> Any:
        """Return the result of finished work, or raise its error."""
        try:
            return self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            # The error as the worker's code raised it, without Ray's wrapping, so that a mistake
            # stays one line.
            cause = getattr(error, "cause", None)
            raise (
                cause if isinstance(cause, GriceError) else GriceError(f"a worker failed: {error}")
            ) from None
        except (
            self.ray.exceptions.RayActorError,
            self.ray.exceptions.OutOfMemoryError,
            self.ray.exceptions.ObjectLostError,
            self.ray.exceptions.NodeDiedError,
        ):
            self._check_head()
            raise WorkerDied(
                "a Ray worker died, possibly out of memory; give it more memory"
            ) from None
        except self.ray.exceptions.RayError as error:
            raise GriceError(
                f"the Ray cluster failed ({first_line(error)}); run the same command to go on"
            ) from None

    def close(self, workers: Sequence[Any]) -> None:
        """End the actors, leave the cluster, and remove the files of a cluster started here."""
        with suppress(GriceError):
            self._check_head()
            for worker in workers:
                with suppress(self.ray.exceptions.RayError):
                    self.ray.kill(worker)
        if self.scratch is not None:
            self.ray.shutdown()
            if self.scratch:
                shutil.rmtree(self.scratch, ignore_errors=True)


@dataclass(frozen=True)
class LikeTheCommand:
    """Setup of a worker in the folder of the command and with its settings.

    Relative paths and the data folder then mean the same, and `sharing` workers share a GPU.
    """

    folder: str
    environment: Mapping[str, str]
    setup: Setup | None
    sharing: int

    @classmethod
    def here(cls, setup: Setup | None, gpus: float) -> LikeTheCommand:
        """Return the setup for workers of this process, each with so many GPUs."""
        environment = {key: text for key, text in os.environ.items() if key.startswith("GRICE_")}
        return cls(str(Path.cwd()), environment, setup, max(1, int(1 / gpus)) if gpus else 1)

    def __call__(self, number: int, workers: int) -> None:  # noqa: ARG002
        """Enter the folder, where this machine has it, and run the inner setup."""
        with suppress(OSError):
            os.chdir(self.folder)
        os.environ.update(self.environment)
        if self.setup is not None:
            # Ray gives each worker its cores, and shows it its own GPUs alone.
            self.setup(0, self.sharing)


def _connect(package: Any, workers: int) -> str | None:
    """Join the cluster of `RAY_ADDRESS` or of this process; otherwise start one here.

    Returns the folder of a cluster that was started here, which goes at the end; an empty one if
    the cluster was joined, and None if this process had joined it before.
    """
    if package.is_initialized():
        return None
    quiet = {"log_to_driver": False, "configure_logging": False}
    address = os.environ.get("RAY_ADDRESS")
    if address:
        _check_address(address)
    scratch = "" if address else tempfile.mkdtemp(prefix="grice-ray-")
    try:
        if address:
            package.init(**quiet)
        else:
            cores = max(workers, os.cpu_count() or 1)
            # "local" starts one of our own; without it Ray joins whatever cluster last ran on this
            # machine.
            # The token is of this cluster alone; one in a file would stay for later clusters.
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex())
            package.init(
                "local", num_cpus=cores, include_dashboard=False, _temp_dir=scratch, **quiet
            )
    except (OSError, RuntimeError, ValueError, package.exceptions.RayError) as error:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)
        reason = first_line(error)
        where = f"at RAY_ADDRESS={address}" if address else "here"
        raise GriceError(
            f"no Ray cluster could be joined {where} ({reason}); check or unset RAY_ADDRESS and"
            " RAY_AUTH_MODE"
        ) from None
    return scratch


def _check_address(address: str) -> None:
    """Raise an error unless something listens at `host:port`; Ray would try for over a minute.

    Words such as `auto`, and what is no address, are Ray's own to read.
    """
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        return
    if not host or not port:
        return
    # Ray puts this machine's own address in the place of loopback, so a cluster may listen there
    # alone.
    hosts = [host, socket.gethostname()] if host in LOOPBACK else [host]
    why = ""
    for candidate in hosts:
        try:
            socket.create_connection((candidate, port), timeout=CONNECT_SECONDS).close()
            return
        except OSError as error:
            why = why or error.strerror or str(error)
    raise GriceError(
        f"nothing answers at RAY_ADDRESS={address} ({why}); start a cluster there ('ray start"
        " --head'), or unset RAY_ADDRESS for one of this command's own"
    )


def _check_room(has: Mapping[str, float], workers: int, gpus: float) -> None:
    """Raise an error if the cluster is too small: workers without resources would wait forever."""
    for kind, per_worker in (("CPU", 1.0), ("GPU", gpus)):
        if has.get(kind, 0.0) < per_worker * workers:
            raise GriceError(
                f"{workers} workers need {per_worker * workers:g} {kind}s and the cluster has"
                f" {has.get(kind, 0.0):g}; ask for fewer with --workers, or less for each with"
                " --gpus"
            )
