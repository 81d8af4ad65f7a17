"""Semantic roles: the constrained path, and the predicate-aware encoder built on a tagger."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from grice.core.errors import InputError
from grice.core.scale import NLI
from grice.core.shelf import LEARNERS
from grice.judges.providers.trained import trained
from grice.learners.training.roles import allowed_transitions, viterbi
from grice.learners.training.spec import TrainingSpec
from tests.learners.test_learners import pairs, tiny_encoder
from tests.learners.training import train


def test_the_best_path_neither_starts_inside_nor_enters_another_argument() -> None:
    tags = ["O", "B-A", "I-A", "B-B", "I-B"]
    scores = np.log(np.array([[0.1, 0.2, 0.5, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1, 0.6]]))
    path = [tags[place] for place in viterbi(scores, allowed_transitions(tags))]
    assert path == ["B-B", "I-B"]


def lines(path: Path, verbs: Sequence[str] = ("sees", "helps", "calls")) -> Path:
    """The word before the verb is the agent, the one after it the patient."""
    names = ("Ann", "Bob", "Cid", "Dot", "Eve")
    rows = [
        {"words": [a, verb, b, "."], "predicate": 1, "tags": ["B-ARG0", "B-V", "B-ARG1", "O"]}
        for a in names
        for b in names
        for verb in verbs
        if a != b
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_tagger_learns_roles_and_a_predicate_aware_encoder_learns_on_it(tmp_path: Path) -> None:
    base = tiny_encoder(tmp_path)
    learner = LEARNERS.find("srl")(
        out=tmp_path / "srl", base=base, epochs=6, learning_rate=5e-3, batch_size=8, max_length=16
    )
    roles = learner.read_examples(str(lines(tmp_path / "roles.jsonl")))
    other = learner.read_examples(str(lines(tmp_path / "other.jsonl", verbs=("sees",))))
    tagger = learner.fit_and_score([roles], {"dev": roles}, {"other": other})
    assert tagger.scores["span F1"] > 0.8
    assert tagger.scores["span F1 other"] > 0.8
    with pytest.raises(InputError, match="answers no question"):
        trained(str(tmp_path / "srl"))
    data = pairs().head(48)
    judge = LEARNERS.find("predicate_aware")(
        out=tmp_path / "pa",
        srl=str(tmp_path / "srl"),
        base=base,
        epochs=5,
        learning_rate=5e-3,
        batch_size=8,
        max_length=24,
    ).fit(data, data)
    answers = {j.item: j.answer for j in judge.judge(data.questions(), NLI)}
    gold = {item.id: item.gold["label"] for item in data.items()}
    assert sum(answers[key] == gold[key] for key in gold) / len(gold) > 0.6
    again = trained(str(tmp_path / "pa"))
    assert {j.item: j.answer for j in again.judge(data.questions(), NLI)} == answers


@pytest.mark.slow
def test_a_tagger_is_scored_on_what_it_is_asked_besides_and_a_missing_file_is_named(
    tmp_path: Path,
) -> None:
    roles, asked = (
        str(lines(tmp_path / "roles.jsonl")),
        str(lines(tmp_path / "asked.jsonl", verbs=("sees",))),
    )
    given = {"base": tiny_encoder(tmp_path), "epochs": "1", "max_length": "16"}
    spec = TrainingSpec([roles], [roles], ask=[asked])
    rows = train("srl", spec, out=tmp_path / "srl", settings=given, seeds=2).to_rows()
    assert [set(row) for row in rows] == [{"judge", "folder", "span F1", f"span F1 {asked}"}] * 2
    with pytest.raises(InputError, match=r"nowhere\.jsonl\.gz: no such file"):
        train("srl", TrainingSpec(["nowhere"]), out=tmp_path / "m", settings=given)


def test_a_line_with_too_few_tags_is_named(tmp_path: Path) -> None:
    path = tmp_path / "roles.jsonl"
    path.write_text('{"words": ["a", "b"], "predicate": 0, "tags": ["O"]}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"roles.jsonl:1: 2 words, 1 tags"):
        LEARNERS.find("srl")(out=tmp_path / "m").read_examples(str(path))


def test_predicate_aware_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="grice train srl"):
        LEARNERS.find("predicate_aware")(out=tmp_path).fit(pairs())
