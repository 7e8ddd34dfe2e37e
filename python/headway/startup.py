"""Ctrl-C while the program is still being imported.

Imports take a while, and there is nothing to clean up yet: the program ends at once with the code
of an interrupt, and without a traceback. Scripts that import `headway` get `KeyboardInterrupt`.
"""

import os
import signal
import sys
from pathlib import Path

INTERRUPTED = 130


def _end(number: int, frame: object) -> None:  # noqa: ARG001
    os._exit(INTERRUPTED)


def _is_program() -> bool:
    if not sys.argv or sys.argv[0] != "-m":
        return bool(sys.argv) and Path(sys.argv[0]).stem == "headway"
    # `python -m …`: it gets its name when its module is found.
    after = sys.orig_argv.index("-m") + 1 if "-m" in sys.orig_argv else len(sys.orig_argv)
    return sys.orig_argv[after : after + 1] == ["headway"]


def begin() -> None:
    """Ends the `headway` program at Ctrl-C, until `finish`; does nothing in other programs."""
    if not _is_program():
        return
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _end)
    except ValueError:  # imported by another thread than the main one, which sets no handlers
        return


def finish() -> None:
    """From here on Ctrl-C is an exception that commands clean up after."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)
