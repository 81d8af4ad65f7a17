"""Prompt variants as data: wording × readout × label words × label order × context.

A set of them is distributed over the items.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.files import read_toml
from grice.core.item import Question
from grice.core.scale import Scale
from grice.judges.direct import DIRECT, continuations, direct_prompt
from grice.judges.prompts import Prompt, Wordings, framings, word_sets

FOLDER = Path(__file__).parent / "methods"


@dataclass(frozen=True)
class Method:
    """One prompt variant; each field is a factor whose effect can be estimated.

    `wording` names a file of prompts/; `labels` a set of words for the labels (`own`: the labels
    themselves); `order` rotates them; `context` is `zero`, a number of examples (`few3`) or of
    tokens to think in (`think256`).
    """

    wording: str = "1"
    readout: str = "words"
    labels: str = "own"
    order: str = "0"
    context: str = "zero"

    @cached_property
    def name(self) -> str:
        """The factors that differ from the default, as `wording=2,order=1`; `plain` for none."""
        plain = asdict(Method())
        return (
            ",".join(f"{key}={value}" for key, value in asdict(self).items() if value != plain[key])
            or "plain"
        )

    @property
    def words(self) -> Mapping[str, str]:
        """The words for the labels, if they are not the labels themselves."""
        if self.labels == "own":
            return {}
        if self.labels not in word_sets():
            raise unknown("set of label words", self.labels, ["own", *word_sets()])
        return word_sets()[self.labels]

    @property
    def shots(self) -> int:
        """The number of examples before the question."""
        return self._number("few")

    @property
    def think(self) -> int:
        """The number of tokens in which the model may think before it answers."""
        return self._number("think")

    def prompt(
        self, question: Question, scale: Scale, wordings: Wordings, readout: str = ""
    ) -> Prompt:
        """Return the prompt for a question by this method.

        `readout` is the judge's own name for the readout, if it differs.
        """
        if self.readout == DIRECT:
            return direct_prompt(question, scale, self.wording)
        words = {} if self.wording in framings() else self.words
        how = readout or self.readout
        return wordings.ask(
            question, scale, how, wording=self.wording, order=int(self.order), words=words
        )

    def _number(self, kind: str) -> int:
        text = self.context.removeprefix(kind)
        return int(text) if text != self.context and text.isdigit() else 0


@dataclass(frozen=True)
class MethodSet:
    """Several methods, of which each item gets `each`.

    They are drawn so that all are used equally often.
    """

    methods: tuple[Method, ...]
    each: int

    @staticmethod
    def read(name: str) -> MethodSet:
        """Return one of the sets `quick`, `standard` and `full`, or that of a TOML file.

        The file has `each = 2` and a list of levels for each factor.
        """
        names = sorted(path.stem for path in FOLDER.glob("*.toml"))
        path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
        if not name.endswith(".toml") and name not in names:
            raise unknown("set of methods", name, names, "A TOML file of your own works too.")
        return _crossed(read_toml(path, f"see the built-in sets {', '.join(names)}"), path)

    @cached_property
    def digest(self) -> str:
        """A hash that changes with every change of a method."""
        parts = [[method.name for method in self.methods], self.each, framings(), word_sets()]
        parts += (
            [continuations()] if any(method.readout == DIRECT for method in self.methods) else []
        )
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]

    def assign(self, ids: Sequence[str], seed: int = 0) -> dict[str, tuple[Method, ...]]:
        """Assign methods to items in rounds, each round in a newly drawn order.

        Each method is used equally often. A repeated order would tie a method to a position within
        the paradigms, and so to a condition.
        """
        rng = random.Random(seed)
        hand: list[Method] = []
        assignment = {}
        for item in ids:
            if len(hand) < self.each:
                fresh = rng.sample(self.methods, len(self.methods))
                # The rest of the last round comes first, without repetition for this item.
                more = self.each - len(hand)
                taken = [method for method in fresh if method not in hand][:more]
                hand = [*hand, *taken, *(method for method in fresh if method not in taken)]
            assignment[item], hand = tuple(hand[: self.each]), hand[self.each :]
        return assignment


def _differs(method: Method) -> bool:
    """Return whether a method is distinct, and not another one under a second name."""
    if method.readout == DIRECT:
        return (method.labels, method.order, method.context) == (
            "own",
            "0",
            "zero",
        ) and method.wording in continuations()
    return method.labels == "own" or method.wording not in framings()


def _crossed(document: Mapping[str, Any], path: Path) -> MethodSet:
    factors = [field.name for field in fields(Method)]
    odd = next((key for key in document if key not in (*factors, "each")), None)
    if odd is not None:
        raise InputError(f"{path}: {unknown('factor of a method', odd, [*factors, 'each'])}")
    plain = asdict(Method())
    levels = [[str(level) for level in document.get(factor, [plain[factor]])] for factor in factors]
    methods = tuple(Method(*values) for values in product(*levels))
    # A framing has words of its own, and a direct measure shows no labels: other levels would
    # repeat the same prompt.
    distinct = tuple(m for m in methods if _differs(m))
    n_each = int(document.get("each", 1))
    if not 1 <= n_each <= len(distinct):
        raise InputError(
            f"{path}: each = {n_each}, and there are {len(distinct)} methods; give a number from 1"
            " to that"
        )
    return MethodSet(distinct, n_each)


def methods_of_server(name: str, readout: str, *, chat: bool) -> MethodSet | None:
    """Return the methods for a server, or None for its own readout.

    A chat endpoint cannot return the probability of a text.
    """
    if readout == DIRECT and chat:
        raise InputError(
            "readout=direct needs a server that echoes log-probabilities: -M endpoint=completions"
        )
    if not name:
        return MethodSet((Method(readout=DIRECT),), 1) if readout == DIRECT else None
    method_set = MethodSet.read(name)
    methods = tuple(method for method in method_set.methods if not chat or method.readout != DIRECT)
    return MethodSet(methods, min(method_set.each, len(methods)))
