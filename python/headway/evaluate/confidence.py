"""How far the confidences that `headway translate --confidence` wrote are from the truth."""

from collections.abc import Sequence
from pathlib import Path

from headway.arguments import named_arguments
from headway.corpus import Tokeniser, read_lines
from headway.errors import FormatError
from headway.evaluate.calibration import Reliability, reliability, right_words

_COLUMNS = 3


@named_arguments
def evaluate_confidence(
    path: str | Path,
    references: Sequence[str | Path],
    *,
    language: str = "en",
    tokenised: bool = False,
    bins: int = 10,
) -> Reliability:
    """Compares confidences of words with what references say; case does not count.

    A word is right if some reference of its line has it, as often as the translation has it up to
    that place. References are cut into words as headway cuts text, unless they are `tokenised`.
    """
    sides = [list(read_lines(Path(reference))) for reference in references]
    tokeniser = Tokeniser(language or None)
    cut = [
        [line.split() for line in lines] if tokenised else tokeniser.words(lines) for lines in sides
    ]
    pairs: list[tuple[float, bool]] = []
    for number, words in _sentences(Path(path)):
        if any(number > len(lines) for lines in cut):
            message = f"{path}: sentence {number}: the reference has no such line"
            raise FormatError(f"{message}; give the reference of the same text", Path(path))
        own = [[word.lower() for word in lines[number - 1]] for lines in cut]
        right = right_words([word.lower() for word, _ in words], own)
        pairs += [(said, it) for (_, said), it in zip(words, right, strict=True)]
    if not pairs:
        raise FormatError(f"{path}: no words; write it with headway translate --confidence", None)
    return reliability(pairs, bins)


def _sentences(path: Path) -> list[tuple[int, list[tuple[str, float]]]]:
    """Words with confidences by the number of their sentence."""
    found: dict[int, list[tuple[str, float]]] = {}
    for place, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        try:
            number, word, said = int(fields[0]), fields[1], float(fields[2])
        except (ValueError, IndexError):
            number, said = 0, -1.0
            word = ""
        if len(fields) < _COLUMNS or number < 1 or not 0 <= said <= 1:
            message = f"{path}:{place}: expected sentence, word and confidence between tabs"
            raise FormatError(f"{message}, found {line[:40]!r}", path)
        found.setdefault(number, []).append((word, said))
    return sorted(found.items())
