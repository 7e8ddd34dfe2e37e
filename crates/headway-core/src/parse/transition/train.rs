//! Training: rounds of the averaged perceptron over the treebank.
//!
//! A few sentences at a time are parsed side by side with the weights as they are; then each
//! changes them in turn. So the result is the same on any number of threads.

use rayon::prelude::*;

use crate::parse::multiclass::{Learner, Multiclass, Scores};
use crate::parse::treebank::Treebank;
use crate::random::Random;
use crate::tree::projectivise;
use crate::{Error, Monitor, Result, Vocabulary};

use super::beam::Beam;
use super::features::{Input, features};
use super::gold::{Gold, join_roots};
use super::greedy::{Judge, Scratch, best};
use super::moves::Moves;
use super::oracle::cost;
use super::state::State;
use super::swap_oracle::SwapOracle;
use super::system::{Action, System};

#[derive(Debug, Clone, Copy)]
pub struct TransitionTraining {
    pub system: System,
    pub single_root: bool,
    pub lowercase: bool,
    /// States side by side; 1 trains a greedy parser.
    pub beam: usize,
    pub rounds: u64,
    /// Greedy arc-eager parsing: how often, from the second round on, training goes on from
    /// the parser's own step even if it was wrong.
    pub exploration: f64,
    /// Sentences parsed side by side.
    pub batch: usize,
    pub seed: u64,
}

/// A sentence to learn from.
pub struct Lesson {
    input: Input,
    gold: Gold,
    swaps: Option<SwapOracle>,
}

/// Changes of weights: features, a class, and by how much.
type Changes = Vec<(Vec<u64>, u16, f32)>;

impl TransitionTraining {
    pub fn check(&self) -> Result<()> {
        if self.beam == 0 || self.batch == 0 {
            let message = "parse.transition.beam and parse.transition.batch must be above 0";
            return Err(Error::setting(message));
        }
        if !(0.0..=1.0).contains(&self.exploration) {
            let found = self.exploration;
            return Err(Error::setting(format!(
                "parse.transition.exploration: {found} is out of range; use 0 to 1"
            )));
        }
        Ok(())
    }

    /// Learns from the trees of a treebank, with `tags` for each of its sentences.
    pub fn train(
        &self,
        treebank: &Treebank,
        tags: &[Vec<String>],
        monitor: &Monitor,
    ) -> Result<(Moves, Multiclass)> {
        self.check()?;
        let mut labels = Vocabulary::default();
        let golds: Vec<Gold> = treebank
            .examples
            .iter()
            .map(|one| self.gold(&one.tree, &mut labels))
            .collect::<Result<_>>()?;
        let moves = Moves::new(self.system, labels, golds.iter())?;
        let lessons: Vec<Lesson> = treebank
            .examples
            .par_iter()
            .zip(tags)
            .zip(golds)
            .map(|((example, tags), gold)| self.lesson(example.tree.forms(), tags, gold))
            .collect();
        let visits: Vec<(u64, u32)> = (0..self.rounds)
            .flat_map(|round| {
                treebank.round(self.seed, round).into_iter().map(move |at| (round, at))
            })
            .collect();
        let mut learner = Learner::new();
        let mut done = 0;
        for batch in visits.chunks(self.batch) {
            let judge = Judge {
                system: self.system,
                single: self.single_root,
                moves: &moves,
                model: &learner,
            };
            let found: Vec<Changes> = (done..)
                .zip(batch)
                .collect::<Vec<(u64, &(u64, u32))>>()
                .par_iter()
                .map(|&(visit, &(round, at))| {
                    self.learn(&judge, &lessons[at as usize], round, visit)
                })
                .collect();
            for changes in found {
                learner.at(done, visits.len() as u64);
                apply(&mut learner, &changes);
                done += 1;
            }
            monitor.advance(batch.len() as u64)?;
        }
        Ok((moves, learner.finish()))
    }

    /// The gold tree as this system can make it.
    fn gold(&self, tree: &crate::tree::DependencyTree, labels: &mut Vocabulary) -> Result<Gold> {
        let mut heads = tree.heads().to_vec();
        if self.single_root {
            join_roots(&mut heads);
        }
        let root = match self.system {
            System::Swap => 0,
            System::Eager => {
                projectivise(&mut heads);
                heads.len() as u32 + 1
            }
        };
        let number = |label: &String| {
            let number = labels.add(label).0;
            u16::try_from(number)
                .map_err(|_| Error::setting("more than 65,536 labels: is column 8 of labels?"))
        };
        let labels: Vec<u16> = tree.labels().iter().map(number).collect::<Result<_>>()?;
        Ok(Gold::new(&heads, labels, root))
    }

    fn lesson(&self, forms: &[String], tags: &[String], gold: Gold) -> Lesson {
        let swaps = (self.system == System::Swap).then(|| SwapOracle::new(&gold));
        Lesson { input: Input::new(forms, tags, self.lowercase), gold, swaps }
    }

    fn learn(&self, judge: &Judge<Learner>, lesson: &Lesson, round: u64, visit: u64) -> Changes {
        if self.beam > 1 {
            return learn_with_beam(judge, lesson, self.beam);
        }
        let explores = self.system == System::Eager && round > 0;
        let exploration = if explores { self.exploration } else { 0.0 };
        learn_greedily(judge, lesson, exploration, &mut Random::new(self.seed, visit))
    }
}

fn apply(learner: &mut Learner, changes: &Changes) {
    for (keys, class, change) in changes {
        keys.iter().for_each(|&key| learner.update(key, *class, *change));
    }
}

/// Which classes cost nothing: allowed, no gold arc lost that need not be, the label right.
fn free<M>(judge: &Judge<M>, lesson: &Lesson, state: &State) -> Vec<bool> {
    let gold = &lesson.gold;
    let costs = Action::ALL.map(|action| {
        if !judge.system.allows(state, action, judge.single) {
            return u32::MAX;
        }
        match &lesson.swaps {
            Some(swaps) => u32::from(swaps.next(state, gold) != action),
            None => cost(state, gold, action, judge.single),
        }
    });
    let least = costs.iter().copied().min().unwrap_or(0);
    let arcs = Action::ALL.map(|action| judge.system.arc(state, action));
    let is_free = |action: Action, label: u16| {
        let at = action as usize;
        let arc = if action.is_arc() { arcs[at] } else { None };
        let named =
            arc.is_none_or(|(head, word)| gold.head(word) != head || gold.label(word) == label);
        costs[at] == least && named
    };
    judge.moves.all().map(|(_, step)| is_free(step.action, step.label)).collect()
}

fn learn_greedily(
    judge: &Judge<Learner>,
    lesson: &Lesson,
    exploration: f64,
    random: &mut Random,
) -> Changes {
    let mut changes = Changes::new();
    let mut state = judge.system.start(lesson.input.len());
    let mut scratch = Scratch::default();
    while !judge.system.is_end(&state) {
        judge.judge(&lesson.input, &state, &mut scratch);
        let free = free(judge, lesson, &state);
        let found = best(&scratch.scores, |_| true);
        let right = best(&scratch.scores, |class| free[class]);
        let mut next = found;
        if !free[found as usize] {
            changes.push((scratch.keys.clone(), right, 1.0));
            changes.push((scratch.keys.clone(), found, -1.0));
            next = if random.next_f64() < exploration { found } else { right };
        }
        judge.take(&mut state, next);
    }
    changes
}

/// Early update (Collins & Roark 2004): as soon as no way to the gold tree is left in the beam,
/// the best that was dropped is made better and the best that stayed worse.
fn learn_with_beam(judge: &Judge<Learner>, lesson: &Lesson, size: usize) -> Changes {
    let mut beam = Beam::new(judge, &lesson.input, size);
    while !beam.is_done() {
        if let Some(lost) = beam.advance(|state| free(judge, lesson, state)) {
            return difference(judge, lesson, &beam.way(&lost), &beam.way(&beam.items[0]));
        }
    }
    let Some(right) = beam.items.iter().find(|item| item.right) else { return Changes::new() };
    difference(judge, lesson, &beam.way(right), &beam.way(&beam.items[0]))
}

/// Makes one way better and another worse, from where they part.
fn difference<M: Scores>(
    judge: &Judge<M>,
    lesson: &Lesson,
    right: &[u16],
    found: &[u16],
) -> Changes {
    let shared = right.iter().zip(found).take_while(|(one, other)| one == other).count();
    let mut changes = Changes::new();
    for (way, change) in [(right, 1.0), (found, -1.0)] {
        let mut state = judge.system.start(lesson.input.len());
        for (at, &class) in way.iter().enumerate() {
            if at >= shared {
                let mut keys = Vec::new();
                features(judge.system, &lesson.input, &state, &mut keys);
                changes.push((keys, class, change));
            }
            judge.take(&mut state, class);
        }
    }
    changes
}
