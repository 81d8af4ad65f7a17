"""Settings from words and from typed values, by the fields of a dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from grice.cluster import Cluster
from grice.core.errors import InputError
from grice.core.judge_spec import parse_judge, read_judges
from grice.core.settings import Origin, check_settings, read_settings, setting, with_settings


def _pair(given: Any) -> tuple[float, float]:
    into, out = map(float, given.split(","))
    return into, out


@dataclass(frozen=True)
class Inner:
    size: int = setting(1, low=1)


@dataclass(frozen=True)
class Everything:
    epochs: int = setting(3, low=1)
    rate: float = setting(2e-5, above=0)
    ema: float = setting(0.0, low=0, below=1)
    graphs: bool = True
    device: str = ""
    engine: str = setting("auto", choices=("auto", "onnx"))
    folder: Path = Path()
    labels: tuple[str, ...] = ()
    words: Mapping[str, str] = setting(dict)
    body: Mapping[str, Any] = setting(dict)
    limit: int | None = setting(None, low=0)
    price: tuple[float, float] | None = setting(None, read=_pair, expected="two numbers, as in 1,2")


class Typed(Origin):
    typed = True


def test_words_become_what_the_fields_say() -> None:
    given = {
        "epochs": "4",
        "rate": "1e-3",
        "graphs": "False",
        "engine": "onnx",
        "folder": "a/b",
        "labels": "yes, no,",
        "words": "yes:ja, no:nein",
        "body": '{"top_p": 1}',
        "limit": "0",
        "price": "0.15,0.6",
    }
    found = read_settings(Everything, given)
    assert (found.epochs, found.rate, found.graphs, found.engine) == (4, 1e-3, False, "onnx")
    assert (found.folder, found.labels, found.limit) == (Path("a/b"), ("yes", "no"), 0)
    assert (found.words, found.body, found.price) == (
        {"yes": "ja", "no": "nein"},
        {"top_p": 1},
        (0.15, 0.6),
    )


def test_defaults_stand_in_the_dataclass_and_values_of_the_right_type_stay() -> None:
    assert read_settings(Everything, {}) == Everything()
    assert read_settings(
        Everything, {"epochs": 2, "rate": 1, "graphs": False, "limit": ""}
    ) == Everything(2, 1.0, graphs=False)
    assert read_settings(Everything, {"rate": "1"}, base=Everything(epochs=9)) == Everything(9, 1.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epochs": "0"}, "-M epochs is a whole number from 1 on, not '0'"),
        ({"epochs": "many"}, "-M epochs is a whole number from 1 on, not 'many'"),
        ({"epochs": 2.5}, "-M epochs is a whole number from 1 on, not 2.5"),
        ({"epochs": True}, "-M epochs is a whole number from 1 on, not True"),
        ({"rate": "0"}, "-M rate is a number above 0, not '0'"),
        ({"rate": "nan"}, "-M rate is a number above 0, not 'nan'"),
        ({"ema": "1"}, "-M ema is a number from 0 to less than 1, not '1'"),
        ({"graphs": "yes"}, "-M graphs is true or false, not 'yes'"),
        ({"engine": "onx"}, "no engine is called 'onx'. Did you mean 'onnx'?"),
        ({"words": "yes"}, "-M words is KEY:VALUE,…, not 'yes'"),
        ({"body": "[1]"}, "-M body is a JSON object, as in {\"top_p\":1}, not '[1]'"),
        ({"body": "{"}, "-M body is a JSON object"),
        ({"price": "1"}, "-M price is two numbers, as in 1,2, not '1'"),
        ({"epoch": "1"}, "no setting of it is called 'epoch'. Did you mean 'epochs'?"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_what_fits(
    given: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as error:
        read_settings(Everything, given, noun="setting of it")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_typed_values_are_not_read_as_words() -> None:
    found = read_settings(Everything, {"epochs": 2, "labels": ["a", "b"], "folder": "x"}, Typed())
    assert (found.labels, found.folder) == (("a", "b"), Path("x"))
    for given in (
        {"epochs": "2"},
        {"device": 3},
        {"graphs": "true"},
        {"labels": "a,b"},
        {"folder": 1},
    ):
        with pytest.raises(InputError, match=next(iter(given))):
            read_settings(Everything, given, Typed())


def test_what_has_no_default_must_be_given_and_what_is_fixed_cannot() -> None:
    @dataclass
    class Needs:
        title: str
        path: str = ""

    with pytest.raises(InputError, match="no 'title' is given"):
        read_settings(Needs, {})
    assert read_settings(Needs, {"title": "T"}, path="here") == Needs("T", "here")
    with pytest.raises(InputError, match="no setting is called 'path'"):
        read_settings(Needs, {"title": "T", "path": "there"}, path="here")


def test_a_group_of_settings_has_no_place_among_words() -> None:
    @dataclass
    class Outer:
        inner: Inner = Inner()

    with pytest.raises(InputError, match="-M inner is"):
        read_settings(Outer, {"inner": "1"})


def test_a_class_shows_the_settings_it_takes() -> None:
    @with_settings(Inner)
    class Judge:
        def __init__(self, name: str, **settings: Any) -> None:
            self.name, self.settings = name, settings

    assert str(signature(Judge)) == "(name: 'str', *, size: 'int' = 1)"


def test_what_is_made_directly_can_be_checked_like_what_is_read() -> None:
    check_settings(Inner(2))
    with pytest.raises(InputError, match=r"^-M size is a whole number from 1 on, not 'x'$"):
        check_settings(Inner("x"))  # type: ignore[arg-type]


@pytest.mark.parametrize("gpus", [float("nan"), float("inf"), -1.0])
def test_a_share_of_a_gpu_is_a_number_from_0_on(gpus: float) -> None:
    with pytest.raises(InputError, match="gpus"):
        Cluster("ray", 2, gpus)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2J", "\r"])
def test_a_judges_name_is_one_printable_line(name: str) -> None:
    with pytest.raises(InputError, match="name"):
        parse_judge(f"{name}=baseline/overlap")


def test_a_name_in_a_file_of_judges_is_one_printable_line(tmp_path: Path) -> None:
    (tmp_path / "judges.toml").write_text('["a\\nb"]\njudge = "baseline/overlap"\n')
    with pytest.raises(InputError, match="name"):
        read_judges(tmp_path / "judges.toml")
