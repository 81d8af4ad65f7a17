"""IMPPRES (Jeretič et al. 2020): paradigms of scalar implicature and presupposition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, concat_frames, json_rows
from grice.datasets.formats.imppres_panel import panel_runs
from grice.datasets.formats.imppres_predictions import predictions
from grice.datasets.formats.nope_models import imppres_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

SCALAR = (
    "connectives",
    "gradable_adjective",
    "gradable_verb",
    "modals",
    "numerals_10_100",
    "numerals_2_3",
    "quantifiers",
)
CHANGED = ("numerals_10_100", "numerals_2_3", "quantifiers")
TRIGGERS = (
    "all_n_presupposition",
    "both_presupposition",
    "change_of_state",
    "cleft_existence",
    "cleft_uniqueness",
    "only_presupposition",
    "possessed_definites_existence",
    "possessed_definites_uniqueness",
    "question_presupposition",
)
AUGUST = "v0_aug2019"
AUGUST_SCALAR = (
    "quantifier",
    "connectives",
    "modal",
    "numeral",
    "gradable_adjective",
    "gradable_verb",
)
AUGUST_TRIGGERS = tuple(name for name in TRIGGERS if name != "possessed_definites_uniqueness")
# The six targets and six controls of a block of twelve, W the weaker and S the stronger scale-mate.
CONDITIONS = (
    "W/not S",
    "not S/W",
    "W/S",
    "S/W",
    "not S/not W",
    "not W/not S",
    "S/not W",
    "not W/S",
    "W/not W",
    "not W/W",
    "S/not S",
    "not S/S",
)

IMPLIED = ("gold_label_log", "gold_label_prag", "item_type", "spec_relation", "trigger")
PRESUPPOSED = ("sentence1", "sentence2", "gold_label", "paradigmID")


def read(folder: Path, part: str) -> Dataset:
    """Read all released sets, one kind of them, a single set, or one of two earlier versions."""
    frames = []
    for kind, name in _members(part):
        path = find_published(folder, f"imppres/{kind}/{name}.jsonl", source="imppres")
        presupposed = kind.endswith("presupposition")
        rows = [row for _, row in json_rows(path, *(PRESUPPOSED if presupposed else IMPLIED))]
        make = _presupposition if presupposed else _implicature
        frames.append(make(rows, kind, name, path))
    return Dataset(
        "imppres" if part == "all" else f"imppres/{part}", NLI, concat_frames(frames), CARD
    )


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return the released predictions, one run per model, for the sentences they were made on.

    Those for presuppositions belong to the released sets, those for scales to the August-2019
    sentences only. The models of the NOPE paper answered the presuppositions too, and open language
    models a part of all.
    """
    return [*predictions(folder, data), *imppres_runs(folder, data), *panel_runs(folder, data)]


def _members(part: str) -> list[tuple[str, str]]:
    scalar = [("implicature", name) for name in SCALAR]
    presupposed = [("presupposition", name) for name in TRIGGERS]
    august = [(f"{AUGUST}/implicature", name) for name in AUGUST_SCALAR]
    august_presupposed = [(f"{AUGUST}/presupposition", name) for name in AUGUST_TRIGGERS]
    wholes = {
        "all": scalar + presupposed,
        "implicature": scalar,
        "presupposition": presupposed,
        "implicature_dec2019": [("implicature_dec2019", name) for name in CHANGED],
        AUGUST: august + august_presupposed,
        f"{AUGUST}/implicature": august,
        f"{AUGUST}/presupposition": august_presupposed,
    }
    if part in wholes:
        return wholes[part]
    name, _, version = part.partition("@")
    kind = (
        "presupposition"
        if name in TRIGGERS
        else "implicature_dec2019"
        if version
        else "implicature"
    )
    return [(kind, name)]


def _version(kind: str) -> str:
    return "v0" if kind.startswith(AUGUST) else "dec2019" if kind.endswith("dec2019") else "v1"


def _implicature(rows: list[dict[str, str]], kind: str, name: str, path: Path) -> pl.DataFrame:
    if len(rows) % 12:
        raise InputError(
            f"{path}: {len(rows)} rows are not a multiple of 12 (a paradigm); fetch the file again"
        )
    n, prefix = len(rows), f"imppres/{kind}/{name}"
    # The August files write `sentence_1`, the later ones `sentence1`.
    first, second = (
        ("sentence_1", "sentence_2") if "sentence_1" in rows[0] else ("sentence1", "sentence2")
    )
    return columns(
        prefix,
        [row[first] for row in rows],
        [row[second] for row in rows],
        # The files carry no ids: a paradigm is a block of twelve lines.
        group=[f"{prefix}/p{i // 12}" for i in range(n)],
        gold={
            "logical": [row["gold_label_log"] for row in rows],
            "pragmatic": [row["gold_label_prag"] for row in rows],
        },
        tags={
            "kind": ["implicature"] * n,
            "set": [name] * n,
            "version": [_version(kind)] * n,
            "role": [row["item_type"] for row in rows],
            "relation": [row["spec_relation"] for row in rows],
            "condition": [CONDITIONS[i % 12] for i in range(n)],
            "trigger": [row["trigger"] for row in rows],
            "scale": [row.get("lexemes") for row in rows],
            "position": [row.get("position") for row in rows],
        },
    )


def _presupposition(rows: list[dict[str, str]], kind: str, name: str, _path: Path) -> pl.DataFrame:
    n, prefix = len(rows), f"imppres/{kind}/{name}"
    control = ["control_item" in row for row in rows]
    return columns(
        prefix,
        [row["sentence1"] for row in rows],
        [row["sentence2"] for row in rows],
        group=[f"{prefix}/p{row['paradigmID']}" for row in rows],
        gold={"label": [row["gold_label"] for row in rows]},
        tags={
            "kind": ["presupposition"] * n,
            "set": [name] * n,
            "version": [_version(kind)] * n,
            "role": ["control" if c else "target" for c in control],
            "trigger": [name] * n,
            "operator": [
                row["trigger1" if c else "trigger"] for row, c in zip(rows, control, strict=True)
            ],
            "presupposition": [row.get("presupposition") for row in rows],
        },
    )


CARD = read_card("imppres")

PARTS = (
    "all",
    "implicature",
    "presupposition",
    "implicature_dec2019",
    *SCALAR,
    *TRIGGERS,
    *(f"{name}@dec2019" for name in CHANGED),
    AUGUST,
    f"{AUGUST}/implicature",
    f"{AUGUST}/presupposition",
)
imppres = Source("imppres", CARD, PARTS, read, read_runs)
