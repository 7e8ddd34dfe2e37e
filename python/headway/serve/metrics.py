"""Numbers about the service, as Prometheus reads them."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from headway.version import __version__

# Upper bounds of the histogram, in seconds.
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Counts requests by endpoint and status, and how long they took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._durations: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}
        self.characters: Counter[str] = Counter()
        """Characters that were translated, by model."""
        self.in_flight = 0
        """Requests that are being answered."""

    def began(self) -> None:
        """A request is being answered."""
        with self._lock:
            self.in_flight += 1

    def ended(self, method: str, endpoint: str, status: int, seconds: float) -> None:
        """A request was answered."""
        with self._lock:
            self.in_flight -= 1
            self._requests[method, endpoint, status] += 1
            buckets = self._durations.setdefault(endpoint, [0] * (len(_BOUNDS) + 1))
            place = next((it for it, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))
            buckets[place] += 1
            self._seconds[endpoint] = self._seconds.get(endpoint, 0.0) + seconds

    def translated(self, model: str, characters: int) -> None:
        """Characters of texts that a model translated."""
        with self._lock:
            self.characters[model] += characters

    def text(self, values: Mapping[str, float]) -> str:
        """All of it; `values` are gauges and counters (`…_total`) of others, by name."""
        with self._lock:
            lines = [*self._lines(values)]
        return "\n".join(lines) + "\n"

    def _lines(self, values: Mapping[str, float]) -> Iterator[str]:
        yield from _family(
            "headway_info", "gauge", "The version.", [((("version", __version__),), 1)]
        )
        yield from _family(
            "headway_requests_total",
            "counter",
            "Requests that were answered.",
            (
                ((("method", method), ("endpoint", endpoint), ("status", str(status))), count)
                for (method, endpoint, status), count in sorted(self._requests.items())
            ),
        )
        name = "headway_request_seconds"
        yield f"# HELP {name} Time from the request to the end of the answer."
        yield f"# TYPE {name} histogram"
        for endpoint, buckets in sorted(self._durations.items()):
            yield from self._histogram(name, endpoint, buckets)
        yield from _family(
            "headway_characters_total",
            "counter",
            "Characters that were translated.",
            (((("model", model),), count) for model, count in sorted(self.characters.items())),
        )
        about = {"headway_requests_in_flight": "Requests that are being answered."}
        numbers = {"headway_requests_in_flight": float(self.in_flight), **values}
        for key, value in numbers.items():
            kind = "counter" if key.endswith("_total") else "gauge"
            yield from _family(key, kind, about.get(key, _ABOUT.get(key, "")), [((), value)])

    def _histogram(self, name: str, endpoint: str, buckets: list[int]) -> Iterator[str]:
        total = 0
        for bound, count in zip([*map(str, _BOUNDS), "+Inf"], buckets, strict=True):
            total += count
            yield f"{name}_bucket{_shown((('endpoint', endpoint), ('le', bound)))} {total}"
        label = _shown((("endpoint", endpoint),))
        yield f"{name}_sum{label} {self._seconds[endpoint]:.6f}"
        yield f"{name}_count{label} {total}"


_ABOUT = {
    "headway_sentences_total": "Sentences that were translated.",
    "headway_decoder_seconds_total": "Time that decoder threads spent on them.",
    "headway_decoder_threads": "Decoder threads.",
    "headway_sentences_waiting": "Sentences that no decoder thread has begun with.",
    "headway_documents": "Files that wait, are translated, or are kept for download.",
}


def _family(
    name: str, kind: str, about: str, rows: Iterable[tuple[Labels, float]]
) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for labels, value in rows:
        yield (
            f"{name}{_shown(labels)} {value:g}"
            if value < 1e6
            else f"{name}{_shown(labels)} {value:.3f}"
        )


def _shown(labels: Labels) -> str:
    pairs = (f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{','.join(pairs)}}}" if labels else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
