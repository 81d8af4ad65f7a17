"""Decide all claims of a profile together: closing tests, Holm's correction, diagnoses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count
from math import atanh, ceil
from statistics import NormalDist

from grice.analysis.statistics.baselines import above_zero
from grice.analysis.statistics.paired import holm
from grice.core.distributions import student_quantile
from grice.profiling.asking import prompt_check
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import GENERAL, dataset_candidates
from grice.profiling.draft import ClaimDraft
from grice.profiling.exchange import Exchange
from grice.profiling.gate import FEWEST_ITEMS, FEWEST_PARADIGMS, LEVEL, MARGIN
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import (
    Diagnosis,
    DiagnosisResult,
    Gate,
    GateCheck,
    State,
    Test,
    Value,
    Values,
)

ChapterFindings = tuple[Chapter, AnswerSheet, Findings]
# The chapter that tests whether a model reads the items of each kind of norms.
READ_IN = {
    "scale": "implicature",
    "projection": "presupposition",
    "follows": "presupposition",
    "happened": "veridicality",
}
RANK = {code: position for position, code in enumerate(Diagnosis)}
# A verdict on some operators stands with a diagnosis of others.
BESIDE_VERDICT = {
    ("projection", Diagnosis.READS_OPERATOR_AS_STATEMENT),
    ("projection", Diagnosis.IGNORES_NEGATION),
}
# At most this many diagnoses explain one claim. Power for the number of paradigms needed.
MAX_DIAGNOSES, POWER = 3, 0.8


def decide(
    written: Sequence[ChapterFindings], exchanges: Sequence[Exchange]
) -> list[ChapterFindings]:
    """Return the findings with their decided claims.

    A claim fails that depends on the prompt, or whose model does not read the premises. Holm's
    correction then runs over every claim that a chapter could make (p = 1 where its tests fail) and
    over every tested diagnosis. A diagnosis that explains the answers of a whole dataset leaves no
    verdict on it; claims without a verdict get the diagnoses that hold, most specific first.
    """
    unread = {exchange.data: exchange for exchange in exchanges if exchange.unread}
    closed = [
        (chapter, sheet, _map(findings, partial(_closed, exchange=unread.get(sheet.data.name))))
        for chapter, sheet, findings in written
    ]
    sheets = {sheet.index: sheet for _, sheet, _ in closed}
    general = {index: dataset_candidates(sheet) for index, sheet in sheets.items()}
    drafts = [draft for _, _, findings in closed for draft in findings.findings]
    local = (findings.candidates for _, _, findings in closed)
    tested = list(chain.from_iterable((*general.values(), *local)))
    ps = [
        *(draft.gate.p if draft.supported else 1.0 for draft in drafts),
        *(result.p for result in tested),
    ]
    corrected = holm(ps)
    n_open = sum(p >= LEVEL for p in corrected)
    p_of_draft = dict(zip(map(id, drafts), corrected, strict=False))
    p_of_result = dict(zip(map(id, tested), corrected[len(drafts) :], strict=True))
    decided = []
    for chapter, sheet, findings in closed:
        holding = _holding(general[sheet.index], p_of_result)
        holding += [_premise_swap(unread[sheet.data.name])] if sheet.data.name in unread else []
        explained = [result for result in holding if result.code in GENERAL]
        results = [*holding, *_holding(findings.candidates, p_of_result)]
        drafts_of_chapter = []
        for draft in findings.findings:
            draft = _corrected(draft, p_of_draft[id(draft)], len(ps))
            draft = _with_paradigms_needed(draft, n_open)
            draft = _explained(draft, explained) if chapter.phenomenon else draft
            drafts_of_chapter.append(_with_diagnoses(draft, explained, results))
        decided.append((chapter, sheet, replace(findings, findings=tuple(drafts_of_chapter))))
    return _after_parents(decided)


def _explained(draft: ClaimDraft, explained: Sequence[DiagnosisResult]) -> ClaimDraft:
    """Return the claim without a verdict if a diagnosis explains all answers to the dataset."""
    if not explained:
        return draft
    values = {"explained": str(explained[0].code)}
    return draft.fail(GateCheck(Test.DIAGNOSIS, State.FAIL, values))


def _map(findings: Findings, change: Callable[[ClaimDraft], ClaimDraft]) -> Findings:
    return replace(findings, findings=tuple(change(draft) for draft in findings.findings))


def _closed(draft: ClaimDraft, exchange: Exchange | None) -> ClaimDraft:
    """Return the claim with the tests that its chapter does not make."""
    check = prompt_check(draft.gate) if draft.supported else None
    draft = draft.fail(check) if check else draft
    if exchange is None:
        return draft
    return draft.fail(GateCheck(Test.PREMISE_SWAP, State.FAIL, {"same": exchange.same}))


def _premise_swap(exchange: Exchange) -> DiagnosisResult:
    return DiagnosisResult(Diagnosis.IGNORES_PREMISE, exchange.same, p=0.0, corrected_p=0.0)


def _holding(
    candidates: Sequence[DiagnosisResult], corrected: Mapping[int, float]
) -> list[DiagnosisResult]:
    """Return the diagnoses that are significant after correction."""
    return [
        replace(result, corrected_p=corrected[id(result)])
        for result in candidates
        if corrected[id(result)] < LEVEL
    ]


def _corrected(draft: ClaimDraft, p: float, family: int) -> ClaimDraft:
    """Return the claim with its corrected p, which fails it if it is not significant."""
    supported = draft.supported
    draft = replace(draft, gate=replace(draft.gate, corrected_p=p, family=family))
    if not supported or p < LEVEL:
        return draft
    return draft.fail(GateCheck(Test.HOLM, State.FAIL, {"p": p, "family": family}))


def _with_paradigms_needed(draft: ClaimDraft, n_open: int) -> ClaimDraft:
    """Return the claim; if it has no verdict, add how many paradigms would be needed.

    The claim also fails for its sample size if a clear result, halfway between the baseline and a
    perfect score, would be significant in less than 80% of samples of this size. The significance
    level is corrected for the `n_open` tests that are not significant.
    """
    gate = draft.gate
    if draft.supported or not gate.paradigms:
        return draft
    level = LEVEL / max(n_open, 1)
    is_correlation = any(check.test is Test.CORRELATION for check in gate.checks)
    needed_for_clear = (
        _words_needed(level) if is_correlation else _paradigms_for_clear_result(gate, level)
    )
    if gate.paradigms >= needed_for_clear:
        needed = _paradigms_for_observed(gate, level)
        return replace(draft, gate=replace(gate, paradigms_needed=needed))
    values: Values = {
        "n": gate.n,
        "paradigms": gate.paradigms,
        "needed_paradigms": needed_for_clear,
        "unit": "words" if is_correlation else "paradigms",
    }
    others = tuple(check for check in gate.checks if check.test is not Test.SAMPLE_SIZE)
    sample_size_check = GateCheck(Test.SAMPLE_SIZE, State.FAIL, values)
    checks = (sample_size_check, *others)
    return replace(draft, gate=replace(gate, checks=checks, paradigms_needed=needed_for_clear))


def _words_needed(level: float) -> int:
    """Return the number of words at which a correlation of .5 is significant with 80% power."""
    normal = NormalDist()
    return ceil(3 + ((normal.inv_cdf(1 - level) + normal.inv_cdf(POWER)) / atanh(0.5)) ** 2)


def _paradigms_for_clear_result(gate: Gate, level: float) -> int:
    """Return the number of paradigms at which a clear result is significant with 80% power.

    At least, it is the number at which a perfect score is significant.
    """
    perfect = next(n for n in count(FEWEST_PARADIGMS) if above_zero(1.0, 0.0, n) < level)
    items = ceil(gate.paradigms * FEWEST_ITEMS / max(gate.n, 1)) if gate.n < FEWEST_ITEMS else 0
    baseline, detectable = gate.baseline(Test.SHUFFLED), gate.min_detectable_difference
    if baseline is None or detectable is None:
        return max(perfect, items)
    # The detectable difference is for a two-sided test at LEVEL.
    freedom = max(gate.paradigms - 1, 1)
    power = student_quantile(freedom, POWER)
    two_sided, wanted = (student_quantile(freedom, 1 - p) for p in (LEVEL / 2, level))
    detectable *= (wanted + power) / (two_sided + power)
    halfway = max((1 - baseline) / 2, MARGIN)
    return max(perfect, items, ceil(gate.paradigms * (detectable / halfway) ** 2))


def _paradigms_for_observed(gate: Gate, level: float) -> int | None:
    """Return the number of paradigms that would make the observed difference significant.

    The power is 80%. It is at most the number that would detect a difference of `MARGIN`; None
    where neither can be computed.
    """
    normal, needed = NormalDist(), []
    labels = [check.values for check in gate.reasons if check.test is Test.LABELS_USED]
    p = max([gate.p, *(p for values in labels if isinstance(p := values.get("p"), float))])
    if 1e-12 < p < 0.5:
        wanted = normal.inv_cdf(1 - level) + normal.inv_cdf(POWER)
        needed.append(wanted / normal.inv_cdf(1 - p))
    if gate.min_detectable_difference is not None:
        needed.append(gate.min_detectable_difference / MARGIN)
    return ceil(gate.paradigms * min(needed) ** 2) if needed else None


def _with_diagnoses(
    draft: ClaimDraft, explained: Sequence[DiagnosisResult], results: Sequence[DiagnosisResult]
) -> ClaimDraft:
    """Return the claim with the diagnoses that explain why it has no verdict, or stand with it.

    What explains the whole dataset comes first, then the most specific diagnosis.
    """
    if draft.supported:
        explained = ()
        results = [result for result in results if (draft.name, result.code) in BESIDE_VERDICT]
    ranked = sorted(
        [*_from_checks(draft), *explained, *results],
        key=lambda result: (result not in explained, RANK[result.code]),
    )
    by_sentence: dict[tuple[Diagnosis, Value, Value], DiagnosisResult] = {}
    for result in ranked:
        operator, label = (result.values.get(name, "") for name in ("operator", "label"))
        by_sentence.setdefault((result.code, operator, label), result)
    return replace(draft, diagnoses=tuple(by_sentence.values())[:MAX_DIAGNOSES])


def _from_checks(draft: ClaimDraft) -> list[DiagnosisResult]:
    """Return the diagnoses that failed tests of the claim amount to."""
    codes = {
        Test.PROMPT_VARIANTS: Diagnosis.DEPENDS_ON_PROMPT,
        Test.SAMPLE_SIZE: Diagnosis.TOO_FEW_ITEMS,
    }
    results = []
    for check in draft.gate.reasons:
        code = codes.get(check.test)
        if code is not None and check.role == "target":
            results.append(DiagnosisResult(code, draft.gate.score, check.values, p=0.0))
    return results


def _after_parents(decided: Sequence[ChapterFindings]) -> list[ChapterFindings]:
    """Reject human-agreement claims where the phenomenon's own claims have no verdict.

    Sentence length alone can correlate with human ratings. Such a claim has the diagnoses of the
    phenomenon.
    """
    parents = {
        (chapter.name, sheet.index): (chapter.title, findings.findings)
        for chapter, sheet, findings in decided
        if findings.findings
    }

    def after_parent(index: int, draft: ClaimDraft) -> ClaimDraft:
        title, parts = parents.get((READ_IN.get(draft.name, ""), index), ("", ()))
        if not parts or any(part.supported for part in parts):
            return draft
        draft = draft.fail(GateCheck(Test.PARENT, State.FAIL, {"parent": title}))
        return replace(draft, diagnoses=draft.diagnoses or parts[0].diagnoses)

    return [
        (chapter, sheet, _map(findings, partial(after_parent, sheet.index)))
        if chapter.name == "people"
        else (chapter, sheet, findings)
        for chapter, sheet, findings in decided
    ]
