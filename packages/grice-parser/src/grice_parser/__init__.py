"""The built-in English parser of `grice mine`: data files without code."""

__version__ = "0.1.0"
