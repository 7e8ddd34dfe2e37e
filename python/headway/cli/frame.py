"""What every command shares: common options, messages, progress.

    @command("fragment")
    def fragment(job: Job, out: Annotated[Path, typer.Option(help="…"), Role.FILL]) -> None:
        '''One line for `headway --help`.'''

`job` is made from the common options, which every command gets without naming them. Paths carry
their role (`headway.cli.paths`).
"""

import inspect
import logging
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from headway.cli.layout import CommandPage, FrontPage, GroupPage, name_values
from headway.cli.once import check_settings
from headway.cli.paths import Role, check_paths, roles
from headway.errors import ConfigError
from headway.progress import Progress, progress_bar
from headway.settings import Settings
from headway.version import __version__

_HELP: dict[str, Any] = {
    "no_args_is_help": True,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

app = typer.Typer(
    name="headway",
    cls=FrontPage,
    add_completion=False,
    pretty_exceptions_enable=False,
    **_HELP,
)


def add_group(name: str, about: str) -> typer.Typer:
    """A group of commands, such as `headway lm …`."""
    group = typer.Typer(cls=GroupPage, help=about, **_HELP)
    app.add_typer(group, name=name)
    return group


class PipeClosedError(Exception):
    """Who read standard output has gone: the command ends, quietly."""


@dataclass(frozen=True)
class Job:
    """One run of a command: its settings and how it talks to the person who started it."""

    settings: Settings
    console: Console
    given: dict[str, Any] = field(default_factory=dict)
    """What --config and --set say, without the defaults."""

    @property
    def threads(self) -> int:
        """Worker threads; 0 is one per core."""
        return self.settings.run.threads

    @property
    def seed(self) -> int:
        """Where chance plays a part, the same seed gives the same result."""
        return self.settings.run.seed

    def say(self, message: str) -> None:
        """A line for the person, on stderr; silenced by -q."""
        self.console.print(message, markup=False, highlight=False, soft_wrap=True)

    def progress(self, label: str) -> AbstractContextManager[Progress | None]:
        """A progress bar for `with`; its value goes to a function's `progress`."""
        return progress_bar(label, self.console)


def complain(message: str) -> None:
    """The one line on stderr that ends a command that did not succeed."""
    print(f"headway: {message}", file=sys.stderr)  # noqa: T201


def command(
    name: str, group: typer.Typer = app
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a command, giving it the common options in place of its parameter `job`."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "job"]
        named = roles([*parameters, *_COMMON.values()])

        def call(context: typer.Context, **values: Any) -> None:
            own = {key: values.pop(key) for key in _COMMON}
            common = _joined(context.find_root().obj, own)
            check_paths(named, {**values, **common})
            try:
                function(job=_job(**common), **values)
            except BrokenPipeError as error:
                raise PipeClosedError from error  # typer would make it an ordinary failure

        shown = _with_signature(call, [*parameters, *_COMMON.values()], function)
        group.command(name, cls=_Page)(shown)
        return function

    return register


def _with_signature(
    call: Callable[..., None], parameters: Iterable[inspect.Parameter], like: Callable[..., None]
) -> Callable[..., None]:
    """`call(context, **values)` as typer should see it: with these options and that help."""
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    shown = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (context, *parameters)]
    for parameter in shown:
        name_values(parameter.annotation)
    call.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in shown}
    call.__doc__ = like.__doc__
    return call


def _joined(before: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Common options given before the command and after it; refuses what both say."""
    for key in ("config", "threads", "seed"):
        if before[key] is not None and own[key] is not None:
            message = f"--{key} is given before the command and after it; give it once"
            raise ConfigError(message)
    joined = {key: own[key] if own[key] is not None else before[key] for key in own}
    joined["set_"] = [*(before["set_"] or []), *(own["set_"] or [])]
    check_settings(joined["set_"])
    joined["quiet"] = before["quiet"] or own["quiet"]
    joined["verbose"] = before["verbose"] or own["verbose"]
    return joined


def _common_options(
    *,
    config: Annotated[
        Path | None,
        typer.Option(help="Read settings from a TOML file; see `headway settings`."),
        Role.READ,
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change one setting, e.g. lm.order=4; repeatable."
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="Number of threads; 0, the default, uses every core.", min=0),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the random numbers; the default is 1.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print more about what is done.")
    ] = False,
) -> None:
    """Only its signature is used: the options that every command has."""


_COMMON = dict(inspect.signature(_common_options).parameters)


class _Page(CommandPage):
    common = frozenset(_COMMON)


def _job(
    *,
    config: Path | None,
    set_: list[str] | None,
    threads: int | None,
    seed: int | None,
    quiet: bool,
    verbose: bool,
) -> Job:
    overrides = list(set_ or [])
    overrides += [] if threads is None else [f"run.threads={threads}"]
    overrides += [] if seed is None else [f"run.seed={seed}"]
    # Bars are for people: a log gets none, even where FORCE_COLOR asks for colours.
    console = Console(stderr=True, quiet=quiet, force_terminal=sys.stderr.isatty())
    _configure_logging(console, quiet, verbose)
    return Job(Settings.load(config, overrides), console, Settings.given(config, overrides))


def _configure_logging(console: Console, quiet: bool, verbose: bool) -> None:
    """Warnings of the library appear as single lines; -v adds what it does, -q hides all."""
    logger = logging.getLogger("headway")
    logger.setLevel(logging.ERROR if quiet else logging.DEBUG if verbose else logging.WARNING)
    logger.handlers = [_LineHandler(console)]
    logger.propagate = False


class _LineHandler(logging.Handler):
    """One line per message, never wrapped, so that it can be read by programs too."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Prints `warning: …`."""
        line = f"{record.levelname.lower()}: {record.getMessage()}"
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"headway {__version__}")
        raise typer.Exit


def _headway(context: typer.Context, version: bool, **common: Any) -> None:  # noqa: ARG001
    """Train a translator from parallel text and translate with it.

    headway demo

    headway train phrase --source train.de --target train.en --out model

    headway translate model < news.de > news.en

    headway inspect model 'Ein kleines Haus steht dort.'
    """
    context.obj = common


_VERSION = inspect.Parameter(
    "version",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ],
)
app.callback()(_with_signature(_headway, [_VERSION, *_COMMON.values()], _headway))
