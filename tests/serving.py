"""A service that a test starts, asks over loopback, and stops."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from conftest import PATIENCE

PROGRAM = [sys.executable, "-m", "headway", "serve"]


@dataclass
class Reply:
    """What a service answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The message of a refusal, which has nothing else in it."""
        (message,) = self.json.values()
        assert list(self.json) == ["error"]
        assert isinstance(message, str)
        return message


@dataclass
class Running:
    """A service at work."""

    process: subprocess.Popen[str]
    port: int
    said: list[str] = field(default_factory=list)
    """Lines of its standard error so far."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, dict(headers or {}))
            found = connection.getresponse()
            return Reply(found.status, dict(found.getheaders()), found.read())
        finally:
            connection.close()

    def get(self, path: str) -> Reply:
        return self.ask("GET", path)

    def post(self, path: str, **fields: object) -> Reply:
        """Fields as JSON."""
        return self.ask("POST", path, json.dumps(fields), {"Content-Type": "application/json"})

    def form(self, path: str, *pairs: tuple[str, object], **fields: object) -> Reply:
        """Fields as a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode([*pairs, *fields.items()]), kind)

    def send_file(self, path: str, name: str, content: bytes, **fields: str) -> Reply:
        """A file with fields, as browsers send it."""
        mark = "mark-of-the-parts"
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in fields.items()
        ]
        disposition = f'form-data; name="file"; filename="{name}"'
        parts.append(f"--{mark}\r\nContent-Disposition: {disposition}\r\n\r\n".encode() + content)
        parts.append(f"\r\n--{mark}--\r\n".encode())
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        return self.ask("POST", path, b"".join(parts), kind)

    def connect(self) -> socket.socket:
        """A connection of which the test sends every byte."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


@contextmanager
def running(*arguments: object, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """A service on a free port; it has to end well when it is told to."""
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments), "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error", **(env or {})},
    )
    said: list[str] = []
    try:
        port = _port(process, said)
        reader = threading.Thread(target=_collect, args=(process, said))
        reader.start()
        yield Running(process, port, said)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, said
        reader.join()
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def _port(process: subprocess.Popen[str], said: list[str]) -> int:
    assert process.stderr is not None
    for line in process.stderr:
        said.append(line.rstrip("\n"))
        if found := re.match(r"serving on http://127\.0\.0\.1:(\d+);", line):
            return int(found[1])
    raise AssertionError(f"the service did not start: {said}")


def _collect(process: subprocess.Popen[str], said: list[str]) -> None:
    assert process.stderr is not None
    said.extend(line.rstrip("\n") for line in process.stderr)
