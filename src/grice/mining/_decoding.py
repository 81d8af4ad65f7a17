"""Decode scores into the best tree with one root (Chu-Liu/Edmonds), with probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grice.models.batching import Array

NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Tree:
    """Heads of words 1 to n (0 is the root), label indices, and the probability of each pair."""

    heads: Array
    labels: Array
    sure: Array


def decode(arcs: Array, labels: Array, root: int) -> Tree:
    """Return the best tree by arc scores with the best label of each arc.

    Args:
        arcs: Scores of (word, head); the first row, of the root, is left out.
        labels: Scores of (word, head, label), likewise.
        root: The label of the one arc from the root, and of no other.
    """
    logs = log_softmax(_without_loops(arcs))
    heads = best_tree(logs)
    n = len(heads)
    at_heads = labels[np.arange(1, n + 1), heads].astype(np.float64)
    is_below = heads != 0
    at_heads[is_below, root] = NEVER
    at_heads[~is_below] = NEVER
    at_heads[~is_below, root] = 0
    by_label = log_softmax(at_heads)
    best = by_label.argmax(-1)
    sure = np.exp(logs[np.arange(n), heads] + by_label[np.arange(n), best])
    return Tree(heads, best, sure)


def _without_loops(arcs: Array) -> Array:
    """Return the scores of words 1 to n, none of which is its own head."""
    scores = arcs[1:].astype(np.float64)
    words = np.arange(len(scores))
    scores[words, words + 1] = NEVER
    return scores


def log_softmax(scores: Array) -> Array:
    """Return the log-softmax along the last axis."""
    shifted = scores - scores.max(-1, keepdims=True)
    logs: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return logs


def best_tree(logs: Array) -> Array:
    """Return the heads of the best tree with exactly one word below the root."""
    heads: Array = logs.argmax(-1)
    if (heads == 0).sum() == 1 and not _find_cycle(heads):
        return heads
    roots = np.argsort(-logs[:, 0])[:5]
    trees = [_best_tree_below(logs, int(root)) for root in roots]
    totals = [logs[np.arange(len(logs)), tree].sum() for tree in trees]
    return trees[int(np.argmax(totals))]


def _best_tree_below(logs: Array, word: int) -> Array:
    """Return the best tree in which this word, and no other, depends on the root."""
    n = len(logs)
    scores = np.full((n + 1, n + 1), NEVER)
    scores[1:] = logs
    scores[1:, 0] = NEVER
    scores[word + 1] = NEVER
    scores[word + 1, 0] = 0.0
    return _edmonds(scores)[1:]


def _find_cycle(heads: Array) -> list[int]:
    """Return words (from 1) that depend on each other in a cycle; empty if there is none."""
    above: list[int] = [0, *heads.tolist()]
    # The word from which each was first reached; a cycle returns to the one that it began with.
    reached_from = [-1] * len(above)
    reached_from[0] = 0
    for start in range(1, len(above)):
        path, word = [], start
        while reached_from[word] < 0:
            reached_from[word] = start
            path.append(word)
            word = above[word]
        if word and reached_from[word] == start:
            return path[path.index(word) :]
    return []


def _edmonds(scores: Array) -> Array:
    """Run Chu-Liu/Edmonds on a matrix of (word, head) with the root as 0."""
    heads: Array = scores.argmax(1)
    heads[0] = 0
    cycle = np.array(_find_cycle(heads[1:]), np.intp)
    if not len(cycle):
        return heads
    # The cycle is contracted to one word, k, and the smaller tree is solved.
    is_inside = np.zeros(len(scores), bool)
    is_inside[cycle] = True
    outside = np.flatnonzero(~is_inside)
    cycle_scores = scores[cycle, heads[cycle]]
    k = len(outside)
    contracted = np.full((k + 1, k + 1), NEVER)
    contracted[:k, :k] = scores[np.ix_(outside, outside)]
    leaving = scores[np.ix_(outside, cycle)]
    contracted[:k, k] = leaving.max(1)
    entering = scores[np.ix_(cycle, outside)] - cycle_scores[:, None]
    contracted[k, :k] = entering.max(0)
    inner_heads = _edmonds(contracted)
    expanded: Array = heads.copy()
    for word in range(1, k):
        head = int(inner_heads[word])
        in_cycle = cycle[int(leaving[word].argmax())]
        expanded[outside[word]] = in_cycle if head == k else outside[head]
    broken = int(entering[:, inner_heads[k]].argmax())
    expanded[cycle[broken]] = outside[inner_heads[k]]
    return expanded
