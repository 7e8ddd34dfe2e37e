"""Keys and rates."""

from pathlib import Path

import pytest
from headway import ConfigError
from headway.serve.access import ApiKeys, RateLimit
from headway.serve.refusals import RefusedError
from serving import running


def test_only_whole_keys_open() -> None:
    keys = ApiKeys(["first key", "schlüssel"])
    keys.check("first key")
    keys.check("schlüssel")
    for wrong in ("first", "first key ", "FIRST KEY", "x" * 10_000, "\ud800"):
        with pytest.raises(RefusedError, match="Invalid API key") as found:
            keys.check(wrong)
        assert found.value.status == 403
    with pytest.raises(RefusedError, match="key is required") as found:
        keys.check("")
    assert found.value.status == 400
    ApiKeys().check("")


def test_a_file_of_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("# of the team\nabc\n\n  def \n", encoding="utf-8")
    keys = ApiKeys.load(path)
    keys.check("abc")
    keys.check("def")
    path.write_text("# none\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="no API key"):
        ApiKeys.load(path)


def test_a_client_may_save_up_a_minute() -> None:
    rate = RateLimit(3)
    for _ in range(3):
        rate.check("a", now=0)
    with pytest.raises(RefusedError, match="Slowdown") as found:
        rate.check("a", now=0)
    assert (found.value.status, found.value.headers) == (429, {"Retry-After": "20"})
    rate.check("b", now=0)
    rate.check("a", now=21)
    with pytest.raises(RefusedError, match="3 requests per minute"):
        rate.check("a", now=21)
    for _ in range(3):
        rate.check("a", now=1000)


def test_many_clients_take_little_memory() -> None:
    rate = RateLimit(1)
    for number in range(20_000):
        rate.check(str(number), now=0)
    assert len(rate._left) == 10_000


def test_a_service_with_keys_and_a_rate(small_systems: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("right\n", encoding="utf-8")
    limits = ["--set", "serve.requests_per_minute=4", "--set", "serve.documents=0"]
    with running(small_systems / "phrase", "--api-keys", keys, *limits) as service:
        pair = {"q": "Hund", "source": "de", "target": "en"}
        assert service.get("/frontend/settings").json["keyRequired"]
        assert service.get("/languages").status == 200
        assert service.post("/translate", **pair).status == 400
        assert service.post("/translate", **pair, api_key="wrong").status == 403
        assert service.get("/metrics").status == 400
        assert service.post("/translate", **pair, api_key="right").status == 200
        bearer = {"Authorization": "Bearer right"}
        assert service.ask("GET", "/metrics", headers=bearer).status == 200
        assert service.form("/translate?api_key=right", **pair).status == 200
        form = {"source": "de", "target": "en", "api_key": "right"}
        assert service.send_file("/translate_file", "a.txt", b"Hund", **form).status == 403
        slow = service.post("/translate", **pair, api_key="right")
        assert slow.status == 429
        assert slow.error.startswith("Slowdown:")
        assert 1 <= int(slow.headers["retry-after"]) <= 15
        # Who sends no right key does not use up what others may ask.
        assert service.post("/translate", **pair, api_key="wrong").status == 403
    assert not any("right" in line for line in service.said)
