from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from grice.cli import build
from tests.commands import run_command
from tests.hand import three


@pytest.fixture
def here(tmp_path: Path) -> Path:
    three().write(tmp_path / "items.jsonl")
    (tmp_path / "empty").mkdir()
    return tmp_path


def grice(where: Path, *words: str, code: int = 0, data: str | None = None) -> tuple[str, str]:
    environment = {"GRICE_DATA": data or str(where / "data"), "NO_COLOR": "1"}
    ended = run_command(words, where, environment)
    assert ended.code == code, ended.out + ended.err
    assert "Traceback" not in ended.err
    return ended.out, ended.err


def test_judge_then_table_from_a_file(here: Path) -> None:
    grice(here, "judge", "items.jsonl", "--by", "baseline/overlap", "--by", "baseline/majority")
    runs = sorted(str(p.relative_to(here)) for p in (here / "runs").iterdir())
    text, _ = grice(here, "table", *runs, "--down", "kind")
    assert "baseline/overlap" in text
    assert "n=2" in text
    cells = json.loads(grice(here, "table", *runs, "--json")[0])["cells"]
    assert {(cell["column"], cell["n"]) for cell in cells} == {
        ("baseline/majority", 3),
        ("baseline/overlap", 3),
    }


def test_every_measure_that_is_asked_for_is_shown(here: Path) -> None:
    grice(here, "judge", "items.jsonl", "--by", "baseline/overlap", "--by", "baseline/majority")
    runs = sorted(str(p.relative_to(here)) for p in (here / "runs").iterdir())
    three = ("-m", "accuracy", "-m", "f1", "-m", "alpha")
    cells = json.loads(grice(here, "table", *runs, *three, "--json")[0])["cells"]
    names = [
        f"baseline/{judge} {measure}"
        for judge in ("majority", "overlap")
        for measure in ("accuracy", "f1")
    ]
    assert [cell["column"] for cell in cells] == [*names, "all judges alpha"]
    assert grice(here, "table", *runs, *three)[0].startswith("accuracy, f1, alpha on items")
    one = json.loads(grice(here, "table", runs[0], "-m", "f1", "--json")[0])["cells"]
    assert [cell["column"] for cell in one] == ["baseline/majority"]


def test_a_value_that_no_item_has_is_a_mistake_and_several_values_of_a_tag_are_all_kept(
    here: Path,
) -> None:
    grice(here, "judge", "items.jsonl", "--by", "baseline/majority")
    run = str(next((here / "runs").iterdir()).relative_to(here))
    _, error = grice(here, "table", run, "--where", "kind=aa", code=2)
    assert error == "grice: no kind is called 'aa'. Did you mean 'a'? There are: a, b.\n"
    _, error = grice(here, "table", run, "--where", "kind=a", "--where", "judge=other", code=2)
    assert "no judge is called 'other'" in error
    both = ("--where", "kind=a", "--where", "kind=b")
    assert json.loads(grice(here, "table", run, *both, "--json")[0])["cells"][0]["n"] == 3


def test_the_default_measure_on_numbers_names_those_that_fit(here: Path) -> None:
    rows = [
        {
            "id": str(n),
            "premise": f"Ana saw {n} cats.",
            "hypothesis": "She did.",
            "gold": {"p": n / 4},
        }
        for n in range(4)
    ]
    (here / "numbers.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
    )
    grice(here, "judge", "numbers.jsonl", "--by", "baseline/overlap")
    run = str(next((here / "runs").iterdir()).relative_to(here))
    _, error = grice(here, "table", run, code=2)
    assert (
        error
        == "grice: the gold answers of 'p' are numbers, not labels; use pearson:p, spearman:p or"
        " mse:p\n"
    )
    assert "pearson:p on numbers" in grice(here, "table", run, "-m", "pearson:p")[0]


@pytest.mark.parametrize(
    ("format", "sign"),
    [
        ("md", "| kind |"),
        ("tex", r"\toprule"),
        ("csv", "kind,column,value,n,low,high"),
        ("json", '"cells"'),
    ],
)
def test_tables_come_in_the_formats_of_papers(here: Path, format: str, sign: str) -> None:
    grice(here, "judge", "items.jsonl", "--by", "baseline/majority")
    run = next((here / "runs").iterdir())
    assert sign in grice(here, "table", str(run), "--down", "kind", "--format", format)[0]


def test_a_second_call_has_nothing_to_do(here: Path) -> None:
    grice(here, "judge", "items.jsonl", "--by", "baseline/random")
    out, err = grice(here, "judge", "items.jsonl", "--by", "baseline/random", "--json")
    assert json.loads(out)[0]["answered"] == 3
    assert not err, "nothing was asked, so nothing is reported"


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (("judge", "itemz.jsonl", "--by", "baseline/random"), 2, "itemz.jsonl: no such file"),
        (("judge", "imppress", "--by", "baseline/random"), 2, "Did you mean 'imppres'"),
        (("judge", "items.jsonl", "--by", "baseline/rndom"), 2, "Did you mean 'random'"),
        (("judge", "items.jsonl", "--by", "baslein/random"), 2, "Did you mean 'baseline'"),
        (("judge", "items.jsonl", "--by", "random"), 2, "names no model"),
        (
            ("judge", "items.jsonl", "--by", "baseline/random", "-M", "seed"),
            2,
            "-M takes KEY=VALUE",
        ),
        (("judge", "imppres", "--by", "baseline/random"), 1, "grice fetch imppres"),
        (("judge", "empty", "--by", "baseline/random"), 2, "holds no table"),
        (("judge", "items.jsonl"), 2, "--by"),
        (("table", "runs/none"), 2, "no such file or folder"),
        (("show", "imppress"), 2, "Did you mean 'imppres'"),
        (("reproduce", "impres"), 2, "Did you mean 'imppres'"),
        (
            ("reproduce", "imppres", "-e", "Figure 99"),
            2,
            "no exhibit of imppres is called 'Figure 99'",
        ),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(
    here: Path, words: tuple[str, ...], code: int, line: str
) -> None:
    _, error = grice(here, *words, code=code)
    assert line in error
    if words != ("judge", "items.jsonl"):
        assert len(error.strip().splitlines()) == 1
    assert not (here / "runs").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_said_so(here: Path) -> None:
    (here / "runs").mkdir(mode=0o500)
    assert (
        "cannot be written"
        in grice(here, "judge", "items.jsonl", "--by", "baseline/random", code=1)[1]
    )


def test_a_full_disk_stops_cleanly(here: Path) -> None:
    (here / "runs").write_text("a file where a folder should be")
    assert (
        "cannot be written"
        in grice(here, "judge", "items.jsonl", "--by", "baseline/random", code=1)[1]
    )


@pytest.mark.parametrize(
    "kind", ["datasets", "judges", "measures", "papers", "phenomena", "chapters"]
)
def test_every_shelf_can_be_listed_and_every_thing_shown(here: Path, kind: str) -> None:
    rows = json.loads(grice(here, "list", kind, "--json")[0])
    assert rows
    shown = json.loads(grice(here, "show", f"{kind}/{rows[0]['name']}", "--json")[0])
    assert shown["name"] == rows[0]["name"]


@pytest.mark.parametrize(
    ("words", "made"), [(["judge", "x"], ["judge"]), (["show-prompt"], ["show_prompt"])]
)
def test_a_command_makes_its_own_verb_and_no_other(words: list[str], made: list[str]) -> None:
    from grice.cli import _asked, build

    assert _asked(words) == made
    (verb,) = build(made).registered_commands
    assert verb.callback is not None and verb.callback.__name__ == made[0]


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["no-such-verb"], ["_flags"]])
def test_whatever_begins_with_no_verb_sees_them_all(words: list[str]) -> None:
    from grice.cli import _asked

    assert _asked(words) == []


@pytest.mark.parametrize(
    ("words", "place", "said"),
    [("grice ta", "1", "table"), ("grice judge quantif", "2", "quantifiers")],
)
def test_a_shell_completes_verbs_and_names(here: Path, words: str, place: str, said: str) -> None:
    environment = {
        **os.environ,
        "_GRICE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": place,
    }
    done = subprocess.run(
        [sys.executable, "-m", "grice"], cwd=here, env=environment, capture_output=True, text=True
    )
    assert said in done.stdout.split()


def test_no_help_text_has_brackets_which_the_terminal_would_take_for_markup() -> None:
    commands = typer.main.get_command(build()).commands  # type: ignore[attr-defined]
    for name, command in commands.items():
        for part, subcommand in getattr(command, "commands", {"": command}).items():
            for parameter in subcommand.params:
                text = getattr(parameter, "help", "") or ""
                assert not re.search(r"\[[a-z#/@]", text), (name, part, text)
