"""What is wrong with a training, said before it begins."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headway import _core
from headway.errors import ConfigError, InputError, ModelError
from headway.files import check_place
from headway.settings import SearchSettings
from headway.systems.bundle import Languages, check_free, is_bundle, read_manifest
from headway.systems.corpus import Corpus, TreeSource
from headway.systems.effects import idle_training, idle_weights
from headway.systems.features import RuleFeature
from headway.systems.parsers import check_trees
from headway.systems.searches import features_of
from headway.systems.sides import TARGET_SIDE, Side
from headway.systems.system import Choice, Need, System, Trees
from headway.systems.tuning import TUNED, check_forests
from headway.systems.weights import check_names
from headway.tune import degenerate

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Planned:
    """A training that is about to begin."""

    system: System
    choice: Choice
    weights: Mapping[str, float]
    """Weights that were given, by name."""
    added: Mapping[str, RuleFeature]
    out: Path
    work: Path

    @property
    def tunes(self) -> bool:
        """Whether weights are tuned."""
        return self.choice.tuned and self.choice.corpus.dev_source is not None


def check_planned(
    planned: Planned, search: SearchSettings, languages: Languages, *, force: bool, warn_idle: bool
) -> None:
    """Refuses what cannot work, and warns of what has no effect."""
    system, choice = planned.system, planned.choice
    corpus = choice.corpus
    corpus.check_readable()
    for side, need in system.needs:
        _check_need(system.name, side, need, choice)
    _check_dev_trees(system, corpus, search)
    for side, need in system.needs:
        streaming = side is TARGET_SIDE and need.trees is Trees.PARSER
        language = side.language(languages)
        check_trees(
            side,
            side.given(corpus),
            choice.settings,
            language,
            streaming=streaming,
            cyclic=need.cyclic,
        )
    _core.check_search(search)
    _check_places(corpus, planned.out, planned.work)
    check_free(planned.out, replace=force or (planned.work / ".steps").is_dir())
    if not force:
        _check_replaced(planned.out, system, tuned=planned.tunes)
    if warn_idle:
        for message in idle_training(system, choice):
            _log.warning(message)
        _warn_of_features(planned)
    _check_weights(planned)


def _check_weights(planned: Planned) -> None:
    system, choice, given = planned.system, planned.choice, planned.weights
    if planned.tunes:
        features = features_of(system.decoder, system.model_kinds)
        check_forests(choice.settings, features)
    check_names(given, choice.settings.weights, idle_weights(system, choice), planned.added)
    reason = degenerate({**choice.settings.weights, **given}) if planned.tunes else None
    if reason:
        raise ConfigError(f"cannot tune from these weights: {reason}; give others, or no dev set")


def _check_places(corpus: Corpus, out: Path, work: Path) -> None:
    """Nothing that is read may lie where the bundle or the intermediate files are written."""
    parsers = [side.parser for side in (corpus.source_trees, corpus.target_trees)]
    check_place(work, corpus.files)
    check_place(out, [*corpus.files, *(path for path in parsers if path)], bundle=True)


def _check_need(name: str, side: Side, need: Need, choice: Choice) -> None:
    """Trees come from one place, if the system wants any."""
    spare = need.optional or bool(need.spare(choice))
    _check_side(side, name, need.trees, side.given(choice.corpus), spare=spare)


def _check_dev_trees(system: System, corpus: Corpus, search: SearchSettings) -> None:
    """The dev set is translated as other text is: with trees that are given or parsed."""
    given, spans = corpus.dev_source_trees, search["spans"]
    if spans != "all" and corpus.dev_source is not None and not corpus.source_trees.ways:
        message = f"search.spans is {spans}, but the dev set has no source trees"
        raise ConfigError(f"{message}; train phrase-deporder, or leave it at all")
    if given is not None and system.source_trees.trees is Trees.NONE:
        raise ConfigError(f"{system.name} uses no source trees; leave out --dev-source-trees")
    if given is not None and not corpus.source_trees.ways:
        message = "--dev-source-trees: the training text has no source trees"
        raise ConfigError(f"{message}; give them too")
    if given is not None and not given.exists():
        raise InputError(f"{given}: no such file; check the path", given)
    lacking = corpus.source_trees.trees is not None and given is None
    if lacking and corpus.dev_source is not None:
        message = "the dev set has no source trees, and there is no source parser"
        raise ConfigError(f"{message}; give --dev-source-trees F.conllu")


def _check_side(side: Side, name: str, need: Trees, given: TreeSource, *, spare: bool) -> None:
    prefix, language = side.prefix, side.prefix.replace("-", " ")
    options = f"--{prefix}treebank F.conllu or --{prefix}parser DIR"
    if need is not Trees.PARSER:
        options = f"{options} or --{side.name}-trees F.conllu"
    if given.ways and need is Trees.NONE:
        raise ConfigError(f"{name} uses no {language}trees; leave out {options}")
    if given.ways > 1:
        raise ConfigError(f"{side.name} trees from more than one place; give one of {options}")
    if need is Trees.PARSER and given.trees is not None:
        raise ConfigError(f"{name} parses sentences while it translates, so it needs {options}")
    if need is not Trees.NONE and not given.ways and not spare:
        raise ConfigError(f"{name} needs trees of the {side.name} language; give {options}")


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


def _warn_of_features(planned: Planned) -> None:
    weights = {**planned.choice.settings.weights, **planned.weights}
    for name in planned.added:
        if not planned.tunes and not weights.get(name):
            advice = "give a dev set to tune on, or a weight"
            _log.warning("feature %s has no effect: it weighs 0; %s", name, advice)
