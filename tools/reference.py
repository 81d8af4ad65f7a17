"""The API reference from the docstrings, the glossary of the page and the schema of profile.json:
`python -m tools.reference` writes them to docs/.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grice
from grice.core.files import write_atomically
from grice.reporting.model import Profile

DOCS = Path(__file__).parent.parent / "docs"
GLOSSARY = Path(grice.__file__).parent / "reporting" / "assets" / "glossary.md"
WIDTH = 100


def reference_page() -> str:
    """The whole page: each verb, then each noun with its public methods."""
    things = {name: getattr(grice, name) for name in grice.__all__}
    verbs = [name for name, thing in things.items() if not inspect.isclass(thing)]
    nouns = [name for name, thing in things.items() if inspect.isclass(thing)]
    parts = [
        "# Python reference",
        (
            "Everything below is in the module `grice`. A verb does what the command of the same"
            " name does and gives the value back; a noun is what verbs take and give. Made from the"
            " docstrings by `python -m tools.reference`."
        ),
        "## Verbs",
        *(part for name in verbs for part in _entry(name, things[name])),
        "## Nouns",
        *(part for name in nouns for part in _noun(name, things[name])),
    ]
    return "\n\n".join(parts) + "\n"


def reference_pages() -> dict[str, str]:
    """The pages of docs/ that are written here, by name."""
    schema = json.dumps(Profile.schema(), ensure_ascii=False, indent=1) + "\n"
    return {
        "reference.md": reference_page(),
        "glossary.md": GLOSSARY.read_text(encoding="utf-8"),
        "schema/profile.schema.json": schema,
    }


def _entry(name: str, thing: Any, level: int = 3) -> Iterator[str]:
    yield f"{'#' * level} {name}"
    if callable(thing):
        yield f"```python\n{signature(name, thing)}\n```"
    yield markdown(inspect.getdoc(thing) or "")
    if inspect.ismodule(thing):
        for inner in thing.__all__:
            yield from _entry(f"{name}.{inner}", getattr(thing, inner), level + 1)


def _noun(name: str, thing: type) -> Iterator[str]:
    yield from _entry(name, thing)
    for member, value in vars(thing).items():
        if member.startswith("_"):
            continue
        inner = inspect.unwrap(getattr(value, "__func__", getattr(value, "fget", None) or value))
        if not inspect.isfunction(inner) or not inner.__doc__:
            continue
        shown = (
            f"{name}.{member}"
            if isinstance(value, property)
            else signature(f"{name}.{member}", inner)
        )
        yield f"`{' '.join(shown.split())}`\n: {markdown(inspect.getdoc(inner) or '', indent='  ')}"


def signature(name: str, thing: Any) -> str:
    """A call as one writes it, over several lines where one is too long."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    words = [
        str(one).replace("'", "") if one.default is one.empty else _with_default(one)
        for one in _shown(found)
    ]
    given = re.sub(r"^inspect\._empty$", "", str(found.return_annotation)).strip("'\"")
    back = (
        f" -> {given}"
        if found.return_annotation is not found.empty and not inspect.isclass(thing)
        else ""
    )
    star = _star(found)
    if star is not None:
        words.insert(star, "*")
    line = f"{name}({', '.join(words)}){back}"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){back}"


def _shown(found: inspect.Signature) -> list[inspect.Parameter]:
    return [one for one in found.parameters.values() if one.name != "self"]


def _star(found: inspect.Signature) -> int | None:
    kinds = [one.kind for one in _shown(found)]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        return kinds.index(inspect.Parameter.KEYWORD_ONLY)
    return None


def _with_default(one: inspect.Parameter) -> str:
    kind = "" if one.annotation is one.empty else f": {str(one.annotation).strip(chr(39))}"
    value = f'"{one.default}"' if isinstance(one.default, str | Path) else repr(one.default)
    return f"{one.name}{kind} = {value}" if kind else f"{one.name}={value}"


def markdown(text: str, indent: str = "") -> str:
    """A docstring with its examples as blocks of code."""
    blocks = re.split(r"\n\n+", text)
    made = [f"```pycon\n{block}\n```" if block.startswith(">>>") else block for block in blocks]
    return "\n\n".join(made).replace("\n", f"\n{indent}")


if __name__ == "__main__":
    for name, text in reference_pages().items():
        with write_atomically(DOCS / name) as out:
            out.write(text)
