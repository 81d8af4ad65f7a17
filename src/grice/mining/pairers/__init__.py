"""The shelf of pairers: what makes pairs of a parsed sentence."""
