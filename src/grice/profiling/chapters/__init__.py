"""Registered chapters of a profile."""
