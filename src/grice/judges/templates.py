"""Prompt templates of causal models: the text before the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

from grice.core.errors import InputError, one_line
from grice.core.files import read_text
from grice.models.batching import Texts

FIELDS = {"premise", "hypothesis", "labels"}
BUILT_IN = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Template:
    """One text for pairs and one for single texts.

    Each has `{premise}`, `{hypothesis}` and `{labels}`.
    """

    pair: str
    text: str

    @staticmethod
    def read(name: str) -> Template:
        """Return the built-in texts for an empty name, else a user's file for both."""
        if not name:
            pair, text = (
                read_text(BUILT_IN / f"{kind}.txt").removesuffix("\n") for kind in ("pair", "text")
            )
            return Template(pair, text)
        # The final newline of a file is not part of the prompt; a second one is.
        own = read_text(Path(name)).removesuffix("\n")
        check_template(name, own, FIELDS, {"premise"})
        return Template(own, own)

    @property
    def digest(self) -> str:
        """A hash that changes with every change of the texts."""
        return hashlib.sha256(f"{self.pair}\x1f{self.text}".encode()).hexdigest()[:16]

    def prompt(self, texts: Texts, words: list[str]) -> str:
        """Return the prompt for a pair or a single text; `words` are the labels' texts."""
        premise, hypothesis = texts
        template = self.text if hypothesis is None else self.pair
        if hypothesis is None and "hypothesis" in fields_of(template):
            raise InputError(
                f"'{premise[:60]}' has no hypothesis and the template asks for one; use pairs"
            )
        if hypothesis is not None and "hypothesis" not in fields_of(template):
            raise InputError(
                f"'{premise[:60]}' has a hypothesis, and the template leaves it out; put"
                " {hypothesis} in it"
            )
        return template.format(premise=premise, hypothesis=hypothesis, labels=", ".join(words))


@cache
def fields_of(template: str) -> frozenset[str]:
    """Return the field names in braces."""
    return frozenset(field for _, field, _, _ in Formatter().parse(template) if field is not None)


def check_template(name: str, text: str, known: Collection[str], shows: Collection[str]) -> None:
    """Raise an error for a template with an unknown field.

    At least one of the fields that show the item is required.
    """
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise InputError(
            f"{name}: not a template ({error}); double a brace that is meant as such: {{{{"
        ) from None
    fields = fields_of(text)
    formatted = next((field for _, field, form, conversion in parts if form or conversion), None)
    if formatted is not None:
        raise InputError(
            one_line(f"{name}: '{formatted}' is followed by a format; write {{{formatted}}} alone")
        )
    odd = sorted(fields - set(known))
    if odd:
        fact = f"{name}: there is no {{{odd[0]}}}; a template may use {', '.join(sorted(known))}"
        raise InputError(one_line(fact))
    if not fields & set(shows):
        wanted = " or ".join(f"{{{field}}}" for field in sorted(shows))
        raise InputError(f"{name}: the template shows no item; put {wanted} into it")
