"""Request forms of servers: OpenAI's chat and plain completions, and Anthropic's messages.

A request is made as a chat completion and converted to the server's form when it is sent; its reply
is converted back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

# Shortest prefix that hosts cache, in characters: 1,024 tokens of about four characters.
CACHED_FROM = 4096
STOPS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "refusal": "content_filter",
}


def _bearer(key: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _anthropic(key: str | None) -> dict[str, str]:
    return {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}


@dataclass(frozen=True)
class Dialect:
    """A path, the headers with the key, and the conversion of requests and replies.

    `several`: one request can bring several samples.
    """

    path: str
    headers: Callable[[str | None], dict[str, str]] = _bearer
    request: Callable[[dict[str, Any], int], dict[str, Any]] = lambda body, _: body
    reply: Callable[[dict[str, Any]], dict[str, Any]] = lambda value: value
    several: bool = True


def _to_message(body: dict[str, Any], stable: int) -> dict[str, Any]:
    """Convert a chat request to one of Anthropic's messages.

    What comes before the item is marked for the cache.
    """
    messages = body["messages"]
    system = [
        _block(message["content"], cached=True)
        for message in messages
        if message["role"] == "system"
    ]
    text = next(message["content"] for message in messages if message["role"] == "user")
    cut = stable if stable >= CACHED_FROM else 0
    content = [_block(text[:cut], cached=True), _block(text[cut:])] if cut else text
    config: dict[str, Any] = {}
    if "response_format" in body:
        response_format = body["response_format"]
        config["format"] = {
            "type": "json_schema",
            "schema": response_format.get("json_schema", response_format)["schema"],
        }
    if "reasoning_effort" in body:
        config["effort"] = body["reasoning_effort"]
    left_out = {
        "messages",
        "response_format",
        "reasoning_effort",
        "n",
        "seed",
        "logprobs",
        "top_logprobs",
    }
    return {
        **{key: value for key, value in body.items() if key not in left_out},
        **({"system": system} if system else {}),
        **({"output_config": config} if config else {}),
        "messages": [{"role": "user", "content": content}],
    }


def _block(text: str, *, cached: bool = False) -> dict[str, Any]:
    return {
        "type": "text",
        "text": text,
        **({"cache_control": {"type": "ephemeral"}} if cached else {}),
    }


def _from_message(value: dict[str, Any]) -> dict[str, Any]:
    """Convert a message of Anthropic's to a chat completion.

    Anthropic's input tokens exclude those of the cache; here they include them.
    """
    parts, usage = value["content"], value.get("usage")
    text = "".join(part["text"] for part in parts if part["type"] == "text")
    thought = "".join(part.get("thinking", "") for part in parts if part["type"] == "thinking")
    message = {"role": "assistant", "content": text, "reasoning_content": thought}
    completion = {
        "id": value.get("id"),
        "model": value.get("model"),
        "choices": [
            {"message": message, "finish_reason": STOPS.get(value.get("stop_reason") or "", "stop")}
        ],
    }
    return (
        completion
        if not isinstance(usage, Mapping)
        else {**completion, "usage": _from_usage(usage)}
    )


def _from_usage(usage: Mapping[str, Any]) -> dict[str, Any]:
    cached, written = (
        usage.get("cache_read_input_tokens") or 0,
        usage.get("cache_creation_input_tokens") or 0,
    )
    return {
        "prompt_tokens": (usage.get("input_tokens") or 0) + cached + written,
        "completion_tokens": usage.get("output_tokens") or 0,
        "prompt_tokens_details": {"cached_tokens": cached, "written_tokens": written},
    }


CHAT = Dialect("chat/completions")
DIALECTS = {
    "chat": CHAT,
    "completions": Dialect("completions"),
    "messages": Dialect("messages", _anthropic, _to_message, _from_message, several=False),
}
