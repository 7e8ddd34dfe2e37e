"""What is left of a training: its bundle, its work directory, its dev set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headway.corpus import read_lines
from headway.errors import ConfigError, FormatError
from headway.printing import prints_briefly
from headway.systems import Bundle, Translator
from headway.systems.bundle import is_bundle
from headway.systems.dev import DevSet
from headway.systems.journal import JOURNAL, Journal, read_journal
from headway.systems.overlap import training_text
from headway.systems.text import text_of

_WORK = ".work"


@prints_briefly
@dataclass(frozen=True)
class TestSet:
    """Sentences that a system was never tuned on, as one or more systems translate them."""

    __test__ = False  # for pytest, which takes names like this one for tests

    name: str
    references: Sequence[str]
    outputs: Mapping[str, Sequence[str]]
    """By the name of the system; the first one is what others are compared with."""


@prints_briefly
@dataclass(frozen=True)
class Material:
    """What there is to report on."""

    bundle: Bundle
    work: Path | None
    """The work directory, if it is still there and nothing else was trained in it since."""
    journal: Journal = field(default_factory=Journal)

    @property
    def name(self) -> str:
        """The bundle's directory, which people know the system by."""
        return self.bundle.directory.resolve().name

    def dev(self, source: Path | None = None, targets: Sequence[Path] = ()) -> DevSet | None:
        """The dev set that is given, or that of the training if its files are still there."""
        noted = self.journal
        chosen = source or (Path(noted.dev_source) if noted.dev_source else None)
        if chosen is None:
            return None
        references = list(targets) if source else [Path(path) for path in noted.dev_target]
        if source is None and not all(path.is_file() for path in (chosen, *references)):
            return None
        found = DevSet.read(chosen, references)
        trees = Path(noted.dev_source_trees) if noted.dev_source_trees else None
        if source is None and trees is not None and trees.is_file():
            return found.with_trees(trees, chosen, text_of(self.bundle)[0])
        return found


def material_of(directory: str | Path) -> Material:
    """What belongs to a bundle, or to the work directory of a training."""
    path = Path(directory)
    if is_bundle(path):
        bundle = Bundle.open(path, verify=False)
        work = path.resolve().with_name(f"{path.resolve().name}{_WORK}")
        found = work if training_text(bundle) else None
        return Material(bundle, found, read_journal(work) if found else Journal())
    if (path / JOURNAL).is_file():
        return _of_work(path)
    raise ConfigError(f"{path}: {_absence(path)}")


def _of_work(path: Path) -> Material:
    """The bundle of a work directory: where it was written, or beside it."""
    journal = read_journal(path)
    whole = path.resolve()
    beside = whole.with_name(whole.name.removesuffix(_WORK))
    for place in (Path(journal.bundle), beside):
        if journal.bundle and is_bundle(place):
            return Material(Bundle.open(place, verify=False), path, journal)
    message = "this training is not finished" if not journal.bundle else "its model is not there"
    raise ConfigError(f"{path}: {message}; train again, which keeps the steps that are done")


def _absence(path: Path) -> str:
    if not path.is_dir():
        return "no such directory; name a model or the work directory of a training"
    inside = sorted(one.name for one in path.iterdir() if one.is_dir() and is_bundle(one))
    if inside:
        return f"has several models, or none; name one: {', '.join(inside)}"
    return "neither a model nor the work directory of a training"


def read_test(
    source: Path,
    target: Path,
    systems: Mapping[str, Translator],
    threads: int = 0,
) -> TestSet:
    """A test set as systems translate it."""
    lines, references = list(read_lines(source)), list(read_lines(target))
    if len(lines) != len(references):
        message = f"{target}: expected {len(lines):,} lines as in {source}"
        raise FormatError(f"{message}, found {len(references):,}; both sides must match", target)
    if not lines:
        raise FormatError(f"{source}: the test set is empty; give it some sentences", source)
    outputs = {
        name: [one.text for one in system.translate(lines, threads=threads)]
        for name, system in systems.items()
    }
    return TestSet(source.name, references, outputs)
