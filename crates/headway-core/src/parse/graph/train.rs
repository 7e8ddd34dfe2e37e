//! Training: rounds of MIRA over the treebank.
//!
//! A few sentences at a time are parsed side by side with the weights as they are; then each
//! updates them in turn. So the result is the same on any number of threads.

use rayon::prelude::*;

use crate::parse::treebank::Treebank;
use crate::{Error, Monitor, Result, Vocabulary};

use super::between::Between;
use super::features::{Input, arc_keys, slots};
use super::mira::{Constraint, hildreth};
use super::model::GraphModel;
use super::search::Search;
use super::weights::{BITS, Weights};

#[derive(Debug, Clone, Copy)]
pub struct GraphTraining {
    pub search: Search,
    pub between: Between,
    pub lowercase: bool,
    pub single_root: bool,
    pub rounds: u64,
    /// Trees that the gold tree has to beat at each step.
    pub k: usize,
    /// The longest step of an update.
    pub step: f64,
    /// Sentences parsed side by side.
    pub batch: usize,
    /// The number of weights, as a power of two.
    pub bits: u32,
    pub seed: u64,
}

impl GraphTraining {
    pub fn check(&self) -> Result<()> {
        if !BITS.contains(&self.bits) {
            let (bits, low, high) = (self.bits, BITS.start(), BITS.end());
            return Err(Error::setting(format!(
                "parse.feature_bits: {bits} is out of range; use {low} to {high}"
            )));
        }
        if self.k == 0 || self.batch == 0 || self.step.is_nan() || self.step <= 0.0 {
            return Err(Error::setting("parse.k, parse.batch and parse.step must be above 0"));
        }
        Ok(())
    }

    /// Learns from the heads of a treebank, with `tags` for each of its sentences.
    pub fn train(
        &self,
        treebank: &Treebank,
        tags: &[Vec<String>],
        monitor: &Monitor,
    ) -> Result<GraphModel> {
        self.check()?;
        let model = self.untrained(treebank, tags);
        let inputs: Vec<Input> = treebank
            .examples
            .par_iter()
            .zip(tags)
            .map(|(example, tags)| model.input(example.tree.forms(), tags))
            .collect();
        let mut learner = Learner { average: Weights::new(self.bits), model, training: self };
        let rounds: Vec<Vec<u32>> =
            (0..self.rounds).map(|round| treebank.round(self.seed, round)).collect();
        let total: usize = rounds.iter().map(Vec::len).sum();
        let mut done = 0;
        for batch in rounds.iter().flat_map(|order| order.chunks(self.batch)) {
            let found: Vec<Vec<Vec<u32>>> =
                batch.par_iter().map(|&at| learner.parse(&inputs[at as usize])).collect();
            for (&at, trees) in batch.iter().zip(found) {
                let gold = treebank.examples[at as usize].tree.heads();
                let remaining = (total - done) as f64 / total as f64;
                learner.update(&inputs[at as usize], gold, &trees, remaining);
                done += 1;
            }
            monitor.advance(batch.len() as u64)?;
        }
        Ok(learner.finish())
    }

    fn untrained(&self, treebank: &Treebank, tags: &[Vec<String>]) -> GraphModel {
        let (mut words, mut tag_names) = (Vocabulary::default(), Vocabulary::default());
        for form in treebank.examples.iter().flat_map(|example| example.tree.forms()) {
            if self.lowercase {
                words.add(&form.to_lowercase());
            } else {
                words.add(form);
            }
        }
        tags.iter().flatten().for_each(|tag| {
            tag_names.add(tag);
        });
        GraphModel {
            words,
            tags: tag_names,
            between: self.between,
            lowercase: self.lowercase,
            weights: Weights::new(self.bits),
        }
    }
}

struct Learner<'t> {
    model: GraphModel,
    average: Weights,
    training: &'t GraphTraining,
}

impl Learner<'_> {
    fn parse(&self, input: &Input) -> Vec<Vec<u32>> {
        let GraphTraining { search, single_root, k, .. } = *self.training;
        let scores = self.model.scores(input);
        if k == 1 {
            return vec![search.best(&scores, single_root)];
        }
        search.kbest(&scores, single_root, k).into_iter().map(|(_, heads)| heads).collect()
    }

    fn update(&mut self, input: &Input, gold: &[u32], trees: &[Vec<u32>], remaining: f64) {
        let wrong =
            |heads: &[u32]| heads.iter().zip(gold).filter(|(one, other)| one != other).count();
        let constraints: Vec<Constraint> = trees
            .iter()
            .filter(|heads| wrong(heads) > 0)
            .map(|heads| self.constraint(input, gold, heads, wrong(heads) as f64))
            .collect();
        let steps = hildreth(&constraints, self.training.step);
        for (constraint, step) in constraints.iter().zip(steps).filter(|(_, step)| *step > 0.0) {
            for &(place, change) in &constraint.difference {
                let change = f64::from(change) * step;
                let (line, slot) = (place as usize / 16, place as usize % 16);
                self.model.weights.add(line, slot, change as f32);
                self.average.add(line, slot, (change * remaining) as f32);
            }
        }
    }

    fn constraint(&self, input: &Input, gold: &[u32], heads: &[u32], loss: f64) -> Constraint {
        let differs = |at: &usize| gold[*at] != heads[*at];
        let mut features = [Vec::new(), Vec::new()];
        for at in (0..gold.len()).filter(differs) {
            self.places(input, gold[at] as usize, at + 1, &mut features[0]);
            self.places(input, heads[at] as usize, at + 1, &mut features[1]);
        }
        let weights = &self.model.weights;
        let weight = |place: u32| weights.at(place as usize / 16, place as usize % 16);
        Constraint::new(&features[0], &features[1], loss, weight)
    }

    fn places(&self, input: &Input, head: usize, modifier: usize, places: &mut Vec<u32>) {
        let (side, distance) = slots(head, modifier);
        for key in arc_keys(input, head, modifier, self.model.between) {
            let line = self.model.weights.place(key) as u32 * 16;
            places.extend([line + side as u32, line + distance as u32]);
        }
    }

    fn finish(self) -> GraphModel {
        GraphModel { weights: self.average, ..self.model }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::treebank::Example;
    use crate::tree::DependencyTree;

    fn treebank() -> Treebank {
        let sentences = [
            ("the dog barks", "D N V", [2, 3, 0].as_slice()),
            ("dogs bark", "N V", &[2, 0]),
            ("the cat sees the dog", "D N V D N", &[2, 3, 0, 5, 3]),
            ("see the cat", "V D N", &[0, 3, 1]),
        ];
        let strings = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        let example = |&(forms, tags, heads): &(&str, &str, &[u32])| {
            let labels = vec!["_".to_string(); heads.len()];
            let tree = DependencyTree::new(strings(forms), heads.to_vec(), strings(tags), labels);
            Example { tree: tree.unwrap(), weight: 1.0 }
        };
        Treebank { examples: sentences.iter().map(example).collect(), ..Treebank::default() }
    }

    fn training(search: Search, k: usize) -> GraphTraining {
        GraphTraining {
            search,
            between: Between::Window,
            lowercase: false,
            single_root: true,
            rounds: 10,
            k,
            step: 1.0,
            batch: 2,
            bits: 16,
            seed: 1,
        }
    }

    #[test]
    fn a_small_treebank_is_learnt_by_heart() {
        let treebank = treebank();
        let tags: Vec<Vec<String>> =
            treebank.examples.iter().map(|example| example.tree.tags().to_vec()).collect();
        for (search, k) in [
            (Search::Eisner, 1),
            (Search::Mst, 1),
            (Search::Local, 1),
            (Search::Eisner, 3),
            (Search::Mst, 3),
        ] {
            let model = training(search, k).train(&treebank, &tags, &Monitor::default()).unwrap();
            for example in &treebank.examples {
                let input = model.input(example.tree.forms(), example.tree.tags());
                let found = search.best(&model.scores(&input), true);
                assert_eq!(found, &example.tree.heads()[..], "{search:?} {k}");
            }
        }
    }

    #[test]
    fn an_explained_arc_and_a_scorer_agree_with_the_matrix() {
        let treebank = treebank();
        let tags: Vec<Vec<String>> =
            treebank.examples.iter().map(|example| example.tree.tags().to_vec()).collect();
        for (_, between) in Between::ALL {
            let how = GraphTraining { between, ..training(Search::Mst, 1) };
            let model = how.train(&treebank, &tags, &Monitor::default()).unwrap();
            let tree = &treebank.examples[2].tree;
            let input = model.input(tree.forms(), tree.tags());
            let scores = model.scores(&input);
            let mut scorer = super::super::Scorer::new(&model);
            let mut words = super::super::Scorer::start();
            for (form, tag) in tree.forms().iter().zip(tree.tags()) {
                let item = scorer.item(form, tag);
                scorer.push(&mut words, item);
            }
            assert_eq!(words, input);
            for modifier in 1..=5 {
                for head in (0..=5).filter(|&head| head != modifier) {
                    let expected = scores.get(head, modifier);
                    let named = model.explain(tree.forms(), tree.tags(), head, modifier).unwrap();
                    let sum: f64 = named.iter().map(|feature| feature.weight).sum();
                    assert!((sum - expected).abs() < 1e-4);
                    assert!((scorer.score(&words, head, modifier) - expected).abs() < 1e-4);
                }
            }
        }
    }
}
