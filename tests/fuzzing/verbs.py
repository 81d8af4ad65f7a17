"""Every verb with files by the grammar in the place of good ones, and words on its line that nobody
should write.

A command is made in a folder of its own, which holds good files of every kind: data, answers, a
run, a campaign with answers, a corpus. One of those it reads is made anew by the grammar, or one of
its words is bent.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.fuzzing.grammar import Grammar
from tests.fuzzing.readers import READERS, hash_of

READER = {reader.name: reader for reader in READERS}
# A command, the files that it reads, and for each the reader whose grammar writes it.
VERBS: tuple[tuple[str, dict[str, str]], ...] = (
    ("check items.jsonl", {"items.jsonl": "items"}),
    ("check items.jsonl --no-leaks", {"items.jsonl": "rows"}),
    ("check run", {"run/judgements.jsonl": "run-lines", "run/run.json": "run-header"}),
    (
        "check study.toml",
        {"study.toml": "campaign", "study.sqlite": "bytes", "items.jsonl": "items"},
    ),
    ("show items.csv", {"items.csv": "csv"}),
    (
        "show run --faults",
        {"run/judgements.jsonl": "run-lines", "run/notes.json": "bytes", "run/log.jsonl": "bytes"},
    ),
    ("judge items.jsonl --by baseline/overlap --into out", {"items.jsonl": "items"}),
    ("judge items.tsv --by baseline/majority --into out", {"items.tsv": "tsv"}),
    ("judge items.parquet --by baseline/random --into out", {"items.parquet": "parquet"}),
    ("judge rows.jsonl.gz --by baseline/overlap --into out", {"rows.jsonl.gz": "rows-gz"}),
    ("judge items.jsonl --by preds/preds.jsonl --into out", {"preds.jsonl": "preds"}),
    ("judge items.jsonl --by preds/preds.csv --into out", {"preds.csv": "preds-csv"}),
    (
        "judge items.jsonl --by encoder/model --limit 4 --into out",
        {"model/config.json": "model-config"},
    ),
    ("judge items.jsonl --judges judges.toml --into out", {"judges.toml": "judges"}),
    ("judge items.json --by baseline/overlap --into out", {"items.json": "json"}),
    (
        "judge items.jsonl --by baseline/overlap --into runs",
        {"runs/*/judgements.jsonl": "run-lines"},
    ),
    (
        "show-prompt items.jsonl --by openai/x -M template=template.txt",
        {"template.txt": "template"},
    ),
    (
        "table run --measure accuracy --down kind",
        {"run/judgements.jsonl": "run-lines-old", "run/run.json": "bytes"},
    ),
    ("compare run other", {"run/judgements.jsonl": "run-lines", "other/run.json": "run-header"}),
    ("report run -o out/page", {"run/judgements.jsonl": "run-lines", "run/notes.json": "bytes"}),
    (
        "pack run -o out/run.zip",
        {"run/judgements.jsonl": "run-lines", "run/run.json": "run-header"},
    ),
    ("table run.zip --measure accuracy", {"run.zip": "bytes"}),
    ("check run.zip", {"run.zip": "bytes"}),
    (
        "board run other -o out/site --no-pages",
        {"run/judgements.jsonl": "run-lines", "run/run.json": "run-header"},
    ),
    ("table run other --measure accuracy --chart out/chart.png", {"run/run.json": "run-header"}),
    (
        "mine review mined.jsonl marks.csv -o out/readings.tsv",
        {"mined.jsonl": "items", "marks.csv": "preds-csv"},
    ),
    ("rescore run", {"run/judgements.jsonl": "run-lines-old"}),
    ("methods run", {"run/judgements.jsonl": "run-lines-old", "run/run.json": "run-header"}),
    ("power run other --reading label", {"run/judgements.jsonl": "run-lines"}),
    ("power --accuracy 0.8 --items 6 --icc 0.2 --difference 0.05", {}),
    ("make quantifiers --groups 2 --seed 3 -o out/made.jsonl", {}),
    ("mine conjuncts corpus.jsonl --workers 1 -o out/mined.jsonl", {"corpus.jsonl": "corpus"}),
    ("mine swaps deps.conllu --workers 1 -o out/mined.jsonl", {"deps.conllu": "conllu"}),
    (
        "train bow --on items.jsonl -o out/model -M epochs=1 -M vectors=vectors.txt",
        {"vectors.txt": "vectors"},
    ),
    (
        "train bow --on items.jsonl -o out/model -M epochs=1 -M vectors=vectors.txt",
        {"items.jsonl": "items"},
    ),
    ("exchange read log.jsonl --on items.jsonl --name x --into out", {"log.jsonl": "log"}),
    ("exchange write items.jsonl --to lm-eval -o out/task", {"items.jsonl": "items"}),
    ("collect status study.toml", {"study.toml": "campaign", "study.sqlite": "bytes"}),
    (
        "collect export study.toml --into out -o out/gold.jsonl",
        {"study.sqlite": "bytes", "items.jsonl": "items"},
    ),
    ("collect agreement study.toml", {"study.sqlite": "bytes", "study.toml": "campaign"}),
    ("collect backup study.toml -o out/backup.zip", {"study.sqlite": "bytes"}),
    ("collect rotate study.toml admin", {"study.sqlite": "bytes", "study.toml": "campaign"}),
    ("list datasets", {}),
    ("list judges", {}),
    ("show imppres", {}),
    ("fetch no-such-set", {}),
)
WORDS = (
    "",
    "-1",
    "0",
    "1e999",
    "nan",
    "../x",
    "/dev/null",
    "a=b",
    "\ud800",
    "ü" * 300,
    "x\ny",
    "--json",
    "-h",
    "run",
    ".",
    "~",
    "99999999999999999999",
    "items.jsonl",
    "baseline/none",
    "preds/",
    "encoder/none",
    "*",
    "{premise}",
    "-M",
    "seed=x",
    "%s",
)


@dataclass(frozen=True)
class Bent:
    """A command with something wrong: its words, and the content of the files that were made anew."""

    words: tuple[str, ...]
    files: dict[str, bytes]

    def write(self, folder: Path) -> None:
        for name, content in self.files.items():
            for place in list(folder.glob(name)) if "*" in name else [folder / name]:
                place.unlink(missing_ok=True)
                place.write_bytes(content)

    def keep(self, folder: Path) -> None:
        """As files, so that it can be tried again."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "words.json").write_text(json.dumps(self.words))
        for name, content in self.files.items():
            (folder / name.replace("/", "%")).write_bytes(content)


def kept_command(folder: Path) -> Bent:
    """What `keep` wrote."""
    files = {
        path.name.replace("%", "/"): path.read_bytes()
        for path in folder.iterdir()
        if path.name != "words.json"
    }
    return Bent(tuple(json.loads((folder / "words.json").read_text())), files)


def made_command(good: Path, seed: int) -> Bent:
    """The command of a number; `good` is the folder of good files."""
    plain, reads = VERBS[seed % len(VERBS)]
    grammar, words = Grammar(hash_of("verbs", seed)), plain.split()
    files = {}
    if reads and grammar.chance(0.85):
        name = grammar.random.choice(sorted(reads))
        kind = reads[name]
        before = next(iter(good.glob(name)), None)
        content = (
            before.read_bytes()
            if kind == "bytes" and before
            else READER.get(kind, READER["items"]).make(grammar)
        )
        files[name] = grammar.broken(content, 0.95 if kind == "bytes" else 0.35)
    if not files or grammar.chance(0.1):
        at = grammar.random.randrange(1, len(words) + 1)
        words[at : at + grammar.chance(0.7)] = [
            grammar.random.choice(WORDS).encode("utf-8", "replace").decode()
        ]
    return Bent(tuple(words), files)


def write_good(folder: Path) -> None:
    """Good files of every kind, but for those that commands of grice make of them."""
    folder.mkdir()
    grammar = Grammar(1)
    lines = {
        "items.jsonl": [grammar.item(n) for n in range(12)],
        "preds.jsonl": [{"id": f"i{n}", "answer": "neutral"} for n in range(12)],
        "log.jsonl": [{"doc": {"id": "i0"}, "filtered_resps": ["neutral"]}],
    }
    for name, content in lines.items():
        (folder / name).write_text("".join(json.dumps(one) + "\n" for one in content))
    for name, reader in {
        "items.parquet": "parquet",
        "rows.jsonl.gz": "rows-gz",
        "template.txt": "template",
        "vectors.txt": "vectors",
        "corpus.jsonl": "corpus",
        "deps.conllu": "conllu",
        "items.tsv": "tsv",
        "items.csv": "csv",
        "preds.csv": "preds-csv",
        "items.json": "json",
        "mined.jsonl": "items",
        "marks.csv": "preds-csv",
    }.items():
        (folder / name).write_bytes(READER[reader].make(Grammar(1)))
    (folder / "judges.toml").write_text('[one]\njudge = "baseline/overlap"\n')
    from grice.models.checkpoint import MODELS

    shutil.copytree(MODELS / "grice-mini", folder / "model")
    (folder / "study.toml").write_text(
        'title = "T"\ndataset = "items.jsonl"\ninstrument = "labels"\n[work]\nleast_seconds = 0.0\n'
    )
    _answer(folder / "study.toml")


def _answer(campaign: Path) -> None:
    """A few answers of three people."""
    from grice.collecting.work import answer, claim
    from grice.verbs.campaign_data import open_campaign

    store, _ = open_campaign(campaign)
    for _ in range(3):
        me = store.arrive()
        page = claim(store, me) if me is not None else None
        if me is not None and page is not None:
            answer(
                store,
                me,
                page.id,
                {asked.pair: {"values": {"answer": "neutral"}} for asked in page.pairs},
            )
    store.close()


def half_written(folder: Path) -> str | None:
    """An output that was begun and not finished."""
    for path in sorted((folder / "out").rglob("*")):
        if path.name.endswith(".part"):
            return f"left {path.name}"
        if path.suffix in (".json", ".jsonl") and path.is_file():
            text = path.read_text(errors="replace")
            try:
                for line in text.splitlines() if path.suffix == ".jsonl" else [text]:
                    json.loads(line)
            except ValueError:
                return f"half-written: {path.name}"
    return None
