//! Search for translations under one linear model.
//!
//! `model` names the features and holds their weights, `phrase` prepares what the rule table
//! offers under them, `feature` is the interface of features that look beyond one rule, and
//! `stack` is phrase-based search, `chart` that with hierarchical rules.

mod added;
mod batch;
mod cache;
pub mod chart;
mod clock;
mod coverage;
mod cut;
mod dependency;
mod feature;
mod hierarchical;
mod limits;
mod lm;
mod local;
mod mbr;
mod model;
mod nbest;
mod phrase;
mod reordering;
mod rescore;
mod settings;
pub mod stack;
mod translation;

pub use added::{Added, Listed};
pub use cache::Prepared;
pub use dependency::{DependencySettings, NAME as DEPENDENCY, Recombining};
pub use feature::{Feature, Scorer, SourceSpan, Step, registered};
pub use limits::{MOST_VALUE, MOST_WEIGHT};
pub use mbr::minimum_risks;
pub use model::{Columns, LanguageModels, Model, builtin};
pub use phrase::{Phrase, Unknown};
pub use reordering::Orientation;
pub use rescore::rescore;
pub use settings::{Algorithm, Orienting, Search, UnknownWords};
pub use translation::{By, Head, Joint, NO_STEP, Request, Segment, Shown, Translation};
