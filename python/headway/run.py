"""Run directories: work in named steps, each done once, whole or not at all.

    with Run(directory) as run:
        run.step("count", count, inputs=[corpus], settings={"order": 3}, outputs=["counts"])
        run.step("estimate", estimate, inputs=[run / "counts"], outputs=["model.arpa"])

A step's outputs are written under temporary names and renamed when all are complete; then a
record of its inputs, settings and outputs is written. A step whose record still tells the truth
is not run again, so an interrupted run resumes where it stopped and ends with the same bytes.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from headway.documents import read_json
from headway.errors import ConfigError, HeadwayError, InputError
from headway.files import make_directory, reading, sync, write_text, writing
from headway.partial import sweep
from headway.version import __version__

RECORDS = ".steps"
_LOCK = "lock"
PARTIAL = ".partial-"

Outputs = dict[str, Path]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a finished step was made from and what it made: checksums by file name."""

    headway: str
    settings: dict[str, Any]
    inputs: dict[str, str]
    outputs: dict[str, str]


class Run:
    """A directory in which steps leave their outputs. One process at a time may hold it."""

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self._lock: IO[str] | None = None

    def __truediv__(self, name: str) -> Path:
        return self.directory / name

    def __enter__(self) -> "Run":
        make_directory(self.directory / RECORDS)
        self._lock = _locked(self.directory)
        for leftover in self.directory.glob(f"{PARTIAL}*"):
            _remove(leftover)
        for place in (self.directory, self.directory / RECORDS):
            sweep(place)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._lock is None:
            return
        if error is not None:
            self._leave_nothing()
        self._lock.close()
        self._lock = None

    def _leave_nothing(self) -> None:
        """Removes a directory in which no step was finished, unless others put files there."""
        records = self.directory / RECORDS
        if [path.name for path in records.iterdir()] != [_LOCK]:
            return
        if [path.name for path in self.directory.iterdir()] != [RECORDS]:
            return
        with suppress(OSError):  # the error that is on its way matters more
            (records / _LOCK).unlink()
            records.rmdir()
            self.directory.rmdir()

    def step(
        self,
        name: str,
        action: Callable[[Outputs], None],
        *,
        inputs: Iterable[str | Path] = (),
        settings: Mapping[str, Any] | None = None,
        outputs: Iterable[str],
    ) -> bool:
        """Runs `action` unless its outputs are there and made from the same; True if it ran.

        `action` gets, for each name in `outputs`, the path to write it to: a file, or a directory
        that it makes. `settings` must hold everything besides the inputs that its result depends
        on, as TOML or JSON could say it.
        """
        if self._lock is None:
            raise ConfigError("a run directory is used inside `with Run(directory) as run:`")
        wanted = Record(
            headway=__version__,
            # As a record has them when it is read: a tuple comes back as a list.
            settings=msgspec.json.decode(msgspec.json.encode(dict(settings or {}))),
            inputs={self._name(Path(path)): checksum(Path(path)) for path in inputs},
            outputs=dict.fromkeys(outputs, ""),
        )
        if self._is_done(name, wanted):
            return False
        record_path = self._record_path(name)
        with writing(record_path):
            _remove(record_path)
        made = self._make(name, action, wanted.outputs)
        record = msgspec.structs.replace(wanted, outputs=made)
        write_text(record_path, msgspec.json.format(msgspec.json.encode(record)).decode() + "\n")
        return True

    def _name(self, path: Path) -> str:
        """What a record calls an input: a run directory may be moved, or named in two ways."""
        whole, here = path.resolve(), self.directory.resolve()
        return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(whole)

    def _record_path(self, name: str) -> Path:
        return self.directory / RECORDS / f"{name}.json"

    def _is_done(self, name: str, wanted: Record) -> bool:
        try:
            record = read_json(self._record_path(name), Record)
        except (InputError, ValueError):  # none yet, or damaged: it tells nothing
            return False
        if msgspec.structs.replace(record, outputs=wanted.outputs) != wanted:
            return False
        if record.outputs.keys() != wanted.outputs.keys():
            return False
        return all(
            (self / output).exists() and checksum(self / output) == expected
            for output, expected in record.outputs.items()
        )

    def _make(
        self, name: str, action: Callable[[Outputs], None], outputs: Iterable[str]
    ) -> dict[str, str]:
        """Runs the action and gives its outputs their names; their checksums."""
        # The suffix stays in front of nothing, so that `.gz` still means gzip.
        partial = {output: self / f"{PARTIAL}{output}" for output in outputs}
        with _removed_on_failure(partial.values()):
            action(dict(partial))
            missing = [output for output, path in partial.items() if not path.exists()]
            if missing:
                raise HeadwayError(f"step {name} did not write {', '.join(missing)}")
            made = {output: checksum(path) for output, path in partial.items()}
            with writing(self.directory):
                for path in partial.values():
                    for file in _files(path):
                        sync(file)
                for output, path in partial.items():
                    self._replace(path, output)
        return made

    def _replace(self, path: Path, output: str) -> None:
        """Gives a finished output its name; a directory cannot be renamed over another one."""
        if (self / output).is_dir():
            old = self / f"{PARTIAL}old-{output}"
            (self / output).rename(old)
            path.rename(self / output)
            _remove(old)
        else:
            path.replace(self / output)


def checksum(path: Path) -> str:
    """A checksum of a file's content, or of the names and contents of all files in a directory."""
    if path.is_dir():
        listing = "".join(f"{checksum(f)} {f.relative_to(path)}\n" for f in _files(path))
        return hashlib.blake2b(listing.encode(), digest_size=16).hexdigest()
    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _files(path: Path) -> list[Path]:
    """A file itself, or all files in a directory, in order."""
    return sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _removed_on_failure(paths: Iterable[Path]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for path in paths:
            _remove(path)
        raise


def _locked(directory: Path) -> IO[str]:
    """Holds the directory for this process until the file is closed (or the process dies)."""
    with writing(directory):
        file = (directory / RECORDS / _LOCK).open("a", encoding="utf-8")
    if os.name == "posix":
        import fcntl  # noqa: PLC0415  exists only there

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            message = f"{directory}: another headway is at work in it; wait or use another one"
            raise ConfigError(message) from None
    return file
