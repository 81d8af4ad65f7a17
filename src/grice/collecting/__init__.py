"""People as judges."""
