"""Models behind an OpenAI-compatible address.

This is a hosted API, or llama.cpp, vLLM or Ollama on your machine.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.core.settings import read_settings, with_settings
from grice.core.usage import Price, Usage
from grice.judges.api_requests import ApiRequests
from grice.judges.api_session import ApiSession
from grice.judges.api_settings import OpenaiSettings
from grice.judges.client import Client
from grice.judges.constraints import FORMS
from grice.judges.dialects import DIALECTS
from grice.judges.direct import DIRECT
from grice.judges.echo import echoed_surprisal
from grice.judges.hosts import check_address, find_host
from grice.judges.journal import Journal
from grice.judges.methods import Method, methods_of_server
from grice.judges.outages import Outages
from grice.judges.positions import PositionCounts, assign_orders
from grice.judges.prompts import Wordings
from grice.judges.refusals import REASONING_ROOM, REASONS, Refusals
from grice.judges.reply_text import LETTERS
from grice.judges.unit import Rule, rule
from grice.judges.usage import find_price

# Log-probabilities need several tokens, since some models begin with a blank or with "The answer
# is"; a base model begins with the answer.
LENGTHS = {"logprobs": 16, "json": 64, "text": 128, DIRECT: 1}


# Settings that choose the readout or the prompts, or bound what is asked: no probe then.
CHOSEN = {
    *("readout", "methods", "template", "samples", "constrain", "format", "unit"),
    *("endpoint", "batch", "body", "limit_requests", "limit_tokens", "limit_cost"),
}


@with_settings(OpenaiSettings)
class Openai:
    """`openai/MODEL`: asks by chat completion, reads the reply by `readout=text|json|logprobs`.

    `url`, `key_env`: where, and which environment variable holds the key. `endpoint=completions`:
    for base models. `template`: your own prompt file; `system`: the system prompt.
    `methods=quick|standard|full|FILE.toml`: by several methods of a set. `samples=20` with
    `temperature=1`: the shares of the answers as probabilities. `effort=low|medium|high`: how long
    a reasoning model thinks. `unit`: a rule that turns NLI probabilities into an answer on 0 … 1,
    instead of asking for it. `constrain=auto|none|json_schema`: what the
    server is held to write. `max_tokens`, `temperature`, `seed`, `format=json_object`, `body={…}`:
    the request. `batch=true`: by the batch endpoint, in batches of `batch_size` requests, looked at
    every `poll` seconds. `connections`, `retries`, `timeout`, `backoff`: the patience.
    `limit_requests`, `limit_tokens`, `limit_cost` with `price=IN,OUT` a million tokens, or a file
    of `prices`: what to spend.
    """

    provider: ClassVar[str] = "openai"
    takes: ClassVar[type[OpenaiSettings]] = OpenaiSettings

    def __init__(self, name: str, **settings: Any) -> None:
        host = find_host(self.provider)
        self.model, self.name = name, f"{host.provider}/{name}"
        self.settings = options = read_settings(
            self.takes, settings, noun=f"setting of {host.provider}"
        )
        if options.prices and options.price is None:
            self.settings = options = replace(options, price=find_price(options.prices, name))
        self.host = host
        self.url = check_address(options.url or os.environ.get(host.url_env or "") or host.url)
        self.readout = options.readout
        self.wordings = Wordings.read(options.template)
        self.methods = methods_of_server(
            options.methods, options.readout, chat=options.endpoint != "completions"
        )
        self.assigned: Mapping[str, tuple[Method, ...]] = {}
        self.orders: Mapping[str, int] = {}
        self.given, self.probed = dict(settings), ""
        self.rule: Rule | None = rule(options.unit) if options.unit else None
        seed = {} if options.seed is None else {"seed": options.seed}
        base = options.endpoint == "completions" and options.readout == "logprobs"
        usual = 4 if base else LENGTHS[options.readout]
        length = options.max_tokens or (REASONING_ROOM if options.effort else usual)
        effort = {"reasoning_effort": options.effort} if options.effort else {}
        self.request: dict[str, Any] = {
            "max_tokens": length,
            "temperature": options.temperature,
            **seed,
            **effort,
        }
        self.refused = Refusals(
            self.name, options.endpoint, strict=options.constrain == "json_schema"
        )
        self.notes: dict[str, Any] = {}
        self._journal = Journal()

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that could change an answer: neither the key nor timeouts and retries."""
        settings = {
            "url": self.url,
            "endpoint": self.settings.endpoint,
            "model": self.model,
            "readout": self.readout,
        }
        formats = {"format": self.settings.format} if self.readout == "json" else {}
        unit = {"unit": self.settings.unit} if self.settings.unit else {}
        prompt_identity: dict[str, Any] = {"template": self.wordings.digest}
        prompt_identity |= {"methods": self.methods.digest} if self.methods else {}
        prompt_identity |= {"orders": "balanced"} if self._balances else {}
        prompt_identity |= {
            key: value
            for key in ("samples", "system", "constrain")
            if (value := getattr(self.settings, key)) not in (1, "")
        }
        return {
            **settings,
            **unit,
            **formats,
            **prompt_identity,
            "request": {**self.request, **self.settings.body},
        }

    @property
    def alone_because(self) -> str:
        """The reason why only one process may use this judge at a time; empty if there is none."""
        settings = self.settings
        limited = any(
            x is not None
            for x in (settings.limit_requests, settings.limit_tokens, settings.limit_cost)
        )
        if settings.batch:
            return "the batches of a run are sent by one process"
        return "its limits of spending hold within one process" if limited else ""

    @property
    def _balances(self) -> bool:
        """Whether letters are shown, one order per item."""
        return self.readout == "logprobs" and self.methods is None

    def in_orders(self, ids: Sequence[str], scale: Scale) -> Openai:
        """Return a copy that shows the labels in balanced orders, whatever its readout."""
        labels = self._prompt_scale(scale).labels
        orders = assign_orders(Method(), ids, labels, self.settings.seed or 0)
        bound = copy(self)
        bound.orders = {item: int(method.order) for item, method in orders.items()}
        return bound

    def order_of(self, item: str) -> int | None:
        """Return the order in which an item's labels are shown; None if there is none."""
        return self.orders.get(item)

    def candidates(self, scale: Scale) -> Mapping[str, Openai]:
        """Return this judge by each readout; none if the readout or the prompts were chosen."""
        if scale.numeric or CHOSEN & self.given.keys():
            return {}
        readouts = ["text", "json", "logprobs"]
        if self.settings.endpoint == "messages" or len(scale.labels) > len(LETTERS):
            readouts.remove("logprobs")
        return {
            readout: type(self)(self.model, **{**self.given, "readout": readout})
            for readout in readouts
        }

    def bind(self, ids: Sequence[str], scale: Scale) -> Openai:
        """Return a copy of this judge with methods, or label orders, assigned to the items.

        Items with assigned methods or orders keep them.
        """
        if self._balances and not self.orders.keys() >= set(ids):
            return self.in_orders(ids, scale)
        if self.methods is None or self.assigned.keys() >= set(ids):
            return self
        bound = copy(self)
        bound.assigned = self.methods.assign(ids, self.settings.seed or 0)
        return bound

    def work_in(self, folder: Path) -> Openai:
        """Return a copy of this judge that stores its state in a run's folder.

        The state is its batches and what it learnt about the server.
        """
        working = copy(self)
        working._journal = Journal(folder)
        working.refused.told.update(working._journal.last("refused") or {})
        return working

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield a judgement of each question as the server answers, in any order."""
        asked_scale = self._prompt_scale(scale)
        if self.settings.batch and self._journal.path is None:
            raise InputError(
                "a batch is resumed from the run's folder; give --into, or leave out -M batch=true"
            )
        client = self._client().open()
        session = ApiSession(client, self.url, self._requests(asked_scale), self.rule)
        batches, positions = session.batches(), PositionCounts()
        try:
            session.constrain()
            fetched = (
                batches.fetch(questions) if batches else ((question, {}) for question in questions)
            )
            outages = Outages(self.url, client.halt)
            for result in outages.watch(session.ask, fetched, self.settings.connections):
                if (order := self.orders.get(result.judgement.item)) is not None:
                    positions.add(asked_scale.labels, order, result.judgement.answer)
                yield result.judgement
                if batches:
                    batches.settle(result.judgement.item)
        finally:
            client.close()
            self.notes.clear()
            counts = batches.counts() if batches else {}
            notes = {**self._notes(client), **positions.notes(), **counts}
            self.notes.update({**notes, **({"probe": self.probed} if self.probed else {})})

    def _notes(self, client: Client) -> dict[str, Any]:
        """Return what this session used, and what the server rejected."""
        used = client.budget
        spent = {
            "requests": used.spent_requests,
            "tokens in": used.spent.into,
            "tokens out": used.spent.out,
        }
        cost = {} if self.settings.price is None else {"cost": round(used.spent_cost, 6)}
        slowed = (
            {"connections at least": client.pace.least}
            if client.pace.least < self.settings.connections
            else {}
        )
        refused = {
            key if key == REASONS else f"refused {key}": value
            for key, value in self.refused.told.items()
        }
        obeyed = self._journal.last("constraint")
        form = {} if obeyed is None else {"constraint": obeyed or "none that the server obeys"}
        return {**spent, **cost, **slowed, **refused, **form}

    @property
    def price(self) -> Price | None:
        """The price of a million tokens, if it was given."""
        return self.settings.price

    def estimate(self, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
        """Return the most that a run can use, before the first request.

        Input tokens are estimated by length, output tokens by `max_tokens`.
        """
        asked_scale = self._prompt_scale(scale)
        requests = self._requests(asked_scale)
        sizes = [requests.size(way) for q in questions for way in requests.ways(q)]
        into, out = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        settings = self.settings
        cost = (
            None
            if settings.price is None
            else settings.price.cost(Usage(into, out), batched=settings.batch)
        )
        reasons = (
            {"tokens out if it reasons, at most": len(sizes) * REASONING_ROOM}
            if requests.gives_room and not settings.effort
            else {}
        )
        batches = {"batches": math.ceil(len(sizes) / settings.batch_size)} if settings.batch else {}
        return {
            "requests": len(sizes),
            **batches,
            "tokens in, about": into,
            "tokens out, at most": out,
            **reasons,
            "cost, at most": cost,
        }

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Return exactly what is sent for a question, without the key.

        Each prompt has an address and a body.
        """
        asked_scale = self._prompt_scale(scale)
        sent = self._requests(asked_scale)
        requests = [{"url": self._endpoint, "body": sent.body(way)} for way in sent.ways(question)]
        if sent.form is None and self.settings.constrain == "auto" and not asked_scale.numeric:
            what = (
                f"the first of {', '.join(FORMS)} that the server obeys; it is asked once before"
                " the first item"
            )
            return [{**request, "constraint": what} for request in requests]
        return requests

    def surprisal(self, texts: Sequence[str]) -> list[float | None]:
        """Return the bits of each text after its first token, or None if it was not echoed.

        Only `endpoint=completions` can echo a text with its log-probabilities.
        """
        if self.settings.endpoint != "completions":
            raise InputError(
                f"{self.name}: a chat gives no log-probability of a text; use -M"
                " endpoint=completions"
            )
        client, body = self._client().open(), {"model": self.model, **self.settings.body}
        try:
            return echoed_surprisal(client, texts, body, self.settings.connections)
        finally:
            client.close()

    @property
    def _endpoint(self) -> str:
        return f"{self.url}/{DIALECTS[self.settings.endpoint].path}"

    def _client(self) -> Client:
        settings = self.settings
        key = os.environ.get(settings.key_env or self.host.key_env) or None
        if key is None and self.url == self.host.url and self.host.key_env:
            raise InputError(
                f"no key for {self.url}; set {settings.key_env or self.host.key_env}, or name your"
                " server with -M url=http://…/v1"
            )
        arguments = (
            settings.connections,
            settings.retries,
            settings.timeout,
            settings.backoff,
            settings.budget(),
            DIALECTS[settings.endpoint],
        )
        return Client(self._endpoint, key, *arguments)

    def _prompt_scale(self, scale: Scale) -> Scale:
        """Return the scale of the prompts, checked against the readout.

        It is NLI if a rule turns label probabilities into a number.
        """
        if self.rule is not None and scale != UNIT:
            raise InputError(
                f"the rule unit={self.settings.unit} answers on {UNIT}, not on {scale}; leave"
                " it out"
            )
        asked_scale = NLI if self.rule is not None else scale
        if asked_scale.numeric and self.settings.constrain == "auto":
            raise InputError(
                f"constrain=auto holds for labels, not for {scale}; use -M readout=json, or leave"
                " it out"
            )
        if self.readout == "logprobs" and asked_scale.numeric:
            raise InputError(
                f"log-probabilities answer labels, not {scale}; use -M readout=text or -M"
                " unit=surrogate"
            )
        if self.readout == "logprobs" and len(asked_scale.labels) > len(LETTERS):
            limit, has = len(LETTERS), len(asked_scale.labels)
            raise InputError(
                f"log-probabilities reach {limit} labels, the scale has {has}; use -M readout=text"
            )
        return asked_scale

    def _requests(self, scale: Scale) -> ApiRequests:
        return ApiRequests(
            self.name,
            self.model,
            self.settings,
            scale,
            self.request,
            self.wordings,
            self.methods,
            self.assigned,
            self.orders,
            self.refused,
            self._journal,
        )
