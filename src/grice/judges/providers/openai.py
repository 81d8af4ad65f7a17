"""Models behind an OpenAI-compatible address.

This is a hosted API, or llama.cpp, vLLM or Ollama on your machine.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.progress import say
from grice.core.scale import NLI, UNIT, Scale
from grice.core.settings import read_settings, with_settings
from grice.core.usage import Price, Usage
from grice.judges.api_settings import OpenaiSettings
from grice.judges.batch_asking import BatchAsking, Fetched, pending
from grice.judges.batches import AnthropicBatches, OpenaiBatches
from grice.judges.client import CHARACTERS_A_TOKEN, Client, Failure, Unreachable
from grice.judges.constraints import FORMS, KINDS, find_form, schema_of
from grice.judges.dialects import DIALECTS
from grice.judges.direct import DIRECT
from grice.judges.echo import echo_request, echo_size, echoed_surprisal, parse_echo, read_any
from grice.judges.hosts import check_address, find_host
from grice.judges.journal import Journal
from grice.judges.methods import Method, methods_of_server
from grice.judges.outages import ItemResult, Outages
from grice.judges.prompts import Way, Wordings
from grice.judges.readout import Reading, Reply, combine_samples, judgement, parse, parse_safely
from grice.judges.refusals import Refusals
from grice.judges.reply_text import LETTERS
from grice.judges.spread import PromptSpread
from grice.judges.unit import Rule, rule
from grice.judges.usage import find_price

# Log-probabilities need several tokens, since some models begin with a blank or with "The answer
# is"; a base model begins with the answer.
LENGTHS = {"logprobs": 16, "json": 64, "text": 128, DIRECT: 1}
# The readout here for each readout of a method.
BY_METHOD = {"letter": "logprobs", "words": "text", "text": "text", "json": "json", DIRECT: DIRECT}


@with_settings(OpenaiSettings)
class Openai:
    """`openai/MODEL`: asks by chat completion, reads the reply by `readout=text|json|logprobs`.

    `url`, `key_env`: where, and which environment variable holds the key. `endpoint=completions`:
    for base models. `template`: your own prompt file; `system`: the system prompt. `prompts=4`:
    each item asked in 4 wordings and label orders, answered by their mean;
    `methods=quick|standard|full|FILE.toml`: by several methods of a set. `samples=20` with
    `temperature=1`: the shares of the answers as probabilities. `effort=low|medium|high`: how long
    a reasoning model thinks. `unit`: a rule that turns NLI probabilities into an answer on 0 … 1,
    instead of asking for it. `constrain=auto|none|choice|regex|grammar|json_schema`: what the
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
        self.readout, self.prompts = options.readout, options.prompts
        self.wordings = Wordings.read(options.template)
        self.methods = methods_of_server(
            options.methods, options.readout, chat=options.endpoint != "completions"
        )
        self.assigned: Mapping[str, tuple[Method, ...]] = {}
        self.rule: Rule | None = rule(options.unit) if options.unit else None
        seed = {} if options.seed is None else {"seed": options.seed}
        base = options.endpoint == "completions" and options.readout == "logprobs"
        length = options.max_tokens or (4 if base else LENGTHS[options.readout])
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
        prompt_identity: dict[str, Any] = {
            "prompts": self.prompts,
            "template": self.wordings.digest,
        }
        prompt_identity |= {"methods": self.methods.digest} if self.methods else {}
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

    def bind(self, ids: Sequence[str], scale: Scale) -> Openai:  # noqa: ARG002
        """Return a copy of this judge with methods assigned to the items.

        Items with assigned methods keep them.
        """
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
                "a batch is remembered in a run's folder; give --into, or leave out -M batch=true"
            )
        client = self._client().open()
        spread, batches = PromptSpread(self.prompts), self._batches(client, asked_scale)
        try:
            self._constrain(client, asked_scale)
            fetched = (
                batches.fetch(questions) if batches else ((question, {}) for question in questions)
            )
            outages = Outages(self.url, client.halt)
            for result in outages.watch(
                lambda item: self._ask(client, item, asked_scale),
                fetched,
                self.settings.connections,
            ):
                spread.add(result.readings, asked_scale)
                yield result.judgement
                if batches:
                    batches.settle(result.judgement.item)
        finally:
            client.close()
            self.notes.clear()
            counts = batches.counts() if batches else {}
            self.notes.update({**self._notes(client), **spread.notes(), **counts})

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
        refused = {f"refused {key}": value for key, value in self.refused.told.items()}
        form = (
            {} if self._form is None else {"constraint": self._form or "none that the server obeys"}
        )
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
        sizes = [self._size(way) for q in questions for way in self._ways(q, asked_scale)]
        into, out = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        settings = self.settings
        cost = (
            None
            if settings.price is None
            else settings.price.cost(Usage(into, out), batched=settings.batch)
        )
        batches = {"batches": math.ceil(len(sizes) / settings.batch_size)} if settings.batch else {}
        return {
            "requests": len(sizes),
            **batches,
            "tokens in": into,
            "tokens out": out,
            "cost": cost,
        }

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Return exactly what is sent for a question, without the key.

        Each prompt has an address and a body.
        """
        asked_scale = self._prompt_scale(scale)
        requests = [
            {"url": self._endpoint, "body": self._body(way, asked_scale)}
            for way in self._ways(question, asked_scale)
        ]
        tried = KINDS.get(self.settings.constrain, ())
        if self._form is None and tried and not asked_scale.numeric:
            what = (
                f"the first of {', '.join(tried)} that the server obeys; it is asked once before"
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

    @property
    def _form(self) -> str | None:
        """The constraint that the server was seen to obey; None if it was not tested yet."""
        form: str | None = self._journal.last("constraint")
        return form

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

    def _batches(self, client: Client, scale: Scale) -> BatchAsking | None:
        """Return the asking by batches, if requested or if earlier batches may still be running."""
        settings = self.settings
        if not settings.batch and not pending(self._journal):
            return None
        kind = AnthropicBatches if settings.endpoint == "messages" else OpenaiBatches

        def pilot(question: Question) -> dict[int, list[Reply]]:
            ways = enumerate(self._ways(question, scale))
            replies_by_way = {number: self._samples(client, way, scale, []) for number, way in ways}
            self._journal.add({"pilot": question.id, "refused": self.refused.told})
            return {
                number: usable
                for number, replies in replies_by_way.items()
                if (usable := [r for r in replies if not r.failure])
            }

        return BatchAsking(
            kind(client, self.url, settings.poll),
            self._journal,
            ways=lambda question: self._ways(question, scale),
            body=lambda way: self._said(self._body(way, scale), way),
            tokens=self._size,
            parse=lambda reply, way, batched: self._parse(reply, way, scale, batched=batched),
            pilot=pilot,
            repeats=1 if client.dialect.several else settings.samples,
            size=settings.batch_size,
            send=settings.batch,
        )

    def _constrain(self, client: Client, scale: Scale) -> None:
        """Find out before the first item by which form the server constrains answers to labels."""
        kind = self.settings.constrain
        if self._form is not None or not KINDS.get(kind) or scale.numeric or self.readout != "text":
            return
        base_request = {"model": self.model, **self.request, **self.settings.body}
        body = {
            **self.refused.adapted(base_request),
            **({"messages": []} if self.settings.endpoint != "completions" else {}),
        }
        form, tried, replies = find_form(
            kind, lambda request: self._send(client, request, (32, 16)), body
        )
        why = "; ".join(f"{name}: {cause}" for name, cause in tried.items())
        if not form and kind != "auto":
            raise Unreachable(
                f"{self.url} cannot be held to a {kind} ({why}); use -M constrain=none"
            )
        if not form:
            say(
                f"{self.name}: the server cannot be held to the labels, so they are asked for in"
                f" words alone ({why})"
            )
        stored_replies = [
            reply.to_json() for completion in replies for reply in parse(completion, Reply())
        ]
        self._journal.add({"constraint": form, "tried": tried, "replies": stored_replies})

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
        if asked_scale.numeric and KINDS.get(kind := self.settings.constrain):
            raise InputError(
                f"constrain={kind} holds for labels, not for {scale}; use -M readout=json, or leave"
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
        orders = (
            2 * len(asked_scale.labels)
            if len(asked_scale.labels) > 2
            else max(len(asked_scale.labels), 1)
        )
        ways = math.lcm(self.wordings.count(), orders)
        if self.prompts > ways:
            raise InputError(
                f"there are {ways} different prompts on this scale, not {self.prompts}"
            )
        return asked_scale

    def _ways(self, question: Question, scale: Scale) -> list[Way]:
        """Return the prompts of a question, each with its readout and the name of its method."""
        if self.methods is None:
            prompts = [
                self.wordings.prompt(question, scale, self.readout, v) for v in range(self.prompts)
            ]
            return [Way(prompt, self.readout) for prompt in prompts]
        ways = []
        for method in self.assigned.get(question.id, self.methods.methods[: self.methods.each]):
            if method.readout not in BY_METHOD or method.shots or method.think:
                fact = f"{self.name} cannot be asked by the method {method.name}"
                raise InputError(
                    f"{fact}; its readouts are {', '.join(BY_METHOD)}, without examples"
                )
            readout = BY_METHOD[method.readout]
            ways.append(
                Way(method.prompt(question, scale, self.wordings, readout), readout, method.name)
            )
        return ways

    def _body(self, way: Way, scale: Scale) -> dict[str, Any]:
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
        form = self._form_of(way, scale)
        if way.readout == "json" and form:
            request["response_format"] = schema_of(scale, form, way.prompt.words)
        elif form:
            request |= FORMS[form](way.prompt.words)
        more = {"n": self.settings.samples} if self.settings.samples > 1 else {}
        return self.refused.adapted(
            {"model": self.model, **request, **self.request, **more, **self.settings.body}
        )

    def _form_of(self, way: Way, scale: Scale) -> str:
        """Return the constraint of a request to the labels, or an empty string."""
        kind = self.settings.constrain
        if way.readout == "json":
            sent = {"": self.settings.format, "sent as json_object": "json_object"}
            return (
                "" if kind == "none" else sent.get(self.refused.told.get("response_format", ""), "")
            )
        tried = KINDS.get(kind, ()) if way.readout == "text" and not scale.numeric else ()
        return (tried[0] if self._form is None else self._form) if tried else ""

    def _said(self, body: dict[str, Any], way: Way | None = None) -> dict[str, Any]:
        """Return a request in the form of the server."""
        return DIALECTS[self.settings.endpoint].request(body, way.prompt.stable if way else 0)

    def _size(self, way: Way) -> tuple[int, int]:
        if way.readout == DIRECT:
            return echo_size(way.prompt)
        length = self.settings.body.get("max_completion_tokens", self.request["max_tokens"])
        n_characters = len(way.prompt.text) + len(self.settings.system)
        return n_characters // CHARACTERS_A_TOKEN + 8, int(length) * self.settings.samples

    def _ask(self, client: Client, fetched: Fetched, scale: Scale) -> ItemResult:
        """Return one item's result by all its prompts, some of which may have replies already."""
        start = time.perf_counter()
        question, have = fetched
        replies: list[Reply] = []
        readings: list[Reading] = []
        failures: list[Failure] = []
        ways = self._ways(question, scale)
        for number, way in enumerate(ways):
            way_replies = self._samples(client, way, scale, failures, have.get(number, ()))
            replies += way_replies
            readings.append(
                combine_samples(
                    [read_any(reply, way.readout, scale) for reply in way_replies], scale
                )
            )
        judged = judgement(
            question.id, replies, readings, scale, self.rule, [way.method for way in ways]
        )
        judged = replace(judged, seconds=round(time.perf_counter() - start, 4))
        failed = len(failures) == len(ways)
        return ItemResult(
            judged, readings, failed, failed and all(f.passing for f in failures), failures
        )

    def _asked(self, way: Way, scale: Scale) -> Reply:
        """Return an empty reply with what a prompt shows."""
        base, prompt, form = (
            self.settings.endpoint == "completions",
            way.prompt,
            self._form_of(way, scale),
        )
        return Reply(
            prompt.labels,
            words=prompt.other_words,
            method=way.method,
            forced=base,
            constrained=form,
            lettered=prompt.lettered,
        )

    def _samples(
        self,
        client: Client,
        way: Way,
        scale: Scale,
        failures: list[Failure],
        have: Sequence[Reply] = (),
    ) -> list[Reply]:
        """Return the replies to one prompt: as many as samples are requested.

        Some servers send one reply per request.
        """
        replies = list(have)
        wanted = 1 if way.readout == DIRECT else self.settings.samples
        while len(replies) < wanted:
            body = self._body(way, scale)
            if self.settings.samples > 1 and "n" in body:
                body["n"] = wanted - len(replies)
            reply = self._post(client, body, way, scale)
            if isinstance(reply, Failure):
                if not replies:
                    failures.append(reply)
                return [
                    *replies,
                    replace(self._asked(way, scale), failure=reply.fault, body=reply.body),
                ]
            replies += self._parse(reply, way, scale)
        return replies

    def _parse(
        self, found: Mapping[str, Any], way: Way, scale: Scale, *, batched: bool = False
    ) -> list[Reply]:
        blank_reply = replace(self._asked(way, scale), batched=batched)
        return (
            parse_echo(found, blank_reply, way.prompt)
            if way.readout == DIRECT
            else parse_safely(found, blank_reply)
        )

    def _post(
        self, client: Client, body: dict[str, Any], way: Way, scale: Scale
    ) -> dict[str, Any] | Failure:
        """Return the response to a prompt.

        A parameter that the server rejects is left out or renamed, and noted.
        """
        while True:
            reply = client.post(self._said(body, way), self._size(way))
            if self.refused.stands(reply, body):
                return reply
            body = self._body(way, scale)

    def _send(
        self, client: Client, body: dict[str, Any], size: tuple[int, int]
    ) -> dict[str, Any] | Failure:
        """Send a request that is about no item, adapted as by `_post`."""
        while True:
            reply = client.post(self._said(body), size)
            if self.refused.stands(reply, body):
                return reply
            body = self.refused.adapted(body)
