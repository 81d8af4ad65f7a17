"""Batch endpoints: many requests sent at once for less money, then awaited and collected.

A batch is logged in the run's folder before it is sent and again when it has an id. It carries a
tag by which it is found on the server if the command stops in between, so that no batch is sent
twice and every sent batch is collected.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from grice.core.fault import FaultKind
from grice.judges.client import Client, Failure, Unreachable

PAGE = 100
OVER = {"completed", "failed", "expired", "cancelled", "ended"}
# Requests that expired or were cancelled, through no fault of their own.
UNDONE = {"batch_expired", "batch_cancelled", "expired", "canceled", "cancelled"}

# The name of a request, and its completion or failure.
Result = tuple[str, dict[str, Any] | Failure]


class NotTaken(Unreachable):
    """Error: the server accepts no batch of this kind, so none was started."""


@dataclass(frozen=True)
class Batch:
    """A batch as the run stores it: its tag, its items, and its id once it has one."""

    tag: str
    items: tuple[str, ...]
    requests: int
    id: str = ""


class BatchServer(Protocol):
    """A server that accepts batches.

    Replies are returned as chat completions, by the names of their requests.
    """

    client: Client
    poll: float

    def create(self, tag: str, bodies: Mapping[str, dict[str, Any]]) -> str | Failure:
        """Send requests by name, and return the id of the batch."""

    def find(self, batch: Batch, known: Sequence[str]) -> str:
        """Return the id of a batch that was sent although its id never came back.

        Returns "" if there is none.
        """

    def look(self, id: str) -> dict[str, Any]:
        """Return the state of a batch: `status`, and what else the server reports."""

    def results(self, id: str) -> Iterator[Result]:
        """Yield the result of each finished request."""


class BatchClient:
    """Base of both kinds of servers: calls that must succeed, and paging through lists."""

    def __init__(self, client: Client, url: str, poll: float) -> None:
        self.client, self.url, self.poll = client, url, poll

    def fetch(self, path: str) -> bytes:
        """Return the content of an address of the server."""
        reply = self.client.call("GET", f"{self.url}/{path}")
        if isinstance(reply, Failure):
            hint = "what was sent is kept, the same command goes on"
            raise Unreachable(f"{self.url}/{path.split('?')[0]}: {reply.fault}; {hint}")
        return reply

    def pages(self, path: str, after: str) -> Iterator[dict[str, Any]]:
        """Yield every entry of a list, the newest first."""
        last, seen = "", set[str]()
        while last not in seen:
            seen.add(last)
            page = _object(
                self.fetch(f"{path}?limit={PAGE}" + (f"&{after}={quote(last)}" if last else ""))
            )
            entries = [
                entry
                for entry in page.get("data") or []
                if isinstance(entry, dict) and entry.get("id")
            ]
            yield from entries
            if not entries or not page.get("has_more"):
                return
            last = str(entries[-1]["id"])

    def result_of(
        self, line: bytes, read: Callable[[dict[str, Any]], dict[str, Any] | Failure]
    ) -> Result:
        """Return the result of a request from its line.

        A malformed line is a failure of that request alone; the name is "" if the line has none.
        """
        row: Any = None
        with suppress(ValueError, RecursionError):
            row = json.loads(line)
        name = row.get("custom_id") if isinstance(row, dict) else None
        failure = Failure(
            FaultKind.BROKEN, "not a result of a batch", line[:2000].decode("utf-8", "replace")
        )
        if not isinstance(name, str):
            return "", failure
        try:
            return name, read(row)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            return name, failure
        except Unreachable as error:
            return name, Failure(FaultKind.SERVER_ERROR, str(error))

    def completion_of(self, status: int, body: Any) -> dict[str, Any] | Failure:
        """Return one reply of a batch in the form of a single request's reply."""
        text = json.dumps(body)
        return (
            self.client.completion(text)
            if status == 200
            else Failure(FaultKind.HTTP, "in a batch", text[:2000], status=status)
        )


class OpenaiBatches(BatchClient):
    """Batches of OpenAI's form: an uploaded file of requests.

    Replies and errors come back as files.
    """

    def create(self, tag: str, bodies: Mapping[str, dict[str, Any]]) -> str | Failure:
        """Upload the requests, and create a batch with the tag in its metadata."""
        from urllib3 import encode_multipart_formdata

        endpoint = f"/v1/{self.client.dialect.path}"
        rows = [
            {"custom_id": name, "method": "POST", "url": endpoint, "body": body}
            for name, body in bodies.items()
        ]
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        file_field = (f"grice-{tag}.jsonl", content, "application/jsonl")
        form: dict[str, Any] = {"purpose": "batch", "file": file_field}
        body, kind = encode_multipart_formdata(form)
        file = self.client.call("POST", f"{self.url}/files", body, kind)
        if isinstance(file, Failure):
            return file
        request = {
            "input_file_id": _object(file).get("id"),
            "endpoint": endpoint,
            "completion_window": "24h",
        }
        # Tried once: after a lost reply, the batch is looked up before the next attempt.
        reply = self.client.call(
            "POST", f"{self.url}/batches", {**request, "metadata": {"grice": tag}}, tries=1
        )
        return reply if isinstance(reply, Failure) else _id(reply)

    def find(self, batch: Batch, known: Sequence[str]) -> str:  # noqa: ARG002
        """Return the id of the batch with the tag in its metadata."""
        for entry in self.pages("batches", "after"):
            metadata = entry.get("metadata")
            if isinstance(metadata, dict) and metadata.get("grice") == batch.tag:
                return str(entry["id"])
        return ""

    def look(self, id: str) -> dict[str, Any]:
        """Return the batch as the server reports it."""
        return _object(self.fetch(f"batches/{id}"))

    def results(self, id: str) -> Iterator[Result]:
        """Yield the results in the files of replies and of errors."""
        report = self.look(id)
        for file in (report.get("output_file_id"), report.get("error_file_id")):
            for line in self.fetch(f"files/{file}/content").splitlines() if file else ():
                yield self.result_of(line, self._read)

    def _read(self, row: dict[str, Any]) -> dict[str, Any] | Failure:
        answer, error = row.get("response") or {}, row.get("error") or {}
        if answer:
            return self.completion_of(int(answer.get("status_code") or 0), answer.get("body"))
        kind = FaultKind.EXPIRED if error.get("code") in UNDONE else FaultKind.SERVER_ERROR
        return Failure(kind, str(error.get("message") or error.get("code") or "no reply"))


class AnthropicBatches(BatchClient):
    """Batches of Anthropic's form.

    A batch has no metadata there, so the names of its requests carry the tag.
    """

    def create(self, tag: str, bodies: Mapping[str, dict[str, Any]]) -> str | Failure:  # noqa: ARG002
        """Send all requests at once."""
        request = {
            "requests": [{"custom_id": name, "params": body} for name, body in bodies.items()]
        }
        reply = self.client.call("POST", f"{self.url}/messages/batches", request, tries=1)
        return reply if isinstance(reply, Failure) else _id(reply)

    def find(self, batch: Batch, known: Sequence[str]) -> str:
        """Return the id of a batch of that size that this run does not know yet.

        The names of its requests must carry the tag.
        """
        for entry in self.pages("messages/batches", "after_id"):
            id, counts = str(entry["id"]), entry.get("request_counts")
            sizes = (
                [n for n in counts.values() if isinstance(n, int)]
                if isinstance(counts, dict)
                else []
            )
            # The results of an archived batch are no longer available.
            if id in known or sum(sizes) != batch.requests or entry.get("archived_at"):
                continue
            # Names are available only after the batch has ended.
            wait_for(self, id)
            if any(name.startswith(batch.tag) for name, _ in self.results(id)):
                return id
        return ""

    def look(self, id: str) -> dict[str, Any]:
        """Return the batch as the server reports it."""
        report = _object(self.fetch(f"messages/batches/{id}"))
        return {**report, "status": report.get("processing_status")}

    def results(self, id: str) -> Iterator[Result]:
        """Yield the results of a batch."""
        for line in self.fetch(f"messages/batches/{id}/results").splitlines():
            yield self.result_of(line, self._read)

    def _read(self, row: dict[str, Any]) -> dict[str, Any] | Failure:
        result = row["result"]
        if result.get("type") == "succeeded":
            return self.completion_of(200, result.get("message"))
        kind = FaultKind.EXPIRED if result.get("type") in UNDONE else FaultKind.SERVER_ERROR
        return Failure(kind, json.dumps(result)[:200])


def hand_over(
    server: BatchServer, batch: Batch, bodies: Mapping[str, dict[str, Any]], known: Sequence[str]
) -> str:
    """Send a batch exactly once, and return its id.

    After a lost reply the batch is looked up before it is sent again.
    """
    client, failure = server.client, Failure(FaultKind.CONNECTION, "not tried")
    for attempt in range(client.retries + 1):
        client.pause(attempt)
        if attempt and (existing_id := server.find(batch, known)):
            return existing_id
        try:
            created = server.create(batch.tag, bodies)
        except Unreachable as error:
            raise NotTaken(f"{error}, or leave out -M batch=true to ask one by one") from None
        if isinstance(created, str):
            return created
        failure = created
        if not failure.passing:
            raise NotTaken(
                f"{client.url}: no batch was taken ({failure.fault}); leave out -M batch=true"
            )
    raise Unreachable(
        f"{client.url}: no batch was taken ({failure.fault}); the same command tries again"
    )


def wait_for(server: BatchServer, id: str) -> dict[str, Any]:
    """Poll a batch at growing intervals until it has ended, and return its last state."""
    pause = min(1.0, server.poll)
    while (report := server.look(id)).get("status") not in OVER:
        time.sleep(pause)
        pause = min(server.poll, pause * 1.5)
    return report


def why_failed(report: Mapping[str, Any]) -> str:
    """Return the server's reason for a batch that failed as a whole."""
    errors = (report.get("errors") or {}).get("data") or []
    return "; ".join(str(error.get("message") or error) for error in errors[:3]) or str(
        report.get("status")
    )


def _object(text: bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        if isinstance(value, dict):
            return value
    raise Unreachable(
        f"a reply about a batch is not JSON ({text[:80].decode('utf-8', 'replace')!r}); go on later"
    )


def _id(text: bytes) -> str | Failure:
    batch_id = _object(text).get("id")
    return (
        str(batch_id)
        if batch_id
        else Failure(
            FaultKind.BROKEN, "a batch without an id", text[:2000].decode("utf-8", "replace")
        )
    )
