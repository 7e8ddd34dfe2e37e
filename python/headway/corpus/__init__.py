"""Text and parallel text: reading, writing, cleaning, tokenising, casing.

Wherever a path is asked for, the file may be plain, `.gz` or `.zst`, and `-` is standard input
or output. Everything streams: memory does not grow with the file.
"""

from headway._core import Alignment, LineWriter, Tokeniser, Tokens, Truecaser
from headway.corpus.alignments import read_alignments, write_alignments
from headway.corpus.casing import recase_file, truecase_file
from headway.corpus.clean import CleanReport, Dropped, clean
from headway.corpus.files import CorpusFiles, corpus_files
from headway.corpus.join import Files, Sides, joined, listed, paired
from headway.corpus.lines import arriving_batches, read_batches, read_lines, write_lines
from headway.corpus.pairs import (
    Converted,
    Pairs,
    convert,
    read_pairs,
    read_tmx,
    read_tsv,
    write_pairs,
    write_tmx,
    write_tsv,
)
from headway.corpus.tokens import (
    detokenise,
    detokenise_file,
    lowercase,
    tokenise,
    tokenise_file,
)

__all__ = [
    "Alignment",
    "CleanReport",
    "Converted",
    "CorpusFiles",
    "Dropped",
    "Files",
    "LineWriter",
    "Pairs",
    "Sides",
    "Tokeniser",
    "Tokens",
    "Truecaser",
    "arriving_batches",
    "clean",
    "convert",
    "corpus_files",
    "detokenise",
    "detokenise_file",
    "joined",
    "listed",
    "lowercase",
    "paired",
    "read_alignments",
    "read_batches",
    "read_lines",
    "read_pairs",
    "read_tmx",
    "read_tsv",
    "recase_file",
    "tokenise",
    "tokenise_file",
    "truecase_file",
    "write_alignments",
    "write_lines",
    "write_pairs",
    "write_tmx",
    "write_tsv",
]
