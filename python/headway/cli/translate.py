"""`headway translate`."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from headway.cli.frame import Job, command
from headway.cli.marked import check_markup, write_marked
from headway.cli.options import STDIO, FeaturesOption, Output, VerifyOption
from headway.cli.paths import Role
from headway.cli.table import WeightOption
from headway.corpus import LineWriter, arriving_batches
from headway.errors import ConfigError
from headway.systems import (
    Candidate,
    Source,
    Translation,
    Translator,
    UnknownReport,
    moses_lines,
    parse_features,
    parse_weights,
)
from headway.systems.effects import idle_use
from headway.systems.source import SourceTrees
from headway.trees import Sentence

_log = logging.getLogger(__name__)

# Parts of a source that a decoder may have no use for, by the flag of a translation.
_IGNORED = {"ignored-trees": "--source-trees"}
# Sentences at a time: few where much is kept of each.
_MOST, _FEW = 1024, 128

Bundle = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="Model directory, made by `headway train`."),
    Role.READ,
]


@command("translate")
def translate(
    job: Job,
    directory: Bundle,
    *,
    source: Annotated[
        Path,
        typer.Option("--input", "-i", help="Text, one sentence per line; `-` is standard input."),
        Role.READ,
    ] = STDIO,
    output: Output = STDIO,
    source_trees: Annotated[
        Path | None,
        typer.Option(help="Trees of the input, one per line with words, as CoNLL-U."),
        Role.READ,
    ] = None,
    n_best: Annotated[
        tuple[int, Path] | None,
        typer.Option(metavar="K FILE", help="Write the K best translations of each sentence."),
        Role.WRITE,
    ] = None,
    n_best_trees: Annotated[
        Path | None,
        typer.Option(help="Write the tree of each n-best entry, as CoNLL-U."),
        Role.WRITE,
    ] = None,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="List each translation once in --n-best.")
    ] = False,
    derivations: Annotated[
        Path | None, typer.Option(help="Write rules, features and links as JSON lines."), Role.WRITE
    ] = None,
    trees: Annotated[
        Path | None,
        typer.Option(help="Write the tree of each translation, as CoNLL-U."),
        Role.WRITE,
    ] = None,
    forests: Annotated[
        Path | None, typer.Option(help="Write forests, for `headway forest`."), Role.WRITE
    ] = None,
    lattice: Annotated[
        Path | None, typer.Option(help="Write word lattices (PLF)."), Role.WRITE
    ] = None,
    mbr: Annotated[
        bool | None,
        typer.Option(
            "--mbr/--no-mbr",
            help="Choose what other candidates agree with, or the best score; "
            "by default what the dev set preferred.",
        ),
    ] = None,
    confidence: Annotated[
        Path | None,
        typer.Option(
            metavar="F",
            help="A table of all words: sentence, word, how probably it is right, who said it.",
        ),
        Role.WRITE,
    ] = None,
    rescore: Annotated[
        bool, typer.Option(help="Use the second pass, if the model has one.")
    ] = True,
    unknown: Annotated[
        str | None, typer.Option(metavar="HOW", help="Unknown words: copy, drop or mark.")
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="Markup to keep: text (placeholders), html, or xml as Moses reads it.",
        ),
    ] = None,
    xml_input: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="Translations given in XML: exclusive, inclusive, constraint or ignore.",
        ),
    ] = None,
    unknown_report: Annotated[
        Path | None,
        typer.Option(metavar="F", help="A table of all unknown words and what was said for them."),
        Role.WRITE,
    ] = None,
    weight: WeightOption = None,
    features: FeaturesOption = None,
    verify: VerifyOption = True,
) -> None:
    """Translate text, one output line per input line.

    headway translate model < text.de > text.en

    headway translate model -i test.de -o test.en --n-best 100 test.nbest

    headway translate model --format html < page.de.html > page.en.html
    """
    if n_best is not None and n_best[0] < 1:
        raise ConfigError(f"--n-best {n_best[0]}: expected at least 1")
    if n_best is None and n_best_trees is not None:
        raise ConfigError("--n-best-trees: trees of which list? Give --n-best K F too")
    of_sentences = {
        "--n-best": n_best,
        "--source-trees": source_trees,
        "--derivations": derivations,
        "--trees": trees,
        "--forests": forests,
        "--lattice": lattice,
        "--confidence": confidence,
    }
    check_markup(format_, xml_input, of_sentences)
    search = dict(job.given.get("search", {}))
    if unknown is not None:
        search["unknown"] = unknown
    translator = Translator.load(
        directory,
        weights=parse_weights(weight or ()),
        search=search,
        features=parse_features(features or ()),
        rescore=rescore,
        verify=verify,
    )
    warn_of_idle(job, translator, rescore=rescore)
    if lattice is not None and not translator.has_lattices:
        message = f"--lattice: the derivations of {translator.bundle.manifest.system} are trees"
        raise ConfigError(f"{message}, which make no word lattice; give --forests")
    if format_ is not None:
        options = {"format": format_, "mbr": mbr, "xml_mode": xml_input or "exclusive"}
        marked = write_marked(job, translator, source, output, options)
        _report(job, marked, unknown_report)
        return
    _check_trees(translator, {"--trees": trees, "--n-best-trees": n_best_trees})
    _check_vote(translator, mbr=mbr, forests=forests)
    votes = translator.consensus.use if mbr is None else mbr
    keep = (
        votes
        or confidence is not None
        or n_best is not None
        or forests is not None
        or lattice is not None
    )
    paths = {
        "text": output,
        "n_best": None if n_best is None else n_best[1],
        "n_best_trees": n_best_trees,
        "derivations": derivations,
        "forests": forests,
        "lattice": lattice,
        "trees": trees,
        "confidence": confidence,
        "unknown": unknown_report,
    }
    out = _Outputs(paths)
    report = UnknownReport(words=unknown_report is not None)
    wanted: dict[str, Any] = {
        "threads": job.threads,
        "n_best": 0 if n_best is None else n_best[0],
        "distinct": distinct,
        "forests": forests is not None or lattice is not None,
        "trees": trees is not None or n_best_trees is not None,
        "mbr": mbr,
        "confidence": confidence is not None,
    }
    given = _Given(translator, source, source_trees, _FEW if keep else _MOST)
    with job.progress("sentences") as progress:
        for done, batch in given.batches():
            found = translator.translate(batch, before=done, **wanted)
            out.write(done, found)
            report.add(found)
            given.note(done, found)
            del found  # before the next ones are made: two batches take twice the memory
            if progress is not None:
                progress(done + len(batch), 0)
    given.finish()
    _finish(job, out, report, unknown_report)


def _check_vote(translator: Translator, *, mbr: bool | None, forests: Path | None) -> None:
    """Refuses what only a single system can do."""
    if not translator.bundle.manifest.members:
        return
    if mbr is False:
        raise ConfigError("--no-mbr: a combination always votes; translate with one of its members")
    if forests is not None:
        raise ConfigError("--forests: a combination keeps none; translate with one of its members")


class _Given:
    """The input, batch by batch, with its trees if there are any."""

    def __init__(self, translator: Translator, text: Path, trees: Path | None, size: int) -> None:
        self._translator, self._text, self._size = translator, text, size
        self._trees = None if trees is None else SourceTrees(trees)
        self._ignored: set[str] = set()
        self._treeless = 0
        self._without: Counter[str] = Counter()

    def batches(self) -> Iterator[tuple[int, Sequence[str | Source]]]:
        """Lines or sources, and how many came before them."""
        done = 0
        for lines in arriving_batches(self._text, self._size, repair=True):
            if self._trees is None:
                yield done, lines
            else:
                words = self._translator.words(lines)
                yield done, self._trees.sources(words, done + 1, self._text)
            done += len(lines)
        if self._trees is not None:
            self._trees.finish()

    def note(self, done: int, found: Sequence[Translation]) -> None:
        """Takes note of lines that were not text, and of parts that were not used."""
        for number, translation in enumerate(found, done + 1):
            if "odd" in translation.flags:
                _log.warning("%s:%d: invalid UTF-8, shown as \ufffd", self._text, number)
            self._ignored |= translation.flags & _IGNORED.keys()
            self._treeless += "no-source-tree" in translation.flags
            for flag in sorted(translation.flags):
                if flag.startswith("without-"):
                    self._without[flag.removeprefix("without-")] += 1

    def finish(self) -> None:
        """Warns of what had no effect."""
        for flag in sorted(self._ignored):
            system = self._translator.bundle.manifest.system
            _log.warning("%s has no effect: %s does not use it", _IGNORED[flag], system)
        for name, count in sorted(self._without.items()):
            lines = "1 line" if count == 1 else f"{count:,} lines"
            _log.warning("%s had no say on %s: it failed or its time was up", name, lines)
        if self._treeless:
            lines = "1 line" if self._treeless == 1 else f"{self._treeless:,} lines"
            _log.warning("no source tree for %s; %s", lines, self._without_tree())

    def _without_tree(self) -> str:
        """Why there was none."""
        if self._trees is not None:
            return "trees with a cycle are not used"
        if self._translator.has_source_parser:
            return "the line is too long to be parsed, or its tree has a cycle"
        return "the model has no source parser, so give --source-trees F.conllu"


def _finish(job: Job, out: "_Outputs", report: UnknownReport, path: Path | None) -> None:
    """Gives the files their names, and tells of unknown words."""
    if path is not None:
        out.write_lines("unknown", report.lines())
    out.finish()
    _say_unknown(job, report, path)


def _report(job: Job, report: UnknownReport, path: Path | None) -> None:
    """Writes the report of unknown words, and tells of them."""
    if path is not None:
        report.write(path)
    _say_unknown(job, report, path)


def _say_unknown(job: Job, report: UnknownReport, path: Path | None) -> None:
    if summary := report.summary():
        where = "--unknown-report F lists them" if path is None else f"listed in {path}"
        job.say(f"{summary}; {where}")


def warn_of_idle(job: Job, translator: Translator, *, rescore: bool) -> None:
    """Tells of settings of training, and that there is no second pass to leave out."""
    for message in idle_use(job.settings.named):
        _log.warning(message)
    if not rescore and translator.bundle.manifest.rescoring is None:
        _log.warning("--no-rescore has no effect: the bundle has no second pass")


def _check_trees(translator: Translator, options: dict[str, Path | None]) -> None:
    for option, path in options.items():
        if path is not None and not translator.has_trees:
            raise ConfigError(f"{option}: {translator.without_trees()}")


class _Outputs:
    """Everything that is written, line by line; files appear when all is done."""

    def __init__(self, paths: Mapping[str, Path | None]) -> None:
        self._writers = {name: LineWriter(path) for name, path in paths.items() if path is not None}

    def write(self, start: int, found: Sequence[Translation]) -> None:
        """Writes the translations of sentences numbered from `start`."""
        for name, lines in _LINES.items():
            if name in self._writers:
                pairs = enumerate(found, start)
                self.write_lines(name, (line for pair in pairs for line in lines(*pair)))

    def write_lines(self, name: str, lines: Iterable[str]) -> None:
        """Writes lines to the output of this name."""
        self._writers[name].write(list(lines))
        self._writers[name].flush()

    def finish(self) -> None:
        """Gives the files their names."""
        for writer in self._writers.values():
            writer.finish()


def _lattice(translation: Translation) -> str:
    return "" if translation.forest is None else translation.forest.lattice().to_plf()


def _forest(translation: Translation) -> str:
    return "" if translation.forest is None else translation.forest.to_json()


def _derivation(translation: Translation) -> str:
    return json.dumps(translation.table(), ensure_ascii=False)


def _confidence(number: int, translation: Translation) -> Iterator[str]:
    """A line for each word: sentence from 1, word, confidence, the member that said it."""
    for word, sure in zip(translation.words, translation.confidence or (), strict=True):
        yield f"{number + 1}\t{word}\t{sure:.4f}\t{translation.system}".rstrip("\t")


def _tree(candidate: Candidate) -> list[str]:
    return [*str(_sentence(candidate)).rstrip("\n").split("\n"), ""]


def _sentence(candidate: Candidate) -> Sentence:
    """The words with their tree, or without heads where there is none, as of an empty line."""
    if candidate.tree is not None or candidate.heads is not None:
        return candidate.sentence()
    words = list(candidate.words)
    no_heads: list[int | None] = [None] * len(words)
    comments = [f"# text = {' '.join(words)}".rstrip()]
    return Sentence.from_columns(words, head=no_heads, comments=comments)


def _trees_of_list(number: int, candidates: Sequence[Candidate]) -> Iterator[str]:
    """Each by the number of its sentence, as in the list, and its rank there."""
    for rank, candidate in enumerate(candidates, 1):
        yield f"# sent_id = {number}-{rank}"
        yield from _tree(candidate)


_LINES: dict[str, Callable[[int, Translation], Iterable[str]]] = {
    "text": lambda _, one: [one.text],
    "n_best": lambda number, one: moses_lines(number, one.n_best),
    "n_best_trees": lambda number, one: _trees_of_list(number, one.n_best),
    "derivations": lambda _, one: [_derivation(one)],
    "forests": lambda _, one: [_forest(one)],
    "lattice": lambda _, one: [_lattice(one)],
    "trees": lambda _, one: _tree(one),
    "confidence": _confidence,
}
