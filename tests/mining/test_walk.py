"""The walk of docs/mine.md: mine without labels, collect ratings, and the rows of Table 5."""

from __future__ import annotations

from pathlib import Path

import pytest

import grice
from grice.core.item_file import read_items
from grice.verbs import collect
from grice.verbs.mine import mine
from grice.verbs.study import simulate

PEOPLE = ("cook", "baker", "nurse", "guard")
PHRASES = ("refused to leave", "managed to leave", "hoped to leave", "knew that it rained")


def test_from_text_to_ratings_to_table_5(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="needs the extra 'web'")
    corpus, pairs, gold = (tmp_path / name for name in ("x.txt", "pairs.jsonl", "gold.jsonl"))
    corpus.write_text("".join(f"The {who} {phrase}.\n" for who in PEOPLE for phrase in PHRASES))
    mine("complements", corpus, out=pairs, unlabelled=True)
    assert all(not item.gold for item in read_items(pairs).items())
    campaign = collect.new("likert", str(pairs), tmp_path / "ratings.toml")
    simulate(campaign, tmp_path / "simulated.toml", people=20)
    collect.export(tmp_path / "simulated.toml", into=tmp_path / "people", out=gold)
    assert all("people" in item.gold for item in read_items(gold).items())
    grice.judge(str(gold), by="baseline/overlap", into=tmp_path / "models")
    table = grice.table(
        tmp_path / "models", measure="spearman", down="signature", across="environment"
    )
    assert set(table.columns) == {"positive", "negative"} and len(table.rows) == 4
    assert all(estimate is None or estimate.n == 4 for estimate in table.cells.values())
