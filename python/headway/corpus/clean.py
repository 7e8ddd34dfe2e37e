"""Cleaning parallel text."""

from dataclasses import dataclass
from typing import Any

from headway._core import clean_pairs
from headway.corpus.files import CorpusFiles, named_languages
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import CleanSettings, Settings


@dataclass(frozen=True)
class Dropped:
    """How many pairs were dropped for one reason, and the lines of the first few."""

    reason: str
    count: int
    lines: tuple[int, ...]


@prints_briefly
@dataclass(frozen=True)
class CleanReport:
    """What came of cleaning."""

    read: int
    kept: int
    dropped: tuple[Dropped, ...]

    def table(self) -> dict[str, Any]:
        """The report as nested dictionaries, for JSON."""
        dropped = {d.reason: {"count": d.count, "lines": list(d.lines)} for d in self.dropped}
        return {"read": self.read, "kept": self.kept, "dropped": dropped}

    def __str__(self) -> str:
        """One line for the whole, and one for each reason that dropped anything."""
        share = f" ({self.kept / self.read:.1%})" if self.read else ""
        lines = [f"read {self.read:,} pairs, kept {self.kept:,}{share}"]
        for dropped in self.dropped:
            if dropped.count:
                more = ", …" if dropped.count > len(dropped.lines) else ""
                where = ", ".join(map(str, dropped.lines)) + more
                lines.append(f"{dropped.count:>12,}  {dropped.reason} (line {where})")
        return "\n".join(lines)


def clean(
    source: CorpusFiles,
    output: CorpusFiles,
    settings: CleanSettings | None = None,
    *,
    languages: tuple[str, str] | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> CleanReport:
    """Copies the pairs worth learning from, and says what was dropped and why.

    White space is normalised: none at the ends, single spaces within. With `strict`, bytes
    that are not UTF-8 raise `FormatError` instead of being dropped.
    """
    limits = settings or Settings.load().clean
    read, kept, dropped = clean_pairs(
        list(source.paths),
        source.form,
        list(output.paths),
        output.form,
        languages=languages or named_languages(source, output),
        max_words=limits.max_words,
        max_characters=limits.max_characters,
        max_ratio=limits.max_ratio,
        keep_repeated=limits.keep_repeated,
        strict=strict,
        progress=progress,
    )
    reasons = (Dropped(reason, count, tuple(lines)) for reason, count, lines in dropped)
    return CleanReport(read, kept, tuple(reasons))
