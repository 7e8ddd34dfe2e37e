"""The two sides of a corpus: what a step has to know to do the same for either."""

from dataclasses import dataclass
from pathlib import Path

from headway.settings import Settings
from headway.systems.bundle import Languages
from headway.systems.corpus import Corpus, TreeSource
from headway.systems.text import SOURCE_CASE, TARGET_CASE


@dataclass(frozen=True)
class Side:
    """One side: its files and steps in the run directory, and its part of what was given."""

    name: str
    """`source` or `target`."""
    prefix: str
    """What the names of its steps, files and options begin with."""
    text: str
    """The file of its words."""
    case: str
    """The file that says how its words are cased."""
    trees: str
    """The file of its trees."""

    @property
    def parser(self) -> str:
        """The file of its parser."""
        return f"{self.prefix}parser.bin"

    def treebank(self, number: int) -> str:
        """The file of an adapted treebank, counted from 1."""
        return f"{self.prefix}treebank.{number}.conllu"

    def fact(self, name: str) -> str:
        """What a fact about its trees is called in a bundle."""
        return f"{self.prefix}{name}".replace("-", "_")

    def given(self, corpus: Corpus) -> TreeSource:
        """Where its trees come from."""
        return corpus.source_trees if self is SOURCE_SIDE else corpus.target_trees

    def first(self, corpus: Corpus) -> Path:
        """Its first file."""
        return corpus.source if self is SOURCE_SIDE else corpus.target

    def language(self, languages: Languages) -> str:
        """The code of its language, empty where nobody said."""
        return languages.source if self is SOURCE_SIDE else languages.target

    def rules(self, settings: Settings) -> Path | None:
        """The file of rules for the words of its treebanks."""
        text = settings.text
        file = text.source_treebank_rules if self is SOURCE_SIDE else text.treebank_rules
        return Path(file) if file else None

    @property
    def rules_setting(self) -> str:
        """The name of the setting for these rules."""
        return f"text.{self.fact('treebank_rules')}"


SOURCE, TARGET = "train.source", "train.target"

SOURCE_SIDE = Side("source", "source-", SOURCE, SOURCE_CASE, "source-trees.conllu")
TARGET_SIDE = Side("target", "", TARGET, TARGET_CASE, "train.conllu")
