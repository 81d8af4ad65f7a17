"""The prompts of a judge, without sending them: `grice show-prompt`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.judgement import Judge, Learner, ShowsPrompt


def show_prompt(
    dataset: str | Path | Dataset,
    by: str | Judge | Learner,
    *,
    item: str = "",
    settings: Mapping[str, str] | None = None,
    **columns: str,
) -> list[dict[str, Any]]:
    """Return exactly what a model is sent or reads for one item, one entry per prompt.

    It is the first item unless its id is given.

    `settings` are the judge's, `columns` say which column of a file is the premise, hypothesis or
    label.

    >>> settings = {"url": "http://localhost:8000/v1"}
    >>> (sent,) = show_prompt("quantifiers@1", "openai/my-model", settings=settings)
    >>> sent["url"], sent["body"]["model"]
    ('http://localhost:8000/v1/chat/completions', 'my-model')
    """
    data = dataset if isinstance(dataset, Dataset) else loading.load(str(dataset), **columns)
    ((name, judge),) = loading.load_judges(by, settings)
    if not isinstance(judge, ShowsPrompt):
        raise InputError(f"'{name or by}' has no prompt; try openai/MODEL or hf/MODEL")
    for question in data.questions():
        if item in ("", question.id):
            return judge.show_prompt(question, data.scale)
    raise unknown(f"item of {data.name}", item, data.ids)
