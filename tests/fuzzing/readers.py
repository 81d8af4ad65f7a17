"""Every reader of files that grice has, each with what makes files for it, and what must hold
whatever comes.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.core.errors import GriceError
from grice.core.item import Question
from grice.core.scale import NLI
from tests.fuzzing.grammar import LABELS, Grammar

SECONDS = 20
CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Reader:
    """What reads a file of this ending, and what makes one."""

    name: str
    ending: str
    make: Callable[[Grammar], bytes]
    read: Callable[[Path], Any]


class Hang(Exception):
    """A reader did not come to an end."""


def _load(path: Path) -> None:
    from grice import check, load

    data = load(str(path))
    list(data.items())
    check(data, leaks=False)


def _preds(path: Path) -> None:
    from grice.judges.providers.preds import Preds

    questions = [Question(f"i{n}", "a", "b") for n in range(6)]
    labels = {"labels": ",".join(LABELS)} if path.suffix == ".npy" else {"extra": "ignore"}
    list(Preds(str(path), **labels).bind([q.id for q in questions], NLI).judge(questions, NLI))


def _judges(path: Path) -> None:
    from grice.core.judge_spec import read_judges
    from grice.loading import load_judge

    for spec in read_judges(path):
        load_judge(spec.judge, **spec.settings)


def _campaign(path: Path) -> None:
    from grice.collecting.campaign import read_campaign
    from grice.collecting.instrument import instrument_of

    instrument_of(read_campaign(path), NLI)


def _corpus(path: Path) -> None:
    from grice.mining.corpora import read_records
    from grice.mining.work import given_sentence

    for record in read_records(path):
        if record.tree is not None and not record.fault:
            with contextlib.suppress(GriceError):
                given_sentence(record)


def _template(path: Path) -> None:
    from grice.judges.templates import Template

    Template.read(str(path)).prompt(("a", "b"), ["c"])


def _log(path: Path) -> None:
    from grice.core.dataset import Dataset
    from grice.core.item import Item
    from grice.judges.harnesses import read_log

    data = Dataset.from_items("x", NLI, [Item(f"i{n}", "a", "b") for n in range(6)])
    read_log(path, data)


def _run_lines(path: Path) -> None:
    """The lines of a run whose header is right."""
    from grice.storage.check_run import check_run
    from grice.storage.response_log import add_checksum
    from grice.storage.run import Run

    folder = path.parent / "run"
    folder.mkdir(exist_ok=True)
    header = {
        "dataset": "x",
        "fingerprint": "f",
        "scale": NLI.to_json(),
        "judge": "j",
        "identity": {},
        "seed": 0,
    }
    (folder / "run.json").write_text(
        json.dumps(add_checksum({**header, "asked": 20, "versions": {}}))
    )
    shutil.copy(path, folder / "judgements.jsonl")
    check_run(folder)
    Run.read(folder)


def _run_header(path: Path) -> None:
    from grice.storage.check_run import check_run
    from grice.storage.run import Run

    folder = path.parent / "run"
    folder.mkdir(exist_ok=True)
    shutil.copy(path, folder / "run.json")
    check_run(folder)
    Run.read(folder)


def _model_config(path: Path) -> None:
    from grice.judges.providers.encoder import Encoder
    from grice.models.checkpoint import MODELS

    folder = Path(shutil.copytree(MODELS / "grice-mini", path.parent / "model"))
    shutil.copy(path, folder / "config.json")
    list(Encoder(str(folder)).judge([Question("0", "a", "b")], NLI))


def _vectors(path: Path) -> None:
    from grice.learners.training.vectors import load_vectors

    load_vectors(str(path), ["some", "cakes"])


def _sealed_lines(grammar: Grammar) -> bytes:
    from grice.core.judgement import Judgement
    from grice.storage.response_log import line_of

    made = [grammar.reply(n) for n in range(5)]
    return b"".join(line_of(Judgement(r["id"], r["answer"], probs=r["probs"])) for r in made)


def _header(grammar: Grammar) -> bytes:
    header = {
        "dataset": "x",
        "fingerprint": "f",
        "scale": NLI.to_json(),
        "judge": "j",
        "identity": {},
        "seed": 0,
    }
    return grammar.encoded(
        grammar.json_line(grammar.bent({**header, "asked": 3, "versions": {}}, 0.7))
    )


def _config(grammar: Grammar) -> bytes:
    from grice.models.checkpoint import MODELS

    config = json.loads((MODELS / "grice-mini" / "config.json").read_text())
    return grammar.encoded(grammar.json_line(grammar.bent(config, 0.8)))


def _vector_lines(grammar: Grammar) -> bytes:
    rows = [f"{grammar.words().split()[0]} " + " ".join(["0.1", "-0.2", "0.3"]) for _ in range(4)]
    return grammar.encoded("\n".join(rows) + "\n")


def _sample(grammar: Grammar) -> Callable[[int], dict[str, Any]]:
    return lambda n: {
        "doc": {"id": f"i{n}"},
        "filtered_resps": [["-1.0", "False"]] * 3 if grammar.chance(0.5) else ["neutral"],
    }


READERS = (
    Reader("items", ".jsonl", lambda g: g.lines(g.item), _load),
    Reader("rows", ".jsonl", lambda g: g.lines(g.flat), _load),
    Reader("rows-gz", ".jsonl.gz", lambda g: g.packed(g.lines(g.flat)), _load),
    Reader("csv", ".csv", lambda g: g.table(",", g.rows(g.flat)), _load),
    Reader("tsv", ".tsv", lambda g: g.table("\t", g.rows(g.flat)), _load),
    Reader("parquet", ".parquet", lambda g: g.parquet(g.flat), _load),
    Reader(
        "json",
        ".json",
        lambda g: g.encoded("[" + ",".join(map(g.json_line, g.rows(g.flat))) + "]"),
        _load,
    ),
    Reader("judges", ".toml", lambda g: g.judges(), _judges),
    Reader("preds", ".jsonl", lambda g: g.lines(g.reply), _preds),
    Reader("preds-csv", ".csv", lambda g: g.table(",", g.rows(g.reply)), _preds),
    Reader("preds-npy", ".npy", lambda g: g.array(), _preds),
    Reader("preds-parquet", ".parquet", lambda g: g.parquet(g.reply), _preds),
    Reader("campaign", ".toml", lambda g: g.toml(), _campaign),
    Reader("conllu", ".conllu", lambda g: g.conllu(), _corpus),
    Reader(
        "corpus",
        ".jsonl",
        lambda g: g.lines(lambda n: {**g.flat(n), "text": "It left.", "parse": "(S (NN x))"}),
        _corpus,
    ),
    Reader(
        "template", ".txt", lambda g: g.encoded("{premise} {hypothesis}" + str(g.odd())), _template
    ),
    Reader("log", ".jsonl", lambda g: g.lines(_sample(g)), _log),
    Reader("run-lines", ".jsonl", _sealed_lines, _run_lines),
    Reader("run-lines-old", ".jsonl", lambda g: g.lines(g.reply), _run_lines),
    Reader("run-header", ".json", _header, _run_header),
    Reader("model-config", ".json", _config, _model_config),
    Reader("vectors", ".txt", _vector_lines, _vectors),
)


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    def ring(*_: Any) -> None:
        raise Hang(f"no end after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def warm_up() -> None:
    """What is imported late is imported now, so that no input pays for it."""
    for reader in READERS:
        problem_with(reader, reader.make(Grammar(1)), seconds=300)


def problem_with(reader: Reader, raw: bytes, *, seconds: int = SECONDS) -> str | None:
    """What went wrong with an input: anything but a reading or a refusal in one line; None where
    nothing did.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"input{reader.ending}"
        path.write_bytes(raw)
        try:
            with time_limit(seconds), contextlib.redirect_stderr(io.StringIO()):
                reader.read(path)
        except GriceError as error:
            if "\n" in str(error):
                return f"more than one line: {str(error)[:200]!r}"
        except Exception as error:
            return f"{type(error).__name__}: {str(error)[:200]}"
        left = [one.name for one in Path(folder).rglob("*.part")]
        return f"left {left}" if left else None


def made_input(reader: Reader, seed: int) -> bytes:
    """The input of a number for a reader."""
    grammar = Grammar(hash_of(reader.name, seed))
    return grammar.broken(reader.make(grammar))


def hash_of(name: str, seed: int) -> int:
    """The same number on every machine."""
    return int.from_bytes(f"{name}/{seed}".encode(), "big")
