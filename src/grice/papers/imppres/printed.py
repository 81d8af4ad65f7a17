"""The numbers IMPPRES prints, row by row, and which rows it labels wrongly."""

from __future__ import annotations

from grice.core.paper import numbers

MODELS = ("BERT", "BOW", "InferSent")

FIGURE_2 = numbers("""
    BERT BOW InferSent
    connectives, negation | 0.99 0.32 0.55
    connectives, opposite | 0.99 0.47 0.87
    determiners, negation | 1 0.52 1
    determiners, opposite | 1 0.56 0.91
    gradable adjectives, negation | 1 0.59 0.89
    gradable adjectives, opposite | 1 0.59 0.92
    gradable verbs, negation | 1 0.36 0.46
    gradable verbs, opposite | 0.91 0.2 0
    modals, negation | 0.98 0.28 0.52
    modals, opposite | 0.76 0.3 0.72
    numerals, negation | 0.95 0.65 0.55
    numerals, opposite | 1 0.8 0.85
""")
# The plotting code sorts labels with "Determiners" second, but its table calls them "quantifiers", sorted last.
FIGURE_2_SETS = {
    "connectives": "connectives",
    "determiners": "gradable adjectives",
    "gradable adjectives": "gradable verbs",
    "gradable verbs": "modals",
    "modals": "numerals",
    "numerals": "determiners",
}

FIGURE_3 = numbers("""
    BERT BOW InferSent
    connectives, logical | 0.33 0.35 0.26
    connectives, pragmatic | 0.083 0.38 0.38
    determiners, logical | 0.36 0.19 0.31
    determiners, pragmatic | 0.55 0.61 0.43
    gradable adjectives, logical | 0.34 0.18 0.33
    gradable adjectives, pragmatic | 0.022 0.51 0.015
    gradable verbs, logical | 0.46 0.15 0.33
    gradable verbs, pragmatic | 0.056 0.54 0.075
    modals, logical | 0.22 0.17 0.18
    modals, pragmatic | 0.28 0.39 0.32
    numerals, logical | 0.098 0.3 0.23
    numerals, pragmatic | 0.74 0.36 0.28
""")

FIGURE_5 = numbers("""
    BERT BOW InferSent
    conditional | 0.61 0.22 0.013
    interrogative | 0.8 0.24 0.0044
    modal | 0.82 0.17 0
    negated | 1 0.28 0.32
""")

FIGURE_6 = numbers("""
    BERT BOW InferSent
    All N | 0.27 0.74 0.67
    Both | 0 0.86 0.55
    Change of state | 0.13 0.65 0.55
    Cleft existence | 1 0.9 0.96
    Cleft uniqueness | 0.04 0.95 0.99
    Only | 1 0.78 0.91
    Possess. existence | 1 0.78 0.88
    Possess. uniqueness | 0 0.66 0.01
    Question | 0.86 0.56 0.78
""")
FIGURE_6_SETS = {
    "All N": "all_n_presupposition",
    "Both": "both_presupposition",
    "Change of state": "change_of_state",
    "Cleft existence": "cleft_existence",
    "Cleft uniqueness": "cleft_uniqueness",
    "Only": "only_presupposition",
    "Possess. existence": "possessed_definites_existence",
    "Possess. uniqueness": "possessed_definites_uniqueness",
    "Question": "question_presupposition",
}

FIGURE_7 = numbers("""
    BERT BOW InferSent
    conditional, negated | 0.94 0.35 0.88
    conditional, neutral | 0.17 0.17 0.5
    conditional, positive | 0.94 0.94 0.5
    interrogative, negated | 0.95 0.36 0.67
    interrogative, neutral | 0.17 0.16 0
    interrogative, positive | 0.81 0.92 0.33
    modal, negated | 0.96 0.35 0
    modal, neutral | 0.15 0.075 0
    modal, positive | 0.8 0.99 0
    negated, negated | 0.93 0.52 0.19
    negated, neutral | 0.2 0.078 0.06
    negated, positive | 0.94 1 0.43
""")

FIGURE_8 = numbers("""
    BERT BOW InferSent
    excellent/good, logical | 1 0.69 1
    excellent/good, pragmatic | 0 0.25 0
    good/excellent, logical | 0.033 0.12 0
    good/excellent, pragmatic | 0 0.27 0.086
    good/not excellent, logical | 0 0.098 0
    good/not excellent, pragmatic | 0 0.031 0
    not excellent/good, logical | 0 0.034 0
    not excellent/good, pragmatic | 0.013 0.85 0.0066
    not excellent/not good, logical | 0 0.01 0
    not excellent/not good, pragmatic | 0 0.88 0
    not good/not excellent, logical | 1 0.11 1
    not good/not excellent, pragmatic | 0 0.79 0
""")

FIGURE_9 = numbers("""
    BERT BOW InferSent
    A and B/A or B, logical | 1 0.77 1
    A and B/A or B, pragmatic | 0 0.05 0
    A or B/A and B, logical | 0 0.36 0
    A or B/A and B, pragmatic | 0 0.06 0.01
    A or B/not both A and B, logical | 0 0.32 0.01
    A or B/not both A and B, pragmatic | 0.01 0.35 0.6
    neither A nor B/not both A and B, logical | 1 0.46 0.57
    neither A nor B/not both A and B, pragmatic | 0 0.12 0.43
    not both A and B/A or B, logical | 0 0.17 0
    not both A and B/A or B, pragmatic | 0.04 0.79 0.69
    not both A and B/neither A nor B, logical | 0 0.01 0
    not both A and B/neither A nor B, pragmatic | 0 0.93 0.55
""")

FIGURE_10 = numbers("""
    BERT BOW InferSent
    all/some, logical | 0 0.85 1
    all/some, pragmatic | 0.76 0.02 0
    none/not all, logical | 1 0.12 0.84
    none/not all, pragmatic | 0 0.83 0.16
    not all/none, logical | 0.15 0 0
    not all/none, pragmatic | 0.56 0.99 0.4
    not all/some, logical | 0.65 0.11 0
    not all/some, pragmatic | 0.34 0.89 0.86
    some/all, logical | 0.01 0.04 0
    some/all, pragmatic | 0.99 0.89 0.83
    some/not all, logical | 0.33 0.02 0
    some/not all, pragmatic | 0.67 0.03 0.33
""")

FIGURE_11 = numbers("""
    BERT BOW InferSent
    can/have to, logical | 0.37 0.11 0
    can/have to, pragmatic | 0.41 0.17 0
    can/not have to, logical | 0.12 0.01 0
    can/not have to, pragmatic | 0.08 0.05 0.07
    cannot/not have to, logical | 0.48 0.07 0.11
    cannot/not have to, pragmatic | 0.31 0.91 0.89
    have to/can, logical | 0.3 0.83 1
    have to/can, pragmatic | 0.22 0.14 0
    not have to/can, logical | 0.03 0.02 0
    not have to/can, pragmatic | 0.4 0.88 0.17
    not have to/cannot, logical | 0.01 0.01 0
    not have to/cannot, pragmatic | 0.25 0.19 0.79
""")

FIGURE_12 = numbers("""
    BERT BOW InferSent
    10/100, logical | 0.02 0.14 0
    10/100, pragmatic | 0.97 0.48 0.26
    10/not 100, logical | 0 0.18 0
    10/not 100, pragmatic | 1 0.065 0.3
    100/10, logical | 0 0.56 0.53
    100/10, pragmatic | 1 0.14 0.47
    not 10/not 100, logical | 0 0.52 0.84
    not 10/not 100, pragmatic | 1 0.39 0.15
    not 100/10, logical | 0.11 0.095 0
    not 100/10, pragmatic | 0.48 0.49 0.28
    not 100/not 10, logical | 0.46 0.32 0.01
    not 100/not 10, pragmatic | 0 0.57 0.22
""")
# The numerals' relation names (no_impl_NtoP …) sort differently from the other sets', the labels did not follow.
FIGURE_12_CONDITIONS = {
    "10/100": "not 100/not 10",
    "10/not 100": "10/100",
    "100/10": "100/10",
    "not 10/not 100": "not 10/not 100",
    "not 100/10": "10/not 100",
    "not 100/not 10": "not 100/10",
}

# Row 10 is printed "sprint/run" a second time, where run/sprint stands in the list of conditions.
ROW_10 = "sprint/run (row 10), pragmatic"
FIGURE_13 = numbers(f"""
    BERT BOW InferSent
    not run/not sprint, logical | 0.99 0.028 1
    not run/not sprint, pragmatic | 0 0.94 0
    not sprint/not run, logical | 0.095 0.019 0
    not sprint/not run, pragmatic | 0 0.95 0
    not sprint/run, logical | 0.019 0.065 0
    not sprint/run, pragmatic | 0.33 0.77 0.32
    run/not sprint, logical | 0.33 0.0088 0
    run/not sprint, pragmatic | 0 0 0.069
    run/sprint, logical | 0.32 0.13 0
    {ROW_10} | 0.0095 0.31 0.057
    sprint/run, logical | 1 0.65 1
    sprint/run, pragmatic | 0 0.27 0
""")
