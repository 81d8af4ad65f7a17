"""Signals against a mined pair: named boolean tests of a place in a sentence.

A signal that fires is a feature of the pair's confidence and lowers it as much as readings say.
"""
