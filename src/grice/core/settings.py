"""Settings as fields of a dataclass, from words (`-M key=value`) or the typed values of a file.

Defaults are in the dataclass alone, bounds and choices in `setting(…)`; an error names the key and
what it takes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from inspect import Parameter, Signature
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, TypedDict, TypeVar, Unpack, get_args, get_origin, get_type_hints

from grice.core.errors import InputError, SettingError, unknown

D = TypeVar("D")
C = TypeVar("C", bound=type)
EXPECTED = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    tuple: "words separated by commas",
    Path: "a path",
}


class Constraint(TypedDict, total=False):
    """Restriction of a field beyond its type; see `setting`."""

    low: float
    above: float
    high: float
    below: float
    choices: Sequence[str]
    noun: str
    read: Callable[[Any], Any]
    expected: str


def setting(default: Any = MISSING, **constraint: Unpack[Constraint]) -> Any:
    """Return a dataclass field with the values it accepts.

    These are `low ≤ value ≤ high`, `above < value < below`, or one of `choices`.

    `default=dict` is an empty mapping. `noun` names a choice in errors. `read` converts the given
    value and raises ValueError where it is not `expected`.
    """
    if default is dict:
        return field(default_factory=dict, metadata=constraint)
    return field(default=default, metadata=constraint)


@dataclass(frozen=True)
class Origin:
    """Origin of settings, for errors to name; where it is `typed`, "5" is no number."""

    flag: str = "-M"
    noun: str = "setting"
    typed: ClassVar[bool] = False

    def place(self, key: str) -> str:  # noqa: ARG002
        """Return what an error about a key begins with, such as a file and its line."""
        return ""

    def groups(
        self,
        key: str,
        value: Any,
        *,
        several: bool,  # noqa: ARG002
    ) -> list[tuple[Origin, Mapping[str, Any]]]:
        """Return a value that is itself a group of settings, or several, each with its origin."""
        raise self.wrong(key, "a group of settings, which words cannot give", value)

    def wrong(self, key: str, expected: str, value: Any) -> InputError:
        """Return an error with what a key takes and what it was given."""
        flag = f"{self.flag} " if self.flag else ""
        return InputError(f"{self.place(key)}{flag}{key} is {expected}, not {value!r}")

    def missing(self, key: str) -> InputError:
        """Return an error for a key without a default that was not given."""
        return InputError(f"{self.place(key)}no '{key}' is given; add it")


def read_settings(
    cls: type[D],
    values: Mapping[str, Any],
    where: str | Origin = "-M",
    *,
    noun: str = "setting",
    base: D | None = None,
    **fixed: Any,
) -> D:
    """Build a dataclass from the given values, with its defaults or those of `base` for the rest.

    Fields may be int, float, bool, str, Path, `tuple[str, ...]`, `Mapping[str, str]`, a JSON
    object, another dataclass, a tuple of such, or any of these or None. `fixed` sets fields that
    cannot be given.

    >>> @dataclass
    ... class Pace:
    ...     threads: int = setting(0, low=0)
    >>> read_settings(Pace, {"threads": "2"})
    Pace(threads=2)
    >>> read_settings(Pace, {"thread": "2"})
    Traceback (most recent call last):
    grice.core.errors.SettingError: no setting is called 'thread'. Did you mean 'threads'? ...
    """
    origin = Origin(where, noun) if isinstance(where, str) else where
    known = {field_.name: field_ for field_ in _settable(cls) if field_.name not in fixed}
    odd = next((key for key in values if key not in known), None)
    if odd is not None:
        raise SettingError(f"{origin.place(odd)}{unknown(origin.noun, odd, known)}", odd)
    kinds = get_type_hints(cls)
    values = {key: _value(origin, known[key], kinds[key], value) for key, value in values.items()}
    if base is not None:
        return replace(base, **values, **fixed)  # type: ignore[type-var]
    for key, field_ in known.items():
        if key not in values and field_.default is MISSING and field_.default_factory is MISSING:
            raise origin.missing(key)
    return cls(**values, **fixed)


def check_settings(settings: Any) -> None:
    """Refuse in a dataclass's `__post_init__` what `read_settings` would refuse."""
    kinds = get_type_hints(type(settings))
    for field_ in _settable(type(settings)):
        _value(Origin(), field_, kinds[field_.name], getattr(settings, field_.name))


def with_settings(settings: type) -> Callable[[C], C]:
    """Show a settings dataclass in the signature of a class, as keywords after a name."""

    def add_signature(cls: C) -> C:
        rest = []
        for field_ in _settable(settings):
            factory = field_.default_factory
            default = field_.default if factory is MISSING else factory()
            kind = Parameter.KEYWORD_ONLY
            rest.append(Parameter(field_.name, kind, annotation=field_.type, default=default))
        name = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, annotation="str")
        cls.__signature__ = Signature([name, *rest])  # type: ignore[attr-defined]
        return cls

    return add_signature


def _settable(cls: type) -> list[Field[Any]]:
    return [field_ for field_ in fields(cls) if field_.init]


def _value(origin: Origin, field_: Field[Any], kind: Any, value: Any) -> Any:
    if NoneType in get_args(kind):
        if value is None or value == "":
            return None
        kind = next(part for part in get_args(kind) if part is not NoneType)
    inner = get_args(kind)[0] if get_origin(kind) is tuple else kind
    if is_dataclass(inner) and "read" not in field_.metadata:
        groups = origin.groups(field_.name, value, several=inner is not kind)
        type_: Any = inner
        parts = tuple(read_settings(type_, values, where) for where, values in groups)
        return parts[0] if inner is kind else parts
    rule = field_.metadata
    try:
        parsed = rule["read"](value) if "read" in rule else _plain(kind, value, origin.typed)
        if isinstance(parsed, int | float) and not _within(rule, parsed):
            raise ValueError
    except ValueError:
        expected = rule.get("expected") or _expected(kind) + _bounds(rule)
        raise origin.wrong(field_.name, expected, value) from None
    if "choices" in rule and parsed != field_.default and parsed not in rule["choices"]:
        noun = rule.get("noun", field_.name)
        raise InputError(f"{origin.place(field_.name)}{unknown(noun, parsed, rule['choices'])}")
    return parsed


def _within(rule: Mapping[str, Any], value: float) -> bool:
    inside: bool = rule.get("low", -math.inf) <= value <= rule.get("high", math.inf)
    between: bool = rule.get("above", -math.inf) < value < rule.get("below", math.inf)
    return inside and between


def _bounds(rule: Mapping[str, Any]) -> str:
    """Return the bounds in words: ` from 1 to 50`."""
    forms = {
        "low": " from {:g}",
        "above": " above {:g}",
        "high": " to {:.10g}",
        "below": " to less than {:g}",
    }
    phrases = [form.format(rule[key]) for key, form in forms.items() if key in rule]
    return "".join(phrases) + (" on" if [*rule] == ["low"] else "")


def _expected(kind: Any) -> str:
    base = get_origin(kind) or kind
    if base in EXPECTED:
        return EXPECTED[base]
    return "KEY:VALUE,…" if get_args(kind)[1] is str else 'a JSON object, as in {"top_p":1}'


def _plain(kind: Any, value: Any, typed: bool) -> Any:
    """Convert a value to its type, words to any; raise ValueError where that is not possible."""
    base: Any = get_origin(kind) or kind
    if not typed and isinstance(value, str):
        value = _from_words(kind, value)
    elif not typed and kind is str:
        value = str(value)
    accepted = {float: int, Path: str, tuple: list}.get(base)
    if accepted is not None and type(value) is accepted:
        value = base(value)
    if not isinstance(value, base) or (isinstance(value, bool) and base is not bool):
        raise ValueError
    if (base is float and not math.isfinite(value)) or (
        base is tuple and not all(isinstance(x, str) for x in value)
    ):
        raise ValueError
    return (
        {key: str(text) for key, text in value.items()} if get_args(kind)[1:] == (str,) else value
    )


def _from_words(kind: Any, words: str) -> Any:
    if kind is bool:
        return {"true": True, "false": False}.get(words.lower())
    if kind in (int, float, str, Path):
        return kind(words)
    parts = [part.strip() for part in words.split(",") if part.strip()]
    if get_origin(kind) is tuple:
        return tuple(parts)
    if get_args(kind)[1] is not str:
        return json.loads(words or "{}")
    pairs = {key.strip(): text.strip() for key, _, text in (part.partition(":") for part in parts)}
    return pairs if all(pairs.values()) else None
