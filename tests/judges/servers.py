"""Real HTTP servers on loopback that speak the OpenAI protocol: one told what to do, one over a
tiny real model.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Act:
    """What the server does with one request.

    `surplus` is sent after the reply, in one piece with it; `late` once the connection's next
    request is there, before its reply.
    """

    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0
    half: bool = False
    surplus: str = ""
    late: str = ""


Script = Callable[[dict[str, Any], int], Act]


def completion(text: str | None, finish: str = "stop", **more: Any) -> Act:
    """A chat completion; `logprobs` is a list of (token, {token: logprob})."""
    message = {
        "role": "assistant",
        "content": text,
        **{k: v for k, v in more.items() if k != "logprobs"},
    }
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish, "message": message}
    if "logprobs" in more:
        choice["logprobs"] = {
            "content": [_token(token, others) for token, others in more["logprobs"]]
        }
    usage = {"prompt_tokens": 20, "completion_tokens": 2, "total_tokens": 22}
    return Act(json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}))


def letters_of(body: Mapping[str, Any]) -> dict[str, str]:
    """The letter with which a prompt shows each label."""
    text = body["messages"][-1]["content"] if "messages" in body else body["prompt"]
    return {label: letter for letter, label in re.findall(r"^([A-T])\. ([\w-]+)", text, re.M)}


def lettered(probabilities: Mapping[str, float]) -> Script:
    """A script that answers by the letters of labels, with these probabilities."""

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        letters = letters_of(body)
        tops = {letters[label]: math.log(p) for label, p in probabilities.items()}
        best = max(tops, key=lambda letter: tops[letter])
        return completion(best, logprobs=[(best, tops)])

    return script


def _token(token: str, others: Mapping[str, float]) -> dict[str, Any]:
    tops = [{"token": t, "logprob": p, "bytes": None} for t, p in others.items()]
    return {"token": token, "logprob": others.get(token, -9.0), "top_logprobs": tops}


@dataclass
class Server:
    """Bodies, headers and the numbers of the connections of all requests."""

    url: str
    bodies: list[dict[str, Any]]
    headers: list[dict[str, str]]
    connections: list[int]


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """A server that acts by the script, which sees each body and how many came before it."""
    lock, numbers = threading.Lock(), itertools.count()
    seen = Server("", [], [], [])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        left_over = b""

        def setup(self) -> None:
            super().setup()
            # Not the client's port: the kernel may give the port of a closed connection again.
            self.connection_number = next(numbers)

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path not in ("/v1/chat/completions", "/v1/completions"):
                return self._send(Act("{}", 404))
            body = json.loads(content)
            with lock:
                number = len(seen.bodies)
                seen.bodies.append(body)
                seen.headers.append(dict(self.headers))
                seen.connections.append(self.connection_number)
            act = script(body, number)
            self.wfile.write(self.left_over)
            self.left_over = _reply_of(act.late) if act.late else b""
            time.sleep(act.pause)
            return self._send(act)

        def _send(self, act: Act) -> None:
            content = act.body.encode()
            if act.surplus:
                self.wfile.write(_reply_of(act.body) + _reply_of(act.surplus))
                return
            # A script with a clock of its own tells the time itself.
            (self.send_response_only if "Date" in act.headers else self.send_response)(act.status)
            for key, value in {"Content-Type": "application/json", **act.headers}.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if act.half else content)
            if act.half:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read bodies, not logs."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        # With the default of 5, the kernel drops connections that many clients open at once, and
        # each is tried again a second later.
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that gave up on a slow reply is part of the play."""

    http = Quiet(("127.0.0.1", 0), Handler)
    seen.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    with running(http):
        yield seen


def _reply_of(body: str) -> bytes:
    content = body.encode()
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(content), content)


@contextmanager
def running(http: ThreadingHTTPServer) -> Iterator[None]:
    """Serve in a thread of its own until the test is over."""
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield
    finally:
        http.shutdown()
        http.server_close()


def tiny_model() -> Script:
    """A script that answers with the likeliest letter by a small causal model of random weights:
    real tokens, real log-probabilities.
    """
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel

    words = [
        "<unk>",
        "A",
        "B",
        "C",
        "entailment",
        "neutral",
        "contradiction",
        ".",
        "the",
        "cakes",
        "gone",
    ]
    tokenizer = Tokenizer(
        models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=len(words), n_positions=512, n_embd=16, n_layer=1, n_head=2)
    model: Any = GPT2LMHeadModel(config)  # type: ignore[no-untyped-call]
    model.eval()

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        ids = tokenizer.encode(body["messages"][0]["content"]).ids
        with torch.no_grad():
            logprobs = model(torch.tensor([ids])).logits[0, -1].log_softmax(-1)
        said = max((words.index(letter) for letter in "ABC"), key=lambda i: float(logprobs[i]))
        tops = [(words[said], dict(zip(words, logprobs.tolist(), strict=True)))]
        more = {"logprobs": tops} if body.get("logprobs") else {}
        return completion(words[said], "length", **more)

    return script


def two_wordings(folder: Path) -> str:
    """Write a set of methods that asks each item in two wordings, and return its file."""
    path = folder / "two.toml"
    path.write_text('each = 2\nwording = ["1", "2"]\nreadout = ["text"]\n')
    return str(path)
