"""Rule tables: looked up, walked, filtered, and exchanged with Moses."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headway import _core
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.files import check_files
from headway.memory import memory_bytes
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.table.reordering import ASSUMED, ReorderingModel
from headway.table.rule import Counts, Rule, RuleParts, Structure

Weights = Mapping[str, float] | Sequence[float]
"""By feature name (features not named weigh 0), or one for each feature in order."""

_BATCH = 4096
_log = logging.getLogger(__name__)


@prints_briefly
@dataclass(frozen=True)
class Facts:
    """Numbers about a table."""

    bytes: int
    rules: int
    sources: int
    nodes: int
    with_slots: int
    with_structure: int
    longest_source: int
    most_slots: int
    source_words: int
    target_words: int
    labels: int


@prints_briefly
@dataclass(frozen=True)
class ImportReport:
    """What happened to the lines of Moses tables."""

    rules: int
    glue: int
    """Glue rules: left out, they belong to the decoder."""
    zeros: int
    """Scores of 0: kept; their logarithm is −100."""
    sparse: int
    """Lines whose sparse features were left out."""
    properties: int
    """Lines whose properties were left out."""
    without_reordering: int
    """Rules that the reordering table lacks: probabilities of 1, which add nothing."""
    unused_reordering: int
    """Lines of the reordering table that no rule had."""
    reordering_columns: int
    """Columns of the reordering table."""


class RuleTable:
    """All rules of a system, in one memory-mapped file.

    Opening takes well under a millisecond whatever the size, and processes that open the same
    file share one copy of it.
    """

    def __init__(self, core: _core.RuleTable) -> None:
        self._core = core
        self._names = tuple(name for name, _ in core.features())

    @classmethod
    @named_arguments
    def open(cls, path: str | Path) -> "RuleTable":
        """The table in a file; `verify` reads it all and compares checksums."""
        return cls(_core.RuleTable.open(path))

    def verify(self) -> None:
        """Raises a `ModelError` if the file was damaged since it was written."""
        self._core.verify()

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self._core.path)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return self._names

    @property
    def probabilities(self) -> frozenset[str]:
        """Names of the features that are stored as probabilities."""
        return frozenset(name for name, probability in self._core.features() if probability)

    @property
    def facts(self) -> Facts:
        """Numbers about the table."""
        return Facts(**dict(self._core.facts()))

    @named_arguments
    def options(
        self, source: str, *, weights: Weights | None = None, top: int | None = None
    ) -> list[Rule]:
        """The rules of one source side; none if there is no such source side.

        `source` is words between spaces, `[X]` for a slot where the table has slots. With
        `weights` the best come first; `top` is how many at most.
        """
        vector = None if weights is None else self.weight_vector(weights)
        return [self.rule_of(parts) for parts in self._core.options(source, vector, _least(top))]

    def spans(self, sentence: str) -> list[tuple[int, int, int]]:
        """Spans of words that have rules: first word, word after the last, number of rules."""
        return self._core.spans(sentence)

    def __repr__(self) -> str:
        return f"<RuleTable {self.path}, {len(self):,} rules>"

    def __contains__(self, source: object) -> bool:
        return isinstance(source, str) and self._core.has(source)

    def __len__(self) -> int:
        return self.facts.rules

    def __iter__(self) -> Iterator[Rule]:
        walk = self._core.rules()
        while batch := walk.next(_BATCH):
            yield from map(self.rule_of, batch)

    def export_moses(
        self,
        output: str | Path,
        *,
        reordering: str | Path | None = None,
        condition: str = "fe",
        progress: Progress | None = None,
    ) -> int:
        """Writes Moses' text tables, gzipped if the name ends in `.gz`; answers how many rules.

        Features named `reordering.…` go to the file `reordering`, if one is named: a line for each
        rule, or with the `condition` f, for each source side.
        """
        if condition not in ("f", "fe"):
            raise ConfigError(f"condition {condition}: expected f or fe")
        check_files([self.path], [output, *([] if reordering is None else [reordering])])
        return _core.export_moses(self._core, output, reordering, condition == "f", progress)

    def filter(
        self,
        output: str | Path,
        *,
        inputs: Sequence[str | Path] | None = None,
        weights: Weights | None = None,
        top: int | None = None,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> int:
        """Writes a smaller table; answers how many rules it has.

        With `inputs` (tokenised text, a sentence a line), only rules whose source side matches
        in some sentence, a slot standing for one word or more. With `weights` and `top`, only the
        best of each source side. `output` may be this table's own file: it is replaced when all is
        written, and this table stays as it was opened.
        """
        check_files(inputs or (), [output])
        vector = None if weights is None else self.weight_vector(weights)
        paths = None if inputs is None else list(inputs)
        return _core.filter_table(self._core, output, paths, vector, _least(top), threads, progress)

    def weight_vector(self, weights: Weights) -> list[float]:
        """One weight for each feature in order."""
        if not isinstance(weights, Mapping):
            return list(weights)
        for name in weights:
            if name not in self._names:
                raise ConfigError(f"no feature {name} in {self.path}; it has {self._listed()}")
        return [weights.get(name, 0.0) for name in self._names]

    def _listed(self) -> str:
        return ", ".join(self._names) or "none"

    def rule_of(self, parts: RuleParts) -> Rule:
        """A rule of this table from what the core says about it."""
        source, target, structure, links, counts, scores, features, score = parts
        return Rule(
            source=tuple(source),
            target=tuple(target),
            structure=None if structure is None else _structure(*structure),
            links=tuple(links),
            counts=None if counts is None else Counts(*counts),
            scores=dict(zip(self._names, scores, strict=True)),
            features=dict(zip(self._names, features, strict=True)),
            score=score,
        )


def import_moses(
    tables: Sequence[str | Path],
    output: str | Path,
    *,
    reordering: str | Path | None = None,
    reordering_model: str | None = None,
    names: Sequence[str] = (),
    memory: int | str = 512,
    threads: int = 0,
    progress: Progress | None = None,
) -> ImportReport:
    """Makes a rule table from Moses phrase tables or hierarchical rule tables, read as one.

    `reordering` is the lexicalised reordering table that belongs to them; its columns become
    features. `reordering_model` is Moses' name for what they are, such as
    `wbe-mslr-bidirectional-fe`; without it, their number decides. `names` are names for the scores,
    if not the four of Moses. Sorting takes about `memory` (MiB, or a size such as "1G") and
    temporary files beside `output`.
    """
    if reordering_model is not None and reordering is None:
        raise ConfigError("a reordering model is named, but no reordering table")
    model = None if reordering_model is None else ReorderingModel.parse(reordering_model)
    check_files([*tables, *([] if reordering is None else [reordering])], [output])
    found = _core.import_moses(
        list(tables),
        output,
        reordering,
        None if model is None else (list(model.features), model.by_source),
        list(names),
        _sorting_bytes(memory),
        threads,
        progress,
    )
    report = ImportReport(**dict(found))
    if model is None and (assumed := ASSUMED.get(report.reordering_columns)):
        message = "%s: %d columns, taken for those of %s; if not, name the reordering model"
        _log.warning(message, reordering, report.reordering_columns, assumed)
    return report


def _sorting_bytes(memory: int | str) -> int:
    """A plain number is MiB."""
    if not str(memory).strip().isdecimal():
        return memory_bytes(memory)
    size = int(memory)
    if not 1 <= size <= 1 << 30:
        raise ConfigError(f"memory: expected 1 MiB to 1 PiB, found {memory} MiB")
    return size << 20


def _structure(
    kind: str, head: int | None, heads: Sequence[int], label: str, slot_labels: list[str]
) -> Structure:
    return Structure(kind, head, tuple(heads), label, tuple(slot_labels))


def _least(top: int | None) -> int | None:
    if top is not None and top < 1:
        raise ConfigError(f"top: expected at least 1, found {top}")
    return top
