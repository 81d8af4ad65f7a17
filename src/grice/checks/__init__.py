"""Checks of a set of pairs: repeats, label conflicts, balance, surface errors, label leakage."""
