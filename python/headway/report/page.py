"""The page: one HTML file that needs no network and no server."""

from collections.abc import Sequence
from contextlib import nullcontext
from html import escape
from pathlib import Path

from headway.arguments import named_arguments
from headway.evaluate import Evaluation, evaluate
from headway.evaluate.page import scores_html, signatures_html, verdicts_html
from headway.files import write_text
from headway.report.material import Material, TestSet, material_of, read_test
from headway.report.sentences import METRIC, sentences_section, unknown_section
from headway.report.tables import told
from headway.report.training import (
    data_section,
    steps_section,
    tuning_section,
    weights_section,
)
from headway.show import page, read, section
from headway.show.picture.whole import picture_script, picture_styles
from headway.systems import Translator
from headway.systems.dev import DevSet
from headway.systems.pipeline import Watch
from headway.systems.translator import opened

_METRICS = ("bleu", METRIC, "ter")


@named_arguments
def write_report(
    directory: str | Path,
    out: str | Path | None = None,
    *,
    dev_source: str | Path | None = None,
    dev_target: Sequence[str | Path] = (),
    tests: Sequence[tuple[str | Path, str | Path] | TestSet] = (),
    against: Sequence[str | Path] = (),
    threads: int = 0,
    watch: Watch = lambda _: nullcontext(),
) -> Path:
    """Writes a report on a bundle, or on the training of a work directory, and answers where.

    `out` is by default the name of the bundle with `.report.html` behind it. The dev set is that
    of the training, or `dev_source` with `dev_target`. `tests` are pairs of a source and a
    reference file, or what systems made of a test set; `against` are bundles that translate these
    files too, so that the report says which differences are significant.
    """
    found = material_of(directory)
    place = found.bundle.directory
    if place.name in ("", ".."):
        place = place.resolve()
    path = Path(out) if out is not None else place.with_name(f"{place.name}.report.html")
    translator = opened(found.bundle)
    dev = found.dev(Path(dev_source) if dev_source else None, [Path(it) for it in dev_target])
    systems = {found.name: translator}
    for other in against:
        systems[_fresh_name(Path(other), systems)] = Translator.load(other)
    with watch("translating test sets"):
        scored = [
            one
            if isinstance(one, TestSet)
            else read_test(Path(one[0]), Path(one[1]), systems, threads)
            for one in tests
        ]
    with watch("translating the dev set"):
        sections = _sections(found, translator, dev, scored, threads)
    write_text(path, report_page(found, sections))
    return path


def _fresh_name(path: Path, taken: dict[str, Translator]) -> str:
    """The name of a directory, with that of the one above where another system has it."""
    whole = path.resolve()
    return whole.name if whole.name not in taken else f"{whole.parent.name}/{whole.name}"


def report_page(found: Material, sections: Sequence[str]) -> str:
    """HTML of all sections."""
    manifest = found.bundle.manifest
    languages = f"{manifest.languages.source or '?'} → {manifest.languages.target or '?'}"
    summary = " · ".join((manifest.system, languages, f"headway {manifest.headway}"))
    return page(
        f"Report on {found.name}",
        sections,
        summary=escape(summary),
        styles=[*picture_styles(), read("report.css")],
        scripts=[picture_script()],
    )


def _sections(
    found: Material,
    translator: Translator,
    dev: DevSet | None,
    tests: Sequence[TestSet],
    threads: int,
) -> list[str]:
    named = found.bundle.manifest.languages
    sections = [data_section(found), steps_section(found), tuning_section(found)]
    sections.append(weights_section(found))
    if dev is None:
        sections += [_scores(found, None, tests), section("sentences", "Sentences", _no_dev(found))]
        return sections
    translations = translator.translate(dev.given, trees=translator.has_trees, threads=threads)
    outputs = {found.name: [one.text for one in translations]}
    scored = _evaluated(found, TestSet("dev", dev.references[0], outputs), dev.references)
    return [
        *sections,
        _scores(found, scored, tests),
        sentences_section(scored, translations, (named.source, named.target), dev.source),
        unknown_section(translations),
    ]


def _no_dev(found: Material) -> str:
    if found.journal.dev_source:
        return told(f"The dev set, {found.journal.dev_source}, is not there any more.")
    return told("No dev set is known; give one with --dev-source and --dev-target.")


def _scores(found: Material, dev: Evaluation | None, tests: Sequence[TestSet]) -> str:
    parts = []
    for one in tests:
        scored = _evaluated(found, one, [one.references])
        parts.append(
            f"<h3>{escape(one.name)} <small>{len(one.references):,} sentences</small></h3>"
        )
        parts += [scores_html(scored), *verdicts_html(scored), signatures_html(scored)]
    if dev is not None:
        count = len(dev.references[0])
        parts.append(f"<h3>Dev set <small>{count:,} sentences</small></h3>")
        parts += [scores_html(dev), signatures_html(dev)]
    if not tests:
        parts.append(told("No test set was given; see --test-source and --test-target."))
    about = "Weights were tuned on the dev set, which makes its scores too good." if dev else ""
    return section("scores", "Scores", *parts, about=about)


def _evaluated(found: Material, test: TestSet, references: Sequence[Sequence[str]]) -> Evaluation:
    how = found.bundle.manifest.preprocessing
    return evaluate(
        {name: list(lines) for name, lines in test.outputs.items()},
        [list(lines) for lines in references],
        language=found.bundle.manifest.languages.target or "en",
        tokenise=None if how.tokenise else "none",
        lowercase=how.casing == "lowercase",
        metrics=list(_METRICS),
    )
