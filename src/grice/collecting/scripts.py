"""Scripts that analyse exported responses, and texts about the study: methods, preregistration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from grice.collecting.campaign import Exclude
from grice.collecting.exclusion import Flow
from grice.collecting.store import Store
from grice.core.files import write_atomically


def write_scripts(store: Store, file: Path) -> list[Path]:
    """Write an R and a Python script beside exported responses; each runs as it is."""
    has_design = store.plan is not None
    fixed, unit = ("condition", "paradigm") if has_design else ("1", "id")
    model = {"fixed": fixed, "unit": unit, "has_design": has_design}
    paths = [file.with_suffix(suffix) for suffix in (".R", ".py")]
    for path in paths:
        values = {"file": file.name, "script": path.name, "scale": store.instrument.scale, **model}
        with write_atomically(path) as out:
            out.write(_render(f"responses{path.suffix}", values))
    return paths


def methods_text(store: Store, flow: Flow, n_responses: int) -> str:
    """Return a methods paragraph with the numbers of a campaign."""
    wording, scale = store.campaign.wording, store.instrument.scale
    anchors = " to ".join(wording.anchors) or "without anchors"
    values = {**vars(wording), "anchors": anchors, "labels": ", ".join(scale.labels)}
    question = store.instrument.method.format(scale=scale, **values)
    values = {"flow": flow, "n_responses": n_responses, "question": question}
    return " ".join(_render("methods", _about(store) | values).split())


def preregistration(store: Store) -> str:
    """Return a preregistration to fill in, with what the campaign's file already says."""
    return _render("preregistration", _about(store))


def _about(store: Store) -> dict[str, Any]:
    """Return what the texts say about a campaign before it begins."""
    conditions = sorted(set(store.plan.conditions.values())) if store.plan else []
    rules = _rules(store.campaign.exclude) if store.campaign.exclude else []
    about = {"campaign": store.campaign, "instrument": store.instrument, "plan": store.plan}
    return {**about, "conditions": conditions, "rules": rules}


def _rules(rules: Exclude) -> list[str]:
    """Return the exclusion rules in words."""
    texts = [
        (rules.attention, f"{rules.attention} or more attention items missed"),
        (rules.median_ms, f"a median reaction time below {rules.median_ms} ms"),
        (rules.controls, f"less than {rules.controls:.0%} of the controls right"),
        (rules.same_answer, f"the same answer to {rules.same_answer:.0%} of the pairs or more"),
        (rules.complete, f"less than {rules.complete:.0%} of the list answered"),
    ]
    named = [f"'{name}' not answered by {wanted}" for name, wanted in rules.questions.items()]
    return [text for value, text in texts if value] + named


def _render(name: str, values: dict[str, Any]) -> str:
    texts = Environment(
        loader=PackageLoader("grice.collecting", "texts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return texts.get_template(f"{name}.txt").render(**values)
