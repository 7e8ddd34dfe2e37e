//! `headway._core`: the core as Python sees it. One thin file per core module; each converts,
//! calls with the interpreter released, and maps errors. No logic lives here.

mod deplm;
mod errors;
mod lm_estimate;
mod tree;
mod vocab;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::deplm::{DependencyModel, DependencyState, train_dependency};
    #[pymodule_export]
    use crate::lm_estimate::lm_train;
    #[pymodule_export]
    use crate::tree::{
        ConstituentTree, DependencyTree, PennReader, PennWriter, Sentence, SentenceReader,
        SentenceWriter, Structure, treebank_census,
    };
    #[pymodule_export]
    use crate::vocab::Vocabulary;
}
