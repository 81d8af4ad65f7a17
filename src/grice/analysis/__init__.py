"""Measures: pure readings of joined judgements, one file each."""
