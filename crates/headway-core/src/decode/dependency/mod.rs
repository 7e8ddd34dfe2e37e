//! The dependency language model (Galley & Manning 2009): how well the words of a translation
//! hang together, found left to right while it grows.
//!
//! Every word is tagged as it comes and has its best head among the words so far; the feature is
//! the sum of these heads' scores. A complete translation gets its maximum spanning tree, unless
//! loops may stay. `chains` is how that is found; `value` in the tests is what it means.

mod chains;
mod heads;
mod words;
mod worth;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use self::chains::Chains;
use self::words::{Memory, TargetWord};
pub use self::worth::{HeadScore, Worth};
use super::feature::{Feature, Restate, Scorer, StackFeature};
use super::registry::Registered;
use super::source::Source;
use crate::parse::graph::{Templates, Token};
use crate::parse::tag::TaggerKind;
use crate::parse::{Parser, TreeParser};
use crate::table::RuleTable;
use crate::tree::DependencyTree;
use crate::{Error, Result};

/// The feature's name.
pub const NAME: &str = "dependency";

/// The feature of models with a parser.
pub const REGISTERED: Registered = Registered {
    model: "parser",
    searches: &["stack"],
    families: &[NAME],
    settings: &[
        "dependency_loops",
        "dependency_states",
        "dependency_score",
        "dependency_scale",
        "dependency_clip",
    ],
    joining: None,
    trees: true,
    exact: false,
    make: |models, search| {
        let Some(parser) = models.get::<Parser>("parser", "a parser")? else { return Ok(None) };
        let table = Arc::clone(&models.table);
        Ok(Some(Box::new(Dependency::new(parser, table, search.dependency)?)))
    },
};

/// So many words hang together at most; later ones begin a tree of their own.
const BLOCK: usize = 400;

/// Which hypotheses count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recombining {
    /// Those whose last two tags agree, whatever the heads of earlier words: approximate.
    #[default]
    Tags,
    /// Those with the same words: exact.
    Words,
}

/// How the feature is computed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DependencySettings {
    /// Whether loops stay in complete translations: the best head of each word counts.
    pub loops: bool,
    pub recombining: Recombining,
    pub worth: Worth,
}

/// What it took, over all sentences so far.
#[derive(Debug, Default)]
pub struct Counters {
    /// Arcs scored.
    pub arcs: AtomicU64,
    /// Different beginnings of translations.
    pub states: AtomicU64,
    /// Different complete translations, and those whose best heads were no tree, of the ones
    /// that were asked: not if another one was better even so.
    pub complete: AtomicU64,
    pub loops: AtomicU64,
}

pub struct Dependency {
    parser: Arc<Parser>,
    table: Arc<RuleTable>,
    how: DependencySettings,
    /// Whether words behind a pair of words matter by their tags only.
    of_tags: bool,
    /// For each tag of the tagger what the parser makes of it.
    tags: Vec<Token>,
    /// Target words of the table, once they were needed.
    words: Vec<OnceLock<Box<TargetWord>>>,
    /// What sentences leave to those after them.
    pool: Mutex<Vec<Memory>>,
    counters: Counters,
}

impl Dependency {
    pub fn new(
        parser: Arc<Parser>,
        table: Arc<RuleTable>,
        how: DependencySettings,
    ) -> Result<Self> {
        if parser.tagger().kind() != TaggerKind::Streaming {
            return Err(Error::setting(
                "the parser's tagger looks ahead, which a growing translation does not allow; \
                 train it with --tagger streaming",
            ));
        }
        let numbering = parser.model().numbering();
        let token = |name: &str| numbering.token("", name);
        let tags = parser.tagger().tags().words().map(token).collect();
        let words = (0..table.target().len()).map(|_| OnceLock::new()).collect();
        let of_tags = parser.model().features().templates == Templates::Paper;
        let (pool, counters) = (Mutex::default(), Counters::default());
        Ok(Dependency { parser, table, how, of_tags, tags, words, pool, counters })
    }

    /// The tree of a whole translation. Where it has several blocks, later ones hang from the
    /// root of the first.
    fn whole_tree(&self, words: &[String]) -> Result<DependencyTree> {
        let (mut heads, mut tags, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        let mut root = 0;
        for (block, start) in words.chunks(BLOCK).zip((0_u32..).step_by(BLOCK)) {
            let tree = self.parser.spanning_tree(block)?;
            heads.extend(
                tree.heads().iter().map(|&head| if head == 0 { root } else { head + start }),
            );
            tags.extend_from_slice(tree.tags());
            labels.extend_from_slice(tree.labels());
            let first = heads.iter().position(|&head| head == 0);
            root = first.map_or(0, |place| place as u32 + 1);
        }
        DependencyTree::new(words.to_vec(), heads, tags, labels)
    }

    fn memory(&self) -> Memory {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.pop().unwrap_or_default()
    }

    /// Takes back what a sentence left, and counts what it took.
    fn give_back(&self, mut memory: Memory, states: u64, complete: u64, loops: u64) {
        let Counters { arcs, states: all, complete: whole, loops: broken } = &self.counters;
        arcs.fetch_add(std::mem::take(&mut memory.scorer.arcs), Relaxed);
        all.fetch_add(states, Relaxed);
        whole.fetch_add(complete, Relaxed);
        broken.fetch_add(loops, Relaxed);
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}

impl Feature for Dependency {
    fn names(&self) -> Vec<String> {
        vec![NAME.to_string()]
    }

    fn stack(&self) -> Option<&dyn StackFeature> {
        Some(self)
    }

    fn tree(&self, words: &[String]) -> Option<Result<DependencyTree>> {
        Some(self.whole_tree(words))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let Counters { arcs, states, complete, loops } = &self.counters;
        vec![
            ("arcs", arcs.load(Relaxed)),
            ("states", states.load(Relaxed)),
            ("complete", complete.load(Relaxed)),
            ("loops", loops.load(Relaxed)),
        ]
    }
}

impl StackFeature for Dependency {
    fn begin<'a>(&'a self, _source: &'a Source) -> Box<dyn Scorer + 'a> {
        Box::new(Chains::new(self))
    }

    fn looks_at_source(&self) -> bool {
        false
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn restate(&self) -> Option<Box<Restate<'_>>> {
        let mut chains = Chains::new(self);
        Some(Box::new(move |words| vec![chains.whole(words)]))
    }
}

#[cfg(test)]
mod tests;
