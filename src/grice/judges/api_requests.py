"""The requests of an API judge: what is sent for a question on one scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.scale import Scale
from grice.judges.api_settings import OpenaiSettings
from grice.judges.client import CHARACTERS_A_TOKEN
from grice.judges.constraints import FORMS, schema_of
from grice.judges.dialects import DIALECTS
from grice.judges.direct import DIRECT
from grice.judges.echo import echo_request, echo_size
from grice.judges.journal import Journal
from grice.judges.methods import Method, MethodSet
from grice.judges.prompts import Way, Wordings
from grice.judges.refusals import Refusals
from grice.judges.reply import Reply
from grice.judges.reply_text import LETTERS

# The readout here for each readout of a method.
BY_METHOD = {"letter": "logprobs", "words": "text", "text": "text", "json": "json", DIRECT: DIRECT}


@dataclass(frozen=True)
class ApiRequests:
    """What is sent for a question: its prompts, their bodies and sizes.

    `parameters` are those of every request; `assigned` are the prompt variants of the items, and
    `orders` the label orders of items with one prompt.
    """

    name: str
    model: str
    settings: OpenaiSettings
    scale: Scale
    parameters: Mapping[str, Any]
    wordings: Wordings
    methods: MethodSet | None
    assigned: Mapping[str, tuple[Method, ...]]
    orders: Mapping[str, int]
    refused: Refusals
    journal: Journal

    @property
    def form(self) -> str | None:
        """The constraint that the server was seen to obey; None if it was not tested yet."""
        form: str | None = self.journal.last("constraint")
        return form

    def ways(self, question: Question) -> list[Way]:
        """Return the prompts of a question, each with its readout and the name of its method."""
        if self.methods is None:
            readout, order = self.settings.readout, self.orders.get(question.id, 0)
            prompt = self.wordings.ask(question, self.scale, readout, order=order)
            return [Way(prompt, readout)]
        ways = []
        for method in self.assigned.get(question.id, self.methods.methods[: self.methods.each]):
            if method.readout not in BY_METHOD or method.shots or method.think:
                fact = f"{self.name} cannot be asked by the method {method.name}"
                raise InputError(
                    f"{fact}; its readouts are {', '.join(BY_METHOD)}, without examples"
                )
            readout = BY_METHOD[method.readout]
            ways.append(
                Way(
                    method.prompt(question, self.scale, self.wordings, readout),
                    readout,
                    method.name,
                )
            )
        return ways

    @property
    def gives_room(self) -> bool:
        """Whether replies get more tokens once the model is seen to reason: no limit was set."""
        settings = self.settings
        return (
            settings.max_tokens is None
            and settings.endpoint != "completions"
            and settings.readout != DIRECT
        )

    def body(self, way: Way) -> dict[str, Any]:
        """Return the body of a request, without what the server rejected."""
        if way.readout == DIRECT:
            return self.refused.adapted(
                echo_request(way.prompt, {"model": self.model, **self.settings.body})
            )
        chat = self.settings.endpoint != "completions"
        messages = (
            [{"role": "system", "content": self.settings.system}] if self.settings.system else []
        )
        messages.append({"role": "user", "content": way.prompt.text})
        request: dict[str, Any] = (
            {"messages": messages} if chat else {"prompt": f"{way.prompt.text}\n\nAnswer:"}
        )
        if way.readout == "logprobs":
            top = len(LETTERS)
            request |= {"logprobs": True, "top_logprobs": top} if chat else {"logprobs": top}
        elif way.readout == "text" and not chat:
            # A base model does not stop by itself; its first line is the answer.
            request["stop"] = ["\n"]
        form = self.form_of(way)
        if way.readout == "json" and form:
            request["response_format"] = schema_of(self.scale, form, way.prompt.words)
        elif form:
            request |= FORMS[form](way.prompt.words)
        more = {"n": self.settings.samples} if self.settings.samples > 1 else {}
        return self.refused.adapted(
            {"model": self.model, **request, **self.parameters, **more, **self.settings.body}
        )

    def form_of(self, way: Way) -> str:
        """Return the constraint of a request to the labels, or an empty string."""
        kind = self.settings.constrain
        if way.readout == "json":
            sent = {"": self.settings.format, "sent as json_object": "json_object"}
            return (
                "" if kind == "none" else sent.get(self.refused.told.get("response_format", ""), "")
            )
        if kind != "auto" or way.readout != "text" or self.scale.numeric:
            return ""
        return next(iter(FORMS)) if self.form is None else self.form

    def dialect_body(self, body: dict[str, Any], way: Way | None = None) -> dict[str, Any]:
        """Return a request in the form of the server."""
        return DIALECTS[self.settings.endpoint].request(body, way.prompt.stable if way else 0)

    def size(self, way: Way) -> tuple[int, int]:
        """Return the most tokens in and out that a request can take."""
        if way.readout == DIRECT:
            return echo_size(way.prompt)
        length = self.refused.room or self.settings.body.get(
            "max_completion_tokens", self.parameters["max_tokens"]
        )
        n_characters = len(way.prompt.text) + len(self.settings.system)
        return n_characters // CHARACTERS_A_TOKEN + 8, int(length) * self.settings.samples

    def prompted(self, way: Way) -> Reply:
        """Return an empty reply with what a prompt shows."""
        base, prompt, form = (
            self.settings.endpoint == "completions",
            way.prompt,
            self.form_of(way),
        )
        return Reply(
            prompt.labels,
            words=prompt.other_words,
            method=way.method,
            forced=base,
            constrained=form,
            lettered=prompt.lettered,
        )
