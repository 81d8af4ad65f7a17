"""The models of a paper trained here: what `grice reproduce PAPER --train FOLDER` puts beside the printed rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grice import loading
from grice.core.errors import InputError, MissingData, unknown
from grice.learners.training.folder import DONE, WEIGHTS
from grice.learners.training.spec import TrainingSpec
from grice.papers.experiment import Experiment, Unit, check, gathered, run
from grice.papers.pragmeval.printed import BY_F1, COLUMNS, SINGLE

# The pairs of grice-mini: free of ANLI, which is not for commercial use, and of texts that are measured on.
PAIRS = ("nli_train/snli", "nli_train/mnli", "cad_nli/train")
APART = (
    "snli/dev",
    "cad_nli/dev",
    "conjnli/dev",
    "conjnli/test",
    "veridicality",
    "nli_variation/pairs",
    "nli_variation/contexts",
)
BASE_DEV, CONJ_DEV, CONJ_TEST, HARD = "snli/dev", "conjnli/dev", "conjnli/test", "conjnli/adversarial"
GRADED = ("nli_variation/pairs", "nli_variation/contexts")
AMOUNTS = {"6k": 6000, "9k": 9000, "12k": 12000}
CORPUS = {task: column for column, tasks in COLUMNS.items() for task in tasks}
# The paper leaves Persuasion's other tasks out of the multi-task training, lest they outweigh the rest.
TOGETHER = [task for task, column in CORPUS.items() if column != "Persuasion" or task.endswith("-Strength")]
# PragmEval's rows of single tasks, and what each starts from: the checkpoint, inference, all tasks together, or both.
STARTS = {"BERT": "", "BERT+PragmEval": "tasks", "BERT+MNLI": "nli", "BERT+MNLI+PragmEval": "nli, tasks"}
# The same rows learnt from the models of another experiment in place of the labels.
TAUGHT = {f"{row}, taught": start for row, start in STARTS.items()}
OF_TEACHING = ("extra", "temperature")
# What `-M KIND.key=…` may name: the trainings of a paper that share their settings.
KINDS = {
    "conjnli": ("nli", "aft", "iaft", "srl", "pa", "hypothesis"),
    "pragmeval": ("nli", "tasks", "task", *COLUMNS, *CORPUS),
    "unli": ("unli",),
}

STANDS_IN = {
    "conjnli": "Trained here: SNLI, MultiNLI and CAD-NLI pairs (nli_train without ANLI, cad_nli) stood in for MultiNLI, SNLI dev for MultiNLI dev, the encoder of -M base= for RoBERTa, PropBank on EWT for CoNLL 2005; of 18k adversarial pairs 15k are released.",
    "pragmeval": "Trained here: the encoder of -M base= stood in for BERT, SNLI, MultiNLI and CAD-NLI pairs for MultiNLI; the best epoch is that of dev, on which Table 2 seems to be printed.",
    "unli": "Trained here: SNLI, MultiNLI and CAD-NLI pairs with surrogate scores stood in for SNLI's; where u-SNLI is not in the data folder, the graded pairs in context of nli_variation are learnt in its place and its pairs without context answered.",
}


@dataclass(frozen=True)
class Given:
    """How to train: settings for every unit, and `KIND.key` for the units of a kind alone."""

    folder: Path
    settings: Mapping[str, str]
    seed: int
    slim: bool

    def of(self, *kinds: str, **usual: str) -> dict[str, str]:
        """The usual settings, then those for every unit, then those of each kind in turn."""
        plain = {key: value for key, value in self.settings.items() if "." not in key}
        own = {
            key.removeprefix(f"{kind}."): value
            for kind in kinds
            for key, value in self.settings.items()
            if key.startswith(f"{kind}.")
        }
        return {**usual, **plain, **own, "seed": str(self.seed)}

    def place(self, name: str) -> str:
        return f"{name}/seed-{self.seed}"

    def at(self, name: str) -> str:
        return str(self.folder / self.place(name))


def trained(
    paper: str,
    folder: Path,
    settings: Mapping[str, str],
    *,
    seeds: Sequence[int] = (0,),
    rows: Sequence[str] = (),
    workers: int = 1,
    slim: bool = False,
) -> tuple[list[dict[str, str]], str]:
    """For each seed the judges by the title of the printed row they meet; and which data stood in for which."""
    if paper not in EXPERIMENTS:
        raise unknown("paper with models to train", paper, EXPERIMENTS)
    for key in settings:
        kind, dot, _ = key.partition(".")
        if dot and kind not in KINDS[paper]:
            raise unknown(f"kind of training of {paper}", kind, KINDS[paper])
    made = [EXPERIMENTS[paper](Given(folder, settings, seed, slim)) for seed in seeds]
    for title in rows:
        if title not in made[0].rows:
            raise unknown(f"row of {paper} to train", title, made[0].rows)
    chosen = [one.only(rows) for one in made]
    # Rows in the outer order: every seed of the first row comes before the second row.
    by_row = [unit for units in _aligned([one.units for one in chosen]) for unit in units]
    check(by_row)
    run(by_row, folder, workers=workers)
    named = dict.fromkeys(
        value for key, value in settings.items() if key.rpartition(".")[2] == "teachers" and value
    )
    taught = f" Teachers: the models in {', '.join(named)}." if named else ""
    return [
        {title: gathered(folder, f"{title}-{seed}", places) for title, places in one.rows.items()}
        for seed, one in zip(seeds, chosen, strict=True)
    ], STANDS_IN[paper] + taught


def _aligned(units: Sequence[Sequence[Unit]]) -> list[tuple[Unit, ...]]:
    return list(zip(*units, strict=True))


def _base(given: Given) -> Unit:
    """The encoder trained for inference that other trainings start from."""
    spec = TrainingSpec(PAIRS, [BASE_DEV], apart=APART, ask=[CONJ_DEV, CONJ_TEST, *GRADED])
    return Unit(given.place("nli"), "encoder", spec, given.of("nli", recipe="conjnli"))


def conjnli(given: Given) -> Experiment:
    """Tables 7 and 8 and Figure 3: baseline, AFT, IAFT and its amounts, the predicate-aware encoder, and both.

    With `-M nli.teachers=FOLDER` the baseline, from which AFT and IAFT start, learns from that experiment's baselines;
    with `-M iaft.teachers=FOLDER` a row more learns the base pairs of IAFT from what they say.
    """
    teachers, learning, given = _teachers(given, "nli", "iaft")
    both, base = [CONJ_DEV, BASE_DEV], _base(given)
    roles = str(given.folder / "srl")
    # One role labeller serves every seed; its base needs segments, which the encoder's may lack.
    small = {key: value for key, value in given.of("srl").items() if key not in ("base", "seed")}
    small |= {"base": given.settings["srl.base"]} if "srl.base" in given.settings else {}
    srl = Unit("srl", "srl", TrainingSpec(["srl/train"], ["srl/dev"], ask=["srl/test"]), small)

    def hard(name: str, how: str, start: str, learner: str = "encoder", amount: int = 0) -> Unit:
        spec = TrainingSpec(
            PAIRS,
            both,
            adversarial=HARD,
            how=how,
            start=given.at(start),
            apart=APART,
            ask=[CONJ_TEST],
            amount=amount,
        )
        more = {"srl": roles} if learner == "predicate_aware" else {}
        settings = {**given.of(how, recipe="conjnli"), **more}
        return Unit(given.place(name), learner, spec, settings, (given.place(start),), not given.slim)

    aware = Unit(
        given.place("PA"),
        "predicate_aware",
        replace(base.spec, ask=[CONJ_DEV, CONJ_TEST]),
        {**given.of("nli", "pa", recipe="conjnli"), "srl": roles},
        ("srl",),
    )
    hypothesis = Unit(
        given.place("hypothesis"),
        "encoder",
        replace(base.spec, ask=[CONJ_DEV, CONJ_TEST]),
        {**given.of("hypothesis", recipe="conjnli"), "hypothesis_only": "true"},
        keep=not given.slim,
    )
    units = {
        "RoBERTa": _taught(_base(learning), teachers["nli"], ["nli"]) if teachers["nli"] else base,
        "AFT": hard("AFT", "aft", "nli"),
        "IAFT": hard("IAFT", "iaft", "nli"),
        "PA": aware,
        "PA-IAFT": hard("PA-IAFT", "iaft", "PA", "predicate_aware"),
        **{f"IAFT-{name}": hard(f"IAFT-{name}", "iaft", "nli", amount=n) for name, n in AMOUNTS.items()},
        "hypothesis-only RoBERTa": hypothesis,
    }
    if teachers["iaft"]:
        plain = replace(hard("IAFT, taught", "iaft", "nli"), settings=learning.of("iaft", recipe="conjnli"))
        units["IAFT, taught"] = _taught(plain, teachers["iaft"], ["nli"])
    rows = {title: [unit.place] for title, unit in units.items()}
    # One model under the names that other exhibits print for it.
    return Experiment([srl, *units.values()], rows | {"IAFT-15k": rows["IAFT"], "RoBERTa-M": rows["RoBERTa"]})


def pragmeval(given: Given) -> Experiment:
    """Tables 2 to 4: each task alone, after inference, after all the tasks together, after both, and all together.

    With `-M teachers=FOLDER`, the experiment of a larger encoder, four rows more learn each task from its models.
    """
    named, learning, given = _teachers(given, "task")
    teachers = named["task"]
    rows = {title: [_task(given, title, task, start) for task in CORPUS] for title, start in STARTS.items()}
    for title, start in TAUGHT.items() if teachers else ():
        rows[title] = [
            _taught(
                _task(learning, title, task, start),
                teachers,
                [f"{row}/{task}" for row in STARTS],
                alike=_alike(task),
            )
            for task in CORPUS
        ]
    first = {"tasks": _together(given), "nli": _base(given), "nli, tasks": _together(given, "nli")}
    units: list[Unit] = []
    for title, row in rows.items():
        if start := STARTS.get(title, ""):
            units.append(first[start])
        units += row
    places = {title: [unit.place for unit in row] for title, row in rows.items()}
    return Experiment(units, places | {"PragmEval tasks together": [first["tasks"].place]})


def _together(given: Given, start: str = "") -> Unit:
    """One encoder for the tasks; its body stays in any case, for each to start from. `-M tasks.mix=` as in `train`."""
    settings = given.of("tasks", recipe="pragmeval", mix="uniform")
    spec = TrainingSpec(
        [f"pragmeval/{task}/train" for task in TOGETHER],
        [f"pragmeval/{task}/dev" for task in TOGETHER],
        mix=settings.pop("mix"),
        start=given.at(start) if start else "",
    )
    place = given.place(f"{start}, tasks" if start else "tasks")
    after = (given.place(start),) if start else ()
    return Unit(place, "encoder", spec, settings, after, not given.slim)


def _task(given: Given, row: str, task: str, start: str) -> Unit:
    """One task, from the checkpoint itself or from an encoder that learnt something else before."""
    measure = "macro_f1" if task in BY_F1 else "accuracy"
    spec = TrainingSpec(
        [f"pragmeval/{task}/train"],
        [f"pragmeval/{task}/dev"],
        start=given.at(start) if start else "",
    )
    settings = given.of("task", CORPUS[task], task, recipe="pragmeval", measure=measure)
    after = (given.place(start),) if start else ()
    return Unit(given.place(f"{row}/{task}"), "encoder", spec, settings, after, not given.slim)


def _teachers(given: Given, *kinds: str) -> tuple[dict[str, str], Given, Given]:
    """The experiment each kind learns from, if one is named; the settings of what does so, and those of all else."""
    named = {
        key: given.settings[key]
        for key in ("teachers", *(f"{kind}.teachers" for kind in kinds))
        if key in given.settings
    }
    full = {key: value for key, value in given.settings.items() if key not in named}
    # Without teachers there is nothing that takes these, and they are refused as any other name.
    plain = {k: v for k, v in full.items() if not named or k.rpartition(".")[2] not in OF_TEACHING}
    teachers = {kind: named.get(f"{kind}.teachers", named.get("teachers", "")) for kind in kinds}
    return teachers, replace(given, settings=full), replace(given, settings=plain)


def _taught(unit: Unit, teachers: str, names: Sequence[str], *, alike: Sequence[str] = ()) -> Unit:
    """The same learnt from what all the models of these names in another experiment say, whichever seeds were kept.

    One that is not finished, there where others are being trained, does not teach.
    """
    done = (path.parent for name in names for path in (Path(teachers) / name).glob(f"seed-*/{DONE}"))
    found = sorted(folder for folder in done if any(folder.glob(WEIGHTS)))
    if not found:
        raise InputError(
            f"{teachers}: no model of {names[0].rpartition('/')[2]} to learn from; train it there first, weights kept"
        )
    more = {"teacher": ",".join(map(str, found)), "teacher_epochs": "0", "extra": "1"}
    spec = replace(unit.spec, unlabelled=alike)
    return replace(unit, learner="distilled", spec=spec, settings={**more, **unit.settings})


def _alike(task: str) -> list[str]:
    """The training sets of the other tasks on pairs, or on single texts, as this one is."""
    single = CORPUS[task] in SINGLE
    return [f"pragmeval/{one}/train" for one in CORPUS if one != task and (CORPUS[one] in SINGLE) == single]


def unli(given: Given) -> Experiment:
    """Tables 4 and 5: graded answers with the premise and without, surrogate scores, and one after the other."""
    there = _there()
    usual = given.of("unli", recipe="unli")
    surrogate = TrainingSpec(PAIRS, [BASE_DEV], apart=APART, ask=[*GRADED, *there[1:]], surrogate=True)
    plain = TrainingSpec(there[:1] or GRADED[1:], there[1:2], ask=[GRADED[0], *there[2:]])

    def unit(place: str, spec: TrainingSpec, *, blind: bool = False, after: tuple[str, ...] = ()) -> Unit:
        settings = {**usual, **({"hypothesis_only": "true"} if blind else {})}
        return Unit(given.place(place), "encoder", spec, settings, after, not given.slim)

    first = replace(unit("surrogate", surrogate), keep=True)
    later = replace(plain, start=given.at("surrogate"))
    units = {
        "SNLI": first,
        "SNLI + u-SNLI": unit("surrogate, graded", later, after=(first.place,)),
        "Full-model": unit("graded", plain),
        "Hyp-only": unit("graded, hypothesis", plain, blind=True),
        "SNLI, hypothesis only": unit("surrogate, hypothesis", surrogate, blind=True),
    }
    return Experiment(list(units.values()), {title: [unit.place] for title, unit in units.items()})


def _there() -> list[str]:
    """u-SNLI's train, dev and test where it is; else the graded pairs in context are learnt, which choose no epoch."""
    names = ["unli/train", "unli/dev", "unli/test"]
    try:
        for name in names:
            loading.load(name)
    except MissingData:
        return []
    return names


EXPERIMENTS: Mapping[str, Callable[[Given], Experiment]] = {
    "conjnli": conjnli,
    "pragmeval": pragmeval,
    "unli": unli,
}
