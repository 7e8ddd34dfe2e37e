"""Settings: the shipped `default.toml`, then a file, then single values.

The classes below name every setting and its type; the values are in `default.toml` alone.
"""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from headway import _core
from headway.arguments import named_arguments
from headway.documents import check_depth, parse_toml, read_toml
from headway.errors import ConfigError
from headway.printing import described

# What the core takes: it checks the ranges that make sense.
_Count = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
# What is wrong with these would else be found out late in a training.
_Order = Annotated[int, msgspec.Meta(ge=1, le=6)]
_Tags = Literal["upos", "xpos"]
# -1 is no limit.
_Limit = Annotated[int, msgspec.Meta(ge=-1, lt=2**31)]
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class RunSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How work is carried out, whatever it is."""

    threads: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class ClassSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How words are put into classes, and the language model over them."""

    count: _Count
    method: Literal["exchange", "brown"]
    rounds: _Count
    min_count: _Count
    order: _Order


class LmSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How n-gram language models are estimated."""

    order: _Order
    dependency_order: Annotated[int, msgspec.Meta(ge=2, le=4)]
    memory: str
    prune: list[_Count]
    vocab_limit: _Count
    classes: ClassSettings


class TokeniseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How text becomes tokens."""

    split_hyphens: bool


class CleanSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which pairs of a parallel corpus are kept."""

    max_words: _Count
    max_characters: _Count
    max_ratio: float
    keep_repeated: bool


class FragmentSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The built-in corpus."""

    dev: Annotated[int, msgspec.Meta(ge=0, le=100_000_000)]
    test: Annotated[int, msgspec.Meta(ge=0, le=100_000_000)]
    difficulty: Annotated[float, msgspec.Meta(ge=0, le=1)]


class AlignSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Word alignment."""

    model: str
    symmetrisation: str
    lowercase: bool
    ibm1_iterations: _Count
    hmm_iterations: _Count
    fertility_iterations: _Count
    sweeps: _Count
    null_probability: float
    lexical_prior: float
    fertility_prior: float
    punctuation_apart: bool
    jump_words: _Count
    jump_prior: float
    samples: Annotated[int, msgspec.Meta(ge=1, le=100)]
    max_sentence_length: _Count


class ExtractPhraseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of phrase pairs."""

    max_length: _Count


class ExtractReorderingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lexicalised reordering."""

    model: str
    orientations: str
    direction: str
    condition: str
    smoothing: float


class ExtractRuleSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of rules with slots."""

    slots: Annotated[int, msgspec.Meta(ge=0, le=2)]
    source_symbols: _Count
    initial_length: _Count
    min_slot_words: _Count
    adjacent_slots: bool
    unaligned_edges: bool
    fractional_counts: bool


class ExtractDependencySettings(ExtractRuleSettings, frozen=True, forbid_unknown_fields=True):
    """Limits of string-to-dependency rules."""

    labels: bool
    structures: Literal["best", "all"]
    phrasal: Literal["none", "treeless", "ill-formed"]
    phrasal_length: _Count


class ExtractSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rule extraction."""

    kind: str
    memory: str
    smoothing: str
    significance: str | float
    counts: bool
    tags: _Tags
    max_sentence_length: _Count
    phrase: ExtractPhraseSettings
    reordering: ExtractReorderingSettings
    hiero: ExtractRuleSettings
    str2dep: ExtractDependencySettings


class ParseTransitionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Transition-based parsers."""

    system: Literal["eager", "swap"]
    beam: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    exploration: Annotated[float, msgspec.Meta(ge=0, le=1)]
    batch: Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class ParseDmvSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parsers learnt from tags alone."""

    start: str
    restarts: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    iterations: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    tolerance: Annotated[float, msgspec.Meta(ge=0)]
    max_words: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    punctuation: list[str]


class ParsePcfgSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parsers of Penn brackets."""

    parent: bool
    sibling: bool
    cycles: Annotated[int, msgspec.Meta(ge=0, le=7)]
    split_steps: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    merged: Annotated[float, msgspec.Meta(ge=0, le=1)]
    merge_steps: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    smooth_steps: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    smoothing: Annotated[float, msgspec.Meta(ge=0, le=1)]
    rare: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    class_weight: Annotated[float, msgspec.Meta(ge=0, le=1e6)]
    back_off: Annotated[float, msgspec.Meta(ge=0, le=1e6)]
    word_smoothing: Annotated[float, msgspec.Meta(ge=0, le=1)]
    objective: Literal["max-rule", "variational", "viterbi"]
    threshold: Annotated[float, msgspec.Meta(ge=0, lt=1)]
    max_words: Annotated[int, msgspec.Meta(ge=1, le=300)]
    heads: Literal["collins", "lth", "yamada"]


class ParseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Taggers and parsers."""

    kind: Literal["graph", "transition", "dmv", "pcfg"]
    search: Literal["eisner", "mst", "local"]
    features: Literal["paper", "rich"]
    between: Literal["all", "window", "plain-window"]
    tags: _Tags
    coarse: bool
    tagger: Literal["full", "streaming"]
    lowercase: bool
    single_root: bool
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    update: Literal["auto", "trees", "heads"]
    k: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    step: float
    batch: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    feature_bits: _Count
    blanking: Annotated[float, msgspec.Meta(ge=0)]
    tagger_rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    jackknife: Annotated[int, msgspec.Meta(ge=0, le=100)]
    label_rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    transition: ParseTransitionSettings
    dmv: ParseDmvSettings
    pcfg: ParsePcfgSettings


class SelfTrainSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a parser learns from its own trees of the training text."""

    weight: Annotated[float, msgspec.Meta(gt=0)]


class RulesSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rule tables."""

    memory: Annotated[int, msgspec.Meta(ge=1, le=1 << 30)]


class Str2DepSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """String-to-dependency systems."""

    model: Literal["baseline", "filtered", "str-dep", "labeled"]


class OsmSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The operation sequence models of systems with phrases."""

    order: Annotated[int, msgspec.Meta(ge=0, le=6)]
    classes: bool
    prune: list[_Count]


class RescoreSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A second pass over lists of the best translations."""

    order: Annotated[int, msgspec.Meta(ge=0, le=6)]
    n_best: Annotated[int, msgspec.Meta(ge=2, lt=2**20)]


# The core declares the settings of search with their types and ranges, and checks them.
SearchSettings = dict[str, bool | int | float | str]


class TextSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a system's text is prepared, besides tokenising."""

    casing: str
    treebank_rules: str
    source_treebank_rules: str


class TuneProSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pairwise ranking."""

    samples: _Count
    keep: _Count
    threshold: Annotated[float, msgspec.Meta(ge=0, le=1)]
    loss: Literal["logistic", "hinge"]
    l2: Annotated[float, msgspec.Meta(ge=0)]
    interpolation: Annotated[float, msgspec.Meta(gt=0, le=1)]
    line_search: bool


class TuneMiraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """k-best batch MIRA."""

    passes: Annotated[int, msgspec.Meta(ge=1, lt=2**20)]
    c: Annotated[float, msgspec.Meta(gt=0)]
    decay: Annotated[float, msgspec.Meta(ge=0, lt=1)]
    prior: Annotated[float, msgspec.Meta(ge=0)]


class TuneSearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Search settings that are chosen on the dev set."""

    distortion_limits: list[Annotated[int, msgspec.Meta(ge=-1, lt=2**31)]]
    after: _Count
    sentences: Annotated[int, msgspec.Meta(ge=1, lt=2**32)]
    words: Annotated[int, msgspec.Meta(ge=1, lt=2**32)]


class TuneSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How weights are found."""

    method: Literal["mert", "pro", "mira"]
    metric: Literal["bleu", "ter", "chrf", "bleu-ter"]
    iterations: Annotated[int, msgspec.Meta(ge=1, lt=2**20)]
    patience: Annotated[int, msgspec.Meta(ge=1, lt=2**20)]
    gain: Annotated[float, msgspec.Meta(ge=0)]
    n_best: Annotated[int, msgspec.Meta(ge=2, lt=2**20)]
    length_tolerance: Annotated[float, msgspec.Meta(ge=0)]
    estimate: list[str]
    forests: bool
    forest_edges: Annotated[int, msgspec.Meta(ge=1, lt=2**32)]
    random_starts: Annotated[int, msgspec.Meta(ge=0, lt=2**20)]
    directions: Annotated[int, msgspec.Meta(ge=0, lt=2**20)]
    rounds: Annotated[int, msgspec.Meta(ge=1, lt=2**20)]
    pro: TuneProSettings
    mira: TuneMiraSettings
    search: TuneSearchSettings


class ConsensusSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choosing the translation that others agree with."""

    use: Literal["auto", "always", "never"]
    gain: Literal["bleu", "chrf"]
    n_best: Annotated[int, msgspec.Meta(ge=2, lt=2**20)]
    scales: list[Annotated[float, msgspec.Meta(gt=0, le=1e6)]]
    least_gain: Annotated[float, msgspec.Meta(ge=0)]


class DepOrderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dependency order model of `phrase-deporder`."""

    lexical: bool
    sizes: bool
    punctuation: Literal["tree", "apart"]
    longest: Annotated[int, msgspec.Meta(ge=1, le=1000)]


class PhraseDepSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How phrase dependencies are extracted."""

    clusters: _Count
    cluster_min_count: _Count
    max_length: _Count
    max_sentence_length: _Count
    memory: str


class ServeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Translation as a web service: where it listens, and its limits."""

    host: str
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)]
    max_characters: _Limit
    max_texts: _Limit
    max_file_bytes: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    max_candidates: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    max_seconds: _Seconds
    body_seconds: _Seconds
    waiting: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    documents: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    keep_minutes: _Seconds
    connections: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    requests_per_minute: _Count
    log_text: bool


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every setting of headway, by section."""

    run: RunSettings
    lm: LmSettings
    tokenise: TokeniseSettings
    clean: CleanSettings
    fragment: FragmentSettings
    align: AlignSettings
    extract: ExtractSettings
    parse: ParseSettings
    self_train: SelfTrainSettings
    rules: RulesSettings
    str2dep: Str2DepSettings
    deporder: DepOrderSettings
    phrasedep: PhraseDepSettings
    osm: OsmSettings
    rescore: RescoreSettings
    search: SearchSettings
    text: TextSettings
    weights: dict[str, float]
    tune: TuneSettings
    serve: ServeSettings
    consensus: ConsensusSettings
    named: frozenset[str] = frozenset()
    """Settings that were given a value one by one, by name: `search.pop_limit`. Those of a file
    are not among them, as it may be a copy of all there are."""

    @classmethod
    @named_arguments
    def load(
        cls, config: str | PathLike[str] | None = None, overrides: Sequence[str] = ()
    ) -> "Settings":
        """Defaults, changed by the file `config`, then by `section.key=value` strings."""
        table = default_table()
        if config is not None:
            _merge(table, read_toml(Path(config)), where=f"{config}: ")
        for override in overrides:
            _merge(table, _parse_override(override), where="--set ")
        named = frozenset(_names(cls.given(None, overrides)))
        try:
            loaded = msgspec.convert({**table, "named": named}, cls)
        except msgspec.ValidationError as error:
            raise ConfigError(_plain(error)) from None
        search = loaded.search
        if search["spans"] == "all" and "search.spans" not in named:
            # The system or bundle may have other spans, and is checked with them.
            search = {**search, "spans": "licensed"}
        _core.check_search(search)
        return loaded

    @staticmethod
    def given(config: Path | None = None, overrides: Sequence[str] = ()) -> dict[str, Any]:
        """Only what `config` and `overrides` say: for what has settings of its own to change."""
        table: dict[str, Any] = {} if config is None else read_toml(config)
        for override in overrides:
            _overlay(table, _parse_override(override))
        return table

    def suited(self, values: Mapping[str, Any]) -> "Settings":
        """With these values, by name, where nobody chose one."""
        table, shipped = self.table(), default_table()
        for name, value in values.items():
            *sections, key = name.split(".")
            own, theirs = table, shipped
            for section in sections:
                own, theirs = own[section], theirs[section]
            if name not in self.named and own[key] == theirs[key]:
                own[key] = value
        return msgspec.convert({**table, "named": self.named}, Settings)

    def __repr__(self) -> str:
        shipped = dict(flat_values(default_table()))
        changed = [(k, v) for k, v in flat_values(self.table()) if shipped.get(k) != v]
        return described("Settings", **dict(changed))

    def table(self) -> dict[str, Any]:
        """The settings as nested dictionaries."""
        table: dict[str, Any] = msgspec.to_builtins(self)
        del table["named"]
        return table

    def to_toml(self) -> str:
        """The settings as a file that `load` takes."""
        return dump_toml(self.table())


@cache
def _default_text() -> str:
    return resources.files("headway").joinpath("default.toml").read_text(encoding="utf-8")


def default_table() -> dict[str, Any]:
    """What `default.toml` says, as nested dictionaries of the caller's own."""
    return tomllib.loads(_default_text())


def dump_toml(table: dict[str, Any], prefix: str = "") -> str:
    """Nested tables of strings, numbers, booleans and lists as TOML."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [f"{_toml_key(key)} = {_toml_value(value)}\n" for key, value in plain.items()]
    if prefix and (lines or not table):
        lines.insert(0, f"[{prefix}]\n")
    for key, value in table.items():
        if isinstance(value, dict):
            name = f"{prefix}.{_toml_key(key)}" if prefix else _toml_key(key)
            inner = dump_toml(value, name)
            lines.append(f"\n{inner}" if lines else inner)
    return "".join(lines)


def _toml_key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _toml_value(key)


def _toml_value(value: Any) -> str:
    # JSON writes strings, numbers, booleans and lists of them just as TOML wants them, but
    # for infinities and NaN, and for DEL, which TOML strings must escape.
    if isinstance(value, float):
        text = repr(value)
        return text if any(mark in text for mark in ".enif") else f"{text}.0"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def _parse_override(override: str) -> dict[str, Any]:
    """`section.key=value` as nested tables; a value that is no TOML is taken as a string."""
    name, equals, text = override.partition("=")
    if not equals or not name.strip():
        raise ConfigError(f"--set {override}: expected section.key=value")
    try:
        value = parse_toml(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    table: Any = value
    for key in reversed(name.strip().split(".")):
        table = {key: table}
    try:
        check_depth(table)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"--set {name[:40]}…: {error}") from None
    return table  # type: ignore[no-any-return]


def _merge(table: dict[str, Any], changes: dict[str, Any], where: str, prefix: str = "") -> None:
    """Writes `changes` over `table`, refusing keys that `table` does not have."""
    for key, value in changes.items():
        name = f"{prefix}{key}"
        if key not in table:
            whole = next(_names({name: value}), name)
            raise ConfigError(f"{where}{whole}: unknown setting{_nearest(whole)}")
        if isinstance(table[key], dict) != isinstance(value, dict):
            kind = "a section, not a value" if isinstance(table[key], dict) else "a single value"
            raise ConfigError(f"{where}{name}: is {kind}")
        if isinstance(value, dict):
            _merge(table[key], value, where, f"{name}.")
        else:
            table[key] = value


def _overlay(table: dict[str, Any], changes: dict[str, Any]) -> None:
    """Writes `changes` over `table`, whatever keys they have."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            _overlay(table[key], value)
        else:
            table[key] = value


def _nearest(name: str) -> str:
    names = list(_names(default_table()))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if not close:  # right key, wrong section
        last = name.rpartition(".")[2]
        close = [known for known in names if known.rpartition(".")[2] == last][:1]
    return f"; did you mean {close[0]}?" if close else "; `headway settings` lists them all"


def _names(table: dict[str, Any]) -> Iterator[str]:
    return (name for name, _ in flat_values(table))


def flat_values(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Values of nested tables by their whole names: `lm.order`."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat_values(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _plain(error: msgspec.ValidationError) -> str:
    """`run.threads: expected int, got str` out of msgspec's wording."""
    message, _, path = str(error).partition(" - at `$.")
    name = path.removesuffix("`") or "settings"
    choices = _choices(name) if "enum value" in message else ()
    if choices:
        return f"{name}: {message.rpartition(' ')[2]}: expected one of {', '.join(choices)}"
    return f"{name}: {message[:1].lower()}{message[1:].replace('`', '')}"


def _choices(name: str) -> tuple[str, ...]:
    """What a setting may be, if it is one of a few names."""
    kind: Any = Settings
    for part in name.split("."):
        kind = get_type_hints(kind).get(part)
    return get_args(kind) if get_origin(kind) is Literal else ()
