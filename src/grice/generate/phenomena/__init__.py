"""The phenomena, one per file."""
