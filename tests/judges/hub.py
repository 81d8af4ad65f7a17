"""A model hub on loopback: the few addresses of the hub's protocol that fetching a model takes,
over folders on disk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.judges.servers import running


@dataclass
class Hub:
    """Where it is, and what was asked for: `GET /api/models/org/name/revision/main`, …"""

    url: str = ""
    asked: list[str] = field(default_factory=list)

    @property
    def fetched(self) -> set[str]:
        """The names of the files that were downloaded."""
        return {
            path.rpartition("/")[2]
            for path in self.asked
            if path.startswith("GET ") and "/resolve/" in path
        }


@contextmanager
def hub(models: Mapping[str, Path]) -> Iterator[Hub]:
    """Serves folders by `org/name`, or by `org/name@revision`; whatever else is asked for is not
    found.
    """
    seen = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply(body=True)

        def do_HEAD(self) -> None:
            self._reply(body=False)

        def _reply(self, *, body: bool) -> None:
            path = unquote(urlsplit(self.path).path)
            seen.asked.append(f"{self.command} {path}")
            status, content, headers = answer(models, path)
            self.send_response(status)
            for key, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(key, value)
            self.end_headers()
            if body:
                self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read what was asked, not logs."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    seen.url = f"http://127.0.0.1:{http.server_address[1]}"
    with running(http):
        yield seen


def answer(models: Mapping[str, Path], path: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers, as the hub gives them."""
    parts = path.strip("/").split("/")
    plain = {"Content-Type": "application/json"}
    if parts[:2] == ["api", "models"] and len(parts) >= 6 and parts[4] in ("revision", "tree"):
        name, kind, revision = "/".join(parts[2:4]), parts[4], parts[5]
        found = _folder(models, name, revision)
        if found is not None:
            commit, folder = found
            told: Any = (
                {"id": name, "sha": commit, "siblings": []} if kind == "revision" else _tree(folder)
            )
            return 200, json.dumps(told).encode(), plain
        known = any(key.partition("@")[0] == name for key in models)
        return (
            404,
            b"{}",
            {**plain, "X-Error-Code": "RevisionNotFound" if known else "RepoNotFound"},
        )
    if len(parts) >= 5 and parts[2] == "resolve":
        found = _folder(models, "/".join(parts[:2]), parts[3])
        file = found[1] / "/".join(parts[4:]) if found else Path("nowhere")
        if found and file.is_file():
            content = file.read_bytes()
            return 200, content, {"ETag": f'"{_oid(content)}"', "X-Repo-Commit": found[0]}
    return 404, b"{}", {**plain, "X-Error-Code": "EntryNotFound"}


def _folder(models: Mapping[str, Path], name: str, revision: str) -> tuple[str, Path] | None:
    """The commit and the folder that a branch, or a commit given out before, means."""
    for key, folder in models.items():
        stem, _, branch = key.partition("@")
        commit = hashlib.sha1(key.encode()).hexdigest()
        if stem == name and revision in (branch or "main", commit):
            return commit, folder
    return None


def _tree(folder: Path) -> list[dict[str, Any]]:
    return [
        {
            "type": "file",
            "path": file.relative_to(folder).as_posix(),
            "size": file.stat().st_size,
            "oid": _oid(file.read_bytes()),
        }
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    ]


def _oid(content: bytes) -> str:
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()
