"""Parameters that a server rejects, detected from its error messages, and replacements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from grice.core.progress import say
from grice.judges.client import Failure
from grice.judges.reply import Reply
from grice.judges.reply_text import strip_reasoning

# Tokens of a reply by a model that reasons before it answers, and its name in `told`.
REASONING_ROOM = 4096
REASONS = "reasoning"

# Statuses and messages of servers that reject a parameter.
TAKES_NO = (400, 422)
REFUSED = re.compile(
    r"(?i)unsupported|not supported|does not support|not compatible|deprecated|unrecognized|only"
    r" the default|must be (?:strictly )?(?:positive|greater|> ?0)"
)
# Only one reply per request, as in "n must be 1" or "'n' > 1 is not supported".
ONE_REPLY = re.compile(
    r"(?i)(?<!\w)['\"`]?n['\"`]?\s*(?:[>=]|must|should|is\b|cannot|parameter)|multiple"
    r" (?:choices|completions)"
)
SCHEMA = re.compile(
    r"(?i)response_format|json_schema|json_object|output_config|output_format|structured output"
)


class Refusals:
    """The parameters that one server rejected, by name, and whether its model reasons.

    `strict`: a schema is required, and never replaced by a weaker form.
    """

    def __init__(self, judge: str, endpoint: str, *, strict: bool) -> None:
        self.judge, self.endpoint, self.strict = judge, endpoint, strict
        self.told: dict[str, str] = {}

    @property
    def room(self) -> int:
        """Tokens that a request gets because the model reasons; 0 for a model that does not."""
        return REASONING_ROOM if REASONS in self.told else 0

    def make_room(self, replies: Sequence[Reply], body: Mapping[str, Any]) -> bool:
        """Return whether a request has to be repeated with more tokens.

        It has if a reply to it ended while the model reasoned.
        """
        sent = body.get("max_tokens") or body.get("max_completion_tokens") or 0
        if sent >= REASONING_ROOM or not any(map(_cut_while_reasoning, replies)):
            return False
        if not self.room:
            self.told[REASONS] = f"max_tokens={REASONING_ROOM}"
            say(
                f"{self.judge}: the model reasons before it answers, so its replies may have"
                f" {REASONING_ROOM:,} tokens; -M max_tokens=… overrides"
            )
        return True

    def adapted(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a request without what the server rejected."""
        if self.room and "max_tokens" in body:
            body["max_tokens"] = self.room
        if "max_tokens" in self.told and "max_tokens" in body:
            body["max_completion_tokens"] = body.pop("max_tokens")
        if "top_logprobs" in self.told:
            body |= {
                key: int(self.told["top_logprobs"].split()[-1]) for key in _count_of_tops(body)
            }
        adapted_keys = {"max_tokens", "response_format", "top_logprobs"}
        return {
            key: value for key, value in body.items() if key in adapted_keys or key not in self.told
        }

    def stands(self, reply: Mapping[str, Any] | Failure, body: Mapping[str, Any]) -> bool:
        """Return whether the result is final.

        It is a reply, or a failure that no change of the request would correct.
        """
        return (
            not isinstance(reply, Failure)
            or reply.status not in TAKES_NO
            or not self.learn(reply.fault, body)
        )

    def learn(self, message: str, body: Mapping[str, Any]) -> bool:
        """Return whether a retry makes sense.

        It does if the server named a parameter that it rejects, and the request had it.
        """
        if "max_tokens" in body and "max_completion_tokens" in message:
            self.told["max_tokens"] = "sent as max_completion_tokens"
            return True
        for key in ("temperature", "seed", "reasoning_effort"):
            if key in body and key in message and REFUSED.search(message):
                self.told[key] = "left to the server"
                return True
        if body.get("n", 1) > 1 and ONE_REPLY.search(message):
            self.told["n"] = "asked one at a time"
            return True
        for key in _count_of_tops(body):
            fewer = [
                int(number) for number in re.findall(r"\d+", message) if 0 < int(number) < body[key]
            ]
            if "logprobs" in message and fewer:
                self.told["top_logprobs"] = f"at most {max(fewer)}"
                return True
        if "response_format" in body and SCHEMA.search(message) and not self.strict:
            return self._loosen(message, body["response_format"]["type"])
        # Another thread may have learnt it while this request was running.
        return any(
            key in body for key in self.told if key not in ("response_format", "top_logprobs")
        )

    def _loosen(self, message: str, sent: str) -> bool:
        """Request JSON in a weaker form than the server rejected, and say so.

        The last resort is to request it in words alone.
        """
        weaker = (
            "sent as json_object"
            if sent == "json_schema" and self.endpoint != "messages"
            else "left out"
        )
        if self.told.get("response_format") not in (weaker, "left out"):
            self.told["response_format"] = weaker
            say(
                f"{self.judge}: the server does not take {sent} ({message}); response_format is"
                f" {weaker}"
            )
        return True


def _cut_while_reasoning(reply: Reply) -> bool:
    """Return whether a reply was cut off before its answer began."""
    return reply.finish == "length" and (
        bool(reply.reasoning or reply.reasoned) or not strip_reasoning(reply.text)
    )


def _count_of_tops(body: Mapping[str, Any]) -> list[str]:
    """Return the fields that request log-probabilities for several tokens.

    They differ between chat and plain completions.
    """
    return [
        key for key in ("top_logprobs", "logprobs") if type(body.get(key)) is int and body[key] > 1
    ]
