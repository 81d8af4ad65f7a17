"""A whole data folder in small: a few hand-made lines in the format of every published file, quirks
included.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.datasets import cad_nli, conjnli, dnc, hans, med, pragmeval, semantic_fragments, sick
from tests.datasets.formats import BOM, lines, packed, put, table
from tests.datasets.paradigms import write_imppres
from tests.datasets.people import PEOPLE

LABELS = ("entailment", "neutral", "contradiction")


def write_all(folder: Path) -> Path:
    """Every set, so that a contract test can walk them."""
    for write in (
        write_imppres,
        write_veridicality,
        write_conjnli,
        write_pragmeval,
        write_unli,
        write_snli,
        write_mnli,
        write_anli,
        write_sick,
        write_med,
        write_breaking_nli,
        write_semantic_fragments,
        write_cad_nli,
        write_dnc,
        write_nli_variation,
        write_hans,
        write_chaosnli,
        write_commitmentbank,
        write_glue_diagnostics,
        write_nli_train,
        *PEOPLE,
    ):
        write(folder)
    return folder


def write_veridicality(folder: Path) -> None:
    probs = [
        f"bert_{e}_{w}_prob"
        for e in ("pos", "neg")
        for w in ("entailment", "contradiction", "neutral")
    ]
    head = [
        "index",
        "task",
        "verb",
        "sentence",
        "neg_sentence",
        "complement",
        "turker_pos_ratings",
        "turker_neg_ratings",
        *probs,
        "signature",
    ]
    rows = [
        [
            "0",
            "that",
            "know",
            " Ann knows that it rains. ",
            "Ann does not know that it rains.",
            "It rains.",
            "1.0,2.0,2.0",
            "0.0,1.0,1.0",
            "0.7",
            "0.2",
            "0.1",
            "0.1",
            "0.2",
            "0.7",
            "+/+",
        ],
        [
            "1",
            "to",
            "fail",
            "Ben failed to win.",
            "Ben did not fail to win.",
            "Ben won.",
            "-2.0,-2.0",
            "1.0,1.0,2.0",
            "0.1",
            "0.8",
            "0.1",
            "0.6",
            "0.2",
            "0.2",
            "-/+",
        ],
    ]
    put(folder / "veridicality" / "verb_veridicality_evaluation.tsv", table([head, *rows]))


def write_conjnli(folder: Path) -> None:
    head = ["Premise", "Hypothesis", "Label"]
    rows = [
        ["Ann sings and Ben dances.", "Ann sings.", "entailment"],
        ["Ann sings. ", "Ann sings or Ben does not dance.", "neutral"],
        [
            'He said "go" but neither Ann nor Ben went.',
            'He said "go" but some of them went.',
            "contradiction",
        ],
    ]
    for part in ("dev", "adversarial"):
        put(folder / "conjnli" / conjnli.FILES[part], BOM + table([head, *rows]))
    put(
        folder / "conjnli" / conjnli.FILES["test"],
        (BOM + table([row[:2] for row in [head, *rows]])).rstrip("\n"),
    )
    blocks = [
        "Ann sings and Ben dances.\nB-ARG0\tB-V\tO\tO\tO\nO\tO\tO\tB-ARG0\tB-V",
        "Ann sings.\nB-ARG0\tB-V",
        "Rain.",
    ]
    put(folder / "conjnli" / "conj_dev_srl.txt", "\n\n".join(blocks) + "\n")


def write_pragmeval(folder: Path) -> None:
    for number, task in enumerate(pragmeval.TASKS):
        single = number % 2 == 0
        put(folder / "pragmeval" / task / "labels", "zeta\nalpha\nnever_seen\n")
        head, text = (
            ("sentence\tlabel\n", "")
            if single
            else ("sentence1\tsentence2\tlabel\n", "so they say .\t")
        )
        for split in pragmeval.SPLITS:
            rows = f'"he said ""no"" , twice"\t{text}zeta\nwell , yes .\t{text}alpha\n'
            put(folder / "pragmeval" / task / f"{split}.tsv", head + rows)


def write_unli(folder: Path) -> None:
    text = (
        'id,pre,hyp,nli,unli\n0,"A dog, wet, runs.",A pet runs.,2,0.97\n1,"A dog, wet, runs.",It'
        " rains.,1,0.4\n2,A cat sits.,A cat flies.,0,0.0\n"
    )
    put(
        folder / "unli" / "u-snli.zip",
        packed({f"{split}.csv": text for split in ("train", "dev", "test")}),
    )


def nli_rows() -> list[dict[str, Any]]:
    tree = "(ROOT (S (NP (NN Rain)) (VP (VBZ falls))))"
    shared = {
        "sentence1": "Rain falls.",
        "sentence1_parse": tree,
        "sentence2_parse": tree,
        "captionID": "1.jpg#0",
        "promptID": "7",
        "genre": "fiction",
    }
    return [
        {
            **shared,
            "sentence2": 'It is "wet".',
            "gold_label": "entailment",
            "pairID": "1e",
            "annotator_labels": ["entailment"] * 4 + ["neutral"],
        },
        {
            **shared,
            "sentence2": "Ann is wet.",
            "gold_label": "-",
            "pairID": "1n",
            "annotator_labels": ["entailment", "entailment", "neutral", "neutral", ""],
        },
        {
            **shared,
            "sentence2": "It is dry.",
            "gold_label": "contradiction",
            "pairID": "1c",
            "annotator_labels": ["contradiction"] * 4,
        },
    ]


def nli_table(keys: Sequence[str]) -> str:
    """The tab-separated form of the same rows: votes in label1 … label5, quotes left as they are."""
    names = [*keys, *(f"label{i}" for i in range(1, 6))]
    body = [
        [str(row[key]) for key in keys] + (row["annotator_labels"] + [""] * 5)[:5]
        for row in nli_rows()
    ]
    return table([names, *body])


def write_snli(folder: Path) -> None:
    put(folder / "snli" / "snli_1.0_dev.jsonl.gz", gzip.compress(lines(nli_rows()).encode()))
    put(
        folder / "snli" / "snli_1.0.zip",
        packed({"snli_1.0/snli_1.0_train.jsonl": lines(nli_rows())}),
    )
    keys = (
        "gold_label",
        "sentence1_parse",
        "sentence2_parse",
        "sentence1",
        "sentence2",
        "captionID",
        "pairID",
    )
    put(folder / "snli" / "snli_1.0_test.txt", nli_table(keys))


def write_mnli(folder: Path) -> None:
    put(folder / "mnli" / "multinli_1.0_dev_matched.jsonl", lines(nli_rows()))
    put(
        folder / "mnli" / "MNLI" / "dev_mismatched.tsv",
        nli_table(("promptID", "pairID", "genre", "sentence1", "sentence2", "gold_label")),
    )
    put(
        folder / "mnli" / "multinli_1.0.zip",
        packed({"multinli_1.0/multinli_1.0_train.jsonl": lines(nli_rows())}),
    )


def write_anli(folder: Path) -> None:
    rows = [
        {
            "uid": "a",
            "context": "Ann was born in Ulm.",
            "hypothesis": "Ann was born.",
            "label": "e",
            "genre": "wiki",
        },
        {"uid": "b", "context": "Ann was born in Ulm.", "hypothesis": "Ann died.", "label": "n"},
    ]
    members = {
        f"anli_v1.0/{r}/{s}.jsonl": lines(rows)
        for r in ("R1", "R2", "R3")
        for s in ("train", "dev", "test")
    }
    put(folder / "anli" / "anli_v1.0.zip", packed(members))


def write_sick(folder: Path) -> None:
    head = ["pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment"]
    rows = [
        ["1", 'A "dog" runs', "A dog is running", "4.9", "ENTAILMENT"],
        ["2", "A dog runs", "A cat sits", "1.2", "NEUTRAL"],
    ]
    for split, name in sick.FILES.items():
        put(folder / "sick" / name, table([head, *rows], end="\r\n" if split == "test" else "\n"))


def write_med(folder: Path) -> None:
    head = [
        "index",
        "promptID",
        "pairID",
        "genre",
        "sentence1",
        "sentence2",
        "label1",
        "gold_label",
    ]
    rows = [
        [
            "0",
            "1",
            "1",
            "downward_monotone:crowd",
            'No "dog" ran',
            "No poodle ran",
            "",
            "entailment",
        ],
        [
            "1",
            "2",
            "2",
            "upward_monotone:paper:lexical_knowledge",
            "A dog ran",
            "A poodle ran",
            "",
            "neutral",
        ],
        ["2", "3", "3", "non_monotone:paper", "One dog ran", "One animal ran", "", "neutral"],
    ]
    for name in med.FILES.values():
        put(folder / "med" / name, table([head, *rows]))


def write_breaking_nli(folder: Path) -> None:
    rows = [
        {
            "sentence1": "A red hat.",
            "sentence2": "A blue hat.",
            "category": "colors",
            "gold_label": "contradiction",
            "annotator_labels": ["contradiction"] * 3,
            "pairID": 0,
        },
        {
            "sentence1": "A red hat.",
            "sentence2": "A scarlet hat.",
            "category": "colors",
            "gold_label": "entailment",
            "annotator_labels": ["entailment", "neutral", "entailment"],
            "pairID": 1,
        },
    ]
    put(
        folder / "breaking_nli" / "breaking_nli_dataset.zip",
        packed({"data/dataset.jsonl": lines(rows)}),
    )


def write_semantic_fragments(folder: Path) -> None:
    names = ("sentence1", "sentence2", "gold_label", "pairID", "captionID")
    for part, file in semantic_fragments.PARTS.items():
        row = (
            "Ana and Ben have only visited Ulm",
            "Ben didn't visit Ulm",
            "contradiction",
            part,
            "",
        )
        text = lines([dict(zip(names, row, strict=True))])
        put(folder / "semantic_fragments" / file, text)


def write_cad_nli(folder: Path) -> None:
    first, second = "A man reads.", '"A man reads ""Emma""."'
    head = ["sentence1", "sentence2", "gold_label"]
    five = [
        [first, second, "neutral"],
        ["A man reads Emma.", second, "entailment"],
        [first, "A man reads.", "entailment"],
        ["A man sleeps.", second, "contradiction"],
        [first, "A man sleeps.", "contradiction"],
    ]
    for kind, size in cad_nli.KINDS.items():
        for split in cad_nli.SPLITS:
            place = f"{split}.tsv" if kind == "all_combined" else f"{kind}/{split}.tsv"
            put(folder / "cad_nli" / place, table([head, *five[:size], *five[:size]]))


def write_dnc(folder: Path) -> None:
    for split in dnc.SPLITS:
        for name in dnc.RECAST:
            label: Any = 5 if name == "kg_relations" else "entailed"
            row = {
                "context": "Ann laughed .",
                "hypothesis": "Ann made a sound .",
                "label": label,
                "binary-label": True,
                "split": split,
                "type-of-inference": name,
                "pair-id": 17,
            }
            other = {
                **row,
                "label": 1 if name == "kg_relations" else "not-entailed",
                "binary-label": False,
                "pair-id": 18,
            }
            put(
                folder / "dnc" / split / f"recast_{name}_data.json",
                json.dumps([row, other], indent=4),
            )
    about = [{"pair-id": 17, "corpus": "puns", "corpus-license": "CC BY-NC"}]
    put(folder / "dnc" / "dev" / "recast_puns_metadata.json", json.dumps(about))
    for kind, names in dnc.FUNCTION_WORDS.items():
        label = "neutral" if kind == "NLI" else "unacceptable"
        for name in names:
            row = {
                "context": "Ann came .",
                "hypothesis": "Ann never came .",
                "label": label,
                "pair-id": 1,
            }
            put(
                folder / "dnc" / "function_words" / kind / f"{kind.lower()}-{name}_data.json",
                json.dumps([row]),
            )


def write_nli_variation(folder: Path) -> None:
    shared = {
        "premise": "It rained.",
        "hypothesis": "It was wet.",
        "normed-labels": [],
        "num-NA": 0.0,
    }
    pairs = [
        {
            **shared,
            "task": "snli",
            "original-dataset-label": "entailment",
            "id": "1e",
            "labels": [50.00007, 0.0, 49.99995],
        },
        {
            **shared,
            "task": "joci",
            "original-dataset-label": "4",
            "id": "AGCI-1",
            "labels": [-50.00009, 25.0],
        },
    ]
    contexts = [
        {
            **shared,
            "task": "contexts",
            "original-dataset-label": "NA",
            "id": f"3_antonym_wet_dry_{size}",
            "labels": [-10.0, 10.0],
        }
        for size in ("word", "sent", "par")
    ]
    root = folder / "nli_variation"
    put(root / "sentence-pair-analysis" / "preprocessed-data.jsonl", lines(pairs))
    put(root / "context-analysis" / "preprocessed-context-data.jsonl", lines(contexts))
    put(root / "context-analysis" / "lexical-entailments.txt", "antonym\twet\tdry\n")


def write_hans(folder: Path) -> None:
    head = ["gold_label", "sentence1", "sentence2", "pairID", "heuristic", "subcase", "template"]
    rows = [
        [
            "non-entailment",
            "The owl near the bears slept .",
            "The bears slept .",
            "ex0",
            "lexical_overlap",
            "ln_preposition",
            "temp1",
        ],
        [
            "entailment",
            "The owls and the bears slept .",
            "The bears slept .",
            "ex1",
            "lexical_overlap",
            "le_conjunction",
            "temp2",
        ],
    ]
    for name in hans.FILES.values():
        put(folder / "hans" / name, table([head, *rows]))


def write_chaosnli(folder: Path) -> None:
    pair = {
        "uid": "1n",
        "majority_label": "e",
        "label_dist": [0.76, 0.2, 0.04],
        "entropy": 0.95,
        "old_label": "n",
        "example": {"uid": "1n", "premise": "It rained.", "hypothesis": "It was wet."},
    }
    story = {
        "uid": "s-1",
        "majority_label": 2,
        "label_dist": [0.3, 0.7],
        "entropy": 0.88,
        "old_label": 1,
        "example": {
            "obs1": "Ann left.",
            "obs2": "She came back.",
            "hyp1": "It rained.",
            "hyp2": "She forgot her key.",
        },
    }
    members = {
        "chaosNLI_snli.jsonl": lines([pair]),
        "chaosNLI_mnli_m.jsonl": lines([pair]),
        "chaosNLI_alphanli.jsonl": lines([story]),
    }
    put(
        folder / "chaosnli" / "chaosNLI_v1.0.zip",
        packed({f"chaosNLI_v1.0/{name}": text for name, text in members.items()}),
    )


def write_commitmentbank(folder: Path) -> None:
    head = ",uID,Verb,Embedding,Context,Target,Prompt,ModalType,MatTense,MatSubjLemma,MatSubjPer,MatSubjNum,Embedding,genre,factive,mean.noTarget,sd.noTarget,Mean,SD,Reponses\n"
    rows = (
        '1,A-1,know,negation,"It was late, and dark.",Ben did not know that Ann had left.,Ann had'
        ' left,,past,ben,third,singular,negation,BNC,yes,0,1,2,1,"2, 3, 3, 1,'
        ' 0"\n2,A-2,think,modal,He shrugged.,Ann might think that Ben won.,Ben'
        ' won,EP,present,ann,third,singular,modal,WSJ,no,0,1,0,1,"-1, 0, 1, 0"\n'
    )
    put(folder / "commitmentbank" / "CommitmentBank-items.csv", head + rows)


def write_glue_diagnostics(folder: Path) -> None:
    head = [
        "Lexical Semantics",
        "Predicate-Argument Structure",
        "Logic",
        "Knowledge",
        "Domain",
        "Premise",
        "Hypothesis",
        "Label",
    ]
    rows = [
        [
            "Quantifiers;Lexical entailment",
            "",
            "Upward Monotone",
            "",
            "Artificial",
            "All cats ran.",
            "Some cats ran.",
            "entailment",
        ],
        ["", "Anaphora/Coreference", "", "", "News", 'Ann said "she won.', "Ann won.", ""],
    ]
    put(folder / "glue_diagnostics" / "diagnostic-full.tsv", table([head, *rows]))


def write_nli_train(folder: Path) -> None:
    rows = [
        {"premise": "It rained.", "hypothesis": "It was wet.", "label": label, "source": source}
        for source in ("snli", "mnli", "anli", "snli")
        for label in LABELS
    ]
    put(
        folder / "nli_train" / "snli_mnli_anli_subset.jsonl.gz", gzip.compress(lines(rows).encode())
    )
