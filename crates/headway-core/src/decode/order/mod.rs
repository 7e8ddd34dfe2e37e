//! Dependency order (Hunter & Resnik 2010): how the words of a source tree stand in the target.
//!
//! `dependency-order` is Σ ln P_d(offset) over the dependencies of the source tree, each of which
//! counts as soon as the places of its governor and its dependent are known. `unlicensed` counts
//! phrases that no subtree explains, `cohesion` subtrees that are left before they are finished
//! (Cherry 2008). `finished` in the tests is what they mean; `linearise` finds it step by step.

mod arcs;
mod linearise;
mod placed;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use self::linearise::Linearising;
use super::feature::{Feature, Scorer, StackFeature};
use super::registry::{Models, Registered};
use super::source::{Source, Used};
use crate::deporder::{OrderModel, is_punctuation};
use crate::table::RuleTable;
use crate::{Error, Result, WordId};

/// ln P_d of the dependencies whose order is decided.
pub const ORDER: &str = "dependency-order";
/// Phrases whose words are not a head with complete subtrees of its children.
pub const UNLICENSED: &str = "unlicensed";
/// Phrases that leave a subtree before all its words are covered.
pub const COHESION: &str = "cohesion";

/// The features of models with an order model.
pub const REGISTERED: Registered = Registered {
    model: "order",
    searches: &["stack"],
    families: &[ORDER, UNLICENSED, COHESION],
    settings: &["dependency_order", "soft_constraints"],
    joining: None,
    trees: false,
    exact: true,
    make: |models, search| {
        let Some(model) = order_model(models)? else { return Ok(None) };
        let table = Arc::clone(&models.table);
        Ok(Some(Box::new(DependencyOrder::new(model, table, search.order))))
    },
};

fn order_model(models: &Models) -> Result<Option<Arc<OrderModel>>> {
    models.get("order", "an order model")
}

/// Whether punctuation is no part of source trees: as the order model was trained.
pub fn punctuation_apart(models: &Models) -> Result<bool> {
    Ok(order_model(models)?.is_some_and(|model| model.punctuation_apart()))
}

/// Which spans of the source may be phrases; single words always may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PhraseSpans {
    #[default]
    All,
    /// As many as are licensed, drawn at random.
    Random,
    /// Those that are a head with complete subtrees of its children.
    Licensed,
}

/// How `dependency-order` is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderScoring {
    /// Not at all: it is 0.
    None,
    /// By labels alone.
    Plain,
    /// By labels and words.
    #[default]
    Lexical,
}

/// What source trees are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderSettings {
    pub spans: PhraseSpans,
    /// Words of the longest span if they are random or licensed.
    pub licensed_words: usize,
    /// Whether every subtree of the source comes out in one piece.
    pub contiguous: bool,
    /// Whether words jumped over count, where there is a tree.
    pub linear_distortion: bool,
    pub scoring: OrderScoring,
    /// Whether `unlicensed` and `cohesion` count.
    pub soft_constraints: bool,
    /// The most trees that are used.
    pub trees: usize,
}

impl Default for OrderSettings {
    fn default() -> Self {
        OrderSettings {
            spans: PhraseSpans::All,
            licensed_words: 4,
            contiguous: false,
            linear_distortion: true,
            scoring: OrderScoring::Lexical,
            soft_constraints: false,
            trees: 1,
        }
    }
}

impl OrderSettings {
    /// Refuses settings under which search could find no way to the end.
    pub fn check(&self) -> Result<()> {
        match self.contiguous && self.spans != PhraseSpans::Licensed {
            true => Err(Error::setting(
                "search.contiguous is true; it needs search.spans=licensed, or set it to false: other \
                 phrases can hold parts of two subtrees, which no order then keeps together",
            )),
            false => Ok(()),
        }
    }
}

/// The features for all sentences.
pub struct DependencyOrder {
    model: Arc<OrderModel>,
    table: Arc<RuleTable>,
    how: OrderSettings,
    /// Whether words count.
    lexical: bool,
    /// Target words of the table, once they were needed.
    words: Vec<AtomicU32>,
}

/// Stands for a word that the order model does not know.
const NO_WORD: u32 = u32::MAX;

/// Stands for a target word that was not needed yet.
const UNSEEN: u32 = u32::MAX;
/// Marks target words that offsets do not count.
const PASSED: u32 = 1 << 31;

impl DependencyOrder {
    pub fn new(model: Arc<OrderModel>, table: Arc<RuleTable>, how: OrderSettings) -> Self {
        let words = (0..table.target().len()).map(|_| AtomicU32::new(UNSEEN)).collect();
        let lexical = how.scoring == OrderScoring::Lexical && model.lexical();
        DependencyOrder { model, table, how, lexical, words }
    }

    /// A target word of the table: its number in the order model, none if offsets pass over it.
    fn target_word(&self, word: WordId) -> Option<u32> {
        let place = self.words.get(word.index());
        let mut known = place.map_or(UNSEEN, |place| place.load(Relaxed));
        if known == UNSEEN {
            let text = self.table.target().word(word).unwrap_or_default();
            known =
                self.read(text).map_or(PASSED, |id| if id == NO_WORD { PASSED - 1 } else { id });
            place.into_iter().for_each(|place| place.store(known, Relaxed));
        }
        match known {
            PASSED => None,
            known if known == PASSED - 1 => Some(NO_WORD),
            known => Some(known),
        }
    }

    /// The same of a word as text.
    fn read(&self, text: &str) -> Option<u32> {
        let passed = self.model.punctuation_apart() && is_punctuation(text);
        let known = || self.model.word(text).filter(|_| self.lexical);
        (!passed).then(|| known().unwrap_or(NO_WORD))
    }
}

impl Feature for DependencyOrder {
    fn names(&self) -> Vec<String> {
        // Always the same ones, so that the weights of a bundle go with all settings.
        [ORDER, UNLICENSED, COHESION].map(str::to_string).to_vec()
    }

    fn stack(&self) -> Option<&dyn StackFeature> {
        Some(self)
    }

    fn uses(&self) -> Used {
        let trees = self.how.scoring != OrderScoring::None || self.how.soft_constraints;
        Used { trees, ..Used::default() }
    }
}

impl StackFeature for DependencyOrder {
    fn begin<'a>(&'a self, source: &'a Source) -> Box<dyn Scorer + 'a> {
        Box::new(Linearising::new(self, source))
    }

    fn looks_at_source(&self) -> bool {
        false
    }

    fn looks_ahead(&self) -> bool {
        self.how.scoring != OrderScoring::None
    }

    fn looks_back(&self) -> bool {
        false
    }
}
