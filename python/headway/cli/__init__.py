"""The command line: `headway COMMAND …`.

Each command is a short file that parses, calls one public function and prints. This file alone
turns exceptions into messages and exit codes.
"""

import io
import os
import signal
import sys
from collections.abc import Sequence

from typer.main import get_command

from headway import startup
from headway.cli import frame
from headway.cli.frame import PipeClosedError, app, complain
from headway.errors import HeadwayError
from headway.files import describe
from headway.startup import INTERRUPTED

# Each import adds its commands to `app`, in the order of `headway --help`.
from headway.cli import clean, convert, tokenise, truecase  # noqa: F401  isort: skip
from headway.cli import trees, compressions  # noqa: F401  isort: skip
from headway.cli import fragment  # noqa: F401  isort: skip
from headway.cli import parse, parse_eval  # noqa: F401  isort: skip
from headway.cli import align, alignments  # noqa: F401  isort: skip
from headway.cli import lm_train, lm_classes  # noqa: F401  isort: skip
from headway.cli import lm_build, lm_query, lm_info, lm_sample, lm_mix  # noqa: F401  isort: skip
from headway.cli import extract, phrasedep  # noqa: F401  isort: skip
from headway.cli import table, inspect  # noqa: F401  isort: skip
from headway.cli import forest  # noqa: F401  isort: skip
from headway.cli import train, translate, import_  # noqa: F401  isort: skip
from headway.cli import tune, combine, evaluate, compare, report  # noqa: F401  isort: skip
from headway.cli import serve  # noqa: F401  isort: skip
from headway.cli import demo, settings  # noqa: F401  isort: skip

__all__ = ["app", "main"]

# Commands that find what they did before, given again.
_RESUMING = ("train", "tune", "compare", "demo")


def main(arguments: Sequence[str] | None = None) -> None:
    """The `headway` program: never returns, always exits with a code."""
    signal.signal(signal.SIGTERM, _terminate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it is closed
            stream.reconfigure(encoding="utf-8")
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:  # noqa: PLR0911  one answer per kind of end
    """Runs one command line and answers its exit code."""
    try:
        startup.finish()
        app(list(arguments), prog_name="headway")
    except SystemExit as stop:  # how typer ends every command, also an interrupted one
        code = stop.code if isinstance(stop.code, int) else 0
        if code == INTERRUPTED:
            _interrupted(arguments)
        return _flush(code)
    except HeadwayError as error:
        complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        _interrupted(arguments)
        return INTERRUPTED
    except (BrokenPipeError, PipeClosedError):
        return _close_quietly()
    except OSError as error:
        if error.filename is not None:  # a path that the system cannot even look up
            complain(f"{error.filename}: {describe(error, 'use')}")
            return 2
        return _output_failed(error)  # of standard output, which has no name
    except RecursionError:
        complain("an input is nested too deeply to be read; make it flatter")
        return 2
    except MemoryError:
        complain("out of memory; use a smaller corpus, fewer threads or a machine with more")
        return 1
    return _flush(0)


def _interrupted(arguments: Sequence[str]) -> None:
    commands = getattr(get_command(frame.app), "commands", {})
    command = next((one for one in arguments if one in commands), "")
    hint = "; the same command keeps the steps that are done" if command in _RESUMING else ""
    complain(f"interrupted{hint}")


def _terminate(number: int, frame: object) -> None:  # noqa: ARG001
    """`kill` ends a command as Ctrl-C does: temporary files are removed on the way out."""
    raise SystemExit(128 + number)


def _flush(code: int) -> int:
    """What is still buffered goes out while a closed pipe can be told from a failure."""
    if sys.stdout is None:
        return code
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _close_quietly()
    except OSError as error:
        return _output_failed(error)
    return code


def _output_failed(error: OSError) -> int:
    complain(f"standard output: {describe(error, 'write')}")
    _close_quietly()
    return 1


def _close_quietly() -> int:
    """The reader has gone (`… | head -1`): no message, and none from the interpreter's exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 128 + signal.SIGPIPE if hasattr(signal, "SIGPIPE") else 1
