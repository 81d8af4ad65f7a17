"""ConjNLI's printed numbers and, by fragments, the examples it prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grice.core.paper import read_printed
from grice.papers.cells import PrintedExample

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

TABLE2 = _TABLES["TABLE2"]
TABLE3 = _TABLES["TABLE3"]
TABLE6 = _TABLES["TABLE6"]
TABLE7 = _TABLES["TABLE7"]
TABLE8 = _TABLES["TABLE8"]
TABLE9 = _TABLES["TABLE9"]
SECTION34 = _TABLES["SECTION34"]
# The text names no split; 53.10 is a share of the 1,000 test pairs only, 35.15 of the 623 dev pairs only.
SECTION61 = _TABLES["SECTION61"]
SECTION65 = _TABLES["SECTION65"]
SECTION67 = _TABLES["SECTION67"]
LABELS = {"Ent": "entailment", "Neu": "neutral", "Contra": "contradiction"}
AMOUNTS = ("6k", "9k", "12k", "15k", "18k")

TABLE1_EXAMPLES = (
    PrintedExample("1", "…Worcester resident and…", "He is a member of the Democratic Party.", "entailment"),
    PrintedExample("2", "He is a member of the Democratic Party.", "…Worcester resident and…", "neutral"),
    PrintedExample("3", "…Worcester resident and…", "…Worcester resident and…Republican Party.", "contradiction"),
    PrintedExample("4", "…793880 acre, or 36 percent…", "A total of 793880 acre, was…", "entailment"),
    PrintedExample("5", "…9 minutes and 9 seconds…", "…is 9 minutes, spanning…", "contradiction"),
    PrintedExample("6", "…in 1889 or 1890.", "…Company, in 1890.", "neutral"),
    PrintedExample("7", "Fowler…all but one of the songs…", "Fowler…co-wrote all of the songs…", "contradiction"),
    PrintedExample("8", "All devices…gravity or anti-gravity.", "All devices…gravity.", "entailment"),
)
# Table 4 prints sentences, not pairs, with the categories of their conjuncts.
TABLE4_SENTENCES = {
    "NP + Adj": "…three commissioners or fewer.",
    "NP + NP, VP + VP": "…defending champions but did not compete that year.",
    "Prep + Prep": "…in or around North Staffordshire…",
    "Clause + Clause": "It is a white solid, but impure…",
    "Adj + PP": "Pantun…illiterate and in many cases blind.",
    "NP + AdvP": "A queue is an example…or more abstractly…",
}
TABLE5_EXAMPLES = (
    PrintedExample("1", "It premiered on 27 June 2016 and…", "It premiered on 28 June 2016 and…", "contradiction"),
    PrintedExample("2", "…East-West Shrine Game and…", "…North-South Shrine Game and…", "neutral"),
)
TABLE10_EXAMPLES = (
    PrintedExample("1", "In 870 or 871 he led…", "In 871 he led…", "neutral"),
    PrintedExample("2", "…rise 64 stories or 711 ft.", "…rise 711 ft.", "entailment"),
    PrintedExample("3", "…Willis Brooks was killed…", "…Willis Brooks and two others were killed…", "neutral"),
    PrintedExample("4", "…Franklin and Marshall College…", "…of Franklin College…", "neutral"),
    replace(TABLE5_EXAMPLES[0], row="5"),
)
TABLE11_EXAMPLES = (
    PrintedExample("1", "India measures…and 2933 km…", "India measures…and 2934 km…", "contradiction"),
    PrintedExample("2", "…series War and Peace.", "…series War.", "neutral"),
    PrintedExample("3", '…album "Here and Now".', '…their album "Now".', "contradiction"),
    PrintedExample("4", "3,000 people…injuries and disease.", "3,000 people…due to disease.", "contradiction"),
)
TABLE11 = _TABLES["TABLE11"]
