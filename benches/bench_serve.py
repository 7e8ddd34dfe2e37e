"""The service under load, against `translate` on the same sentences and cores.

Latency of sentences of 13 words over HTTP, one after the other, less what the decoder takes
itself; sentences a second for eight clients at a time, against `Translator.translate`; and a
minute of mixed requests, which must all be answered while memory stays as it is. Everything is on
loopback. The clients are threads of this process, on the same cores as the service.

    python benches/bench_serve.py [seconds of load, 60 by default]
"""

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from headway import Settings, Translator, fragment, train
from measure import cpu_seconds, report

CLIENTS, ROUNDS, WORDS = 8, 5, 13
PAIR = {"source": "de", "target": "en"}
_MOST_MILLISECONDS, _LEAST_SHARE, _MOST_GROWTH = 10.0, 0.85, 1.05


@dataclass(frozen=True)
class Service:
    """A service in a process of its own."""

    pid: int
    port: int

    def connect(self) -> http.client.HTTPConnection:
        """A connection of one client."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    @property
    def megabytes(self) -> float:
        """Memory of its own: without the files that it maps."""
        text = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"RssAnon:\s+(\d+)", text)[0]) / 1024

    @property
    def cpu(self) -> float:
        """CPU seconds so far, of all its threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(model: Path) -> Iterator[Service]:
    program = [sys.executable, "-m", "headway", "serve", str(model), "--port", "0"]
    process = subprocess.Popen(program, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        port = next(re.findall(r":(\d+);", line) for line in process.stderr if "serving" in line)
        reader = threading.Thread(target=process.stderr.read)
        reader.start()
        yield Service(process.pid, int(port[0]))
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def post(connection: http.client.HTTPConnection, path: str, **fields: object) -> bytes:
    """Fields as JSON; anything but success ends the bench."""
    kind = {"Content-Type": "application/json"}
    connection.request("POST", path, json.dumps({**PAIR, **fields}), kind)
    found = connection.getresponse()
    body = found.read()
    assert found.status == 200, (path, found.status, body[:200])
    return body


def latency(service: Service, translator: Translator, lines: Sequence[str]) -> tuple[float, float]:
    """Medians in milliseconds: over HTTP, and of the decoder in this process; taken in turns."""
    connection, over, own = service.connect(), [], []
    for line in lines:
        start = time.perf_counter()
        post(connection, "/translate", q=line)
        over.append(time.perf_counter() - start)
        start = time.perf_counter()
        translator.translate([line], threads=1)
        own.append(time.perf_counter() - start)
    return 1000 * median(over), 1000 * median(own)


def by_clients(work: Callable[[int], None]) -> float:
    """Wall time of work that all clients do at once; an error of one is an error of all."""
    errors: list[BaseException] = []

    def one(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(CLIENTS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]
    return time.perf_counter() - start


def throughput(
    service: Service, translator: Translator, lines: Sequence[str], size: int
) -> tuple[float, float]:
    """Sentences a second of CPU of the service, `size` in a request, and of `translate`.

    Wall time is printed only: on a machine that others use, more threads get more of it. Both keep
    all cores busy, so that on an idle machine the one follows from the other.
    """
    expected = [found.text for found in translator.translate(lines)]
    ours, peer, walls = [], [], []

    def ask(number: int) -> None:
        connection = service.connect()
        own = [*range(number * size, len(lines), CLIENTS * size)]
        for start in own:
            said = json.loads(post(connection, "/translate", q=list(lines[start : start + size])))
            assert said["translatedText"] == expected[start : start + size]

    for _ in range(ROUNDS):
        before = service.cpu
        walls.append(by_clients(ask))
        ours.append(len(lines) / (service.cpu - before))
        seconds, _ = cpu_seconds(lambda: translator.translate(lines), 1)
        peer.append(len(lines) / seconds)
    found = f"{max(ours):.0f} sentences per CPU second, {len(lines) / min(walls):.0f} by the clock"
    print(
        f"{CLIENTS} clients, {size} in a request: {found}; translate {max(peer):.0f} per CPU second"
    )
    return max(ours), max(peer)


def load(service: Service, lines: Sequence[str], seconds: float) -> tuple[int, float, float]:
    """Requests that were answered, and memory after a quarter of the time and at the end."""
    counts, end, memory = [0] * CLIENTS, time.monotonic() + seconds, []

    def ask(number: int) -> None:
        connection, draw = service.connect(), random.Random(number)
        while time.monotonic() < end:
            some = draw.sample(lines, 5)
            match draw.randrange(5):
                case 0:
                    post(connection, "/translate", q=some[0], alternatives=3)
                case 1:
                    post(connection, "/translate", q=some, source="auto")
                case 2:
                    post(connection, "/translate", q=f"<p>{some[0]}</p>", format="html")
                case 3:
                    post(connection, "/api/v1/translate", q=some[0], n_best=5, forest=True)
                case _:
                    post(connection, "/detect", q=some[0])
            counts[number] += 1

    watch = threading.Timer(seconds / 4, lambda: memory.append(service.megabytes))
    watch.start()
    by_clients(ask)
    watch.join()
    return sum(counts), memory[0], service.megabytes


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with TemporaryDirectory() as place:
        corpus, model = Path(place, "corpus"), Path(place, "model")
        fragment.write(corpus, pairs=10_000, test=2_000, seed=7)
        quick = Settings.load(None, ["align.samples=1"])
        train("phrase", corpus / "train.de", corpus / "train.en", model, settings=quick)
        lines = (corpus / "test.de").read_text(encoding="utf-8").splitlines()
        translator = Translator.load(model)
        chosen = [it for it in lines if len(translator.words([it])[0]) == WORDS][:200]
        with serving(model) as service:
            over, own = latency(service, translator, chosen)
            print(
                f"latency of {len(chosen)} sentences of {WORDS} words: {over:.2f} ms over HTTP,"
                f" {own:.2f} ms in the decoder, {over - own:.2f} ms more"
            )
            for size in (20, 1):
                ours, peer = throughput(service, translator, lines[:1000], size)
            answered, before, after = load(service, lines, seconds)
            print(
                f"{seconds:g} s of mixed load: {answered} requests without an error,"
                f" {before:.1f} MB after a quarter, {after:.1f} MB at the end"
            )
        assert over - own <= _MOST_MILLISECONDS, "latency"
        assert after <= _MOST_GROWTH * before, "memory grows"
        assert ours >= _LEAST_SHARE * peer, "throughput"
        report("serve, 8 clients", ours, peer, "sentences per CPU s", better="higher")


if __name__ == "__main__":
    main()
