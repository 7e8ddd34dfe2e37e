"""Files that appear whole or not at all, for what Python writes itself."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from headway.errors import ConfigError, InputError, OutputError
from headway.partial import partial_file

File = str | os.PathLike[str]

# What makes a directory a model bundle.
MANIFEST = "model.toml"

# The same words as the core uses (headway-core, error.rs).
_ADVICE = {
    errno.EACCES: "no permission to {action}; change its owner or mode, or use another path",
    errno.EISDIR: "is a directory where a file is expected; name a file in it",
    errno.ENAMETOOLONG: "cannot {action}: the path is too long; use a shorter one",
    errno.ENOSPC: "cannot write: the disk is full; free some space and run again",
    errno.EROFS: "cannot write: the file system is read-only",
}

_STANDARD_INPUT, _STANDARD_OUTPUT = 0, 1

# Outputs that no machine could write: wrong usage, not failure.
_WRONG_PATHS = (errno.EISDIR, errno.ENAMETOOLONG)


def describe(error: OSError, action: str) -> str:
    """What the operating system said, in words that say what to do."""
    if error.errno in _ADVICE:
        return _ADVICE[error.errno].format(action=action)
    if error.errno == errno.ENOENT:
        return (
            "no such file; check the path"
            if action == "read"
            else "cannot write: no such directory; create it first"
        )
    return f"cannot {action}: {error.strerror or error}"


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what goes wrong while `path` is read into an `InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {describe(error, 'read')}", path) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what goes wrong while `path` is written into an `OutputError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        failed = OutputError(f"{path}: {describe(error, 'write')}", path)
        if error.errno in _WRONG_PATHS:
            failed.exit_code = ConfigError.exit_code
        raise failed from None


def check_files(inputs: Iterable[File], outputs: Iterable[File]) -> None:
    """Refuses outputs that would cost an input or one another, or that cannot be written.

    To be called before any work. Files are compared, not names: a link to an input is the input,
    and so is a file in a directory that is read. No output may lie inside a bundle.
    `-` may be read once and written once; it is the file that the shell redirects it to, if any.
    """
    read, written = [Path(path) for path in inputs], [Path(path) for path in outputs]
    check_streams(read, written)
    taken, named = _taken(read), set()
    for path in written:
        check_outside_bundles(path)
        identity = _identity(path, _STANDARD_OUTPUT)
        if identity and identity in taken:
            place = "standard output" if str(path) == "-" else path
            raise ConfigError(f"{place}: is read and would be written over; name another output")
        if identity and identity in named:
            raise ConfigError(f"{path}: two outputs have this name; give each its own")
        named.add(identity)
        _check_writable(path)


def check_streams(read: Sequence[Path], written: Sequence[Path]) -> None:
    """Refuses standard input or output that is named twice."""
    for paths, name, verb in ((read, "input", "read"), (written, "output", "written")):
        if paths.count(Path("-")) > 1:
            raise ConfigError(f"standard {name} is named twice; it can be {verb} only once")


def check_place(directory: File, inputs: Iterable[File], *, bundle: bool = False) -> None:
    """Refuses a directory for outputs that lies inside a bundle, or is an input or holds one.

    With `bundle` it becomes a bundle itself, and one of that name may be there.
    """
    place = Path(directory)
    with writing(place):
        place.exists()  # fails for a name that is too long
    check_outside_bundles(place, inside=not bundle)
    whole = Path(os.path.realpath(place))
    for path in map(Path, inputs):
        real = Path(os.path.realpath(path))
        if str(path) != "-" and real.exists() and real.is_relative_to(whole):
            message = f"{path}: is read, and files in {place} are written over"
            raise ConfigError(f"{message}; name another directory")


def check_outside_bundles(path: Path, *, inside: bool = False) -> None:
    """Refuses an output inside a bundle, whose files are never written one by one.

    `inside` is for directories that get files.
    """
    output = path / "file" if inside else path
    with writing(path):
        bundle = None if str(path) == "-" else _enclosing_bundle(output)
    if bundle is not None:
        itself = os.path.realpath(path) == str(bundle)
        lies = "is a bundle" if itself else f"lies inside the bundle {bundle}"
        raise ConfigError(f"{path}: {lies}; name an output elsewhere")


def _enclosing_bundle(path: Path) -> Path | None:
    """The bundle that a file is in or would be in.

    Further up, where others may call a file `model.toml` too, it has to look like ours.
    """
    parent, *others = Path(os.path.realpath(path)).parents
    if (parent / MANIFEST).is_file():
        return parent
    return next((one for one in others if _looks_like_a_bundle(one)), None)


def _looks_like_a_bundle(directory: Path) -> bool:
    try:
        with (directory / MANIFEST).open("rb") as file:
            return b"[components." in file.read(1 << 20)
    except OSError:
        return False


def _taken(inputs: Iterable[Path]) -> set[object]:
    """What identifies the inputs: files, and the files of directories."""
    found: set[object] = set()
    for path in inputs:
        with reading(path):
            if str(path) != "-" and path.is_dir():
                found.update(map(_identity, path.iterdir()))
        found.add(_identity(path, _STANDARD_INPUT))
    return found - {None}


def _identity(path: Path, stream: int = _STANDARD_INPUT) -> object:
    """What two paths to the same regular file, there or to be, share; None for all else.

    `-` is what `stream` is redirected to.
    """
    real = os.path.realpath(path)
    try:
        # A string, as realpath gives it, or the number of a stream.
        found = os.stat(stream if str(path) == "-" else real)  # noqa: PTH116
    except OSError:
        return None if str(path) == "-" else real
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _check_writable(path: Path) -> None:
    """Refuses what cannot be written for want of a directory, or of permission for it."""
    if str(path) == "-":
        return
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            return
        directory = Path(os.path.realpath(path)).parent
        if not directory.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not os.access(directory, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`; what was written there replaces `path` at the end.

    If the body fails, or the process dies, whatever stood at `path` stays. A link is followed;
    a device or a pipe is written in place.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with writing(path):
            yield path
        return
    path = path.resolve()
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with partial_file(path.parent) as temporary:
            yield temporary
            temporary.chmod(0o666 & ~umask())
            sync(temporary)
            temporary.replace(path)


def write_text(path: Path, text: str) -> None:
    """Writes a whole text file."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def make_directory(path: Path) -> None:
    """Creates a directory, and those above it, unless it is there."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)


def check_directory(path: Path) -> None:
    """Refuses what `make_directory` could not make, or where nothing could be written.

    To be called before any work, so that the directory can be made when the work is done.
    """
    with writing(path):
        there = next(one for one in (path, *path.absolute().parents) if one.exists())
        if not there.is_dir():
            raise OutputError(f"{path}: {there} is a file; name a directory", path)
        if not os.access(there, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def sync(path: Path) -> None:
    """Makes sure that the file's content survives a loss of power."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def umask() -> int:
    """The permissions that new files do not get."""
    # There is no way to read it without setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
