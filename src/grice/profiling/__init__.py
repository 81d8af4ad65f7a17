"""The main job: one judge, every phenomenon, one page."""
