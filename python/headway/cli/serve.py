"""`headway serve`."""

import importlib.util
import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from headway.cli.frame import Job, command
from headway.cli.options import Languages, VerifyOption, doubted_pair
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.systems.effects import idle_use

_log = logging.getLogger(__name__)

_NEEDED = ("starlette", "uvicorn", "python_multipart")


@command("serve")
def serve(
    job: Job,
    directories: Annotated[
        list[Path],
        typer.Argument(
            metavar="MODEL", help="Model directories; the first of a pair is its default."
        ),
        Role.READ,
    ],
    *,
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Address to listen on; the default is 127.0.0.1."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; the default is 5000, and 0 is any free one."),
    ] = None,
    api_keys: Annotated[
        Path | None,
        typer.Option(help="Require an API key: one of this file, which has one a line."),
        Role.READ,
    ] = None,
    languages: Languages = None,
    verify: VerifyOption = True,
) -> None:
    """Translate for web browsers and programs, with LibreTranslate's API.

    headway serve model

    headway serve model other-model --port 8080 --api-keys keys.txt
    """
    absent = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if absent:
        message = f"`headway serve` needs {', '.join(absent).replace('_', '-')}"
        raise ConfigError(f"{message}; install them: pip install 'headway[server]'")
    from headway.serve.running import serve as run  # noqa: PLC0415  needs the extra

    for message in idle_use(name for name in job.settings.named if not name.startswith("serve.")):
        _log.warning(message)
    changes = {"host": host, "port": port}
    given = {name: value for name, value in changes.items() if value is not None}
    limits = msgspec.structs.replace(job.settings.serve, **given)
    run(
        directories,
        limits=limits,
        threads=job.threads or len(os.sched_getaffinity(0)),
        search=job.given.get("search", {}),
        languages=doubted_pair(languages),
        api_keys=api_keys,
        verify=verify,
        say=job.say,
        log=None if job.console.quiet else _write,
    )


def _write(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201  the access log
