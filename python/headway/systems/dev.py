"""The development set: checked before anything is trained, scored when all is done."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from headway.corpus import read_lines
from headway.errors import ConfigError, FormatError
from headway.evaluate import tokeniser_for
from headway.printing import prints_briefly
from headway.systems.source import Given, Source, SourceTrees
from headway.systems.text import SourceText


@prints_briefly
@dataclass(frozen=True)
class DevSet:
    """Sentences with one or more translations of each."""

    source: list[str]
    references: list[list[str]]
    """One list of lines for each file."""
    sources: list[Source] = field(default_factory=list)
    """The source as words with trees, where trees are given."""

    @property
    def given(self) -> Sequence[Given]:
        """What is translated."""
        return self.sources or self.source

    def with_trees(self, trees: Path, source: Path, text: SourceText) -> "DevSet":
        """With trees of its source, a file of lines that `text` cuts; refuses those of others."""
        found = SourceTrees(trees)
        sources = found.sources(text.words(self.source), 1, source)
        found.finish()
        return replace(self, sources=sources)

    @classmethod
    def read(cls, source: Path, targets: Sequence[Path], what: str = "dev set") -> "DevSet":
        """Reads the files and makes sure that they belong together; errors say `what` they are."""
        lines = list(read_lines(source))
        if not lines:
            raise FormatError(f"{source}: the {what} is empty; give it some sentences", source)
        if source.resolve() in [target.resolve() for target in targets]:
            raise FormatError(f"{source}: is given for both sides of the {what}", source)
        references = [list(read_lines(target)) for target in targets]
        for target, reference in zip(targets, references, strict=True):
            if len(reference) != len(lines):
                message = f"{target}: expected {len(lines):,} lines as in {source}"
                message += f", found {len(reference):,}; both sides of the {what} must match"
                raise FormatError(message, target)
            if not any(line.strip() for line in reference):
                raise FormatError(f"{target}: holds only empty lines; give it some text", target)
        return cls(lines, references)


@dataclass(frozen=True)
class Bleu:
    """A BLEU score and how it was computed."""

    score: float
    signature: str
    length_ratio: float = 1.0
    """Words over words of the references, the closest of each sentence."""

    def __str__(self) -> str:
        """`BLEU 27.4, length ratio 0.993  nrefs:1|…`."""
        return f"BLEU {self.score:.1f}, length ratio {self.length_ratio:.3f}  {self.signature}"


def bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    language: str = "",
    tokenised: bool = False,
    lowercase: bool = False,
) -> Bleu:
    """BLEU by sacrebleu, with the tokeniser that fits the target language."""
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415  costs a quarter of a second

    tokeniser = "none" if tokenised else tokeniser_for(language)
    # `force` keeps sacrebleu from warning of tokenised text, which is what we said it is.
    metric = BLEU(tokenize=tokeniser, lowercase=lowercase, force=True)
    score = metric.corpus_score(list(hypotheses), [list(lines) for lines in references])
    ratio = score.sys_len / score.ref_len if score.ref_len else 1.0
    return Bleu(float(score.score), str(metric.get_signature()), ratio)


def check_given_together(source: Path | None, targets: Sequence[Path]) -> None:
    """A dev set is a source and at least one translation, or nothing."""
    if (source is None) != (not targets):
        raise ConfigError("--dev-source and --dev-target go together; give both or none")
