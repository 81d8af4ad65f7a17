"""grice show-prompt"""

from __future__ import annotations

from typing import Annotated, Any

from typer import Argument, Option

from grice.cli._flags import FileColumns, Json, Settings, pairs, show


def show_prompt(
    dataset: Annotated[str, Argument(help="A dataset by name, or a file.")],
    by: Annotated[
        str,
        Option(
            "--by",
            metavar="JUDGE[,KEY=VALUE…]",
            help="A judge that is asked in words, such as openai/MODEL or hf/MODEL.",
        ),
    ],
    item: Annotated[str, Option("--item", help="The id of an item; the first if not given.")] = "",
    settings: Settings = None,
    columns: FileColumns = FileColumns(),
    json: Json = False,
) -> None:
    """Print exactly what a model is sent or reads for an item; no request is made."""
    from grice.verbs.show_prompt import show_prompt as prompts

    read_as = columns.keywords()
    requests = prompts(dataset, by, item=item, settings=pairs(settings, "-M"), **read_as)

    def text() -> None:
        for sent in requests:
            print(_request(sent) if "url" in sent else _continued(sent))

    show(requests, json=json, text=text)


def _request(sent: dict[str, Any]) -> str:
    """Return the request as it is sent: the address, the body, then the prompt with line breaks."""
    from json import dumps

    body = sent["body"]
    prompt = body["messages"][-1]["content"] if "messages" in body else body.get("prompt", "")
    return (
        f"POST {sent['url']}\n{dumps(body, ensure_ascii=False, indent=1)}\n\nthe words of"
        f" it:\n{prompt}\n"
    )


def _continued(sent: dict[str, Any]) -> str:
    """Return the prefix of a causal model, then each scored label text with its tokens."""
    begins = f" beginning with {' '.join(sent['begins'])}," if sent["begins"] else ""
    lines = [
        (
            f"the prompt,{begins} {sent['tokens']} tokens (the model takes {sent['longest']} with a"
            " label):"
        ),
        sent["prompt"],
        "",
        "each label is scored as what goes on from there:",
    ]
    for end in sent["endings"]:
        lines.append(
            f"  {end['label']}: '{end['text']}', {len(end['tokens'])} tokens:"
            f" {' '.join(end['tokens'])}"
        )
    return "\n".join(lines)
