"""From two text files to a bundle."""

import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from headway import _core
from headway.arguments import named_arguments
from headway.corpus import paired
from headway.errors import ConfigError, InputError, ModelError
from headway.files import check_place
from headway.languages import doubt_languages
from headway.parse import TreebankPart
from headway.printing import prints_briefly
from headway.run import Run
from headway.settings import SearchSettings, Settings
from headway.systems.bundle import (
    FORMAT,
    Bundle,
    Languages,
    Manifest,
    Preprocessing,
    Rescoring,
    check_free,
    describe,
    is_bundle,
    read_manifest,
    write_bundle,
)
from headway.systems.decoder import feature_names
from headway.systems.dev import Bleu, DevSet, check_given_together
from headway.systems.dev_steps import rescoring_tuned, scored, tuned
from headway.systems.effects import idle_training, idle_weights
from headway.systems.features import Features, RuleFeature, named_features, references
from headway.systems.overlap import Overlap, checked_overlap
from headway.systems.pipeline import Corpus, Pipeline, StepTime, Watch
from headway.systems.registry import find_system
from headway.systems.searches import features_of
from headway.systems.system import Choice, System, Trees
from headway.systems.target_parser import check_trees
from headway.systems.text import check_casing
from headway.systems.tuning import TUNED, check_forests
from headway.systems.weights import changed_weights, check_names, default_weights
from headway.tune import degenerate
from headway.version import __version__

_log = logging.getLogger(__name__)

AnyPath = str | Path

_COMPRESSED = (".gz", ".zst")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


@prints_briefly
@dataclass(frozen=True)
class Trained:
    """What came of a training."""

    bundle: Bundle
    steps: tuple[StepTime, ...]
    pairs_read: int
    pairs: int
    """Pairs kept by cleaning, and learnt from."""
    rules: int
    dev: Bleu | None
    start_weights: Mapping[str, float] = field(default_factory=dict)
    """Before tuning."""
    overlap: Overlap | None = None
    """What the dev set shares with the training text."""

    @property
    def seconds(self) -> float:
        """All steps together."""
        return sum(step.seconds for step in self.steps)


@named_arguments
def train(
    system: str,
    source: AnyPath | Sequence[AnyPath],
    target: AnyPath | Sequence[AnyPath],
    out: AnyPath,
    *,
    dev_source: AnyPath | None = None,
    dev_target: AnyPath | Sequence[AnyPath] = (),
    monolingual: Sequence[AnyPath] = (),
    treebanks: AnyPath | Sequence[AnyPath | TreebankPart] = (),
    parser: AnyPath | None = None,
    target_trees: AnyPath | None = None,
    languages: tuple[str, str] | None = None,
    pretokenised: bool = False,
    weights: Mapping[str, float] | None = None,
    features: Features | None = None,
    settings: Settings | None = None,
    work: AnyPath | None = None,
    tune: bool = True,
    force: bool = False,
    warn_idle: bool = True,
    watch: Watch = lambda _: nullcontext(),
) -> Trained:
    """Trains a system on line-aligned text and writes it as a bundle to `out`.

    Several source files and as many target files are joined in order.
    Text is cleaned, tokenised and cased as the settings say; `pretokenised` text is taken as it
    is, words between spaces. `languages` are codes such as `("de", "en")`; where they are not
    given, names such as `train.de` tell. `monolingual` is more text of the target language, for
    the language model. Systems with target trees have them from one of: `treebanks` (files,
    perhaps as `PATH:WEIGHT`) to train a parser on, a `parser` as `headway.parse.load` takes it, or,
    for str2dep, `target_trees`, the trees of the target side itself. With a dev set the system's
    weights are tuned on it (unless `tune` is False), and at the end the system translates it and
    reports BLEU. `features` are functions of a rule as `Translator.load` takes them: their weights
    are tuned with all others. `force` replaces any bundle at `out`, also a tuned one by one that
    is not, and one of another system. Settings that the system has no use for are told in the log,
    unless `warn_idle` is False, as where several systems share them.
    Intermediate files stay in `work` (`out` with `.work` behind it, unless named), so that the
    same call after an interruption, or with other settings, does only what is left to do.
    """
    described, added = find_system(system), named_features(features)
    chosen = described.training_settings(settings or Settings.load())
    corpus = _corpus(source, target, dev_source, dev_target, monolingual)
    named_treebanks = [treebanks] if isinstance(treebanks, str | Path) else treebanks
    corpus = _with_trees(corpus, described, chosen, named_treebanks, parser, target_trees)
    named = _languages(corpus, languages)
    doubt_languages(named.source, named.target)
    if described.target_trees is not Trees.NONE:
        streaming = described.target_trees is Trees.PARSER
        check_trees(corpus, chosen, named.target, streaming=streaming)
    _core.check_search(_search(described, chosen))
    directory = Path(out)
    place = Path(work) if work is not None else directory.with_name(f"{directory.name}.work")
    _check_places(corpus, directory, place)
    check_free(directory, replace=force or (place / ".steps").is_dir())
    tuning = tune and corpus.dev_source is not None
    choice = Choice(chosen, corpus, tuned=tune)
    if not force:
        _check_replaced(directory, described, tuned=tuning)
    if warn_idle:
        for message in idle_training(described, choice):
            _log.warning(message)
        _warn_of_features(added, {**chosen.weights, **(weights or {})}, tuned=tuning)
    dev = _dev_set(corpus)
    if dev is not None and tune:
        check_forests(chosen, features_of(described.models))
    check_names(weights or {}, chosen.weights, idle_weights(described, choice), added)
    reason = degenerate({**chosen.weights, **(weights or {})}) if dev and tune else None
    if reason:
        raise ConfigError(f"cannot tune from these weights: {reason}; give others, or no dev set")
    overlap = _overlap(corpus, dev)
    with Run(place) as run:
        pipeline = Pipeline(
            run,
            corpus,
            named,
            _preprocessing(chosen, pretokenised),
            chosen,
            watch,
        )
        for part in described.parts:
            part.run(pipeline)
        draft = _draft(pipeline, described, weights or {}, added)
        start = draft.manifest.weights
        if dev is not None and tune:
            draft = tuned(pipeline, draft, dev, added)
            draft = rescoring_tuned(pipeline, draft, dev, added)
        score = None if dev is None else scored(pipeline, draft, dev, added)
        bundle = write_bundle(directory, draft, replace=True)
    return Trained(
        bundle,
        tuple(pipeline.times),
        pipeline.facts["pairs_read"],
        pipeline.facts["pairs"],
        pipeline.facts["rules"],
        score,
        start,
        overlap,
    )


def _corpus(
    source: AnyPath | Sequence[AnyPath],
    target: AnyPath | Sequence[AnyPath],
    dev_source: AnyPath | None,
    dev_target: AnyPath | Sequence[AnyPath],
    monolingual: Sequence[AnyPath],
) -> Corpus:
    """The files by name, each of them one that can be read again."""
    targets = [dev_target] if isinstance(dev_target, str | Path) else list(dev_target)
    first, *more = paired(source, target)
    corpus = Corpus(
        *first,
        tuple(more),
        None if dev_source is None else Path(dev_source),
        tuple(map(Path, targets)),
        tuple(map(Path, monolingual)),
    )
    check_given_together(corpus.dev_source, corpus.dev_targets)
    texts = [path for sides in corpus.sides for path in sides]
    for path in (*texts, *corpus.dev_files, *corpus.monolingual):
        if str(path) == "-" or path.is_fifo():
            message = f"{path}: training reads its files more than once; save it to a file"
            raise InputError(message, path)
        if not path.exists():
            raise InputError(f"{path}: no such file; check the path", path)
    return corpus


def _check_places(corpus: Corpus, out: Path, work: Path) -> None:
    """Nothing that is read may lie where the bundle or the intermediate files are written."""
    texts = [path for sides in corpus.sides for path in sides]
    treebanks = [part.path for part in corpus.treebanks]
    trees = [*treebanks, *([] if corpus.target_trees is None else [corpus.target_trees])]
    read = [*texts, *corpus.dev_files, *corpus.monolingual, *trees]
    check_place(work, read)
    check_place(out, [*read, *([] if corpus.parser is None else [corpus.parser])], bundle=True)


def _with_trees(
    corpus: Corpus,
    system: System,
    settings: Settings,
    treebanks: Sequence[AnyPath | TreebankPart],
    parser: AnyPath | None,
    target_trees: AnyPath | None,
) -> Corpus:
    """Where target trees come from; one way, if the system wants any."""
    ways = [bool(treebanks), parser is not None, target_trees is not None]
    parses = system.target_trees is Trees.PARSER
    options = "--treebank F.conllu or --parser DIR"
    if not parses:
        options = f"{options} or --target-trees F.conllu"
    if any(ways) and system.target_trees is Trees.NONE:
        raise ConfigError(f"{system.name} uses no trees; leave out {options}")
    if sum(ways) > 1:
        raise ConfigError(f"target trees from more than one place; give one of {options}")
    if parses and target_trees is not None:
        raise ConfigError(f"{system.name} parses its own output, so it needs {options}")
    needed = system.target_trees is not Trees.NONE
    if needed and not any(ways) and not system.spare_trees(Choice(settings, corpus)):
        raise ConfigError(f"{system.name} needs trees of the target language; give {options}")
    return replace(
        corpus,
        treebanks=tuple(
            part if isinstance(part, TreebankPart) else TreebankPart.parse(str(part))
            for part in treebanks
        ),
        parser=None if parser is None else str(parser),
        target_trees=None if target_trees is None else Path(target_trees),
    )


def _check_replaced(directory: Path, system: System, *, tuned: bool) -> None:
    """What is there is not lost to a wrong name or a forgotten dev set, unless it is damaged."""
    if not is_bundle(directory):
        return
    try:
        there = read_manifest(directory)
    except ModelError:
        return
    if there.system != system.name:
        message = f"{directory}: is a bundle of {there.system} already"
        raise ConfigError(f"{message}; remove it or name another one, or replace it with --force")
    if not tuned and not there.facts.keys().isdisjoint(TUNED):
        message = f"{directory}: is tuned, and would be replaced by a system that is not"
        raise ConfigError(f"{message}; give a dev set to tune on, another --out, or --force")


def _warn_of_features(
    added: Mapping[str, RuleFeature], weights: Mapping[str, float], *, tuned: bool
) -> None:
    for name in added:
        if not tuned and not weights.get(name):
            advice = "give a dev set to tune on, or a weight"
            _log.warning("feature %s has no effect: it weighs 0; %s", name, advice)


def _dev_set(corpus: Corpus) -> DevSet | None:
    """Read before training: what is wrong with it should not be found out after an hour."""
    if corpus.dev_source is None:
        return None
    return DevSet.read(corpus.dev_source, corpus.dev_targets)


def _overlap(corpus: Corpus, dev: DevSet | None) -> Overlap | None:
    if dev is None or corpus.dev_source is None:
        return None
    return checked_overlap(dev, corpus.sides, corpus.dev_source)


def _languages(corpus: Corpus, given: tuple[str, str] | None) -> Languages:
    if given is not None:
        return Languages(*given)
    return Languages(*(_language_of(path) for path in (corpus.source, corpus.target)))


def _language_of(path: Path) -> str:
    """`de` of `train.de.gz`; nothing where the name does not tell."""
    suffixes = [suffix for suffix in path.suffixes if suffix not in _COMPRESSED]
    last = suffixes[-1].removeprefix(".") if suffixes else ""
    return last if _LANGUAGE.fullmatch(last) and last not in ("txt", "tok") else ""


def _preprocessing(settings: Settings, pretokenised: bool) -> Preprocessing:
    check_casing(settings.text.casing)
    if pretokenised:
        return Preprocessing()
    return Preprocessing(True, settings.tokenise.split_hyphens, settings.text.casing)


def _draft(
    pipeline: Pipeline,
    system: System,
    weights: Mapping[str, float],
    added: Mapping[str, RuleFeature],
) -> Bundle:
    """The bundle as it will be, over the files of the run directory."""
    components = {
        name: describe(kind, pipeline.run / file)
        for name, (kind, file) in pipeline.components.items()
    }
    manifest = Manifest(
        format=FORMAT,
        system=system.name,
        headway=__version__,
        languages=pipeline.languages,
        preprocessing=pipeline.preprocessing,
        search=_search(system, pipeline.settings),
        weights={},
        components=components,
        facts=pipeline.facts,
        features=references(added),
    )
    features = [*feature_names(Bundle(pipeline.run.directory, manifest)), *added]
    defaults = default_weights(features, pipeline.settings.weights)
    chosen = changed_weights(defaults, weights)
    rescoring = None
    if pipeline.settings.rescore.order:
        rescoring = Rescoring(pipeline.settings.rescore.n_best, "lm", chosen)
    found = msgspec.structs.replace(manifest, weights=chosen, rescoring=rescoring)
    return Bundle(pipeline.run.directory, found)


def _search(system: System, settings: Settings) -> SearchSettings:
    """Search settings that fit what was extracted: as long as phrases are, oriented alike."""
    search = system.search_settings(settings)
    search["max_phrase"] = max(int(search["max_phrase"]), settings.extract.phrase.max_length)
    if settings.extract.reordering.model == "hierarchical":
        search["orientation"] = "hierarchical"
    return search
