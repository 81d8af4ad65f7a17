"""Measures: pure functions of joined judgements, one file each."""
