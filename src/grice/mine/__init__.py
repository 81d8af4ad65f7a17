"""Corpora become data."""
