import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grice.checks.leakage import CHANCE, inference_rows, measure_leakage
from grice.core.item import Item
from grice.core.shelf import PHENOMENA
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import Noun, PersonName, VerbObject, lexicon, table
from grice.generate.paradigm import BALANCE, PLACES, TARGETS, row_patterns
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
EVEN = 7_200
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
        assert [item.tags["role"] for item in items] == ["target"] * 6 + ["control"] * 6 + [
            "balance"
        ] * (phenomenon.rows - 12)
        targets = items[:6]
        assert [item.tags["condition"] for item in targets] == [
            f"{PLACES[p]}/{PLACES[h]}" for p, h, *_ in TARGETS
        ]
        assert "".join(str(item.gold["logical"])[0] for item in targets) == "nnnene"
        assert len({text for item in targets for text in (item.premise, item.hypothesis)}) == 4


def test_the_controls_are_the_papers_opposites_and_negations(phenomenon: Phenomenon) -> None:
    """All are contradictions; only an exact "not two" may be three."""
    for items in _groups(phenomenon, 30, 12):
        controls = items[6:12]
        relations = [item.tags["relation"] for item in controls]
        assert relations == ["opposite"] * 2 + ["negation"] * 4
        for reading in set(phenomenon.readings) - {"exact"}:
            assert {item.gold[reading] for item in controls} == {"contradiction"}
        assert {text for i in controls for text in (i.premise, i.hypothesis)} == {
            text for i in items[:6] for text in (i.premise, i.hypothesis)
        }


def test_balance_says_it_of_others_or_adds_a_remark(phenomenon: Phenomenon) -> None:
    for items in _groups(phenomenon, 60, 13):
        said = {text for item in items[:6] for text in (item.premise, item.hypothesis)}
        for item in items[12:]:
            label = "contradiction" if item.tags["relation"] == "remark" else "neutral"
            assert set(item.gold.values()) == {label}
            assert item.premise not in said and item.hypothesis in said


@pytest.mark.parametrize("kind", THEORIES)
def test_no_hypothesis_tells_its_answer_under_any_reading(kind: str) -> None:
    """Who knows of the hypothesis alone which of the four sentences it is gets no more right than
    the commonest answer.
    """
    for reading in THEORIES[kind]:
        labels = [Counter[str]() for _ in PLACES]
        for row in row_patterns(kind)[: len(TARGETS)]:
            labels[row.hypothesis][row.gold[reading]] += 1
        for _premise, hypothesis, change in BALANCE[kind]:
            labels[hypothesis]["contradiction" if change == "remark" else "neutral"] += 1
        total = sum(labels, Counter[str]())
        blind = sum(max(counts.values()) for counts in labels)
        assert blind <= max(total.values()), (reading, labels)


def test_scales_of_two_kinds_have_one_commonest_answer() -> None:
    """Otherwise the words of a scale would tell which answer is the commoner."""
    for kind in ("both ways", "one way"):
        golds = Counter(row.gold["pragmatic"] for row in row_patterns(kind)[: len(TARGETS)])
        golds["neutral"] += len(BALANCE["mixed"])
        assert golds["neutral"] == max(golds.values())


def test_neither_hypothesis_nor_overlap_tells_the_answer_of_what_is_cancelled() -> None:
    table = measure_leakage(inference_rows(PHENOMENA.find("cancellability").make(60, 1)))
    for row in table.rows:
        chance, *measured = (
            table.cell(row, column) for column in (CHANCE, "hypothesis only", "overlap")
        )
        assert chance
        assert all(cell and cell.value <= chance.value + 0.03 for cell in measured), row


def test_logical_and_pragmatic_agree_on_what_the_negation_says(phenomenon: Phenomenon) -> None:
    """A pair and the same premise with the negated hypothesis have opposite labels under each
    reading.
    """
    mates = {"W": "not W", "S": "not S", "not W": "W", "not S": "S"}
    for items in _groups(phenomenon, 6, 3):
        gold = {str(item.tags["condition"]): item.gold for item in items[:12]}
        for condition, labels in gold.items():
            premise, hypothesis = condition.split("/")
            other = f"{premise}/{mates[hypothesis]}"
            if other in gold:
                for reading in ("logical", "exact") if "exact" in labels else ("logical",):
                    assert gold[other][reading] == OPPOSITE[str(labels[reading])]


def test_every_promised_tag_and_reading_is_there(phenomenon: Phenomenon) -> None:
    for item in phenomenon.make_group(5, 2):
        assert set(phenomenon.tags) == set(item.tags)
        assert set(phenomenon.readings) == set(item.gold)


def test_sentences_are_well_formed(phenomenon: Phenomenon) -> None:
    for items in _groups(phenomenon, 300, 4):
        for item in items:
            for text in (item.premise, str(item.hypothesis)):
                assert text[0].isupper() and text.endswith(".") and not text.endswith("..")
                assert "  " not in text and " ," not in text and " ." not in text


@pytest.mark.slow
def test_no_target_of_thousands_of_groups_repeats(phenomenon: Phenomenon) -> None:
    """Each has both words of its scale; a control has one, which two scales may share."""
    pairs = Counter[tuple[str, str | None]]()
    targets = Counter[tuple[str, str | None]]()
    for item in phenomenon.stream(EVEN // 3, 8):
        pairs[item.premise, item.hypothesis] += 1
        targets[item.premise, item.hypothesis] += item.tags["role"] == "target"
    assert max(targets.values()) == 1
    assert pairs.total() - len(pairs) < 0.001 * pairs.total()


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
