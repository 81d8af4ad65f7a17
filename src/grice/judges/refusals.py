"""What a server does not take of a request, learnt from its own words, and what it gets instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grice.core.progress import say

REFUSED = re.compile(
    r"(?i)unsupported|not supported|does not support|not compatible|deprecated|unrecognized|only the default"
)
SCHEMA = re.compile(r"(?i)response_format|json_schema|json_object|output_config|output_format|structured output")


class Refusals:
    """What one server refused, by the name of the parameter; `strict`: a schema is asked for or nothing."""

    def __init__(self, judge: str, endpoint: str, *, strict: bool) -> None:
        self.judge, self.endpoint, self.strict = judge, endpoint, strict
        self.told: dict[str, str] = {}

    def adapted(self, body: dict[str, Any]) -> dict[str, Any]:
        """A request without what the server refused."""
        if "max_tokens" in self.told and "max_tokens" in body:
            body["max_completion_tokens"] = body.pop("max_tokens")
        kept = {"max_tokens", "response_format"}
        return {key: value for key, value in body.items() if key in kept or key not in self.told}

    def learn(self, said: str, body: Mapping[str, Any]) -> bool:
        """Whether another try makes sense: the server named what it does not take, and the request had it."""
        if "max_tokens" in body and "max_completion_tokens" in said:
            self.told["max_tokens"] = "sent as max_completion_tokens"
            return True
        for key in ("temperature", "seed", "reasoning_effort"):
            if key in body and key in said and REFUSED.search(said):
                self.told[key] = "left to the server"
                return True
        if "response_format" in body and SCHEMA.search(said) and not self.strict:
            return self._loosen(said, body["response_format"]["type"])
        # Another thread may have learnt it while this request was under way.
        return any(key in body for key in self.told if key != "response_format")

    def _loosen(self, said: str, sent: str) -> bool:
        """Ask for JSON in a weaker way than the server refused, and say so; in words alone at last."""
        weaker = "sent as json_object" if sent == "json_schema" and self.endpoint != "messages" else "left out"
        if self.told.get("response_format") not in (weaker, "left out"):
            self.told["response_format"] = weaker
            say(f"{self.judge}: the server does not take {sent} ({said}); response_format is {weaker}")
        return True
