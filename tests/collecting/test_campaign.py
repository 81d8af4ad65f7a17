from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from grice.collecting.campaign import INSTRUMENTS, TEMPLATES, new_campaign, read_campaign
from grice.collecting.database import connect
from grice.collecting.instrument import instrument_of
from grice.collecting.qualify import check_known
from grice.core.errors import InputError
from grice.core.scale import NLI

LEAST = 'title = "T"\ndataset = "items.jsonl"\ninstrument = "probability"\n'


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_instrument_has_a_commented_campaign_that_can_be_read(
    template: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(new_campaign(template, 'a "b"\\c.jsonl', path), encoding="utf-8")
    campaign = read_campaign(path)
    assert campaign.instrument == ("labels" if template == "conjuncts" else template)
    assert campaign.dataset == 'a "b"\\c.jsonl'
    made = instrument_of(campaign, NLI)
    check_known(campaign.attention, made.scale, "attention")
    check_known(campaign.qualification.items if campaign.qualification else (), made.scale, "test")
    assert path.read_text(encoding="utf-8").count("#") > 6


@pytest.mark.parametrize("instrument", INSTRUMENTS[:5])
def test_what_a_new_campaign_says_is_what_its_paper_did(instrument: str, tmp_path: Path) -> None:
    written, bare = tmp_path / "written.toml", tmp_path / "bare.toml"
    written.write_text(new_campaign(instrument, "x", written), encoding="utf-8")
    bare.write_text(f'title = "T"\ndataset = "x"\ninstrument = "{instrument}"\n')
    assert instrument_of(read_campaign(written), NLI) == instrument_of(read_campaign(bare), NLI)


def test_a_file_is_looked_for_beside_the_campaign(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text("{}")
    (tmp_path / "c.toml").write_text(LEAST)
    campaign = read_campaign(tmp_path / "c.toml")
    assert campaign.dataset == str(tmp_path / "items.jsonl")
    assert campaign.address == f"sqlite:///{tmp_path}/c.sqlite"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = 'T'\ntitle = 2", "c.toml:2: not TOML"),
        ('title = "T', "c.toml:1: not TOML"),
        ('title = "T"\ndataset = "x"', "no 'instrument'"),
        (
            LEAST.replace("probability", "probabilty"),
            "c.toml:3: no instrument is called 'probabilty'. Did you mean",
        ),
        (LEAST + "seed = 'a'", "c.toml:4: seed is a whole number from 0 to 1000000000, not 'a'"),
        (
            LEAST + "seed = 0x" + "f" * 5000,
            "c.toml:4: not TOML (it holds a number of thousands of digits)",
        ),
        (LEAST + "x = " + "[" * 3000, "c.toml:4: not TOML (it is nested too deeply)"),
        (LEAST + "y" * 5000 + " = 1", "c.toml:4: no key is called 'yyy"),
        (LEAST + "sede = 1", "c.toml:4: no key is called 'sede'. Did you mean 'seed'?"),
        (
            LEAST + "columns = 3",
            "c.toml:4: columns is a table of names, below a line [columns], not 3",
        ),
        (LEAST + "subtypes = 'one'", "c.toml:4: subtypes is a list such as"),
        (
            LEAST + "[work]\nper_page = '5'",
            "c.toml:5: per_page is a whole number from 1 to 50, not '5'",
        ),
        (LEAST + "path = 'x'", "c.toml:4: no key is called 'path'"),
        (LEAST + "work = 3", "c.toml:4: 'work' is not a table"),
        (
            LEAST + "[work]\nredundancy = 0",
            "c.toml:5: redundancy is a whole number from 1 to 1000000000, not 0",
        ),
        (
            LEAST + "[work]\nper_page = 2\nredundancy = true",
            "c.toml:6: redundancy is a whole number from 1 to 1000000000, not True",
        ),
        (LEAST + '[work]\ntogether = "all"', "c.toml:5: no together is called 'all'"),
        (
            LEAST + "[people]\nmost = 3\n[work]\nmost = 3",
            "c.toml:7: no key of [work] is called 'most'",
        ),
        (LEAST + '[people]\naccess = "invited"', "c.toml:5: 'invited' without invitations"),
        (
            LEAST + '[people]\ncompletion_url = "javascript:1"',
            "c.toml:5: completion_url is an address that begins with https://, not 'javascript:1'",
        ),
        (
            LEAST + '[[attention]]\npremise = "P"\nanswer = 1\n[[attention]]\npremise = "P"',
            "c.toml:7: no 'answer' in",
        ),
        (LEAST + "[qualification]\nitems = 3", "c.toml:5: 'items' is not a list of tables"),
        (
            LEAST + 'attention_misses = 2\n[[attention]]\npremise = "P"\nanswer = 1',
            "c.toml:4: attention_misses = 2, and there are 1 attention items",
        ),
    ],
)
def test_a_slip_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_campaign(path)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_templates_are_plain_toml() -> None:
    for instrument in INSTRUMENTS:
        tomllib.loads(new_campaign(instrument, "x", Path("c.toml")))


def test_an_unknown_instrument_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Did you mean 'likert'"):
        new_campaign("likrt", "x", tmp_path / "c.toml")


@pytest.mark.parametrize("name", ["a\nb.jsonl", "a\rb", "a\x00b", "a\x7fb"])
def test_a_dataset_with_a_line_end_in_its_name_begins_no_campaign(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(InputError, match="line"):
        new_campaign("likert", name, tmp_path / "c.toml")


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("postgresql://[::1/x", "postgresql"),
        ("postgresql://h:9x/y", "postgresql"),
        ("mysql://h/x", "mysql"),
        ("http://h/x", "http"),
    ],
)
def test_an_address_that_is_no_databases_is_told(address: str, kind: str) -> None:
    pytest.importorskip("psycopg", reason="without it PostgreSQL cannot be had")
    with pytest.raises(InputError, match=f"no database at an address '{kind}"):
        connect(address)
