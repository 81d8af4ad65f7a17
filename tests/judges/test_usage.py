"""What replies took is summed over sessions, priced by a file that the user edits, and told in
show, page and JSON.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.errors import InputError
from grice.core.usage import Price, Usage, sum_replies
from grice.judges.usage import find_price
from tests.judges.servers import Act, completion, serving


def test_each_kind_of_token_has_its_price(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '"m" = { in = 2, out = 10, cached = 0.5, written = 3, batch = 0.5 }\n"n" = [1, 2]\n'
    )
    price = find_price(str(file), "m")
    used = Usage(into=1000, out=100, cached=600, written=100, reasoned=40)
    assert price.cost(used) == pytest.approx((300 * 2 + 600 * 0.5 + 100 * 3 + 100 * 10) / 1e6)
    assert price.cost(used, batched=True) == pytest.approx(price.cost(used) / 2)
    assert find_price(str(file), "n") == Price(1, 2)
    assert find_price(str(file), "n").cost(used) == pytest.approx((1000 + 200) / 1e6)


@pytest.mark.parametrize(
    "line", ['"m" = { in = 2 }', '"m" = { in = 2, out = 1, night = 3 }', '"m" = [1, -2]', '"m" = 3']
)
def test_a_price_that_is_none_is_refused_with_the_line_to_write(line: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(line + "\n")
    with pytest.raises(
        InputError, match=r'not a file of prices .*write lines such as "m" = \[0.15, 0.60\]'
    ):
        find_price(str(file), "m")


def test_sums_are_over_kept_replies_and_requests_beside_them() -> None:
    plain, batched = (
        {"tokens": [100, 10], "cached": 50},
        {"tokens": [100, 10], "batched": True, "reasoned": 4},
    )
    told = sum_replies(
        [json.dumps([plain, batched])], [{"tokens": [10, 1]}], Price(1, 2, 0.5, batch=0.5)
    )
    cost = (50 + 25 + 20 + (100 + 20) / 2 + 10 + 2) / 1e6
    assert told == {
        "answered requests": 3,
        "tokens in": 210,
        "tokens out": 21,
        "tokens cached": 50,
        "tokens of reasoning": 4,
        "tokens by batch": 110,
        "cost": pytest.approx(cost),
    }


def test_show_page_and_json_tell_what_a_run_took_also_after_a_second_sitting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        whole = json.loads(completion("neutral").body)
        whole["usage"] = {**whole["usage"], "prompt_tokens_details": {"cached_tokens": 8}}
        return Act(json.dumps({**whole, "model": "m-2026"}))

    monkeypatch.chdir(tmp_path)
    Path("prices.toml").write_text('"m" = { in = 2, out = 10, cached = 0.5 }\n')
    with serving(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        words = "--by openai/m -M prices=prices.toml --into page/runs --limit"
        for limit in (6, 12):
            found = CliRunner().invoke(
                build(), ["judge", "quantifiers@7", *words.split(), str(limit)]
            )
            assert found.exit_code == 0, found.output
        profile = (
            "profile openai/m --data quantifiers@7 --limit 12 -M prices=prices.toml -o page"
            " --no-images --exchange 0"
        )
        found = CliRunner().invoke(build(), profile.split())
        assert found.exit_code == 0, found.output
        asked = len(server.bodies)
    cost = round(asked * (12 * 2 + 8 * 0.5 + 2 * 10) / 1e6, 6)
    (row,) = json.loads(Path("page/profile.json").read_text())["method"]["usage"]
    assert (row["answered requests"], row["tokens cached"], row["cost"]) == (asked, 8 * asked, cost)
    assert (row["requests"], row["served model"]) == (asked, "m-2026")
    page = Path("page/index.html").read_text()
    assert "<h3>Usage</h3>" in page and "tokens cached" in page
    (folder,) = (one.parent for one in Path("page").rglob("run.json") if "openai" in str(one))
    shown = CliRunner().invoke(build(), ["show", str(folder)])
    assert (
        "sessions" in shown.output and f"{cost}" in shown.output and "tokens cached" in shown.output
    )
