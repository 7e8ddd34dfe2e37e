"""How a training went: its data, its steps, its tuning, its weights."""

import json
from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from headway.corpus import read_lines
from headway.report.material import Material
from headway.report.tables import bar, table, told
from headway.show import section
from headway.show.picture.bars import MINUS
from headway.systems.steps import CLEAN
from headway.tune.plot import curve_svg

_CLASSES = ((1, 5), (6, 10), (11, 20), (21, 30), (31, 50), (51, 80), (81, None))


def data_section(found: Material) -> str:
    """How much text there was, and what kept it from being learnt from."""
    facts = found.bundle.manifest.facts
    parts = []
    if "pairs" in facts:
        parts.append(told(_pairs(facts)))
    if found.work is not None:
        sides = [_Text(list(read_lines(found.work / name))) for name in CLEAN]
        parts += [_texts(sides), _lengths(sides)]
    else:
        parts.append(told("The work directory of the training is gone, and its text with it."))
    if found.journal.overlap:
        parts.append(told(f"Dev set: {found.journal.overlap}."))
    known = {"pairs", "pairs_read", "dropped", "tuning", "coarse_tuning", "rescoring", "consensus"}
    rest = [(_title(name), _value(it)) for name, it in facts.items() if name not in known and it]
    rest += [
        (f"{part.file}", f"{part.size:,} bytes")
        for part in found.bundle.manifest.components.values()
    ]
    parts.append("<h3>Models and counts</h3>" + table("Models and counts", ("", ""), rest))
    return section("data", "Data", *parts)


def _pairs(facts: dict[str, Any]) -> str:
    kept, read = facts["pairs"], facts.get("pairs_read", facts["pairs"])
    dropped = ", ".join(f"{count:,} {why}" for why, count in facts.get("dropped", {}).items())
    text = f"{kept:,} of {read:,} sentence pairs were kept by cleaning"
    return f"{text}; dropped: {dropped}." if dropped else f"{text}."


class _Text:
    """One side of the training text."""

    def __init__(self, lines: list[str]) -> None:
        self.lengths = [len(line.split()) for line in lines]
        self.words = Counter(word for line in lines for word in line.split())

    def row(self, name: str) -> tuple[str, ...]:
        words, once = sum(self.lengths), sum(count == 1 for count in self.words.values())
        count = len(self.lengths)
        return (
            name,
            f"{count:,}",
            f"{words:,}",
            f"{len(self.words):,}",
            f"{once:,}",
            f"{words / count if count else 0:.1f}",
            f"{max(self.lengths, default=0):,}",
        )

    def shares(self) -> list[float]:
        """How many of the sentences have each class of lengths, from 0 to 1."""
        return [
            sum(least <= it <= (most or it) for it in self.lengths) / max(1, len(self.lengths))
            for least, most in _CLASSES
        ]


def _texts(sides: list[_Text]) -> str:
    headings = ("", "sentences", "words", "different words", "seen once", "mean length", "longest")
    rows = [side.row(name) for side, name in zip(sides, ("source", "target"), strict=True)]
    return table("Text", headings, rows)


def _lengths(sides: list[_Text]) -> str:
    """How long sentences are, as bars."""
    rows = []
    columns = [side.shares() for side in sides]
    for (least, most), *shares in zip(_CLASSES, *columns, strict=True):
        if not any(shares):
            continue
        name = f"{least}–{most}" if most else f"{least} and more"
        cells = "".join(
            f'<td>{share:.0%}</td><td class="room">{bar(share, kind)}</td>'
            for share, kind in zip(shares, ("source", "target"), strict=True)
        )
        rows.append(f'<tr><th scope="row">{name}</th>{cells}</tr>')
    return (
        "<h3>Words of a sentence</h3>"
        '<div class="wide" tabindex="0" role="region" aria-label="Words of a sentence">'
        '<table class="figures plain"><thead><tr><th scope="col">words</th>'
        '<th scope="col" colspan="2">source</th><th scope="col" colspan="2">target</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def steps_section(found: Material) -> str:
    """Time and memory of each step, when it last ran."""
    steps = found.journal.steps
    if not steps:
        return section("steps", "Steps", about="No times were noted where this system was trained.")
    longest = max(step.seconds for step in steps.values()) or 1.0
    total = sum(step.seconds for step in steps.values())
    rows = []
    for name, step in steps.items():
        memory = "" if step.memory is None else f"{step.memory / 2**20:,.0f} MiB"
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td>{duration(step.seconds)}</td>'
            f'<td class="room">{bar(step.seconds / longest)}</td><td>{memory}</td></tr>'
        )
    return section(
        "steps",
        "Time and memory",
        '<div class="wide" tabindex="0" role="region" aria-label="Time and memory">'
        '<table class="figures plain"><thead><tr><th scope="col">step</th>'
        '<th scope="col" colspan="2">time</th><th scope="col">most memory</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        about=f"{duration(total)} in all. Memory is what the whole process had meanwhile.",
    )


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def tuning_section(found: Material) -> str:
    """The score of the dev set by round."""
    facts = found.bundle.manifest.facts
    curves = []
    for key, name in (("coarse_tuning", "coarse search"), ("tuning", "search")):
        if tuning := facts.get(key):
            scores = tuning["dev_by_round"]
            title = f"{tuning['metric']} on the dev set, {name} tuned by {tuning['method']}"
            curves.append(_curve(scores, title))
            gain = f"{tuning['dev_before']:.2f} → {tuning['dev_after']:.2f}"
            curves.append(told(f"{tuning['iterations']} rounds, on words: {gain}."))
    if not curves and (scores := _kept_scores(found.work)):
        curves.append(_curve(scores, "dev score by round"))
        curves.append(told("Tuning did not improve on the weights it began with; they are kept."))
    if again := facts.get("rescoring"):
        gain = f"{again['dev_before']:.2f} → {again['dev_after']:.2f}"
        curves.append(told(f"The second pass was tuned after search, on words: {gain}."))
    if not curves:
        curves.append(told("This system was not tuned."))
    if decided := facts.get("consensus"):
        curves.append(told(_consensus(decided)))
    return section("tuning", "Tuning", *curves)


def _consensus(decided: dict[str, Any]) -> str:
    """Whether the answer is the candidate that the others agree with most, and why."""
    used = "is" if decided["used"] else "is not"
    gain = f"{decided['dev_plain']:.2f} → {decided['dev']:.2f}"
    return (
        f"Consensus among candidates {used} used; dev score on words without and with it: {gain}."
    )


def _curve(scores: list[float], title: str) -> str:
    best = max(range(len(scores)), key=lambda place: scores[place])
    return f'<div class="curve">{curve_svg(scores, best, title)}</div>'


def _kept_scores(work: Path | None) -> list[float]:
    """The rounds of a tuning that changed nothing."""
    path = None if work is None else work / "tuning" / "tuning.json"
    if path is None or not path.is_file():
        return []
    try:
        return [float(step["score"]) for step in json.loads(path.read_text("utf-8"))["steps"]]
    except (ValueError, KeyError, TypeError):
        return []


def weights_section(found: Material) -> str:
    """All weights, and what they were before tuning."""
    weights, start = found.bundle.manifest.weights, found.journal.start_weights
    largest = max(map(abs, weights.values()), default=0.0) or 1.0
    rows = []
    for name, weight in weights.items():
        before = _weight(start[name]) if name in start else ""
        kind = "minus" if weight < 0 else "plus"
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td>{before}</td><td>{_weight(weight)}</td>'
            f'<td class="room">{bar(abs(weight) / largest, kind)}</td></tr>'
        )
    return section(
        "weights",
        "Weights",
        '<div class="wide" tabindex="0" role="region" aria-label="Weights">'
        '<table class="figures plain"><thead><tr><th scope="col">feature</th>'
        '<th scope="col">at the start</th><th scope="col" colspan="2">weight</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        about="Green bars are weights above 0, red bars weights below 0.",
    )


def _weight(value: float) -> str:
    return f"{value:.4f}".replace("-", MINUS)


def _title(name: str) -> str:
    return name.replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_title(key)}: {_value(one)}" for key, one in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(map(_value, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
