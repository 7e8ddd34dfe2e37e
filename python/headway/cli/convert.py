"""`headway convert`."""

from headway import corpus
from headway.cli.frame import Job, command
from headway.cli.options import CorpusInput, CorpusOutput, From, Languages, To, language_pair


@command("convert")
def convert(
    job: Job,
    *,
    files: CorpusInput,
    output: CorpusOutput,
    languages: Languages = None,
    source_form: From = None,
    target_form: To = None,
) -> None:
    """Copy a parallel corpus into another form: `headway convert a.de a.en -o a.tsv`."""
    with job.progress("converting") as progress:
        done = corpus.convert(
            corpus.corpus_files(files, source_form),
            corpus.corpus_files(output, target_form),
            language_pair(languages),
            progress=progress,
        )
    without = f", passed over {done.skipped:,} units without both languages" if done.skipped else ""
    job.say(f"wrote {done.written:,} pairs{without}")
