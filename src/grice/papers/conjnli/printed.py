"""ConjNLI's printed numbers and, by fragments, the examples it prints."""

from __future__ import annotations

from dataclasses import replace

from grice.core.paper import numbers
from grice.papers.cells import PrintedExample

TABLE2 = numbers("""
            Ent Neu Contra Total
Conj Dev  | 204 281 138 623
Conj Test | 332 467 201 1000
Conj All  | 536 748 339 1623
""")
TABLE3 = numbers("""
            and or  but multiple quant neg
Conj Dev  | 320 293 99  152      131   70
Conj Test | 537 471 135 229      175   101
Conj All  | 857 764 234 381      306   171
""")
TABLE6 = numbers("""
            CD    CT    SD    MD-matched MD-mismatched
BERT-S    | 60.03 59.40 90.85 -     -
BERT-M    | 58.10 61.40 -     84.10 83.90
RoBERTa-S | 60.99 63.50 91.87 -     -
RoBERTa-M | 64.68 65.50 -     87.56 87.51
""")
TABLE7 = numbers("""
          CD    CT    MD-matched MD-mismatched
BERT    | 58.10 61.40 84.10 83.90
RoBERTa | 64.68 65.50 87.56 87.51
AFT     | 67.57 66.40 76.61 76.68
IAFT    | 69.18 67.90 86.93 86.81
""")
TABLE8 = numbers("""
          CD    CT    MD-matched MD-mismatched
BERT    | 58.10 61.40 84.10 83.90
RoBERTa | 64.68 65.50 87.56 87.51
PA      | 64.88 66.30 87.75 87.63
IAFT    | 69.18 67.90 86.93 86.81
PA-IAFT | 68.89 67.10 87.07 86.93
""")
TABLE9 = numbers("""
          And   Or    But   Multiple All
RoBERTa | 65.36 59.87 81.48 65.93 65.60
PA      | 66.29 60.93 81.48 66.81 66.30
IAFT    | 67.59 62.20 80.00 62.88 67.90
""")
SECTION34 = numbers("""
             kappa
two experts | 0.83
""")
# The text names no split; 53.10 is a share of the 1,000 test pairs only, 35.15 of the 623 dev pairs only.
SECTION61 = numbers("""
                          CD    CT
ESIM                    | -     53.10
hypothesis-only RoBERTa | 35.15 -
""")
SECTION65 = numbers("""
            mean  total-sd independent-sd covariance
RoBERTa-M | 64.48 0.59 0.49 0.22
""")
SECTION67 = numbers("""
          boolean non-boolean
RoBERTa | 68 58
IAFT    | 72 61
PA      | 69 58
""")
LABELS = {"Ent": "entailment", "Neu": "neutral", "Contra": "contradiction"}
AMOUNTS = ("6k", "9k", "12k", "15k", "18k")

TABLE1_EXAMPLES = (
    PrintedExample("1", "…Worcester resident and…", "He is a member of the Democratic Party.", "entailment"),
    PrintedExample("2", "He is a member of the Democratic Party.", "…Worcester resident and…", "neutral"),
    PrintedExample(
        "3", "…Worcester resident and…", "…Worcester resident and…Republican Party.", "contradiction"
    ),
    PrintedExample("4", "…793880 acre, or 36 percent…", "A total of 793880 acre, was…", "entailment"),
    PrintedExample("5", "…9 minutes and 9 seconds…", "…is 9 minutes, spanning…", "contradiction"),
    PrintedExample("6", "…in 1889 or 1890.", "…Company, in 1890.", "neutral"),
    PrintedExample(
        "7", "Fowler…all but one of the songs…", "Fowler…co-wrote all of the songs…", "contradiction"
    ),
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
    PrintedExample(
        "1", "It premiered on 27 June 2016 and…", "It premiered on 28 June 2016 and…", "contradiction"
    ),
    PrintedExample("2", "…East-West Shrine Game and…", "…North-South Shrine Game and…", "neutral"),
)
TABLE10_EXAMPLES = (
    PrintedExample("1", "In 870 or 871 he led…", "In 871 he led…", "neutral"),
    PrintedExample("2", "…rise 64 stories or 711 ft.", "…rise 711 ft.", "entailment"),
    PrintedExample(
        "3", "…Willis Brooks was killed…", "…Willis Brooks and two others were killed…", "neutral"
    ),
    PrintedExample("4", "…Franklin and Marshall College…", "…of Franklin College…", "neutral"),
    replace(TABLE5_EXAMPLES[0], row="5"),
)
TABLE11_EXAMPLES = (
    PrintedExample("1", "India measures…and 2933 km…", "India measures…and 2934 km…", "contradiction"),
    PrintedExample("2", "…series War and Peace.", "…series War.", "neutral"),
    PrintedExample("3", '…album "Here and Now".', '…their album "Now".', "contradiction"),
    PrintedExample(
        "4", "3,000 people…injuries and disease.", "3,000 people…due to disease.", "contradiction"
    ),
)
TABLE11 = numbers("""
    RoBERTa PA IAFT PA-IAFT
1 | 0 1 1 1
2 | 0 0 1 1
3 | 0 0 0 1
4 | 0 0 0 0
""")
