"""Data that would run, command a terminal, or be a formula, if anybody let it."""

from __future__ import annotations

from functools import cache

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.profiling.build import build
from grice.reporting.model import Profile
from grice.storage.run import Run
from tests.profiling.judges import gold, suite

# Whether any of the scripts ran in a page.
RAN = "window.ran === 1"
RUN = "window.ran=1"
HTML = (
    f"=cmd|'/C calc'!A0</script><script>{RUN}</script><img src=x onerror=\"{RUN}\"><svg"
    f" onload='{RUN}'><!--<script>{{{{7*7}}}}${{7*7}}\\input{{/etc/passwd}}[x](javascript:{RUN})`|"
)
# Colour, title of the window, the same begun in one character, a bell, and letters that are read
# backwards.
TERMINAL = "\x1b[31mred\x1b]0;title\x07\x9b32m\x7f\x08\u202egnp.exe\u2066"
FORGED = "\r\nforged: all is well"


@cache
def hostile_suite() -> Dataset:
    """Two phenomena of the suite of the other tests with all of it in ids, texts and tags."""
    items = [
        Item(
            f"{number}{HTML}",
            f"{item.premise} {HTML}{TERMINAL}",
            f"{item.hypothesis} {HTML}{TERMINAL}",
            item.gold,
            {**item.tags, "more": HTML + TERMINAL, f"x{HTML}": "y"},
            item.group and f"{item.group}{HTML}",
        )
        for number, item in enumerate(suite().items())
        if item.tags["phenomenon"] in ("quantifiers", "veridicality_signatures")
    ]
    return Dataset.from_items(f"data{HTML}", NLI, items)


@cache
def hostile_profile() -> Profile:
    """The profile of two judges with such names on such data."""
    data = hostile_suite()
    runs = [
        Run.recorded(
            data,
            f"{name}{HTML}",
            [
                (
                    Judgement(item.id, gold(item, reading), raw=HTML + TERMINAL)
                    if number % 40
                    else Judgement(item.id, fault=f"http: {HTML}{TERMINAL}")
                )
                for number, item in enumerate(data.items())
            ],
        )
        for name, reading in (("one", "logical"), ("two", "pragmatic"))
    ]
    return build([(data, runs)])[0]
