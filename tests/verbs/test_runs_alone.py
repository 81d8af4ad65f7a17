"""A run stands on its own: read from anywhere, moved, packed, without its data; and judges have
names.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.hand import answers, pair, three

import grice
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.judge_spec import parse_judge, read_judges
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT
from grice.loading import JudgeLike
from grice.storage.run import Run
from grice.storage.run_folder import LINES

ODD = (
    "Satz A,Satz B,Urteil,art\nAna ging.,Jemand ging.,ja,x\nBo schlief.,Bo wachte.,nein,x\nCy"
    " lief.,Cy lag.,nein,y\n"
)
COLUMNS = {"premise": "Satz A", "hypothesis": "Satz B", "label": "Urteil", "labels": "ja,nein"}
JUDGE = """
from grice import Judgement
class Mine:
    name = "mine"
    def __init__(self, name="", *, mood="ja"): self.mood = mood
    def judge(self, questions, scale):
        for question in questions:
            yield Judgement(question.id, self.mood)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text(ODD, encoding="utf-8")
    Path("mine.py").write_text(JUDGE, encoding="utf-8")
    return tmp_path


def judged(*by: str, items: bool = True) -> list[Run]:
    names: list[JudgeLike] = [*(by or ("./mine.py", "baseline/random"))]
    return grice.judge(grice.load("odd.csv", **COLUMNS), names, items=items)


def test_runs_of_own_columns_are_read_from_any_folder_after_their_data_are_gone(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = judged()
    kept = [next(run.folder.glob("items-*")) for run in runs if run.folder]
    assert kept[0].samefile(kept[1]), "the items of several judges are kept once"
    Path("odd.csv").unlink()
    shutil.move("runs", "moved")
    Path("sub").mkdir()
    monkeypatch.chdir("sub")
    table = grice.table("../moved", down="art", judge="mine")
    assert [(row, cell and cell.n) for (row, _), cell in table.cells.items()] == [
        (("x",), 2),
        (("y",), 1),
    ]
    assert grice.compare("../moved", judge=["mine", "baseline/random"]).a == "mine"
    assert (
        grice.report("../moved", images=False, of="baseline/random").judges[0] == "baseline/random"
    )
    assert here.is_dir()


def test_a_packed_run_is_read_wherever_runs_are_and_holds_the_items_once(here: Path) -> None:
    runs = judged()
    grice.pack(runs, "all.zip")
    for name in ("runs", "odd.csv"):
        shutil.rmtree(name) if Path(name).is_dir() else Path(name).unlink()
    assert grice.table("all.zip").columns == ("mine", "baseline/random")
    assert runs[0].folder and grice.show(f"all.zip/{runs[0].folder.name}")["answered"] == 3
    grice.pack("all.zip", "again.zip")
    assert Path("again.zip").read_bytes() == Path("all.zip").read_bytes()
    with pytest.raises(InputError, match=r"ends in \.zip"):
        grice.pack("all.zip", "all.tar")
    assert here.is_dir()


def test_items_may_be_left_out_and_then_the_error_says_what_to_bring(here: Path) -> None:
    run, _ = judged(items=False)
    assert run.folder and not list(run.folder.glob("items-*"))
    assert grice.table("runs").columns
    Path("odd.csv").rename("elsewhere.csv")
    with pytest.raises(GriceError) as caught:
        grice.table("runs")
    for said in (
        "keeps no items",
        "odd.csv",
        run.fingerprint,
        "--premise 'Satz A'",
        "--labels 'ja,nein'",
        "--data",
    ):
        assert said in str(caught.value)
    assert grice.table("runs", data="elsewhere.csv").columns
    assert here.is_dir()


@pytest.mark.parametrize("items", [True, False])
def test_data_that_changed_are_refused_by_name_with_both_fingerprints(
    here: Path, items: bool
) -> None:
    old = judged("./mine.py", items=items)[0]
    Path("odd.csv").write_text(ODD.replace("nein,y", "ja,y"), encoding="utf-8")
    now = grice.load("odd.csv", **COLUMNS).fingerprint
    with pytest.raises(InputError, match=r"'odd\.csv' is not the data") as caught:
        grice.table("runs")
    assert old.fingerprint in str(caught.value) and now in str(caught.value)
    if items:
        assert grice.table("runs", as_judged=True).columns == ("mine",)
    judged("./mine.py")
    with pytest.raises(InputError, match=r"'odd\.csv' changed between") as caught:
        grice.table("runs")
    assert old.fingerprint in str(caught.value) and now in str(caught.value)
    assert here.is_dir()


def test_an_edited_judge_and_another_setting_are_other_judges(here: Path) -> None:
    first = judged("./mine.py")[0]
    Path("mine.py").write_text(JUDGE.replace('mood="ja"', 'mood="nein"'), encoding="utf-8")
    edited = judged("./mine.py")[0]
    other = judged("./mine.py,mood=ja")[0]
    assert len({first.folder, edited.folder, other.folder}) == 3
    assert [set(run.frame["answer"]) for run in (first, edited, other)] == [
        {"ja"},
        {"nein"},
        {"ja"},
    ]
    assert here.is_dir()


def test_names_stand_in_tables_files_and_latex_and_every_setting_is_checked_first(
    here: Path,
) -> None:
    Path("models.toml").write_text(
        '["My model"]\njudge = "./mine.py"\nmood = "nein"\n[dice]\njudge = "baseline/random"\n'
    )
    runs = judged("models.toml", "yes=./mine.py,mood=ja")
    assert [run.judge for run in runs] == ["My model", "dice", "yes"]
    assert runs[0].folder and "--My-model--" in runs[0].folder.name
    assert "My model & dice & yes" in grice.table(runs).to_latex()
    assert runs[1].settings["judge"] == "baseline/random"
    shutil.rmtree("runs")
    with pytest.raises(InputError, match=r"bad: '\./mine\.py' has no setting 'moood'"):
        judged("./mine.py", "bad=./mine.py,moood=ja")
    assert not Path("runs").exists(), "nobody was asked"
    assert here.is_dir()


def test_a_judge_is_parsed_with_name_and_settings() -> None:
    spec = parse_judge(
        "gemma 3=openai/gemma-3-270m,url=http://x/v1?a=b,labels=yes,no,readout=logprobs"
    )
    assert (spec.title, spec.judge) == ("gemma 3", "openai/gemma-3-270m")
    assert spec.settings == {"url": "http://x/v1?a=b", "labels": "yes,no", "readout": "logprobs"}
    assert parse_judge("preds/a=b.jsonl").judge == "preds/a=b.jsonl"


@pytest.mark.parametrize(
    "text", ["[a]\nurl = 'x'\n", "a = 1\n", "[a\n", "[a]\njudge = 'b/c'\nwhen = 2020-01-01\n"]
)
def test_a_file_of_judges_that_cannot_be_read_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(InputError, match=r"m\.toml"):
        read_judges(tmp_path / "m.toml")


def test_a_failed_judge_leaves_nothing_behind(here: Path) -> None:
    Path("mine.py").write_text(JUDGE.replace("yield", "1/0; yield"), encoding="utf-8")
    with pytest.raises(GriceError, match=r"mine\.py:8: ZeroDivisionError"):
        judged("./mine.py")
    assert not Path("runs").exists()
    assert here.is_dir()


def test_a_damaged_line_is_named_with_its_remedy(here: Path) -> None:
    (run,) = judged("./mine.py")
    assert run.folder
    path = run.folder / LINES
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + '{"id": "1", "ans\n' + lines[2])
    for read in (lambda: grice.read_run(run.folder), lambda: judged("./mine.py")):
        with pytest.raises(
            GriceError,
            match=f"{LINES}:2: a line (without its checksum|not JSON); see what can be saved",
        ):
            read()
    assert here.is_dir()


def test_people_are_pooled_by_mean_majority_and_distribution() -> None:
    data = three()
    people = [
        answers(data, labels, f"p{i}")
        for i, labels in enumerate([NLI.labels, NLI.labels[::-1], ("neutral",) * 3])
    ]
    one = grice.pool(people, "people", "distribution")
    assert (one.answered, one.fault_kinds) == (3, {})
    assert grice.pool(people, "people").fault_kinds == {"tie": 2}
    share = grice.table([one], "entailed").records()[0]
    assert (share["value"], share["n"], share["people"]) == (pytest.approx(2 / 9), 3, 3)
    assert next(j for j in one.judgements() if j.item == "hand/1").probs == {
        "entailment": 0.0,
        "neutral": 1.0,
        "contradiction": 0.0,
    }
    model = answers(data, ["neutral"] * 3, "model")
    assert grice.table([*people, model], pool="people=p*").columns == ("model", "people")
    given = [
        Run.recorded(data, f"n{i}", [Judgement("hand/0", v)], scale=UNIT)
        for i, v in enumerate((0.2, 0.6))
    ]
    assert grice.pool(given, "people").frame["value"].to_list() == pytest.approx([0.4])
    # Nine people who differ by .2: the interval of their mean is as wide as people make it.
    shifts = [0.1 * k - 0.4 for k in range(9)]
    nine = [
        Run.recorded(data, f"m{k}", [Judgement(f"hand/{i}", 0.5 + s) for i in range(3)], scale=UNIT)
        for k, s in enumerate(shifts)
    ]
    mean = grice.table([grice.pool(nine, "people")], "score").records()[0]
    assert mean["high"] - mean["low"] == pytest.approx(2 * 2.306 * 0.2739 / 3, abs=0.01)
    assert (mean["n"], mean["people"]) == (3, 9)
    with pytest.raises(InputError, match="have no majority; pool 'people' by mean"):
        grice.pool(given, "people", "majority")
    with pytest.raises(InputError, match="no run is of a person"):
        grice.table([model], pool="people")


def test_agreement_of_each_two_judges_is_a_matrix() -> None:
    data = Dataset.from_items("many", NLI, [pair(i, NLI.labels[i % 3]) for i in range(12)])
    right = [NLI.labels[i % 3] for i in range(12)]
    runs = [
        answers(data, right, "a"),
        answers(data, right, "b"),
        answers(data, ["neutral"] * 12, "c"),
    ]
    matrix = grice.table(runs, "kappa", down="judge")
    assert (matrix.rows, matrix.columns) == ((("a",), ("b",), ("c",)), ("a", "b", "c"))
    same = matrix.cell("a", "b")
    assert same and (same.value, same.n) == (1.0, 12)
    assert matrix.cell("a", "a") is None and matrix.cell("b", "a") == same


def test_several_datasets_are_rows_and_patterns_choose(here: Path) -> None:
    judged("./mine.py", "baseline/random")
    grice.judge("quantifiers@7", ["baseline/random", "baseline/overlap"], limit=24)
    both = grice.table("runs", "accuracy", dataset="odd*")
    assert both.columns == ("baseline/random", "mine")
    down = grice.table("runs", ["score"], judge="baseline/random")
    assert down.down == ("dataset",) and len(down.rows) == 2
    with pytest.raises(InputError, match="Did you mean 'mine'"):
        grice.table("runs", judge="mime")
    with pytest.raises(InputError, match=r"found 3: .*--judge"):
        grice.compare("runs")
    assert here.is_dir()


def test_a_chart_is_drawn_into_a_file_of_each_kind(here: Path) -> None:
    pytest.importorskip("vl_convert")
    table = grice.table(judged("./mine.py"), down="art")
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    for kind, start in starts.items():
        table.write_chart(f"c.{kind}")
        assert (here / f"c.{kind}").read_bytes().lstrip().startswith(start)
    with pytest.raises(InputError, match="unknown chart format"):
        table.write_chart("c.gif")
    assert json.loads((here / "runs").iterdir().__next__().joinpath("run.json").read_text())[
        "data"
    ]["read_as"]["premise"]


def test_faulty_replies_can_be_read_and_a_folder_of_runs_shown(here: Path) -> None:
    said = JUDGE.replace(
        "Judgement(question.id, self.mood)",
        "Judgement(question.id, fault='unreadable: hm', raw='Well, hm.')",
    )
    Path("mine.py").write_text(said, encoding="utf-8")
    (run,) = judged("./mine.py")
    assert run.folder
    found = grice.show(run.folder, faults=True)["faulty"]
    assert len(found) == 3 and found[0]["raw"] == "Well, hm." and found[0]["premise"] == "Ana ging."
    assert grice.show("runs")["runs"][0]["faults"] == 3
    (line,) = map(json.loads, (run.folder / "log.jsonl").read_text(encoding="utf-8").splitlines())
    assert (line["asked"], line["faults"], line["settled_before"]) == (3, 3, 0)
    with pytest.raises(InputError, match="lists the invalid responses of a run"):
        grice.show("odd.csv", faults=True)
    assert here.is_dir()


def test_a_run_named_twice_is_one_and_copies_of_it_are_told_apart(here: Path) -> None:
    (run,) = judged("./mine.py")
    assert run.folder and grice.table([run.folder, "runs"]).columns == ("mine",)
    shutil.copytree("runs", "copy")
    digest = run.folder.name[-6:]
    assert grice.table(["runs", "copy"]).columns == (f"mine {digest} (1)", f"mine {digest} (2)")
    assert here.is_dir()
