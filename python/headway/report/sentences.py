"""The dev set sentence by sentence: the worst, the best, and the words that nobody taught."""

from collections.abc import Sequence
from html import escape
from itertools import islice

from headway.evaluate import Evaluation
from headway.report.tables import table
from headway.show import section
from headway.show.picture import picture_html
from headway.systems import Translation, UnknownReport
from headway.systems.picture import picture_of

_SHOWN = 5
_LEAST = 5  # words of a sentence that can be among the best: short ones are no surprise
_UNKNOWN = 200
METRIC = "chrf"


def sentences_section(
    found: Evaluation,
    translations: Sequence[Translation],
    languages: tuple[str, str],
    given: Sequence[str],
) -> str:
    """The sentences with the lowest and the highest scores, with their pictures."""
    scores = found.systems[0].sentences[METRIC]
    places = [place for place, one in enumerate(translations) if one.source]
    order = sorted(places, key=lambda place: (scores[place], -len(translations[place].source)))
    long = [it for it in reversed(order) if len(translations[it].source) >= _LEAST]
    worst = order[:_SHOWN]
    best = [it for it in long if it not in worst][:_SHOWN]
    parts = []
    for title, chosen in (("Worst", worst), ("Best", best)):
        parts.append(f"<h3>{title}</h3>")
        for place in chosen:
            references = [lines[place] for lines in found.references]
            one = translations[place]
            parts.append(
                _sentence(place, scores[place], one, references, (languages, given[place]))
            )
    label = found.labels[METRIC]
    about = f"By {label} of each sentence. Best ones have at least {_LEAST} words."
    return section("sentences", "Worst and best sentences of the dev set", *parts, about=about)


def _sentence(
    place: int,
    score: float,
    translation: Translation,
    references: list[str],
    told: tuple[tuple[str, str], str],
) -> str:
    languages, given = told
    picture = picture_of(translation, given=given, languages=languages)
    said = "".join(
        f'<p class="reference" dir="auto"><small>reference</small> {escape(line)}</p>'
        for line in references
    )
    return (
        f'<article data-view="{place}"><h4>Line {place + 1} <small>{score:.1f}</small></h4>'
        f"{said}{picture_html(picture)}</article>"
    )


def unknown_section(translations: Sequence[Translation]) -> str:
    """Words of the dev set that the system does not know."""
    report = UnknownReport()
    report.add(translations)
    rows = [line.split("\t") for line in islice(report.lines(), 1, None)]
    if not rows:
        return section("unknown", "Unknown words", about="The system knows all words.")
    shown = [
        (word, count, kind, known, said, line, context)
        for count, word, kind, known, said, line, context in islice(rows, _UNKNOWN)
    ]
    left = len(rows) - len(shown)
    headings = ("word", "count", "what was done", "known word", "said", "line", "context")
    more = f" The {len(shown)} most frequent ones of {len(rows):,} are listed." if left > 0 else ""
    return section(
        "unknown",
        "Unknown words",
        f'<div class="unknown">{table("Unknown words", headings, shown)}</div>',
        about=f"In the dev set: {report.summary().removeprefix('unknown: ')}.{more}",
    )
