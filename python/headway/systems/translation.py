"""What a translation is, and all that it tells about how it came about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headway.errors import ConfigError
from headway.forest import Forest
from headway.printing import described
from headway.show.picture import picture_scoped, picture_svg
from headway.trees import DependencyTree, Sentence


@dataclass(frozen=True, slots=True)
class Segment:
    """A phrase of the source and what became of it; places are counted from 0, ends excluded."""

    source: tuple[int, int]
    target: tuple[int, int]
    unknown: str | None = None
    """For a word that no rule has, what became of it: `copy`, `drop` or `mark`."""
    rule: tuple[str, str] | None = None
    """Both sides of a rule with slots, these as `[X1]` and `[X2]`; words of others lie between."""
    place: int | None = None
    """The place of such a rule among the table's with the same source side."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a derivation with slots: a rule with what fills them, or parts put together."""

    source: tuple[int, int]
    """The source words that it covers."""
    segment: int | None
    """The place of its rule among the segments; None where parts are put together."""
    operation: str | None
    """What put them together: `glue`, or with trees `left-adjoin`, `right-adjoin`,
    `left-concatenate`, `right-concatenate`, or `null` where no structure came of it."""
    parts: tuple[int, ...]
    """The steps that fill the slots, in their order, or that are put together."""

    def table(self) -> dict[str, Any]:
        """As a dictionary, for JSON."""
        name = "operation" if self.segment is None else "segment"
        return {
            "source": list(self.source),
            name: getattr(self, name),
            "parts": list(self.parts),
        }


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """A source word that the system does not know, and what it said instead."""

    place: int
    """Which source word it is, from 0."""
    word: str
    kind: str
    """What became of it: `copy`, `drop` or `mark`; `look-alike` if it was translated like a known
    word that resembles it, `case` if like one that differs from it in case alone."""
    said: tuple[str, ...]
    """The words of the translation that stand for it; of a look-alike those linked to it."""
    target: tuple[int, ...]
    """Their places in the translation."""
    known: str | None = None
    """The known word that it was translated like, if it was."""

    def table(self) -> dict[str, Any]:
        """As a dictionary, for JSON."""
        return {
            "place": self.place,
            "word": self.word,
            "kind": self.kind,
            "known": self.known,
            "said": list(self.said),
            "target": list(self.target),
        }


@dataclass(frozen=True, slots=True)
class Candidate:
    """One translation as words, and its derivation."""

    words: tuple[str, ...]
    score: float
    """The sum of all features times their weights."""
    features: Mapping[str, float]
    segments: tuple[Segment, ...]
    """In the order of the translation."""
    alignment: tuple[tuple[int, int], ...]
    """Links of source words and target words."""
    steps: tuple[Step, ...] = field(default=(), kw_only=True)
    """How segments with slots hang together: parts before what they are part of, the whole last.
    Phrases, which follow each other, have none."""
    unknown: tuple[UnknownWord, ...] = field(default=(), kw_only=True)
    """The source words that the system does not know, and what it said instead."""
    heads: tuple[int | None, ...] | None = field(default=None, kw_only=True)
    """Where there is a tree: the head of each word, from 1; 0 for the root, None where it has
    none."""
    tree: DependencyTree | None = field(default=None, kw_only=True)
    """The tree with tags and labels, of systems that parse what they say, if it was asked for."""
    phrase_heads: tuple[int | None, ...] | None = field(default=None, kw_only=True)
    """Where there is a tree over phrases: the head of each segment, from 1; 0 for the root, None
    of one that says nothing."""
    tag_column: str = field(default="xpos", kw_only=True, repr=False)
    """The column of CoNLL-U that the tree's tags are of."""
    system: str = field(default="", kw_only=True)
    """The member of a combination that said it."""
    confidence: tuple[float, ...] | None = field(default=None, kw_only=True)
    """How probably each word is right, if it was asked for."""
    support: Mapping[str, tuple[float, ...]] = field(default_factory=dict, kw_only=True, repr=False)
    """How often each member expects each word there, at most 1, if it was asked for."""

    def __repr__(self) -> str:
        return described("Candidate", words=" ".join(self.words), score=self.score)

    def phrase_tree(self) -> DependencyTree:
        """The tree over the phrases that say something, in the order of the translation."""
        said = self._said_phrases()
        forms = [" ".join(self.words[slice(*segment.target)]) for segment, _ in said]
        heads = [head for _, head in said]
        labels = ["dep" if head else "root" for head in heads]
        return DependencyTree(forms, heads, [""] * len(said), labels)

    def _said_phrases(self) -> list[tuple[Segment, int]]:
        """The segments that say something, each with the number of its head among them, from 1."""
        if self.phrase_heads is None:
            message = "a translation without a tree over phrases"
            raise ConfigError(f"{message}; phrase-qpdg makes them")
        said = [
            (place, segment, head)
            for place, (segment, head) in enumerate(
                zip(self.segments, self.phrase_heads, strict=True), 1
            )
            if head is not None
        ]
        numbers = {0: 0, **{place: number for number, (place, _, _) in enumerate(said, 1)}}
        return [(segment, numbers[head]) for _, segment, head in said]

    def _phrases_of_words(self) -> list[str]:
        """The last column of CoNLL-U: each word's phrase, that phrase's head, its source words."""
        found = ["_"] * len(self.words)
        for number, (segment, head) in enumerate(self._said_phrases(), 1):
            first, last = segment.source[0] + 1, segment.source[1]
            source = f"{first}-{last}" if first < last else str(first)
            for place in range(*segment.target):
                found[place] = f"Phrase={number}|PhraseHead={head}|Source={source}"
        return found

    def sentence(self) -> Sentence:
        """The words with their tree, as CoNLL-U has it.

        A word without head hangs from the root as well, and its label is `null`. Where there is a
        tree over phrases, the last column has it: `Phrase=2|PhraseHead=1|Source=3-4`, all counted
        from 1.
        """
        if self.tree is None and self.heads is None:
            message = "a translation without a tree; ask for it with trees=True"
            raise ConfigError(f"{message}, of a system that makes trees")
        comments = [f"# text = {' '.join(self.words)}".rstrip()]
        if self.tree is not None:
            tags, labels = list(self.tree.tags), list(self.tree.labels)
            parents = list(self.tree.heads)
        else:
            heads = self.heads or ()
            tags, parents = [""] * len(heads), [head or 0 for head in heads]
            labels = [{None: "null", 0: "root"}.get(head, "dep") for head in heads]
        columns = {self.tag_column: tags}
        if self.phrase_heads is not None:
            columns["misc"] = self._phrases_of_words()
        return Sentence.from_columns(
            list(self.words), head=parents, deprel=labels, comments=comments, **columns
        )


@dataclass(frozen=True, slots=True)
class Translation(Candidate):
    """The best translation of a sentence."""

    text: str
    """As people write it: put together, with capitals."""
    source: tuple[str, ...]
    """The source words, cut and cased as the system wants them."""
    read: tuple[str, ...] = ()
    """The same as search saw them: the known word most alike in place of an unknown one."""
    flags: frozenset[str] = frozenset()
    """What had to be done to translate it at all, such as `split`; mostly empty."""
    n_best: tuple[Candidate, ...] = ()
    """The best candidates, the first of all first, if they were asked for."""
    forest: Forest | None = field(default=None, repr=False, compare=False)
    """All that search kept, if it was asked for."""
    source_trees: tuple[tuple[DependencyTree, float], ...] = field(default=(), repr=False)
    """The trees of the source that search used, with their weights."""

    def __repr__(self) -> str:
        more = {"flags": sorted(self.flags), "n_best": len(self.n_best)}
        shown = {name: value for name, value in more.items() if value}
        source = " ".join(self.source)
        return described("Translation", text=self.text, score=self.score, source=source, **shown)

    def _repr_html_(self) -> str:
        """The picture that notebooks show."""
        from headway.systems.picture import picture_of  # noqa: PLC0415  it uses translations

        return picture_scoped(picture_of(self))

    def _repr_svg_(self) -> str:
        from headway.systems.picture import picture_of  # noqa: PLC0415  it uses translations

        return picture_svg(picture_of(self))

    def table(self) -> dict[str, Any]:
        """The derivation as nested dictionaries, for JSON."""
        return {
            "text": self.text,
            "source": list(self.source),
            "read": list(self.read),
            "target": list(self.words),
            "score": self.score,
            "features": dict(self.features),
            "segments": [
                {
                    "source": list(segment.source),
                    "target": list(segment.target),
                    "source_text": " ".join(self.source[slice(*segment.source)]),
                    "target_text": " ".join(self.words[slice(*segment.target)]),
                    "unknown": segment.unknown,
                    **({} if segment.rule is None else {"rule": list(segment.rule)}),
                }
                for segment in self.segments
            ],
            "steps": [step.table() for step in self.steps],
            **({} if self.heads is None else {"heads": list(self.heads)}),
            **({} if self.phrase_heads is None else {"phrase_heads": list(self.phrase_heads)}),
            **({"source_trees": self._source_trees()} if self.source_trees else {}),
            "unknown": [one.table() for one in self.unknown],
            **({"system": self.system} if self.system else {}),
            **({} if self.confidence is None else {"confidence": list(self.confidence)}),
            **({"support": {n: list(v) for n, v in self.support.items()}} if self.support else {}),
            "alignment": [list(link) for link in self.alignment],
            "flags": sorted(self.flags),
        }

    def _source_trees(self) -> list[dict[str, Any]]:
        return [
            {"weight": weight, "heads": list(tree.heads), "labels": list(tree.labels)}
            for tree, weight in self.source_trees
        ]
