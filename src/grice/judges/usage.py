"""Token prices as a user gives them: a setting, or a file of prices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import read_text
from grice.core.parsing import parse_toml
from grice.core.usage import Price

KEYS = ("in", "out", "cached", "written", "batch")


def read_price(value: Any) -> Price:
    """Read a price from `IN,OUT`, a list of the two, or a table.

    The table has `in`, `out`, `cached`, `written` and `batch`.
    """
    if isinstance(value, Price):
        return value
    if isinstance(value, Mapping):
        odd = next((key for key in value if key not in KEYS), None)
        if odd is not None or not {"in", "out"} <= value.keys():
            raise ValueError(f"a price has {', '.join(KEYS)}, the first two at least")
        return Price(
            **{"into" if key == "in" else key: float(price) for key, price in value.items()}
        )
    into, out = (float(part) for part in (value.split(",") if isinstance(value, str) else value))
    return Price(into, out)


def find_price(file: str, model: str) -> Price:
    """Return the price of a model in a user's TOML file.

    Its lines look like `"my-model" = [0.15, 0.60]`.
    """
    try:
        known = parse_toml(read_text(Path(file)))
        return read_price(known[model])
    except KeyError:
        models = ", ".join(sorted(known)) or "none"
        raise InputError(
            f"{file}: has no price of '{model}' (it has {models}); add: \"{model}\" = [IN, OUT]"
        ) from None
    except (TypeError, ValueError, AttributeError) as error:
        example = f'"{model}" = [0.15, 0.60]'
        raise InputError(
            f"{file}: not a file of prices ({error}); write lines such as {example}"
        ) from None
