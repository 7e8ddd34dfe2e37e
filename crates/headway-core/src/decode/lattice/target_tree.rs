//! Target tree features (Gimpel & Smith 2011, §4.1): how probable the dependencies of a tree over
//! phrases are, by phrases and by the words that link them, and both over word clusters.

use std::sync::Arc as Shared;

use super::arcs::{Arc, ArcFeature, ArcScorer};
use super::units::Unit;
use crate::decode::feature::Feature;
use crate::decode::registry::Registered;
use crate::decode::source::Source;
use crate::phrasedep::{PhraseDependencies, PhraseKey};

const PHRASES: &str = "phrase-dependency";
const WORDS: &str = "lexical-dependency";

/// The features of models with phrase dependencies.
pub const REGISTERED: Registered = Registered {
    model: "phrase-dependencies",
    searches: &["lattice"],
    families: &[PHRASES, WORDS],
    settings: &["dependency_constant"],
    joining: None,
    trees: true,
    exact: true,
    make: |models, search| {
        let model = models.get("phrase-dependencies", "phrase dependencies")?;
        let constant = search.lattice.constant;
        Ok(model.map(|model| Box::new(TargetTree { model, constant }) as Box<dyn Feature>))
    },
};

pub struct TargetTree {
    pub model: Shared<PhraseDependencies>,
    /// What is added to each log probability, so that what was seen counts for a tree.
    pub constant: f32,
}

impl Feature for TargetTree {
    fn names(&self) -> Vec<String> {
        [".words", ".classes"]
            .iter()
            .flat_map(|kind| [PHRASES, WORDS].map(|family| format!("{family}{kind}")))
            .collect()
    }

    fn arcs(&self) -> Option<&dyn ArcFeature> {
        Some(self)
    }
}

impl ArcFeature for TargetTree {
    fn begin<'a>(&'a self, _: &'a Source, units: &'a [Unit<'a>]) -> Box<dyn ArcScorer + 'a> {
        let keys = units.iter().map(|unit| self.model.phrase(&unit.words)).collect();
        Box::new(Dependencies { feature: self, keys })
    }

    /// The word that is the most probable parent of the others; the last of equal ones.
    fn head_word(&self, words: &[&str]) -> Option<usize> {
        let keys: Vec<PhraseKey> = words.iter().map(|word| self.model.phrase(&[word])).collect();
        let worth = |head: usize| -> f32 {
            let others = (0..keys.len()).filter(|&other| other != head);
            let lexical =
                |other: usize| self.model.scores(Some(&keys[head]), &keys[other], other < head)[1];
            others.map(|other| self.boosted(lexical(other))).sum()
        };
        let best = (0..keys.len()).max_by(|&one, &other| worth(one).total_cmp(&worth(other)))?;
        (worth(best) > 0.0).then_some(best)
    }
}

impl TargetTree {
    /// max(0, C + log p), and 0 for what was never seen.
    fn boosted(&self, log_prob: Option<f32>) -> f32 {
        log_prob.map_or(0.0, |log_prob| (self.constant + log_prob).max(0.0))
    }
}

struct Dependencies<'a> {
    feature: &'a TargetTree,
    keys: Vec<PhraseKey>,
}

impl ArcScorer for Dependencies<'_> {
    fn arc(&mut self, arc: Arc, values: &mut [f32]) {
        let parent = arc.parent.map(|parent| &self.keys[parent as usize]);
        let scores = self.feature.model.scores(parent, &self.keys[arc.child as usize], arc.left);
        for (value, score) in values.iter_mut().zip(scores) {
            *value = self.feature.boosted(score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::feature::SourceSpan;

    fn feature() -> TargetTree {
        let log = |values: [f32; 4]| values.map(Some);
        let model = PhraseDependencies::given(&[
            (Some("house"), "the small", true, log([-1.0, -2.0, -3.0, -4.0])),
            (None, "house", false, [Some(-0.5), None, Some(-9.0), None]),
            (Some("small"), "the", true, log([-1.0, -1.5, -1.0, -1.0])),
            (Some("the"), "small", false, log([-1.0, -2.5, -1.0, -1.0])),
        ]);
        TargetTree { model: Shared::new(model), constant: 3.5 }
    }

    #[test]
    fn what_was_seen_counts_above_the_constant() {
        let (feature, source) = (feature(), Source::default());
        let unit = |words: &'static str| Unit {
            source: SourceSpan::default(),
            words: words.split(' ').collect(),
        };
        let units = [unit("the small"), unit("house")];
        let mut scorer = feature.begin(&source, &units);
        let mut values = |parent, child, left| {
            let mut values = [9.0; 4];
            scorer.arc(Arc { parent, child, left }, &mut values);
            values
        };
        assert_eq!(values(Some(1), 0, true), [2.5, 1.5, 0.5, 0.0]);
        assert_eq!(values(Some(1), 0, false), [0.0; 4]);
        assert_eq!(values(None, 1, false), [3.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn the_head_word_is_the_likeliest_parent() {
        assert_eq!(feature().head_word(&["the", "small"]), Some(1));
        assert_eq!(feature().head_word(&["a", "small"]), None);
    }
}
