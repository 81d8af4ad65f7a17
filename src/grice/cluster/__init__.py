"""Work spread over processes of this machine or a Ray cluster: one scheduler for judging, making,
mining and training.
"""

from __future__ import annotations

from grice.cluster.scheduler import Cluster, Job
from grice.cluster.workers import WorkerDied

__all__ = ["Cluster", "Job", "WorkerDied"]
