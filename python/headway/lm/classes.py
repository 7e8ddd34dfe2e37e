"""Word classes: words that stand in the same surroundings, found in text alone."""

from collections.abc import Iterable, Sequence
from os import PathLike

from headway import _core
from headway.errors import ConfigError
from headway.files import check_files
from headway.progress import Progress
from headway.settings import Settings


class WordClasses:
    """Which class each word is in; classes are numbers from 0."""

    def __init__(self, core: _core.WordClasses) -> None:
        self._core = core

    @classmethod
    def learn(
        cls,
        texts: Sequence[str | PathLike[str]],
        *,
        count: int | None = None,
        method: str | None = None,
        rounds: int | None = None,
        min_count: int | None = None,
        progress: Progress | None = None,
    ) -> "WordClasses":
        """Puts the words of tokenised text into `count` classes.

        A class holds words that follow and precede the same classes. `method` is exchange, which
        moves words between classes for some `rounds` while the likelihood of a bigram model of
        classes grows; or brown, which merges the clusters that cost the least mutual information
        and gives each class a place in a tree. With brown, words seen less often than `min_count`
        have no class.
        """
        if not texts:
            raise ConfigError("no text to find word classes in; name a file")
        check_files(list(texts), [])
        how = Settings.load().lm.classes
        wanted, most = count or how.count, how.rounds if rounds is None else rounds
        method = method or how.method
        if method == "brown":
            least = how.min_count if min_count is None else min_count
            return cls(_core.WordClasses.learn_brown(list(texts), wanted, least, progress))
        if method != "exchange":
            raise ConfigError(f"method {method!r}: expected exchange or brown")
        return cls(_core.WordClasses.learn(list(texts), wanted, most, progress))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "WordClasses":
        """Reads lines of a word, a tab and the number of its class.

        Lines of bits, a word and a count, with tabs between, are the paths of Brown clusters; those
        of other programs can be read too.
        """
        return cls(_core.WordClasses.load(path))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file that `load` reads, class by class."""
        self._core.save(path)

    def rewrite(
        self,
        text: str | PathLike[str],
        output: str | PathLike[str],
        *,
        progress: Progress | None = None,
    ) -> None:
        """Writes the text with the number of its class for each word, `<unk>` for others."""
        check_files([text], [output])
        self._core.rewrite(text, output, progress)

    def get(self, word: str) -> int | None:
        """The class of a word; None of a word that has none."""
        return self._core.get(word)

    def path(self, number: int) -> str | None:
        """Bits that lead to a class in the tree of Brown clusters; None if there is no tree."""
        return self._core.path(number)

    def items(self) -> Iterable[tuple[str, int]]:
        """All words with their classes."""
        return self._core.items()

    @property
    def count(self) -> int:
        """How many classes there are."""
        return self._core.count

    def __len__(self) -> int:
        return len(self._core)

    def __contains__(self, word: str) -> bool:
        return word in self._core

    def __repr__(self) -> str:
        return f"<WordClasses: {len(self):,} words in {self.count:,} classes>"
