"""Statistics that measures share: resampling, pairing and correlation."""
