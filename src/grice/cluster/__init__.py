"""Work distributed over local processes or a Ray cluster, with one scheduler for all commands."""

from __future__ import annotations

from grice.cluster.scheduler import LOCAL, Cluster, Job
from grice.cluster.workers import WorkerDied

__all__ = ["LOCAL", "Cluster", "Job", "WorkerDied"]
