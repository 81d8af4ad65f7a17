"""What a campaign needs over months: backups, an earlier form of its database, new keys, and a look
for damage.
"""

from __future__ import annotations

import random
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from grice.cli import main
from grice.collecting.backup import back_up, restore
from grice.collecting.campaign import KnownPair
from grice.collecting.counts import exclude
from grice.collecting.overview import ratings, status
from grice.collecting.store import Store
from grice.collecting.verify import check_store
from grice.core.errors import GriceError, InputError
from grice.verbs import collect
from grice.verbs.campaign_data import open_campaign
from tests.collecting.conftest import Open
from tests.collecting.hand import Clock, Visitor, campaign, items, slide
from tests.collecting.test_at_rest import write_campaign
from tests.collecting.test_store import consistent, person, work_through

KNOWN = (KnownPair("Pay attention.", 1.0, "Move it to the right end."),)


@pytest.mark.parametrize("schema", ["1", "5"])
def test_a_database_of_another_schema_is_refused(opened: Open, tmp_path: Path, schema: str) -> None:
    store = opened(campaign(tmp_path), items(1))
    with store.write() as connection:
        connection.exec_driver_sql(f"UPDATE meta SET value = '{schema}' WHERE key = 'schema'")
    with pytest.raises(InputError, match=f"has schema {schema}, this version reads schema 4"):
        opened(campaign(tmp_path), items(1))


def test_a_backup_is_put_back_whole_into_either_database(
    opened: Open, address: str, tmp_path: Path
) -> None:
    data = items(2)
    store = opened(campaign(tmp_path, attention=KNOWN), data)
    work_through(store, person(store))
    exclude(store, person(store), "a robot")
    looking = Store(
        replace(campaign(tmp_path, attention=KNOWN), database=address), data, read_only=True
    )
    assert back_up(looking, tmp_path / "kept.sqlite") == 10
    looking.close()
    with pytest.raises(InputError, match="exists already"):
        back_up(store, tmp_path / "kept.sqlite")
    other = replace(campaign(tmp_path, attention=KNOWN), database=str(tmp_path / "again.sqlite"))
    assert restore(other, data, tmp_path / "kept.sqlite") == 10
    with pytest.raises(InputError, match="holds a campaign already"):
        restore(other, data, tmp_path / "kept.sqlite")
    again = Store(other, data)
    assert list(ratings(again)) == list(ratings(store))
    assert (again.secret, check_store(again)[0]) == (store.secret, [])
    assert person(again) == 3
    work_through(again, 3)
    consistent(again)
    again.close()
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]


def test_a_backup_goes_into_postgresql_and_numbers_go_on(tmp_path: Path, postgres: str) -> None:
    import psycopg

    store = Store(campaign(tmp_path), items(1))
    work_through(store, person(store))
    back_up(store, tmp_path / "kept.sqlite")
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    there = replace(campaign(tmp_path), database=f"{postgres}/postgres")
    assert restore(there, items(1), tmp_path / "kept.sqlite") == 5
    again = Store(there, items(1))
    assert person(again) == 2
    work_through(again, 2)
    assert status(again)["answered"] == 10
    assert check_store(again)[0] == []
    again.close()


def test_a_backup_while_people_answer_is_of_one_moment(opened: Open, tmp_path: Path) -> None:
    data = items(30)
    store = opened(campaign(tmp_path), data)
    workers = [threading.Thread(target=work_through, args=(store, person(store))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for number in range(3):
        back_up(store, tmp_path / f"kept-{number}.sqlite")
    for worker in workers:
        worker.join()
    for number in range(3):
        kept = Store(
            replace(campaign(tmp_path), database=str(tmp_path / f"kept-{number}.sqlite")),
            data,
            read_only=True,
        )
        assert check_store(kept)[0] == []
        kept.close()


def test_changed_keys_close_the_old_links_at_once(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, people={"access": "link"}), items(1))
    visitor = Visitor(store).join(key=Visitor(store).keys.shared)
    admin, shared = visitor.keys.admin, visitor.keys.shared
    assert visitor.http.get("/admin", params={"key": admin}).status_code == 200
    store.change_keys("admin", "command line")
    assert visitor.http.get("/admin").status_code == 401
    assert visitor.http.get("/admin", params={"key": admin}).status_code == 403
    assert visitor.http.get("/admin", params={"key": visitor.keys.admin}).status_code == 200
    store.change_keys("links", "command line")
    assert Visitor(store).http.get("/join", params={"key": shared}).status_code == 403
    assert Visitor(store).http.get("/join", params={"key": visitor.keys.shared}).status_code == 200
    assert visitor.answer(lambda _p, _h: slide(5)) == 5, "whoever is here already stays"
    assert "changed keys" in visitor.http.get("/admin").text


def test_an_administrators_cookie_ends_and_links_may_too(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path, people={"access": "link", "link_days": 2.0}), items(1))
    visitor = Visitor(store).join(key=Visitor(store).keys.shared)
    visitor.http.get("/admin", params={"key": visitor.keys.admin})
    clock.now += 11 * 3600
    assert visitor.http.get("/admin").status_code == 200
    clock.now += 2 * 3600
    assert visitor.http.get("/admin").status_code == 401
    clock.now += 2 * 86_400
    assert "expired" in Visitor(store).http.get("/join", params={"key": visitor.keys.shared}).text
    assert visitor.http.get("/").status_code == 200
    store.change_keys("links", "command line")
    assert Visitor(store).http.get("/join", params={"key": visitor.keys.shared}).status_code == 200


def test_settings_that_are_lost_are_told(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    damages = {
        "DELETE FROM meta WHERE key = 'settings'": "the database is damaged and cannot be used",
        "UPDATE meta SET value = 'x' WHERE key = 'schema'": (
            "has schema x, this version reads schema 4"
        ),
    }
    for damage, message in damages.items():
        with store.write() as connection:
            connection.exec_driver_sql(damage)
        with pytest.raises(GriceError, match=message):
            opened(campaign(tmp_path), items(1))


def test_the_command_line_backs_up_restores_and_changes_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_campaign(tmp_path / "c")
    store, _ = open_campaign(path)
    work_through(store, person(store))
    store.close()
    kept = tmp_path / "kept.sqlite"

    def said(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["grice", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        return capsys.readouterr().out

    assert "5 answers of" in said("collect", "backup", str(path), "-o", str(kept))
    path.with_suffix(".sqlite").unlink()
    assert "5 answers are back" in said("collect", "restore", str(path), str(kept))
    assert said("collect", "rotate", str(path), "admin").startswith("/admin?key=")
    assert said("collect", "rotate", str(path), "links") == "/\n"
    assert "0 findings in 5 items" in said("check", str(path))


CHANGES = {
    "answers not as they were stored": (
        "UPDATE ratings SET raw = raw + 1, value = 0.25 WHERE pair = 2 AND person = 1"
    ),
    "answers off the scale": "UPDATE ratings SET value = 7 WHERE pair = 3 AND person = 1",
    "counts that are wrong": "UPDATE pairs SET taken = 0 WHERE id = 4",
    "audit log": "UPDATE meta SET value = '' WHERE key = 'audit'",
}


@pytest.mark.parametrize("named", CHANGES)
def test_damage_is_found_and_its_place_told(opened: Open, tmp_path: Path, named: str) -> None:
    data = items(1)
    store = opened(campaign(tmp_path), data)
    work_through(store, person(store))
    assert check_store(store) == ([], 5)
    with store.write() as connection:
        connection.exec_driver_sql(CHANGES[named])
    found = {damage.check: damage for damage in check_store(store)[0]}
    assert found[named].count == 1
    if "UPDATE ratings" in CHANGES[named]:
        assert found[named].examples[0].startswith("person/0001: hand/0/")
        with pytest.raises(
            GriceError, match=r"person/0001 to 'hand/0/.' is not as it was stored; see all"
        ):
            list(ratings(store))


def test_a_changed_text_of_a_pair_is_refused_when_opened(opened: Open, tmp_path: Path) -> None:
    asked, data = campaign(tmp_path), items(1)
    with opened(asked, data).write() as connection:
        connection.exec_driver_sql("UPDATE pairs SET premise = 'Another.' WHERE id = 1")
    with pytest.raises(GriceError, match=r"the pair 'hand/0/0' is not as it was stored"):
        opened(asked, data)


def test_bytes_overwritten_in_a_database_are_one_line_and_never_other_answers(
    tmp_path: Path,
) -> None:
    """Twenty-five overwrites and twenty-five flipped bits, at random places: as before, or an error
    in one line.
    """
    path = write_campaign(tmp_path / "c")
    items(30).write(tmp_path / "c" / "items.jsonl")
    store, _ = open_campaign(path)
    work_through(store, person(store), 2000)
    work_through(store, person(store), 2500)
    store.close()
    file = path.with_suffix(".sqlite")
    whole = file.read_bytes()
    collect.export(path, into=tmp_path / "runs", out=tmp_path / "gold.jsonl")
    right = (tmp_path / "gold.jsonl").read_bytes()
    random_place = random.Random(7)
    told = 0
    for number in range(50):
        damaged = bytearray(whole)
        place = random_place.randrange(100, len(whole) - 64)
        if number % 2:
            damaged[place : place + 64] = random_place.randbytes(64)
        else:
            damaged[place] ^= 1 << random_place.randrange(8)
        file.write_bytes(damaged)
        try:
            collect.status(path)
            collect.export(path, into=tmp_path / f"runs-{number}", out=tmp_path / "gold.jsonl")
            assert (tmp_path / "gold.jsonl").read_bytes() == right, (
                f"damage at {place} changed the gold"
            )
        except GriceError as error:
            assert "\n" not in str(error)
            told += 1
        shutil.rmtree(tmp_path / f"runs-{number}", ignore_errors=True)
    assert told > 10
