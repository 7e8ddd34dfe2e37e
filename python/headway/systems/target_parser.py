"""Steps of systems that parse what they translate into."""

import logging
import math
import shutil
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from headway import parse
from headway.corpus import Tokeniser, Truecaser, read_lines
from headway.errors import ConfigError, FormatError, InputError, ModelError
from headway.files import reading, writing
from headway.parse import TreebankPart
from headway.parse.doubts import agreed_language, doubt_words, is_settled
from headway.parse.parser import FILE
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import ParseSettings, Settings
from headway.systems.corpus import TreeSource
from headway.systems.pipeline import Pipeline, note
from headway.systems.steps import TARGET
from headway.systems.system import Choice, Part, Reason, uses
from headway.systems.text import TARGET_CASE
from headway.systems.treebank import (
    ByTokeniser,
    Cutter,
    LikeCorpus,
    adapt,
    has_capitals,
    runs,
)
from headway.systems.treebank_rules import ByRules, read_rules
from headway.trees import Sentence, has_any, read_sentences, write_sentences
from headway.trees.retokenise import spaced

_log = logging.getLogger(__name__)

PARSER = "parser.bin"
# So many sentences tell whether a parser is of their language.
_DOUBTED = 1000

# What suits a parser inside a decoder where the settings say nothing else: a tagger that does not
# look ahead, spanning trees, and templates whose scores depend on tags that can be kept.
_SUITED = {"search": "mst", "tagger": "streaming", "features": "paper", "coarse": False}


def check_trees(given: TreeSource, settings: Settings, language: str, *, streaming: bool) -> None:
    """Says early what would else be said after alignment and language models.

    A parser that works inside search has to be `streaming`.
    """
    kind = settings.parse.kind
    if streaming and given.treebanks and kind != "graph":
        raise ConfigError(f"parse.kind is {kind}; a parser inside search is of kind graph")
    for part in given.treebanks:
        if not 0 < part.weight < math.inf:
            message = "the weight of a treebank is a number above 0"
            raise ConfigError(f"{part.path}:{part.weight:g}: {message}")
        _check_treebank(part.path, heads=kind != "dmv", tags=settings.parse.tags)
    if given.treebanks and settings.text.treebank_rules:
        read_rules(Path(settings.text.treebank_rules))
    if given.trees is not None:
        _check_treebank(given.trees)
    if given.parser is not None:
        parser = parse.load(given.parser)
        agreed_language(parser.language, language or None)
        if streaming:
            _check_streaming(parser, given.parser)


def _check_streaming(parser: parse.Parser, path: str) -> None:
    if not isinstance(parser, parse.GraphParser):
        raise ModelError(f"{path}: a parser inside search is of --kind graph; train one", path)
    if parser.tagger != "streaming":
        message = f"{path}: its tagger looks ahead, which a growing translation does not allow"
        raise ModelError(f"{message}; train one with --tagger streaming", path)


def _check_treebank(path: Path, *, heads: bool = True, tags: str | None = None) -> None:
    """A file of trees needs a sentence with words, and mostly with heads and tags."""
    if not path.exists():
        raise InputError(f"{path}: no such file; check the path", path)
    cyclic = 0
    for sentence in read_sentences(path):
        if not sentence.forms or (heads and None in sentence.heads):
            continue
        if heads and sentence.tree().has_cycle:
            cyclic += 1
            continue
        if tags is not None:
            _check_tags(path, sentence, tags)
        return
    message = "no sentence with a tree in it; name a treebank with heads in column 7"
    if cyclic:
        message = f"no sentence with a tree in it: the heads of all {cyclic:,} run in circles"
        message += "; see headway trees check"
    raise FormatError(f"{path}: {message if heads else 'no sentence in it'}", path)


def _check_tags(path: Path, sentence: Sentence, wanted: str) -> None:
    other = "upos" if wanted == "xpos" else "xpos"
    if not has_any(sentence, wanted):
        advice = f"--set parse.tags={other}" if has_any(sentence, other) else "tag the treebank"
        raise FormatError(f"{path}:{sentence.line}: no {wanted.upper()} tags; {advice}", path)


def adapt_treebanks(pipeline: Pipeline) -> None:
    """Brings the treebanks to the casing and the words of the corpus."""
    for number, part in enumerate(pipeline.corpus.target_trees.treebanks, 1):
        _adapt(pipeline, part, f"treebank.{number}.conllu")


def _adapt(pipeline: Pipeline, part: TreebankPart, output: str) -> None:
    how, target = pipeline.preprocessing, pipeline.run / TARGET
    case = [pipeline.run / TARGET_CASE] if how.casing == "truecase" else []
    rules = [Path(pipeline.settings.text.treebank_rules)]
    rules = rules if pipeline.settings.text.treebank_rules else []

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        sentences = list(read_sentences(part.path))
        lowercase = how.casing == "lowercase"
        if not how.tokenise:
            lowercase = not has_capitals(read_lines(target))
        found = _cutter(pipeline, sentences, lowercase=lowercase)
        cutter: Cutter = ByRules(read_rules(rules[0]), found) if rules else found
        truecaser = Truecaser.load(case[0]) if case else None
        new, changes = adapt(sentences, cutter, lowercase=lowercase, truecaser=truecaser)
        write_sentences(outputs[output], new)
        facts = {"file": part.path.name, "lowercased": lowercase, **asdict(changes)}
        note(outputs[f"{output}.json"], {output.removesuffix(".conllu").replace(".", "-"): facts})
        if changes.skipped:
            message = "%s: %s sentences stay as they are: the tokeniser changes their characters"
            _log.warning(message, part.path, f"{changes.skipped:,}")

    pipeline.step(
        output.removesuffix(".conllu").replace(".", "-"),
        f"cutting {part.path.name} as the corpus is cut",
        make,
        inputs=[part.path, target, *case, *rules],
        settings={"how": how, "language": pipeline.languages.target},
        outputs=[output, f"{output}.json"],
    )
    pipeline.learn(f"{output}.json")


def _cutter(
    pipeline: Pipeline, sentences: list[Sentence], *, lowercase: bool
) -> ByTokeniser | LikeCorpus:
    how = pipeline.preprocessing
    if how.tokenise:
        language = pipeline.languages.target or None
        return ByTokeniser(Tokeniser(language, split_hyphens=how.split_hyphens))
    found = (run for one in sentences for run in runs(one.forms, spaced(one)))
    return LikeCorpus(read_lines(pipeline.run / TARGET), found, lowercase=lowercase)


def train_parser(pipeline: Pipeline) -> None:
    """Trains the parser, or takes the one that was given."""
    if pipeline.corpus.target_trees.parser is not None:
        given = Path(pipeline.corpus.target_trees.parser)
        file = given / FILE if given.is_dir() else given
        pipeline.step(
            "parser",
            "taking the parser",
            lambda outputs, _: _copy(file, outputs[PARSER]),
            inputs=[file],
            settings={},
            outputs=[PARSER],
        )
    else:
        train_on_treebanks(pipeline, parser_settings(pipeline.settings))
    pipeline.component("parser", "parser", PARSER)
    _doubt(pipeline)


def _copy(source: Path, target: Path) -> None:
    with reading(source), writing(target):
        shutil.copyfile(source, target)


def _doubt(pipeline: Pipeline) -> None:
    """Warns where the parser knows few words of the text, unless both have said their language."""
    parser = parse.load(pipeline.run / PARSER)
    if not is_settled(parser.language, pipeline.languages.target or None):
        lines = islice(read_lines(pipeline.run / TARGET), _DOUBTED)
        found = parser.count_unknown([line.split() for line in lines])
        doubt_words(pipeline.corpus.target, *found)


def train_on_treebanks(pipeline: Pipeline, how: ParseSettings) -> None:
    """Trains a parser on the treebanks as `adapt_treebanks` left them, to the file `PARSER`."""
    parts = [
        TreebankPart(pipeline.run / f"treebank.{number}.conllu", part.weight)
        for number, part in enumerate(pipeline.corpus.target_trees.treebanks, 1)
    ]
    seed = pipeline.settings.run.seed

    def make(outputs: Outputs, progress: Progress | None) -> None:
        place = outputs[PARSER].with_suffix(".training")
        parse.train(
            parts, place, settings=how, seed=seed, threads=pipeline.threads, progress=progress
        )
        (place / FILE).rename(outputs[PARSER])
        shutil.rmtree(place)

    pipeline.step(
        "parser",
        "training the parser",
        make,
        inputs=[part.path for part in parts],
        settings={"parse": how, "seed": seed, "weights": [part.weight for part in parts]},
        outputs=[PARSER],
    )


def parser_settings(settings: Settings) -> ParseSettings:
    """The settings in force; where nobody chose a value, those that suit a decoder."""
    return settings.suited({f"parse.{name}": value for name, value in _SUITED.items()}).parse


def no_treebank(choice: Choice) -> str:
    """Why no parser is trained."""
    return (
        ""
        if choice.corpus.target_trees.treebanks
        else "no treebank is given, so no parser is trained"
    )


def _other_kind(kind: str) -> Reason:
    def reason(choice: Choice) -> str:
        chosen = choice.settings.parse.kind
        return "" if chosen == kind else f"parse.kind is {chosen}"

    return reason


# What training a parser reads.
PARSER_SETTINGS = (
    uses("parse", "text.treebank_rules", unless=no_treebank),
    uses("parse.dmv", unless=_other_kind("dmv")),
    uses("parse.transition", unless=_other_kind("transition")),
)


def streaming_parser(pipeline: Pipeline) -> None:
    """The parser of the target language that works inside search."""
    adapt_treebanks(pipeline)
    train_parser(pipeline)


STREAMING_PARSER = Part(streaming_parser, settings=PARSER_SETTINGS, components=(uses("parser"),))
