"""`headway clean`."""

import json
from typing import Annotated

import typer

from headway import corpus
from headway.cli.frame import Job, command
from headway.cli.options import CorpusInput, CorpusLanguages, CorpusOutput, From, To, doubted_pair
from headway.corpus import CorpusFiles
from headway.errors import ConfigError


@command("clean")
def clean(
    job: Job,
    *,
    files: CorpusInput,
    output: CorpusOutput,
    languages: CorpusLanguages = None,
    source_form: From = None,
    target_form: To = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at invalid UTF-8.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Remove empty, overlong, repeated and broken sentence pairs.

    The limits are settings, such as --set clean.max_words=80.

    headway clean raw.de raw.en -o train.de -o train.en
    """
    target = corpus.corpus_files(output, target_form)
    if as_json and _takes_stdout(target):
        raise ConfigError("--json: standard output is taken by the corpus; write that to a file")
    with job.progress("cleaning") as progress:
        report = corpus.clean(
            corpus.corpus_files(files, source_form),
            target,
            job.settings.clean,
            languages=doubted_pair(languages),
            strict=strict,
            progress=progress,
        )
    if as_json:
        typer.echo(json.dumps(report.table(), ensure_ascii=False))
    else:
        job.say(str(report))


def _takes_stdout(files: CorpusFiles) -> bool:
    return any(str(path) == "-" for path in files.paths)
