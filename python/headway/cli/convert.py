"""`headway convert`."""

from headway import corpus
from headway.cli.frame import Job, command
from headway.cli.options import CorpusInput, CorpusLanguages, CorpusOutput, From, To, doubted_pair


@command("convert")
def convert(
    job: Job,
    *,
    files: CorpusInput,
    output: CorpusOutput,
    languages: CorpusLanguages = None,
    source_form: From = None,
    target_form: To = None,
) -> None:
    """Convert a parallel corpus between line pairs, TSV and TMX.

    headway convert train.de train.en -o train.tsv

    headway convert memory.tmx -o train.de -o train.en --languages de,en
    """
    with job.progress("converting") as progress:
        done = corpus.convert(
            corpus.corpus_files(files, source_form),
            corpus.corpus_files(output, target_form),
            doubted_pair(languages),
            progress=progress,
        )
    without = f", skipped {done.skipped:,} units without both languages" if done.skipped else ""
    job.say(f"wrote {done.written:,} pairs{without}")
