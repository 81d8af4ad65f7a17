"""What a mined pair is based on: listed verbs, the parser's certainty, readings, sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools.confidence import READINGS

from grice.core.errors import InputError
from grice.mining.confidence import confidence, features
from grice.mining.fitting import read_readings
from grice.mining.pairers.complements import complements
from grice.mining.pairs import MinedPair, Skip
from grice.mining.parsers import load_parser
from grice.mining.sampling import write_review_sample
from grice.mining.sources import unfit_reason, unfit_text
from grice.mining.transformer import TransformerParser
from grice.theory.conjuncts import replaced_label
from grice.theory.signature import SIGNATURES, american_spelling, extended_lexicon
from grice.verbs.mine import mine


def made(text: str) -> dict[str, tuple[str, str]]:
    """Environment to hypothesis and label of every pair of a sentence."""
    found = (
        one for one in complements(load_parser().parse_one(text)) if isinstance(one, MinedPair)
    )
    return {str(p.tags["environment"]): (p.hypothesis, p.gold["signature"]) for p in found}


def reasons(text: str) -> set[str]:
    return {
        one.reason for one in complements(load_parser().parse_one(text)) if isinstance(one, Skip)
    }


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("He said that it rained and the road was wet.", "It rained and the road was wet."),
        ("He believed that the road was wet, but she disagreed.", "The road was wet."),
        ("She said that the half-hour ride was over.", "The half-hour ride was over."),
    ],
)
def test_a_that_clause_ends_where_another_begins(text: str, hypothesis: str) -> None:
    assert made(text)["positive"][0] == hypothesis


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("He realised that it rained.", {"positive": "entailment", "negative": "entailment"}),
        ("She had to leave the house.", {"positive": "entailment", "negative": "neutral"}),
        ("She has to leave the house.", {"positive": "neutral", "negative": "neutral"}),
        (
            "The storm turned out to be mild.",
            {"positive": "entailment", "negative": "contradiction"},
        ),
        ("She guaranteed that he would win.", {"positive": "entailment", "negative": "neutral"}),
        ("They forced him to leave the house.", {"positive": "entailment", "negative": "neutral"}),
        ("The firm ceased to exist.", {"positive": "contradiction", "negative": "entailment"}),
        ("The firm continued to grow.", {"positive": "entailment"}),
    ],
)
def test_a_verb_has_the_label_of_its_frame_tense_and_spelling(
    text: str, labels: dict[str, str]
) -> None:
    assert {environment: label for environment, (_, label) in made(text).items()} == labels


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("People turned out on Sunday to pay tribute.", ""),
        ("She stopped to rest by the river.", ""),
        ("Costs may well seem to be high.", "an idiom"),
        ("She tends to win her games.", "readers differ on the verb"),
        ("She has merely learned that it rained.", "a focus adverb"),
        ("He had only to ask for the key.", "a focus adverb"),
        ("I think that probably was the reason.", "that is no conjunction"),
        ("She failed to find any help in the town.", "a polarity item"),
        ("The team failed to score a single goal.", "a polarity item"),
        ("He failed to explain the plan, leaving many angry.", "a clause of either verb"),
        ("The report claimed that the bridge was old: it had cracks.", "a clause of either verb"),
        ("The rebels have refused to accepted the offer.", ""),
        (
            "The bank will realize that it is a servant, and change its ways.",
            "a verb of two clauses",
        ),
        ("I saw that she was cross so I smiled at her.", "a verb of two clauses"),
        ("She has yet to see the house.", "an idiom"),
        ("He could tell by her face that it rained.", "an idiom"),
        ("The talks in the north--never easy--continued to fail.", ""),
        ("My wife want to see the town.", "no agreement"),
        (
            "I think that there is some trouble between the men and how they see it.",
            "a question inside",
        ),
        ("He announced that he had seen the house and would buy it soon.", "a verb of two clauses"),
        ("The best the town has to offer in the evening.", ""),
        ("The firm states that it has no debts - and you were right to buy it.", ""),
        ("It may seem sensible to ditch the plan.", ""),
        ("The king demanded that the man show the spot and prove that it was his.", ""),
    ],
)
def test_what_is_no_complement_or_has_no_clear_label_gives_no_pair(text: str, reason: str) -> None:
    assert made(text) == {} and (not reason or reason in reasons(text))


def test_a_dream_takes_away_what_the_verb_says() -> None:
    assert made("In my dream I found that the house was empty.") == {}


def signs(text: str, environment: str) -> set[str]:
    """What confidence is told of the pairs of a sentence."""
    found = (
        one for one in complements(load_parser().parse_one(text)) if isinstance(one, MinedPair)
    )
    return {
        rule for pair in found if pair.tags["environment"] == environment for rule in pair.rules
    }


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I have to admit that the road was wet.", "what is said is done"),
        ("The committee wishes to thank the judge.", "what is said is done"),
        ("They often fail to win their games.", "an adverb of the verb"),
        ("They told me to see the film, and I did.", "what is said is done"),
        ("She found that the shop was closed and went home.", "a verb of two clauses"),
        ("He said that it rained, and that the road was wet.", "a verb of two clauses"),
        ("He learned that the house was sold and the boat burned.", "a verb of two clauses"),
        ("Firemen are desperately trying to stop the flames.", "an adverb of the verb"),
        ("She asked Ann, the cook, to leave.", "words between"),
    ],
)
def test_where_the_complement_may_end_otherwise_is_a_sign(text: str, sign: str) -> None:
    assert f"unclear {sign}" in signs(text, "positive")


@pytest.mark.parametrize(("text", "sign"), [])
def test_what_a_negation_does_not_go_with_is_a_sign_of_the_negative_pair_alone(
    text: str, sign: str
) -> None:
    assert f"clash {sign}" in signs(text, "negative")
    assert not any(rule.startswith("clash") for rule in signs(text, "positive"))


@pytest.mark.parametrize(
    "text",
    [
        "Some farmers managed to sell their land.",
        "He had already begun to leave the town.",
        "To save the plan, the team decided to build a wall.",
        "Fortunately, the firm managed to sell its shares.",
        "The mayor acknowledged that the plan had failed.",
    ],
)
def test_what_has_no_negation_gives_no_negative_pair(text: str) -> None:
    assert "negative" not in made(text)


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("I want to speak and lay out a plan.", "I speak and lay out a plan."),
        (
            "He suggested that rain and wind have worn the stone.",
            "Rain and wind have worn the stone.",
        ),
        ("I ask all of you to help me.", "All of you help me."),
    ],
)
def test_the_verb_of_a_complement_has_its_form(text: str, hypothesis: str) -> None:
    assert made(text)["positive"][0] == hypothesis


def test_under_a_modal_a_clause_that_is_not_known_follows_no_more() -> None:
    assert set(made("The study might show that it rained.")) == {"negative"}
    assert made("He might know that it rained.")["positive"] == ("It rained.", "entailment")


def test_a_name_like_a_modal_is_not_negated() -> None:
    found = [
        p
        for p in complements(load_parser().parse_one("Mrs May has struggled to win."))
        if isinstance(p, MinedPair)
    ]
    assert all("May not" not in p.premise for p in found)


def test_the_extended_list_names_its_sources_and_known_signatures() -> None:
    for (verb, frame), entry in extended_lexicon().items():
        signs = entry.signature.split("/")
        assert frame in ("to", "that", "NP to") and len(signs) == 2 and set(signs) <= set("+-o?"), (
            verb
        )
        assert entry.source in ("published", "megaveridicality", "karttunen", "kiparsky", "own")
        assert "?" in entry.signature or entry.signature in SIGNATURES
    assert (
        american_spelling("recognise") == "recognize" and american_spelling("promise") == "promise"
    )


def test_one_rule_labels_a_replaced_conjunct() -> None:
    assert replaced_label("other") == "neutral" and replaced_label("count") == "contradiction"
    assert replaced_label("opposite", exclusive=False) == "neutral"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('He left the house," she said.', "half a quotation"),
        ("She said <br> that it rained.", "markup or broken characters"),
        ("Yeah, she said that it rained.", "talk"),
        ("I think that i dont want to stay.", "typed in haste"),
        ("She thinks that it rained.Then she left.", "typed in haste"),
        ("He met the now Maj.", "a sentence broken off"),
        ("He argued that the claim was open, see 35 U. S. C.", "a sentence broken off"),
        ("Hi, I hope to hear from you.", "talk"),
        ("Mr-HILL: I began to play again.", "markup or broken characters"),
        ("I think that, wh-, it rained here.", "markup or broken characters"),
        ("B: I think that it rained.", "markup or broken characters"),
        ('She found that the books " " are good.', "markup or broken characters"),
        ("Proud and glad to be with those who had won.", "a fragment"),
        ("And knew that the storm had been hard.", "no subject"),
        ("Because I wanted to vote.", "a subordinate clause alone"),
        ("Go and see the doctor who wanted to help.", ""),
        ("MINISTER SAYS THAT TAXES WILL FALL.", "a headline"),
        ("Training   She said that it rained.", "a gap inside"),
        ("The park ' in the north ' is said to be old.", "half a quotation"),
        ("The workers' union said that it rained.", ""),
        ('"It rained," she said, and left.', ""),
    ],
)
def test_what_is_no_sentence_is_skipped_with_its_reason(text: str, reason: str) -> None:
    assert unfit_reason(load_parser().parse_one(text), 40) == reason
    parsed = ("talk", "a headline", "a fragment", "no subject", "a subordinate clause alone")
    assert unfit_text(text, 40) == (reason if reason not in parsed else "")


def test_what_is_no_sentence_by_its_text_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(
        f"Chapter 4: to be or not\nShe said that {'very ' * 40}much rain fell.\n", encoding="utf-8"
    )
    monkeypatch.setattr(TransformerParser, "trees", lambda _, words: [None] * len(words))
    counts = mine("complements", corpus, out=tmp_path / "a.jsonl")
    assert counts["skipped: no end of a sentence"] == counts["skipped: more than 40 words"] == 1
    assert "skipped: more words than the parser takes" not in counts


def pair(sure: float, *signs: str) -> MinedPair:
    rules = ("and removed by boolean", "category N", *signs)
    return MinedPair("P.", "H.", {"heuristic": "entailment"}, {}, "k", sure=sure, rules=rules)


def test_confidence_falls_with_the_parsers_doubt_and_with_rules_that_readers_found_wrong() -> None:
    assert confidence("conjuncts", pair(0.99)) > confidence("conjuncts", pair(0.7))
    assert (
        confidence("conjuncts", pair(0.99, "doubt set_phrase"))
        < confidence("conjuncts", pair(0.99)) - 0.05
    )
    assert confidence("unheard of", pair(0.5)) == 0.5


def test_the_readings_behind_the_weights_are_complete() -> None:
    readings = read_readings(READINGS).pairs
    assert {reading.kind for reading in readings} == {"complements", "conjuncts", "swaps"} and len(
        readings
    ) > 600
    assert features(pair(0.99)) == ("and removed by boolean", "category N", "sure 0.98")
    assert "\n".join(reading.to_line() for reading in readings) in READINGS.read_text(
        encoding="utf-8"
    )


def test_unlisted_verbs_are_left_out_and_counted_unless_asked_for(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(
        "The cook itched to leave the ship. He refused to stay there.\n", encoding="utf-8"
    )
    counts = mine("complements", corpus, out=tmp_path / "a.jsonl", keep=0)
    more = mine("complements", corpus, out=tmp_path / "b.jsonl", keep=0, unlisted=True)
    assert counts["left out: unlisted"] == 2 and more["written"] == counts["written"] + 2
    tags = [
        json.loads(line)["tags"]
        for line in (tmp_path / "b.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert {t["evidence"] for t in tags} == {"listed", "unlisted"} and all(
        0 < float(t["confidence"]) < 1 for t in tags
    )


def test_keep_leaves_out_what_is_less_likely_right_and_counts_it(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(
        "The coach won a cup, and the band, which was loud, rose.\nAna and Ben came home.\n",
        encoding="utf-8",
    )
    every = mine("conjuncts", corpus, out=tmp_path / "a.jsonl", keep=0)
    rows = [
        json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    best = max(float(row["tags"]["confidence"]) for row in rows) - 0.001
    likely = mine("conjuncts", corpus, out=tmp_path / "b.jsonl", keep=best)
    assert (
        likely["written"] + likely[f"left out: confidence below {best:g}"]
        == every["written"]
        > likely["written"]
        > 0
    )
    with pytest.raises(InputError, match="keep=1"):
        mine("conjuncts", corpus, out=tmp_path / "c.jsonl", keep=1)


def test_the_most_doubtful_pairs_come_first_for_review(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    rows = [{"id": str(n), "tags": {"confidence": f"0.{n}"}} for n in (7, 3, 9, 5)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    sample = write_review_sample(path, 2, 0)
    assert [json.loads(line)["id"] for line in sample.read_text(encoding="utf-8").splitlines()] == [
        "3",
        "5",
    ]
