"""What a comparison is asked for, and what is wrong with that, said before any work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headway.compare.matching import any_trees
from headway.compare.sources import TreesFrom, Way, parse_sources
from headway.compare.trainings import Texts
from headway.corpus import Files, listed, read_lines
from headway.errors import ConfigError, FormatError, InputError
from headway.files import check_directory, check_place
from headway.languages import doubt_languages
from headway.parse import TreebankPart
from headway.settings import Settings
from headway.systems.bundle import Languages
from headway.systems.corpus import AnyPath, Corpus, TreeSource
from headway.systems.dev import DevSet
from headway.systems.overlap import checked_overlap
from headway.systems.parsers import check_given_trees, check_trees
from headway.systems.registry import SYSTEMS, find_system
from headway.systems.sides import TARGET_SIDE
from headway.systems.system import Need, Trees
from headway.systems.training import corpus_languages

# What a system needs besides the target text, by the names of the options.
_TEXTS = ("source", "dev_source", "dev_target", "test_source", "test_target")


@dataclass(frozen=True)
class Asked:
    """What a comparison is asked for."""

    target: Path
    sources: list[TreesFrom]
    treebanks: tuple[TreebankPart, ...]
    gold: Path | None
    out: Path
    settings: Settings
    languages: Languages
    system: str
    """Empty if nothing is to be translated."""
    texts: Texts | None
    baselines: tuple[str, ...]
    seeds: tuple[int, ...]

    @property
    def files(self) -> list[Path]:
        """All that is read."""
        texts = [] if self.texts is None else self.texts.files
        gold = [] if self.gold is None else [self.gold]
        banks = [part.path for part in self.treebanks]
        trees = [path for source in self.sources for path in source.files]
        return [self.target, *texts, *gold, *banks, *trees]


@dataclass(frozen=True)
class Bitext:
    """The text of systems as a caller gives it; all or nothing."""

    source: AnyPath | None = None
    dev_source: AnyPath | None = None
    dev_target: Files = ()
    test_source: AnyPath | None = None
    test_target: Files = ()
    monolingual: Files = ()

    def texts(self, system: str, target: Path) -> Texts | None:
        """The files, of which none may be missing if there is a system."""
        given = {name: getattr(self, name) for name in _TEXTS}
        present = [name for name, value in given.items() if value not in (None, (), [])]
        if not system:
            if present or self.monolingual not in ((), []):
                option = _option((present or ["monolingual"])[0])
                message = f"{option} is for a system; name one with --system str2dep"
                raise ConfigError(f"{message}, or leave it out")
            return None
        if missing := [name for name in _TEXTS if name not in present]:
            options = ", ".join(map(_option, missing))
            raise ConfigError(f"--system {system} also needs {options}; give these files")
        source, dev, test = (Path(given[name]) for name in ("source", "dev_source", "test_source"))
        dev_target, test_target = listed(self.dev_target), listed(self.test_target)
        more = tuple(listed(self.monolingual))
        return Texts(source, target, dev, tuple(dev_target), test, tuple(test_target), more)


def _option(name: str) -> str:
    names = {"monolingual": "--lm"}
    return names.get(name, f"--{name.replace('_', '-')}")


def ask(
    target: Path,
    trees: Mapping[str, str | Path],
    out: Path,
    *,
    treebanks: tuple[TreebankPart, ...],
    gold: Path | None,
    system: str,
    bitext: Bitext,
    baselines: Sequence[str],
    seeds: Sequence[int],
    languages: tuple[str, str] | None,
    settings: Settings,
) -> Asked:
    """What is asked for, if it can be done."""
    sources = parse_sources(trees)
    texts = bitext.texts(system, target)
    corpus = Corpus(target if texts is None else texts.source, target)
    named = corpus_languages(corpus, languages)
    doubt_languages(named.source, named.target)
    rows = tuple(baselines) if system else ()
    chosen = tuple(seeds) if system else ()
    asked = Asked(
        target, sources, treebanks, gold, out, settings, named, system, texts, rows, chosen
    )
    corpus.check_readable()
    if not any(line.strip() for line in read_lines(target)):
        raise FormatError(f"{target}: no words in it; give it some text", target)
    _check_places(asked)
    _check_sources(asked)
    if texts is not None:
        _check_system(asked)
        _check_texts(texts)
    return asked


def _check_places(asked: Asked) -> None:
    check_directory(asked.out)
    check_place(asked.out, asked.files)


def _check_sources(asked: Asked) -> None:
    learnt = [part for source in asked.sources for part in source.treebanks(asked.treebanks)]
    if unused := [part.path for part in asked.treebanks if part not in learnt]:
        message = f"--treebank {unused[0]}: no source of trees learns from it"
        raise ConfigError(f"{message}; leave it out, or name a kind: --trees mst=mst")
    for source in asked.sources:
        if source.way is Way.FILE:
            any_trees(source.path, source.heads)
        elif source.way is not Way.CHAIN:
            _check_parser(asked, source)
    if asked.gold is not None:
        any_trees(asked.gold)


def _check_parser(asked: Asked, source: TreesFrom) -> None:
    given = TreeSource(parser=source.source)
    settings = asked.settings
    if source.way is Way.KIND:
        if source.of_brackets:
            return
        given = TreeSource(source.treebanks(asked.treebanks))
    check_trees(TARGET_SIDE, given, settings, asked.languages.target, streaming=False)


def _check_system(asked: Asked) -> None:
    system = find_system(asked.system)
    if system.target_trees.trees is not Trees.OF_CORPUS:
        with_trees = ", ".join(name for name in SYSTEMS if _takes_trees(name))
        message = f"--system {asked.system} does not learn from trees of the target text"
        raise ConfigError(f"{message}; give one of: {with_trees}")
    if not _takes_trees(asked.system):
        message = f"--system {asked.system} needs trees of the source text too"
        raise ConfigError(f"{message}, which are not compared; give str2dep")
    for name in asked.baselines:
        if not all(_is_spare(need) for _, need in find_system(name).needs):
            message = f"--baselines {name}: a system that needs trees is no baseline"
            raise ConfigError(f"{message}; give phrase or hiero")
    names = [*asked.baselines, *(source.name for source in asked.sources)]
    if twice := [name for name in names if names.count(name) > 1]:
        message = f"{twice[0]} is the name of two rows"
        raise ConfigError(f"{message}; give the trees or the baseline only once")
    for source in asked.sources:
        if source.way is Way.FILE:
            cyclic = system.target_trees.cyclic
            check_given_trees(source.path, cyclic=cyclic, rules=source.heads)
    if not asked.seeds or len(set(asked.seeds)) < len(asked.seeds) or min(asked.seeds) < 0:
        shown = ",".join(map(str, asked.seeds))
        raise ConfigError(f"--seeds {shown}: expected different whole numbers from 0 on")


def _takes_trees(name: str) -> bool:
    system = SYSTEMS[name]
    return system.target_trees.trees is Trees.OF_CORPUS and _is_spare(system.source_trees)


def _is_spare(need: Need) -> bool:
    return need.trees is Trees.NONE or need.optional


def _check_texts(texts: Texts) -> None:
    for path in texts.files:
        if not path.exists():
            raise InputError(f"{path}: no such file; check the path", path)
    dev = DevSet.read(texts.dev_source, texts.dev_target)
    DevSet.read(texts.test_source, texts.test_target, "test set")
    checked_overlap(dev, [(texts.source, texts.target)], texts.dev_source)
