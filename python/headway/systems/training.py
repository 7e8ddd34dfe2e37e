"""From two text files to a bundle."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from headway.arguments import named_arguments
from headway.corpus import Files
from headway.corpus.files import language_of
from headway.errors import ConfigError
from headway.languages import doubt_languages
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
    describe,
    write_bundle,
)
from headway.systems.checks import Planned, check_planned
from headway.systems.corpus import Corpus, Treebanks, TreeSource
from headway.systems.decoder import feature_names
from headway.systems.dev import Bleu, DevSet
from headway.systems.dev_steps import (
    Dev,
    consensus_decided,
    rescoring_tuned,
    scored,
    tuned,
)
from headway.systems.features import Features, named_features, references
from headway.systems.journal import note_training
from headway.systems.overlap import Overlap, checked_overlap
from headway.systems.pipeline import Pipeline, StepTime, Watch
from headway.systems.registry import find_system
from headway.systems.system import Choice
from headway.systems.text import SourceText, check_casing
from headway.systems.weights import changed_weights, default_weights
from headway.version import __version__

AnyPath = str | Path


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
    source: Corpus | Files,
    target: Files = (),
    out: AnyPath = "",
    *,
    dev_source: AnyPath | None = None,
    dev_target: Files = (),
    monolingual: Sequence[AnyPath] = (),
    treebanks: Treebanks = (),
    parser: AnyPath | None = None,
    target_trees: AnyPath | None = None,
    source_treebanks: Treebanks = (),
    source_parser: AnyPath | None = None,
    source_trees: AnyPath | None = None,
    dev_source_trees: AnyPath | None = None,
    self_train: bool = False,
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

    Several source files and as many target files are joined in order. In place of all files, a
    `Corpus` may be given as `source`.
    Text is cleaned, tokenised and cased as the settings say; `pretokenised` text is taken as it is,
    words between spaces. `languages` are codes such as `("de", "en")`; where they are not given,
    names such as `train.de` tell. `monolingual` is more text of the target language, for the
    language model. Systems with target trees have them from one of: `treebanks` (files, perhaps as
    `PATH:WEIGHT`) to train a parser on, a `parser` as `headway.parse.load` takes it, or, for
    str2dep, `target_trees`, the trees of the target side itself. Systems with source trees have
    them in the same three ways (`source_treebanks`, `source_parser`, `source_trees`). Their parser
    becomes part of the bundle; with `source_trees` there is none, and `dev_source_trees` are the
    trees of the dev set. With `self_train` the parser of the target side, once trained on the
    treebanks, parses the target text and is trained again with these trees. With a dev set the
    system's weights are tuned on it (unless `tune` is False), and at the end the system translates
    it and reports BLEU. `features` are functions of a rule as `Translator.load` takes them: their
    weights are tuned with all others. `force` replaces any bundle at `out`, also a tuned one by one
    that is not, and one of another system. The log warns of settings that have no effect on the
    system, unless `warn_idle` is False, as where several systems share them.
    Intermediate files stay in `work` (`out` with `.work` behind it, unless named), so that the
    same call after an interruption, or with other settings, does only what is left to do.
    """
    described, added = find_system(system), named_features(features)
    chosen = described.training_settings(settings or Settings.load())
    corpus = _corpus(
        source,
        target,
        TreeSource(source_treebanks, source_parser, source_trees),
        TreeSource(treebanks, parser, target_trees, self_train=self_train),
        {
            "dev_source": dev_source,
            "dev_target": dev_target,
            "monolingual": monolingual,
            "dev_source_trees": dev_source_trees,
        },
    )
    named = corpus_languages(corpus, languages)
    doubt_languages(named.source, named.target)
    directory = _directory(out)
    place = Path(work) if work is not None else directory.with_name(f"{directory.name}.work")
    choice = Choice(chosen, corpus, tuned=tune)
    planned = Planned(described, choice, weights or {}, added, directory, place)
    search = _search(planned)
    check_planned(planned, search, named, force=force, warn_idle=warn_idle)
    how = preprocessing_of(chosen, pretokenised=pretokenised)
    dev = _dev_set(corpus, SourceText(how, named.source))
    overlap = _overlap(corpus, dev)
    with Run(place) as run:
        pipeline = Pipeline(
            run,
            corpus,
            named,
            how,
            chosen,
            watch,
        )
        for part in described.parts:
            part.run(pipeline)
        draft = _draft(pipeline, planned)
        start = draft.manifest.weights
        ready = None if dev is None else Dev(pipeline, draft, dev, added)
        if ready is not None and planned.tunes:
            draft = tuned(pipeline, draft, ready, added)
            draft = rescoring_tuned(pipeline, draft, ready, added)
            draft = consensus_decided(pipeline, draft, ready, added)
        score = None if ready is None else scored(pipeline, draft, ready, added)
        bundle = write_bundle(directory, draft, replace=True)
        note_training(
            place,
            corpus,
            system=system,
            bundle=str(directory.resolve()),
            start_weights=dict(start),
            overlap="" if overlap is None or not overlap.shared else str(overlap),
        )
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
    source: Corpus | Files,
    target: Files,
    source_trees: TreeSource,
    target_trees: TreeSource,
    other: dict[str, Any],
) -> Corpus:
    """The corpus that was given, as one value or file by file."""
    if not isinstance(source, Corpus):
        return Corpus(source, target, source_trees=source_trees, target_trees=target_trees, **other)
    if target or source_trees.ways or target_trees.ways or any(other.values()):
        raise ConfigError("a Corpus names all files; give no others beside it")
    return source


def _directory(out: AnyPath) -> Path:
    if not str(out):
        raise TypeError("train(): missing a required argument: 'out'")
    return Path(out)


def _dev_set(corpus: Corpus, text: SourceText) -> DevSet | None:
    """Read before training: what is wrong with it should not be found out after an hour.

    Words are compared with those of trees whatever their case, which nothing is known about yet.
    """
    if corpus.dev_source is None:
        return None
    dev = DevSet.read(corpus.dev_source, corpus.dev_targets)
    if corpus.dev_source_trees is None:
        return dev
    return dev.with_trees(corpus.dev_source_trees, corpus.dev_source, text)


def _overlap(corpus: Corpus, dev: DevSet | None) -> Overlap | None:
    if dev is None or corpus.dev_source is None:
        return None
    return checked_overlap(dev, corpus.sides, corpus.dev_source)


def corpus_languages(corpus: Corpus, given: tuple[str, str] | None) -> Languages:
    """The languages that were given, or that the names of the files tell."""
    if given is not None:
        return Languages(*given)
    return Languages(*(language_of(path) for path in (corpus.source, corpus.target)))


def preprocessing_of(settings: Settings, *, pretokenised: bool) -> Preprocessing:
    """How text is prepared with these settings."""
    check_casing(settings.text.casing)
    if pretokenised:
        return Preprocessing()
    return Preprocessing(True, settings.tokenise.split_hyphens, settings.text.casing)


def _draft(pipeline: Pipeline, planned: Planned) -> Bundle:
    """The bundle as it will be, over the files of the run directory."""
    system, added = planned.system, planned.added
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
        search=_search(planned),
        weights={},
        components=components,
        facts=pipeline.facts,
        features=references(added),
    )
    features = [*feature_names(Bundle(pipeline.run.directory, manifest)), *added]
    defaults = default_weights(features, pipeline.settings.weights)
    chosen = changed_weights(defaults, planned.weights)
    rescoring = None
    if pipeline.settings.rescore.order:
        rescoring = Rescoring(pipeline.settings.rescore.n_best, "lm", chosen)
    found = msgspec.structs.replace(manifest, weights=chosen, rescoring=rescoring)
    return Bundle(pipeline.run.directory, found)


def _search(planned: Planned) -> SearchSettings:
    """Search settings that fit what was extracted: as long as phrases are, oriented alike."""
    settings, corpus = planned.choice.settings, planned.choice.corpus
    search = planned.system.search_settings(settings)
    if planned.system.source_trees.optional and not corpus.source_trees.ways:
        search["tree_to_tree"] = False
    search["max_phrase"] = max(int(search["max_phrase"]), settings.extract.phrase.max_length)
    if settings.extract.reordering.model == "hierarchical":
        search["orientation"] = "hierarchical"
    return search
