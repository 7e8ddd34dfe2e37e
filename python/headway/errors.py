"""What headway raises.

Each message is one line that says where, what was expected against what was found, and what to
do. `exit_code` is what the command line answers: 2 for bad usage or input, 1 for failure.
"""

from pathlib import Path


class HeadwayError(Exception):
    """Anything headway refuses or fails to do."""

    exit_code = 1


class ConfigError(HeadwayError):
    """A setting or an argument that cannot be used."""

    exit_code = 2


class InputError(HeadwayError):
    """An input that cannot be opened or read; `path` and `line` say where."""

    exit_code = 2

    def __init__(self, message: str, path: str | Path | None = None, line: int | None = None):
        super().__init__(message)
        self.path = None if path is None else Path(path)
        self.line = line


class FormatError(InputError):
    """Text that is not what its format promises."""


class ModelError(InputError):
    """A model file that is damaged, of another kind, or from another version."""


class InternalError(HeadwayError):
    """A fault of headway, whatever the input: please report it."""


class OutputError(HeadwayError):
    """An output that cannot be written; `path` says which."""

    def __init__(self, message: str, path: str | Path | None = None):
        super().__init__(message)
        self.path = None if path is None else Path(path)
