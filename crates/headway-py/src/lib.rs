//! `headway._core`: the core as Python sees it. One thin file per core module; each converts,
//! calls with the interpreter released, and maps errors. No logic lives here.

mod align;
mod errors;
mod extract;
mod text;
mod tree;
mod vocab;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::align::{
        Aligner, Alignment, Bitext, compare_alignments, join_alignments, parse_gold,
        read_alignments, write_alignments,
    };
    #[pymodule_export]
    use crate::extract::extract_rules;
    #[pymodule_export]
    use crate::tree::{
        ConstituentTree, DependencyTree, LinkReader, PennReader, PennWriter, Sentence,
        SentenceReader, SentenceWriter, Structure, treebank_census,
    };
    #[pymodule_export]
    use crate::vocab::Vocabulary;

    #[pymodule_export]
    use crate::text::{
        LineReader, LineWriter, PairReader, PairWriter, Tokeniser, Tokens, Truecaser, clean_pairs,
        convert_pairs, detokenise_file, recase_file, tokenise_file, truecase_file,
    };
}
