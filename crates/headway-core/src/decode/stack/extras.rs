//! Further features of a sentence as one: their states are one number.

use smallvec::{SmallVec, smallvec};

use crate::decode::Phrase;
use crate::decode::feature::{Scorer, SourceSpan, Step};
use crate::decode::interned::Interned;

/// Further features of the sentence, with the numbers of their states.
pub struct Extras<'f> {
    pub scorers: Vec<Box<dyn Scorer + 'f>>,
    /// The model's columns that each writes.
    pub columns: Vec<Vec<usize>>,
    /// Whether some scorer wants to know where the last phrase's source words begin.
    pub look_at_source: bool,
    /// Whether cube pruning does without them until a hypothesis is taken.
    pub slow: bool,
    /// Whether some scorer has an outlook.
    pub look_ahead: bool,
    /// Whether some scorer looks at the phrase before.
    pub look_back: bool,
    tuples: Interned<u32>,
}

impl<'f> Extras<'f> {
    pub fn new(
        scorers: Vec<Box<dyn Scorer + 'f>>,
        columns: Vec<Vec<usize>>,
        look_at_source: bool,
        slow: bool,
        look_ahead: bool,
        look_back: bool,
    ) -> Self {
        let mut tuples = Interned::new(scorers.len());
        tuples.id(&vec![0; scorers.len()]);
        Extras { scorers, columns, look_at_source, slow, look_ahead, look_back, tuples }
    }

    pub fn is_empty(&self) -> bool {
        self.scorers.is_empty()
    }

    /// The states of a tuple. That of a single scorer is its own number.
    fn states(&self, id: u32) -> &[u32] {
        self.tuples.get(id)
    }

    /// Makes a step from a tuple of states; tells the values by column.
    pub fn extend(&mut self, from: u32, step: &Step<'_>, mut tell: impl FnMut(usize, f32)) -> u32 {
        if let ([scorer], [columns]) = (&mut self.scorers[..], &self.columns[..]) {
            let mut values: SmallVec<[f32; 8]> = smallvec![0.0; columns.len()];
            let state = scorer.extend(from, step, &mut values);
            columns.iter().zip(values).for_each(|(&column, value)| tell(column, value));
            return state;
        }
        let mut states: SmallVec<[u32; 4]> = self.tuples.get(from).into();
        for (index, scorer) in self.scorers.iter_mut().enumerate() {
            let mut values = vec![0.0; self.columns[index].len()];
            states[index] = scorer.extend(states[index], step, &mut values);
            self.columns[index].iter().zip(values).for_each(|(&column, value)| tell(column, value));
        }
        self.tuples.id(&states).0
    }

    /// Tells what is added when all words are covered, by column.
    pub fn finish(&mut self, from: u32, tell: impl FnMut(usize, f32)) {
        self.tell_end(from, |scorer, state, values| scorer.finish(state, values), tell);
    }

    /// The same or more.
    pub fn finish_at_most(&mut self, from: u32, tell: impl FnMut(usize, f32)) {
        self.tell_end(from, |scorer, state, values| scorer.finish_at_most(state, values), tell);
    }

    fn tell_end(
        &mut self,
        from: u32,
        ask: impl Fn(&mut dyn Scorer, u32, &mut [f32]),
        mut tell: impl FnMut(usize, f32),
    ) {
        let states: SmallVec<[u32; 4]> = match self.scorers.len() {
            1 => smallvec![from],
            _ => self.states(from).into(),
        };
        for (index, scorer) in self.scorers.iter_mut().enumerate() {
            let mut values = vec![0.0; self.columns[index].len()];
            ask(scorer.as_mut(), states[index], &mut values);
            self.columns[index].iter().zip(values).for_each(|(&column, value)| tell(column, value));
        }
    }

    /// What a phrase for these source words is expected to score, weighted.
    pub fn estimate(&self, span: SourceSpan, phrase: &Phrase, weights: &[f32]) -> f32 {
        let mut total = 0.0;
        for (scorer, columns) in self.scorers.iter().zip(&self.columns) {
            let mut values = vec![0.0; columns.len()];
            scorer.estimate(span, phrase, &mut values);
            total += columns.iter().zip(values).map(|(&c, value)| weights[c] * value).sum::<f32>();
        }
        total
    }

    /// What is expected of the rest of the sentence, weighted.
    pub fn outlook(&self, from: u32, weights: &[f32]) -> f32 {
        let mut total = 0.0;
        for (index, (scorer, columns)) in self.scorers.iter().zip(&self.columns).enumerate() {
            let state = if self.scorers.len() == 1 { from } else { self.states(from)[index] };
            let mut values: SmallVec<[f32; 8]> = smallvec![0.0; columns.len()];
            scorer.outlook(state, &mut values);
            total += columns.iter().zip(values).map(|(&c, value)| weights[c] * value).sum::<f32>();
        }
        total
    }

    pub fn keys(&self, id: u32) -> impl Iterator<Item = u64> + '_ {
        let states: SmallVec<[u32; 4]> = match self.scorers.len() {
            1 => smallvec![id],
            _ => self.states(id).into(),
        };
        self.scorers.iter().zip(states).map(|(scorer, state)| scorer.key(state))
    }
}
