"""The shelf of chapters of a profile."""
