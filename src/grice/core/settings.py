"""Settings become the fields of a dataclass, from words (`-M key=value`) or from the typed values of a file.

Defaults stand in the dataclass alone, bounds and choices in `setting(…)`; an error names the key and what it takes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from inspect import Parameter, Signature
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from grice.core.errors import InputError, unknown

D = TypeVar("D")
C = TypeVar("C", bound=type)
EXPECTED = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    tuple: "words separated by commas",
}


@dataclass(frozen=True)
class _Rule:
    """What a field takes beyond its type."""

    low: float | None = None
    above: float | None = None
    high: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    noun: str = ""
    read: Callable[[Any], Any] | None = None
    expected: str = ""

    def allows(self, value: float) -> bool:
        """Whether a number is within the bounds."""
        return (
            (self.low is None or value >= self.low)
            and (self.above is None or value > self.above)
            and (self.high is None or value <= self.high)
            and (self.below is None or value < self.below)
        )

    def bounds(self) -> str:
        """The bounds in words: ` from 1 to 50`."""
        begin = f" from {self.low:g}" if self.low is not None else ""
        begin = f" above {self.above:g}" if self.above is not None else begin
        end = f" to {self.high:.10g}" if self.high is not None else ""
        end = f" to less than {self.below:g}" if self.below is not None else end
        return begin + (end or (" on" if self.low is not None else ""))


def setting(
    default: Any = MISSING,
    *,
    low: float | None = None,
    above: float | None = None,
    high: float | None = None,
    below: float | None = None,
    choices: Sequence[str] = (),
    noun: str = "",
    read: Callable[[Any], Any] | None = None,
    expected: str = "",
) -> Any:
    """A dataclass field with what it takes: `low ≤ value ≤ high`, `above < value < below`, or one of `choices`.

    `default=dict` is an empty mapping. `noun` names a choice in errors. `read` makes the value of what was given and raises ValueError where that is not
    `expected`.
    """
    metadata = {"rule": _Rule(low, above, high, below, tuple(choices), noun, read, expected)}
    if default is dict:
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Origin:
    """Where settings are given, for errors to name. `typed`: values are not words, so that "5" is no number."""

    flag: str = "-M"
    noun: str = "setting"
    typed: ClassVar[bool] = False

    def place(self, key: str) -> str:  # noqa: ARG002
        """What an error about a key begins with, such as a file and its line."""
        return ""

    def table(self, key: str, value: Any) -> tuple[Origin, Mapping[str, Any]]:
        """A value that is itself a group of settings, and where that stands."""
        raise self.wrong(key, "a setting of its own, not a group", value)

    def tables(self, key: str, value: Any) -> list[tuple[Origin, Mapping[str, Any]]]:
        """A value that is a list of groups of settings."""
        raise self.wrong(key, "a setting of its own, not a list of groups", value)

    def wrong(self, key: str, expected: str, value: Any) -> InputError:
        """What a key takes, and what it was given."""
        flag = f"{self.flag} " if self.flag else ""
        return InputError(f"{self.place(key)}{flag}{key} is {expected}, not {value!r}")

    def missing(self, key: str) -> InputError:
        """A key without a default that was not given."""
        return InputError(f"{self.place(key)}no '{key}' is given; add it")


def read_settings(
    cls: type[D],
    given: Mapping[str, Any],
    where: str | Origin = "-M",
    *,
    noun: str = "setting",
    base: D | None = None,
    **fixed: Any,
) -> D:
    """An instance of a dataclass with the given values, its defaults (or those of `base`) for the rest.

    Fields may be int, float, bool, str, Path, `tuple[str, ...]`, `Mapping[str, str]`, a JSON object, another
    dataclass, a tuple of such, or any of these or None. `fixed` sets fields that cannot be given.

    >>> @dataclass
    ... class Pace:
    ...     threads: int = setting(0, low=0)
    >>> read_settings(Pace, {"threads": "2"})
    Pace(threads=2)
    >>> read_settings(Pace, {"thread": "2"})
    Traceback (most recent call last):
    grice.core.errors.InputError: no setting is called 'thread'. Did you mean 'threads'? There are: threads.
    """
    origin = Origin(where, noun) if isinstance(where, str) else where
    known = {one.name: one for one in _settable(cls) if one.name not in fixed}
    odd = next((key for key in given if key not in known), None)
    if odd is not None:
        raise InputError(f"{origin.place(odd)}{unknown(origin.noun, odd, known)}")
    kinds = get_type_hints(cls)
    values = {key: _value(origin, known[key], kinds[key], value) for key, value in given.items()}
    if base is not None:
        return replace(base, **values, **fixed)  # type: ignore[type-var]
    for key, one in known.items():
        if key not in values and one.default is MISSING and one.default_factory is MISSING:
            raise origin.missing(key)
    return cls(**values, **fixed)


def with_settings(*settings: type) -> Callable[[C], C]:
    """Show the fields of these dataclasses in the signature of a class that takes them as keywords after a name."""

    def shown(cls: C) -> C:
        first = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, annotation="str")
        rest = [
            Parameter(
                one.name,
                Parameter.KEYWORD_ONLY,
                annotation=one.type,
                default=one.default_factory() if one.default_factory is not MISSING else one.default,
            )
            for group in settings
            for one in _settable(group)
        ]
        cls.__signature__ = Signature([first, *rest])  # type: ignore[attr-defined]
        return cls

    return shown


def _settable(cls: type) -> list[Field[Any]]:
    return [one for one in fields(cls) if one.init]


def _value(origin: Origin, one: Field[Any], kind: Any, value: Any) -> Any:
    rule: _Rule = one.metadata.get("rule", _Rule())
    if NoneType in get_args(kind):
        if value is None or value == "":
            return None
        kind = next(part for part in get_args(kind) if part is not NoneType)
    inner = get_args(kind)[0] if get_origin(kind) is tuple else kind
    if is_dataclass(inner):
        return _group(origin, one.name, kind, inner, value)  # type: ignore[arg-type]
    try:
        found = rule.read(value) if rule.read else _plain(kind, value, origin.typed)
        if isinstance(found, int | float) and not rule.allows(found):
            raise ValueError
    except ValueError:
        raise origin.wrong(one.name, rule.expected or _expected(kind) + rule.bounds(), value) from None
    if rule.choices and found != one.default and found not in rule.choices:
        raise InputError(f"{origin.place(one.name)}{unknown(rule.noun or one.name, found, rule.choices)}")
    return found


def _group(origin: Origin, key: str, kind: Any, inner: type[D], value: Any) -> D | tuple[D, ...]:
    if kind is inner:
        where, values = origin.table(key, value)
        return read_settings(inner, values, where)
    return tuple(read_settings(inner, values, where) for where, values in origin.tables(key, value))


def _expected(kind: Any) -> str:
    base = get_origin(kind) or kind
    if base in EXPECTED:
        return EXPECTED[base]
    return "KEY:VALUE,…" if get_args(kind)[1] is str else 'a JSON object, as in {"top_p":1}'


def _plain(kind: Any, value: Any, typed: bool) -> Any:
    """The value as its type; ValueError where it is none. Words become anything, typed values stay what they are."""
    words = value if isinstance(value, str) and not typed else None
    if kind is bool:
        found = (
            value if isinstance(value, bool) else {"true": True, "false": False}.get((words or "").lower())
        )
        return _needed(found)
    if kind is int:
        return int(words) if words is not None else _needed(value if type(value) is int else None)
    if kind is float:
        number = float(words) if words is not None else float(_needed(_number(value)))
        return _needed(number if math.isfinite(number) else None)
    if kind is str:
        return value if isinstance(value, str) else _needed(None if typed else str(value))
    if kind is Path:
        return Path(value)
    if get_origin(kind) is tuple:
        parts = [part.strip() for part in words.split(",")] if words is not None else value
        several = isinstance(parts, list | tuple) and all(isinstance(part, str) for part in parts)
        return tuple(part for part in parts if part) if several else _needed(None)
    return _mapping(get_args(kind)[1] is str, value, words)


def _mapping(of_words: bool, value: Any, words: str | None) -> dict[str, Any]:
    if of_words and words is not None:
        pairs = [part.partition(":") for part in words.split(",") if part.strip()]
        value = {key.strip(): text.strip() for key, _, text in pairs}
        return dict(_needed(value if all(value.values()) else None))
    found = json.loads(words or "{}") if words is not None else value
    plain = dict(_needed(found if isinstance(found, Mapping) else None))
    return {key: str(text) for key, text in plain.items()} if of_words else plain


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _needed(value: Any) -> Any:
    if value is None:
        raise ValueError
    return value


def whole(key: str, value: str | int, *, least: int = 0) -> int:
    """A whole number given as a word, or an error that names its key."""
    return int(_lone(int, key, value, least))


def number(key: str, value: str | float, *, least: float = 0.0) -> float:
    """A number given as a word, or an error that names its key."""
    return float(_lone(float, key, value, least))


def truth(key: str, value: str | bool) -> bool:
    """`true` or `false` given as a word, or an error that names its key."""
    return bool(_lone(bool, key, value, None))


def _lone(kind: type, key: str, value: Any, least: float | None) -> Any:
    one = setting(low=least)
    one.name = key
    return _value(Origin(), one, kind, value)
