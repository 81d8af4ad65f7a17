"""The main job: one judge, every phenomenon, one page."""

from grice.profiling.work import Made, profile, report

__all__ = ["Made", "profile", "report"]
