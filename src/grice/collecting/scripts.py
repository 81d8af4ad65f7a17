"""Scripts that analyse exported responses, and texts about the study: methods, preregistration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grice.collecting.campaign import Campaign
from grice.collecting.exclusion import Flow
from grice.collecting.store import Store
from grice.core.files import write_atomically

R_SCRIPT = """# Mixed model of {file}: participants and items are random effects.
# Needs lme4{needs}. Run it with: Rscript {script}
library(lme4)
responses <- read.csv("{file}")
responses <- subset(responses, kind == "work" & (is.na(fault) | fault == ""))
responses <- subset(responses, is.na(excluded) | excluded == "")
{filter}{model}
"""
R_NUMBERS = """fit <- lmer(response ~ {fixed} + (1 | person) + (1 | {unit}), data = responses)
print(summary(fit))
print(confint(fit, method = "Wald"))
"""
R_ORDINAL = """library(ordinal)
responses$response <- factor(responses$response, ordered = TRUE)
print(summary(clmm(response ~ {fixed} + (1 | person) + (1 | {unit}), data = responses)))
"""
R_LABELS = """responses$first <- as.integer(responses$response == "{label}")
fit <- glmer(first ~ {fixed} + (1 | person) + (1 | {unit}), data = responses, family = binomial)
print(summary(fit))
"""
PYTHON_SCRIPT = '''"""Mixed model of {file}: participants and items are random effects.

Needs pandas and statsmodels. Run it with: python {script}
"""

import pandas as pd
import statsmodels.formula.api as smf

responses = pd.read_csv("{file}")
responses = responses[(responses.kind == "work") & responses.fault.isna()]
responses = responses[responses.excluded.isna()]
{filter}{outcome}
parts = {{"person": "0 + C(person)", "item": "0 + C({unit})"}}
model = smf.mixedlm("outcome ~ {fixed}", responses.assign(all=1), groups="all", vc_formula=parts)
print(model.fit().summary())
'''


def write_scripts(store: Store, file: Path) -> list[Path]:
    """Write an R and a Python script beside exported responses; each runs as it is."""
    scale, has_design = store.instrument.scale, store.plan is not None
    fixed, unit = ("condition", "paradigm") if has_design else ("1", "id")
    values = {"file": file.name, "fixed": fixed, "unit": unit}
    if scale.labels:
        label = scale.labels[0]
        r_model = R_LABELS.format(label=label, **values)
        outcome = f'responses["outcome"] = (responses.response == "{label}").astype(float)'
    else:
        r_model = R_NUMBERS.format(**values) + (R_ORDINAL.format(**values) if scale.step else "")
        outcome = 'responses["outcome"] = pd.to_numeric(responses.response)'
    r_filter = 'responses <- subset(responses, condition != "")\n' if has_design else ""
    python_filter = "responses = responses[responses.condition.notna()]\n" if has_design else ""
    needs = " and ordinal" if scale.step else ""
    texts = {
        file.with_suffix(".R"): R_SCRIPT.format(
            script=file.with_suffix(".R").name,
            needs=needs,
            filter=r_filter,
            model=r_model,
            **values,
        ),
        file.with_suffix(".py"): PYTHON_SCRIPT.format(
            script=file.with_suffix(".py").name, filter=python_filter, outcome=outcome, **values
        ),
    }
    for path, text in texts.items():
        with write_atomically(path) as out:
            out.write(text)
    return list(texts)


# What each instrument asks, and its source.
INSTRUMENT_TEXTS = {
    "probability": "a subjective probability on a logistic slider (Chen, Jiang, Poliak, Sakaguchi &"
    " Van Durme 2020)",
    "likert": "a rating from −2 to 2 (Ross & Pavlick 2019)",
    "labels": "one of the labels {labels}",
    "pragmatic": "the relation of the two sentences and its subtype (Jeretič, Warstadt, Bhooshan &"
    " Williams 2020)",
    "scale": "an answer on the scale {scale}",
    "rating": "a rating on {points} points ({anchors})",
    "slider": "a position on a slider from {low:g} to {high:g} ({anchors})",
    "choice": "a forced choice between {labels}",
}


def methods_text(store: Store, flow: Flow, n_responses: int) -> str:
    """Return a methods paragraph with the numbers of a campaign."""
    campaign, wording = store.campaign, store.campaign.wording
    question = INSTRUMENT_TEXTS[campaign.instrument].format(
        labels=", ".join(store.instrument.scale.labels),
        scale=store.instrument.scale,
        points=wording.points,
        anchors=" to ".join(wording.anchors) or "without anchors",
        low=wording.low,
        high=wording.high,
    )
    sentences = [
        f"{flow.started} people took part; {_left_out(flow.reasons)}the answers of {flow.kept}"
        f" people ({n_responses:,} responses) were analysed.",
        f'To the question "{store.instrument.fields[0].ask}" they gave {question}.',
        *_design_sentences(store),
    ]
    if campaign.practice:
        sentences.append(f"Before that came practice with feedback ({len(campaign.practice)}).")
    if rules := _rules(campaign):
        sentences.append(f"People were excluded by rules fixed beforehand: {'; '.join(rules)}.")
    sentences.append(
        "Responses were analysed with a mixed-effects model with random intercepts for participants"
        " and items (lme4; Bates, Mächler, Bolker & Walker 2015). Data were collected with grice."
    )
    return " ".join(sentences)


def _left_out(reasons: Mapping[str, int]) -> str:
    if not reasons:
        return ""
    parts = ", ".join(f"{n} ({reason})" for reason, n in reasons.items())
    return f"{sum(reasons.values())} were excluded: {parts}; "


def _design_sentences(store: Store) -> list[str]:
    plan = store.plan
    if plan is None:
        redundancy = store.instrument.redundancy
        return [f"Each pair was shown to at least {redundancy} people, in random order."]
    entry, conditions = plan.lists[0], sorted(set(plan.conditions.values()))
    order = [
        f"it began with fillers ({plan.design.first_fillers})" if plan.design.first_fillers else "",
        f"no more than {plan.design.targets_in_a_row} of the targets came in a row"
        if plan.design.targets_in_a_row
        else "",
    ]
    return [
        f"{len(entry.targets)} paradigms in {len(conditions)} conditions"
        f" ({', '.join(conditions)}) were distributed over {len(plan.lists)} lists by a Latin"
        f" square, so that everybody saw one condition of each paradigm, with"
        f" {len(entry.fillers)} fillers.",
        "Each person had a random order"
        + "".join(f"; {part}" for part in order if part)
        + "; newcomers got the list with the fewest answers.",
    ]


def _rules(campaign: Campaign) -> list[str]:
    """Return the exclusion rules in words."""
    rules = campaign.exclude
    if rules is None:
        return []
    texts = [
        (rules.attention, f"{rules.attention} or more attention items missed"),
        (rules.median_ms, f"a median reaction time below {rules.median_ms} ms"),
        (rules.controls, f"less than {rules.controls:.0%} of the controls right"),
        (rules.same_answer, f"the same answer to {rules.same_answer:.0%} of the pairs or more"),
        (rules.complete, f"less than {rules.complete:.0%} of the list answered"),
    ]
    named = [f"'{name}' not answered by {wanted}" for name, wanted in rules.questions.items()]
    return [text for value, text in texts if value] + named


def preregistration(store: Store) -> str:
    """Return a preregistration to fill in, with what the campaign's file already says."""
    campaign, plan = store.campaign, store.plan
    planned = (
        f"{plan.design.people_per_list} people for each of {len(plan.lists)} lists,"
        f" {plan.design.people_per_list * len(plan.lists)} in all"
        if plan
        else f"{store.instrument.redundancy} people per pair"
    )
    rules = _rules(campaign)
    design = _design_sentences(store)
    sections = {
        "Hypotheses": ["To fill in: the direction of each effect."],
        "Design": design,
        "Sample": [f"{planned}. To fill in: why so many (grice power --people)."],
        "Measure": [f'"{store.instrument.fields[0].ask}", on the scale {store.instrument.scale}.'],
        "Exclusion": [*(f"- {rule}" for rule in rules)] or ["Nobody is excluded by a rule."],
        "Analysis": [
            "A mixed-effects model with random intercepts for participants and items; the script"
            " that `grice collect export --csv` writes. To fill in: the contrasts of interest."
        ],
    }
    parts = [f"# {campaign.title}: preregistration"]
    parts += [f"## {title}\n\n" + "\n".join(lines) for title, lines in sections.items()]
    return "\n\n".join(parts) + "\n"
