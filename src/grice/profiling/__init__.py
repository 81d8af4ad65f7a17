"""Profiles: one model, every phenomenon, one page."""
