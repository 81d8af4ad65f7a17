"""Data generation from a grammar and a lexicon."""
