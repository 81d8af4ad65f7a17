"""A prompt and the texts that may follow it, in tokens; beginnings that several of these texts share stand once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

Ids = list[int]


@dataclass(frozen=True)
class Continuations:
    """A prompt in tokens and, for each label, the tokens that go on from it."""

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
    """What must be read after the prompt to score every ending: each of its tokens but the last.

    `parents` has the place of the token before, -1 for the prompt's last. `reads` has for each ending the places whose
    scores count and the token to look up there.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    reads: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def is_chain(self) -> bool:
        """Whether no two endings part after their first token: then they are a plain text."""
        return self.parents == tuple(range(-1, len(self.parents) - 1))

    def ancestors(self, place: int) -> list[int]:
        """A place and those before it, up to the prompt."""
        found = []
        while place >= 0:
            found.append(place)
            place = self.parents[place]
        return found[::-1]

    def chains(self) -> list[EndingTree]:
        """The same endings as several plain texts, each ending scored in the first that has it."""
        inner = set(self.parents)
        paths = [self.ancestors(place) for place in range(len(self.tokens)) if place not in inner]
        left = dict(enumerate(self.reads))
        made = []
        for path in paths:
            at = {place: i for i, place in enumerate(path)} | {-1: -1}
            mine = {label: read for label, read in left.items() if all(place in at for place, _ in read)}
            left = {label: read for label, read in left.items() if label not in mine}
            reads = tuple(tuple((at[p], token) for p, token in mine.get(i, ())) for i in range(len(self.reads)))
            made.append(EndingTree(tuple(self.tokens[p] for p in path), tuple(range(-1, len(path) - 1)), reads))
        return made


@lru_cache(maxsize=4096)
def plan_tree(endings: tuple[tuple[int, ...], ...]) -> EndingTree:
    """The tree of these endings."""
    tokens: list[int] = []
    parents: list[int] = []
    places: dict[tuple[int, int], int] = {}
    reads = []
    for ending in endings:
        before, found = -1, []
        for number, token in enumerate(ending, 1):
            found.append((before, token))
            if number < len(ending):
                if (before, token) not in places:
                    places[before, token] = len(tokens)
                    tokens.append(token)
                    parents.append(before)
                before = places[before, token]
        reads.append(tuple(found))
    return EndingTree(tuple(tokens), tuple(parents), tuple(reads))


def split_endings(prompt: Ids, wholes: Sequence[Ids]) -> Continuations:
    """Split each whole where it stops agreeing with the prompt: a label may change how the prompt's end is cut."""
    size = len(prompt)
    if all(len(whole) > size and whole[:size] == prompt for whole in wholes):
        return Continuations(prompt, [whole[size:] for whole in wholes])
    shared = min([shared_start([prompt, whole]) for whole in wholes] + [len(whole) - 1 for whole in wholes])
    return Continuations(wholes[0][:shared], [whole[shared:] for whole in wholes])


def shared_start(rows: Sequence[Ids]) -> int:
    """How many tokens all rows begin with."""
    first, last = min(rows), max(rows)
    return next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
