"""What a judge would be sent, without sending it: what `grice show-prompt` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice import loading
from grice.core.errors import InputError, unknown
from grice.core.judgement import ShowsPrompt


def prompts(
    dataset: str,
    judge: str,
    *,
    item: str = "",
    settings: Mapping[str, str] | None = None,
    columns: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Exactly what goes out for one item, one entry a prompt; the first item unless its id is given."""
    data = loading.load(dataset, **(columns or {}))
    made = loading.load_judge(judge, **(settings or {}))
    if not isinstance(made, ShowsPrompt):
        raise InputError(
            f"'{judge}' is not asked in words, so there is no prompt to show; try openai/MODEL or hf/MODEL"
        )
    for question in data.questions():
        if item in ("", question.id):
            return made.show_prompt(question, data.scale)
    raise unknown(f"item of {dataset}", item, data.ids)
