"""What is translated: words, and trees over them and constraints where there are any."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from headway import _core
from headway.errors import ConfigError, FormatError
from headway.printing import prints_briefly
from headway.systems.constraints import Constraint, check_constraints
from headway.trees import DependencyTree, Sentence, read_sentences, tag_column, tree_of


@prints_briefly
@dataclass(frozen=True)
class Source:
    """A sentence to translate that is cut into words already.

    Source(("Ein", "Haus", "steht", "dort", "."), trees=((tree, 1.0),))
    Source(("Grüße", "aus", "Köln"), constraints=[Forced(2, 3, ("Cologne",))])

    The words are taken as they are, except that their case is prepared like that of a line. What
    the system's decoder cannot use is ignored, and the translation has a flag such as
    `ignored-trees`.
    """

    words: tuple[str, ...]
    trees: tuple[tuple[DependencyTree, float], ...] = ()
    """Trees over the words, with a weight each: several if it is not certain which one is right."""
    constraints: Sequence[Constraint] = ()
    """What the translation has to obey: `Forced` words, `Zone` and `Wall`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "constraints", tuple(self.constraints))

    @classmethod
    def of(cls, tree: DependencyTree | Sentence) -> "Source":
        """The words of a tree with that tree."""
        found = tree.tree() if isinstance(tree, Sentence) else tree
        return cls(tuple(found.forms), ((found, 1.0),))

    @property
    def has_tree(self) -> bool:
        """Whether any of its trees is one: without a cycle."""
        return any(not tree.has_cycle for tree, _ in self.trees)

    def check(self) -> None:
        """Refuses words that are none, which would be lost between others, and constraints."""
        if isinstance(self.words, str):
            raise ConfigError(f"a source of {self.words!r}: expected a list of words; split it")
        for word in self.words:
            if not word or word.split() != [word]:
                message = f"the word {word!r} of a source is empty or has white space"
                raise ConfigError(f"{message}; cut the text into words, or give it as a line")
        check_constraints(self.constraints)

    def core(self, words: Sequence[str]) -> _core.Source | list[str]:
        """For the core, with these words as search is to see them."""
        if not (self.trees or self.constraints):
            return list(words)
        constraints = [constraint.core() for constraint in self.constraints]
        return _core.Source(words, trees=self.trees, constraints=constraints)


class Prepared(Source):
    """A source whose words are cut and cased as a system wants them."""


Given = str | Sequence[str] | Source
"""A line of text, a list of words, or a source."""


class SourceTrees:
    """Trees of the lines of a text, from a CoNLL-U file in the same order."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._sentences: Iterator[Sentence] = iter(read_sentences(path))
        self._tags: str | None = None

    def sources(self, words: Sequence[Sequence[str]], start: int, text: str | Path) -> list[Source]:
        """Sources of the next lines, numbered from `start`; a line without words has no tree.

        Refuses a tree whose words are not those of its line, whatever their case.
        """
        return [
            self._source(line, f"{text}:{number}") if line else Source(())
            for number, line in enumerate(words, start)
        ]

    def _source(self, words: Sequence[str], where: str) -> Source:
        sentence = next(self._sentences, None)
        if sentence is None:
            message = f"{self._path}: no tree for {where}; give one for each line with words"
            raise FormatError(message, self._path)
        if [form.lower() for form in sentence.forms] != [word.lower() for word in words]:
            found, expected = _shown(sentence.forms), _shown(words)
            message = f"{self._path}:{sentence.line}: a tree of {found} for {where}, which has"
            advice = "parse the text as `headway tokenise` cuts it"
            raise FormatError(f"{message} {expected}; {advice}", self._path)
        if self._tags is None:
            self._tags = tag_column([sentence], "xpos")
        tree = tree_of(sentence, self._path, self._tags)
        return Source(tuple(words), ((tree, 1.0),))

    def finish(self) -> None:
        """Refuses trees that are left over."""
        left = next(self._sentences, None)
        if left is not None:
            message = f"{self._path}:{left.line}: more trees than lines; are they of this text?"
            raise FormatError(message, self._path)


def _shown(words: Sequence[str], most: int = 8) -> str:
    return repr(" ".join(words[:most]) + (" …" if len(words) > most else ""))
