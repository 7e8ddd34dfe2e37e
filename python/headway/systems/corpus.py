"""What a system is trained from: text, a dev set, and trees of either side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headway.corpus import Files, Sides, listed, paired
from headway.errors import ConfigError, InputError
from headway.parse import TreebankPart
from headway.printing import prints_briefly
from headway.systems.dev import check_given_together

AnyPath = str | Path
Treebanks = AnyPath | Sequence[AnyPath | TreebankPart]


@prints_briefly
@dataclass(frozen=True, init=False)
class TreeSource:
    """Where the dependency trees of one side come from: one of three ways, or none."""

    treebanks: tuple[TreebankPart, ...]
    """Trees of the language, for a parser to be trained."""
    parser: str | None
    """A parser of the language, as `headway.parse.load` takes it."""
    trees: Path | None
    """Trees of the text itself."""
    self_train: bool
    """Whether the parser, once trained, parses the text and learns from these trees too."""

    def __init__(
        self,
        treebanks: Treebanks = (),
        parser: AnyPath | None = None,
        trees: AnyPath | None = None,
        *,
        self_train: bool = False,
    ) -> None:
        """Treebanks are files, perhaps as `PATH:WEIGHT`."""
        named = [treebanks] if isinstance(treebanks, str | Path) else treebanks
        parts = (
            part if isinstance(part, TreebankPart) else TreebankPart.parse(str(part))
            for part in named
        )
        object.__setattr__(self, "treebanks", tuple(parts))
        object.__setattr__(self, "parser", None if parser is None else str(parser))
        object.__setattr__(self, "trees", None if trees is None else Path(trees))
        object.__setattr__(self, "self_train", self_train)
        if self_train and not self.treebanks:
            message = "self-training begins with a parser trained on a treebank"
            raise ConfigError(f"--self-train: {message}; give --treebank too")

    @property
    def ways(self) -> int:
        """How many of the three ways are given."""
        return sum([bool(self.treebanks), self.parser is not None, self.trees is not None])

    @property
    def files(self) -> list[Path]:
        """Files of trees that are read; a parser is none of them."""
        trees = [] if self.trees is None else [self.trees]
        return [*(part.path for part in self.treebanks), *trees]


@prints_briefly
@dataclass(frozen=True, init=False)
class Corpus:
    """What a system is trained from.

    corpus = Corpus("train.de", "train.en", dev_source="dev.de", dev_target="dev.en",
                    target_trees=TreeSource(treebanks="en.conllu"))
    headway.train("str2dep", corpus, out="model")
    """

    sides: tuple[Sides, ...]
    """Pairs of line-aligned files, joined in order."""
    dev_source: Path | None
    dev_targets: tuple[Path, ...]
    """References: one or more translations of the dev set."""
    monolingual: tuple[Path, ...]
    """More text of the target language, for the language model."""
    source_trees: TreeSource
    target_trees: TreeSource
    dev_source_trees: Path | None
    """Trees of the dev set's source, where no parser is to make them."""

    def __init__(
        self,
        source: Files,
        target: Files,
        *,
        dev_source: AnyPath | None = None,
        dev_target: Files = (),
        monolingual: Files = (),
        source_trees: TreeSource | None = None,
        target_trees: TreeSource | None = None,
        dev_source_trees: AnyPath | None = None,
    ) -> None:
        """One file of each side, or several, as many of each."""
        values = {
            "sides": tuple(paired(source, target)),
            "dev_source": None if dev_source is None else Path(dev_source),
            "dev_targets": tuple(listed(dev_target)),
            "monolingual": tuple(listed(monolingual)),
            "source_trees": source_trees or TreeSource(),
            "target_trees": target_trees or TreeSource(),
            "dev_source_trees": None if dev_source_trees is None else Path(dev_source_trees),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        check_given_together(self.dev_source, self.dev_targets)
        if self.dev_source is None and self.dev_source_trees is not None:
            raise ConfigError("--dev-source-trees: trees of which text? Give --dev-source too")

    @property
    def source(self) -> Path:
        """The first source file."""
        return self.sides[0][0]

    @property
    def target(self) -> Path:
        """The first target file."""
        return self.sides[0][1]

    @property
    def dev_files(self) -> list[Path]:
        """All text of the dev set; none without one."""
        return [] if self.dev_source is None else [self.dev_source, *self.dev_targets]

    @property
    def dev_trees(self) -> list[Path]:
        """Files of trees of the dev set."""
        return [] if self.dev_source_trees is None else [self.dev_source_trees]

    @property
    def texts(self) -> list[Path]:
        """All files of text."""
        sides = [path for side in self.sides for path in side]
        return [*sides, *self.dev_files, *self.monolingual]

    @property
    def files(self) -> list[Path]:
        """All files that are read; parsers are none of them."""
        trees = [*self.source_trees.files, *self.target_trees.files, *self.dev_trees]
        return [*self.texts, *trees]

    def check_readable(self) -> None:
        """Refuses text that cannot be read more than once, or is not there."""
        for path in self.texts:
            if str(path) == "-" or path.is_fifo():
                message = f"{path}: training reads its files more than once; save it to a file"
                raise InputError(message, path)
            if not path.exists():
                raise InputError(f"{path}: no such file; check the path", path)
