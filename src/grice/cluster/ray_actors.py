"""Workers that are actors of a Ray cluster, and how a cluster is joined."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from grice.cluster.workers import Setup, Worker, WorkerDied
from grice.core.errors import GriceError, MissingExtra, first_line

LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Seconds to wait for a connection to a cluster.
CONNECT_SECONDS = 4.0


class RayActors:
    """Actors of a Ray cluster."""

    def __init__(
        self, make: Callable[[], Any], workers: int, setup: Setup | None, gpus: float
    ) -> None:
        try:
            import ray as package
        except ImportError:
            raise MissingExtra("the ray engine", "ray") from None
        self.ray: Any = package
        self.started_here = _connect(package, workers)
        _check_room(self.ray.cluster_resources(), workers, gpus)
        # Handed over once: a judge may carry a model.
        reference = package.put(make)
        actor = package.remote(num_cpus=1, num_gpus=gpus, max_restarts=0)(Worker)
        self.start_worker: Callable[[int], Any] = lambda number: actor.remote(
            reference, setup, number, workers
        )

    def start(self, worker: Any, work: Any) -> Hashable:
        """Hand work to an actor."""
        reference: Hashable = worker.do.remote(work)
        return reference

    def wait(self, references: list[Any]) -> Iterable[Any]:
        """Return the first that has ended."""
        done: list[Any] = self.ray.wait(references, num_returns=1)[0]
        return done

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
        except (self.ray.exceptions.ActorDiedError, self.ray.exceptions.ActorUnavailableError):
            raise WorkerDied(
                "a Ray worker died, possibly out of memory; give it more memory"
            ) from None

    def close(self, workers: Sequence[Any]) -> None:
        """End the actors, and the cluster if it was started here."""
        for worker in workers:
            self.ray.kill(worker)
        if self.started_here:
            self.ray.shutdown()


def _connect(package: Any, workers: int) -> bool:
    """Join the cluster of `RAY_ADDRESS` or of this process; otherwise start one here."""
    if package.is_initialized():
        return False
    quiet = {"log_to_driver": False, "configure_logging": False}
    address = os.environ.get("RAY_ADDRESS")
    if address:
        _check_address(address)
    try:
        if address:
            package.init(**quiet)
        else:
            cores = max(workers, os.cpu_count() or 1)
            # "local" starts one of our own; without it Ray joins whatever cluster last ran on this
            # machine.
            package.init("local", num_cpus=cores, include_dashboard=False, **quiet)
    except (OSError, RuntimeError, ValueError, package.exceptions.RayError) as error:
        reason = first_line(error)
        where = f"at RAY_ADDRESS={address}" if address else "here"
        raise GriceError(
            f"no Ray cluster could be joined {where} ({reason}); check or unset RAY_ADDRESS and"
            " RAY_AUTH_MODE"
        ) from None
    return True


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
