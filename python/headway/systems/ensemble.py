"""Training all systems that the data allow, and combining them."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from headway.arguments import named_arguments
from headway.documents import read_json
from headway.errors import ConfigError, InputError
from headway.files import make_directory
from headway.printing import prints_briefly
from headway.run import RECORDS, Record
from headway.settings import Settings
from headway.systems.bundle import check_free, is_bundle, read_manifest
from headway.systems.combination import COMBINATION
from headway.systems.combining import Combined, combine
from headway.systems.corpus import Corpus, TreeSource
from headway.systems.pipeline import Watch
from headway.systems.registry import SYSTEMS, find_system
from headway.systems.sides import Side
from headway.systems.system import Choice, Need, System, Trees
from headway.systems.training import Trained, train

ENSEMBLE = "ensemble"
"""The name that `headway train` has for it."""

AnyPath = str | Path


@prints_briefly
@dataclass(frozen=True)
class Ensemble:
    """What came of all trainings and of the vote."""

    trained: Mapping[str, Trained]
    combined: Combined


def allowed_systems(corpus: Corpus, settings: Settings) -> list[str]:
    """The systems that have all the trees they need."""
    choice = Choice(settings, corpus)
    return [n for n, it in SYSTEMS.items() if not any(_lacks(*one, choice) for one in it.needs)]


def _lacks(side: Side, need: Need, choice: Choice) -> bool:
    """Whether a system needs trees of a side that are not there, or not in this form."""
    given = side.given(choice.corpus)
    if need.trees is Trees.NONE or need.spare(choice):
        return False
    if need.trees is Trees.PARSER and given.trees is not None:
        return True
    return given.ways != 1 and not need.optional


def _of_system(corpus: Corpus, system: System, settings: Settings) -> Corpus:
    """The corpus without the trees that a system has no use for."""
    choice = Choice(settings, corpus)

    def trees(given: TreeSource, need: Need) -> TreeSource:
        useless = need.trees is Trees.NONE or bool(need.spare(choice))
        return TreeSource() if useless else given

    source = trees(corpus.source_trees, system.source_trees)
    return Corpus(
        [one for one, _ in corpus.sides],
        [other for _, other in corpus.sides],
        dev_source=corpus.dev_source,
        dev_target=list(corpus.dev_targets),
        monolingual=list(corpus.monolingual),
        source_trees=source,
        target_trees=trees(corpus.target_trees, system.target_trees),
        dev_source_trees=corpus.dev_source_trees if source.ways else None,
    )


@named_arguments
def train_ensemble(
    corpus: Corpus,
    out: AnyPath,
    *,
    systems: Sequence[str] = (),
    languages: tuple[str, str] | None = None,
    pretokenised: bool = False,
    settings: Settings | None = None,
    work: AnyPath | None = None,
    force: bool = False,
    watch: Watch = lambda _: nullcontext(),
    tell: Callable[[str, Trained], None] = lambda *_: None,
) -> Ensemble:
    """Trains systems on one corpus and combines them into a bundle at `out`.

    Without `systems`, these are all that the corpus has the trees for. Each has its own run
    directory in `work` (`out` with `.work` behind it, unless named) and takes over the steps that
    an earlier one has done already: cleaning, alignment, language models, parsers. The same call
    goes on where an earlier one stopped. The dev set tunes every system and then their vote.
    """
    chosen = settings or Settings.load()
    if corpus.dev_source is None:
        raise ConfigError("an ensemble needs a dev set: give --dev-source and --dev-target")
    names = [find_system(name).name for name in systems] or allowed_systems(corpus, chosen)
    if len(set(names)) < len(names):
        raise ConfigError("--systems: a system is named twice; name each once")
    place = Path(out)
    check_free(place, replace=force or _is_ours(place))
    directory = Path(work) if work is not None else place.with_name(f"{place.name}.work")
    make_directory(directory)
    trained: dict[str, Trained] = {}
    for name in names:
        run = directory / name
        for before in trained:
            take_over(directory / before, run)
        trained[name] = train(
            name,
            _of_system(corpus, find_system(name), chosen),
            out=directory / f"{name}.model",
            languages=languages,
            pretokenised=pretokenised,
            settings=chosen,
            work=run,
            force=True,
            warn_idle=False,
            watch=watch,
        )
        tell(name, trained[name])
    combined = combine(
        *(directory / f"{name}.model" for name in names),
        dev_source=corpus.dev_source,
        dev_target=list(corpus.dev_targets),
        source_trees=corpus.dev_source_trees,
        out=place,
        settings=chosen,
        state=directory / "vote",
        force=True,
        watch=watch,
    )
    return Ensemble(trained, combined)


def _is_ours(place: Path) -> bool:
    """Whether an earlier ensemble is there, which a new one may replace."""
    return is_bundle(place) and read_manifest(place).system == COMBINATION


def take_over(done: Path, run: Path) -> None:
    """Gives a run directory the finished steps of another one that it has not done itself.

    Files are linked where the file system can. Steps never write into files that are there, so
    neither directory changes the other.
    """
    make_directory(run / RECORDS)
    for path in sorted((done / RECORDS).glob("*.json")):
        try:
            record = read_json(path, Record)
        except (InputError, ValueError):  # damaged: that step is done again
            continue
        places = [run / output for output in record.outputs]
        if (run / RECORDS / path.name).exists() or any(place.exists() for place in places):
            continue
        if not all((done / output).exists() for output in record.outputs):
            continue
        for output in record.outputs:
            _link(done / output, run / output)
        shutil.copyfile(path, run / RECORDS / path.name)


def _link(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
        return
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        with suppress(FileNotFoundError):
            shutil.copyfile(source, target)
