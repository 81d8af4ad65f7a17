"""HTML of a chapter's validity checks and of its failures in groups."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from grice.core.tabular import ends_text
from grice.reporting.markup import sentence
from grice.reporting.model import Check, ExamplePair, FailureGroup

STATES = {"good": ("✓", "good"), "doubt": ("!", "in doubt"), "none": ("–", "cannot be told")}
# Groups of failures shown before the fold.
FIRST = 4


def strip(checks: Sequence[Check], title: str) -> str:
    """Return the checks side by side, each with its sign and value.

    An opened check explains its meaning and links to its evidence.
    """
    if not checks:
        return ""
    return (
        f'<div class="checks" role="group" aria-label="Can I believe this? {escape(title)}"><span'
        f' class="title">Can I believe this?</span>{"".join(map(_check, checks))}</div>'
    )


def _check(check: Check) -> str:
    sign, word = STATES[check.state]
    to = check.evidence if check.evidence.startswith("#") else f"#{check.evidence}"
    link = f' <a href="{escape(to, quote=True)}">Evidence</a>' if check.evidence else ""
    return (
        f'<details class="check {check.state}"><summary><span class="sign" role="img"'
        f' aria-label="{word}">{sign}</span> {escape(check.name)}'
        f" <b>{escape(check.value)}</b></summary><p>{sentence(check.text)}{link}</p></details>"
    )


def failures(groups: Sequence[FailureGroup], title: str) -> str:
    """Return the failure groups, most frequent first.

    Each has the wrong answer, the gold answer, the rate, an example and a pair that is right.
    """
    if not groups:
        return ""
    top_groups, more = groups[:FIRST], groups[FIRST:]
    folded = (
        f"<details><summary>{len(more)} more"
        f" groups</summary><ul>{''.join(map(_group, more))}</ul></details>"
        if more
        else ""
    )
    return (
        '<div class="failures"><h3>What goes wrong<span class="hidden"> in'
        f" {escape(title)}</span></h3><ul>{''.join(map(_group, top_groups))}</ul>{folded}</div>"
    )


def _group(group: FailureGroup) -> str:
    ends = ends_text(group.rate.low, group.rate.high, " ({:.0%} to {:.0%})")
    counts_text = f"{group.rate.value:.0%}{ends}, {group.count:,} of {group.rate.n:,}"
    link = (
        f'<a href="{escape(group.query.href, quote=True)}">{counts_text}</a>'
        if group.query.href
        else counts_text
    )
    pairs = _pair(group.example, "wrong") + (_pair(group.flip, "right") if group.flip else "")
    return (
        f'<li><p><b>{escape(group.phenomenon)}</b>: <span class="turn">{escape(group.right)} →'
        f" {escape(group.given)}</span> <small>{link}</small></p>{pairs}</li>"
    )


def _pair(pair: ExamplePair, how: str) -> str:
    if not pair.premise:
        return ""
    sign = {"wrong": "✗", "right": "✓"}[how]
    hypothesis = (
        f' <span class="arrow">→</span> {escape(pair.hypothesis)}' if pair.hypothesis else ""
    )
    return (
        f'<p class="pair" dir="auto"><span class="{how}" role="img"'
        f' aria-label="{how}">{sign}</span> {escape(pair.premise)}{hypothesis}</p>'
    )
