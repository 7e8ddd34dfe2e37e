"""A page that shows where two systems differ most, side by side."""

from html import escape

from headway.errors import ConfigError
from headway.evaluate.evaluation import Evaluation
from headway.evaluate.verdict import verdicts

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1b1b1b; background: #fff; }
table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
th, td { border-bottom: 1px solid #ddd; padding: .35rem .6rem; text-align: left;
  vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
mark { background: #d9f2d9; color: inherit; }
caption { text-align: left; font-weight: 600; padding: .5rem 0; }
.label { color: #555; width: 6rem; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #16181c; }
  th, td { border-color: #3a3d44; } mark { background: #24512a; } .label { color: #aaa; } }
"""


def comparison_page(found: Evaluation, *, most: int = 50) -> str:
    """HTML: scores, verdicts, and the sentences where the first two systems differ most."""
    if not found.systems:
        raise ConfigError("nothing was evaluated")
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>headway evaluate</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Evaluation</h1>",
        _scores(found),
        *(f"<p>{escape(line)}</p>" for line in verdicts(found)),
        "<ul>",
        *(
            f"<li>{escape(found.labels[name])}: <code>{escape(text)}</code></li>"
            for name, text in found.signatures.items()
        ),
        "</ul>",
        *_sentences(found, most),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _scores(found: Evaluation) -> str:
    head = "".join(f'<th class="n">{escape(found.labels[name])}</th>' for name in found.metrics)
    rows = [
        f"<tr><td>{escape(system.name)}</td>"
        + "".join(f'<td class="n">{system.scores[name]:.2f}</td>' for name in found.metrics)
        + "</tr>"
        for system in found.systems
    ]
    return f"<table><tr><th>system</th>{head}</tr>{''.join(rows)}</table>"


def _sentences(found: Evaluation, most: int) -> list[str]:
    """The sentences with the largest difference in the first metric; of one system, the worst."""
    name = found.metrics[0]
    own = found.systems[0].sentences[name]
    if len(found.systems) > 1:
        other = found.systems[1].sentences[name]
        gaps = [abs(b - a) for a, b in zip(own, other, strict=True)]
        order = sorted(range(len(gaps)), key=lambda place: -gaps[place])
        order = [place for place in order if gaps[place] > 0]
        if not order:
            return ["<p>The first two systems score the same on every sentence.</p>"]
        title = f"Where the first two systems differ most ({found.labels[name]} per sentence)"
    else:
        sign = -1 if name in found.lower_is_better else 1
        order = sorted(range(len(own)), key=lambda place: sign * own[place])
        title = f"Lowest scores ({found.labels[name]} per sentence)"
    return [f"<h2>{escape(title)}</h2>", *(_sentence(found, place) for place in order[:most])]


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
    return f"<table><caption>Sentence {place + 1}</caption>{''.join(rows)}</table>"


def _row(label: str, text: str, columns: int) -> str:
    cell = f'<td dir="auto" colspan="{columns}">{escape(text)}</td>'
    return f'<tr><td class="label">{escape(label)}</td>{cell}</tr>'


def _marked(line: str, words: set[str]) -> str:
    """Words that a reference has too are marked."""
    return " ".join(
        f"<mark>{escape(word)}</mark>" if word in words else escape(word) for word in line.split()
    )
