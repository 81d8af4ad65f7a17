"""From scores to trees: the best tree with one root (Chu-Liu/Edmonds), and how sure each attachment is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grice.models.batching import Array

NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Tree:
    """Heads of words 1 to n (0 is the root), their labels' places, and the probability of each head and label."""

    heads: Array
    labels: Array
    sure: Array


def decode(arcs: Array, labels: Array, root: int) -> Tree:
    """The best tree by arc scores, then the best label of each arc; `root` labels the one arc from the root alone.

    Both arrays have a row for the root in front, which is left out.
    """
    logs = log_softmax(_without_loops(arcs))
    heads = best_tree(logs)
    n = len(heads)
    chosen = labels[np.arange(1, n + 1), heads].astype(np.float64)
    below = heads != 0
    chosen[below, root] = NEVER
    chosen[~below] = NEVER
    chosen[~below, root] = 0
    by_label = log_softmax(chosen)
    best = by_label.argmax(-1)
    sure = np.exp(logs[np.arange(n), heads] + by_label[np.arange(n), best])
    return Tree(heads, best, sure)


def _without_loops(arcs: Array) -> Array:
    """Scores of words 1 to n without the word itself as its head."""
    scores = arcs[1:].astype(np.float64)
    places = np.arange(len(scores))
    scores[places, places + 1] = NEVER
    return scores


def log_softmax(scores: Array) -> Array:
    """Along the last axis."""
    shifted = scores - scores.max(-1, keepdims=True)
    made: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return made


def best_tree(logs: Array) -> Array:
    """The heads of the best tree with exactly one word below the root."""
    heads: Array = logs.argmax(-1)
    if (heads == 0).sum() == 1 and not _cycle(heads):
        return heads
    roots = np.argsort(-logs[:, 0])[:5]
    trees = [_rooted(logs, int(place)) for place in roots]
    totals = [logs[np.arange(len(logs)), tree].sum() for tree in trees]
    return trees[int(np.argmax(totals))]


def _rooted(logs: Array, place: int) -> Array:
    """The best tree in which this word, and no other, hangs on the root."""
    n = len(logs)
    scores = np.full((n + 1, n + 1), NEVER)
    scores[1:] = logs
    scores[1:, 0] = NEVER
    scores[place + 1] = NEVER
    scores[place + 1, 0] = 0.0
    return _edmonds(scores)[1:]


def _cycle(heads: Array) -> list[int]:
    """Words (from 1) that hang on each other in a circle; none where every word reaches the root."""
    above: list[int] = [0, *heads.tolist()]
    # The word from which each was first come by; a circle comes back to the one it began with.
    begun = [-1] * len(above)
    begun[0] = 0
    for start in range(1, len(above)):
        path, word = [], start
        while begun[word] < 0:
            begun[word] = start
            path.append(word)
            word = above[word]
        if word and begun[word] == start:
            return path[path.index(word) :]
    return []


def _edmonds(scores: Array) -> Array:
    """Chu-Liu/Edmonds on a matrix of (word, head) with the root as 0; circles are drawn together one after another."""
    heads: Array = scores.argmax(1)
    heads[0] = 0
    circle = np.array(_cycle(heads[1:]), np.intp)
    if not len(circle):
        return heads
    inside = np.zeros(len(scores), bool)
    inside[circle] = True
    outside = np.flatnonzero(~inside)
    own = scores[circle, heads[circle]]
    k = len(outside)
    smaller = np.full((k + 1, k + 1), NEVER)
    smaller[:k, :k] = scores[np.ix_(outside, outside)]
    leaving = scores[np.ix_(outside, circle)]
    smaller[:k, k] = leaving.max(1)
    entering = scores[np.ix_(circle, outside)] - own[:, None]
    smaller[k, :k] = entering.max(0)
    found = _edmonds(smaller)
    made: Array = heads.copy()
    for place in range(1, k):
        head = int(found[place])
        made[outside[place]] = circle[int(leaving[place].argmax())] if head == k else outside[head]
    broken = int(entering[:, found[k]].argmax())
    made[circle[broken]] = outside[found[k]]
    return made
