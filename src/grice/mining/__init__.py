"""Pairs from any corpus: complements, conjuncts and swaps, found in sentences that people wrote."""
