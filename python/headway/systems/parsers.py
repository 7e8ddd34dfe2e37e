"""Steps that train or take the parser of one side."""

import logging
import math
import shutil
from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import msgspec

from headway import parse
from headway.corpus import Tokeniser, Truecaser, read_lines
from headway.errors import ConfigError, FormatError, InputError, ModelError
from headway.files import reading, writing
from headway.parse import TreebankPart
from headway.parse.doubts import agreed_language, doubt_words, is_settled
from headway.parse.parser import FILE, TrainedParser
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import ParseSettings, Settings
from headway.systems.corpus import TreeSource
from headway.systems.parser_training import no_self_training, self_trained, train_on
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE, Side
from headway.systems.system import Choice, Part, Reason, Uses, uses
from headway.systems.treebank import (
    ByTokeniser,
    Cutter,
    LikeCorpus,
    adapt,
    has_capitals,
    runs,
)
from headway.systems.treebank_rules import ByRules, read_rules
from headway.systems.treebank_tags import LearntTags, learnt_tags
from headway.trees import Sentence, located_trees, read_sentences, write_sentences
from headway.trees.retokenise import spaced

_log = logging.getLogger(__name__)

# So many sentences tell whether a parser is of their language.
_DOUBTED = 1000

# What suits a parser inside a decoder where the settings say nothing else: a tagger that does not
# look ahead, spanning trees, and templates whose scores depend on tags that can be kept.
_SUITED = {"search": "mst", "tagger": "streaming", "features": "paper", "coarse": False}


def check_trees(
    side: Side,
    given: TreeSource,
    settings: Settings,
    language: str,
    *,
    streaming: bool,
    cyclic: bool = False,
) -> None:
    """Says early what would else be said after alignment and language models.

    A parser that works inside search has to be `streaming`. One of the source side is part of the
    bundle. Trees that are given may be `cyclic` if the system makes use of such trees.
    """
    kind, rules = settings.parse.kind, side.rules(settings)
    if streaming and given.treebanks and kind != "graph":
        raise ConfigError(f"parse.kind is {kind}; a parser inside search is of kind graph")
    if kind == "pcfg" and given.treebanks:
        raise ConfigError(
            "parse.kind is pcfg, which a system does not train; train the parser with "
            "headway parse train, and name it with --parser"
        )
    for part in given.treebanks:
        if not 0 < part.weight < math.inf:
            message = "the weight of a treebank is a number above 0"
            raise ConfigError(f"{part.path}:{part.weight:g}: {message}")
        check_treebank(part.path, heads=kind != "dmv")
    _warn_of_tags(side, learnt_tags([part.path for part in given.treebanks], settings))
    if given.treebanks and rules is not None:
        read_rules(rules)
    if given.trees is not None:
        check_given_trees(given.trees, cyclic=cyclic)
    if given.parser is not None:
        parser = parse.load(given.parser)
        agreed_language(parser.language, language or None)
        if streaming:
            _check_streaming(parser, given.parser)
        if side is SOURCE_SIDE:
            _check_kept(parser, given.parser)


def _check_streaming(parser: parse.Parser, path: str) -> None:
    if not isinstance(parser, parse.GraphParser):
        raise ModelError(f"{path}: a parser inside search is of --kind graph; train one", path)
    if parser.tagger != "streaming":
        message = f"{path}: its tagger looks ahead, which a growing translation does not allow"
        raise ModelError(f"{message}; train one with --tagger streaming", path)


def _check_kept(parser: parse.Parser, path: str) -> None:
    """A bundle can be moved anywhere, so that it holds no parser of another package."""
    if parser.kind == "trees":
        message = f"--source-parser {path}: a file of trees, not a parser"
        raise ConfigError(f"{message}; give it as --source-trees")
    if not isinstance(parser, TrainedParser):
        message = f"--source-parser {path}: only a parser that headway trained fits into a bundle"
        raise ConfigError(f"{message}; parse the source text with it and give --source-trees")


def _warn_of_tags(side: Side, tags: LearntTags) -> None:
    if tags.gap is not None:
        message = "%s; the %sparser learns %s instead"
        _log.warning(message, tags.gap, side.prefix.replace("-", " "), tags.column.upper())


def is_learnable(sentence: Sentence, *, cyclic: bool) -> bool:
    """Whether something can be learnt from a tree: whole, and without a cycle unless `cyclic`.

    Where it may have cycles it needs a root, without which a dependency model has nothing.
    """
    if not sentence.forms or None in sentence.heads:
        return False
    return 0 in sentence.heads and (cyclic or not sentence.tree().has_cycle)


def check_treebank(path: Path, *, heads: bool = True, cyclic: bool = False) -> None:
    """A treebank needs a sentence with words, and mostly with heads."""
    sentences = ((sentence.line, sentence) for sentence in read_sentences(path))
    _check_sentences(path, sentences, heads=heads, cyclic=cyclic)


def check_given_trees(path: Path, *, cyclic: bool, rules: str | None = None) -> None:
    """A file of trees, in any format, needs one that something can be learnt from."""
    _check_sentences(path, located_trees(path, heads=rules), heads=True, cyclic=cyclic)


def _check_sentences(
    path: Path, trees: Iterable[tuple[int, Sentence]], *, heads: bool, cyclic: bool
) -> None:
    if not path.exists():
        raise InputError(f"{path}: no such file; check the path", path)
    circles = partial = 0
    for _, sentence in trees:
        if is_learnable(sentence, cyclic=cyclic) or (sentence.forms and not heads):
            return
        whole = None not in sentence.heads
        circles += whole and bool(sentence.forms)
        partial += not whole and any(head is not None for head in sentence.heads)
    message = "no sentence with a tree in it; name a treebank with heads in column 7"
    reasons = [f"the heads of all {circles:,} run in circles"] if circles else []
    if partial:
        reasons = [f"words without a head in {partial:,}"]
        reasons += [f"heads that run in circles in {circles:,}"] if circles else []
    if reasons:
        message = f"no sentence with a tree in it: {', '.join(reasons)}; see headway trees check"
    raise FormatError(f"{path}: {message if heads else 'no sentence in it'}", path)


def adapt_treebanks(pipeline: Pipeline, side: Side) -> None:
    """Brings the treebanks to the casing and the words of the corpus."""
    for number, part in enumerate(side.given(pipeline.corpus).treebanks, 1):
        _adapt(pipeline, side, part, side.treebank(number))


def _adapt(pipeline: Pipeline, side: Side, part: TreebankPart, output: str) -> None:
    how, text, path = (
        pipeline.preprocessing,
        pipeline.run / side.text,
        side.rules(pipeline.settings),
    )
    case = [pipeline.run / side.case] if how.casing == "truecase" else []
    rules = [] if path is None else [path]
    name = output.removesuffix(".conllu").replace(".", "-")

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        sentences = list(read_sentences(part.path))
        lowercase = how.casing == "lowercase"
        if not how.tokenise:
            lowercase = not has_capitals(read_lines(text))
        found = _cutter(pipeline, side, sentences, lowercase=lowercase)
        cutter: Cutter = ByRules(read_rules(rules[0]), found) if rules else found
        truecaser = Truecaser.load(case[0]) if case else None
        new, changes = adapt(sentences, cutter, lowercase=lowercase, truecaser=truecaser)
        write_sentences(outputs[output], new)
        facts = {"file": part.path.name, "lowercased": lowercase, **asdict(changes)}
        note(outputs[f"{output}.json"], {name: facts})
        if changes.skipped:
            message = "%s: %s sentences stay as they are: the tokeniser changes their characters"
            _log.warning(message, part.path, f"{changes.skipped:,}")

    pipeline.step(
        name,
        f"cutting {part.path.name} as the corpus is cut",
        make,
        inputs=[part.path, text, *case, *rules],
        settings={"how": how, "language": side.language(pipeline.languages)},
        outputs=[output, f"{output}.json"],
    )
    pipeline.learn(f"{output}.json")


def _cutter(
    pipeline: Pipeline, side: Side, sentences: list[Sentence], *, lowercase: bool
) -> ByTokeniser | LikeCorpus:
    how = pipeline.preprocessing
    if how.tokenise:
        language = side.language(pipeline.languages) or None
        return ByTokeniser(Tokeniser(language, split_hyphens=how.split_hyphens))
    found = (run for one in sentences for run in runs(one.forms, spaced(one)))
    return LikeCorpus(read_lines(pipeline.run / side.text), found, lowercase=lowercase)


def make_parser(pipeline: Pipeline, side: Side, how: ParseSettings) -> None:
    """Trains the parser of a side, or takes the one that was given, and keeps it in the bundle."""
    given = side.given(pipeline.corpus).parser
    if given is not None:
        _take_parser(pipeline, side, Path(given))
    else:
        train_on_treebanks(pipeline, side, how)
    kind = f"{side.prefix}parser"
    pipeline.component(kind, kind, side.parser)


def _take_parser(pipeline: Pipeline, side: Side, given: Path) -> None:
    file = given / FILE if given.is_dir() else given
    pipeline.step(
        f"{side.prefix}parser",
        "taking the parser",
        lambda outputs, _: _copy(file, outputs[side.parser]),
        inputs=[file],
        settings={},
        outputs=[side.parser],
    )


def _copy(source: Path, target: Path) -> None:
    with reading(source), writing(target):
        shutil.copyfile(source, target)


def _doubt(pipeline: Pipeline, side: Side) -> None:
    """Warns where the parser knows few words of the text, unless both have said their language."""
    parser = parse.load(pipeline.run / side.parser)
    if not is_settled(parser.language, side.language(pipeline.languages) or None):
        lines = islice(read_lines(pipeline.run / side.text), _DOUBTED)
        found = parser.count_unknown([line.split() for line in lines])
        doubt_words(side.first(pipeline.corpus), *found)


def train_on_treebanks(pipeline: Pipeline, side: Side, how: ParseSettings) -> None:
    """Trains a parser of a side on the treebanks as the corpus is cut."""
    adapt_treebanks(pipeline, side)
    given = side.given(pipeline.corpus).treebanks
    parts = [
        TreebankPart(pipeline.run / side.treebank(number), part.weight)
        for number, part in enumerate(given, 1)
    ]
    # What was cut anew has the same columns as what was given, whose lines mean something.
    tags = learnt_tags([part.path for part in given], pipeline.settings).column
    how = msgspec.structs.replace(how, tags=tags)
    if side.given(pipeline.corpus).self_train:
        parts = [*parts, self_trained(pipeline, side, parts, how)]
    train_on(pipeline, side, parts, how)


def parser_settings(settings: Settings) -> ParseSettings:
    """The settings in force; where nobody chose a value, those that suit a decoder."""
    return settings.suited({f"parse.{name}": value for name, value in _SUITED.items()}).parse


def _no_treebank(side: Side) -> Reason:
    """Why no parser of a side is trained."""
    what = f"{side.prefix.replace('-', ' ')}treebank"

    def reason(choice: Choice) -> str:
        given = side.given(choice.corpus).treebanks
        return "" if given else f"no {what} is given, so no parser is trained"

    return reason


def _other_kind(kind: str) -> Reason:
    def reason(choice: Choice) -> str:
        chosen = choice.settings.parse.kind
        return "" if chosen == kind else f"parse.kind is {chosen}"

    return reason


def parser_uses(side: Side) -> tuple[Uses, ...]:
    """What training a parser of a side reads."""
    return (
        uses("parse", "self_train", side.rules_setting, unless=_no_treebank(side)),
        uses("self_train", unless=no_self_training),
        uses("parse.dmv", unless=_other_kind("dmv")),
        uses("parse.pcfg", unless=_other_kind("pcfg")),
        uses("parse.transition", unless=_other_kind("transition")),
    )


def streaming_parser(pipeline: Pipeline) -> None:
    """The parser of the target language that works inside search."""
    make_parser(pipeline, TARGET_SIDE, parser_settings(pipeline.settings))
    _doubt(pipeline, TARGET_SIDE)


STREAMING_PARSER = Part(
    streaming_parser, settings=parser_uses(TARGET_SIDE), components=(uses("parser"),)
)
