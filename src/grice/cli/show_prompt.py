"""grice show-prompt"""

from __future__ import annotations

from typing import Annotated

import typer

from grice.cli._flags import Hypothesis, Json, Label, Labels, Premise, Settings, columns, pairs, show


def show_prompt(
    dataset: Annotated[str, typer.Argument(help="A dataset by name, or a file.")],
    by: Annotated[str, typer.Option("--by", help="A judge that is asked in words, such as openai/MODEL.")],
    item: Annotated[str, typer.Option("--item", help="The id of an item; the first if not given.")] = "",
    settings: Settings = None,
    premise: Premise = "",
    hypothesis: Hypothesis = "",
    label: Label = "",
    labels: Labels = "",
    json: Json = False,
) -> None:
    """Print exactly what is sent to a model for an item; nothing is asked."""
    from grice.prompts import prompts

    found = prompts(
        dataset,
        by,
        item=item,
        settings=pairs(settings, "-M"),
        columns=columns(premise, hypothesis, label, labels),
    )

    def text() -> None:
        for sent in found:
            print(sent if isinstance(sent, str) else _drawn(sent))

    show(found, json=json, text=text)


def _drawn(sent: dict[str, object]) -> str:
    """The request as it goes out: the address, then the body, then the words of it with their line ends."""
    from json import dumps

    body = sent["body"]
    assert isinstance(body, dict)
    words = body["messages"][-1]["content"] if "messages" in body else body.get("prompt", "")
    return f"POST {sent['url']}\n{dumps(body, ensure_ascii=False, indent=1)}\n\nthe words of it:\n{words}\n"
