"""A plain statement in parts: a subject, a finite verb, and the rest.

`parsing` finds them in texts, and `operators` writes them as questions, negations and conditionals.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement in parts: `subject finite rest`, without the final mark.

    Attributes:
        subject: Begins in lower case, except for a name.
        finite: The auxiliary, copula or verb that carries the tense.
        base: Its infinitive.
        auxiliary: Whether it precedes the subject in a question.
        plural: Whether the subject takes a plural verb.
        counted: The subject without its first word, where that is a number or quantifier before a
            plural noun; else empty.
    """

    subject: str
    finite: str
    base: str
    auxiliary: bool
    plural: bool
    counted: str
    rest: str
