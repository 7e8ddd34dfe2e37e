"""A page that shows where two systems differ most, side by side."""

from html import escape

from headway.errors import ConfigError
from headway.evaluate.evaluation import Evaluation
from headway.evaluate.verdict import verdicts
from headway.show import page, section

# Words of the reference are good news.
_MATCHES = "mark{background:color-mix(in oklab,var(--better) 22%,transparent)}"


def comparison_page(found: Evaluation, *, most: int = 50) -> str:
    """HTML: scores, verdicts, and the sentences where the first two systems differ most."""
    if not found.systems:
        raise ConfigError("nothing was evaluated")
    scores = section(
        "scores", "Scores", scores_html(found), *verdicts_html(found), signatures_html(found)
    )
    return page("Evaluation", [scores, _sentences(found, most)], styles=[_MATCHES])


def verdicts_html(found: Evaluation) -> list[str]:
    """Which differences are significant, as paragraphs."""
    return [f"<p>{escape(line)}</p>" for line in verdicts(found)]


def signatures_html(found: Evaluation) -> str:
    """How each metric was computed."""
    lines = "".join(
        f"<li>{escape(found.labels[name])}: <code>{escape(text)}</code></li>"
        for name, text in found.signatures.items()
    )
    return f'<ul class="signatures">{lines}</ul>'


def scores_html(found: Evaluation) -> str:
    """The scores of each system."""
    head = "".join(f'<th scope="col">{escape(found.labels[name])}</th>' for name in found.metrics)
    rows = [
        f'<tr><th scope="row">{escape(system.name)}</th>'
        + "".join(f"<td>{system.scores[name]:.2f}</td>" for name in found.metrics)
        + "</tr>"
        for system in found.systems
    ]
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Scores">'
        f'<table class="figures plain"><thead><tr><th scope="col">system</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _sentences(found: Evaluation, most: int) -> str:
    """The sentences with the largest difference in the first metric; of one system, the worst."""
    name = found.metrics[0]
    own = found.systems[0].sentences[name]
    if len(found.systems) > 1:
        other = found.systems[1].sentences[name]
        gaps = [abs(b - a) for a, b in zip(own, other, strict=True)]
        order = sorted(range(len(gaps)), key=lambda place: -gaps[place])
        order = [place for place in order if gaps[place] > 0]
        if not order:
            same = "The first two systems score the same on every sentence."
            return section("sentences", "Sentences", about=same)
        title = f"Where the first two systems differ most ({found.labels[name]} per sentence)"
    else:
        sign = -1 if name in found.lower_is_better else 1
        order = sorted(range(len(own)), key=lambda place: sign * own[place])
        title = f"Lowest scores ({found.labels[name]} per sentence)"
    return section("sentences", title, *(_sentence(found, place) for place in order[:most]))


def _sentence(found: Evaluation, place: int) -> str:
    words = {word for lines in found.references for word in lines[place].split()}
    shown = list(zip(found.systems[:2], found.hypotheses, strict=False))
    rows = []
    if found.source is not None:
        rows.append(_row("source", found.source[place], len(shown)))
    rows += [_row("reference", lines[place], len(shown)) for lines in found.references]
    names, texts = [], []
    for system, lines in shown:
        score = system.sentences[found.metrics[0]][place]
        names.append(f"<th>{escape(system.name)} <small>{score:.1f}</small></th>")
        texts.append(f'<td dir="auto">{_marked(lines[place], words)}</td>')
    rows += [f"<tr><td></td>{''.join(names)}</tr>", f"<tr><td></td>{''.join(texts)}</tr>"]
    caption = f"<caption>Sentence {place + 1}</caption>"
    return f'<table class="sentence">{caption}{"".join(rows)}</table>'


def _row(label: str, text: str, columns: int) -> str:
    cell = f'<td dir="auto" colspan="{columns}">{escape(text)}</td>'
    return f'<tr><th scope="row">{escape(label)}</th>{cell}</tr>'


def _marked(line: str, words: set[str]) -> str:
    """Words that a reference has too are marked."""
    return " ".join(
        f"<mark>{escape(word)}</mark>" if word in words else escape(word) for word in line.split()
    )
