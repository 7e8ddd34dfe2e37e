"""Comparing sources of dependency trees, by their trees and by the systems trained on them."""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from headway.arguments import named_arguments
from headway.compare.asked import Asked, Bitext, ask
from headway.compare.differences import differences
from headway.compare.heads import Parses, accuracy, agreement, shapes
from headway.compare.page import comparison_page
from headway.compare.result import Compared, Line
from headway.compare.seeds import PARTS
from headway.compare.tables import write_csv
from headway.compare.text import Prepared, TargetText
from headway.compare.trainings import Row, Texts, Trainings
from headway.corpus import Files
from headway.errors import ConfigError
from headway.files import make_directory, write_text
from headway.run import Run
from headway.settings import Settings
from headway.systems.corpus import AnyPath, Treebanks, TreeSource
from headway.systems.pipeline import Watch
from headway.systems.training import preprocessing_of

PAGE, FIGURES = "compare.html", "compare.json"
SENTENCES = 30
BASELINES = ("phrase", "hiero")
SEEDS = (1, 2, 3)


@named_arguments
def compare(
    target: AnyPath,
    trees: Mapping[str, AnyPath],
    out: AnyPath,
    *,
    treebanks: Treebanks = (),
    gold: AnyPath | None = None,
    system: str | None = None,
    source: AnyPath | None = None,
    dev_source: AnyPath | None = None,
    dev_target: Files = (),
    test_source: AnyPath | None = None,
    test_target: Files = (),
    monolingual: Files = (),
    baselines: Sequence[str] = BASELINES,
    seeds: Sequence[int] = SEEDS,
    languages: tuple[str, str] | None = None,
    pretokenised: bool = False,
    lowercase: bool = False,
    sentences: int = SENTENCES,
    settings: Settings | None = None,
    watch: Watch = lambda _: nullcontext(),
) -> Compared:
    """Compares sources of dependency trees of a text, as Wu et al. (2012) do.

    `trees` are sources by name: a file of trees of the text, a parser as `headway.parse.load` takes
    it, a kind of parser (`mst`, `transition`, …) to train on the `treebanks`, or `right-branching`
    and `left-branching`. `gold` are gold trees of some lines of the text, or of all.

    With a `system` such as `str2dep`, it is trained on the trees of each source, tuned with each of
    the `seeds`, and scored; so are the `baselines`, which have no trees. `lowercase` is about BLEU.

    The directory `out` gets tables (CSV and JSON) and a page, which shows for every two sources up
    to `sentences` sentences whose trees differ most. It keeps parses, models and translations, so
    that the same call after an interruption, or with more sources, does only what is left to do.
    """
    chosen, directory = settings or Settings.load(), Path(out)
    if sentences < 0:
        raise ConfigError(f"sentences {sentences}: expected 0 or more")
    asked = ask(
        Path(target),
        trees,
        directory,
        treebanks=TreeSource(treebanks).treebanks,
        gold=None if gold is None else Path(gold),
        system=system or "",
        bitext=Bitext(source, dev_source, dev_target, test_source, test_target, monolingual),
        baselines=baselines,
        seeds=seeds,
        languages=languages,
        settings=chosen,
    )
    make_directory(directory)
    preprocessing = preprocessing_of(chosen, pretokenised=pretokenised)
    prepared = Prepared(asked.languages, preprocessing, chosen, watch)
    with Run(directory / "trees") as run:
        text = TargetText(run, asked.target, prepared)
        known = None if asked.gold is None else text.gold(asked.gold)
        parses = [text.parse(one, asked.treebanks) for one in asked.sources]
        lines = _of_trees(asked, text, parses, known)
        if asked.texts is not None:
            for one in asked.sources:
                text.check_learnable(one, asked.system)
            lines = _of_systems(asked, asked.texts, text, lines, prepared, lowercase=lowercase)
        found = Compared(
            target=asked.target,
            sentences=sum(map(bool, text.words)),
            words=sum(map(len, text.words)),
            system=asked.system,
            seeds=asked.seeds,
            lines=lines,
            agreements=[agreement(*two) for two in combinations(parses, 2)],
            pairs=differences(parses, sentences),
            page=directory / PAGE,
        )
        _write(found, text, directory)
    return found


def _of_trees(
    asked: Asked, text: TargetText, parses: Sequence[Parses], gold: Parses | None
) -> list[Line]:
    """What the trees themselves say."""
    lengths = [len(words) for words in text.words]
    return [
        Line(
            source.name,
            source.source,
            shapes(parsed, lengths),
            None if gold is None else accuracy(parsed, gold),
        )
        for source, parsed in zip(asked.sources, parses, strict=True)
    ]


def _of_systems(
    asked: Asked,
    texts: Texts,
    text: TargetText,
    sources: Sequence[Line],
    how: Prepared,
    *,
    lowercase: bool,
) -> list[Line]:
    """The lines of the systems without trees, then those of the sources, with their scores."""
    rows = [Row(name, name) for name in asked.baselines]
    rows += [Row(line.name, asked.system, text.whole(line.name)) for line in sources]
    lines = [*(Line(name, "") for name in asked.baselines), *sources]
    with Run(asked.out / "systems") as run:
        trainings = Trainings(run, asked.out / "work", texts, how)
        rules = [trainings.train(row) for row in rows]
        for seed in asked.seeds:
            for row in rows:
                trainings.tune(row, seed)
        scores = [trainings.score(rows, seed, lowercase=lowercase) for seed in asked.seeds]
    return [
        replace(
            line,
            rules=of_line,
            scores={part: [of_seed[part][line.name] for of_seed in scores] for part in PARTS},
        )
        for line, of_line in zip(lines, rules, strict=True)
    ]


def _write(found: Compared, text: TargetText, directory: Path) -> None:
    write_csv(found, directory)
    figures = json.dumps(found.table(), indent=1, ensure_ascii=False)
    write_text(directory / FIGURES, f"{figures}\n")
    trees = [text.file(line.name) for line in found.sources]
    write_text(found.page, comparison_page(found, text.words, trees))
