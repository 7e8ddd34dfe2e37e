//! Search for translations under one linear model.
//!
//! `model` names the features and holds their weights, `phrase` prepares what the rule table
//! offers under them, `feature` is the interface of features that look beyond one rule, and
//! `stack` is phrase-based search, `chart` that with hierarchical rules, `lattice` parses what
//! phrase-based search kept. All stand behind one interface, `Decode`, and take a `Source`;
//! `registry` lists searches and features.

mod added;
mod batch;
mod cache;
pub mod chart;
mod clock;
mod constraint;
mod coverage;
mod cut;
mod dependency;
mod feature;
mod hierarchical;
mod interface;
mod interned;
pub mod lattice;
mod limits;
mod lm;
mod local;
mod model;
mod nbest;
mod operations;
mod order;
mod phrase;
mod registry;
mod reordering;
mod rescore;
mod settings;
mod source;
pub mod stack;
#[cfg(test)]
mod stutter;
mod translation;
mod trees;

pub use added::{Added, Listed};
pub use chart::{ChartFeature, ChartScorer};
pub use constraint::{Constraint, Force, Forced};
pub use dependency::{DependencySettings, HeadScore, Recombining, Worth};
pub use feature::{Feature, Scorer, SourceSpan, StackFeature, Step};
pub use interface::{Decode, Given};
pub use lattice::{ArcFeature, CoarseWeights, LatticeSettings, Parsing};
pub use limits::MOST_VALUE;
pub use model::{Columns, LanguageModels, Model, builtin};
pub use order::{OrderScoring, OrderSettings, PhraseSpans};
pub use phrase::{Phrase, Spelled};
pub use registry::{FEATURES, MakeFeature, Models, Registered, SEARCHES, SearchKind};
pub use reordering::Orientation;
pub use rescore::rescore;
pub use settings::{
    Algorithm, Orienting, SETTINGS, Search, Setting, UnknownWords, Value, names as setting_names,
};
pub use source::{LatticeArc, Source, Used, WeightedTree, WordLattice};
pub use translation::{By, Head, Joint, NO_STEP, Request, Segment, Shown, Translation};
