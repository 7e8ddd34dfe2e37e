//! From words to brackets, through grammars from coarse to fine.

use super::binary::BinaryTree;
use super::coarse::{CoarseChart, CoarseRules};
use super::decode::{Objective, best_derivation, best_rules};
use super::fine::{Best, FineChart, Total, refine};
use super::kept::Kept;
use super::learn::Learnt;
use super::level::{Level, View};
use super::symbols::Symbols;
use super::train::SearchSettings;

/// For each word the tags that it may have, with the scores of their variants.
pub type WordScores = Vec<Vec<(u16, Vec<f64>)>>;

/// The grammar at several degrees of detail.
#[derive(Debug, Clone)]
pub struct Search {
    /// The coarsest one first, the grammar itself last.
    levels: Vec<Level>,
    /// For each level what the symbols of the grammar are there.
    symbols: Vec<Vec<u16>>,
    coarse: CoarseRules,
    /// For each symbol of the coarsest level one of the grammar that it is seen of.
    examples: Vec<u16>,
}

impl Search {
    pub fn new(learnt: &Learnt, symbols: &Symbols) -> Self {
        let fine = &learnt.model.grammar;
        let (bare_count, bare) = symbols.bare();
        let same: Vec<u16> = (0..symbols.len() as u16).collect();
        let mut examples = vec![0; bare_count];
        bare.iter().zip(0..).for_each(|(&bare, own)| examples[bare as usize] = own);
        let view = View { sizes: vec![1; bare_count], symbol: &bare, variant: &learnt.origins[0] };
        let mut levels = vec![Level::project(fine, &learnt.states, &view)];
        let mut seen = vec![bare];
        let remembers = bare_count < symbols.len();
        let first = usize::from(!remembers && learnt.origins.len() > 1);
        for origins in &learnt.origins[first..] {
            let most = |of: &Vec<u16>| 1 + of.iter().copied().max().unwrap_or(0) as usize;
            let sizes = origins.iter().map(most).collect();
            let view = View { sizes, symbol: &same, variant: origins };
            let mut level = Level::project(fine, &learnt.states, &view);
            let coarser = &levels[levels.len() - 1];
            let above = if levels.len() == 1 { seen[0].clone() } else { same.clone() };
            level.set_coarser(coarser, above);
            levels.push(level);
            seen.push(same.clone());
        }
        let coarse = CoarseRules::new(&levels[0]);
        Search { levels, symbols: seen, coarse, examples }
    }

    /// The best tree, with the logarithm of its objective; none if the grammar has none.
    pub fn best(&self, words: &WordScores, how: &SearchSettings) -> Option<(f64, BinaryTree)> {
        let coarse_words = self.see(0, words);
        let chart = CoarseChart::new(&self.levels[0], &self.coarse, &coarse_words);
        if !(chart.total > 0.0 && chart.total.is_finite()) {
            return None;
        }
        let coarse = chart.prune(how.threshold);
        drop(chart);
        let kept = refine(&coarse, &self.levels[0], &self.levels[1]);
        self.best_from(1, kept, words, how).or_else(|| {
            let found = self.decode(&self.levels[0], coarse, &coarse_words, how);
            found.map(|(score, mut tree)| {
                let own = |symbol: u16| self.examples[symbol as usize];
                tree.nodes.iter_mut().for_each(|node| node.symbol = own(node.symbol));
                (score, tree)
            })
        })
    }

    /// The best tree of a level and those behind it; where these have none, its own.
    fn best_from(
        &self,
        at: usize,
        kept: Kept,
        words: &WordScores,
        how: &SearchSettings,
    ) -> Option<(f64, BinaryTree)> {
        let level = &self.levels[at];
        let seen = self.see(at, words);
        let Some(finer) = self.levels.get(at + 1) else {
            return self.decode(level, kept, &seen, how);
        };
        let mut chart = FineChart::new::<Total>(level, kept, &seen);
        if !(chart.total > 0.0 && chart.total.is_finite()) {
            return None;
        }
        chart.fill_outside();
        let kept = chart.prune(finer, how.threshold);
        self.best_from(at + 1, kept, words, how)
            .or_else(|| self.decode(level, chart.kept, &seen, how))
    }

    fn decode(
        &self,
        level: &Level,
        kept: Kept,
        words: &WordScores,
        how: &SearchSettings,
    ) -> Option<(f64, BinaryTree)> {
        let found = if how.objective == Objective::Viterbi {
            best_derivation(&FineChart::new::<Best>(level, kept, words))
        } else {
            let mut chart = FineChart::new::<Total>(level, kept, words);
            if !(chart.total > 0.0 && chart.total.is_finite()) {
                return None;
            }
            chart.fill_outside();
            best_rules(&chart, how.objective)
        };
        found.filter(|(score, _)| score.is_finite())
    }

    /// The scores of words at a level.
    fn see(&self, at: usize, words: &WordScores) -> WordScores {
        let fine = &self.levels[self.levels.len() - 1].grammar;
        let see =
            |scores: &Vec<(u16, Vec<f64>)>| self.levels[at].see(fine, &self.symbols[at], scores);
        words.iter().map(see).collect()
    }
}
