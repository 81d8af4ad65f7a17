"""Readers and downloaders of published files, shared by several datasets."""
