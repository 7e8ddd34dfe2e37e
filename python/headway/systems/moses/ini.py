"""Reading `moses.ini`, with the line that everything stands on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from headway.corpus import read_lines
from headway.errors import FormatError


@dataclass(frozen=True)
class Line:
    """A line of the file, without comment."""

    path: Path
    number: int
    text: str

    @property
    def where(self) -> str:
        """`moses.ini:12`."""
        return f"{self.path}:{self.number}"

    def wrong(self, message: str) -> FormatError:
        """What to raise about this line."""
        return FormatError(f"{self.where}: {message}", self.path, self.number)


@dataclass(frozen=True)
class Feature:
    """A feature function: `KENLM name=LM0 path=lm.arpa order=5`."""

    line: Line
    kind: str
    name: str
    options: dict[str, str]


@dataclass(frozen=True)
class Weights:
    """`LM0= 0.5`."""

    line: Line
    values: tuple[float, ...]


@dataclass
class Ini:
    """The whole file."""

    path: Path
    sections: dict[str, tuple[Line, list[Line]]] = field(default_factory=dict)
    features: list[Feature] = field(default_factory=list)
    weights: dict[str, Weights] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Ini":
        """Reads the file; raises where it is not what Moses writes."""
        ini = cls(path)
        for heading, lines in _sections(path):
            name = heading.text[1:-1].strip()
            if name in ini.sections:
                first = ini.sections[name][0].number
                raise heading.wrong(f"[{name}] is here twice, first in line {first}; join them")
            ini.sections[name] = (heading, lines)
        _, feature_lines = ini.sections.get("feature", (None, []))
        ini.features = list(_features(feature_lines))
        _, weight_lines = ini.sections.get("weight", (None, []))
        for line in weight_lines:
            name, weights = _weights(line)
            ini.weights[name] = weights
        return ini

    def value(self, section: str) -> tuple[Line, str] | None:
        """The one value of a section such as `[distortion-limit]`, if it is there."""
        heading, lines = self.sections.get(section, (None, []))
        if heading is None:
            return None
        if not lines:
            raise heading.wrong(f"[{section}] has no value; give one or remove the heading")
        return lines[0], lines[0].text

    def resolve(self, name: str) -> Path:
        """A path of the file: relative ones are relative to where the file is."""
        return self.path.parent / name


def _sections(path: Path) -> Iterator[tuple[Line, list[Line]]]:
    heading: Line | None = None
    lines: list[Line] = []
    for number, raw in enumerate(read_lines(path), 1):
        text = raw.strip()
        if not text or text.startswith("#"):
            continue
        line = Line(path, number, text)
        if text.startswith("[") and text.endswith("]"):
            if heading is not None:
                yield heading, lines
            heading, lines = line, []
        elif heading is None:
            message = f"expected a heading such as [feature], found {text[:40]!r}"
            raise line.wrong(f"{message}; is this a moses.ini?")
        else:
            lines.append(line)
    if heading is None:
        raise FormatError(f"{path}: nothing in it; is this a moses.ini?", path)
    yield heading, lines


def _features(lines: list[Line]) -> Iterator[Feature]:
    """Features without a name get their kind and a number, as in Moses."""
    numbers: dict[str, int] = {}
    for line in lines:
        kind, *rest = line.text.split()
        options = {}
        for option in rest:
            key, equals, value = option.partition("=")
            if not equals:
                raise line.wrong(f"expected key=value, found {option!r}")
            options[key] = value
        number = numbers.get(kind, 0)
        numbers[kind] = number + 1
        yield Feature(line, kind, options.get("name", f"{kind}{number}"), options)


def _weights(line: Line) -> tuple[str, Weights]:
    name, equals, values = line.text.partition("=")
    try:
        numbers = tuple(float(value) for value in values.split())
    except ValueError:
        equals = ""
        numbers = ()
    if not equals:
        raise line.wrong(f"expected `Name= numbers`, found {line.text[:40]!r}")
    return name.strip(), Weights(line, numbers)
