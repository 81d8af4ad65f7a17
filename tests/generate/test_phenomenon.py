from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from grice.core.errors import InputError
from grice.generate._random import Rng, Shuffle, seed_of
from grice.generate.lexicon import Words
from grice.generate.phenomena.quantifiers import quantifiers
from grice.generate.phenomenon import Draw, NewItem, Phenomenon
from grice.theory.readings import READINGS


def _tiny(conditions: dict[str, tuple[str, ...]]) -> Phenomenon:
    def build(draw: Draw) -> list[NewItem]:
        return [NewItem(f"{draw.cell} {draw['a']}{draw['b']}", "x", {"label": "neutral"}, {})]

    return Phenomenon(
        "tiny",
        "test",
        "",
        "",
        lambda _words, _cell: {"a": "abcde", "b": "xyz"},
        build,
        1,
        conditions=conditions,
    )


@pytest.mark.parametrize("size", [1, 2, 7, 100, 1000])
def test_a_shuffle_is_a_permutation(size: int) -> None:
    assert sorted(map(Shuffle(size, 5).__getitem__, range(size))) == list(range(size))


def test_chance_is_the_same_everywhere() -> None:
    assert seed_of("tiny", 1, 2) == 5410894230996601573
    assert [Rng(1).randbelow(1000), Rng(2).randbelow(1000)] == [465, 110]


def test_every_combination_comes_once_and_every_condition_evenly() -> None:
    tiny = _tiny(
        {"tense": ("past", "present"), "verb": ("see", "hear", "feel"), "number": ("one", "many")}
    )
    assert tiny.capacity == 12
    items = list(tiny.stream(tiny.capacity, 3))
    assert len({item.premise.split()[-1] for item in items}) == tiny.capacity
    cells = Counter(tuple(item.tags[c] for c in tiny.conditions) for item in items)
    assert set(cells.values()) == {1} and len(cells) == 12


def test_cells_with_options_of_their_own_share_nothing() -> None:
    def slots(_words: Words, cell: Mapping[str, str]) -> Mapping[str, str]:
        return {"a": {"one": "abcde", "two": "vwxyz"}[cell["set"]]}

    def build(draw: Draw) -> list[NewItem]:
        return [NewItem(draw["a"], "x", {"label": "neutral"}, {})]

    tiny = Phenomenon("tiny", "test", "", "", slots, build, 1, conditions={"set": ("one", "two")})
    assert tiny.capacity == 10
    assert sorted(item.premise for item in tiny.stream(10, 1)) == list("abcdevwxyz")


def test_a_short_run_is_nearly_balanced() -> None:
    verbs = tuple(map(str, range(6)))
    items = list(_tiny({"tense": ("past", "present"), "verb": verbs}).stream(6, 3))
    assert Counter(item.tags["verb"] for item in items) == dict.fromkeys(verbs, 1)
    assert Counter(item.tags["tense"] for item in items) == {"past": 3, "present": 3}


def test_more_groups_than_there_are_is_refused_with_their_number() -> None:
    with pytest.raises(InputError, match="more than the 15 it can give"):
        _tiny({}).make(16, 1)
    with pytest.raises(InputError, match="at least 1"):
        _tiny({}).stream(0, 1)


def test_the_first_slot_is_taken_evenly() -> None:
    first = [item.premise.rpartition("} ")[2][0] for item in _tiny({}).stream(15, 4)]
    assert all(sorted(first[start : start + 5]) == list("abcde") for start in (0, 5, 10))


def test_a_slot_without_options_is_refused() -> None:
    tiny = Phenomenon("tiny", "test", "", "", lambda _words, _cell: {"a": ""}, lambda _draw: [], 1)
    with pytest.raises(InputError, match="a slot without options"):
        tiny.make(1, 1)


def test_a_group_is_the_same_alone_and_in_a_stream() -> None:
    assert quantifiers.make_group(7, 5) == list(quantifiers.stream(8, 5))[7 * quantifiers.rows :]


def test_ids_name_phenomenon_seed_group_and_row() -> None:
    item = quantifiers.make_group(7, 5)[3]
    assert (item.id, item.group) == ("quantifiers/5/7/3", "quantifiers/5/7")


def test_the_bytes_of_a_seed_never_change() -> None:
    """Items of a seed are cited and compared, so this text may not move with a machine or a Python
    version.
    """
    tiny = _tiny({"tense": ("past", "present")})
    texts = [item.premise.rpartition("} ")[2] for item in tiny.stream(6, 7)]
    assert " ".join(texts) == "ay bz dx cz ex ax"


def test_a_new_reading_brings_its_description_and_a_known_one_has_its_own() -> None:
    tiny = replace(
        _tiny({}),
        readings=("logical", "polite"),
        new_readings={"polite": "what a polite listener hears"},
    )
    assert tiny.describe_reading("polite") == "what a polite listener hears"
    assert tiny.describe_reading("logical") == READINGS["logical"]
    assert "bare" in replace(tiny, readings=("bare",)).describe_reading("bare")


def test_another_number_of_rows_than_declared_is_refused() -> None:
    with pytest.raises(InputError, match="rows=2, but build returns 1"):
        next(replace(_tiny({"tense": ("past",)}), rows=2).stream(1, 3))
