"""A server on loopback that behaves as hosted models of today do, with batches in two forms and a
ledger of its own.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from tests.judges.servers import running

# A million tokens: in, out, in from the cache; a batch costs half.
PRICES = '"m" = { in = 2.5, out = 10.0, cached = 1.25, batch = 0.5 }\n'
SAID = {
    "refusal": "I'm sorry, but I can't help with that.",
    "cut": '{"answer": "neut',
    "good": '{"answer": "neutral"}',
}


@dataclass
class HostedModel:
    """What the server knows: replies given out with their usage, batches, files, and what was asked
    how often.

    `looks`: how often a batch is looked at before it is over. `lost`: so many batches are made
    without the client hearing of it, each followed by one of somebody else if there are `others`.
    `clock`: how many seconds the server's clock is ahead. `page`: entries of a list at once.
    `spoil`: what becomes of a file of results on its way. `credit`: how many requests outside of
    batches the account can pay for.
    """

    url: str = ""
    ledger: list[dict[str, Any]] = field(default_factory=list)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    asked: Counter[tuple[str, int]] = field(default_factory=Counter)
    looks: int = 2
    lost: int = 0
    others: bool = False
    clock: float = 0.0
    page: int = 100
    spoil: Callable[[bytes], bytes] = bytes
    latency: float = 0.0
    credit: int | None = None
    requests: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def cost(self) -> float:
        """What all replies cost by the server's own count."""
        return float(sum(one["cost"] for one in self.ledger))

    def answer(
        self, body: dict[str, Any], *, batched: bool, messages: bool
    ) -> tuple[int, dict[str, Any], dict[str, str]]:
        """Status, body and headers of one request."""
        item = number_of(body)
        with self.lock:
            self.bodies.append(body)
            self.asked["batch" if batched else "single", item] += 1
            first = self.asked["batch" if batched else "single", item] == 1
        if "max_tokens" in body and not messages:
            return (
                400,
                _error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
                {},
            )
        if not batched and first and item % 10 == 3:
            rest = {
                "Retry-After": "0.01",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "10ms",
            }
            return 429, _error("slow down"), rest
        if (not batched and first and item % 10 == 5) or (batched and item % 10 == 1):
            return 524, _error("the server behind this one is away"), {}
        with self.lock:
            paid = sum(not entry["batched"] for entry in self.ledger)
        if not batched and self.credit is not None and paid >= self.credit:
            return 402, _error("no money"), {}
        held = bool(body.get("response_format") or body.get("output_config"))
        kind = "refusal" if item % 20 == 7 else "cut" if item % 20 == 9 else "good"
        used = {
            "in": 100 + item % 7,
            "out": 9 + item % 5,
            "cached": 64 if item % 2 else 0,
            "reasoned": 4,
        }
        cost = (
            (used["in"] - used["cached"]) * 2.5 + used["cached"] * 1.25 + used["out"] * 10
        ) / 1e6
        with self.lock:
            self.ledger.append(
                {"item": item, "batched": batched, "cost": cost * (0.5 if batched else 1.0), **used}
            )
        return (
            200,
            (message if messages else completion)(SAID[kind] if held else "neutral", kind, used),
            {},
        )

    def make_batch(
        self, rows: list[dict[str, Any]], *, messages: bool, metadata: Any
    ) -> dict[str, Any]:
        """A batch whose requests are answered at once and told when it has been looked at often
        enough.
        """
        with self.lock:
            id = f"batch_{len(self.batches)}"
            made = {
                "id": id,
                "rows": rows,
                "looks": 0,
                "metadata": metadata,
                "results": None,
                "messages": messages,
            }
            self.batches[id] = made | {"time": time.time() + self.clock}
        return self.tell(id)

    def look(self, id: str) -> dict[str, Any]:
        """How a batch fares."""
        with self.lock:
            batch = self.batches[id]
            batch["looks"] += 1
            if batch["looks"] >= self.looks and batch["results"] is None:
                batch["results"] = [
                    (row["custom_id"], *self._row(row, batch)) for row in batch["rows"]
                ]
        return self.tell(id)

    def _row(self, row: dict[str, Any], batch: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        body = row.get("body") or row["params"]
        if number_of(body) % 10 == 6 and self.asked["expired", number_of(body)] == 0:
            self.asked["expired", number_of(body)] += 1
            return 0, {}
        return self.answer(body, batched=True, messages=batch["messages"])[:2]

    def tell(self, id: str) -> dict[str, Any]:
        batch = self.batches[id]
        over = batch["results"] is not None
        if batch["messages"]:
            made = datetime.fromtimestamp(batch["time"], UTC).isoformat()
            told = {
                "created_at": made,
                "request_counts": {"processing": len(batch["rows"]), "succeeded": 0},
            }
            return {"id": id, "processing_status": "ended" if over else "in_progress", **told}
        told = {"status": "completed" if over else "in_progress", "metadata": batch["metadata"]}
        files = {"output_file_id": f"{id}-out", "error_file_id": f"{id}-err"} if over else {}
        return {"id": id, "created_at": int(batch["time"]), **told, **files}

    def file(self, name: str) -> bytes:
        """A file that was uploaded, or the replies or errors of a batch."""
        id, _, kind = name.partition("-")
        rows = []
        for custom, status, body in self.batches[id]["results"]:
            if (status == 200) == (kind == "out"):
                answer = {"response": {"status_code": status, "body": body}, "error": None}
                expired = {
                    "response": None,
                    "error": {"code": "batch_expired", "message": "not done in time"},
                }
                rows.append({"custom_id": custom, **(answer if status else expired)})
        return "".join(json.dumps(row) + "\n" for row in rows).encode()

    def results(self, id: str) -> bytes:
        """The results of a batch in Anthropic's form."""
        rows = []
        for custom, status, body in self.batches[id]["results"]:
            failed = {"type": "errored", "error": body} if status else {"type": "expired"}
            rows.append(
                {
                    "custom_id": custom,
                    "result": {"type": "succeeded", "message": body} if status == 200 else failed,
                }
            )
        return "".join(json.dumps(row) + "\n" for row in rows).encode()


def number_of(body: dict[str, Any]) -> int:
    """The number of the item that a request asks about; -1 where it asks about none."""
    found = re.search(r"Some of the (\d+)", json.dumps(body.get("messages") or body["prompt"]))
    return int(found[1]) if found else -1


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message}}


def completion(text: str, kind: str, used: dict[str, int]) -> dict[str, Any]:
    """A chat completion with all that current servers tell of it."""
    said = {"role": "assistant", "content": text, "reasoning_content": "Some, so perhaps not all."}
    finish = "length" if kind == "cut" else "stop"
    usage: dict[str, Any] = {"prompt_tokens": used["in"], "completion_tokens": used["out"]}
    details = {"cached_tokens": used["cached"]}, {"reasoning_tokens": used["reasoned"]}
    usage |= {"prompt_tokens_details": details[0], "completion_tokens_details": details[1]}
    return {
        "model": "m-2026",
        "choices": [{"message": said, "finish_reason": finish}],
        "usage": usage,
    }


def message(text: str, kind: str, used: dict[str, int]) -> dict[str, Any]:
    """A message of Anthropic's."""
    content = [{"type": "thinking", "thinking": "Some."}, {"type": "text", "text": text}]
    usage = {"input_tokens": used["in"] - used["cached"], "cache_read_input_tokens": used["cached"]}
    stop = "max_tokens" if kind == "cut" else "end_turn"
    return {
        "model": "m-2026",
        "content": content,
        "stop_reason": stop,
        "usage": {**usage, "output_tokens": used["out"]},
    }


@contextmanager
def hosting(model: HostedModel) -> Iterator[HostedModel]:
    """The model on a port of its own; its `url` is set."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            with model.lock:
                model.requests += 1
                model.headers.append(dict(self.headers))
            path = self.path.removeprefix("/v1/")
            if path == "files":
                with model.lock:
                    name = f"file_{len(model.files)}"
                    model.files[name] = content.split(b"\r\n\r\n")[-1].rsplit(b"\r\n--", 1)[0]
                return self.say(200, {"id": name})
            body = json.loads(content)
            if path in ("batches", "messages/batches"):
                rows = body.get("requests") or list(
                    map(json.loads, model.files[body["input_file_id"]].splitlines())
                )
                made = model.make_batch(
                    rows, messages=path != "batches", metadata=body.get("metadata")
                )
                if model.lost > 0:
                    model.lost -= 1
                    if model.others:
                        theirs = [{**row, "custom_id": f"theirs-{n}"} for n, row in enumerate(rows)]
                        model.make_batch(
                            theirs, messages=path != "batches", metadata={"grice": "theirs"}
                        )
                    self.close_connection = True
                    return None
                return self.say(200, made)
            time.sleep(model.latency)
            return self.say(*model.answer(body, batched=False, messages=path == "messages"))

        def do_GET(self) -> None:
            with model.lock:
                model.requests += 1
            path, _, query = self.path.removeprefix("/v1/").partition("?")
            if path in ("batches", "messages/batches"):
                ids = [
                    id
                    for id, one in model.batches.items()
                    if one["messages"] == (path != "batches")
                ]
                ids = ids[::-1]
                last = parse_qs(query).get("after", parse_qs(query).get("after_id", [""]))[0]
                left = ids[ids.index(last) + 1 :] if last else ids
                more = len(left) > model.page
                return self.say(
                    200, {"data": [model.tell(id) for id in left[: model.page]], "has_more": more}
                )
            if path == "models":
                return self.say(200, {"data": [{"id": "served"}]})
            parts = path.split("/")
            if parts[0] == "files":
                return self.send(200, model.spoil(model.file(parts[1])))
            if parts[-1] == "results":
                return self.send(200, model.spoil(model.results(parts[-2])))
            return self.say(200, model.look(parts[-1]))

        def say(
            self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None
        ) -> None:
            self.send(status, json.dumps(body).encode(), headers)

        def send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for key, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read the ledger."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        # With the default of 5, the kernel drops connections that many clients open at once, and
        # each is tried again a second later.
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that was killed is part of the play."""

    http = Quiet(("127.0.0.1", 0), Handler)
    model.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    with running(http):
        yield model
