"""Resampling, pairing and correlation: what measures share."""
