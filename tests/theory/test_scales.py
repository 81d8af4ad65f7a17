"""The labels of scales: what each theory gives, written out by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from grice.core.words import read_rows
from grice.theory.contexts import context_labels
from grice.theory.norms import norms, scale_key
from grice.theory.projection import PLUGS, projected_label
from grice.theory.readings import READINGS
from grice.theory.scales import SCALES, WORDS, scale_labels, scale_traits

# Gradable verbs that people were asked about.
VERBS = ("like - love", "dislike - loathe")
# The conditions of Table 2 of Jeretič et al. 2020, in its order.
TARGETS = (
    ("weak", "not_strong"),
    ("not_strong", "weak"),
    ("weak", "strong"),
    ("strong", "weak"),
    ("not_strong", "not_weak"),
    ("not_weak", "not_strong"),
)
BY_HAND = {
    ("both ways", "logical"): "NNNENE",
    ("both ways", "pragmatic"): "EECCCC",
    ("one way", "pragmatic"): "ENCCNE",
    ("numeral", "exact"): "ENCCNN",
    ("stage", "presuppositional"): "NENECC",
    ("knowledge", "pragmatic"): "ECCCEE",
    ("knowledge", "presuppositional"): "CCNEEN",
}


@pytest.mark.parametrize(("kind", "reading"), BY_HAND)
def test_the_targets_have_the_labels_of_the_theory(kind: str, reading: str) -> None:
    found = "".join(scale_labels(kind, *pair)[reading][0].upper() for pair in TARGETS)
    assert found == BY_HAND[kind, reading]


@pytest.mark.parametrize("kind", SCALES)
def test_a_sentence_and_its_negation_exclude_each_other_on_every_theory(kind: str) -> None:
    for one, other in (("weak", "not_weak"), ("strong", "not_strong")):
        assert set(scale_labels(kind, one, other).values()) == {"contradiction"}
        assert set(scale_labels(kind, one, one).values()) == {"entailment"}


def test_every_reading_of_a_scale_is_described() -> None:
    assert {reading for theories in SCALES.values() for reading in theories} <= set(READINGS)


def test_plugs_and_theories_without_the_presupposition_leave_it_open() -> None:
    assert {
        projected_label(plug, polarity) for plug in PLUGS for polarity in ("positive", "negated")
    } == {"neutral"}
    assert projected_label("negated", "negated") == "contradiction"
    assert projected_label("negated", "negated", stands=False) == "neutral"


def test_there_are_many_scales_of_every_class_and_their_traits_differ() -> None:
    header, *rows = read_rows(WORDS)
    assert header == ("scale", "class", "bounded", "polarity", "distance", "denied")
    assert len({row[0] for row in rows}) == len(rows) >= 150
    counts = [Counter(row[place] for row in rows) for place in range(1, 5)]
    assert {
        "adjective",
        "verb",
        "adverb",
        "quantifier",
        "connective",
        "modal",
        "numeral",
        "ordinal",
    } == set(counts[0])
    assert all(len(traits) == 2 and min(traits.values()) >= 30 for traits in counts[1:])
    assert scale_traits("unheard - of") == {}


def test_denying_the_stronger_word_suggests_the_weaker_only_where_half_of_people_infer() -> None:
    rates = {key: norm.mean for (key, _), norm in norms("scale").items()}
    gradable = [row for row in read_rows(WORDS)[1:] if row[1] == "adjective" or row[0] in VERBS]
    measured = [row for row in gradable if scale_key(row[0]) in rates]
    assert len(measured) >= 8
    assert not [row[0] for row in measured if row[5] == "weaker" and rates[scale_key(row[0])] < 0.5]
    assert 0 < sum(row[5] == "weaker" for row in gradable) < 10


@pytest.mark.parametrize("context", ["none", "upper question", "full knowledge", "high stakes"])
def test_an_implicature_is_drawn_where_the_stronger_matters_and_is_taken_back_by_in_fact(
    context: str,
) -> None:
    assert context_labels(context, "not S")["pragmatic"] == "entailment"
    assert set(context_labels(context, "not S", cancelled=True).values()) == {"contradiction"}


def test_what_was_asked_decides_on_one_theory_and_not_on_the_other() -> None:
    assert context_labels("lower question", "S") == {
        "logical": "neutral",
        "pragmatic": "neutral",
        "default": "contradiction",
    }
    assert set(context_labels("partial knowledge", "S").values()) == {"neutral"}
