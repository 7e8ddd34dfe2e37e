//! `headway._core`: the core as Python sees it. One thin file per core module; each converts,
//! calls with the interpreter released, and maps errors. No logic lives here.

// One argument per option: Python names them.
#![allow(clippy::too_many_arguments)]

mod align;
mod choice;
mod classes;
mod consensus;
mod decode;
mod deplm;
mod deporder;
mod errors;
mod extract;
mod files;
mod forest;
mod fragment;
mod lm;
mod lm_estimate;
mod lm_mix;
mod lm_store;
mod memory;
mod metric;
mod notebook;
mod osm;
mod parse;
mod phrasedep;
mod pools;
mod short;
mod table;
mod text;
mod tree;
mod tune;
mod vocab;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::align::{
        Aligner, AlignerSampler, Bitext, check_symmetrisation, compare_alignments, join_alignments,
        parse_gold,
    };
    #[pymodule_export]
    use crate::classes::WordClasses;
    #[pymodule_export]
    use crate::consensus::{Vote, vote_features, votes};
    #[pymodule_export]
    const MOST_WEIGHT: f64 = headway_core::weight::MOST_WEIGHT;
    #[pymodule_export]
    use crate::decode::{
        AddedFeatures, Decoder, OptionList, Source, Translation, check_search, feature_names,
        rescore, search_features, search_kinds, search_settings,
    };
    #[pymodule_export]
    use crate::deplm::{DependencyModel, DependencyState, train_dependency};
    #[pymodule_export]
    use crate::deporder::{OrderModel, estimate_order};
    #[pymodule_export]
    use crate::extract::extract_rules;
    #[pymodule_export]
    use crate::files::{checksums, exchange_paths, sweep};
    #[pymodule_export]
    use crate::forest::{Derivation, Forest, load_forests, save_forests};
    #[pymodule_export]
    use crate::fragment::{FragmentStream, write_fragment};
    #[pymodule_export]
    use crate::lm::{ChartState, LanguageModel, State};
    #[pymodule_export]
    use crate::lm_estimate::lm_train;
    #[pymodule_export]
    use crate::lm_mix::Mixture;
    #[pymodule_export]
    use crate::lm_store::{Sampler, lm_build, lm_write_arpa};
    #[pymodule_export]
    use crate::metric::{meteor_scores, meteor_statistics, metric_scores, metric_statistics};
    #[pymodule_export]
    use crate::osm::{OperationModel, write_operations};
    #[pymodule_export]
    use crate::parse::{
        BaseParser, DmvParser, GraphParser, PcfgParser, TransitionParser, best_heads, load_parser,
        randomisation, train_parser,
    };
    #[pymodule_export]
    use crate::phrasedep::{PhraseDependencies, extract_phrase_dependencies};
    #[pymodule_export]
    use crate::table::{RuleTable, RuleWalk, export_moses, filter_table, import_moses};
    #[pymodule_export]
    use crate::tree::{
        ConstituentTree, DependencyTree, PartialStructure, PennReader, PennWriter, Sentence,
        SentenceReader, SentenceWriter, Structure, repair_graphs, treebank_census,
    };
    #[pymodule_export]
    use crate::tune::{TuningForests, TuningPool};
    #[pymodule_export]
    use crate::vocab::Vocabulary;

    #[pymodule_export]
    use crate::text::{
        Alignment, AlignmentReader, LineReader, LineWriter, PairReader, PairWriter, Tokeniser,
        Tokens, Truecaser, clean_pairs, convert_pairs, detokenise_file, recase_file, tokenise_file,
        truecase_file, write_alignments,
    };
}
