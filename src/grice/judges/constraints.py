"""Constrained decoding: a choice, a regular expression, a grammar or a schema.

Each is sent in the form that the server takes. Many servers ignore fields that they do not know, so
a form counts as accepted only if a server that is asked for another word writes one of the two that
it is constrained to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grice.core.scale import Scale
from grice.judges.client import Failure
from grice.judges.reply_text import strip_reasoning

SendRequest = Callable[[dict[str, Any]], dict[str, Any] | Failure]

# vLLM's current and older forms, SGLang's, and llama.cpp's, in the order in which they are tried.
FORMS: Mapping[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "structured_outputs.choice": lambda words: {"structured_outputs": {"choice": list(words)}},
    "guided_choice": lambda words: {"guided_choice": list(words)},
    "regex": lambda words: {"regex": _regex(words)},
    "grammar": lambda words: {
        "grammar": "root ::= " + " | ".join(json.dumps(word) for word in words)
    },
}
# The values of `-M constrain`: `auto` tries the forms, `json_schema` insists on a schema.
KINDS = ("auto", "none", "json_schema")
# An unconstrained model would write the word that it is asked for.
ASKED, HELD_TO = "Write the word banana, and nothing else.", ("quince", "medlar")


def find_form(
    post: SendRequest, body: Mapping[str, Any]
) -> tuple[str, dict[str, str], list[dict[str, Any]]]:
    """Return the first form that the server obeys, the failed forms, and the replies.

    The form is "" if there is none. Each failed form is given with its reason; the replies are
    needed for their cost. `body` is a request without a question.
    """
    tried: dict[str, str] = {}
    replies = []
    for name in FORMS:
        prompt_fields = (
            {"messages": [{"role": "user", "content": ASKED}]}
            if "messages" in body
            else {"prompt": ASKED}
        )
        reply = post({**body, **prompt_fields, **FORMS[name](HELD_TO)})
        if isinstance(reply, Failure):
            tried[name] = reply.fault
            continue
        replies.append(reply)
        message = reply["choices"][0].get("message") or {"content": reply["choices"][0].get("text")}
        written = (strip_reasoning(message.get("content") or "") or "").strip()
        if written in HELD_TO:
            return name, tried, replies
        tried[name] = f"passed over: it wrote '{written[:40]}'"
    return "", tried, replies


def schema_of(scale: Scale, format: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer, in OpenAI's form or in llama.cpp's older one."""
    labels: dict[str, Any] = {"type": "string", "enum": list(words)}
    answer = (
        {"type": "number", "minimum": scale.low, "maximum": scale.high} if scale.numeric else labels
    )
    schema = {
        "type": "object",
        "properties": {"answer": answer},
        "required": ["answer"],
        "additionalProperties": False,
    }
    if format == "json_object":
        return {"type": "json_object", "schema": schema}
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": schema},
    }


def _regex(words: Sequence[str]) -> str:
    return "(" + "|".join(re.escape(word) for word in words) + ")"
