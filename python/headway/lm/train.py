"""Estimating n-gram models from text."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import gettempdir

from headway import _core
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.files import check_files
from headway.lm.classes import WordClasses
from headway.memory import memory_bytes
from headway.partial import partial_directory
from headway.printing import prints_briefly
from headway.progress import Progress

_log = logging.getLogger(__name__)

_MANY = (1 << 63) - 1  # as many as anything can be: what the core has room for

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@prints_briefly
@dataclass(frozen=True)
class Training:
    """What `train` found: the text's size, and by order the n-grams and their discounts."""

    sentences: int
    words: int
    vocabulary: int
    """Distinct words, with `<unk>`, `<s>` and `</s>`."""
    counts: list[int]
    """n-grams of each length in the text."""
    kept: list[int]
    """n-grams of each length in the model: less than `counts` where it is pruned."""
    discounts: list[list[float]]
    """What is taken from n-grams of each length seen once, twice, and more often."""
    fallback: list[int]
    """Lengths for which the text has too few distinct counts, so that 0.5, 1, 1.5 are taken."""


@named_arguments
def train(
    inputs: Paths,
    output: str | PathLike[str],
    *,
    order: int = 5,
    memory: str | int = "2G",
    prune: Sequence[int] = (),
    vocab_limit: int | None = None,
    skip_symbols: bool = False,
    classes: WordClasses | None = None,
    temp: str | PathLike[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Training:
    """Estimates an n-gram model, by interpolated modified Kneser–Ney, and writes it to a file.

    One sentence per line, words between spaces; files may be gzip or zstd, `-` is standard input.
    `prune` has thresholds by n-gram length, from 1 on: n-grams seen that often or less are
    dropped; the last one goes for all longer n-grams. `vocab_limit` keeps that many most frequent
    words and turns all others into `<unk>`. The words `<s>`, `</s>` and `<unk>` in the text are
    errors unless `skip_symbols` passes over them. With `classes` it is a model over the classes
    of words, and words without a class are passed over. Text that does not fit into `memory` is
    sorted in unnamed files in `temp`. The result depends on neither `memory` nor `threads`.
    """
    paths = [inputs] if isinstance(inputs, str | PathLike) else list(inputs)
    if not paths:
        raise ConfigError("no text to train a language model on; name a file, or - for stdin")
    check_files(paths, [output])
    if vocab_limit is not None and vocab_limit < 1:
        raise ConfigError(f"vocabulary limit {vocab_limit}: expected at least 1 word")
    if any(threshold < 0 for threshold in prune):
        raise ConfigError(f"pruning thresholds {list(prune)}: expected no negative numbers")
    with _in_classes(paths, classes, temp) as texts:
        training = Training(
            *_core.lm_train(
                texts,
                output,
                min(max(order, 0), _MANY),
                memory_bytes(memory),
                [min(threshold, _MANY) for threshold in prune],
                None if vocab_limit is None else min(vocab_limit, _MANY),
                skip_symbols or classes is not None,
                temp,
                threads,
                progress,
            )
        )
    if classes is None:  # few classes are no sign of little text
        _warn(training)
    return training


@contextmanager
def _in_classes(
    paths: Sequence[str | PathLike[str]],
    classes: WordClasses | None,
    temp: str | PathLike[str] | None,
) -> Iterator[list[str | PathLike[str]]]:
    """The texts, or temporary files of the classes of their words."""
    if classes is None:
        yield list(paths)
        return
    with partial_directory(Path(temp or gettempdir())) as place:
        texts: list[str | PathLike[str]] = []
        for number, path in enumerate(paths):
            texts.append(place / f"{number}.zst")
            classes.rewrite(path, texts[-1])
        yield texts


def _warn(training: Training) -> None:
    if training.fallback:
        orders = ", ".join(map(str, training.fallback))
        _log.warning(
            "little or repetitive text: no discounts for n-grams of length %s; using 0.5, 1, 1.5",
            orders,
        )
