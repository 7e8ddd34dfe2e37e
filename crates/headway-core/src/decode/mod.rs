//! Search for translations under one linear model.
//!
//! `model` names the features and holds their weights, `phrase` prepares what the rule table
//! offers under them, `feature` is the interface of features that look beyond one rule, and
//! `stack` is phrase-based search.

mod cache;
mod coverage;
mod feature;
mod hierarchical;
mod lm;
mod mbr;
mod model;
mod phrase;
mod reordering;
mod settings;
pub mod stack;

pub use feature::{Feature, Scorer, SourceSpan, Step, registered};
pub use mbr::minimum_risk;
pub use model::{Columns, LanguageModels, Model, builtin};
pub use phrase::{Phrase, Unknown};
pub use reordering::Orientation;
pub use settings::{Algorithm, Orienting, Search, UnknownWords};
