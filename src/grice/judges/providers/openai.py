"""Any model behind an OpenAI-compatible address: a hosted API, or llama.cpp, vLLM or Ollama on your machine."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.core.settings import read_settings, setting, with_settings
from grice.judges.answers import LETTERS
from grice.judges.client import CHARACTERS_A_TOKEN, Budget, Client, Failure, map_unordered
from grice.judges.direct import DIRECT
from grice.judges.echo import echoed_continuations, echoed_surprisal, read_any
from grice.judges.hosts import check_address, find_host, find_price
from grice.judges.methods import Method, methods_of_server
from grice.judges.outages import ItemResult, through_outages
from grice.judges.prompts import Prompt, Wordings
from grice.judges.readout import READOUTS, Reading, Reply, cell_of, combine, combine_samples, parse
from grice.judges.spread import PromptSpread
from grice.judges.unit import Rule, rule, unit_setting

# Some tokens by log-probabilities, since some models begin with a blank or with "The answer is"; a base model's answer
# stands first.
LENGTHS = {"logprobs": 16, "json": 64, "text": 128, DIRECT: 1}
ENDPOINTS = {"chat": "chat/completions", "completions": "completions"}
# What a server says of a parameter that it does not take, and what is sent instead.
REFUSED = re.compile(
    r"(?i)unsupported|not supported|does not support|not compatible|deprecated|unrecognized|only the default"
)
# How the methods' readouts are called here.
BY_METHOD = {"letter": "logprobs", "words": "text", "text": "text", "json": "json", DIRECT: DIRECT}


def _price(given: Any) -> tuple[float, float]:
    into, out = (float(part) for part in (given.split(",") if isinstance(given, str) else given))
    if not (0 <= into < math.inf and 0 <= out < math.inf):
        raise ValueError
    return into, out


@dataclass(frozen=True)
class OpenaiSettings:
    """What `openai/…` takes by `-M`: the request, then how patiently to ask and what one command may spend."""

    url: str = ""
    endpoint: str = setting("chat", choices=tuple(ENDPOINTS))
    system: str = ""
    key_env: str = ""
    readout: str = setting("text", choices=(*READOUTS, DIRECT))
    template: str = ""
    prompts: int = setting(1, low=1)
    methods: str = ""
    samples: int = setting(1, low=1)
    effort: str = ""
    unit: str = unit_setting("")
    max_tokens: int | None = setting(None, low=1)
    temperature: float = setting(0.0, low=0)
    seed: int | None = setting(None, low=0)
    format: str = setting("json_schema", choices=("json_schema", "json_object"))
    body: Mapping[str, Any] = setting(dict)
    connections: int = setting(16, low=1)
    retries: int = setting(5, low=0)
    timeout: float = setting(60.0, low=0)
    backoff: float = setting(1.0, low=0)
    limit_requests: int | None = setting(None, low=0)
    limit_tokens: int | None = setting(None, low=0)
    limit_cost: float | None = setting(None, low=0)
    price: tuple[float, float] | None = setting(
        None, read=_price, expected="two numbers, of a million tokens in and out, as in -M price=0.15,0.60"
    )
    prices: str = ""

    def __post_init__(self) -> None:
        if self.limit_cost is not None and self.price is None and not self.prices:
            raise InputError("a limit of cost needs the price of a million tokens in and out, as in -M price=0.15,0.60")
        if self.samples > 1 and not self.temperature:
            raise InputError(f"{self.samples} samples need -M temperature=1, or they are all the same")
        if self.samples > 1 and self.readout == "logprobs":
            raise InputError("log-probabilities are a distribution already; use -M readout=text with -M samples")
        if self.methods and self.prompts > 1:
            raise InputError("a set of methods has its own prompts; leave out -M prompts")

    def budget(self) -> Budget:
        """What may be spent, nothing of it spent yet."""
        return Budget(self.limit_requests, self.limit_tokens, self.limit_cost, self.price or (0.0, 0.0))


@dataclass(frozen=True)
class Way:
    """A prompt, how its reply is read, and the name of its method where there are several."""

    prompt: Prompt
    readout: str
    method: str = ""


@with_settings(OpenaiSettings)
class Openai:
    """`openai/MODEL`: asks by chat completion, reads the reply by `readout=text|json|logprobs`.

    `url`, `key_env`: where, and which environment variable holds the key. `endpoint=completions`: for base models. `template`: your
    own prompt file; `system`: the system prompt. `prompts=4`: each item asked in 4 wordings and label orders, answered by their mean;
    `methods=quick|standard|full|FILE.toml`: by several methods of a set. `samples=20` with `temperature=1`: the shares of the
    answers as probabilities. `effort=low|medium|high`: how long a reasoning model thinks. `unit`: a rule that turns NLI probabilities into an
    answer on 0 … 1, instead of asking for it. `max_tokens`, `temperature`, `seed`, `format=json_object`, `body={…}`: the request. `connections`,
    `retries`, `timeout`, `backoff`: the patience. `limit_requests`, `limit_tokens`, `limit_cost` with `price=IN,OUT` a million tokens, or a file of `prices`: what to
    spend.
    """

    provider: ClassVar[str] = "openai"

    def __init__(self, name: str, **settings: Any) -> None:
        at = find_host(self.provider)
        self.model, self.name = name, f"{at.provider}/{name}"
        self.settings = given = read_settings(OpenaiSettings, settings, noun=f"setting of {at.provider}")
        if given.prices and given.price is None:
            self.settings = given = replace(given, price=find_price(given.prices, name))
        self.host = at
        self.url = check_address(given.url or os.environ.get(at.url_env or "") or at.url)
        self.readout, self.prompts = given.readout, given.prompts
        self.wordings = Wordings.read(given.template)
        self.methods = methods_of_server(given.methods, given.readout, chat=given.endpoint == "chat")
        self.assigned: Mapping[str, tuple[Method, ...]] = {}
        self.rule: Rule | None = rule(given.unit) if given.unit else None
        seed = {} if given.seed is None else {"seed": given.seed}
        base = given.endpoint == "completions" and given.readout == "logprobs"
        length = given.max_tokens or (4 if base else LENGTHS[given.readout])
        effort = {"reasoning_effort": given.effort} if given.effort else {}
        self.request: dict[str, Any] = {"max_tokens": length, "temperature": given.temperature, **seed, **effort}
        # What the server refused of the request, and what it gets instead.
        self.refused: dict[str, str] = {}
        self.notes: dict[str, Any] = {}

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that could change an answer; never the key, nor how patiently one asks."""
        settings = {"url": self.url, "endpoint": self.settings.endpoint, "model": self.model, "readout": self.readout}
        formats = {"format": self.settings.format} if self.readout == "json" else {}
        unit = {"unit": self.settings.unit} if self.settings.unit else {}
        asked: dict[str, Any] = {"prompts": self.prompts, "template": self.wordings.digest}
        asked |= {"methods": self.methods.digest} if self.methods else {}
        asked |= {key: value for key in ("samples", "system") if (value := getattr(self.settings, key)) not in (1, "")}
        return {**settings, **unit, **formats, **asked, "request": {**self.request, **self.settings.body}}

    @property
    def alone_because(self) -> str:
        """Why this judge may not be asked by several processes at once; empty if it may."""
        given = self.settings
        limited = any(x is not None for x in (given.limit_requests, given.limit_tokens, given.limit_cost))
        return "its limits of spending hold within one process" if limited else ""

    def bind(self, ids: Sequence[str], scale: Scale) -> Openai:  # noqa: ARG002
        """The same judge, each item with the methods that are dealt to it."""
        if self.methods is None:
            return self
        bound = copy(self)
        bound.assigned = self.methods.assign(ids, self.settings.seed or 0)
        return bound

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Reply to each question as the server answers, in any order."""
        asked = self._prompt_scale(scale)
        client = self._client().open()
        spread = PromptSpread(self.prompts)

        try:
            results = map_unordered(lambda one: self._ask(client, one, asked), questions, self.settings.connections)
            for found in through_outages(results, self.url):
                spread.add(found.readings, asked)
                yield found.judgement
        finally:
            client.close()
            used = client.budget
            spent = {"requests": used.spent_requests, "tokens in": used.spent_in, "tokens out": used.spent_out}
            cost = {} if self.settings.price is None else {"cost": round(used.spent_cost, 6)}
            slowed = (
                {"connections at least": client.pace.least} if client.pace.least < self.settings.connections else {}
            )
            refused = {f"refused {key}": value for key, value in self.refused.items()}
            self.notes = {**spent, **cost, **slowed, **refused, **spread.notes()}

    def sum_up(self, raws: Iterable[str]) -> dict[str, Any]:
        """Requests, tokens, cost and served models over all replies of a run, those of earlier sittings included."""
        requests = into = out = 0
        served: dict[str, int] = {}
        for raw in raws:
            for reply in json.loads(raw):
                requests += "tokens" in reply
                into, out = into + reply.get("tokens", (0, 0))[0], out + reply.get("tokens", (0, 0))[1]
                if reply.get("served"):
                    served[reply["served"]] = served.get(reply["served"], 0) + 1
        found: dict[str, Any] = {"answered requests": requests, "tokens in": into, "tokens out": out}
        price = self.settings.price
        found |= {} if price is None else {"cost": round((into * price[0] + out * price[1]) / 1e6, 6)}
        return found | ({"served model": ", ".join(sorted(served))} if served else {})

    def estimate(self, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
        """What asking takes at most, before the first call: tokens in by length, tokens out by `max_tokens`."""
        asked = self._prompt_scale(scale)
        sizes = [self._size(way) for q in questions for way in self._ways(q, asked)]
        into, out = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        price = self.settings.price
        cost = None if price is None else (into * price[0] + out * price[1]) / 1e6
        return {"requests": len(sizes), "tokens in": into, "tokens out": out, "cost": cost}

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Exactly what is sent for a question, the key aside: one address and body a prompt."""
        asked = self._prompt_scale(scale)
        return [{"url": self._endpoint, "body": self._body(way, asked)} for way in self._ways(question, asked)]

    def surprisal(self, texts: Sequence[str]) -> list[float | None]:
        """Bits of each text after its first token, as the server echoes it; None where it did not.

        Only `endpoint=completions` can echo a text with its log-probabilities.
        """
        if self.settings.endpoint != "completions":
            raise InputError(f"{self.name}: a chat gives no log-probability of a text; use -M endpoint=completions")
        client, body = self._client().open(), {"model": self.model, **self.settings.body}
        try:
            return echoed_surprisal(client, texts, body, self.settings.connections)
        finally:
            client.close()

    @property
    def _endpoint(self) -> str:
        return f"{self.url}/{ENDPOINTS[self.settings.endpoint]}"

    def _client(self) -> Client:
        how = self.settings
        key = os.environ.get(how.key_env or self.host.key_env) or None
        if key is None and self.url == self.host.url and self.host.key_env:
            raise InputError(
                f"no key for {self.url}; set {how.key_env or self.host.key_env}, or name your server with -M url=http://…/v1"
            )
        return Client(self._endpoint, key, how.connections, how.retries, how.timeout, how.backoff, how.budget())

    def _prompt_scale(self, scale: Scale) -> Scale:
        """The scale the prompts ask on, checked to suit the readout: NLI where a rule makes the number of it."""
        if self.rule is not None and scale != UNIT:
            raise InputError(f"the rule unit={self.settings.unit} answers on {UNIT}, not on {scale}; leave it out")
        asked = NLI if self.rule is not None else scale
        if self.readout == "logprobs" and asked.numeric:
            raise InputError(f"log-probabilities answer labels, not {scale}; use -M readout=text or -M unit=surrogate")
        if self.readout == "logprobs" and len(asked.labels) > len(LETTERS):
            most, has = len(LETTERS), len(asked.labels)
            raise InputError(f"log-probabilities reach {most} labels, the scale has {has}; use -M readout=text")
        orders = 2 * len(asked.labels) if len(asked.labels) > 2 else max(len(asked.labels), 1)
        ways = math.lcm(self.wordings.count(), orders)
        if self.prompts > ways:
            raise InputError(f"there are {ways} different prompts on this scale, not {self.prompts}")
        return asked

    def _ways(self, question: Question, scale: Scale) -> list[Way]:
        """The prompts of a question, each with how its reply is read and the name of its method."""
        if self.methods is None:
            prompts = [self.wordings.prompt(question, scale, self.readout, v) for v in range(self.prompts)]
            return [Way(prompt, self.readout) for prompt in prompts]
        ways = []
        for method in self.assigned.get(question.id, self.methods.methods[: self.methods.each]):
            if method.readout not in BY_METHOD or method.shots or method.think:
                fact = f"{self.name} cannot be asked by the method {method.name}"
                raise InputError(f"{fact}; its readouts are {', '.join(BY_METHOD)}, without examples")
            readout = BY_METHOD[method.readout]
            ways.append(Way(method.prompt(question, scale, self.wordings, readout), readout, method.name))
        return ways

    def _body(self, way: Way, scale: Scale) -> dict[str, Any]:
        chat = self.settings.endpoint == "chat"
        messages = [{"role": "system", "content": self.settings.system}] if self.settings.system else []
        messages.append({"role": "user", "content": way.prompt.text})
        asked: dict[str, Any] = {"messages": messages} if chat else {"prompt": f"{way.prompt.text}\n\nAnswer:"}
        if way.readout == "logprobs":
            top = len(LETTERS)
            asked |= {"logprobs": True, "top_logprobs": top} if chat else {"logprobs": top}
        elif way.readout == "json":
            asked["response_format"] = _constraint(scale, self.settings.format, way.prompt.words)
        elif not chat:
            # A base model goes on writing; its first line is the answer.
            asked["stop"] = ["\n"]
        more = {"n": self.settings.samples} if self.settings.samples > 1 else {}
        body = {"model": self.model, **asked, **self.request, **more, **self.settings.body}
        if "max_tokens" in self.refused and "max_tokens" in body:
            body["max_completion_tokens"] = body.pop("max_tokens")
        return {key: value for key, value in body.items() if key == "max_tokens" or key not in self.refused}

    def _size(self, way: Way) -> tuple[int, int]:
        length = self.settings.body.get("max_completion_tokens", self.request["max_tokens"])
        return len(way.prompt.text) // CHARACTERS_A_TOKEN + 8, int(length) * self.settings.samples

    def _ask(self, client: Client, question: Question, scale: Scale) -> ItemResult:
        """One item by all its prompts."""
        start = time.perf_counter()
        replies: list[Reply] = []
        readings: list[Reading] = []
        failures: list[Failure] = []
        ways = self._ways(question, scale)
        for way in ways:
            found = self._samples(client, way, scale, failures)
            replies += found
            readings.append(combine_samples([read_any(reply, way.readout, scale) for reply in found], scale))
        judged = judgement(question.id, replies, readings, scale, self.rule, [way.method for way in ways])
        judged = replace(judged, seconds=round(time.perf_counter() - start, 4))
        failed = len(failures) == len(ways)
        return ItemResult(judged, readings, failed, failed and all(f.passing for f in failures), failures)

    def _samples(self, client: Client, way: Way, scale: Scale, failures: list[Failure]) -> list[Reply]:
        """The replies to one prompt: as many as samples are wanted, though some servers send one at a time."""
        base = self.settings.endpoint == "completions"
        asked = Reply(way.prompt.labels, words=_other(way.prompt), method=way.method, forced=base)
        if way.readout == DIRECT:
            return echoed_continuations(
                client, asked, way.prompt, {"model": self.model, **self.settings.body}, failures
            )
        found: list[Reply] = []
        while len(found) < self.settings.samples:
            body = self._body(way, scale)
            if self.settings.samples > 1:
                body["n"] = self.settings.samples - len(found)
            reply = self._post(client, body, way, scale)
            if isinstance(reply, Failure):
                if not found:
                    failures.append(reply)
                return [*found, replace(asked, failure=reply.fault, body=reply.body)]
            found += _replies(reply, asked)
        return found

    def _post(self, client: Client, body: dict[str, Any], way: Way, scale: Scale) -> dict[str, Any] | Failure:
        """What comes back; a parameter that the server does not take is left out or renamed, and that is noted."""
        while True:
            found = client.post(body, self._size(way))
            if not isinstance(found, Failure) or found.status != 400 or not self._adapt(found.fault, body):
                return found
            body = self._body(way, scale)

    def _adapt(self, said: str, body: Mapping[str, Any]) -> bool:
        """Whether another try makes sense: the server named what it does not take, and the request had it."""
        if "max_tokens" in body and "max_completion_tokens" in said:
            self.refused["max_tokens"] = "sent as max_completion_tokens"
            return True
        for key in ("temperature", "seed", "reasoning_effort"):
            if key in body and key in said and REFUSED.search(said):
                self.refused[key] = "left to the server"
                return True
        # Another thread may have learnt it while this request was under way.
        return any(key in body for key in self.refused)


def judgement(
    item: str,
    replies: Sequence[Reply],
    readings: Sequence[Reading],
    scale: Scale,
    derive: Rule | None,
    methods: Sequence[str] = (),
) -> Judgement:
    """The replies to one item as its judgement, the replies kept whole in `raw`."""
    whole = combine(readings, scale)
    raw = json.dumps([r.to_json() for r in replies], ensure_ascii=False, separators=(",", ":"))
    kept: dict[str, Any] = {"raw": raw, "mass": whole.mass}
    if any(methods):
        kept["cells"] = tuple(cell_of(name, reading) for name, reading in zip(methods, readings, strict=True))
    if whole.fault is not None:
        return Judgement(item, fault=whole.fault, **kept)
    if derive is not None and whole.shares:
        return Judgement(item, derive(whole.shares), **kept)
    return Judgement(item, whole.answer, probs=whole.probs, **kept)


def _replies(found: Mapping[str, Any], asked: Reply) -> list[Reply]:
    try:
        return parse(found, asked)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return [replace(asked, failure="broken reply: not a chat completion", body=json.dumps(found)[:2000])]


def _other(prompt: Prompt) -> tuple[str, ...]:
    """The words of the labels where they are not the labels themselves."""
    return prompt.words if prompt.words != prompt.labels else ()


def _constraint(scale: Scale, format: str, words: Sequence[str]) -> dict[str, Any]:
    """The JSON an answer must be, in OpenAI's form or in llama.cpp's older one."""
    labels: dict[str, Any] = {"type": "string", "enum": list(words)}
    answer = {"type": "number", "minimum": scale.low, "maximum": scale.high} if scale.numeric else labels
    schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    if format == "json_object":
        return {"type": "json_object", "schema": schema}
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
