"""`reproduce --train`: which models a paper's experiment trains, on what, from where, and for which
printed row.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import InputError
from grice.core.shelf import PAPERS
from grice.learners.training import learner as _learner
from grice.learners.training.arguments import recipe
from grice.papers import experiment as _experiment
from grice.papers.conjnli import printed as _conjnli
from grice.papers.experiment import (
    ExperimentSettings,
    ModelExperiment,
    TrainingJob,
    TrainingPlan,
    check_settings,
)
from grice.papers.pragmeval import printed as _pragmeval
from grice.papers.pragmeval.experiment import CORPUS
from tests.datasets.paradigms import write_imppres
from tests.datasets.tiny import write_unli

# Papers about what people infer train nothing.
TRAINED = [name for name in PAPERS.names() if PAPERS.find(name).experiment is not None]


@pytest.fixture(autouse=True)
def nothing_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRICE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def experiment(paper: str) -> ModelExperiment:
    found = PAPERS.find(paper).experiment
    assert isinstance(found, ModelExperiment)
    return found


def made(
    paper: str, folder: Path = Path("x"), *, slim: bool = False, **settings: str
) -> TrainingPlan:
    named = {key.replace("__", "."): value for key, value in settings.items()}
    return experiment(paper).plan(ExperimentSettings(folder, named, 3, slim))


def by_place(plan: TrainingPlan) -> dict[str, TrainingJob]:
    return {job.path.removesuffix("/seed-3"): job for job in plan.jobs}


def test_conjnli_trains_every_row_of_tables_7_and_8_and_the_amounts_of_figure_3() -> None:
    plan = made("conjnli", base="models/mpnet")
    tables = (_conjnli.TABLE6, _conjnli.TABLE7, _conjnli.TABLE8, _conjnli.SECTION61)
    printed = {row for table in tables for row, _ in table}
    # Of 18k adversarial pairs 15k are released.
    amounts = {f"IAFT-{amount}" for amount in _conjnli.AMOUNTS} - {"IAFT-18k"}
    assert set(plan.rows) == printed | amounts
    assert set(plan.needs) == {"IAFT-18k", "IAFT, fragments"}
    enough = made("conjnli", iaft__pairs="mine.jsonl")
    assert by_place(enough)["IAFT-18k"].spec.adversarial == "mine.jsonl"
    assert "pairs" not in by_place(enough)["IAFT"].settings and "IAFT-18k" not in enough.needs
    assert plan.rows["IAFT-15k"] == plan.rows["IAFT"]
    assert plan.rows["RoBERTa-M"] == plan.rows["RoBERTa"]
    jobs = by_place(plan)
    assert [jobs[f"IAFT-{name}"].spec.amount for name in ("6k", "9k", "12k")] == [6000, 9000, 12000]
    learner, spec = jobs["IAFT"].learner, jobs["IAFT"].spec
    assert (learner, spec.how, spec.dev) == ("encoder", "iaft", ["conjnli/dev", "snli/dev"])
    assert jobs["IAFT"].settings["base"] == "models/mpnet" and jobs["IAFT"].settings["seed"] == "3"
    assert jobs["hypothesis"].settings["hypothesis_only"] == "true"
    assert "conjnli/dev" in jobs["nli"].spec.apart


def test_conjnlis_models_start_from_the_inference_model_and_the_aware_one_from_roles() -> None:
    jobs = by_place(made("conjnli", Path("x")))
    for name in ("AFT", "IAFT", "IAFT-6k"):
        assert jobs[name].after == ("nli/seed-3",) and jobs[name].spec.start == "x/nli/seed-3"
    assert jobs["PA"].after == ("srl",) and jobs["PA"].settings["srl"] == "x/srl"
    assert jobs["PA-IAFT"].after == ("PA/seed-3",) and jobs["PA-IAFT"].learner == "predicate_aware"
    assert jobs["srl"].spec.ask == ["srl/test"] and "seed" not in jobs["srl"].settings


def test_a_slim_experiment_keeps_the_weights_that_others_start_from() -> None:
    jobs = by_place(made("conjnli", slim=True))
    assert {place for place, job in jobs.items() if job.keep} == {"srl", "nli", "PA"}
    assert all(job.keep for job in made("conjnli").jobs)


def test_settings_of_a_kind_reach_that_kind_alone() -> None:
    given: dict[str, Any] = {
        "batch_size": "8",
        "nli__batch_size": "64",
        "pa__learning_rate": "1e-5",
        "srl__base": "minilm",
    }
    jobs = by_place(made("conjnli", **given))
    assert jobs["nli"].settings["batch_size"] == "64"
    others = ("AFT", "IAFT", "PA-IAFT", "hypothesis", "srl")
    assert {jobs[name].settings["batch_size"] for name in others} == {"8"}
    # The predicate-aware model is trained for inference too: as the plain one, but for settings of
    # its own.
    assert (
        jobs["PA"].settings["batch_size"] == "64" and jobs["PA"].settings["learning_rate"] == "1e-5"
    )
    assert "learning_rate" not in jobs["nli"].settings
    assert jobs["srl"].settings["base"] == "minilm" and "base" not in jobs["nli"].settings


@pytest.mark.parametrize("key", ["iatf.batch_size", "task.batch_size", "then.batch_size"])
def test_a_kind_that_a_paper_does_not_have_is_refused(key: str, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"no kind of training of conjnli is called .* There are: aft, "
    ):
        experiment("conjnli").train(tmp_path, {key: "8"})


def test_pragmeval_trains_each_task_alone_after_inference_after_all_and_after_both() -> None:
    plan = made("pragmeval")
    singles = ["BERT", "BERT+PragmEval", "BERT+MNLI", "BERT+MNLI+PragmEval"]
    assert {title: len(places) for title, places in plan.rows.items()} == {
        **dict.fromkeys([*singles, "CBoW", "BiLSTM"], 18),
        "PragmEval tasks together": 1,
    }
    jobs = by_place(plan)
    assert len(plan.jobs) == len(jobs) == 6 * 18 + 3 and jobs["tasks"].spec.mix == "uniform"
    assert {row: jobs[f"{row}/GUM"].spec.start for row in singles} == {
        "BERT": "",
        "BERT+PragmEval": "x/tasks/seed-3",
        "BERT+MNLI": "x/nli/seed-3",
        "BERT+MNLI+PragmEval": "x/nli, tasks/seed-3",
    }
    measures = {
        task: jobs[f"BERT/{task}"].settings["measure"] for task in ("GUM", "SwitchBoard", "MRDA")
    }
    assert measures == {"GUM": "accuracy", "SwitchBoard": "macro_f1", "MRDA": "macro_f1"}


def test_the_tasks_are_learnt_together_after_inference_as_they_are_without() -> None:
    jobs = by_place(made("pragmeval", tasks__epochs="7"))
    plain, later = jobs["tasks"], jobs["nli, tasks"]
    assert (plain.after, plain.spec.start) == ((), "")
    assert (later.after, later.spec.start) == (("nli/seed-3",), "x/nli/seed-3")
    assert later.spec.on == plain.spec.on and later.spec.mix == plain.spec.mix == "uniform"
    assert (
        later.settings == plain.settings
        and later.settings["epochs"] == "7"
        and "mix" not in later.settings
    )
    assert made("pragmeval", tasks__mix="proportional").jobs[18].spec.mix == "proportional"
    places = [job.path for job in made("pragmeval").select(["BERT+MNLI+PragmEval"]).jobs]
    assert places[:2] == ["nli/seed-3", "nli, tasks/seed-3"] and len(places) == 20


def test_of_persuasion_strength_alone_is_learnt_with_the_others_as_in_the_paper() -> None:
    spec = by_place(made("pragmeval"))["tasks"].spec
    tasks = [name.split("/")[1] for name in spec.on]
    assert [task for task in tasks if task.startswith("Persuasiveness")] == [
        "Persuasiveness-Strength"
    ]
    assert len(tasks) == 15 and tasks == [name.split("/")[1] for name in spec.dev]


def test_a_slim_pragmeval_keeps_whole_the_inference_model_alone() -> None:
    # Of several tasks the body stays without being asked for, and no other training needs the
    # heads.
    assert {place for place, job in by_place(made("pragmeval", slim=True)).items() if job.keep} == {
        "nli"
    }


def test_settings_reach_every_task_those_of_a_corpus_or_one_and_the_narrower_hold() -> None:
    given = {
        "epochs": "1",
        "task.epochs": "2",
        "EmoBank.epochs": "3",
        "EmoBank-Valence.epochs": "4",
    }
    given |= {"SwitchBoard.balanced": "0.5", "tasks.learning_rate": "1e-5"}
    # The order in which they are said does not matter.
    for said in (given, dict(reversed(given.items()))):
        jobs = by_place(
            experiment("pragmeval").plan(ExperimentSettings(Path("x"), said, 3, slim=False))
        )
        for row in ("BERT", "BERT+MNLI+PragmEval"):
            epochs = {task: jobs[f"{row}/{task}"].settings["epochs"] for task in CORPUS}
            assert {task for task, n in epochs.items() if n == "4"} == {"EmoBank-Valence"}
            assert {task for task, n in epochs.items() if n == "3"} == {
                "EmoBank-Arousal",
                "EmoBank-Dominance",
            }
            assert sum(n == "2" for n in epochs.values()) == 15
            assert jobs[f"{row}/SwitchBoard"].settings["balanced"] == "0.5"
            assert "balanced" not in jobs[f"{row}/MRDA"].settings
        for place in ("tasks", "nli, tasks", "nli"):
            assert jobs[place].settings["epochs"] == "1" and "balanced" not in jobs[place].settings


def test_a_task_that_is_not_there_is_refused_with_the_near_one(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"is called 'SwitchBord'\. Did you mean 'SwitchBoard'\?"
    ) as error:
        experiment("pragmeval").train(tmp_path, {"SwitchBord.epochs": "8"})
    assert "…" not in str(error.value)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        (
            "SwitchBoard.epoch",
            "3",
            r"^BERT/SwitchBoard/seed-0: no setting of 'encoder' .* Did you mean 'epochs'",
        ),
        (
            "SwitchBoard.balanced",
            "2",
            r"^BERT/SwitchBoard/seed-0: -M balanced is a number from 0 to 1, not '2'$",
        ),
        (
            "tasks.batch_size",
            "many",
            r"^tasks/seed-0: -M batch_size is a whole number from 1 on, not 'many'$",
        ),
        ("recipe", "bert", r"^BERT/PDTB/seed-0: no recipe is called 'bert'"),
        ("task.extra", "2", r"^BERT/PDTB/seed-0: no setting of 'encoder' is called 'extra'"),
    ],
)
def test_a_bad_setting_of_one_training_is_refused_before_any_is_begun(
    key: str, value: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_experiment, "train_jobs", _never)
    with pytest.raises(InputError, match=said):
        experiment("pragmeval").train(tmp_path / "x", {key: value}, seeds=range(2))
    assert not (tmp_path / "x").exists()


def test_a_bad_setting_of_a_row_that_is_not_trained_is_no_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_experiment, "train_jobs", _never)
    with pytest.raises(AssertionError, match="training began"):
        experiment("conjnli").train(tmp_path, {"iaft.epoch": "3"}, rows=["AFT"])
    with pytest.raises(
        InputError, match=r"^IAFT/seed-0: no setting of 'encoder' is called 'epoch'"
    ):
        experiment("conjnli").train(tmp_path, {"iaft.epoch": "3"}, rows=["IAFT"])


@pytest.mark.parametrize("paper", TRAINED)
def test_the_settings_of_every_learner_of_a_paper_pass_and_nothing_is_written(
    paper: str, tmp_path: Path
) -> None:
    given: dict[str, Any] = {
        "base": "./nowhere",
        "epochs": "2",
        "learning_rate": "1e-5",
        "balanced": "true",
    }
    # Whether folders are there is no matter yet: some are written by trainings to come.
    check_settings(made(paper, tmp_path / "x", **given).jobs)
    assert not (tmp_path / "x").exists()


def test_settings_are_not_checked_where_nothing_could_be_trained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_learner, "find_spec", lambda _: None)
    # Trainings that are finished are read without the extra.
    check_settings(made("conjnli").jobs)


def test_equal_settings_are_checked_once_whatever_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def validate(learner: str, spec: object, settings: Mapping[str, str]) -> None:  # noqa: ARG001
        asked.append(f"{learner} {settings.get('measure', settings.get('recipe'))}")

    monkeypatch.setattr("grice.papers.experiment.validate_settings", validate)
    jobs = [
        job
        for seed in range(3)
        for job in (
            experiment("pragmeval").plan(ExperimentSettings(Path("x"), {}, seed, slim=False)).jobs
        )
    ]
    check_settings(jobs)
    assert len(jobs) == 3 * 111
    assert sorted(asked) == [
        *(f"{net} {measure}" for net in ("bilstm", "cbow") for measure in ("accuracy", "macro_f1")),
        *(f"encoder {name}" for name in ("accuracy", "conjnli", "macro_f1", "pragmeval")),
    ]


def _never(*_: object, **__: object) -> None:
    raise AssertionError("training began")


def test_pragmevals_rows_are_the_printed_ones_and_two_more() -> None:
    printed = {row for row, _ in _pragmeval.TABLE2}
    assert set(made("pragmeval").rows) - printed == {
        "BERT+MNLI+PragmEval",
        "PragmEval tasks together",
    }


def test_a_row_after_an_intermediate_task_says_which_file_enables_it(tmp_path: Path) -> None:
    assert set(made("pragmeval").needs) == {
        *("BERT+DisSent", "B+DisSent+MNLI", "BERT+Discovery", "B+Discovery+MNLI", "BiLSTM+ELMo")
    }
    with pytest.raises(InputError, match=r"-M dissent\.pairs=FILE"):
        experiment("pragmeval").train(tmp_path, {}, rows=["BERT+DisSent"])
    plan = made("pragmeval", dissent__pairs="mine.jsonl", elmo__vectors="elmo.txt")
    jobs = by_place(plan)
    assert jobs["first, BERT+DisSent"].spec.on == ["mine.jsonl"]
    assert len(jobs["first, B+DisSent+MNLI"].spec.on) > 1
    assert jobs["BERT+DisSent/GUM"].spec.start == "x/first, BERT+DisSent/seed-3"
    assert jobs["BERT+DisSent/GUM"].after == ("first, BERT+DisSent/seed-3",)
    assert jobs["BiLSTM+ELMo/GUM"].settings["vectors"] == "elmo.txt"


def test_without_u_snli_the_graded_pairs_in_context_are_learnt() -> None:
    jobs = by_place(made("unli"))
    assert jobs["graded"].spec.on == ("nli_variation/contexts",) and not jobs["graded"].spec.dev
    assert jobs["graded"].spec.ask == ["nli_variation/pairs"]
    assert jobs["surrogate"].spec.surrogate and jobs["surrogate"].keep
    assert jobs["surrogate, graded"].after == ("surrogate/seed-3",)
    assert jobs["surrogate, hypothesis"].settings["hypothesis_only"] == "true"


def test_with_u_snli_it_is_learnt_chosen_by_and_answered(nothing_published: Path) -> None:
    write_unli(nothing_published)
    jobs = by_place(made("unli"))
    spec = jobs["graded"].spec
    assert (spec.on, spec.dev) == (["unli/train"], ["unli/dev"])
    assert spec.measured == ["unli/dev", "nli_variation/pairs", "unli/test"]
    assert {"unli/dev", "unli/test"} <= set(jobs["surrogate"].spec.ask)


def test_imppres_trains_its_three_models_on_pairs_for_inference_and_asks_them_all_its_sets(
    nothing_published: Path,
) -> None:
    given: dict[str, Any] = {
        "base": "models/mpnet",
        "vectors": "glove",
        "bow__epochs": "9",
        "epochs": "2",
    }
    jobs = by_place(made("imppres", slim=True, **given))
    assert {row: job.learner for row, job in jobs.items()} == {
        "BOW": "bow",
        "InferSent": "infersent",
        "BERT": "encoder",
    }
    assert {row: job.settings["epochs"] for row, job in jobs.items()} == {
        "BOW": "9",
        "InferSent": "2",
        "BERT": "2",
    }
    # A setting that only nets or only encoders take reaches those alone.
    assert {row for row, job in jobs.items() if "vectors" in job.settings} == {"BOW", "InferSent"}
    assert {row for row, job in jobs.items() if "base" in job.settings} == {"BERT"}
    assert jobs["BERT"].settings["recipe"] == "imppres" and not jobs["BERT"].keep
    spec = jobs["BOW"].spec
    assert spec.on == ("nli_train/snli", "nli_train/mnli", "cad_nli/train")
    assert spec.ask == ["imppres/presupposition", "imppres/implicature"] and set(spec.ask) < set(
        spec.apart
    )
    write_imppres(nothing_published)
    assert "imppres/implicature_dec2019" in by_place(made("imppres"))["BERT"].spec.ask


def test_veridicalitys_model_keeps_its_sentences_apart_and_answers_them_and_the_swapped_ones() -> (
    None
):
    plan = made("veridicality", Path("x"), bert__epochs="2")
    (job,) = plan.jobs
    assert plan.rows == {"BERT": ["BERT/seed-3"]} and job.settings["recipe"] == "veridicality"
    assert job.settings["epochs"] == "2" and "veridicality" in job.spec.apart
    assert job.spec.ask == ["veridicality", "x/data/swaps.jsonl"]
    assert list(plan.files) == [Path("x/data/swaps.jsonl")]


@pytest.mark.parametrize("paper", TRAINED)
def test_every_experiment_has_models_to_train_says_what_stood_in_and_has_a_recipe(
    paper: str,
) -> None:
    assert experiment(paper).paper == paper and experiment(paper).stands_in.startswith(
        "Trained here: "
    )
    assert recipe(paper).epochs >= 3


def test_the_papers_with_an_experiment_are_these_five_and_those_about_people_alone_have_none() -> (
    None
):
    assert TRAINED == ["conjnli", "imppres", "pragmeval", "unli", "veridicality"]
    assert len(PAPERS.names()) > len(TRAINED)


def test_some_rows_need_their_jobs_and_what_these_start_from() -> None:
    plan = made("conjnli").select(["PA-IAFT"])
    assert [job.path for job in plan.jobs] == ["srl", "PA/seed-3", "PA-IAFT/seed-3"]
    assert list(plan.rows) == ["PA-IAFT"]


def test_a_row_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no row of pragmeval to train is called 'BERT\\+NLI'"):
        experiment("pragmeval").train(tmp_path, {}, rows=["BERT+NLI"])
