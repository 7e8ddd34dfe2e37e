"""From bundles to a service that answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from headway.serve import server
from headway.serve.access import ApiKeys
from headway.serve.app import create_app
from headway.serve.loaded import load_models
from headway.serve.log import AccessLog
from headway.serve.service import Service
from headway.settings import ServeSettings, Settings

Say = Callable[[str], None]


def serve(
    directories: Sequence[str | Path],
    *,
    limits: ServeSettings | None = None,
    threads: int = 0,
    search: Mapping[str, Any] | None = None,
    languages: tuple[str, str] | None = None,
    api_keys: Path | None = None,
    verify: bool = True,
    say: Say = print,
    log: Say | None = None,
) -> None:
    """Serves bundles until it is told to stop.

    `limits` say where it listens, too. `threads` decode, 0 is one per core. `search` changes
    search settings, and `languages` are those of bundles that do not say theirs. `say` takes what
    the operator should know, `log` a line for each request.
    """
    limits = limits or Settings.load().serve
    keys = ApiKeys.load(api_keys)
    bound = server.bind(limits.host, limits.port)
    try:
        models = load_models(
            [Path(one) for one in directories], search=search, languages=languages, verify=verify
        )
        service = Service(models, limits, keys, threads or os.cpu_count() or 1)
        address = server.address_of(bound)

        def ready() -> None:
            for model in models:
                say(f"{model.name}: {model.system}, {model.source} to {model.target}")
            say(f"serving on {address}; stop it with Ctrl-C")

        server.run(create_app(service, AccessLog(log, texts=limits.log_text)), bound, limits, ready)
        say("stopped")
    finally:
        bound.close()
