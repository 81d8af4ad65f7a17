"""What a profile claims of judges whose truth is known: blind ones, and readers with so much noise.

python -m benchmarks.claims [--blind 400] [--draws 30] [--data core]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.loading import load
from grice.profiling.build import build
from grice.reporting.model import Profile
from grice.storage.run import Run

Answers = Callable[[Item], str]
NEGATION = re.compile(
    r"\b(not|no|never|nobody|nothing|none|neither|nor|without)\b|n't\b", re.IGNORECASE
)
NOISE = (0.0, 0.1, 0.2, 0.3)
PROPORTIONS = 60
# A truth, the section that must tell it, and the verdicts that do.
TRUTHS = {
    "logical": ("implicature", {"logical"}),
    "pragmatic": ("implicature", {"pragmatic"}),
    "mixed 70/30": ("implicature", {"mixed"}),
    "projecting": ("presupposition", {"projects"}),
    "not projecting": ("presupposition", {"projects_not"}),
    "signatures": ("veridicality", {"signatures"}),
    "boolean only": ("conjunction", {"boolean"}),
}


def chance(*parts: object) -> float:
    """A number from 0 to 1 that depends on these values alone."""
    return int(hashlib.md5("\x1c".join(map(str, parts)).encode()).hexdigest()[:8], 16) / 2**32


def drawn(shares: Sequence[float], *parts: object) -> str:
    """A label drawn with these shares."""
    place, total = chance(*parts), 0.0
    for label, share in zip(NLI.labels, shares, strict=True):
        total += share
        if place < total:
            return label
    return NLI.labels[-1]


def blind_judges(count: int) -> Iterator[tuple[str, Answers]]:
    """Judges that do not read: one answer throughout; by id, by word count, negation and first
    letter of a text.
    """
    for label in NLI.labels:
        yield f"always {label}", lambda _item, label=label: label  # type: ignore[misc]
    kinds: tuple[tuple[str, Callable[[Item], object]], ...] = (
        ("by id", lambda item: item.id),
        ("by word count", lambda item: len((item.hypothesis or "").split())),
        ("by negation", lambda item: bool(NEGATION.search(item.hypothesis or ""))),
        ("by first letter", lambda item: (item.hypothesis or " ")[0]),
        ("by premise's word count", lambda item: len(item.premise.split())),
        ("by premise's negation", lambda item: bool(NEGATION.search(item.premise))),
    )
    shares = []
    generator = random.Random(0)
    for _ in range(PROPORTIONS):
        parts = sorted((generator.random(), generator.random()))
        shares.append((parts[0], parts[1] - parts[0], 1 - parts[1]))
    for number in range(count - len(NLI.labels)):
        name, key = kinds[number % len(kinds)]
        one = shares[number // len(kinds) % PROPORTIONS]
        yield (
            f"{name} {number}",
            lambda item, key=key, one=one, number=number: drawn(one, number, key(item)),  # type: ignore[misc]
        )


def gold(item: Item, reading: str) -> str:
    """The answer of a reading, or the only one there is."""
    return str(item.gold.get(reading) or item.gold.get("label") or item.gold["signature"])


def true_answer(truth: str, item: Item, draw: int) -> str:
    """What a judge of this kind answers before noise."""
    if truth == "pragmatic" or (truth == "mixed 70/30" and chance("mixed", draw, item.id) < 0.7):
        return gold(item, "pragmatic")
    embedded = (
        item.tags.get("operator") not in (None, "unembedded") and item.tags.get("role") == "target"
    )
    if truth == "not projecting" and embedded:
        return "neutral"
    if truth == "boolean only" and item.tags.get("boolean") == "no":
        return "neutral" if gold(item, "label") == "entailment" else "entailment"
    return gold(item, "logical")


def noisy(truth: str, noise: float, draw: int) -> Answers:
    """A judge of this kind whose answer is a random label in so many cases."""

    def answer(item: Item) -> str:
        if chance("noise", draw, item.id) < noise:
            return NLI.labels[int(3 * chance("label", draw, item.id))]
        return true_answer(truth, item, draw)

    return answer


def profiled(data: Dataset, items: Sequence[Item], answers: Answers) -> Profile:
    """The profile of a judge that answers so."""
    run = Run.recorded(data, "judge", [Judgement(item.id, answers(item)) for item in items])
    return build([(data, [run])])[0]


def count_blind(data: Dataset, items: Sequence[Item], count: int) -> Counter[str]:
    """How many profiles of blind judges have a claim, and which verdicts they got."""
    found: Counter[str] = Counter()
    for name, answers in blind_judges(count):
        made = [claim.verdict for claim in profiled(data, items, answers).claims if claim.made]
        found["profiles"] += 1
        found["with a claim"] += bool(made)
        for verdict in made:
            found[f"{verdict} ({name.rstrip('0123456789 ')})"] += 1
    return found


def count_truths(
    data: Dataset, items: Sequence[Item], draws: int
) -> Iterator[tuple[str, float, Counter[str]]]:
    """For each truth and noise: how many draws are told right, wrong, or not at all."""
    for truth, (section, verdicts) in TRUTHS.items():
        for noise in NOISE:
            found: Counter[str] = Counter()
            for draw in range(draws):
                made = profiled(data, items, noisy(truth, noise, draw))
                told = [claim for claim in made.claims if claim.section == section]
                last = told[-1] if told else None
                right = last is not None and last.made and last.verdict in verdicts
                found["right" if right else "wrong" if last and last.made else "untold"] += 1
            yield truth, noise, found


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--blind", type=int, default=400)
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--data", default="core")
    args = parser.parse_args()
    data = load(args.data)
    items = list(data.items())
    start = time.perf_counter()
    found = count_blind(data, items, args.blind)
    took = time.perf_counter() - start
    share = found["with a claim"] / max(found["profiles"], 1)
    print(
        f"blind judges: {found['profiles']} profiles, {found['with a claim']} with a claim"
        f" ({share:.1%}), {took:.0f} s"
    )
    for verdict, count in sorted(found.items()):
        if verdict not in ("profiles", "with a claim"):
            print(f"  {verdict}: {count}")
    print(f"{'truth':16} {'noise':>5} {'right':>6} {'wrong':>6} {'untold':>6}")
    for truth, noise, counts in count_truths(data, items, args.draws):
        print(
            f"{truth:16} {noise:5.0%} {counts['right']:6} {counts['wrong']:6} {counts['untold']:6}",
            flush=True,
        )


if __name__ == "__main__":
    main()
