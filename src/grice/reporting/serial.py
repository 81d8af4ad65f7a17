"""Report values as JSON and back, by their types: `read(Profile, to_json(profile)) == profile`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from grice.core.errors import InputError, one_line

T = TypeVar("T")


def encode(value: Any) -> bytes:
    """Return a value as JSON: a dataclass as an object of its fields, NaN as null."""
    return msgspec.json.encode(value)


def to_json(value: Any) -> Any:
    """Return a value as lists, objects and numbers, as its JSON file has them."""
    return msgspec.json.decode(encode(value))


def decode(raw: bytes, kind: type[T], name: str, remedy: str) -> T:
    """Decode JSON into a value of type `kind`.

    Raise `InputError`, with the file name and the position, if the JSON is not of this type.
    """
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError(one_line(f"{name}: {error}; {remedy}")) from None


def schema(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema of a type, with docstrings as descriptions.

    Every field is required, because every field is written.
    """
    schema = msgspec.json.schema(kind, schema_hook=_text)
    for definition in schema["$defs"].values():
        definition["description"] = definition["description"].partition(">>>")[0].strip()
        if "enum" in definition:
            continue
        definition["required"] = list(definition["properties"])
        definition["additionalProperties"] = False
        for field in definition["properties"].values():
            field.pop("default", None)
    return schema


def _text(kind: type) -> dict[str, Any]:
    """Return the schema of a path, the only type that JSON does not have."""
    if kind is not Path:
        raise NotImplementedError(f"no schema for {kind.__name__}")
    return {"type": "string"}
