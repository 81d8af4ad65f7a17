"""A profile that was written is read back equal, and the same page is drawn from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT, Scale
from grice.profiling.build import build
from grice.reporting.folder import write_folder
from grice.reporting.model import Profile
from grice.storage.run import Run
from tests.hand import answers, three
from tests.profiling.judges import always, failing_controls, logical, pragmatic, run, suite
from tests.profiling.test_asked_in_ways import steady, told

ROOT = Path(__file__).parents[2]
Pairs = Sequence[tuple[Dataset, Sequence[Run]]]


def suite_of_five() -> Pairs:
    judges = {"a": pragmatic, "b": logical, "always": always, "controls": failing_controls}
    runs = [run(judge, name, sure=0.8) for name, judge in judges.items()]
    return [(suite(), [*runs, run(pragmatic, "no probabilities")])]


def own_data_without_tags() -> Pairs:
    data = three()
    return [(data, [answers(data, ["entailment", "neutral", "neutral"], n) for n in ("a", "b")])]


def unlabelled() -> Pairs:
    items = [
        Item(f"u{i}", f"It rains {i}.", "It is wet.", {}, {"place": "ab"[i % 2]}) for i in range(8)
    ]
    data = Dataset.from_items("texts", NLI, items)
    return [(data, [answers(data, ["neutral"] * 5 + ["entailment"] * 3)])]


def certainty() -> Pairs:
    golds = [0.05 + 0.09 * i for i in range(10)]
    items = [Item(f"{i}", f"It may rain {i}.", "It rains.", {"p": p}) for i, p in enumerate(golds)]
    data = Dataset.from_items("odds", UNIT, items)
    return [
        (data, [answers(data, [p * factor for p in golds], f"{factor}") for factor in (0.9, 1)])
    ]


def people_with_ratings() -> Pairs:
    items = [
        Item(
            f"a{i}",
            "It rains.",
            "It is wet.",
            {"rating": i / 10},
            {"people": (f"1={i}", f"2={i + 1}")},
        )
        for i in range(10)
    ]
    data = Dataset.from_items("hand", NLI, items, readings={"rating": Scale(low=0.0, high=1.0)})
    said = ["entailment" if i > 4 else "contradiction" for i in range(10)]
    return [(data, [Run.from_columns(data, "mine", data.ids, said)])]


def several_sets_with_norms() -> Pairs:
    sets = [
        grice.load(f"{name}@3", groups=groups)
        for name, groups in (
            ("gradable_adjective", 12),
            ("factives", 12),
            ("veridicality_signatures", 32),
        )
    ]
    return [
        (
            data,
            [
                grice.evaluate(data, grice.load_judge(f"baseline/{name}"))
                for name in ("overlap", "random")
            ],
        )
        for data in (*sets, three())
    ]


@pytest.mark.parametrize(
    "pairs",
    [
        suite_of_five,
        own_data_without_tags,
        unlabelled,
        certainty,
        people_with_ratings,
        several_sets_with_norms,
    ],
)
def test_read_gives_the_written_profile(pairs: Callable[[], Pairs], tmp_path: Path) -> None:
    built, _ = build(pairs())
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs/schema/profile.schema.json").read_text(encoding="utf-8"))
    for profile in (built, built.without_items()):
        profile.write(tmp_path)
        assert Profile.read(tmp_path) == profile
        jsonschema.validate(json.loads((tmp_path / "profile.json").read_bytes()), schema)


@pytest.mark.parametrize("pairs", [own_data_without_tags, certainty])
def test_the_page_of_the_read_profile_is_that_of_the_written(
    pairs: Callable[[], Pairs], tmp_path: Path
) -> None:
    built, sheets = build(pairs())
    parts = [(sheet.data, sheet.frame) for sheet in sheets]
    pages: list[list[bytes]] = []
    for profile in (built, built.without_items()):
        profile.write(tmp_path)
        for source in (profile, Profile.read(tmp_path)):
            folder = tmp_path / str(len(pages))
            write_folder(source, parts, folder, stamp="", images=False)
            files = sorted(path for path in folder.rglob("*") if path.is_file())
            pages.append([path.read_bytes() for path in files])
    assert pages[0] == pages[1] != pages[2] == pages[3]


def test_effects_of_prompt_variants_are_read_back(tmp_path: Path) -> None:
    profile = told(steady)
    profile.write(tmp_path)
    read = Profile.read(tmp_path)
    assert read == profile
    assert any(claim.gate and claim.gate.methods for claim in read.claims)


@pytest.mark.usefixtures("data_folder")
def test_published_runs_are_read_back(tmp_path: Path) -> None:
    written = grice.profile(
        "baseline/overlap",
        data="veridicality",
        against="recorded",
        out=tmp_path,
        limit=60,
        images=False,
    )
    assert Profile.read(tmp_path) == written and len(written.judges) > 1


@pytest.mark.parametrize("limit", [12, 60])
def test_few_items_of_core_leave_out_figures_without_numbers(tmp_path: Path, limit: int) -> None:
    profile = grice.profile(
        "baseline/overlap", out=tmp_path, limit=limit, images=False, exchange=0, panel=False
    )
    assert profile.page == tmp_path / "index.html"
    assert profile.figures and all(figure.numbers for figure in profile.figures)


def test_an_unchanged_folder_is_read_and_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = grice.profile(
        "baseline/overlap", data="quantifiers", limit=12, out=tmp_path, images=False
    )
    monkeypatch.setattr("grice.profiling.build.build", None)
    second = grice.profile(
        "baseline/overlap", data="quantifiers", limit=12, out=tmp_path, images=False
    )
    assert second == first and first.fresh and not second.fresh
    assert second.page == first.page == tmp_path / "index.html"


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"schema": 4}', '{"schema": 2, "title": "old"}', '{"schema": "3"}', "[" * 100_000],
)
def test_a_file_of_another_schema_is_refused_in_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        Profile.read(tmp_path)
    assert "\n" not in str(error.value) and "profile.json" in str(error.value)
