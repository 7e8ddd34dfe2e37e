"""Feature functions of Moses in headway's words: which files, which weights."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, log
from pathlib import Path

from headway.corpus import read_lines
from headway.errors import ConfigError, FormatError
from headway.systems.moses.ini import Feature, Ini
from headway.systems.moses.search import is_hierarchical
from headway.table import ReorderingModel

_TEXT_TABLES = {"PhraseDictionaryMemory", "PhraseDictionaryTree"}
_BINARY_TABLES = {
    "PhraseDictionaryBinary",
    "PhraseDictionaryCompact",
    "PhraseDictionaryOnDisk",
    "ProbingPT",
}
_LANGUAGE_MODELS = {"KENLM", "SRILM", "IRSTLM", "LazyKENLM", "MaxEntSRILM"}
_SIMPLE = {
    "UnknownWordPenalty": "unknown-word",
    "WordPenalty": "word-penalty",
    "PhrasePenalty": "phrase-penalty",
    "Distortion": "distortion",
}

# Source side, target side, scores.
_GLUE_FIELDS = 3
# What any limit or number of scores has room for.
_DIGITS = 9
_SCORES = ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")


@dataclass
class Model:
    """What a `moses.ini` says about the model."""

    table: Path | None = None
    table_line: Feature | None = None
    hierarchical: bool = False
    glue: bool = False
    """Whether a glue grammar was there."""
    options: int | None = None
    """Translations per phrase that the table's line asks for."""
    reordering: Path | None = None
    reordering_type: str | None = None
    hierarchical_orientation: bool = False
    language_models: dict[str, tuple[Feature, Path]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_model(ini: Ini) -> Model:
    """Files and weights by headway's feature names; raises where nothing could be made of it."""
    if not ini.features:
        raise FormatError(f"{ini.path}: no [feature] section; is this a moses.ini?", ini.path)
    model = Model(hierarchical=is_hierarchical(ini))
    for feature in ini.features:
        if feature.kind in _SIMPLE:
            model.weights |= dict(
                zip([_SIMPLE[feature.kind]], _weights(ini, feature, 1), strict=True)
            )
        elif feature.kind in _TEXT_TABLES | _BINARY_TABLES:
            _add_table(model, ini, feature)
        elif feature.kind == "LexicalReordering" and not model.hierarchical:
            _add_reordering(model, ini, feature)
        elif feature.kind in _LANGUAGE_MODELS:
            _add_language_model(model, ini, feature)
        else:
            _leave_out(model, ini, feature)
    if model.table is None:
        raise FormatError(f"{ini.path}: no phrase table among the features", ini.path)
    if model.hierarchical:
        # Moses counts rules of glue as phrases too; here they have one weight of their own.
        penalty = model.weights.get("phrase-penalty", 0.0)
        model.weights["glue"] = model.weights.get("glue", 0.0) + penalty
        model.weights.pop("distortion", None)
    return model


def _add_glue(model: Model, ini: Ini, feature: Feature) -> None:
    """The glue grammar: what its joining rule scores becomes part of the weight of glue."""
    model.glue = True
    path = _file(ini, feature)
    score = None
    for number, line in enumerate(read_lines(path), 1):
        fields = [field.split() for field in line.split("|||")]
        if len(fields) < _GLUE_FIELDS or not fields[2]:
            message = f"expected a rule with scores, found {line[:40]!r}; is this a glue grammar?"
            raise FormatError(f"{path}:{number}: {message}", path, number)
        if fields[0][:2] == ["[X][S]", "[X][X]"]:
            score = _glue_score(path, number, fields[2][0])
    if score is None:
        message = f"{path}: no rule `[X][S] [X][X]`; {feature.name} is no glue grammar as Moses'"
        raise FormatError(message, path)
    (weight, *others) = _weights(ini, feature, _option_number(feature, "num-features", 1))
    if others:
        message = f"{feature.name} has several scores; expected one, as in Moses' glue grammar"
        raise feature.line.wrong(message)
    model.weights["glue"] = weight * log(score)


def _glue_score(path: Path, number: int, text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = 0.0
    if not (isfinite(score) and score > 0):
        message = f"expected a score above 0, found {text[:40]!r}"
        raise FormatError(f"{path}:{number}: {message}", path, number)
    return score


def _weights(ini: Ini, feature: Feature, count: int) -> Sequence[float]:
    if feature.name not in ini.weights:
        raise feature.line.wrong(f"{feature.name} has no weight; add it to [weight]")
    found = ini.weights[feature.name]
    if len(found.values) != count:
        message = f"expected {count} weights for {feature.name}, found {len(found.values)}"
        raise found.line.wrong(message)
    return found.values


def _add_table(model: Model, ini: Ini, feature: Feature) -> None:
    if model.table is not None and model.hierarchical and not model.glue:
        _add_glue(model, ini, feature)
        return
    if model.table is not None:
        message = f"{feature.name} is a second phrase table; only models with one can be imported"
        raise feature.line.wrong(message)
    if feature.kind in _BINARY_TABLES:
        message = f"{feature.kind} is a binary of Moses; name the text table it was made from"
        raise feature.line.wrong(f"{message} with PhraseDictionaryMemory")
    model.table = _file(ini, feature)
    model.table_line = feature
    count = _option_number(feature, "num-features", 4)
    weights = _weights(ini, feature, count)
    names = _SCORES[:4] if count >= 4 else ()
    names = (*names, *(f"score{number}" for number in range(len(names) + 1, count + 1)))
    model.weights |= dict(zip(names, weights, strict=True))
    if "table-limit" in feature.options:
        model.options = _option_number(feature, "table-limit", 20)


def _add_reordering(model: Model, ini: Ini, feature: Feature) -> None:
    if model.reordering is not None:
        message = (
            f"{feature.name} is a second reordering table; only models with one can be imported"
        )
        raise feature.line.wrong(message)
    text = feature.options.get("type", "")
    try:
        kind = ReorderingModel.parse(text)
    except ConfigError:
        kind = None
    if kind is None or kind.orientations == "leftright":
        message = f"type={text}: expected msd or mslr, such as wbe-msd-bidirectional-fe-allff"
        raise feature.line.wrong(f"{message}; other types cannot be imported")
    names = kind.features
    model.reordering, model.reordering_type = _file(ini, feature), text
    model.hierarchical_orientation = kind.neighbours == "hier"
    model.weights |= dict(zip(names, _weights(ini, feature, len(names)), strict=True))


def _add_language_model(model: Model, ini: Ini, feature: Feature) -> None:
    number = len(model.language_models)
    name = "lm" if number == 0 else f"lm{number + 1}"
    path = ini.resolve(feature.options.get("path", ""))
    model.language_models[name] = (feature, path)
    model.weights |= dict(zip([name], _weights(ini, feature, 1), strict=True))


def _leave_out(model: Model, ini: Ini, feature: Feature) -> None:
    found = ini.weights.get(feature.name)
    weighs = found is None or any(found.values)
    effect = (
        "; scores will differ from Moses'" if weighs else ", which changes nothing: it weighs 0"
    )
    message = f"{feature.kind} is not supported and was left out{effect}"
    model.notes.append(f"{feature.line.where}: {message}")


def _file(ini: Ini, feature: Feature) -> Path:
    """The file of a feature; Moses also takes it with `.gz` behind the name."""
    name = feature.options.get("path")
    if not name:
        raise feature.line.wrong(f"{feature.name} has no path")
    path = ini.resolve(name)
    packed = path.with_name(f"{path.name}.gz")
    if path.exists() or not packed.exists():
        if not path.exists():
            raise feature.line.wrong(f"{path}: no such file; paths are relative to {ini.path}")
        return path
    return packed


def _option_number(feature: Feature, key: str, default: int) -> int:
    text = feature.options.get(key, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS:
        raise feature.line.wrong(f"{key}: expected a whole number, found {text[:40]!r}")
    return int(text)
