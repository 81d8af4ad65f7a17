"""Learners: one file each; file `x.py` defines `X`, whose `fit(train, dev)` gives a judge."""
