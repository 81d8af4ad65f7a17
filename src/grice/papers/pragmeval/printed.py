"""PragmEval's printed numbers, the sizes of its release, and how its tasks make the columns of its tables."""

from __future__ import annotations

from grice.core.paper import numbers
from grice.papers.cells import PrintedExample

# Table 2's columns; where a corpus has several tasks the column is their mean.
COLUMNS: dict[str, tuple[str, ...]] = {
    "PDTB": ("PDTB",),
    "STAC": ("STAC",),
    "GUM": ("GUM",),
    "Emergent": ("Emergent",),
    "SwitchBoard": ("SwitchBoard",),
    "MRDA": ("MRDA",),
    "Persuasion": tuple(f"Persuasiveness-{x}" for x in ("Eloquence", "Relevance", "Specificity", "Strength")),
    "Sarcasm": ("Sarcasm",),
    "Squinky": ("Squinky-Informativeness", "Squinky-Implicature", "Squinky-Formality"),
    "Verifiability": ("Verifiability",),
    "EmoBank": ("EmoBank-Valence", "EmoBank-Arousal", "EmoBank-Dominance"),
}
# "All scores are accuracy scores except SwitchBoard/MRDA, which are macro-F1 scores."
BY_F1 = ("SwitchBoard", "MRDA")
SINGLE = ("SwitchBoard", "MRDA", "Squinky", "Verifiability", "EmoBank")
PAIRS = tuple(column for column in COLUMNS if column not in SINGLE)

TABLE2 = numbers("""
                    PDTB STAC GUM  Emergent SwitchBoard MRDA Persuasion Sarcasm Squinky Verifiability EmoBank
CBoW              | 27.4 32   20.5 59.7     3.8         0.7  70.6       61.1    75.5    74.0          64.0
BiLSTM            | 25.9 27.7 18.5 45.6     3.7         0.7  62.6       63.1    72.1    74.0          63.5
BiLSTM+ELMo       | 27.5 33.5 18.9 55.2     3.7         0.7  67.4       68.9    82.5    74.0          66.9
Previous work     | 48.2 -    -    73.1     -           -    -          -       -       81.1          -
BERT              | 48.8 48.2 40.9 79.2     38.8        22.3 74.8       77.1    87.5    86.7          76.2
BERT+MNLI         | 49.1 49.1 42.8 81.2     38.1        22.7 71.7       73.4    88.2    86.0          76.3
BERT+PragmEval    | 49.1 57.1 42.8 80.2     40.3        23.1 76.2       75.0    87.6    85.9          76.0
BERT+DisSent      | 49.4 49.0 43.9 79.8     39.2        22.0 74.7       74.9    87.5    85.9          76.2
B+DisSent+MNLI    | 49.6 49.2 44.2 80.9     39.8        22.1 74.0       74.1    87.6    85.6          76.4
BERT+Discovery    | 50.7 49.5 42.7 81.7     39.5        22.4 71.6       76.7    88.6    86.3          76.6
B+Discovery+MNLI  | 51.3 49.4 43.1 80.7     40.3        22.2 73.6       75.1    88.9    86.8          76.0
Human estimate    | 84.0 -    69.3 -        -           -    -          80.0    -       87.0          73.1
""")
TABLE3 = numbers("""
                    PragmEval-AVG Pairs-AVG Single-AVG GLUE-AVG GLUE-diagnostics
BERT              | 61.8 57.9 62.3 74.7 31.7
BERT+MNLI         | 61.7 57.2 62.2 77.0 32.5
BERT+PragmEval    | 63.0 60.0 62.6 75.3 31.6
BERT+DisSent      | 62.0 58.4 62.2 75.1 31.5
B+DisSent+MNLI    | 62.1 58.2 62.3 76.6 32.4
BERT+Discovery    | 62.4 58.2 62.7 75.0 31.3
B+Discovery+MNLI  | 62.5 58.5 62.8 76.6 33.3
""")
# The half-widths printed after ± in Table 3, in the same order.
TABLE3_SPREAD = numbers("""
                    PragmEval-AVG± Pairs-AVG± Single-AVG± GLUE-AVG± GLUE-diagnostics±
BERT              | .4 .5 .3 .2 .3
BERT+MNLI         | .5 .5 .4 .2 .6
BERT+PragmEval    | .4 .4 .2 .2 .3
BERT+DisSent      | .4 .4 .3 .2 .3
B+DisSent+MNLI    | .4 .4 .2 .1 .0
BERT+Discovery    | .3 .4 .3 .2 .2
B+Discovery+MNLI  | .4 .5 .3 .2 .2
""")
TABLE4 = numbers("""
                    Persuasiveness-Eloquence Persuasiveness-Relevance Persuasiveness-Specificity Persuasiveness-Strength EmoBank-Valence EmoBank-Arousal EmoBank-Dominance Squinky-Informativeness Squinky-Implicature Squinky-Formality
BERT              | 75.6 63.5 81.6 78.3 87.1 72.0 69.5 92.2 72.1 98.3
BERT+MNLI         | 74.7 57.5 82.3 72.2 86.6 72.4 69.9 92.5 73.9 98.1
BERT+PragmEval    | 75.6 64.0 83.2 82.0 86.8 71.9 69.2 92.3 71.8 98.6
BERT+DisSent      | 73.8 63.0 82.6 79.5 87.1 71.4 70.1 92.6 72.0 97.7
B+DisSent+MNLI    | 76.9 61.5 83.9 73.9 87.6 72.1 69.4 91.5 73.4 97.9
BERT+Discovery    | 76.0 59.1 80.1 71.4 86.8 72.6 70.5 93.2 74.2 98.5
B+Discovery+MNLI  | 74.1 60.4 79.4 80.4 86.4 72.1 69.6 93.1 75.3 98.4
Human estimate    | - - - - 74.9 73.8 70.5 - - -
""")
# Class by class; the support stands in the last column.
TABLE5 = numbers("""
                                   BERT BERT+MNLI BERT+DisSent BERT+Discovery BERT+PragmEval Support
GUM.no_relation                  | 48.9 51.0 46.0 45.4 43.3 48
GUM.circumstance                 | 77.1 80.6 73.2 77.8 74.6 35
GUM.elaboration                  | 41.5 38.5 40.0 46.1 42.9 32
STAC.no_relation                 | 59.9 63.8 55.4 61.3 46.9 117
STAC.Comment                     | 77.8 76.1 74.9 78.6 54.4 115
STAC.Question_answer_pair        | 79.1 80.1 83.3 76.9 83.0 93
SwitchBoard.Uninterpretable      | 86.0 86.0 85.5 86.1 86.3 382
SwitchBoard.Statement-non-opinion | 72.0 72.1 72.4 72.4 72.4 304
SwitchBoard.Yes-No-Question      | 85.9 85.2 85.5 85.9 85.8 303
PDTB.Cause                       | 55.2 55.7 53.1 57.2 55.9 302
PDTB.Restatement                 | 40.4 40.0 41.3 43.9 41.0 263
PDTB.Conjunction                 | 52.8 53.9 52.1 53.3 52.5 262
MRDA.Statement                   | 51.2 51.8 48.9 53.4 51.4 364
MRDA.Defending/Explanation       | 52.8 54.1 55.3 52.8 52.0 166
MRDA.Expansions of y/n Answers   | 51.7 48.7 50.3 49.6 49.4 139
""")
# The release as its authors put it out: rows by split, classes in the labels file, share of the largest class.
RELEASE = numbers("""
                             train dev  test classes majority-dev majority-test
Emergent                   | 2076  259  259  3  0.4556 0.5019
EmoBank-Arousal            | 5470  684  683  2  0.5132 0.5066
EmoBank-Dominance          | 6392  798  798  2  0.6228 0.6291
EmoBank-Valence            | 5150  644  643  2  0.5575 0.5599
GUM                        | 1700  259  248  17 0.1853 0.1815
MRDA                       | 14484 1630 6459 51 0.2233 0.1966
PDTB                       | 12907 1204 1085 16 0.2508 0.2618
Persuasiveness-ClaimType   | 160   20   19   3  0.6000 0.6842
Persuasiveness-Eloquence   | 725   91   90   2  0.7473 0.7556
Persuasiveness-PremiseType | 566   71   70   8  0.6761 0.7286
Persuasiveness-Relevance   | 725   91   90   2  0.6044 0.6778
Persuasiveness-Specificity | 504   62   62   2  0.5323 0.5806
Persuasiveness-Strength    | 371   46   46   2  0.5870 0.5652
STAC                       | 11230 1247 1304 18 0.2125 0.2262
Sarcasm                    | 3754  469  469  2  0.5096 0.5096
Squinky-Formality          | 3622  453  452  2  0.5099 0.5310
Squinky-Implicature        | 3724  465  465  2  0.5312 0.5290
Squinky-Informativeness    | 3719  465  464  2  0.5032 0.5388
SwitchBoard                | 18930 2113 649  41 0.1808 0.1864
Verifiability              | 5712  634  2424 3  0.7397 0.6960
""")
# Section 4.2's ingredients, as its sources report them.
GUM_LABELLING = 86.58
NO_RELATION = 20.0
VERIFIABILITY_KAPPA = 0.73

# Table 1 by fragments: the task, the texts, and the class the task's files call so.
EXAMPLES = {
    "PDTB": PrintedExample("PDTB", "it was censorship", "it was outrageous", "Conjunction"),
    "STAC": PrintedExample("STAC", "what?", "i literally lost", "Question_answer_pair"),
    "GUM": PrintedExample("GUM", "do not drink", "if underage…", "condition"),
    "Emergent": PrintedExample("Emergent", "a meteorite landed in nicaragua.", "…meteorite hits managua", "for"),
    "SwitchBoard": PrintedExample("SwitchBoard", "well, a little different, actually", None, "Hedge"),
    "MRDA": PrintedExample("MRDA", "yeah that's that's that's what i meant", None, "Acknowledge-answer"),
    "Persuasiveness-Specificity": PrintedExample("Persuasion", "co-operation is essential…", "lions hunt…", "low"),
    "Sarcasm": PrintedExample("SarcasmV2", "don't quit your day job", "…sell this joke…", "sarc"),
    "Squinky-Informativeness": PrintedExample("Squinky informativeness", "boo ya.", None, "low"),
    "Squinky-Implicature": PrintedExample("Squinky implicature", "boo ya.", None, "high"),
    "Squinky-Formality": PrintedExample("Squinky formality", "boo ya.", None, "low"),
    "Verifiability": PrintedExample("Verifiability", "i've been a physician for 20 years.", None, "experiential"),
    "EmoBank-Valence": PrintedExample("EmoBank valence", "i wanted to be there..", None, "low"),
    "EmoBank-Arousal": PrintedExample("EmoBank arousal", "i wanted to be there..", None, "high"),
    "EmoBank-Dominance": PrintedExample("EmoBank dominance", "i wanted to be there..", None, "low"),
}  # fmt: skip
