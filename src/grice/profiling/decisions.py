"""Decide all claims of a profile together: closing tests, Holm's correction, diagnoses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from grice.analysis.statistics.paired import holm
from grice.profiling.asking import prompt_check
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import GENERAL, dataset_candidates
from grice.profiling.draft import ClaimDraft
from grice.profiling.exchange import Exchange
from grice.profiling.gate import LEVEL
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import Diagnosis, DiagnosisResult, GateCheck, State, Test, Value

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
# At most this many diagnoses explain one claim.
MAX_DIAGNOSES = 3


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
    general = {sheet.index: dataset_candidates(sheet) for _, sheet, _ in closed}
    drafts = [draft for _, _, findings in closed for draft in findings.findings]
    local = [result for _, _, findings in closed for result in findings.candidates]
    tested = [*(result for results in general.values() for result in results), *local]
    ps = [
        *(draft.gate.p if draft.supported else 1.0 for draft in drafts),
        *(result.p for result in tested),
    ]
    corrected = holm(ps)
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

    Sentence length alone can correlate with human ratings.
    """
    has_verdict = {
        (chapter.name, sheet.index): any(draft.supported for draft in findings.findings)
        for chapter, sheet, findings in decided
        if findings.findings
    }

    return [
        (chapter, sheet, _map(findings, partial(_after_parent, has_verdict, sheet.index)))
        if chapter.name == "people"
        else (chapter, sheet, findings)
        for chapter, sheet, findings in decided
    ]


def _after_parent(
    has_verdict: Mapping[tuple[str, int], bool], index: int, draft: ClaimDraft
) -> ClaimDraft:
    parent = READ_IN.get(draft.name, "")
    if not draft.supported or has_verdict.get((parent, index), True):
        return draft
    return draft.fail(GateCheck(Test.PARENT, State.FAIL, {"parent": parent}))
