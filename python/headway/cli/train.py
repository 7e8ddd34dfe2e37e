"""`headway train`."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from headway.cli.combine import tell_combined
from headway.cli.frame import Job, command
from headway.cli.options import FeaturesOption, Languages, language_pair
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.evaluate import length_warning
from headway.systems import (
    ENSEMBLE,
    SYSTEMS,
    Bleu,
    Corpus,
    Trained,
    TreeSource,
    parse_features,
    parse_weights,
    train_ensemble,
)
from headway.systems import train as train_system

_log = logging.getLogger(__name__)

_SYSTEMS = ", ".join([*SYSTEMS, ENSEMBLE])


@command("train")
def train(
    job: Job,
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help=f"One of: {_SYSTEMS}.")],
    *,
    source: Annotated[
        list[Path],
        typer.Option(help="Source text, one sentence per line; repeatable."),
        Role.READ,
    ],
    target: Annotated[
        list[Path],
        typer.Option(help="Its translation, line by line; one for each --source."),
        Role.READ,
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Directory to create for the model."), Role.BUNDLE
    ],
    dev_source: Annotated[
        Path | None,
        typer.Option(help="Source text for tuning, not in the training text."),
        Role.READ,
    ] = None,
    dev_target: Annotated[
        list[Path] | None, typer.Option(help="Its reference translation; repeatable."), Role.READ
    ] = None,
    monolingual: Annotated[
        list[Path] | None,
        typer.Option("--lm", help="More target text, for the language model; repeatable."),
        Role.READ,
    ] = None,
    treebank: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE[:WEIGHT]", help="Target treebank to train a parser on; repeatable."
        ),
        Role.READ,
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Target parser, instead of a treebank.",
        ),
        Role.READ,
    ] = None,
    target_trees: Annotated[
        Path | None,
        typer.Option(help="File of trees of the target text, instead of a treebank."),
        Role.READ,
    ] = None,
    source_treebank: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE[:WEIGHT]", help="Source treebank to train a parser on; repeatable."
        ),
        Role.READ,
    ] = None,
    source_parser: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Source parser, instead of a source treebank."),
        Role.READ,
    ] = None,
    source_trees: Annotated[
        Path | None,
        typer.Option(help="CoNLL-U trees of the source text, instead of a source treebank."),
        Role.READ,
    ] = None,
    dev_source_trees: Annotated[
        Path | None,
        typer.Option(help="CoNLL-U trees of the dev source text; otherwise headway parses it."),
        Role.READ,
    ] = None,
    self_train: Annotated[
        bool,
        typer.Option(
            "--self-train",
            help="Train the target parser again, with its trees of the target text added.",
        ),
    ] = False,
    languages: Languages = None,
    pretokenised: Annotated[
        bool,
        typer.Option(
            "--pretokenised",
            "--pretokenized",
            help="The text is tokenised and cased already: leave it as it is.",
        ),
    ] = False,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight", "-w", metavar="NAME=VALUE", help="Weight of a feature; repeatable."
        ),
    ] = None,
    features: FeaturesOption = None,
    systems: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,…",
            help="The systems of an ensemble; by default all that have the trees they need.",
        ),
    ] = None,
    tune: Annotated[bool, typer.Option(help="Tune the weights on the dev set, if given.")] = True,
    work: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where to keep intermediate files; default OUT.work."),
        Role.WORK,
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the bundle OUT, whatever it is.")
    ] = False,
) -> None:
    """Train a translation system from parallel text.

    Start with the system `phrase`. phrase-deplm, phrase-qpdg and str2dep also need target trees,
    phrase-deporder needs trees of both sides.

    headway train phrase --source train.de --target train.en --out model

    headway train phrase --source a.de --target a.en --source b.de --target b.en --out model

    headway train str2dep --source train.de --target train.en --treebank en.conllu --out model

    `ensemble` trains all systems that the data allow and combines them; it needs a dev set.
    """
    if system == ENSEMBLE:
        if weight or features or not tune:
            raise ConfigError(
                "an ensemble has no --weight, --features or --no-tune; train one system"
            )
        corpus = Corpus(
            source,
            target,
            dev_source=dev_source,
            dev_target=dev_target or (),
            monolingual=monolingual or (),
            source_trees=TreeSource(source_treebank or (), source_parser, source_trees),
            target_trees=TreeSource(treebank or (), parser, target_trees, self_train=self_train),
            dev_source_trees=dev_source_trees,
        )
        ensemble = train_ensemble(
            corpus,
            out,
            systems=[name.strip() for name in systems.split(",")] if systems else (),
            languages=language_pair(languages),
            pretokenised=pretokenised,
            settings=job.settings,
            work=work,
            force=force,
            watch=job.progress,
            tell=lambda _, trained: _tell(job, trained),
        )
        tell_combined(job, ensemble.combined)
        return
    if systems:
        raise ConfigError(f"--systems is for {ENSEMBLE}; {system} is one system")
    trained = train_system(
        system,
        source,
        target,
        out,
        dev_source=dev_source,
        dev_target=dev_target or (),
        monolingual=monolingual or (),
        treebanks=treebank or (),
        parser=parser,
        target_trees=target_trees,
        source_treebanks=source_treebank or (),
        source_parser=source_parser,
        source_trees=source_trees,
        dev_source_trees=dev_source_trees,
        self_train=self_train,
        languages=language_pair(languages),
        pretokenised=pretokenised,
        weights=parse_weights(weight or ()),
        features=parse_features(features or ()),
        settings=job.settings,
        work=work,
        tune=tune,
        force=force,
        watch=job.progress,
    )
    _tell(job, trained)


def _tell(job: Job, trained: Trained) -> None:
    manifest = trained.bundle.manifest
    languages = manifest.languages
    pair = f" {languages.source or '?'} → {languages.target or '?'}"
    if not manifest.preprocessing.tokenise:
        pair = ""
    job.say(f"{manifest.system}{pair}: {trained.pairs:,} of {trained.pairs_read:,} pairs kept")
    components = manifest.components.values()
    names = [*(step.name for step in trained.steps), *(part.file for part in components)]
    width = max(map(len, names), default=0) + 2
    for step in trained.steps:
        took = "done before" if step.reused else f"{step.seconds:.1f} s"
        job.say(f"  {step.name:<{width}}{took:>12}")
    for component in components:
        job.say(f"  {component.file:<{width}}{component.size:>12,} bytes")
    _tell_tuning(job, trained)
    if trained.overlap is not None:
        job.say(f"dev set: {trained.overlap}")
    if trained.dev is not None:
        job.say(f"dev set: {trained.dev}")
        _doubt_length(trained.dev)
    job.say(f"{trained.bundle.directory}: {trained.rules:,} rules, {trained.seconds:.1f} s")


def _tell_tuning(job: Job, trained: Trained) -> None:
    """What came of tuning search, and the passes before and after it."""
    facts = trained.bundle.manifest.facts
    if first := facts.get("coarse_tuning"):
        job.say(f"coarse search tuned in {first['iterations']} rounds, on words: {_gain(first)}")
    if tuning := facts.get("tuning"):
        how = f"tuned by {tuning['method']} in {tuning['iterations']} rounds"
        job.say(f"{how}, on words: {_gain(tuning)}")
        for line in _tuning_lines(tuning, trained):
            job.say(f"  {line}")
    elif trained.dev is not None and any(step.name == "tune" for step in trained.steps):
        job.say("tuning did not improve on the weights it began with; they are kept")
    if again := facts.get("rescoring"):
        job.say(f"second pass tuned after search with these weights, on words: {_gain(again)}")
    if voted := facts.get("consensus"):
        scales = zip(voted["scales"], voted["dev_by_scale"], strict=True)
        scores = ", ".join(f"{scale:g}: {score:.2f}" for scale, score in scales)
        used = "used" if voted["used"] else "not used, --mbr asks for it"
        job.say(f"consensus {used}; {voted['dev']:.2f} with it, {voted['dev_plain']:.2f} without")
        job.say(f"on {voted['compared']:,} sentences of the dev set, by scale {scores}")


def _gain(tuning: Mapping[str, Any]) -> str:
    return f"{tuning['dev_before']:.2f} → {tuning['dev_after']:.2f}"


def _doubt_length(dev: Bleu) -> None:
    if doubt := length_warning(dev.length_ratio):
        _log.warning("dev set: %s", doubt)


def _tuning_lines(tuning: dict[str, Any], trained: Trained) -> list[str]:
    """The way tuning went, what was tried, and what it changed."""
    manifest = trained.bundle.manifest
    lines = [f"by round: {' '.join(f'{score:.2f}' for score in tuning['dev_by_round'])}"]
    if "distortion_limits" in tuning:
        names = ["none" if limit < 0 else str(limit) for limit in tuning["distortion_limits"]]
        tried = zip(names, tuning["dev_by_limit"], strict=True)
        scores = ", ".join(f"{name} {score:.2f}" for name, score in tried)
        limit = tuning["distortion_limit"]
        lines.append(f"distortion limit {'none' if limit < 0 else limit}, of: {scores}")
    width = max(map(len, trained.start_weights), default=0) + 1
    for name, before in trained.start_weights.items():
        lines.append(f"{name:<{width}}{before:8.4f} → {manifest.weights[name]:8.4f}")
    return lines
