"""An order model at hand."""

from difflib import get_close_matches
from os import PathLike
from pathlib import Path

from headway import _core
from headway.arguments import named_arguments
from headway.errors import ConfigError


class OrderModel:
    """P_d(offset | label, governor, dependent) of a language.

    The offset of a dependency is the distance from the governor to the nearest word of the
    dependent's subtree: −1 right before it, 1 right after it.
    """

    def __init__(self, core: _core.OrderModel, path: Path) -> None:
        self._core = core
        self.path = path
        """The file."""

    @classmethod
    @named_arguments
    def open(cls, path: str | PathLike[str]) -> "OrderModel":
        """The model in a file."""
        return cls(_core.OrderModel.open(path), Path(path))

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return _open, (self.path.absolute(),)

    def __repr__(self) -> str:
        words, (dependents, pairs) = self._core.contexts
        parts = [f"{len(self.labels)} labels"]
        if self.lexical:
            parts.append(f"{words:,} words, {dependents + pairs:,} contexts with words")
        parts += ["sizes"] * self.sizes + ["punctuation apart"] * self.punctuation_apart
        return f"<OrderModel {self.path}, {', '.join(parts)}>"

    @property
    def lexical(self) -> bool:
        """Whether words count."""
        return self._core.lexical

    @property
    def sizes(self) -> bool:
        """Whether the sizes of dependents count."""
        return self._core.sizes

    @property
    def punctuation_apart(self) -> bool:
        """Whether punctuation is left out."""
        return self._core.punctuation_apart

    @property
    def longest(self) -> int:
        """Offsets of this many words and more are one event."""
        return self._core.longest

    @property
    def labels(self) -> dict[str, int]:
        """Labels of the target, and how many dependencies each was seen with."""
        return dict(self._core.labels)

    @property
    def source_labels(self) -> list[str]:
        """Labels of the source that were seen in pairs, and those of the target."""
        return self._core.source_labels

    def normalised(self, source_label: str) -> dict[str, float]:
        """P(label of the target | label of the source), the likeliest first."""
        found = zip(self.labels, self._core.mapping(source_label), strict=True)
        return dict(sorted(found, key=lambda item: (-item[1], item[0])))

    def offsets(
        self,
        label: str,
        governor: str | None = None,
        dependent: str | None = None,
        size: int = 1,
        *,
        source: bool = False,
    ) -> dict[int, float]:
        """The probabilities of all offsets, which sum to one; see `probability`."""
        if size < 1:
            raise ConfigError(f"size {size}: a subtree has at least one word")
        found = self._core.distribution(label, governor, dependent, size, source)
        if found is None:
            raise ConfigError(f"{self.path}: no label {label!r}; {self._advice(label)}")
        return dict(found)

    def probability(
        self,
        label: str,
        offset: int,
        governor: str | None = None,
        dependent: str | None = None,
        size: int = 1,
        *,
        source: bool = False,
    ) -> float:
        """P_d(offset | label, governor, dependent) for a label of the target.

        With `source` it is a label of the source, and the answer is what the search uses: the
        mixture over the labels that it may become. Words that are unknown or None do not count,
        nor does a governor without its dependent.
        """
        if offset == 0:
            raise ConfigError("offset 0: a dependent is at least one word from its governor")
        offset = max(-self.longest, min(offset, self.longest))
        return self.offsets(label, governor, dependent, size, source=source)[offset]

    def _advice(self, label: str) -> str:
        close = get_close_matches(label, self.labels, n=1, cutoff=0.5)
        return f"did you mean {close[0]}?" if close else f"it has {', '.join(self.labels)}"


def _open(path: Path) -> OrderModel:
    return OrderModel.open(path)
