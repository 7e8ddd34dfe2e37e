"""Slow clients, many of them, and the end of the service."""

import json
import signal
import socket
import threading
from pathlib import Path

import pytest
from conftest import PATIENCE, Headway
from processes import wait_for
from serving import Running, running

PAIR = {"source": "de", "target": "en"}


def answer(connection: socket.socket) -> bytes:
    """All that the service sends before it closes."""
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def head(size: int) -> bytes:
    return (
        b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % size
    )


def test_slow_clients_do_not_wait_for_ever(small_systems: Path) -> None:
    short = ["--set", "serve.body_seconds=0.3"]
    with running(small_systems / "phrase", *short) as service:
        for sent in (b"", b"POST /trans", head(1000)[:-2], head(1000), head(1000) + b'{"q": "'):
            with service.connect() as connection:
                connection.sendall(sent)
                assert b" 408 " in answer(connection).partition(b"\r\n")[0], sent
        with service.connect() as connection:  # the second request on a connection
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in connection.recv(1 << 16)
            connection.sendall(b"GET /he")
            assert b" 408 " in answer(connection)
        assert service.get("/health").status == 200


def test_no_http_at_all(service: Running) -> None:
    for sent in (b"\x16\x03\x01\x02\x00\n\n", b"\0" * 100_000 + b"\r\n\r\n"):
        with service.connect() as connection:
            connection.sendall(sent)
            assert b" 400 " in answer(connection)[:40]
    with service.connect() as connection:
        connection.sendall(head(1000) + b"{")  # and leaves
    assert service.get("/health").status == 200


def test_many_at_once_are_told_to_wait(small_systems: Path, lines: list[str]) -> None:
    few = ["--set", "serve.waiting=1", "--threads", "1"]
    with running(small_systems / "phrase", *few) as service:
        found: list[tuple[int, bool]] = []

        def ask() -> None:
            reply = service.post("/translate", q=lines * 20, **PAIR)
            found.append((reply.status, "Slowdown" in reply.body.decode()))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (200, False) in found
        assert set(found) <= {(200, False), (429, True)}
        assert service.post("/translate", q="Hund", **PAIR).status == 200


def test_time_of_a_request_is_limited(small_systems: Path, lines: list[str]) -> None:
    short = ["--set", "serve.max_seconds=0.05", "--threads", "1"]
    limits = ["--set", "serve.max_characters=-1", "--set", "serve.max_texts=-1"]
    with running(small_systems / "phrase", *short, *limits) as service:
        found = service.post("/translate", q=lines * 500, **PAIR)
        assert found.status == 503
        assert "took more than 0.05 s" in found.error
        wait_for(lambda: metric(service, "headway_sentences_waiting") == 0, service.process)  # type: ignore[arg-type]


def metric(service: Running, name: str) -> float:
    text = service.get("/metrics").body.decode()
    (value,) = (line.split()[-1] for line in text.splitlines() if line.startswith(f"{name} "))
    return float(value)


def test_requests_in_work_are_answered_at_the_end(small_systems: Path, lines: list[str]) -> None:
    with running(small_systems / "phrase", "--threads", "1") as service:
        found = []

        def ask() -> None:
            found.append(service.post("/translate", q=lines * 30, **PAIR))

        thread = threading.Thread(target=ask)
        thread.start()
        wait_for(lambda: metric(service, "headway_requests_in_flight") > 1, service.process)  # type: ignore[arg-type]
        service.process.send_signal(signal.SIGTERM)
        thread.join()
        assert found[0].status == 200
        assert len(found[0].json["translatedText"]) == 30 * len(lines)
        assert service.process.wait(PATIENCE) == 0
        with pytest.raises(OSError):  # noqa: PT011  refused, or reset
            service.connect()
    assert service.said[-1] == "stopped"


def test_ctrl_c_ends_it_well(small_systems: Path) -> None:
    with running(small_systems / "phrase") as service:
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(PATIENCE) == 0


def test_work_of_clients_that_left_is_given_up(small_systems: Path, lines: list[str]) -> None:
    more = ["--set", "serve.max_characters=-1", "--set", "serve.max_texts=-1", "--threads", "1"]
    with running(small_systems / "phrase", *more) as service:
        body = json.dumps({"q": lines * 2000, **PAIR}).encode()
        with service.connect() as connection:
            connection.sendall(head(len(body)) + body)
            wait_for(lambda: metric(service, "headway_sentences_waiting") > 0, service.process)  # type: ignore[arg-type]
        wait_for(lambda: metric(service, "headway_sentences_waiting") == 0, service.process)  # type: ignore[arg-type]
        assert metric(service, "headway_sentences_total") < 2000 * len(lines)


def test_the_log_has_no_texts(small_systems: Path) -> None:
    with running(small_systems / "phrase") as service:
        service.post("/translate", q="Geheimnis", **PAIR)
        service.form("/translate?q=Verborgenes", **PAIR)
        service.get("/%0aforged%20line")
    logged = [line for line in service.said if " 127.0.0.1 " in line]
    assert [line.split()[2:5] for line in logged[:2]] == [["POST", "/translate", "200"]] * 2
    assert logged[0].endswith(" 9 characters")
    assert "\\nforged line" in logged[2]
    assert not any("Geheim" in line or "Verborgen" in line for line in service.said)
    with running(small_systems / "phrase", "--set", "serve.log_text=true") as service:
        service.post("/translate", q="Geheimnis", **PAIR)
    assert any(line.endswith('["Geheimnis"]') for line in service.said)


def test_metrics(service: Running) -> None:
    service.post("/translate", q="Hund", **PAIR)
    service.get("/absent")
    text = service.get("/metrics").body.decode()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    names = {line.partition("{")[0].partition(" ")[0] for line in lines}
    assert 'headway_requests_total{method="POST",endpoint="/translate",status="200"}' in text
    assert 'status="404"' in text
    assert metric(service, "headway_requests_in_flight") == 1  # this one
    assert metric(service, "headway_sentences_total") >= 1
    for name in names:
        base = name
        for ending in ("_bucket", "_sum", "_count"):
            base = base.removesuffix(ending)
        assert f"# TYPE {base} " in text, name


def test_models_that_cannot_be_served(
    headway: Headway, small_systems: Path, tmp_path: Path
) -> None:
    phrase = small_systems / "phrase"
    twice = headway("serve", phrase, small_systems / "." / "phrase", "--port", 0)
    assert twice.returncode == 2
    assert "is given twice" in twice.stderr
    absent = headway("serve", tmp_path / "absent", "--port", 0)
    assert absent.returncode == 2
    assert "no such directory" in absent.stderr
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = headway("serve", phrase, "--port", taken.getsockname()[1])
    assert found.returncode == 2
    assert "cannot listen" in found.stderr
    assert found.stderr.count("\n") == 1
    wrong = headway("serve", phrase, "--host", "no.such.host.invalid")
    assert wrong.returncode == 2
    assert "no such address" in wrong.stderr


def test_without_the_extra_the_command_says_what_to_install(
    headway: Headway, small_systems: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, package=None: None)
    found = headway("serve", small_systems / "phrase")
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "pip install 'headway[server]'" in found.stderr
