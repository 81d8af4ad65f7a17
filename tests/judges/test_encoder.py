"""Cross-encoders by two engines, on a real MiniLM."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.export import compare_answers, export
from grice.judges.providers.encoder import Encoder
from grice.judges.unit import rule
from grice.storage.evaluation import evaluate
from grice.verbs.export_onnx import export_onnx
from tests.judges.models import PAIRS, SENTENCES, by_id, cross_encoder, largest_difference

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cross_encoder(tmp_path_factory.mktemp("minilm"))


@pytest.fixture(scope="module")
def onnx(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(Encoder(str(folder)), tmp_path_factory.mktemp("fp32"), "fp32").parent


@pytest.fixture(scope="module")
def int8(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(Encoder(str(folder)), tmp_path_factory.mktemp("int8"), "int8").parent


def with_config(folder: Path, into: Path, **changed: object) -> Path:
    """The same model under another configuration; a value of None takes a key away."""
    shutil.copytree(folder, into, dirs_exist_ok=True)
    config = json.loads((into / "config.json").read_text(encoding="utf-8")) | changed
    kept = {key: value for key, value in config.items() if value is not None}
    (into / "config.json").write_text(json.dumps(kept), encoding="utf-8")
    return into


def ask(judge: Encoder, scale: Scale = NLI) -> list[Judgement]:
    return list(judge.judge(PAIRS, scale))


def test_both_engines_give_the_answers_of_the_transformers_pipeline(
    folder: Path, onnx: Path
) -> None:
    from transformers import pipeline

    classify = pipeline("text-classification", model=str(folder), top_k=None)
    wanted = {}
    for question in PAIRS[::9]:
        scored = classify({"text": question.premise, "text_pair": str(question.hypothesis)})
        wanted[question.id] = {entry["label"]: entry["score"] for entry in scored}
    for judge in (Encoder(str(folder)), Encoder(str(onnx))):
        found = by_id(ask(judge))
        assert len({judgement.answer for judgement in found.values()}) > 1
        for key, scores in wanted.items():
            assert found[key].probs == pytest.approx(scores, abs=1e-4)


@pytest.mark.parametrize("kind", ["folder", "onnx", "int8"])
def test_answers_do_not_depend_on_their_neighbours(
    kind: str, request: pytest.FixtureRequest
) -> None:
    path = str(request.getfixturevalue(kind))
    together = ask(Encoder(path, batch_tokens=4000))
    for budget in (1, 300):
        assert largest_difference(together, ask(Encoder(path, batch_tokens=budget))) <= 1e-5


def test_labels_go_by_name_and_not_by_position(onnx: Path, tmp_path: Path) -> None:
    turned = {"0": "Neutral", "1": "CONTRADICTION", "2": "entailment"}
    found = by_id(ask(Encoder(str(with_config(onnx, tmp_path / "turned", id2label=turned)))))
    for key, judgement in by_id(ask(Encoder(str(onnx)))).items():
        before, after = judgement.probs, found[key].probs
        assert before is not None and after is not None
        assert after == {
            "neutral": before["entailment"],
            "contradiction": before["neutral"],
            "entailment": before["contradiction"],
        }


def test_unnamed_labels_are_refused_until_they_are_stated(onnx: Path, tmp_path: Path) -> None:
    unnamed = with_config(
        onnx, tmp_path / "unnamed", id2label={"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    )
    with pytest.raises(InputError, match="-M labels="):
        ask(Encoder(str(unnamed)))
    stated = Encoder(str(unnamed), labels="entailment,neutral,contradiction")
    assert ask(stated) == ask(Encoder(str(onnx)))


def test_pairs_that_are_cut_are_counted_and_marked(onnx: Path) -> None:
    judge = Encoder(str(onnx), max_length="16")
    cut = [judgement for judgement in ask(judge) if judgement.raw]
    assert 0 < len(cut) < len(PAIRS)
    assert cut[0].raw == "cut to 16 tokens"
    assert judge.notes == {"cut to 16 tokens": len(cut)}
    whole = Encoder(str(onnx))
    assert not [judgement for judgement in ask(whole) if judgement.raw] and not whole.notes


def test_identical_pairs_are_answered_for_each_id(onnx: Path) -> None:
    twice = [Question("1", *SENTENCES[:2]), Question("2", *SENTENCES[:2])]
    one, other = Encoder(str(onnx)).judge(twice, NLI)
    assert {one.item, other.item} == {"1", "2"} and one.probs == other.probs


def test_on_numbers_the_named_rule_turns_probabilities_into_one(onnx: Path) -> None:
    probs = by_id(ask(Encoder(str(onnx))))
    for name in ("entailment", "surrogate", "halfway"):
        for key, judgement in by_id(ask(Encoder(str(onnx), unit=name), UNIT)).items():
            known = probs[key].probs
            assert known is not None and judgement.answer == pytest.approx(
                rule(name)(known), abs=1e-5
            )


def test_a_two_way_scale_adds_up_what_is_not_entailment(onnx: Path) -> None:
    scale = Scale(labels=("not_entailment", "entailment"))
    probs = by_id(ask(Encoder(str(onnx))))
    for key, judgement in by_id(ask(Encoder(str(onnx)), scale)).items():
        known = probs[key].probs
        assert known is not None and judgement.probs is not None
        assert judgement.probs["not_entailment"] == pytest.approx(
            known["neutral"] + known["contradiction"], abs=1e-5
        )


def test_a_single_output_is_a_regressor_read_as_its_configuration_says(tmp_path: Path) -> None:
    plain = cross_encoder(tmp_path / "one", ("LABEL_0",))
    squashed = by_id(ask(Encoder(str(plain)), UNIT))
    raw = by_id(
        ask(Encoder(str(with_config(plain, tmp_path / "raw", problem_type="regression"))), UNIT)
    )
    import math

    for key, judgement in raw.items():
        score, squeezed = judgement.answer, squashed[key].answer
        assert isinstance(score, float) and isinstance(squeezed, float)
        if judgement.raw is None:
            assert squeezed == pytest.approx(1 / (1 + math.exp(-score)), abs=1e-5)
        else:
            assert score in (0.0, 1.0) and judgement.raw.startswith("clipped: ")
    with pytest.raises(InputError, match="one output"):
        ask(Encoder(str(plain)))


def test_identity_changes_with_weights_and_with_what_changes_answers(
    folder: Path, onnx: Path, int8: Path
) -> None:
    judges = [
        Encoder(str(folder)),
        Encoder(str(folder), dtype="bf16"),
        Encoder(str(onnx)),
        Encoder(str(int8)),
        Encoder(str(onnx), max_length=20),
        Encoder(str(onnx), unit="entailment"),
    ]
    assert len({json.dumps(dict(judge.identity)) for judge in judges}) == len(judges)
    assert Encoder(str(onnx), threads=1, batch_tokens=7).identity == Encoder(str(onnx)).identity


def test_a_judge_travels_without_its_model_and_answers_the_same(onnx: Path) -> None:
    judge = Encoder(str(onnx))
    before = ask(judge)
    packed = pickle.dumps(judge)
    assert len(packed) < 10_000
    assert ask(pickle.loads(packed)) == before


def test_a_run_has_the_same_bytes_whatever_the_threads(onnx: Path, tmp_path: Path) -> None:
    items = [Item(q.id, q.premise, q.hypothesis, {"label": "neutral"}) for q in PAIRS]
    data = Dataset.from_items("hand", NLI, items)
    runs = [
        evaluate(data, Encoder(str(onnx), threads=n), into=tmp_path / str(n)).folder for n in (1, 3)
    ]
    first, second = ((run or tmp_path) / "judgements.jsonl" for run in runs)
    assert first.read_bytes() == second.read_bytes()


def test_bf16_says_nearly_the_same(folder: Path) -> None:
    assert (
        largest_difference(ask(Encoder(str(folder))), ask(Encoder(str(folder), dtype="bf16"))) < 0.1
    )


def test_export_reports_what_changes(folder: Path, tmp_path: Path) -> None:
    items = [Item(q.id, q.premise, q.hypothesis) for q in PAIRS]
    found = export_onnx(str(folder), tmp_path / "out", Dataset.from_items("pairs", NLI, items))
    assert found["pairs"] == len(PAIRS) and found["megabytes"] < 25
    before, after = by_id(ask(Encoder(str(folder)))), by_id(ask(Encoder(str(tmp_path / "out"))))
    assert found["changed"] == sum(before[key].answer != after[key].answer for key in before) <= 3
    assert 0 < found["largest difference"] < 0.1
    assert found["largest difference"] == pytest.approx(
        largest_difference(list(before.values()), list(after.values()))
    )


def test_fp32_export_changes_nothing(folder: Path, onnx: Path) -> None:
    found = compare_answers(Encoder(str(folder)), Encoder(str(onnx)), PAIRS)
    assert found["changed"] == 0 and found["largest difference"] <= 1e-4


def test_a_model_without_segments_is_exported_with_its_own_inputs(tmp_path: Path) -> None:
    from transformers import RobertaConfig, RobertaForSequenceClassification

    from tests.judges.models import word_tokenizer

    words = word_tokenizer(bos_token="<s>", pad_token="<pad>", eos_token="</s>")
    shape = RobertaConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=130,
        pad_token_id=1,
        initializer_range=0.3,
        id2label=dict(enumerate(NLI.labels)),
    )
    words.model_input_names = ["input_ids", "attention_mask"]
    model = RobertaForSequenceClassification(shape)  # type: ignore[no-untyped-call]
    model.save_pretrained(tmp_path / "roberta")
    words.save_pretrained(tmp_path / "roberta")
    before = Encoder(str(tmp_path / "roberta"))
    assert before.longest == 128
    export(before, tmp_path / "out", "fp32")
    assert (
        compare_answers(before, Encoder(str(tmp_path / "out")), PAIRS)["largest difference"] < 1e-4
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"engine": "jax"}, "onnx"),
        ({"unit": "guess"}, "surrogate"),
        ({"activation": "relu"}, "sigmoid"),
        ({"threads": "-1"}, "threads"),
    ],
)
def test_a_wrong_setting_says_what_there_is(
    onnx: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Encoder(str(onnx), **settings)


def test_a_device_or_precision_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="device=cpu"):
        ask(Encoder(str(folder), device="cuda:9"))
    with pytest.raises(InputError, match="fp32"):
        ask(Encoder(str(folder), dtype="fp8"))


def test_a_damaged_graph_is_one_line(onnx: Path, tmp_path: Path) -> None:
    broken = with_config(onnx, tmp_path / "broken")
    (broken / "model.onnx").write_bytes(b"not a graph")
    with pytest.raises(InputError, match="cannot load") as caught:
        ask(Encoder(str(broken)))
    assert "\n" not in str(caught.value)


def test_several_graphs_must_be_chosen_from(onnx: Path, tmp_path: Path) -> None:
    both = with_config(onnx, tmp_path / "both")
    (both / "model.onnx").rename(both / "a.onnx")
    shutil.copy(both / "a.onnx", both / "b.onnx")
    with pytest.raises(InputError, match="-M file="):
        ask(Encoder(str(both)))
    assert len(ask(Encoder(str(both), file="a.onnx"))) == len(PAIRS)


def test_a_folder_without_a_graph_or_weights_is_refused(onnx: Path, tmp_path: Path) -> None:
    empty = with_config(onnx, tmp_path / "empty")
    (empty / "model.onnx").unlink()
    with pytest.raises(InputError, match="neither"):
        ask(Encoder(str(empty)))
    with pytest.raises(InputError, match="export-onnx"):
        ask(Encoder(str(empty), engine="onnx"))


@pytest.mark.parametrize(
    "name", ["nobody/no-such-model", "nobody/no-such-model@abc123", "no-such-model"]
)
def test_a_name_that_is_nowhere_is_one_helpful_line(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(GriceError, match="local folder") as caught:
        grice.load_judge(f"encoder/{name}")
    assert "\n" not in str(caught.value)


def test_a_path_that_is_not_there_is_not_looked_for_on_the_hub() -> None:
    with pytest.raises(InputError, match="no such folder"):
        grice.load_judge("encoder/./not/here")
