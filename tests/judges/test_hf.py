"""Causal models by log-probability, against a plain loop over whole texts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import GriceError, InputError
from grice.core.item import Question
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.causal import Causal, PendingScores
from grice.judges.continuations import Continuations, shared_start, split_endings
from grice.judges.providers.hf import Hf
from tests.judges.models import PAIRS as ALL
from tests.judges.models import by_id, causal_model, largest_difference

PAIRS = ALL[1::2]


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal_model(tmp_path_factory.mktemp("causal"), request.param)


def plain_scores(folder: Path, prompt: str, words: tuple[str, ...], join: str = " ") -> list[float]:
    """The sum of log-probabilities of what follows the prompt, one whole text at a time, without a
    cache.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    words_of = AutoTokenizer.from_pretrained(folder)
    model.eval()
    start = len(words_of(prompt)["input_ids"])
    found = []
    for word in words:
        ids = words_of(f"{prompt}{join}{word}")["input_ids"]
        with torch.inference_mode():
            logs = torch.log_softmax(model(torch.tensor([ids])).logits[0].float(), dim=-1)
        found.append(sum(float(logs[i - 1, ids[i]]) for i in range(start, len(ids))))
    return found


@pytest.mark.parametrize("normalise", ["none", "tokens", "bytes"])
def test_scores_are_those_of_whole_texts_without_a_cache(folder: Path, normalise: str) -> None:
    judge = Hf(str(folder), normalise=normalise)
    question = PAIRS[3]
    prompt = judge.template.prompt((question.premise, question.hypothesis), list(NLI.labels))
    scores = plain_scores(folder, prompt, NLI.labels)
    if normalise == "bytes":
        scores = [
            score / len(label.encode()) for score, label in zip(scores, NLI.labels, strict=True)
        ]
    if normalise == "tokens":
        words, _ = judge._prepared
        start = len(words(prompt)["input_ids"])
        sizes = [len(words(f"{prompt} {label}")["input_ids"]) - start for label in NLI.labels]
        scores = [score / size for score, size in zip(scores, sizes, strict=True)]
    import numpy as np

    wanted = np.exp(np.array(scores) - max(scores)) / np.exp(np.array(scores) - max(scores)).sum()
    probs = by_id(list(judge.judge(PAIRS, NLI)))[question.id].probs
    assert probs is not None
    assert [probs[label] for label in NLI.labels] == pytest.approx(wanted.tolist(), abs=2e-5)


def test_answers_do_not_depend_on_their_neighbours(folder: Path) -> None:
    together = list(Hf(str(folder), normalise="tokens").judge(PAIRS, NLI))
    alone = list(Hf(str(folder), normalise="tokens", batch_tokens=1).judge(PAIRS, NLI))
    assert largest_difference(together, alone) < 1e-5
    said = [judgement.probs["neutral"] for judgement in together if judgement.probs]
    assert max(said) - min(said) > 0.01, "a model that says one thing shows nothing"


def test_prompts_that_begin_alike_are_read_as_one_text_and_score_the_same(folder: Path) -> None:
    """Premises of several lengths, each with several hypotheses, in one row up to where they part."""
    asked = [
        Question(
            f"{p}/{h}",
            f"Some of the {p} cakes {'that Bo baked ' * p}are gone.",
            f"{w} are gone{' now' * h}.",
        )
        for p in (2, 3, 5)
        for h, w in enumerate(("All", "Not all", "All but one", "None"))
    ]
    judge = Hf(str(folder))
    rows: list[int] = []
    forward = judge._loaded[0].model.forward

    def counted(*args: Any, **given: Any) -> Any:
        rows.append(len(given["input_ids"]))
        return forward(*args, **given)

    judge._loaded[0].model.forward = counted
    together = list(judge.judge(asked, NLI))
    assert sum(rows) < len(asked)
    alone = [one for question in asked for one in Hf(str(folder)).judge([question], NLI)]
    assert largest_difference(together, alone) < 1e-5


def test_prompts_too_many_for_the_devices_memory_are_asked_in_parts(folder: Path) -> None:
    import torch

    sizes: list[int] = []

    def limited(judge: Hf, most: int) -> Hf:
        model, forward = judge._loaded[0].model, judge._loaded[0].model.forward

        def small(*args: Any, **given: Any) -> Any:
            sizes.append(len(given["input_ids"]))
            if sizes[-1] > most:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")
            return forward(*args, **given)

        model.forward = small
        return judge

    plain = list(Hf(str(folder)).judge(PAIRS, NLI))
    found = list(limited(Hf(str(folder)), 1).judge(PAIRS, NLI))
    assert max(sizes) > 1 and largest_difference(plain, found) < 1e-5
    with pytest.raises(
        GriceError, match="no memory left for a single text; free some, or use -M device=cpu"
    ):
        list(limited(Hf(str(folder)), 0).judge(PAIRS, NLI))


def test_a_prompt_longer_than_the_model_is_a_fault_and_the_rest_is_answered(folder: Path) -> None:
    long = Question("long", "very " * 400, "It is.")
    found = by_id(list(Hf(str(folder)).judge([long, *PAIRS[:2]], NLI)))
    assert (found["long"].fault or "").startswith("too long: ")
    assert "256" in (found["long"].fault or "")
    assert found[PAIRS[0].id].answer in NLI.labels


def test_what_is_shown_is_what_the_model_reads(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Hf(str(folder), words="neutral:perhaps so")
    (shown,) = judge.show_prompt(PAIRS[3], NLI)
    assert "loaded" not in judge._weights, "the weights are not needed for it"
    read: list[Continuations] = []
    score = Causal.score

    def watched(self: Causal, batch: list[Continuations], *rest: Any) -> PendingScores:
        read.extend(batch)
        return score(self, batch, *rest)

    monkeypatch.setattr(Causal, "score", watched)
    list(judge.judge(PAIRS[3:4], NLI))
    *free, row = read
    assert len(free) == 4, "what the labels are worth without content"
    words, _ = judge._prepared
    assert shown["tokens"] == len(row.prompt)
    assert shown["prompt"] == words.decode(row.prompt)
    assert [end["tokens"] for end in shown["endings"]] == [
        words.convert_ids_to_tokens(end) for end in row.endings
    ]
    assert [end["text"] for end in shown["endings"]] == [words.decode(end) for end in row.endings]
    assert [(end["label"], end["text"]) for end in shown["endings"]][1] == (
        "neutral",
        " perhaps so",
    )
    assert shown["longest"] == 256
    assert shown["begins"] == []


def test_marks_that_the_tokeniser_puts_in_front_are_shown(tmp_path: Path) -> None:
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    causal_model(tmp_path, "llama")
    words = AutoTokenizer.from_pretrained(tmp_path)
    mark = TemplateProcessing(single="<s> $A", special_tokens=[("<s>", words.bos_token_id)])
    words.backend_tokenizer.post_processor = mark
    words.save_pretrained(tmp_path)
    (shown,) = Hf(str(tmp_path)).show_prompt(PAIRS[0], NLI)
    assert shown["begins"] == ["<s>"]


def test_the_verb_shows_the_prompt_each_label_and_its_tokens(folder: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from grice.cli import build
    from tests.hand import three

    three().write(tmp_path / "mine.jsonl")
    asked = [
        "show-prompt",
        str(tmp_path / "mine.jsonl"),
        "--by",
        f"hf/{folder}",
        "--item",
        "hand/2",
    ]
    result = CliRunner().invoke(build(), asked, catch_exceptions=False)
    assert "Premise: Some of the 2 cakes are gone.\n" in result.stdout
    assert "  contradiction: ' contradiction', " in result.stdout
    assert "the model takes 256" in result.stdout


def test_words_and_template_change_the_identity(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("{premise} So, {hypothesis}\n", encoding="utf-8")
    judges = [
        Hf(str(folder)),
        Hf(str(folder), template=str(own)),
        Hf(str(folder), words="entailment:yes,neutral:maybe,contradiction:no"),
        Hf(str(folder), normalise="bytes"),
    ]
    assert len({str(judge.identity) for judge in judges}) == 4
    answers = [
        [by_id(list(judge.judge(PAIRS, NLI)))[q.id].probs for q in PAIRS] for judge in judges
    ]
    assert all(answers[0] != other for other in answers[1:])


def test_one_token_and_many_token_labels_stand_on_one_scale(folder: Path) -> None:
    scale = Scale(labels=("a", "entailment and more"))
    found = list(Hf(str(folder)).judge([Question("t", "Bo left.")], scale))
    assert found[0].probs is not None and sum(found[0].probs.values()) == pytest.approx(1, abs=1e-5)


def test_on_the_unit_scale_the_rule_is_applied(folder: Path) -> None:
    probs = next(iter(Hf(str(folder)).judge(PAIRS[:1], NLI))).probs
    value = next(iter(Hf(str(folder), unit="entailment").judge(PAIRS[:1], UNIT))).answer
    assert probs is not None and value == pytest.approx(probs["entailment"], abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"normalise": "length"}, "none"),
        ({"words": "entailment"}, "LABEL:TEXT"),
        ({"unit": "guess"}, "surrogate"),
        ({"batch_tokens": "many"}, "batch_tokens"),
    ],
)
def test_a_wrong_setting_says_what_there_is(
    folder: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Hf(str(folder), **settings)


def test_words_for_a_label_that_is_not_asked_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="maybe"):
        list(Hf(str(folder), words="maybe:perhaps").judge(PAIRS[:1], NLI))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{premise} {gold}", "gold"),
        ("nothing", "premise"),
        ("{premise", "template"),
        ("{premise:{hypothesis}}", "premise"),
        ("{premise!x} {hypothesis}", "premise"),
    ],
)
def test_a_template_that_cannot_be_filled_is_refused(
    folder: Path, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "bad.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        Hf(str(folder), template=str(tmp_path / "bad.txt"))


def test_a_template_without_the_hypothesis_is_refused_for_pairs_and_right_for_single_texts(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "alone.txt").write_text("{premise} {labels}", encoding="utf-8")
    judge = Hf(str(folder), template=str(tmp_path / "alone.txt"))
    with pytest.raises(InputError, match=r"\{hypothesis\}"):
        list(judge.judge(PAIRS[:1], NLI))
    alone = Question(PAIRS[0].id, PAIRS[0].premise, None)
    assert len(list(judge.judge([alone], NLI))) == 1


def test_a_name_that_is_nowhere_is_one_helpful_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(GriceError, match="local folder") as caught:
        Hf("nobody/no-such-model")
    assert "\n" not in str(caught.value)


def test_a_label_that_changes_how_the_prompt_is_cut_is_scored_from_there() -> None:
    found = split_endings([1, 2, 3], [[1, 2, 9, 4], [1, 2, 3, 5, 6]])
    assert found.prompt == [1, 2]
    assert found.endings == [[9, 4], [3, 5, 6]]


def test_the_shared_start_ends_at_the_first_difference() -> None:
    assert shared_start([[1, 2, 3], [1, 2], [1, 2, 4]]) == 2
    assert shared_start([[1], [2]]) == 0


def test_surprisal_is_that_of_whole_texts_in_bits(folder: Path) -> None:
    judge = Hf(str(folder))
    words, _ = judge._prepared
    texts = ["the cakes are gone", "all the cakes are gone .", "the"]
    found = judge.surprisal(texts)
    for text, bits in zip(texts[:2], found, strict=False):
        ids = words(text)["input_ids"]
        ids = ids[:-1] if ids[-1] == words.eos_token_id else ids
        first = words.decode(ids[:1])
        assert bits == pytest.approx(-plain_ids(folder, ids) / math.log(2), rel=1e-4), first
    assert (found[2] is None) == (len(words(texts[2])["input_ids"]) == 1)


def plain_ids(folder: Path, ids: list[int]) -> float:
    """The log-probability of all tokens but the first."""
    import torch
    from transformers import AutoModelForCausalLM

    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    model.eval()
    with torch.inference_mode():
        logs = torch.log_softmax(model(torch.tensor([ids])).logits[0].float(), dim=-1)
    return sum(float(logs[i - 1, ids[i]]) for i in range(1, len(ids)))
