"""What every published set keeps: it reads its tiny fixture, and matches its card where the files
are there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grice.core.errors import InputError, MissingData
from grice.core.shelf import DATASETS
from grice.storage.run import join
from grice.storage.source import Source
from tests.datasets.tiny import write_all

NAMES = DATASETS.names()


def source(name: str) -> Source:
    found = DATASETS.find(name)
    assert isinstance(found, Source)
    return found


def parts() -> list[tuple[str, str]]:
    return [(name, part) for name in NAMES for part in source(name).parts]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize(("name", "part"), parts())
def test_each_part_reads_its_fixture_in_order_under_ids_of_the_form_set_part_row(
    tiny: Path, name: str, part: str
) -> None:
    data = source(name).load(part, tiny)
    assert len(data) >= 1
    last: dict[str, int] = {}
    for item in data.ids:
        found = re.fullmatch(rf"({name}/.+)/(\d+)", item)
        assert found, item
        prefix, row = found[1], int(found[2])
        assert row == last.get(prefix, -1) + 1, item
        last[prefix] = row


@pytest.mark.parametrize("name", NAMES)
def test_reading_twice_gives_the_same_fingerprint(tiny: Path, name: str) -> None:
    one = source(name)
    assert one.load(one.parts[0], tiny).fingerprint == one.load(one.parts[0], tiny).fingerprint


@pytest.mark.parametrize("name", NAMES)
def test_parts_have_fingerprints_of_their_own(tiny: Path, name: str) -> None:
    prints = [source(name).load(part, tiny).fingerprint for part in source(name).parts]
    assert len(set(prints)) == len(prints)


@pytest.mark.parametrize("name", NAMES)
def test_without_its_files_a_part_says_which_one_and_how_to_get_it(
    tmp_path: Path, name: str
) -> None:
    for part in source(name).parts:
        with pytest.raises(
            MissingData, match=rf"^{name}/\S+ is not in the data folder .*grice fetch {name}$"
        ):
            source(name).load(part, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_recorded_runs_join_with_their_data(tiny: Path, name: str) -> None:
    one = source(name)
    data = one.load(one.parts[0], tiny)
    runs = one.runs(data, tiny)
    for run in runs:
        assert 0 < run.answered <= len(data)
        assert run.faults == 0
    if runs:
        assert join(data, *runs).height == sum(run.answered for run in runs)


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name: str) -> None:
    one = source(name)
    assert one.name == name
    assert one.card.title and one.card.citation and one.card.licence and one.card.notes
    assert set(one.card.counts) <= set(one.parts)
    assert one.card.files
    for remote in one.card.files:
        assert remote.path.startswith(f"{name}/")
        assert (
            remote.url.startswith(("https://", "http://"))
            or "https://" in remote.derived_from
            or "No address is published" in " ".join(one.card.notes)
        )
        assert remote.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", remote.sha256)
    assert len({remote.path for remote in one.card.files}) == len(one.card.files)


@pytest.mark.parametrize("name", NAMES)
def test_the_bare_name_loads_its_first_part_or_asks_for_one(tiny: Path, name: str) -> None:
    one = source(name)
    if one.has_default_part:
        assert one.load("", tiny).fingerprint == one.load(one.parts[0], tiny).fingerprint
    else:
        with pytest.raises(InputError, match="pass one part"):
            one.load("", tiny)


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_part_says_what_there_is(tiny: Path, name: str) -> None:
    with pytest.raises(InputError, match=rf"no part of {name} is called 'nowhere'"):
        source(name).load("nowhere", tiny)


@pytest.mark.published
@pytest.mark.parametrize("name", NAMES)
def test_published_files_match_the_card(data_folder: Path, name: str) -> None:
    one = source(name)
    found = 0
    for part, count in one.card.counts.items():
        try:
            data = one.load(part, data_folder)
        except MissingData:
            continue
        found += 1
        assert len(data) == count, part
    if not found:
        pytest.skip(f"no counted part of {name} is in the data folder")


@pytest.mark.published
@pytest.mark.parametrize("name", NAMES)
def test_published_files_have_the_checksums_of_the_card(data_folder: Path, name: str) -> None:
    from grice.core.files import sha256_of

    known = [
        (r, data_folder / r.path)
        for r in source(name).card.files
        if r.sha256 and (data_folder / r.path).is_file()
    ]
    if not known:
        pytest.skip(f"no file of {name} with a known checksum is in the data folder")
    for remote, path in known:
        assert sha256_of(path) == remote.sha256, remote.path
