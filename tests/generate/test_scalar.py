import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grice.core.item import Item
from grice.core.shelf import PHENOMENA
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import Noun, PersonName, VerbObject, lexicon, table
from grice.generate.paradigm import (
    ASKED,
    CONTROL_NAMES,
    CONTROLS,
    PLACES,
    TARGETS,
    carriers,
    row_patterns,
)
from grice.generate.phenomena.scalar_contexts import AT_WORK, CONTEXTS
from grice.generate.phenomenon import Phenomenon
from grice.theory.scales import SCALES as THEORIES

SCALES = (
    "quantifiers",
    "most",
    "connectives",
    "numerals_2_3",
    "numerals_10_100",
    "modals",
    "might_must",
    "may_have_to",
    "sometimes_always",
    "gradable_adjective",
    "gradable_verb",
    "start_finish",
    "believe_know",
    "ordinals",
)
EVEN = 7_200  # groups of fourteen that make a hundred thousand pairs
OPPOSITE = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}


@pytest.fixture(params=SCALES)
def phenomenon(request: pytest.FixtureRequest) -> Phenomenon:
    found = PHENOMENA.find(request.param)
    assert isinstance(found, Phenomenon)
    return found


def _groups(phenomenon: Phenomenon, count: int, seed: int) -> Iterator[list[Item]]:
    return (phenomenon.make_group(index, seed) for index in range(count))


def test_the_targets_are_those_of_the_papers_table(phenomenon: Phenomenon) -> None:
    for items in _groups(phenomenon, 30, 11):
        assert [item.tags["role"] for item in items] == ["target"] * 6 + ["balance"] * 2 + [
            "control"
        ] * 6
        targets = items[:6]
        assert [item.tags["condition"] for item in targets] == [
            f"{PLACES[p]}/{PLACES[h]}" for p, h, *_ in TARGETS
        ]
        assert "".join(str(item.gold["logical"])[0] for item in targets) == "nnnene"
        assert len({text for item in targets for text in (item.premise, item.hypothesis)}) == 4


def test_the_controls_have_each_answer_twice_under_every_reading(phenomenon: Phenomenon) -> None:
    for items in _groups(phenomenon, 30, 12):
        for reading in phenomenon.readings:
            assert [item.gold[reading] for item in items[8:]] == [label for label, *_ in CONTROLS]
        assert [item.tags["control"] for item in items[8:]] == ["affirmed"] * 2 + ["open"] * 2 + [
            "denied"
        ] * 2
        assert all("control" not in item.tags for item in items[:8])


def test_few_words_of_a_control_are_new_in_its_hypothesis(phenomenon: Phenomenon) -> None:
    """What is affirmed, denied or left open is the hypothesis word for word, or its negation, which
    changes a word or two.
    """
    new: dict[str, list[int]] = {}
    for items in _groups(phenomenon, 200, 13):
        for item in items[8:]:
            words = (
                set(re.findall(r"[\w'-]+", text.lower()))
                for text in (str(item.hypothesis), item.premise)
            )
            new.setdefault(str(item.tags["relation"]), []).append(len(set.difference(*words)))
    means = {relation: sum(counts) / len(counts) for relation, counts in new.items()}
    assert (
        means["repetition"] == means["left open"] == means["denied repetition"] == 0
        and max(means.values()) < 4
    ), means


@pytest.mark.parametrize("kind", THEORIES)
def test_no_hypothesis_tells_its_answer_under_any_reading(kind: str) -> None:
    """Who knows of the hypothesis alone which of the four sentences it is gets no more right than
    the commonest answer.
    """
    for reading in THEORIES[kind]:
        labels = [Counter[str]() for _ in PLACES]
        for row in row_patterns(kind):
            labels[row.hypothesis][row.gold[reading]] += 12
        for (label, *_), places in zip(CONTROLS, ASKED[kind], strict=True):
            for place in places:
                labels[place][label] += 12 // len(places)
        total = sum(labels, Counter[str]())
        assert total.total() == 14 * 12
        blind = sum(max(counts.values()) for counts in labels)
        # The readings of belief pull apart; the controls go half the way to each.
        assert blind <= max(total.values()) + (6 if kind == "knowledge" else 0), (reading, labels)


def test_carriers_that_affirm_deny_and_leave_open_are_alike_in_length() -> None:
    for reported, least in ((False, 16), (True, 8)):
        rows = list(
            zip(
                *(carriers(status, reported) for status in ("affirmed", "denied", "open")),
                strict=True,
            )
        )
        assert len(rows) >= least
        assert all(len({len(text.split()) for text in row}) == 1 for row in rows)


def test_every_answer_of_a_control_has_at_least_eight_carriers_as_often_as_each_other(
    phenomenon: Phenomenon,
) -> None:
    counts: dict[str, Counter[str]] = {}
    for items in _groups(phenomenon, 400, 22):
        for item in items[8:]:
            counts.setdefault(str(item.tags["control"]), Counter())[str(item.tags["carrier"])] += 1
    for status, own in counts.items():
        assert len(own) >= 8 and max(own.values()) < 0.2 * own.total(), (status, own)


def test_new_words_do_not_tell_the_answer_of_a_control(phenomenon: Phenomenon) -> None:
    """One of the two controls of each answer says the hypothesis itself, the other its negation."""
    whole: Counter[str] = Counter()
    for items in _groups(phenomenon, 200, 13):
        for item in items[8:]:
            said, asked = str(item.tags["condition"]).split("/")
            whole[str(item.gold["logical"])] += said == asked
    assert whole == {"entailment": 200, "neutral": 200, "contradiction": 200}


def test_a_negation_is_only_told_by_someone(phenomenon: Phenomenon) -> None:
    """ "Ana is not tired? No." could be either, and nobody says "It is untrue that not all left"."""
    for items in _groups(phenomenon, 60, 21):
        for item in items[8:]:
            if str(item.tags["condition"]).startswith("not"):
                assert any(
                    item.tags["carrier"] in carriers(status, True)
                    for status in CONTROL_NAMES.values()
                )


def test_logical_and_pragmatic_agree_on_what_the_negation_says(phenomenon: Phenomenon) -> None:
    """A pair and the same premise with the negated hypothesis have opposite labels under each
    reading.
    """
    mates = {"W": "not W", "S": "not S", "not W": "W", "not S": "S"}
    for items in _groups(phenomenon, 6, 3):
        gold = {str(item.tags["condition"]): item.gold for item in items[:8]}
        for condition, labels in gold.items():
            premise, hypothesis = condition.split("/")
            other = f"{premise}/{mates[hypothesis]}"
            if other in gold:
                for reading in ("logical", "exact") if "exact" in labels else ("logical",):
                    assert gold[other][reading] == OPPOSITE[str(labels[reading])]


def test_every_promised_tag_and_reading_is_there(phenomenon: Phenomenon) -> None:
    for item in phenomenon.make_group(5, 2):
        control = {"control", "carrier"} if "control" not in item.tags else set()
        assert set(phenomenon.tags) - control == set(item.tags)
        assert set(phenomenon.readings) == set(item.gold)


def test_sentences_are_well_formed(phenomenon: Phenomenon) -> None:
    for items in _groups(phenomenon, 300, 4):
        for item in items:
            for text in (item.premise, str(item.hypothesis)):
                assert text[0].isupper() and text.endswith(".") and not text.endswith("..")
                assert "  " not in text and " ," not in text and " ." not in text


@pytest.mark.slow
def test_a_hundred_thousand_pairs_hold_no_repeat(phenomenon: Phenomenon) -> None:
    seen = {hash((item.premise, item.hypothesis)) for item in phenomenon.stream(EVEN, 8)}
    assert len(seen) == EVEN * 14


def test_conditions_are_balanced(phenomenon: Phenomenon) -> None:
    groups = len(phenomenon.cells) * max(1, 400 // len(phenomenon.cells))
    cells = Counter(tuple(phenomenon.draw(index, 1).cell.values()) for index in range(groups))
    assert len(cells) == len(phenomenon.cells) and len(set(cells.values())) == 1


def _open_words(slots: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The names, verbs and nouns that a draw chose, each with the sort of slot it fills."""
    for slot, option in slots.items():
        if isinstance(option, VerbObject):
            yield "verb", option.entry.head
            yield "object", option.noun.singular or option.noun.plural
        elif isinstance(option, VerbPhrase):
            yield "verb", option.verb.base.partition(" ")[0]
            yield "object", option.rest.removeprefix("the ").removeprefix("a ").removeprefix("an ")
        elif isinstance(option, Subject):
            yield "person", option.text
        elif slot == "work" and not option.startswith("the "):
            yield "gerund", option.partition(" ")[0]
        elif isinstance(option, Noun | PersonName):
            yield "noun", option[0] or option[1]


def test_no_word_of_an_open_slot_takes_more_than_a_hundredth(phenomenon: Phenomenon) -> None:
    counts: dict[str, Counter[str]] = {}
    for index in range(EVEN):
        for sort, word in _open_words(phenomenon.draw(index, 5).slots):
            counts.setdefault(sort, Counter())[word] += 1
    for sort, words in counts.items():
        word, most = words.most_common(1)[0]
        assert most <= 0.01 * words.total(), f"{sort} '{word}': {most} of {words.total()}"


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    program = (
        "import hashlib; from grice.core.shelf import PHENOMENA; d = hashlib.sha256()\nfor name in"
        f" {SCALES!r}:\n    for item in PHENOMENA.find(name).stream(12, 2024):"
        " d.update(repr(item.to_json()).encode())\nprint(d.hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_another_seed_gives_other_items(phenomenon: Phenomenon) -> None:
    first = {item.premise for item in phenomenon.stream(20, 1)}
    assert len(first & {item.premise for item in phenomenon.stream(20, 2)}) < 12


def test_the_docs_name_each_with_its_conditions(phenomenon: Phenomenon) -> None:
    page = (Path(__file__).parents[2] / "docs/generator.md").read_text(encoding="utf-8")
    line = next(
        line
        for line in page.splitlines()
        if line.startswith("|") and f"`{phenomenon.name}`" in line
    )
    assert all(condition in line for condition in phenomenon.conditions)
    for condition, values in phenomenon.conditions.items():
        if f"{condition} (" in line:
            assert all(value in line for value in values)
    if len(phenomenon.conditions.get("scale", ())) > 10:
        assert f"{len(phenomenon.conditions['scale'])} pairs" in line


def test_numerals_have_an_exact_reading() -> None:
    gold = {
        i.tags["condition"]: i.gold["exact"]
        for i in PHENOMENA.find("numerals_2_3").make_group(0, 1)[:8]
    }
    assert (
        gold["W/not S"] == "entailment"
        and gold["S/not W"] == "entailment"
        and gold["S/W"] == "contradiction"
        and gold["not W/not S"] == "neutral"
    )


def test_the_lexicon_is_large_and_its_references_resolve() -> None:
    words = lexicon()
    assert len(words.nouns) >= 1300 and len(words.names) >= 400 and len(words.adjectives) >= 300
    assert len(words.verbs) >= 700
    for entry in words.verbs:
        assert words.nouns_of(*entry.objects), entry
        assert entry.aspect in ("event", "happening", "moment", "state")
    for adjective in words.adjectives:
        assert words.nouns_of(*adjective.of)


@pytest.mark.parametrize(
    ("name", "key"),
    [("names", "name"), ("adjectives", "adjective"), ("times", "time"), ("works", "work")],
)
def test_no_word_stands_twice_in_its_table(name: str, key: str) -> None:
    counts = Counter(tuple(row.values()) if key == "time" else row[key] for row in table(name))
    assert [word for word, n in counts.items() if n > 1] == []


def test_no_noun_stands_twice_under_one_kind() -> None:
    counts = Counter((noun.singular, noun.plural) for noun in lexicon().nouns)
    assert [noun for noun, n in counts.items() if n > 1] == []


def test_every_scale_has_its_traits(phenomenon: Phenomenon) -> None:
    groups = min(phenomenon.capacity, len(phenomenon.cells))
    for items in _groups(phenomenon, groups, 15):
        assert {"bounded", "polarity", "distance"} <= set(items[0].tags), items[0].tags["scale"]


def test_a_context_changes_the_pragmatic_answer_and_cancellation_every_answer() -> None:
    items = PHENOMENA.find("scalar_contexts").make_group(0, 3)
    drawn = {
        (i.tags["context"], i.tags["qud"], i.tags["speaker"]): i
        for i in items
        if i.tags["condition"] == "W/not S"
    }
    assert drawn["question", "upper", "unstated"].gold["pragmatic"] == "entailment"
    assert drawn["question", "lower", "unstated"].gold["pragmatic"] == "neutral"
    assert drawn["knowledge", "none", "partial"].gold["pragmatic"] == "neutral"
    cancelled = [
        i for i in items if i.tags["cancelled"] == "yes" and i.tags["condition"] == "W, S/not S"
    ]
    assert len(cancelled) == 4 and {label for i in cancelled for label in i.gold.values()} == {
        "contradiction"
    }


def test_neither_hypothesis_in_context_gives_its_answer_away() -> None:
    labels: dict[str, Counter[str]] = {}
    for item in PHENOMENA.find("scalar_contexts").stream(30, 4):
        labels.setdefault(
            str(item.tags["condition"]).partition("/")[2].partition(" of")[0], Counter()
        )[str(item.gold["pragmatic"])] += 1
    assert all(len(set(counts.values())) == 1 for counts in labels.values()), labels


def test_every_context_is_said_in_eight_ways() -> None:
    assert all(
        len(ways) == len(set(ways)) == 8
        for of in (CONTEXTS, AT_WORK)
        for name, ways in of.items()
        if name != "none"
    )
