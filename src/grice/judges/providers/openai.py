"""Any model behind an OpenAI-compatible address: a hosted API, or llama.cpp, vLLM or Ollama on your machine."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.core.settings import read_settings, setting, with_settings
from grice.judges.client import Budget, Client, Failure, Unreachable, map_unordered
from grice.judges.prompts import LETTERS, Prompt, Wordings
from grice.judges.readout import READOUTS, Reading, Reply, combine, parse, read
from grice.judges.spread import PromptSpread
from grice.judges.unit import Rule, rule, unit_setting

HOSTED = "https://api.openai.com/v1"
# A few tokens by log-probabilities, since some models begin with a blank.
LENGTHS = {"logprobs": 4, "json": 64, "text": 128}
ENDPOINTS = {"chat": "chat/completions", "completions": "completions"}
# A server that fails this often without one good reply between has stopped working; its items stay as they were.
OUTAGE = 50
CHARACTERS_A_TOKEN = 4


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
    key_env: str = "OPENAI_API_KEY"
    readout: str = setting("text", choices=READOUTS)
    template: str = ""
    prompts: int = setting(1, low=1)
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

    def __post_init__(self) -> None:
        if self.limit_cost is not None and self.price is None:
            raise InputError("a limit of cost needs the price of a million tokens in and out, as in -M price=0.15,0.60")

    def budget(self) -> Budget:
        """What may be spent, nothing of it spent yet."""
        return Budget(self.limit_requests, self.limit_tokens, self.limit_cost, self.price or (0.0, 0.0))


@dataclass(frozen=True)
class ItemResult:
    """One item's judgement and readings; whether no prompt got a reply, and whether that may pass."""

    judgement: Judgement
    readings: list[Reading]
    failed: bool
    passing: bool


@with_settings(OpenaiSettings)
class Openai:
    """`openai/MODEL`: asks by chat completion, reads the reply by `readout=text|json|logprobs`.

    `url`, `key_env`: where, and which environment variable holds the key. `endpoint=completions`: for base models. `template`: your own prompt file.
    `prompts=4`: each item asked in 4 wordings and label orders, answered by their mean. `unit`: a rule that turns
    NLI probabilities into an answer on 0 … 1, instead of asking for it. `max_tokens`, `temperature`, `seed`,
    `format=json_object`, `body={…}`: the request. `connections`, `retries`, `timeout`, `backoff`: the patience.
    `limit_requests`, `limit_tokens`, `limit_cost` with `price=IN,OUT` a million tokens: what to spend.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.model, self.name = name, f"openai/{name}"
        self.settings = given = read_settings(OpenaiSettings, settings, noun="setting of openai")
        self.url = _address(given.url or os.environ.get("OPENAI_BASE_URL") or HOSTED)
        self.readout, self.prompts = given.readout, given.prompts
        self.wordings = Wordings.read(given.template)
        self.rule: Rule | None = rule(given.unit) if given.unit else None
        seed = {} if given.seed is None else {"seed": given.seed}
        length = given.max_tokens or LENGTHS[given.readout]
        self.request: dict[str, Any] = {"max_tokens": length, "temperature": given.temperature, **seed}
        self.notes: dict[str, Any] = {}

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that could change an answer; never the key, nor how patiently one asks."""
        settings = {"url": self.url, "endpoint": self.settings.endpoint, "model": self.model, "readout": self.readout}
        formats = {"format": self.settings.format} if self.readout == "json" else {}
        unit = {"unit": self.settings.unit} if self.settings.unit else {}
        asked = {"prompts": self.prompts, "template": self.wordings.digest}
        return {**settings, **unit, **formats, **asked, "request": {**self.request, **self.settings.body}}

    @property
    def alone_because(self) -> str:
        """Why this judge may not be asked by several processes at once; empty if it may."""
        given = self.settings
        limited = any(x is not None for x in (given.limit_requests, given.limit_tokens, given.limit_cost))
        return "its limits of spending hold within one process" if limited else ""

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Reply to each question as the server answers, in any order."""
        asked = self._prompt_scale(scale)
        client = self._client().open()
        spread = PromptSpread(self.prompts)

        try:
            results = map_unordered(lambda one: self._ask(client, one, asked), questions, self.settings.connections)
            for found in _through_outages(results, self.url):
                spread.add(found.readings, asked)
                yield found.judgement
        finally:
            client.close()
            used = client.budget
            spent = {"requests": used.spent_requests, "tokens in": used.spent_in, "tokens out": used.spent_out}
            cost = {} if self.settings.price is None else {"cost": round(used.spent_cost, 6)}
            self.notes = {**spent, **cost, **spread.notes()}

    def estimate(self, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
        """What asking takes at most, before the first call: tokens in by length, tokens out by `max_tokens`."""
        asked = self._prompt_scale(scale)
        sizes = [self._size(prompt) for q in questions for prompt in self._prompts(q, asked)]
        into, out = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        price = self.settings.price
        cost = None if price is None else (into * price[0] + out * price[1]) / 1e6
        return {"requests": len(sizes), "tokens in": into, "tokens out": out, "cost": cost}

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Exactly what is sent for a question, the key aside: one address and body a prompt."""
        asked = self._prompt_scale(scale)
        return [{"url": self._endpoint, "body": self._body(p, asked)} for p in self._prompts(question, asked)]

    def surprisal(self, texts: Sequence[str]) -> list[float | None]:
        """Bits of each text after its first token, as the server echoes it; None where it did not.

        Only `endpoint=completions` can echo a text with its log-probabilities.
        """
        if self.settings.endpoint != "completions":
            raise InputError(f"{self.name}: a chat gives no log-probability of a text; use -M endpoint=completions")
        client, found = self._client().open(), dict.fromkeys(texts)

        def ask(text: str) -> tuple[str, float | None]:
            body = {"model": self.model, "prompt": text, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0}
            reply = client.post({**body, **self.settings.body}, (len(text) // CHARACTERS_A_TOKEN + 8, 1))
            return text, None if isinstance(reply, Failure) else _echoed_bits(reply, len(text))

        try:
            found.update(map_unordered(ask, list(found), self.settings.connections))
        finally:
            client.close()
        return [found[text] for text in texts]

    @property
    def _endpoint(self) -> str:
        return f"{self.url}/{ENDPOINTS[self.settings.endpoint]}"

    def _client(self) -> Client:
        how = self.settings
        key = os.environ.get(how.key_env) or None
        if key is None and self.url == HOSTED:
            raise InputError(f"no key for {HOSTED}; set {how.key_env}, or name your server with -M url=http://…/v1")
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

    def _prompts(self, question: Question, scale: Scale) -> list[Prompt]:
        return [self.wordings.prompt(question, scale, self.readout, v) for v in range(self.prompts)]

    def _body(self, prompt: Prompt, scale: Scale) -> dict[str, Any]:
        chat = self.settings.endpoint == "chat"
        messages = [{"role": "user", "content": prompt.text}]
        asked: dict[str, Any] = {"messages": messages} if chat else {"prompt": f"{prompt.text}\n\nAnswer:"}
        if self.readout == "logprobs":
            top = len(LETTERS)
            asked |= {"logprobs": True, "top_logprobs": top} if chat else {"logprobs": top}
        elif self.readout == "json":
            asked["response_format"] = _constraint(scale, self.settings.format)
        elif not chat:
            # A base model goes on writing; its first line is the answer.
            asked["stop"] = ["\n"]
        return {"model": self.model, **asked, **self.request, **self.settings.body}

    def _size(self, prompt: Prompt) -> tuple[int, int]:
        length = self.settings.body.get("max_completion_tokens", self.request["max_tokens"])
        return len(prompt.text) // CHARACTERS_A_TOKEN + 8, int(length)

    def _ask(self, client: Client, question: Question, scale: Scale) -> ItemResult:
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
        return ItemResult(judged, readings, failed, failed and all(failure.passing for failure in failures))


def judgement(
    item: str, replies: Sequence[Reply], readings: Sequence[Reading], scale: Scale, derive: Rule | None
) -> Judgement:
    """The replies to one item as its judgement, the replies kept whole in `raw`."""
    whole_reading = combine(readings, scale)
    raw = json.dumps([r.to_json() for r in replies], ensure_ascii=False, separators=(",", ":"))
    if whole_reading.fault is not None:
        return Judgement(item, fault=whole_reading.fault, raw=raw)
    if derive is not None and whole_reading.shares:
        return Judgement(item, derive(whole_reading.shares), raw=raw)
    return Judgement(item, whole_reading.answer, probs=whole_reading.probs, raw=raw)


def _through_outages(results: Iterable[ItemResult], url: str) -> Iterator[ItemResult]:
    """Holds back items that failed for a passing reason until one succeeds, so that an outage leaves them open.

    Before the first success every failure is held: a request that no server takes is a mistake, not a fault.
    """
    held: list[ItemResult] = []
    answered = False
    for asked in results:
        held.append(asked)
        if not asked.failed or (answered and not asked.passing):
            answered = True
            yield from held
            held = []
        elif len(held) >= OUTAGE:
            why = f"{OUTAGE} items in a row failed, the last with '{asked.judgement.fault}'"
            raise Unreachable(f"{url}: {why}; they stay as they were, go on later")
    if held and not answered and all((a.judgement.fault or "").startswith("connection") for a in held):
        fault = held[0].judgement.fault
        raise Unreachable(f"{url}: nothing answers there ({fault}); start the server, or give -M url=…")
    yield from held


def _reply(found: Mapping[str, Any] | Failure, labels: tuple[str, ...]) -> Reply:
    if isinstance(found, Failure):
        return Reply(labels, failure=found.fault, body=found.body)
    try:
        return parse(found, labels)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return Reply(labels, failure="broken reply: not a chat completion", body=json.dumps(found)[:2000])


def _echoed_bits(reply: Mapping[str, Any], length: int) -> float | None:
    """The bits of the tokens that begin within the prompt; the first has none, and the last is the model's own."""
    try:
        told = reply["choices"][0]["logprobs"]
        pairs = zip(told["text_offset"], told["token_logprobs"], strict=True)
        kept = [float(score) for offset, score in pairs if offset < length and score is not None]
    except (KeyError, TypeError, ValueError, IndexError):
        return None
    return -sum(kept) / math.log(2) if kept else None


def _constraint(scale: Scale, format: str) -> dict[str, Any]:
    """The JSON an answer must be, in OpenAI's form or in llama.cpp's older one."""
    labels: dict[str, Any] = {"type": "string", "enum": list(scale.labels)}
    answer = {"type": "number", "minimum": scale.low, "maximum": scale.high} if scale.numeric else labels
    schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    if format == "json_object":
        return {"type": "json_object", "schema": schema}
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"'{url}' is not an address; write it as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise InputError("an address with a password in it would be kept in every run; put the key into OPENAI_API_KEY")
    return url.rstrip("/").removesuffix("/completions").removesuffix("/chat")
