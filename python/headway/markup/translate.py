"""Translating texts with markup."""

from collections.abc import Sequence
from typing import Any

from headway.errors import ConfigError
from headway.markup.marked import FORMATS, Format, Marked
from headway.progress import Progress
from headway.systems import Translator


def translate_marked(
    translator: Translator,
    texts: Sequence[str],
    *,
    format: Format = "text",  # noqa: A002 - the name that translation services use
    n_best: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    **translate_options: Any,
) -> list[Marked]:
    """Translates texts and puts their markup back.

    A text may be a whole HTML fragment with several blocks and sentences. Each sentence is
    translated on its own; white space between sentences is kept. `format` says what is markup:
    `text` has placeholders only, `html` tags too, `xml` is what Moses reads. With `n_best` each
    text comes with this many further translations. Other options are those of
    `Translator.translate`.
    """
    if format not in FORMATS:
        raise ConfigError(f"format {format}: expected one of {', '.join(FORMATS)}")
    lines = [text.split("\n") for text in texts]
    found = iter(
        translator.translate(
            [line for own in lines for line in own],
            n_best=n_best and n_best + 1,
            threads=threads,
            progress=progress,
            **translate_options,
        )
    )
    done = []
    for own in lines:
        parts = tuple(next(found) for _ in own)
        done.append(Marked("\n".join(part.text for part in parts), (), parts))
    return done
