"""Linguistic theory shared by several packages: verb signatures, conjunctions, UNLI's slider."""
