"""Inputs made by a grammar: good files of every kind that grice reads, with things in them that
nobody should write.

A value of JSON, a row, a line and a file are each made whole, then bent at one place or several:
another type, a number without end, half a character, depth, a key twice or gone; then bytes are
cut, flipped, doubled or packed.
"""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Callable
from typing import Any

LABELS = ("entailment", "neutral", "contradiction")
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    0.5,
    1e308,
    1e-320,
    float("nan"),
    float("inf"),
    10**25,
    10**400,
    "",
    " ",
    "\x00",
    "\ud800",
    "\u202e",
    "\ufeff",
    "a" * 5000,
    "=1+1",
    "../../x",
    [],
    [[]],
    {},
    {"": ""},
    [None],
    {"answer": 1},
    "entails",
    "NEUTRAL",
)


class Grammar:
    """Everything is drawn from one seed, so that an input can be made again."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def odd(self) -> Any:
        return self.random.choice(ODD)

    def words(self) -> str:
        return " ".join(
            self.random.choice(("some", "all", "not", "cakes", "Ada", "left", "ü", "😀"))
            for _ in range(4)
        )

    def label(self) -> str:
        return self.random.choice(LABELS)

    def bent(self, row: dict[str, Any], share: float = 0.1) -> dict[str, Any]:
        """A row with one thing wrong now and then: a value, a key, or what stands inside a value."""
        made = dict(row)
        if made and self.chance(share):
            key = self.random.choice(list(made))
            what = self.random.randrange(4)
            if what == 0:
                made[key] = self.odd()
            elif what == 1:
                del made[key]
            elif what == 2:
                made[str(self.odd())] = self.odd()
            elif isinstance(made[key], dict):
                made[key] = self.bent({**made[key], "x": 1}, 1.0)
            else:
                made[key] = [made[key], self.odd()]
        return made

    def json_line(self, row: dict[str, Any]) -> str:
        text = json.dumps(self.bent(row), ensure_ascii=self.chance(0.5))
        if self.chance(0.01):
            text = self.random.choice(
                ("[" * 30_000, '{"a":' * 30_000, "9" * 6000, "{", "nul", '"\\ud800"', "[1,2")
            )
        return text

    def lines(self, row: Callable[[int], dict[str, Any]]) -> bytes:
        text = "\n".join(self.json_line(row(n)) for n in range(self.random.randrange(1, 12)))
        return self.encoded(text + "\n")

    def encoded(self, text: str) -> bytes:
        raw = text.encode("utf-8", "surrogatepass")
        if self.chance(0.05):
            raw = text.encode(self.random.choice(("utf-16", "latin-1", "utf-7")), "replace")
        if self.chance(0.05):
            raw = b"\xef\xbb\xbf" + raw
        return raw.replace(b"\n", self.random.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")))

    def broken(self, raw: bytes, share: float = 0.35) -> bytes:
        """Bytes cut, flipped, doubled or put in, now and then."""
        made = bytearray(raw)
        while made and self.chance(share):
            at = self.random.randrange(len(made))
            what = self.random.randrange(5)
            if what == 0:
                made = made[:at]
            elif what == 1:
                made[at] ^= 1 << self.random.randrange(8)
            elif what == 2:
                made[at:at] = self.random.choice(
                    (b"\x00", b"\xff", b'"', b"{", b"\n", b"\r", b",", b"\t", b"\xed\xa0\x80")
                )
            elif what == 3:
                made[at:at] = made[at : at + 50]
            else:
                made[at : at + self.random.randrange(30)] = b""
        return bytes(made)

    def item(self, n: int) -> dict[str, Any]:
        row = {
            "id": f"i{n}",
            "premise": self.words(),
            "hypothesis": self.words(),
            "gold": {"label": self.label()},
        }
        return {**row, "tags": {"kind": "x", "several": ["a", "b"]}, "group": f"g{n // 2}"}

    def flat(self, n: int) -> dict[str, Any]:
        return {
            "id": f"i{n}",
            "premise": self.words(),
            "hypothesis": self.words(),
            "label": self.label(),
            "kind": "x",
        }

    def reply(self, n: int) -> dict[str, Any]:
        first = self.random.random()
        probs = dict(zip(LABELS, (first, 1 - first, 0.0), strict=True))
        return {"id": f"i{n}", "answer": max(probs, key=lambda label: probs[label]), "probs": probs}

    def table(self, delimiter: str, rows: list[dict[str, Any]]) -> bytes:
        names = list(rows[0])
        if self.chance(0.1):
            names.append(self.random.choice(names))
        quote = '"' if self.chance(0.5) else ""
        shown = [
            [str(value if not self.chance(0.03) else self.odd()) for value in row.values()]
            for row in rows
        ]
        lines = [names, *(row + row[-1:] * (len(names) - len(row)) for row in shown)]
        return self.encoded(
            "\n".join(delimiter.join(f"{quote}{cell}{quote}" for cell in line) for line in lines)
            + "\n"
        )

    def rows(self, row: Callable[[int], dict[str, Any]]) -> list[dict[str, Any]]:
        return [row(n) for n in range(self.random.randrange(1, 10))]

    def array(self) -> bytes:
        import numpy as np

        kinds: list[Any] = [np.float64, np.float32, np.int64, "U5", "S3", np.complex64, bool]
        shape = self.random.choice(((6, 3), (6, 2), (6,), (), (0, 3), (3, 6, 2)))
        table = np.full(shape, 1 / 3).astype(self.random.choice(kinds))
        out = io.BytesIO()
        (np.savez if self.chance(0.1) else np.save)(out, table)
        return out.getvalue()

    def parquet(self, row: Callable[[int], dict[str, Any]]) -> bytes:
        import polars as pl

        flat = [{k: str(v) for k, v in one.items()} for one in self.rows(row)]
        out = io.BytesIO()
        pl.DataFrame(flat).write_parquet(out)
        return out.getvalue()

    def judges(self) -> bytes:
        bad = (
            "-1",
            "nan",
            "2020-01-01",
            "[[1]]",
            "[" * 3000,
            "0x" + "f" * 5000,
            '"\\u001b"',
            "{a = 1}",
            "true",
            "'x'",
        )
        value = self.random.choice(bad)
        return self.encoded(
            f'[one]\njudge = "baseline/overlap"\n{self.random.choice(("threshold", "judge", "x"))}'
            f" = {value}\n"
        )

    def packed(self, raw: bytes) -> bytes:
        return gzip.compress(raw, mtime=0)

    def toml(self) -> bytes:
        keys = {"title": '"T"', "dataset": '"items.jsonl"', "instrument": '"labels"', "seed": "1"}
        work = {"redundancy": "2", "claim_minutes": "5.0", "per_page": "3", "third_when": "0"}
        bad = (
            "-1",
            "nan",
            "inf",
            '""',
            "[]",
            "{}",
            "true",
            "99999999999999999999",
            "1e999",
            "'x'",
            "2020-01-01",
            "[[1]]",
            "[" * 3000,
            "9" * 5000,
            "0x" + "f" * 5000,
        )
        for table in (keys, work):
            if self.chance(0.4):
                table[self.random.choice([*table, "unknown"])] = self.random.choice(bad)
        text = "\n".join(f"{k} = {v}" for k, v in keys.items()) + "\n[work]\n"
        text += "\n".join(f"{k} = {v}" for k, v in work.items())
        if self.chance(0.3):
            text += '\n[[attention]]\npremise = "P"\nanswer = ' + self.random.choice(
                ('"neutral"', "1", "[]", '"x"', "nan")
            )
        return self.encoded(text + "\n")

    def conllu(self) -> bytes:
        lines = []
        for number in range(1, self.random.randrange(2, 8)):
            head = self.random.choice((number - 1, 0, 999, -1, "x", ""))
            lines.append(f"{number}\tcakes\tcake\tNOUN\tNNS\t_\t{head}\tdep\t_\t_")
        return self.encoded("# text = cakes\n" + "\n".join(lines) + "\n\n")
