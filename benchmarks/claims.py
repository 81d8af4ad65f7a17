"""What a profile reports of models whose behaviour is known.

Models that do not read, or that guess on targets, must get no verdict. Models with a known behaviour
must get its verdict through noise, and partial readers their verdict or diagnosis.

python -m benchmarks.claims [--blind 400] [--guessing 400] [--calibrated 200]
    [--partial 30] [--truths 30] [--workers 1] [--data core]

A count of 0 leaves a part out. A profile of core takes about two seconds of CPU time, so all 2,360
take 80 minutes; a twelfth of them (--blind 60 --guessing 60 --calibrated 30 --partial 5 --truths 5)
takes 13.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby, islice

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.judges.prompts import order_labels
from grice.loading import load
from grice.profiling.build import build
from grice.profiling.presupposition_figures import OPERATORS
from grice.reporting.claims import Claim, Diagnosis
from grice.reporting.model import Profile
from grice.storage.run import Run

Answers = Callable[[Item], str]
NEGATION = re.compile(
    r"\b(not|no|never|nobody|nothing|none|neither|nor|without)\b|n't\b", re.IGNORECASE
)
WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
NOISE = (0.0, 0.1, 0.2, 0.3)
PROPORTIONS = 60
# A behaviour, the section that must report it, and its verdicts.
TRUTHS = {
    "logical": ("implicature", {"logical"}),
    "pragmatic": ("implicature", {"pragmatic"}),
    "mixed 70/30": ("implicature", {"mixed"}),
    "projecting": ("presupposition", {"projects"}),
    "not projecting": ("presupposition", {"projects_not"}),
    "signatures": ("veridicality", {"signatures"}),
    "boolean only": ("conjunction", {"boolean"}),
}
SWAPPED = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}


def chance(*parts: object) -> float:
    """Return a number from 0 to 1 that depends on these values alone."""
    return int(hashlib.md5("\x1c".join(map(str, parts)).encode()).hexdigest()[:8], 16) / 2**32


def draw_label(shares: Sequence[float], *parts: object) -> str:
    """Return a label drawn with these shares."""
    position, total = chance(*parts), 0.0
    for label, share in zip(NLI.labels, shares, strict=True):
        total += share
        if position < total:
            return label
    return NLI.labels[-1]


def draw_shares(count: int) -> list[tuple[float, float, float]]:
    """Return shares of the three labels, drawn uniformly from all that add up to 1."""
    generator = random.Random(0)
    shares = []
    for _ in range(count):
        low, high = sorted((generator.random(), generator.random()))
        shares.append((low, high - low, 1 - high))
    return shares


def blind_judges(count: int) -> Iterator[tuple[str, Answers]]:
    """Yield models that do not read.

    They give one answer throughout, or answer by id, by word count, negation or first letter of a
    text.
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
    shares = draw_shares(PROPORTIONS)
    for number in range(count - len(NLI.labels)):
        name, key = kinds[number % len(kinds)]
        share = shares[number // len(kinds) % PROPORTIONS]
        yield (
            f"{name} {number}",
            lambda item, key=key, share=share, number=number: draw_label(  # type: ignore[misc]
                share, number, key(item)
            ),
        )


def guessing_judges(count: int) -> Iterator[tuple[str, Answers]]:
    """Yield models that are right on controls and balance rows, and guess on targets."""
    shares = [(1 / 3, 1 / 3, 1 / 3), *draw_shares(PROPORTIONS)]
    for number in range(count):
        share = shares[number % len(shares)]

        def answer(item: Item, *, share: Sequence[float] = share, number: int = number) -> str:
            if is_target(item):
                return draw_label(share, "guess", number, item.id)
            return gold(item, "logical")

        yield f"guess {number}", answer


def is_target(item: Item) -> bool:
    """Return whether an item is a target; items without a role are."""
    return item.tags.get("role") in (None, "target")


def gold(item: Item, reading: str) -> str:
    """Return the answer of a reading, or the only one there is."""
    return str(item.gold.get(reading) or item.gold.get("label") or item.gold["signature"])


def true_answer(truth: str, item: Item, draw: int) -> str:
    """Return what a model of this kind answers before noise."""
    if truth == "pragmatic" or (truth == "mixed 70/30" and chance("mixed", draw, item.id) < 0.7):
        return gold(item, "pragmatic")
    if truth == "not projecting" and is_embedded(item) and item.tags.get("role") == "target":
        return "neutral"
    if truth == "boolean only" and item.tags.get("boolean") == "no":
        return "neutral" if gold(item, "label") == "entailment" else "entailment"
    return gold(item, "logical")


def is_embedded(item: Item) -> bool:
    """Return whether an item is about a trigger under an operator."""
    return item.tags.get("operator") not in (None, "unembedded")


def noisy(truth: str, noise: float, draw: int) -> Answers:
    """Return a model of this kind whose answer is a random label in so many cases."""

    def answer(item: Item) -> str:
        if chance("noise", draw, item.id) < noise:
            return random_label(draw, item)
        return true_answer(truth, item, draw)

    return answer


def random_label(draw: int, item: Item, *, among: Sequence[str] = NLI.labels) -> str:
    """Return one of some labels, each equally likely."""
    return among[int(len(among) * chance("label", draw, item.id))]


@dataclass(frozen=True)
class PartialReader:
    """A model that reads in part: its answer, and whether a profile reports it.

    `is_right` takes the claims by section and topic position; `is_wrong` says whether a claim
    contradicts what the model does.
    """

    name: str
    answer: Callable[[Item, int], str]
    is_right: Callable[[Profile], bool]
    is_wrong: Callable[[Profile], bool]


def claims_of(profile: Profile, section: str) -> list[Claim]:
    """Return the claims of a section, in order."""
    return [claim for claim in profile.claims if claim.section == section]


def has_diagnosis(section: str, code: Diagnosis, **values: str) -> Callable[[Profile], bool]:
    """Return whether the first diagnosis of a section is this one."""

    def check(profile: Profile) -> bool:
        firsts = [claim.diagnoses[0] for claim in claims_of(profile, section) if claim.diagnoses]
        return any(
            result.code is code and all(result.values.get(k) == v for k, v in values.items())
            for result in firsts
        )

    return check


def has_verdicts(section: str, *codes: str) -> Callable[[Profile], bool]:
    """Return whether the claims of a section have these verdicts."""
    return lambda profile: [claim.verdict for claim in claims_of(profile, section)] == list(codes)


def has_any_verdict(profile: Profile) -> bool:
    """Return whether any claim has a verdict."""
    return any(claim.supported for claim in profile.claims)


def has_other_diagnosis(*codes: Diagnosis) -> Callable[[Profile], bool]:
    """Return whether some verdict is given, or some headline diagnosis that is none of these."""
    allowed = {*codes, Diagnosis.TOO_FEW_ITEMS}
    return lambda profile: (
        has_any_verdict(profile)
        or any(
            claim.diagnoses and claim.diagnoses[0].code not in allowed for claim in profile.claims
        )
    )


def reads_plain_and_operators(item: Item, draw: int) -> str:
    """Answer correctly, except for guesses on quotations and other carrier sentences."""
    is_quotation = item.tags.get("role") == "balance" or (
        item.tags.get("role") == "control"
        and item.tags.get("kind") == "presupposition"
        and item.tags.get("operator") not in OPERATORS
        and item.tags.get("trigger") != "absent"
    )
    return random_label(draw, item) if is_quotation else gold(item, "logical")


def reads_negation_only(item: Item, _draw: int) -> str:
    """Read plain sentences and negation, and every other operator as a statement."""
    operator = item.tags.get("operator")
    if operator in OPERATORS and operator != "negated" and item.tags.get("role") == "control":
        return "entailment" if item.tags.get("trigger") != "absent" else gold(item, "logical")
    return gold(item, "logical")


def reads_questions_as_statements(item: Item, _draw: int) -> str:
    """Read a question as if it were a statement."""
    if item.tags.get("operator") == "interrogative" and item.tags.get("role") == "control":
        return "entailment" if item.tags.get("trigger") != "absent" else gold(item, "logical")
    return gold(item, "logical")


def never(label: str) -> Callable[[Item, int], str]:
    """Return a model that answers one of the other labels where this one is correct."""
    others = [other for other in NLI.labels if other != label]

    def answer(item: Item, draw: int) -> str:
        correct = gold(item, "logical")
        return random_label(draw, item, among=others) if correct == label else correct

    return answer


def ignores_hypothesis_negation(item: Item, _draw: int) -> str:
    """Answer as if a negation in the hypothesis were not there."""
    correct = gold(item, "logical")
    return SWAPPED[correct] if NEGATION.search(item.hypothesis or "") else correct


def by_overlap(item: Item, _draw: int) -> str:
    """Answer entailment where the premise has all words of the hypothesis."""
    premise, hypothesis = (
        set(WORD.findall(text.lower())) for text in (item.premise, item.hypothesis or "")
    )
    return "entailment" if hypothesis <= premise else "neutral"


def by_hypothesis(item: Item, draw: int) -> str:
    """Answer by the words of the hypothesis alone."""
    return random_label(draw, Item(item.hypothesis or "", "", "", {}))


def reads_by_scale(item: Item, _draw: int) -> str:
    """Read quantifiers pragmatically and all other scales logically."""
    is_quantifier = item.tags.get("phenomenon") in ("quantifiers", "most", "scalar_contexts")
    return gold(item, "pragmatic" if is_quantifier else "logical")


def reads_modals_as_statements(item: Item, _draw: int) -> str:
    """Read “might” and “perhaps” as if they were not there."""
    operator = item.tags.get("operator")
    if operator == "modal" and item.tags.get("role") == "control":
        return "entailment" if item.tags.get("trigger") != "absent" else gold(item, "logical")
    return gold(item, "logical")


def ignores_premise_negation(item: Item, _draw: int) -> str:
    """Answer as if a negation in the premise were not there."""
    correct = gold(item, "logical")
    return SWAPPED[correct] if NEGATION.search(item.premise) else correct


def by_length(item: Item, _draw: int) -> str:
    """Answer by the length of the hypothesis relative to the premise."""
    ratio = len((item.hypothesis or "").split()) / max(len(item.premise.split()), 1)
    return NLI.labels[0 if ratio < 0.7 else 1 if ratio < 1 else 2]


def by_negation_in_one(item: Item, _draw: int) -> str:
    """Answer contradiction where one of the two texts alone is negated, else entailment."""
    premise, hypothesis = (
        bool(NEGATION.search(text)) for text in (item.premise, item.hypothesis or "")
    )
    return "contradiction" if premise != hypothesis else "entailment"


def wrong_on_quantifiers(item: Item, _draw: int) -> str:
    """Answer logically, but choose a wrong label for everything about quantifiers."""
    correct = gold(item, "logical")
    if item.tags.get("phenomenon") not in ("quantifiers", "most", "scalar_contexts"):
        return correct
    return NLI.labels[(NLI.labels.index(correct) + 1) % 3]


def guesses_on_triggers(item: Item, draw: int) -> str:
    """Read everything but the presupposition targets."""
    is_trigger = item.tags.get("kind") == "presupposition" and is_target(item)
    return random_label(draw, item) if is_trigger else gold(item, "logical")


def _has_no_verdict(section: str) -> Callable[[Profile], bool]:
    return lambda profile: not any(claim.supported for claim in claims_of(profile, section))


def _projects_under(*operators: str) -> Callable[[Profile], bool]:
    def check(profile: Profile) -> bool:
        claim = claims_of(profile, "presupposition")[-1]
        kept = set(claim.values.get("kept", ())) & set(OPERATORS)  # type: ignore[arg-type]
        return claim.verdict == "projects" and kept == set(operators)

    return check


def _negative(profile: Profile) -> bool:
    negative = {"projects_not", "cancellable_not", "neither", "pragmatic"}
    return any(claim.verdict in negative for claim in profile.claims)


def _mixed(profile: Profile) -> bool:
    claim = claims_of(profile, "implicature")[-1]
    sets = claim.values.get("pragmatic_sets", ())
    return claim.verdict == "mixed" and isinstance(sets, tuple) and "quantifiers" in sets


PARTIAL_READERS = (
    PartialReader(
        "plain sentences and operators",
        reads_plain_and_operators,
        has_verdicts("presupposition", "infers_trigger", "projects"),
        _negative,
    ),
    PartialReader(
        "negation only",
        reads_negation_only,
        lambda profile: (
            _projects_under("negated")(profile)
            or has_diagnosis("presupposition", Diagnosis.READS_OPERATOR_AS_STATEMENT)(profile)
        ),
        _negative,
    ),
    PartialReader(
        "questions as statements",
        reads_questions_as_statements,
        has_diagnosis(
            "presupposition", Diagnosis.READS_OPERATOR_AS_STATEMENT, operator="interrogative"
        ),
        _negative,
    ),
    PartialReader(
        "never neutral",
        never("neutral"),
        has_diagnosis("presupposition", Diagnosis.NEVER_ANSWERS, label="neutral"),
        has_other_diagnosis(Diagnosis.NEVER_ANSWERS),
    ),
    PartialReader(
        "never contradiction",
        never("contradiction"),
        has_diagnosis("presupposition", Diagnosis.NEVER_ANSWERS, label="contradiction"),
        has_other_diagnosis(Diagnosis.NEVER_ANSWERS),
    ),
    PartialReader(
        "ignores negation in the hypothesis",
        ignores_hypothesis_negation,
        has_diagnosis("presupposition", Diagnosis.IGNORES_NEGATION),
        _negative,
    ),
    PartialReader(
        "word overlap",
        by_overlap,
        has_diagnosis("presupposition", Diagnosis.WORD_OVERLAP),
        has_other_diagnosis(Diagnosis.WORD_OVERLAP),
    ),
    PartialReader(
        "hypothesis only",
        by_hypothesis,
        has_diagnosis("presupposition", Diagnosis.HYPOTHESIS_ONLY),
        has_other_diagnosis(Diagnosis.HYPOTHESIS_ONLY),
    ),
    PartialReader("pragmatic on quantifiers", reads_by_scale, _mixed, lambda _profile: False),
    PartialReader(
        "modals as statements",
        reads_modals_as_statements,
        has_diagnosis("presupposition", Diagnosis.READS_OPERATOR_AS_STATEMENT, operator="modal"),
        _negative,
    ),
    PartialReader(
        "ignores negation in the premise",
        ignores_premise_negation,
        has_diagnosis("presupposition", Diagnosis.IGNORES_NEGATION),
        _negative,
    ),
    PartialReader(
        "length", by_length, lambda profile: not has_any_verdict(profile), has_any_verdict
    ),
    PartialReader(
        "negation in one text",
        by_negation_in_one,
        has_diagnosis("presupposition", Diagnosis.NEVER_ANSWERS, label="neutral"),
        has_any_verdict,
    ),
    PartialReader(
        "wrong on quantifiers",
        wrong_on_quantifiers,
        has_verdicts("implicature", "logical"),
        _negative,
    ),
    PartialReader(
        "guesses on triggers",
        guesses_on_triggers,
        _has_no_verdict("presupposition"),
        lambda profile: not _has_no_verdict("presupposition")(profile),
    ),
)


def profiled(data: Dataset, items: Sequence[Item], answers: Answers) -> Profile:
    """Return the profile of a model that answers so."""
    return profile_of(data, [Judgement(item.id, answers(item)) for item in items])


def profile_of(data: Dataset, judgements: Sequence[Judgement]) -> Profile:
    """Return the profile of a model with these responses."""
    return build([(data, [Run.recorded(data, "judge", judgements)])])[0]


def count_blind(
    data: Dataset, items: Sequence[Item], judges: Iterable[tuple[str, Answers]]
) -> Counter[str]:
    """Return how many profiles have a verdict, and which verdicts they got."""
    counts: Counter[str] = Counter()
    for name, answers in judges:
        verdicts = [
            str(claim.verdict) for claim in profiled(data, items, answers).claims if claim.supported
        ]
        counts["profiles"] += 1
        counts["with a verdict"] += bool(verdicts)
        for verdict in verdicts:
            counts[f"{verdict} ({name.rstrip('0123456789 ')})"] += 1
    return counts


def count_truth(
    data: Dataset, items: Sequence[Item], truth: str, noise: float, draw: int
) -> Counter[str]:
    """Return whether a model of this kind gets the right, a wrong or no verdict."""
    section, verdicts = TRUTHS[truth]
    claim = claims_of(profiled(data, items, noisy(truth, noise, draw)), section)[-1]
    result = "right" if claim.verdict in verdicts else "wrong" if claim.supported else "none"
    return Counter({"profiles": 1, result: 1})


def count_partial(data: Dataset, items: Sequence[Item], number: int, draw: int) -> Counter[str]:
    """Return whether a partial reader is reported right, and whether it is reported wrong."""
    reader = PARTIAL_READERS[number]
    profile = profiled(data, items, of_draw(reader.answer, draw))
    right, wrong = reader.is_right(profile), reader.is_wrong(profile)
    return Counter({"profiles": 1, "right": int(right), "wrong": int(wrong)})


def of_draw(answer: Callable[[Item, int], str], draw: int) -> Answers:
    """Return the answers of one draw."""
    return lambda item: answer(item, draw)


def count_position(data: Dataset, items: Sequence[Item], draw: int) -> Counter[str]:
    """Return whether a model that chooses the first option is diagnosed."""
    profile = profile_of(data, [positional(item, draw) for item in items])
    right = has_diagnosis("presupposition", Diagnosis.POSITION_BIAS)(profile)
    allowed = (Diagnosis.POSITION_BIAS, Diagnosis.DEPENDS_ON_PROMPT)
    wrong = has_other_diagnosis(*allowed)(profile)
    return Counter({"profiles": 1, "right": int(right), "wrong": int(wrong)})


def positional(item: Item, draw: int) -> Judgement:
    """Return the answer that stands first in each of three balanced orders of the labels."""
    cells = tuple(
        {
            "method": f"order={order}" if order else "plain",
            "answer": order_labels(NLI.labels, order)[0],
        }
        for order in range(3)
    )
    first = int(3 * chance("order", draw, item.id))
    return Judgement(item.id, str(cells[first]["answer"]), cells=cells)


def count_calibrated(data: Dataset, items: Sequence[Item], draw: int) -> Counter[str]:
    """Return the verdict on a model whose confidence is its probability of being right."""
    judgements = []
    for item in items:
        sure = 0.4 + 0.59 * chance("sure", draw, item.id)
        correct = gold(item, "logical")
        others = [label for label in NLI.labels if label != correct]
        is_right = chance("right", draw, item.id) < sure
        label = correct if is_right else random_label(draw, item, among=others)
        probs = {name: sure if name == label else (1 - sure) / 2 for name in NLI.labels}
        judgements.append(Judgement(item.id, label, probs=probs))
    claims = claims_of(profile_of(data, judgements), "certainty")
    return Counter(["profiles", *(str(claim.verdict) for claim in claims)])


@dataclass(frozen=True)
class Case:
    """One profile to compute: the row of the output it belongs to, and which model it is about."""

    row: str
    kind: str
    number: int
    count: int = 1
    truth: str = ""
    noise: float = 0.0


def cases(args: argparse.Namespace) -> list[Case]:
    """Return all profiles to compute."""
    blind, guessing = "models that do not read", "models that guess on targets"
    draws = range(args.partial)
    return [
        *(Case(blind, "blind", i, args.blind) for i in range(args.blind)),
        *(Case(guessing, "guessing", i, args.guessing) for i in range(args.guessing)),
        *(Case("calibrated models", "calibrated", i) for i in range(args.calibrated)),
        *(
            Case(f"partial: {reader.name}", "partial", number, draw)
            for number, reader in enumerate(PARTIAL_READERS)
            for draw in draws
        ),
        *(Case("partial: bound to a position", "position", draw) for draw in draws),
        *(
            Case(f"{truth}, {noise:.0%} noise", "truth", draw, truth=truth, noise=noise)
            for truth in TRUTHS
            for noise in NOISE
            for draw in range(args.truths)
        ),
    ]


@cache
def loaded(name: str) -> tuple[Dataset, list[Item]]:
    """Return a dataset with its items, once in each process."""
    data = load(name)
    return data, list(data.items())


def outcome(name: str, case: Case) -> Counter[str]:
    """Compute the profile of a case and return what is counted of it."""
    data, items = loaded(name)
    match case.kind:
        case "blind" | "guessing":
            judges = (blind_judges if case.kind == "blind" else guessing_judges)(case.count)
            return count_blind(data, items, islice(judges, case.number, case.number + 1))
        case "calibrated":
            return count_calibrated(data, items, case.number)
        case "position":
            return count_position(data, items, case.number)
        case "partial":
            return count_partial(data, items, case.number, case.count)
    return count_truth(data, items, case.truth, case.noise, case.number)


def main() -> None:
    """Print one row for each kind of model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--blind", type=int, default=400)
    parser.add_argument("--guessing", type=int, default=400)
    parser.add_argument("--calibrated", type=int, default=200)
    parser.add_argument("--partial", type=int, default=30, help="draws of each partial reader")
    parser.add_argument("--truths", type=int, default=30, help="draws of each truth and noise")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--data", default="core")
    args = parser.parse_args()
    todo = cases(args)
    start = time.perf_counter()
    print_row: Callable[..., None] = partial(print, flush=True)
    with ProcessPoolExecutor(args.workers, multiprocessing.get_context("spawn")) as pool:
        results = pool.map(partial(outcome, args.data), todo, chunksize=1)
        for row, group in groupby(zip(todo, results, strict=True), key=lambda pair: pair[0].row):
            counts = sum((counter for _, counter in group), Counter[str]())
            named = ", ".join(f"{name} {n}" for name, n in counts.items() if name != "profiles")
            print_row(f"{row}: {counts['profiles']} profiles: {named or 'no verdict'}")
    print_row(f"{len(todo)} profiles in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
