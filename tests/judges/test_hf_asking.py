"""How a local model is asked: chat template, examples, letters, JSON, numbers, reasoning, samples,
several methods.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item, Question
from grice.core.scale import NLI, UNIT
from grice.judges.local import EndingTokens, TextWithEndings
from grice.judges.providers.hf import Hf
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from grice.verbs.rescore import rescore
from tests.hand import three
from tests.judges.models import PAIRS as ALL
from tests.judges.models import by_id, causal_model
from tests.judges.test_hf import plain_scores

PAIRS = ALL[1::3]
TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal_model(tmp_path_factory.mktemp("plain"), "llama")


@pytest.fixture(scope="module")
def chatty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import AutoTokenizer

    made = causal_model(tmp_path_factory.mktemp("chat"), "llama", longest=1024)
    words = AutoTokenizer.from_pretrained(made)
    words.chat_template = TEMPLATE
    words.save_pretrained(made)
    return made


def shots(path: Path) -> Path:
    items = [
        Item(f"shot/{i}", f"Bo has {i} cats.", f"Bo has {i} dogs.", {"label": NLI.labels[i % 3]})
        for i in range(9)
    ]
    Dataset.from_items("shots", NLI, items).write(path)
    return path


def test_a_model_with_a_chat_template_is_asked_by_it_and_scored_as_a_whole_text_would_be(
    chatty: Path,
) -> None:
    judge = Hf(str(chatty), system="Be brief.")
    (shown,) = judge.show_prompt(PAIRS[2], NLI)
    assert shown["prompt"].startswith("<|system|>Be brief.</s><|user|>Premise: ")
    assert shown["prompt"].endswith("and nothing else.</s><|assistant|>")
    assert [end["text"] for end in shown["endings"]] == list(NLI.labels)
    found = by_id(list(judge.judge(PAIRS, NLI)))[PAIRS[2].id]
    (kept,) = json.loads(found.raw or "")["scores"]
    wanted = plain_scores(chatty, shown["prompt"], NLI.labels, join="")
    assert kept["logprobs"] == pytest.approx(wanted, abs=1e-4)
    plain = by_id(list(Hf(str(chatty), chat="no").judge(PAIRS, NLI)))[PAIRS[2].id]
    assert plain.probs != found.probs


def test_a_model_without_a_template_cannot_be_told_to_chat(folder: Path) -> None:
    with pytest.raises(InputError, match="has no chat template"):
        list(Hf(str(folder), chat="yes").judge(PAIRS, NLI))


def test_raw_log_probabilities_and_mass_are_kept_so_that_calibration_needs_no_asking(
    folder: Path, tmp_path: Path
) -> None:
    run = evaluate(three(), Hf(str(folder)), into=tmp_path)
    row = run.frame.row(0, named=True)
    (kept,) = json.loads(row["raw"])["scores"]
    assert 0 < row["mass"] < 0.5
    assert run.notes["mean mass of the labels"] == pytest.approx(run.frame["mass"].mean(), rel=0.01)
    assert set(kept["free"]) == {"pmi", "context"} and len(kept["free"]["pmi"]) == 3
    ways: tuple[dict[str, Any], ...] = (
        {"calibrate": "pmi"},
        {"normalise": "tokens"},
        {"calibrate": "context", "normalise": "bytes"},
    )
    for settings in ways:
        (told,) = rescore(run, into=tmp_path, **settings)
        again = Run.read(Path(told["run"]))
        asked = evaluate(three(), Hf(str(folder), **settings))
        columns = ["p.entailment", "p.neutral", "p.contradiction"]
        for column in columns:
            wanted = asked.frame.sort("id")[column].to_list()
            assert again.frame.sort("id")[column].to_list() == pytest.approx(wanted, abs=1e-4)
        assert again.frame["p.neutral"].to_list() != run.frame["p.neutral"].to_list()


def test_labels_that_the_model_was_not_about_to_say_are_a_fault_where_that_is_asked_for(
    folder: Path,
) -> None:
    found = evaluate(three(), Hf(str(folder), mass=0.9))
    assert found.fault_kinds == {"little mass": 3}


def test_letters_and_json_are_scored_as_the_texts_they_are(chatty: Path) -> None:
    (letters,) = Hf(str(chatty), readout="letter").show_prompt(PAIRS[0], NLI)
    assert [end["text"] for end in letters["endings"]] == ["A", "B", "C"]
    assert "B. neutral: " in letters["prompt"]
    (written,) = Hf(str(chatty), readout="json").show_prompt(PAIRS[0], NLI)
    assert written["endings"][1]["text"] == '{"answer": "neutral"}'
    assert all(
        one.answer in NLI.labels for one in Hf(str(chatty), readout="json").judge(PAIRS, NLI)
    )


def test_a_graded_answer_is_the_mean_over_all_numbers(chatty: Path) -> None:
    judge = Hf(str(chatty), readout="graded")
    (shown,) = judge.show_prompt(PAIRS[0], UNIT)
    assert (
        len(shown["endings"]) == 101 and "from 0 (impossible) to 100 (certain)" in shown["prompt"]
    )
    found = by_id(list(judge.judge(PAIRS, UNIT)))[PAIRS[0].id]
    import numpy as np

    logs = np.array(plain_scores(chatty, shown["prompt"], tuple(map(str, range(101))), join=""))
    weights = np.exp(logs - logs.max())
    assert found.answer == pytest.approx(
        float((weights * np.arange(101)).sum() / weights.sum() / 100), abs=1e-4
    )


def test_examples_are_balanced_and_never_the_question_itself(chatty: Path, tmp_path: Path) -> None:
    judge = Hf(str(chatty), shots=3, shots_from=str(shots(tmp_path / "shots.jsonl")))
    (shown,) = judge.show_prompt(PAIRS[0], NLI)
    answers = [part.split("</s>")[0] for part in shown["prompt"].split("<|assistant|>")[1:4]]
    assert sorted(answers) == sorted(NLI.labels)
    drawn = judge.examples.draw(3, PAIRS[0])
    asked = Question("q", drawn[0].premise, drawn[0].hypothesis)
    others = judge.examples.draw(3, asked)
    assert drawn[0] not in others and len(others) == 3
    assert {one.fault for one in judge.judge(PAIRS, NLI)} == {None}
    other = Hf(str(chatty), shots=3, shots_from=str(tmp_path / "shots.jsonl"), seed=5)
    assert other.show_prompt(PAIRS[0], NLI) != judge.show_prompt(PAIRS[0], NLI)
    with pytest.raises(InputError, match="shots_from"):
        Hf(str(chatty), shots=3)


def test_samples_are_a_distribution_and_the_same_seed_gives_the_same(chatty: Path) -> None:
    settings: dict[str, Any] = {
        "readout": "text",
        "samples": 4,
        "temperature": 1.0,
        "max_tokens": 3,
    }
    first = list(Hf(str(chatty), **settings).judge(PAIRS[:3], NLI))
    assert first == list(Hf(str(chatty), **settings).judge(PAIRS[:3], NLI))
    assert len(json.loads(first[0].raw or "")["scores"][0]["replies"]) == 4
    with pytest.raises(InputError, match="temperature=1"):
        Hf(str(chatty), readout="text", samples=4)


def test_reasoning_is_written_first_and_the_labels_are_scored_after_it(chatty: Path) -> None:
    judge = Hf(str(chatty), think=8)
    found = list(judge.judge(PAIRS[:3], NLI))
    plain = list(Hf(str(chatty)).judge(PAIRS[:3], NLI))
    assert all(one.probs for one in found)
    assert by_id(found)[PAIRS[0].id].probs != by_id(plain)[PAIRS[0].id].probs


def test_an_item_is_asked_by_several_methods_and_keeps_what_each_said(chatty: Path) -> None:
    data = Dataset.from_items("many", NLI, [Item(q.id, q.premise, q.hypothesis) for q in ALL])
    run = evaluate(data, Hf(str(chatty), methods="quick"), keep_going=True)
    cells = [json.loads(row) for row in run.frame["cells"]]
    assert {len(row) for row in cells} == {2}
    asked = [cell["method"] for row in cells for cell in row]
    counts = {method: asked.count(method) for method in set(asked)}
    assert len(counts) == 12 and max(counts.values()) - min(counts.values()) <= 1
    first = run.frame.row(0, named=True)
    probs = [cell["probs"]["neutral"] for cell in json.loads(first["cells"])]
    assert first["p.neutral"] == pytest.approx(sum(probs) / 2, abs=1e-5)


def test_code_that_comes_with_a_model_is_never_run(tmp_path: Path) -> None:
    made = causal_model(tmp_path / "m", "llama")
    config = json.loads((made / "config.json").read_text())
    config |= {
        "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.OwnModel"},
        "model_type": "own",
    }
    (made / "config.json").write_text(json.dumps(config))
    (made / "own.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w').write('ran')\nclass Own: pass\n"
    )
    with pytest.raises(InputError, match="cannot load"):
        list(Hf(str(made)).judge(PAIRS[:1], NLI))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("setting", "said"), [({"adapter": "x"}, "peft"), ({"quantise": "int8"}, "bitsandbytes")]
)
def test_what_is_needed_for_a_way_of_loading_is_said(
    folder: Path, setting: dict[str, str], said: str
) -> None:
    from importlib.util import find_spec

    if find_spec(said) is not None:
        pytest.skip(f"{said} is installed")
    with pytest.raises(
        InputError, match=f"needs the package {said}; install it with: pip install {said}"
    ):
        Hf(str(folder), **setting)._loaded  # noqa: B018


@pytest.mark.parametrize("tail", ["Answer:", "Answer: en", "I say ent", "x"])
def test_endings_are_cut_once_for_prompts_that_end_alike_and_as_if_each_were_cut(
    folder: Path, tail: str
) -> None:
    from transformers import AutoTokenizer

    words = AutoTokenizer.from_pretrained(folder)
    asked = [
        TextWithEndings(f"{q.premise} {q.hypothesis} {tail}", ("tailment", " neutral", "")[:2])
        for q in ALL
    ]
    asked.append(TextWithEndings(tail, ("tailment", " neutral")))
    cutter = EndingTokens(words, special=True)
    assert cutter.tokenise(asked) == cutter._whole(asked)
    assert cutter.tokenise(asked[:3]) == cutter._whole(asked[:3])


def test_a_thought_that_does_not_fit_is_a_fault_and_nothing_is_written_past_the_context(
    tmp_path: Path,
) -> None:
    """Positions of a GPT-2 are a table: what goes past its end cannot be computed at all."""
    judge = Hf(str(causal_model(tmp_path / "gpt2", "gpt2")), think=200)
    found = {one.fault for one in judge.judge(PAIRS[:4], NLI)}
    assert all(fault and fault.endswith("to think in, the model takes 256") for fault in found), (
        found
    )
    assert all(
        one.fault is None
        for one in Hf(judge.name.removeprefix("hf/"), think=8).judge(PAIRS[:4], NLI)
    )


@pytest.mark.parametrize("words", ["entailment:yes,neutral:yes", "entailment:neutral"])
def test_words_that_do_not_tell_the_labels_apart_are_refused(words: str, tmp_path: Path) -> None:
    judge = Hf(str(causal_model(tmp_path / "llama", "llama")), words=words)
    with pytest.raises(InputError, match="stands for more than one label"):
        list(judge.judge(PAIRS[:1], NLI))
