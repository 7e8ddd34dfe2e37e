"""`headway translate --format`: lines with markup."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headway.cli.frame import Job
from headway.corpus import LineWriter, arriving_batches
from headway.errors import ConfigError
from headway.markup import FORMATS, XML_MODES, translate_marked
from headway.systems import Translator, UnknownReport

_log = logging.getLogger(__name__)

# Lines at a time: each may be many sentences.
_LINES = 128


def check_markup(
    form: str | None, xml_mode: str | None, others: Mapping[str, Path | tuple[int, Path] | None]
) -> None:
    """Refuses unknown formats, and outputs of sentences where a line may be several of them."""
    if form is None:
        if xml_mode is not None:
            raise ConfigError(f"--xml-input {xml_mode}: of which format? Give --format xml too")
        return
    if form not in FORMATS:
        raise ConfigError(f"--format {form}: expected one of {', '.join(FORMATS)}")
    if xml_mode is not None and (form != "xml" or xml_mode not in XML_MODES):
        expected = f"expected one of {', '.join(XML_MODES)}, with --format xml"
        raise ConfigError(f"--xml-input {xml_mode}: {expected}")
    for option, value in others.items():
        if value is not None:
            message = f"{option}: with --format a line may be several sentences"
            raise ConfigError(f"{message}; leave one of the two out")


def write_marked(
    job: Job,
    translator: Translator,
    source: Path,
    output: Path,
    options: Mapping[str, Any],
) -> UnknownReport:
    """Translates each line of a file, and writes a line for it."""
    writer, report, done = LineWriter(output), UnknownReport(), 0

    def where(number: int) -> str:
        return f"{source}:{number}"

    with job.progress("lines") as progress:
        for lines in arriving_batches(source, _LINES, repair=True):
            found = translate_marked(
                translator, lines, threads=job.threads, before=done, where=where, **options
            )
            for number, (line, one) in enumerate(zip(lines, found, strict=True), done + 1):
                if "\ufffd" in line:
                    _log.warning("%s:%d: invalid UTF-8, shown as \ufffd", source, number)
                report.add(one.translations)
            writer.write([one.text for one in found])
            writer.flush()
            done += len(lines)
            if progress is not None:
                progress(done, 0)
    writer.finish()
    return report
