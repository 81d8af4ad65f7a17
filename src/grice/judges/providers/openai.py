"""Any model behind an OpenAI-compatible address: a hosted API, or llama.cpp, vLLM or Ollama on your machine."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any
from urllib.parse import urlsplit

from grice.core.errors import InputError, unknown
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.core.settings import flag_json, number, whole
from grice.judges.client import Budget, Client, Failure, Unreachable, unordered
from grice.judges.prompts import LETTERS, Prompt, Wordings
from grice.judges.readout import READOUTS, Reading, Reply, combine, parse, read
from grice.judges.spread import Spread
from grice.judges.unit import Rule, rule

HOSTED = "https://api.openai.com/v1"
# A few tokens by log-probabilities, since some models begin with a blank.
LENGTHS = {"logprobs": 4, "json": 64, "text": 128}
ENDPOINTS = {"chat": "chat/completions", "completions": "completions"}
# A server that fails this often without one good reply between has stopped working; its items stay as they were.
OUTAGE = 50
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Transport:
    """How one asks, which cannot change an answer: patience, and what may be spent by one command."""

    connections: int
    retries: int
    timeout: float
    backoff: float
    requests: int | None
    tokens: int | None
    cost: float | None
    price: tuple[float, float] | None

    def budget(self) -> Budget:
        return Budget(self.requests, self.tokens, self.cost, self.price or (0.0, 0.0))


@dataclass(frozen=True)
class Asked:
    """One item's judgement and readings; whether no prompt got a reply, and whether that may pass."""

    judgement: Judgement
    readings: list[Reading]
    failed: bool
    passing: bool


class Openai:
    """`openai/MODEL`: asks by chat completion, reads the reply by `readout=text|json|logprobs`.

    `url`, `key_env`: where, and which environment variable holds the key. `endpoint=completions`: for base models. `template`: your own prompt file.
    `prompts=4`: each item asked in 4 wordings and label orders, answered by their mean. `unit`: a rule that turns
    NLI probabilities into an answer on 0 … 1, instead of asking for it. `max_tokens`, `temperature`, `seed`,
    `format=json_object`, `body={…}`: the request. `connections`, `retries`, `timeout`, `backoff`: the patience.
    `limit_requests`, `limit_tokens`, `limit_cost` with `price=IN,OUT` a million tokens: what to spend.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str = "",
        endpoint: str = "chat",
        key_env: str = "OPENAI_API_KEY",
        readout: str = "text",
        template: str = "",
        prompts: str = "1",
        unit: str = "",
        max_tokens: str = "",
        temperature: str = "0",
        seed: str = "",
        format: str = "json_schema",
        body: str = "",
        **patience: str,
    ) -> None:
        if readout not in READOUTS:
            raise unknown("readout", readout, READOUTS)
        if endpoint not in ENDPOINTS:
            raise unknown("endpoint", endpoint, ENDPOINTS)
        if format not in ("json_schema", "json_object"):
            raise unknown("format", format, ("json_schema", "json_object"))
        self.model = name
        self.name = f"openai/{name}"
        self.url = _address(url or os.environ.get("OPENAI_BASE_URL") or HOSTED)
        self.endpoint = endpoint
        self.key_env = key_env
        self.readout = readout
        self.wordings = Wordings.read(template)
        self.prompts = whole("prompts", prompts, least=1)
        self.unit = unit
        self.rule: Rule | None = rule(unit) if unit else None
        self.request: dict[str, Any] = {
            "max_tokens": whole("max_tokens", max_tokens or str(LENGTHS[readout]), least=1),
            "temperature": number("temperature", temperature),
            **({"seed": whole("seed", seed)} if seed else {}),
        }
        self.format = format
        self.body = flag_json("body", body)
        self.transport = _transport(patience)
        self.notes: dict[str, Any] = {}

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that could change an answer; never the key, nor how patiently one asks."""
        settings = {"url": self.url, "endpoint": self.endpoint, "model": self.model, "readout": self.readout}
        formats = {"format": self.format} if self.readout == "json" else {}
        unit = {"unit": self.unit} if self.unit else {}
        return {
            **settings,
            **unit,
            **formats,
            "prompts": self.prompts,
            "template": self.wordings.digest,
            "request": {**self.request, **self.body},
        }

    @property
    def alone(self) -> str:
        """Why this judge may not be asked by several processes at once; empty if it may."""
        how = self.transport
        limited = any(limit is not None for limit in (how.requests, how.tokens, how.cost))
        return "its limits of spending hold within one process" if limited else ""

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        asked = self._asked_scale(scale)
        client = self._client().open()
        spread = Spread(self.prompts)

        def one(question: Question) -> Asked:
            return self._ask(client, question, asked)

        try:
            results = unordered(one, questions, self.transport.connections)
            for found in _through_outages(results, self.url):
                spread.add(found.readings, asked)
                yield found.judgement
        finally:
            client.close()
            self.notes = {**_spent(client.budget, self.transport), **spread.notes()}

    def estimate(self, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
        """What asking takes at most, before the first call: tokens in by length, tokens out by `max_tokens`."""
        asked = self._asked_scale(scale)
        sizes = [self._size(prompt) for q in questions for prompt in self._prompts(q, asked)]
        into, out = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        price = self.transport.price
        cost = None if price is None else (into * price[0] + out * price[1]) / 1e6
        return {"requests": len(sizes), "tokens in": into, "tokens out": out, "cost": cost}

    def shown(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Exactly what is sent for a question, the key aside: one address and body a prompt."""
        asked = self._asked_scale(scale)
        return [{"url": self._endpoint, "body": self._body(p, asked)} for p in self._prompts(question, asked)]

    @property
    def _endpoint(self) -> str:
        return f"{self.url}/{ENDPOINTS[self.endpoint]}"

    def _client(self) -> Client:
        key = os.environ.get(self.key_env) or None
        if key is None and self.url == HOSTED:
            raise InputError(
                f"no key for {HOSTED}; set {self.key_env}, or name your own server with -M url=http://…/v1"
            )
        how = self.transport
        return Client(
            self._endpoint, key, how.connections, how.retries, how.timeout, how.backoff, how.budget()
        )

    def _asked_scale(self, scale: Scale) -> Scale:
        """The scale the prompts ask on, checked to suit the readout: NLI where a rule makes the number of it."""
        if self.rule is not None and scale != UNIT:
            raise InputError(f"the rule unit={self.unit} answers on {UNIT}, not on {scale}; leave it out")
        asked = NLI if self.rule is not None else scale
        if self.readout == "logprobs" and asked.numeric:
            raise InputError(
                f"log-probabilities answer labels, not {scale}; use -M readout=text, or derive it by -M unit=surrogate"
            )
        if self.readout == "logprobs" and len(asked.labels) > len(LETTERS):
            raise InputError(
                f"log-probabilities reach {len(LETTERS)} labels, the scale has {len(asked.labels)}; use -M readout=text"
            )
        ways = _ways(self.wordings.count(), len(asked.labels))
        if self.prompts > ways:
            raise InputError(f"there are {ways} different prompts on this scale, not {self.prompts}")
        return asked

    def _prompts(self, question: Question, scale: Scale) -> list[Prompt]:
        return [self.wordings.prompt(question, scale, self.readout, v) for v in range(self.prompts)]

    def _body(self, prompt: Prompt, scale: Scale) -> dict[str, Any]:
        chat = self.endpoint == "chat"
        asked: dict[str, Any] = (
            {"messages": [{"role": "user", "content": prompt.text}]}
            if chat
            else {"prompt": f"{prompt.text}\n\nAnswer:"}
        )
        if self.readout == "logprobs":
            top = len(LETTERS)
            asked |= {"logprobs": True, "top_logprobs": top} if chat else {"logprobs": top}
        elif self.readout == "json":
            asked["response_format"] = _constraint(scale, self.format)
        elif not chat:
            # A base model goes on writing; its first line is the answer.
            asked["stop"] = ["\n"]
        return {"model": self.model, **asked, **self.request, **self.body}

    def _size(self, prompt: Prompt) -> tuple[int, int]:
        length = self.body.get("max_completion_tokens", self.request["max_tokens"])
        return len(prompt.text) // CHARACTERS_A_TOKEN + 8, int(length)

    def _ask(self, client: Client, question: Question, scale: Scale) -> Asked:
        """One item by all its prompts."""
        start = time.perf_counter()
        replies, failures = [], []
        for prompt in self._prompts(question, scale):
            found = client.post(self._body(prompt, scale), self._size(prompt))
            failures += [found] if isinstance(found, Failure) else []
            replies.append(_reply(found, prompt.labels))
        readings = [read(reply, self.readout, scale) for reply in replies]
        judged = judgement(question.id, replies, readings, scale, self.rule)
        judged = replace(judged, seconds=round(time.perf_counter() - start, 4))
        failed = len(failures) == len(replies)
        return Asked(judged, readings, failed, failed and all(failure.passing for failure in failures))


def judgement(
    item: str, replies: Sequence[Reply], readings: Sequence[Reading], scale: Scale, derive: Rule | None
) -> Judgement:
    """The replies to one item as its judgement, the replies kept whole in `raw`."""
    whole_reading = combine(readings, scale)
    raw = json.dumps([r.to_json() for r in replies], ensure_ascii=False, separators=(",", ":"))
    if whole_reading.fault is not None:
        return Judgement(item, fault=whole_reading.fault, raw=raw)
    if derive is not None and whole_reading.probs is not None:
        return Judgement(item, derive(whole_reading.probs), raw=raw)
    return Judgement(item, whole_reading.answer, probs=whole_reading.probs, raw=raw)


def _through_outages(results: Iterable[Asked], url: str) -> Iterator[Asked]:
    """Holds back items that failed for a passing reason until one succeeds, so that an outage leaves them open.

    Before the first success every failure is held: a request that no server takes is a mistake, not a fault.
    """
    held: list[Asked] = []
    answered = False
    for asked in results:
        held.append(asked)
        if not asked.failed or (answered and not asked.passing):
            answered = True
            yield from held
            held = []
        elif len(held) >= OUTAGE:
            raise Unreachable(
                f"{url}: {OUTAGE} items in a row failed, the last with '{asked.judgement.fault}'; they stay as they were, go on later"
            )
    if held and not answered and all((a.judgement.fault or "").startswith("connection") for a in held):
        raise Unreachable(
            f"{url}: nothing answers there ({held[0].judgement.fault}); start the server, or give -M url=…"
        )
    yield from held


def _reply(found: Mapping[str, Any] | Failure, labels: tuple[str, ...]) -> Reply:
    if isinstance(found, Failure):
        return Reply(labels, failure=found.fault, body=found.body)
    try:
        return parse(found, labels)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return Reply(labels, failure="broken reply: not a chat completion", body=json.dumps(found)[:2000])


def _constraint(scale: Scale, format: str) -> dict[str, Any]:
    """The JSON an answer must be, in OpenAI's form or in llama.cpp's older one."""
    answer = (
        {"type": "number", "minimum": scale.low, "maximum": scale.high}
        if scale.numeric
        else {"type": "string", "enum": list(scale.labels)}
    )
    schema = {
        "type": "object",
        "properties": {"answer": answer},
        "required": ["answer"],
        "additionalProperties": False,
    }
    if format == "json_object":
        return {"type": "json_object", "schema": schema}
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _spent(budget: Budget, how: Transport) -> dict[str, Any]:
    cost = {} if how.price is None else {"cost": round(budget.spent_cost, 6)}
    return {
        "requests": budget.spent_requests,
        "tokens in": budget.spent_in,
        "tokens out": budget.spent_out,
        **cost,
    }


def _ways(wordings: int, labels: int) -> int:
    return math.lcm(wordings, 2 * labels if labels > 2 else max(labels, 1))


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"'{url}' is not an address; write it as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise InputError(
            "an address with a password in it would be kept in every run; put the key into OPENAI_API_KEY"
        )
    return url.rstrip("/").removesuffix("/completions").removesuffix("/chat")


def _transport(given: Mapping[str, str]) -> Transport:
    known = {"connections": "16", "retries": "5", "timeout": "60", "backoff": "1"}
    limits = ("limit_requests", "limit_tokens", "limit_cost", "price")
    odd = [key for key in given if key not in known and key not in limits]
    if odd:
        own = [key for key in signature(Openai).parameters if key not in ("name", "patience")]
        raise unknown("setting of openai", odd[0], [*own, *known, *limits])
    if given.get("limit_cost") and not given.get("price"):
        raise InputError(
            "a limit of cost needs the price of a million tokens in and out, as in -M price=0.15,0.60"
        )
    said = {**known, **given}
    requests, tokens, cost = (said.get(f"limit_{key}") for key in ("requests", "tokens", "cost"))
    return Transport(
        connections=whole("connections", said["connections"], least=1),
        retries=whole("retries", said["retries"]),
        timeout=number("timeout", said["timeout"]),
        backoff=number("backoff", said["backoff"]),
        requests=whole("limit_requests", requests) if requests else None,
        tokens=whole("limit_tokens", tokens) if tokens else None,
        cost=number("limit_cost", cost) if cost else None,
        price=_price(said["price"]) if said.get("price") else None,
    )


def _price(text: str) -> tuple[float, float]:
    into, comma, out = text.partition(",")
    if not comma:
        raise InputError(
            f"a price is two numbers, of a million tokens in and out, as in -M price=0.15,0.60; not '{text}'"
        )
    return number("price", into), number("price", out)
