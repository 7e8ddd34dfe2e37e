"""Decoder threads: the same translations, in a fair order, whatever becomes of requests."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from headway import Translator
from headway.serve.pool import DecoderPool, GaveUpError, PooledTranslator, Ticket
from headway.systems import models

KNOWN = ("Der alte Mann sieht einen Hund", "Danach durften Sie langsam springen")


class Slow:
    """Stands for a translator; waits until it may go on, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go_on = threading.Event()

    def translate(
        self, lines: Sequence[str], *, threads: int, before: int, progress: Any
    ) -> list[str]:
        assert threads == 1
        assert before <= len(self.asked)
        self.asked += lines
        while not self.go_on.wait(0.01):
            progress(0, 0)
        if "bad" in lines:
            raise ValueError("bad line")
        return [line.upper() for line in lines]


def in_background(pool: DecoderPool, translator: Any, lines: list[str], ticket: Ticket) -> Any:
    background = ThreadPoolExecutor(1)
    try:
        return background.submit(pool.translate, translator, lines, {}, ticket)
    finally:
        background.shutdown(wait=False)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_as_without_a_pool(small_systems: Path, lines: list[str], threads: int) -> None:
    translator = Translator.load(small_systems / "phrase")
    expected = translator.translate(lines * 3, n_best=2)
    pool = DecoderPool(threads)
    try:
        pooled = PooledTranslator(translator, pool, Ticket())
        assert pooled.translate(lines * 3, n_best=2) == expected
        assert pooled.translate([]) == []
        assert pooled.places(lines) == translator.places(lines)
        done: list[tuple[int, int]] = []
        pooled.translate(lines, progress=lambda *told: done.append(told))
        assert max(done) == (len(lines), len(lines))
    finally:
        pool.close()


def test_a_long_request_lets_short_ones_pass() -> None:
    pool, slow = DecoderPool(1), Slow()
    long = in_background(pool, slow, [f"long-{number}" for number in range(40)], Ticket())
    while not slow.asked:
        threading.Event().wait(0.001)
    short = in_background(pool, slow, ["short"], Ticket())
    while not pool.waiting > 32:
        threading.Event().wait(0.001)
    slow.go_on.set()
    assert short.result() == ["SHORT"]
    assert long.result() == [f"LONG-{number}" for number in range(40)]
    assert slow.asked.index("short") < 20
    pool.close()


def test_errors_and_cancelled_work_leave_the_pool_at_work() -> None:
    pool, slow = DecoderPool(2), Slow()
    stand_in: Any = slow
    ticket = Ticket()
    cancelled = in_background(pool, slow, [f"line {number}" for number in range(50)], ticket)
    while not slow.asked:
        threading.Event().wait(0.001)
    ticket.cancel()
    with pytest.raises(GaveUpError):
        cancelled.result()
    slow.go_on.set()
    with pytest.raises(ValueError, match="bad line"):
        pool.translate(stand_in, ["good", "bad"], {}, Ticket())
    with pytest.raises(GaveUpError):
        pool.translate(stand_in, ["late"], {}, Ticket(seconds=-1))
    last: Any = pool.translate(stand_in, ["good"], {}, Ticket())
    assert last == ["GOOD"]
    assert pool.waiting == 0
    pool.close()
    with pytest.raises(GaveUpError):
        pool.translate(stand_in, ["after"], {}, Ticket())


def test_threads_share_what_unknown_words_are_read_as(
    small_systems: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dictionary is cleared all the time, while others read it."""
    monkeypatch.setattr(models, "_MOST_WORDS", 3)
    translator = Translator.load(small_systems / "phrase")
    known = sorted({word for line in KNOWN for word in line.split()})
    sentences = [f"{word}x {other}" for word in known for other in known]
    expected = [found.read for found in translator.translate(sentences, threads=1)]
    assert any(
        list(read) != sentence.split() for read, sentence in zip(expected, sentences, strict=True)
    )
    with ThreadPoolExecutor(8) as threads:
        calls = [threads.submit(translator.translate, sentences, threads=1) for _ in range(8)]
        for call in calls:
            assert [found.read for found in call.result()] == expected


class Cutting:
    """Stands for a translator; notes how many cut text at a time, and with how many threads."""

    def __init__(self) -> None:
        self.now, self.most, self.threads = 0, 0, set[int]()
        self.written = self.target_words = lambda *_: None

    def places(self, lines: Sequence[str], *, threads: int) -> list[list[tuple[int, int]]]:
        self.now += 1
        self.most = max(self.most, self.now)
        self.threads.add(threads)
        time.sleep(0.005)
        self.now -= 1
        return [[] for _ in lines]


def test_requests_cut_their_text_one_by_one() -> None:
    """The core would start threads anew for each of many calls at once, and memory would grow."""
    pool, own = DecoderPool(1), Cutting()
    translator: Any = own
    try:
        with ThreadPoolExecutor(8) as threads:
            pooled = [PooledTranslator(translator, pool, Ticket()) for _ in range(8)]
            found = list(threads.map(lambda one: one.places(["a"], threads=0), pooled))
    finally:
        pool.close()
    assert found == [[[]]] * 8
    assert (own.most, own.threads) == (1, {1})
