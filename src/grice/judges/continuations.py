"""A prompt and the texts that may follow it, in tokens.

Beginnings that several of these texts share are stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

Ids = list[int]
# Prompts that share fewer tokens are read separately.
SHORTEST_GROUPED = 6


@dataclass(frozen=True)
class Continuations:
    """A prompt in tokens and, for each label, the tokens that continue it."""

    prompt: Ids
    endings: list[Ids]

    @property
    def length(self) -> int:
        """Tokens of the prompt with its longest ending."""
        return len(self.prompt) + max(map(len, self.endings))

    @property
    def tree(self) -> EndingTree:
        """The endings as a tree."""
        return plan_tree(tuple(map(tuple, self.endings)))


@dataclass(frozen=True)
class EndingTree:
    """The tokens to read after the prompt to score every ending: all but each ending's last.

    `parents` has the index of the token before, -1 for the prompt's last. `reads` has for each
    ending the indices whose scores count and the token to look up there.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    reads: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def is_chain(self) -> bool:
        """Whether no two endings part after their first token, so that they are a plain text."""
        return self.parents == tuple(range(-1, len(self.parents) - 1))

    def ancestors(self, node: int) -> list[int]:
        """Return a token and those before it, up to the prompt."""
        nodes = []
        while node >= 0:
            nodes.append(node)
            node = self.parents[node]
        return nodes[::-1]

    def chains(self) -> list[EndingTree]:
        """Return the same endings as several plain texts.

        Each ending is scored in the first text that has it.
        """
        inner = set(self.parents)
        paths = [self.ancestors(node) for node in range(len(self.tokens)) if node not in inner]
        left = dict(enumerate(self.reads))
        trees = []
        for path in paths:
            at = {node: i for i, node in enumerate(path)} | {-1: -1}
            on_path = {
                label: read for label, read in left.items() if all(node in at for node, _ in read)
            }
            left = {label: read for label, read in left.items() if label not in on_path}
            reads = tuple(
                tuple((at[p], token) for p, token in on_path.get(i, ()))
                for i in range(len(self.reads))
            )
            trees.append(
                EndingTree(
                    tuple(self.tokens[p] for p in path), tuple(range(-1, len(path) - 1)), reads
                )
            )
        return trees


@lru_cache(maxsize=4096)
def plan_tree(endings: tuple[tuple[int, ...], ...]) -> EndingTree:
    """Return the tree of these endings."""
    tokens: list[int] = []
    parents: list[int] = []
    places: dict[tuple[int, int], int] = {}
    reads = []
    for ending in endings:
        before, lookups = -1, []
        for number, token in enumerate(ending, 1):
            lookups.append((before, token))
            if number < len(ending):
                if (before, token) not in places:
                    places[before, token] = len(tokens)
                    tokens.append(token)
                    parents.append(before)
                before = places[before, token]
        reads.append(tuple(lookups))
    return EndingTree(tuple(tokens), tuple(parents), tuple(reads))


def join_trees(members: Sequence[tuple[Ids, EndingTree]]) -> EndingTree:
    """Join the rests of several prompts, each with the tree of its endings, into one tree.

    Its reads are those of all members, in order.
    """
    tokens: list[int] = []
    parents: list[int] = []
    places: dict[tuple[int, int], int] = {}
    reads: list[tuple[tuple[int, int], ...]] = []

    def add(before: int, token: int) -> int:
        if (before, token) not in places:
            places[before, token] = len(tokens)
            tokens.append(token)
            parents.append(before)
        return places[before, token]

    for rest, tree in members:
        end = -1
        for token in rest:
            end = add(end, token)
        at = {-1: end}
        for node, token in enumerate(tree.tokens):
            at[node] = add(at[tree.parents[node]], token)
        reads += [tuple((at[node], token) for node, token in read) for read in tree.reads]
    return EndingTree(tuple(tokens), tuple(parents), tuple(reads))


def group_by_start(
    rows: Sequence[Continuations], skip: int, widest: float
) -> list[tuple[int, list[int]]]:
    """Group consecutive rows that share more than `skip` tokens, up to a total width.

    Returns for each group the number of shared tokens and the indices of its rows.
    """
    groups: list[tuple[int, list[int]]] = []
    sizes = [len(row.prompt) + len(row.tree.tokens) for row in rows]
    for number, row in enumerate(rows):
        if groups:
            start, items = groups[-1]
            same = min(start, shared_start([rows[items[-1]].prompt, row.prompt]))
            width = sum(sizes[i] for i in items) + sizes[number] - len(items) * same
            if same >= skip + SHORTEST_GROUPED and width <= widest:
                groups[-1] = (same, [*items, number])
                continue
        groups.append((len(row.prompt), [number]))
    return groups


def width_of(rows: Sequence[Continuations], start: int) -> int:
    """Return how many tokens are read of rows that share their first `start` tokens."""
    return sum(len(row.prompt) + len(row.tree.tokens) for row in rows) - (len(rows) - 1) * start


def split_endings(prompt: Ids, wholes: Sequence[Ids]) -> Continuations:
    """Split each text where it stops agreeing with the prompt.

    A label may change how the end of the prompt is tokenised.
    """
    size = len(prompt)
    if all(len(ids) > size and ids[:size] == prompt for ids in wholes):
        return Continuations(prompt, [ids[size:] for ids in wholes])
    shared = min([shared_start([prompt, ids]) for ids in wholes] + [len(ids) - 1 for ids in wholes])
    return Continuations(wholes[0][:shared], [ids[shared:] for ids in wholes])


def shared_start(rows: Sequence[Ids]) -> int:
    """Return how many tokens all rows begin with."""
    first, last = min(rows), max(rows)
    return next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first)
    )
