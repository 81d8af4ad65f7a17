"""Negation and complements, from trees made by hand."""

from __future__ import annotations

import pytest
from tests.mining.trees import ASKED, DECLINED, HAS, KNEW, sentence

from grice.core.files import data_folder
from grice.core.words import read_rows
from grice.mining._clauses import complement_sentence
from grice.mining._constructions import constructions
from grice.mining._english import inflect
from grice.mining._negation import negate
from grice.mining.pairers.complements import complements
from grice.mining.pairs import MinedPair, Skip
from grice.mining.parse import Sentence
from grice.mining.parsers import load_parser


@pytest.mark.parametrize(
    ("parsed", "negated", "complement"),
    [
        (DECLINED, "Nike did not decline to be a sponsor.", "Nike was a sponsor."),
        (KNEW, "He did not know that the answer changed.", "The answer changed."),
        (ASKED, "She did not ask him to leave early.", "He left early."),
        (HAS, "They have not agreed to sing and dance.", "They have sung and danced."),
    ],
)
def test_the_verb_is_negated_and_the_complement_stands_alone(
    parsed: Sentence, negated: str, complement: str
) -> None:
    (one,) = constructions(parsed)
    assert negate(parsed, one) == negated
    assert complement_sentence(parsed, one) == complement


def test_contractions_come_on_request() -> None:
    (one,) = constructions(HAS)
    assert negate(HAS, one, contracted=True) == "They haven't agreed to sing and dance."


@pytest.mark.parametrize(
    ("adverb", "negated"),
    [("always", "We did not always hope to win."), ("also", "We also did not hope to win.")],
)
def test_adverbs_keep_the_place_their_sense_asks_for(adverb: str, negated: str) -> None:
    parsed = sentence(
        "We PRP 3 nsubj",
        f"{adverb} RB 3 advmod",
        "hoped VBD 0 root hope",
        "to TO 5 mark",
        "win VB 3 xcomp",
        ". . 3 punct",
    )
    (one,) = constructions(parsed)
    assert negate(parsed, one) == negated


def test_modals_and_copulas_take_not_themselves() -> None:
    modal = sentence(
        "I PRP 3 nsubj",
        "can MD 3 aux",
        "promise VB 0 root",
        "to TO 5 mark",
        "wait VB 3 xcomp",
        ". . 3 punct",
    )
    (one,) = constructions(modal)
    assert negate(modal, one) == "I cannot promise to wait."
    assert complement_sentence(modal, one) == "I can wait."


def test_both_pairs_carry_what_the_signature_expects() -> None:
    first, second = (one for one in complements(DECLINED) if isinstance(one, MinedPair))
    assert (first.gold, second.gold) == ({"signature": "contradiction"}, {"signature": "neutral"})
    assert first.tags["construction"] == "decline to" and first.tags["signature"] == "-/o"
    assert (first.premise, second.premise) == (
        DECLINED.text,
        "Nike did not decline to be a sponsor.",
    )
    assert first.hypothesis == second.hypothesis and first.group == second.group


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (
            [
                "He PRP 3 nsubj",
                "never RB 3 advmod",
                "tried VBD 0 root try",
                "to TO 5 mark",
                "win VB 3 xcomp",
                ". . 3 punct",
            ],
            "explicit negation",
        ),
        (
            [
                "It PRP 3 nsubj",
                "is VBZ 3 aux:pass be",
                "expected VBN 0 root expect",
                "to TO 5 mark",
                "rain VB 3 xcomp",
                ". . 3 punct",
            ],
            "passive",
        ),
        (
            [
                "Try VB 0 root",
                "to TO 3 mark",
                "win VB 1 xcomp",
                "if IN 6 mark",
                "you PRP 6 nsubj",
                "can VBP 3 advcl",
                ". . 1 punct",
            ],
            "conditional",
        ),
    ],
)
def test_what_the_paper_leaves_out_is_left_out_with_the_reason(
    rows: list[str], reason: str
) -> None:
    assert complements(sentence(*rows)) == [Skip(reason)]


def test_an_embedded_verb_gives_no_pair() -> None:
    parsed = sentence(
        "Those DT 5 nsubj",
        "who WP 3 nsubj",
        "try VBP 1 acl:relcl",
        "to TO 5 mark",
        "win VB 3 xcomp",
        "often RB 7 advmod",
        "lose VBP 0 root",
        ". . 7 punct",
    )
    assert complements(parsed) == [Skip("not the main verb")]


def test_a_subjunctive_gets_the_tense_of_its_verb() -> None:
    parsed = sentence(
        "She PRP 2 nsubj",
        "demanded VBD 0 root demand",
        "that IN 6 mark",
        "the DT 5 det",
        "man NN 6 nsubj",
        "leave VB 2 ccomp",
        ". . 2 punct",
    )
    (one,) = constructions(parsed)
    assert complement_sentence(parsed, one) == "The man left."


def test_a_bare_verb_that_was_taken_for_a_plural_gives_no_pair() -> None:
    parsed = sentence(
        "She PRP 2 nsubj",
        "insisted VBD 0 root insist",
        "that IN 5 mark",
        "Ann NNP 5 nsubj",
        "remain VBP 2 ccomp",
        "captain NN 5 xcomp",
        ". . 2 punct",
    )
    assert complements(parsed) == [Skip("no agreement")]


def test_the_noun_claim_is_no_verb() -> None:
    parsed = sentence(
        "The DT 2 det",
        "claim NN 7 nsubj",
        "that IN 5 mark",
        "it PRP 5 nsubj",
        "rained VBD 2 acl rain",
        "was VBD 7 cop be",
        "false JJ 0 root",
        ". . 7 punct",
    )
    assert list(constructions(parsed)) == []


@pytest.mark.parametrize(
    ("text", "complement"),
    [
        (
            "The mechanic determined that the car had been totaled, citing a cracked block.",
            "The car had been totaled.",
        ),
        ("He said that it rained, and that the road was wet.", "It rained."),
        (
            "Healey insisted that it has to be apocrypha, it was important.",
            "It has to be apocrypha.",
        ),
        ("They refuse to tell us anything at all/", "They tell us anything at all."),
        (
            "The guide says that the best beaches are at Luce, Trinit??, and Carbet.",
            "The best beaches are at Luce, Trinit??, and Carbet.",
        ),
        ("She 'happened to be near the door'.", "She ' was near the door'."),
    ],
)
def test_a_complement_ends_where_the_main_clause_goes_on(text: str, complement: str) -> None:
    parsed = load_parser().parse_one(text)
    assert complement in [complement_sentence(parsed, one) for one in constructions(parsed)]


@pytest.mark.parametrize("text", ["He still holds that office.", "You find that hard to accept."])
def test_a_demonstrative_opens_no_complement(text: str) -> None:
    assert not [
        one for one in complements(load_parser().parse_one(text)) if isinstance(one, MinedPair)
    ]


def test_a_verb_for_which_the_parser_finds_no_lemma_stops_nothing() -> None:
    assert inflect("", "VBD") == ""


@pytest.mark.parametrize(
    "text",
    [
        "He was told that she had won.",
        "She did not say that it rained, and he hoped to leave.",
        "He tried to open the door",
    ],
)
def test_unlabelled_pairs_are_made_of_every_verb_and_clause(text: str) -> None:
    outcome = complements(load_parser().parse_one(text), unlabelled=True)
    pairs = [pair for pair in outcome if isinstance(pair, MinedPair)]
    assert {pair.tags["environment"] for pair in pairs} == {"positive", "negative"}
    assert [pair.gold for pair in pairs] == [{}] * len(pairs)


@pytest.mark.published
def test_the_papers_sentences_give_both_unlabelled_pairs() -> None:
    path = data_folder() / "veridicality" / "verb_veridicality_evaluation.tsv"
    if not path.is_file():
        pytest.skip("needs veridicality in GRICE_DATA")
    header, *rows = read_rows(path)[:200]
    texts = [row[header.index("sentence")] for row in rows]
    both = 0
    for row, parsed in zip(rows, load_parser().parse(texts), strict=True):
        outcome = complements(parsed, longest=1000, unlabelled=True)
        pairs = [pair for pair in outcome if isinstance(pair, MinedPair)]
        of_task = [p for p in pairs if p.tags["complement"] == row[header.index("task")]]
        both += len({p.tags["environment"] for p in of_task}) == 2
    assert both >= 0.95 * len(rows)
