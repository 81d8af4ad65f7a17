"""Presuppositions: the paradigm of the paper, and what each trigger must and must not say."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module

import pytest
from tests.hand import answers

from grice.analysis.projection import projection
from grice.generate._everyday import belongings, changes, deeds, habits, manners
from grice.generate._presupposition import Environments, Presupposed, paradigm_rows
from grice.generate._scenes import episodes, news, shared_acts
from grice.generate.lexicon import table
from grice.generate.phenomenon import Phenomenon
from grice.storage.run import join

PARADIGMS = (
    "additives",
    "all_n",
    "aspectuals",
    "both",
    "change_of_state",
    "cleft_existence",
    "cleft_uniqueness",
    "comparatives",
    "counterfactuals",
    "definites",
    "even",
    "factives",
    "implicatives",
    "iteratives",
    "only",
    "possessed_definites_existence",
    "possessed_definites_uniqueness",
    "questions",
    "temporal_clauses",
)
OTHERS = ("attitudes", "cancellability", "filtering", "perhaps", "quantified_subjects")
# Their plain sentence without the trigger entails the hypothesis.
EXISTENCE = ("cleft_existence", "definites")
OPERATORS = ("unembedded", "negated", "interrogative", "modal", "conditional")
MARKS = {"entailment": "E", "contradiction": "C", "neutral": "N"}


def phenomenon(name: str) -> Phenomenon:
    found = getattr(import_module(f"grice.generate.phenomena.{name}"), name)
    assert isinstance(found, Phenomenon)
    return found


def test_the_paradigm_is_that_of_table_3_and_the_same_without_the_trigger() -> None:
    rows = paradigm_rows(
        Environments("P.", "Not P.", "P?", "Maybe P.", "If P, Q."),
        Environments("R.", "Not R.", "R?", "Maybe R.", "If R, Q."),
        Presupposed("A.", "Not A.", "B."),
    )
    assert "".join(MARKS[str(row.gold["label"])] for row in rows) == "ECN" * 5 + "CNNN" + "N" * 10
    assert [row.premise for row in rows[:15:3]] == ["P.", "Not P.", "P?", "Maybe P.", "If P, Q."]
    assert [(row.premise, row.hypothesis) for row in rows[15:19]] == [
        ("Not P.", "P."),
        ("P?", "P."),
        ("Maybe P.", "P."),
        ("If P, Q.", "P."),
    ]
    assert [row.premise for row in rows[19::2]] == ["R.", "Not R.", "R?", "Maybe R.", "If R, Q."]
    assert {row.hypothesis for row in rows[19:]} == {"A.", "Not A."}


@pytest.mark.parametrize("name", PARADIGMS)
def test_every_trigger_comes_in_the_rows_of_the_paper_and_without_the_trigger(name: str) -> None:
    items = phenomenon(name).make_group(3, seed=1)
    targets = [item for item in items if item.tags["role"] == "target"]
    assert [item.tags["operator"] for item in targets[::3]] == list(OPERATORS)
    assert [item.tags["presupposition"] for item in targets] == [
        "positive",
        "negated",
        "neutral",
    ] * 5
    assert len({item.hypothesis for item in targets}) == 3
    assert [item.tags["operator"] for item in items[15:19]] == list(OPERATORS[1:])
    absent = [item for item in items if item.tags["trigger"] == "absent"]
    first = 1 if name in EXISTENCE else 0
    operators = [operator for operator in OPERATORS[first:] for _ in range(2)]
    controls = [item for item in absent if item.tags["role"] == "control"]
    assert [item.tags["operator"] for item in controls] == operators
    assert len(items) == 29 and items[:19] + absent == items


@pytest.mark.parametrize("name", PARADIGMS)
def test_a_control_without_the_trigger_is_paired_with_a_target(name: str) -> None:
    """It has another premise, the same hypothesis, and not the label of the target."""
    for item in phenomenon(name).make_group(5, seed=2)[19:]:
        (pair,) = (
            target
            for target in phenomenon(name).make_group(5, seed=2)[:15]
            if all(target.tags[tag] == item.tags[tag] for tag in ("operator", "presupposition"))
        )
        assert pair.hypothesis == item.hypothesis and pair.premise != item.premise
        assert pair.gold["label"] != item.gold["label"]


@pytest.mark.parametrize("name", (*PARADIGMS, *OTHERS))
def test_every_sentence_is_written_as_one(name: str) -> None:
    for item in phenomenon(name).stream(60, seed=2):
        for text in (item.premise, item.hypothesis or ""):
            asked = bool(re.match(r"(Is|Are|Was|Were|Do|Does|Did|Will|Would|Has|Have) ", text))
            ends = ("?",) if asked else (".", '."')
            assert text.endswith(ends), text
            assert text[0].isupper() or text[0].isdigit(), text
            assert not re.search(
                r"  | [,.?]|\b(\w+) \1\b|\{|\}|\ba [aeio]|\ban [bcdfgjklmnpqrstvwz]", text
            ), text


@pytest.mark.parametrize("name", (*PARADIGMS, *OTHERS))
def test_no_pair_comes_twice_and_none_has_two_answers(name: str) -> None:
    pairs = [(item.premise, item.hypothesis) for item in phenomenon(name).stream(400, seed=3)]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("name", PARADIGMS)
def test_no_condition_speaks_of_the_future_with_will(name: str) -> None:
    for item in phenomenon(name).stream(40, seed=4):
        if item.tags["operator"] == "conditional" and not item.premise.startswith(
            ("If it is", "If it was")
        ):
            assert " will " not in item.premise.partition(",")[0]


@pytest.mark.parametrize("name", (*PARADIGMS, "attitudes", "perhaps", "quantified_subjects"))
def test_the_hypothesis_alone_tells_no_more_than_the_commonest_label(name: str) -> None:
    counts: dict[str, Counter[str]] = {}
    items = phenomenon(name).make_group(4, seed=7)
    for item in items:
        counts.setdefault(str(item.hypothesis), Counter())[str(item.gold["label"])] += 1
    best = sum(max(labels.values()) for labels in counts.values())
    assert best <= max(sum(counts.values(), Counter[str]()).values()) + 0.03 * len(items)


def test_a_judge_who_follows_theory_has_full_projection() -> None:
    data = phenomenon("possessed_definites_existence").make(10, seed=5)
    gold = data.frame["gold.label"].to_list()
    frame = join(data, answers(data, gold))
    estimate = projection().compute(frame)
    assert estimate is not None
    assert (estimate.value, estimate.n) == (1.0, 10 * 12)


def test_a_judge_blind_to_operators_keeps_no_pair() -> None:
    data = phenomenon("only").make(10, seed=5)
    frame = join(data, answers(data, ["entailment"] * len(data)))
    assert projection().compute(frame) is None


def test_only_the_subject_leaves_open_what_else_the_subject_did() -> None:
    for item in phenomenon("only").stream(80, seed=6):
        if item.tags["focus"] == "subject" and item.tags.get("presupposition") == "neutral":
            subject = re.search(r"[Oo]nly ((?:the [a-z]+)|[^ ]+)", item.premise)
            assert subject is not None
            assert (item.hypothesis or "").lower().startswith(subject[1].lower())


def test_beginning_and_ending_presuppose_opposite_things() -> None:
    positives = {
        str(item.tags["word"]): item.hypothesis or ""
        for item in phenomenon("aspectuals").stream(40, seed=7)
        if item.tags.get("presupposition") == "positive"
    }
    assert all(re.search(r"n't\b", positives[word]) for word in ("start", "begin"))
    assert not any(re.search(r"n't\b", positives[word]) for word in ("stop", "continue"))


def test_a_filter_holds_back_what_its_hole_lets_through() -> None:
    answers_by_operator: dict[str, str] = {}
    for item in phenomenon("filtering").make_group(0, seed=8):
        if item.tags["role"] == "target":
            operator = str(item.tags["operator"])
            answers_by_operator[operator] = (
                answers_by_operator.get(operator, "") + MARKS[str(item.gold["label"])]
            )
    held = {operator for operator, given in answers_by_operator.items() if given == "NNN"}
    assert held == {operator for operator in answers_by_operator if operator.startswith("filtered")}
    assert {
        answers_by_operator[o] for o in ("unembedded", "conjunction", "conditional", "disjunction")
    } == {"ECN"}


def test_a_plug_leaves_open_what_knowledge_does_not() -> None:
    items = phenomenon("attitudes").make_group(1, seed=9)
    by_operator = {
        operator: "".join(
            MARKS[str(i.gold["label"])] for i in items if i.tags["operator"] == operator
        )
        for operator in ("unembedded", "plug", "hole")
    }
    assert by_operator == {"unembedded": "ECNNN", "plug": "NNNN", "hole": "ECNNNE"}


def test_a_context_takes_back_what_is_implicated_or_presupposed_and_nothing_that_is_said() -> None:
    for index in range(15):
        items = phenomenon("cancellability").make_group(index, seed=10)
        counts = Counter(
            (str(i.tags["inference"]), str(i.tags["move"]), MARKS[str(i.gold["label"])])
            for i in items
            if i.tags["role"] == "target"
        )
        assert counts == {
            ("implicature", "denied", "C"): 2,
            ("implicature", "denied", "E"): 2,
            ("implicature", "doubted", "N"): 2,
            ("entailment", "denied", "C"): 2,
            ("presupposition", "denied", "C"): 1,
            ("presupposition", "cancelled", "C"): 1,
            ("presupposition", "cancelled", "E"): 1,
            ("presupposition", "rejected", "C"): 1,
            ("presupposition", "rejected", "E"): 1,
            ("presupposition", "doubted", "N"): 4,
            ("presupposition", "quoted", "N"): 2,
        }
        controls = {i.gold["label"] for i in items if i.tags["role"] == "control"}
        assert controls == set(MARKS)


def test_some_commits_to_one_and_none_to_all() -> None:
    items = phenomenon("quantified_subjects").make_group(0, seed=11)
    positive = {
        i.tags["operator"]: i.hypothesis or ""
        for i in items
        if i.tags.get("presupposition") == "positive"
    }
    assert positive["none"].startswith("All of ")
    assert positive["some"].startswith("At least one of ")


@pytest.mark.parametrize("name", ["deeds", "habits", "change_of_state"])
def test_every_verb_has_something_else_to_be_done_to(name: str) -> None:
    for row in table(name):
        alternatives = list(row.values())[-1].split(" | ")
        assert len(set(alternatives)) == len(alternatives) >= 3, row["base"]


@pytest.mark.parametrize("name", ["deeds", "habits", "change_of_state"])
def test_nothing_a_verb_is_done_to_could_be_called_by_the_name_of_another(name: str) -> None:
    # Whoever recorded the birdsong may well have recorded a song: "the song" would be no neutral
    # answer.
    for row in table(name):
        named = [noun.removeprefix("the ") for noun in list(row.values())[-1].split(" | ")]
        assert not [(a, b) for a in named for b in named if a != b and a.endswith(b)], row["base"]


@pytest.mark.parametrize(
    "name",
    [
        "aspectuals",
        "attitudes",
        "batches",
        "change_of_state",
        "deeds",
        "factives",
        "habits",
        "implicatives",
        "manners",
        "possession_facts",
        "question_verbs",
    ],
)
def test_verbs_are_inflected(name: str) -> None:
    for row in table(name):
        base, third, gerund = (row[form].split()[0] for form in ("base", "third", "gerund"))
        assert gerund.endswith("ing"), row
        assert third in ("is", "has") or third.endswith("s"), row
        assert base[0] == third[0] == gerund[0] or base == "be", row


def test_the_open_slots_are_wide_enough_for_no_verb_to_take_one_in_a_hundred() -> None:
    widths = [
        len({phrase.verb.base for phrase in phrases})
        for phrases in (
            [deed.phrase for deed in deeds()],
            habits(),
            habits("act"),
            list(manners()),
            [act.phrase for act in (*shared_acts(), *episodes(), *news())],
            [thing.fact for thing in belongings("past")],
            [thing.fact for thing in belongings("present")],
        )
    ]
    assert min(widths) >= 110
    assert len({change.phrase.verb.base for change in changes()}) >= 100


def test_a_change_of_state_presupposes_only_that_its_result_was_not_there() -> None:
    """To refill a mill it need not be empty, nor a sauce thin to be thickened, nor a bath full to
    be drained.
    """
    before = {row["base"]: row["before"] for row in table("change_of_state")}
    assert (before["refill"], before["drain"], "thicken" in before) == (
        "not full",
        "not empty",
        False,
    )
    for item in phenomenon("change_of_state").stream(800, seed=13):
        assert "not not" not in str(item.hypothesis), item.hypothesis


def test_where_theories_differ_on_a_presupposition_both_labels_are_there() -> None:
    for item in phenomenon("counterfactuals").stream(6, seed=14):
        wish, target = item.tags["form"] != "conditional", item.tags["role"] == "target"
        assert item.gold["attitude"] == ("neutral" if wish and target else item.gold["label"])
    for name, rival in (
        ("possessed_definites_uniqueness", "salient"),
        ("cleft_uniqueness", "existence"),
    ):
        for item in phenomenon(name).stream(6, seed=14):
            assert item.gold[rival] == (
                "neutral" if item.tags["role"] == "target" else item.gold["label"]
            )
    differ = {
        item.tags["operator"]
        for item in phenomenon("quantified_subjects").stream(2, seed=14)
        if item.gold["existential"] != item.gold["label"]
    }
    assert differ == {"none", "question"}


def test_only_verbs_of_answers_take_it_for_granted_that_what_is_asked_about_happened() -> None:
    """Who wonders or guesses why Ana left may be wrong in thinking that she did."""
    assert not {row["base"] for row in table("question_verbs")} & {
        "wonder",
        "ask",
        "enquire",
        "guess",
        "investigate",
    }


def test_all_who_are_at_a_place_are_counted_only_where_few_come() -> None:
    for name in ("all_n", "both"):
        for index in range(60):
            draw = phenomenon(name).draw(index, seed=15)
            assert (
                draw.cell["modifier"] == "possessive" or draw["occasion"].crowd.scene.size == "few"
            )


# What could stand for the trigger as well as for what it takes for granted: "Ana did not quit
# smoking. But I can't say whether she ever did so."
ANAPHORA = re.compile(
    r"\b(?:did|done|do) (?:so|it|that|such)\b|leaves out|been one\b|already a habit|that would"
    r" make it"
)


def test_what_denies_a_presupposition_repeats_the_verb() -> None:
    for item in phenomenon("cancellability").stream(400, seed=16):
        assert not ANAPHORA.search(item.premise), item.premise


def test_a_filter_speaks_of_a_thing_once() -> None:
    for item in phenomenon("filtering").stream(400, seed=16):
        if str(item.tags["operator"]).startswith("filtered"):
            assert len(re.findall(r"\bit\b", item.premise)) == 1, item.premise
            assert not re.search(r"\b(?:his|her)\b", item.premise), item.premise


def test_pretending_is_no_plug() -> None:
    """Many take who pretends or jokes that it is so to say that it is not."""
    assert not {row["base"] for row in table("attitudes")} & {"pretend", "joke"}
