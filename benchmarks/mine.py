"""How close the miner comes to the authors of the papers, and how fast it is.

Run: python -m benchmarks.mine {complements|conjuncts|labels|speed|memory|stream} [--show N]
[--sentences N]; the published files by GRICE_DATA.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from grice import loading
from grice.core.files import data_folder
from grice.core.item import Item
from grice.mining._clauses import complement_sentence
from grice.mining._constructions import constructions
from grice.mining._negation import negate
from grice.mining.corpora import plain_brackets, read_records
from grice.mining.grammar_check import faults
from grice.mining.labels import label
from grice.mining.pairers.conjuncts import conjunct_edits
from grice.mining.parsers import load_parser
from grice.verbs.mine import mine

BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"', "`": "'"}


def plain(text: str) -> str:
    """Case, spacing and final stops aside; quotes and brackets as the tree bank spells them are
    theirs again.
    """
    text = text.lower()
    for escaped, mark in BRACKETS.items():
        text = text.replace(escaped, mark)
    return re.sub(r"-+", "-", re.sub(r"[\s.]", "", text))


def letters(text: str, *, loose: bool = False) -> str:
    """Letters and digits alone; `loose` leaves out the conjunction that a list keeps."""
    text = re.sub(r"\b(and|or|but|nor)\b", "", text.lower()) if loose else text.lower()
    return re.sub(r"[\W_]", "", text)


def bar_complements(show: int) -> None:
    """The authors' negation and complement of 1,498 sentences, verb and complement found by the
    miner.
    """
    items = list(loading.load("veridicality").items())
    pairs: defaultdict[str, dict[str, Item]] = defaultdict(dict)
    for item in items:
        pairs[str(item.tags["sentence"])][str(item.tags["environment"])] = item
    rows = list(pairs.values())
    score: Counter[str] = Counter()
    missed: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    read = load_parser()
    for row, sentence in zip(
        rows, read.parse([plain_brackets(row["positive"].premise) for row in rows]), strict=True
    ):
        theirs = row["negative"]
        named = str(theirs.tags["verb"])
        verb = {"saw": "see", "felt": "feel"}.get(named, named)
        found = [
            c for c in constructions(sentence) if c.name == f"{verb} {theirs.tags['complement']}"
        ]
        if not found:
            missed["found"].append((str(theirs.tags["construction"]), sentence.text))
            continue
        score["found"] += 1
        for what, ours, gold in (
            ("negated", [negate(sentence, c) for c in found], theirs.premise),
            (
                "complement",
                [complement_sentence(sentence, c) or "" for c in found],
                theirs.hypothesis or "",
            ),
        ):
            if any(plain(text) == plain(gold) for text in ours):
                score[what] += 1
            else:
                missed[what].append((gold, ours[0], sentence.text))
    for what in ("found", "negated", "complement"):
        print(f"{what}: {score[what]} of {len(rows)} = {score[what] / len(rows):.3f}")
        for case in random.Random(1).sample(missed[what], min(show, len(missed[what]))):
            print("   ", " | ".join(case))


def bar_conjuncts(show: int) -> None:
    """The authors' hypothesis among ours, where theirs is the premise less a conjunct (15k
    adversarial set).
    """
    items = [
        i
        for i in loading.load("conjnli/adversarial").items()
        if i.tags.get("operation") == "removed"
    ]
    items = random.Random(0).sample(items, min(3000, len(items)))
    read = load_parser()
    hits: Counter[str] = Counter()
    missed = []
    for item, sentence in zip(items, read.parse([i.premise for i in items]), strict=True):
        ours = [c.text for c in conjunct_edits(sentence) if c.operation == "removed"]
        gold = item.hypothesis or ""
        exact = [text for text in ours if letters(text) == letters(gold)]
        near = [text for text in ours if letters(text, loose=True) == letters(gold, loose=True)]
        hits["letter by letter"] += bool(exact)
        hits["but for the conjunction a list keeps"] += bool(near)
        hits["the same, and through the gate"] += any(
            not faults(sentence, read.parse_one(text)) for text in near[:1]
        )
        if not near:
            missed.append((item.premise, gold, *ours[:3]))
    for how, count in hits.items():
        print(f"removed conjuncts, {how}: {count} of {len(items)} = {count / len(items):.3f}")
    for case in random.Random(1).sample(missed, min(show, len(missed))):
        print("   ", " | ".join(case))


def bar_labels(show: int) -> None:
    """Our labels beside the experts' on the dev pairs whose hypothesis is the premise less a
    conjunct.
    """
    items = [i for i in loading.load("conjnli/dev").items() if i.tags.get("operation") == "removed"]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    for item, sentence in zip(items, load_parser().parse([i.premise for i in items]), strict=True):
        gold = item.gold["label"]
        made = [c for c in conjunct_edits(sentence) if c.operation == "removed"]
        same = [
            c
            for c in made
            if letters(c.text, loose=True) == letters(item.hypothesis or "", loose=True)
        ]
        if not same:
            counts["not made"]["n"] += 1
            continue
        given = label(sentence, same[0].site, "removed")
        for key in ("all", same[0].site.word):
            counts[key]["n"] += 1
            counts[key]["heuristic"] += given.label == gold
            counts[key]["boolean"] += given.boolean == gold
        if given.label != gold:
            wrong.append((same[0].site.word, given.rule, given.label, str(gold), item.premise))
    for key, count in counts.items():
        shares = {how: f"{count[how] / count['n']:.3f}" for how in ("heuristic", "boolean")}
        print(f"labels, {key}: n = {count['n']}", shares if key != "not made" else "")
    for case in wrong[:show]:
        print("   ", " | ".join(case))


def bar_speed(_show: int) -> None:
    """Sentences a second, and CPU seconds: the built-in parser alone, then whole runs, one process
    and two.
    """
    corpus = data_folder() / "sentences"
    texts = [record.text for record in read_records(corpus) if " and " in record.text][:1000]
    read = load_parser()
    list(read.parse(texts[:50]))
    begin, cpu = time.monotonic(), _cpu()
    words = sum(len(sentence) for sentence in read.parse(texts))
    wall, spent = len(texts) / (time.monotonic() - begin), len(texts) / (_cpu() - cpu)
    each = f"sentences of {words / len(texts):.0f} words"
    print(f"the parser alone, {each}: {wall:.0f} a second by the clock, {spent:.0f} a CPU second")
    for pairer, workers in itertools.product(("complements", "conjuncts", "swaps"), (1, 2)):
        with tempfile.TemporaryDirectory() as folder:
            begin, cpu = time.monotonic(), _cpu()
            counts = mine(pairer, corpus, out=Path(folder) / "x.jsonl", each=0, workers=workers)
            wall, spent = time.monotonic() - begin, _cpu() - cpu
        n = counts["sentences"]
        print(
            f"{pairer}, {workers} processes: {n / wall:.0f} a second by the clock, {n / spent:.0f}"
            f" a CPU second, {counts['written']:,} pairs"
        )


def bar_memory(_show: int) -> None:
    """The peak memory of the reader over a million lines; few are parsed, since few have the words
    looked for.
    """
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "million.txt"
        with corpus.open("w", encoding="utf-8") as out:
            for number in range(1_000_000):
                out.write(
                    "She hoped to win.\n"
                    if number % 200 == 0
                    else f"Line {number} says nothing here.\n"
                )
        for limit in (100_000, 1_000_000):
            mine(
                "complements", corpus, out=Path(folder) / "x.jsonl", each=0, limit=limit, workers=1
            )
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(json.dumps({"lines": limit, "peak MiB": round(peak)}))


def bar_stream(_show: int, sentences: int = 300_000) -> None:
    """Memory against sentences read by two workers; a run that is killed goes on; Ray gives the
    same bytes.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in (sentences // 100, sentences // 10, sentences):
            corpus = _write_stream(folder / f"{count}.txt", count)
            print(f"{count:,} sentences, {corpus.stat().st_size / 2**20:.0f} MiB")
            _watch(corpus, folder / f"{count}.jsonl", report=max(count // 10, 2000))
        small = folder / f"{sentences // 100}.txt"
        whole = _digest(small.with_suffix(".jsonl"))
        _watch(small, folder / "killed.jsonl", kill=True)
        _watch(small, folder / "killed.jsonl")
        print("killed and gone on, the same bytes:", _digest(folder / "killed.jsonl") == whole)
        _watch(small, folder / "ray.jsonl", "--engine", "ray")
        print("two Ray workers, the same bytes:", _digest(folder / "ray.jsonl") == whole)


def _write_stream(path: Path, count: int) -> Path:
    """So many sentences: those of the data folder over and over, each with names and numbers of its
    own, as new text has them.
    """
    texts = [record.text for record in read_records(data_folder() / "sentences")]
    rng = random.Random(1)

    def new(found: re.Match[str]) -> str:
        if found[0].isdigit():
            return str(rng.randrange(100, 10**6))
        return "".join(rng.choices("abdegiklmnoprstu", k=7)).title()

    with path.open("w", encoding="utf-8") as out:
        for _ in range(count):
            out.write(
                re.sub(r"(?<=[a-z,] )[A-Z][a-z]+\b|\b[0-9]{3,}\b", new, rng.choice(texts)) + "\n"
            )
    return path


def _watch(corpus: Path, out: Path, *options: str, report: int = 0, kill: bool = False) -> None:
    """Mine in a process of its own; print what it and its workers hold after every `report`
    sentences, and at most.
    """
    command = [
        sys.executable,
        "-m",
        "grice",
        "mine",
        "conjuncts",
        str(corpus),
        "-o",
        str(out),
        "--workers",
        "2",
        *options,
    ]
    begin, shown, peak = time.monotonic(), 0, 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            time.sleep(0.5)
            held, done = list(_held(process.pid)), _sentences_done(out)
            peak = max(peak, sum(held))
            if report and done - shown >= report:
                shown = done
                print(
                    json.dumps(
                        {
                            "sentences": done,
                            "MiB": [round(each) for each in held],
                            "peak": round(peak),
                        }
                    )
                )
            if kill and done:
                process.kill()
    took = time.monotonic() - begin
    print(
        f"{' '.join(options) or 'local'}, {'killed' if kill else 'ended'} after {took:.0f} s, peak"
        f" {peak:.0f} MiB"
    )


def _sentences_done(out: Path) -> int:
    try:
        noted = json.loads(out.with_name(out.name + ".state").read_text(encoding="utf-8"))
        return int(noted["counts"].get("sentences", 0))
    except (OSError, ValueError):
        return 0


def _held(process: int) -> Iterator[float]:
    """Resident MiB of a process and of all below it."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        children = (
            Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
        )
    except OSError:
        return
    yield int((re.findall(r"VmRSS:\s+(\d+)", status) or ["0"])[0]) / 1024
    for child in children:
        yield from _held(int(child))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in used)


def main() -> None:
    bars = {
        name.removeprefix("bar_"): bar for name, bar in globals().items() if name.startswith("bar_")
    }
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("bar", choices=sorted(bars))
    arguments.add_argument("--show", type=int, default=0, help="Print so many of the misses.")
    arguments.add_argument("--sentences", type=int, default=300_000, help="How long the stream is.")
    given = arguments.parse_args()
    bars[given.bar](given.show, **({"sentences": given.sentences} if given.bar == "stream" else {}))


if __name__ == "__main__":
    main()
