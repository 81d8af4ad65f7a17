"""What can be wrong with a set of pairs, made or published: repeats, clashing labels, balance,
slips, leaks.
"""
