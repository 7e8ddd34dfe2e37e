//! `headway._core`: the core as Python sees it. One thin file per core module; each converts,
//! calls with the interpreter released, and maps errors. No logic lives here.

mod align;
mod errors;
mod table;
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
    use crate::table::{RuleTable, RuleWalk, export_moses, filter_table, import_moses};
    #[pymodule_export]
    use crate::vocab::Vocabulary;
}
