//! The error surface over forests (Kumar et al. 2009): the upper envelope of all derivations,
//! computed bottom-up as inside values are, with sums of envelopes at edges and their union at
//! nodes.

use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_128;

use super::envelope::push;
use super::judged;
use super::space::{Direction, Segments, Space};
use crate::forest::{EdgeId, Forest};
use crate::metric::{Judge, Metric, words};
use crate::{Error, Result};

/// Forests of all iterations so far, for each sentence of a dev set.
pub struct Forests {
    metric: Box<dyn Metric>,
    features: usize,
    sentences: Vec<Sentence>,
}

struct Sentence {
    judge: Box<dyn Judge>,
    forests: Vec<Arc<Forest>>,
    /// Statistics of the translations met so far.
    judged: Mutex<FxHashMap<u128, Arc<[f32]>>>,
}

impl Forests {
    /// Without forests yet, for sentences with these references (sentence, reference, word).
    pub fn new(
        metric: Box<dyn Metric>,
        references: &[Vec<Vec<String>>],
        features: usize,
    ) -> Result<Self> {
        let sentence = |judge| Sentence { judge, forests: Vec::new(), judged: Mutex::default() };
        let sentences = judged(&*metric, references, sentence)?;
        Ok(Forests { metric, features, sentences })
    }

    /// Adds a forest for each sentence.
    pub fn add(&mut self, forests: Vec<Arc<Forest>>) -> Result<()> {
        if forests.len() != self.sentences.len() {
            let (found, expected) = (forests.len(), self.sentences.len());
            return Err(Error::setting(format!(
                "tuning: {found} forests for {expected} sentences"
            )));
        }
        if let Some(forest) = forests.iter().find(|f| f.features().len() != self.features) {
            let (found, expected) = (forest.features().len(), self.features);
            let message = format!("tuning: a forest with {found} features, expected {expected}");
            return Err(Error::setting(message));
        }
        for (sentence, forest) in self.sentences.iter_mut().zip(forests) {
            sentence.forests.push(forest);
        }
        Ok(())
    }

    /// The metric of the best derivations.
    pub fn score(&self, weights: &[f64]) -> Result<f64> {
        let mut sums = vec![0.0; self.metric.width()];
        let best: Vec<Segments> = (0..self.sentences.len())
            .into_par_iter()
            .map(|sentence| self.segments(sentence, &weights.to_vec(), &[]))
            .collect::<Result<_>>()?;
        for segments in best {
            for (sum, &number) in sums.iter_mut().zip(&segments.statistics) {
                *sum += f64::from(number);
            }
        }
        Ok(self.metric.score(&sums))
    }
}

impl Space for Forests {
    type Point = Vec<f64>;

    fn features(&self) -> usize {
        self.features
    }

    fn sentences(&self) -> usize {
        self.sentences.len()
    }

    fn metric(&self) -> &dyn Metric {
        self.metric.as_ref()
    }

    fn at(&self, weights: &[f64]) -> Result<Vec<f64>> {
        Ok(weights.to_vec())
    }

    fn segments(
        &self,
        sentence: usize,
        point: &Vec<f64>,
        direction: &Direction,
    ) -> Result<Segments> {
        let mut slope = vec![0.0; self.features];
        for &(feature, share) in direction {
            slope[feature] = share;
        }
        let sentence = &self.sentences[sentence];
        let mut lines = Vec::new();
        let mut derivations = Vec::new();
        for forest in &sentence.forests {
            let envelopes = Envelopes::new(forest, point, &slope)?;
            for &line in envelopes.goal() {
                lines.push(envelopes.lines[line as usize].plain(derivations.len()));
                derivations.push((forest, envelopes.derivation(line)));
            }
        }
        let mut segments = Segments::default();
        let mut before: Option<Arc<[f32]>> = None;
        for (from, line) in hull(&mut lines) {
            let (forest, edges) = &derivations[lines[line].edge as usize];
            let numbers = sentence.statistics(forest, edges)?;
            if before.as_ref() != Some(&numbers) {
                segments.from.push(from);
                segments.statistics.extend_from_slice(&numbers);
            }
            before = Some(numbers);
        }
        Ok(segments)
    }
}

impl Sentence {
    fn statistics(&self, forest: &Forest, edges: &[EdgeId]) -> Result<Arc<[f32]>> {
        let text = forest.text(edges)?;
        let key = xxh3_128(text.as_bytes());
        let known = self
            .judged
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .get(&key)
            .cloned();
        if let Some(numbers) = known {
            return Ok(numbers);
        }
        let mut numbers = Vec::new();
        self.judge.judge(&words(&text), &mut numbers);
        let numbers: Arc<[f32]> = numbers.iter().map(|&number| number as f32).collect();
        let mut judged = self.judged.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(judged.entry(key).or_insert(numbers).clone())
    }
}

/// A derivation of a node as a line: its score at 0, its slope, and how it is made.
#[derive(Debug, Clone)]
struct Line {
    slope: f64,
    score: f64,
    edge: u32,
    tails: SmallVec<[u32; 2]>,
}

impl Line {
    /// The same line, standing for something else.
    fn plain(&self, number: usize) -> Line {
        let tails = SmallVec::new();
        Line { slope: self.slope, score: self.score, edge: number as u32, tails }
    }
}

/// The envelope of every node, over lines that are shared.
struct Envelopes<'a> {
    forest: &'a Forest,
    lines: Vec<Line>,
    /// For each node its lines, in the order of slopes.
    nodes: Vec<Vec<u32>>,
}

impl<'a> Envelopes<'a> {
    fn new(forest: &'a Forest, point: &[f64], direction: &[f64]) -> Result<Self> {
        let (scores, slopes) = (forest.weighted_with(point)?, forest.weighted_with(direction)?);
        let nodes = Vec::with_capacity(forest.node_count());
        let mut envelopes = Envelopes { forest, lines: Vec::new(), nodes };
        for node in forest.nodes() {
            let mut found: Vec<Line> = Vec::new();
            for edge in node.edges() {
                let id = edge.id();
                let own = (slopes.scores()[id.index()], scores.scores()[id.index()]);
                envelopes.sum(id, own, &mut found);
            }
            let kept = hull(&mut found);
            let first = envelopes.lines.len() as u32;
            envelopes.lines.extend(kept.into_iter().map(|(_, line)| found[line].clone()));
            envelopes.nodes.push((first..envelopes.lines.len() as u32).collect());
        }
        Ok(envelopes)
    }

    fn goal(&self) -> &[u32] {
        &self.nodes[self.forest.goal().index()]
    }

    /// The lines of an edge: the sum of its own and, for each tail, that which is highest at the
    /// same place.
    fn sum(&self, edge: EdgeId, own: (f64, f64), found: &mut Vec<Line>) {
        let start = Line { slope: own.0, score: own.1, edge: edge.0, tails: SmallVec::new() };
        let mut sums = vec![start];
        for tail in self.forest.edge(edge).tails() {
            let tail = &self.nodes[tail.index()];
            if tail.is_empty() {
                return;
            }
            sums = self.plus(&sums, tail);
        }
        found.extend(sums);
    }

    /// Both envelopes walked from left to right: at each place the sum of what is highest.
    fn plus(&self, sums: &[Line], tail: &[u32]) -> Vec<Line> {
        let line = |place: usize| &self.lines[tail[place] as usize];
        let (mut left, mut right) = (0, 0);
        let mut found = Vec::with_capacity(sums.len() + tail.len());
        loop {
            let (a, b) = (&sums[left], line(right));
            let mut tails = a.tails.clone();
            tails.push(tail[right]);
            let (slope, score) = (a.slope + b.slope, a.score + b.score);
            found.push(Line { slope, score, edge: a.edge, tails });
            let next_left = sums.get(left + 1).map(|next| crossing(a, next));
            let next_right = (right + 1 < tail.len()).then(|| crossing(b, line(right + 1)));
            match (next_left, next_right) {
                (None, None) => return found,
                (Some(at), Some(other)) if at <= other => left += 1,
                (Some(_), None) => left += 1,
                _ => right += 1,
            }
        }
    }

    /// The edges of a line's derivation, each before those of its tails.
    fn derivation(&self, line: u32) -> Vec<EdgeId> {
        let (mut edges, mut open) = (Vec::new(), vec![line]);
        while let Some(line) = open.pop() {
            let line = &self.lines[line as usize];
            edges.push(EdgeId(line.edge));
            open.extend(line.tails.iter().rev());
        }
        edges
    }
}

/// Where the steeper of two lines becomes the higher one.
fn crossing(a: &Line, b: &Line) -> f64 {
    (a.score - b.score) / (b.slope - a.slope)
}

/// Sorts lines and answers those that are highest somewhere, and from where on.
fn hull(lines: &mut [Line]) -> Vec<(f64, usize)> {
    // A slope of −0 is one of 0: in the order of all floats it would come first, and the higher
    // line behind it would be taken for one that never rises above it.
    let slope = |line: &Line| line.slope + 0.0;
    lines.sort_by(|a, b| slope(a).total_cmp(&slope(b)).then(b.score.total_cmp(&a.score)));
    let mut kept: Vec<(f64, usize)> = Vec::new();
    for place in 0..lines.len() {
        let line = &lines[place];
        let mut from = f64::NEG_INFINITY;
        while let Some(&(begin, before)) = kept.last() {
            if lines[before].slope == line.slope {
                from = f64::INFINITY;
                break;
            }
            from = crossing(&lines[before], line);
            if from > begin {
                break;
            }
            kept.pop();
            from = f64::NEG_INFINITY;
        }
        if from < f64::INFINITY {
            push(&mut kept, from, place);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::line::line_search;
    use super::super::pool::{Entry, Pool};
    use super::super::space::KBest;
    use super::*;
    use crate::forest::{EdgeParts, Features, ForestBuilder, Symbol};
    use crate::metric::named;
    use crate::random::Random;

    /// A small forest with edges of up to two tails, some of them twice the same node.
    fn random_forest(random: &mut Random) -> Forest {
        let features = Features::dense_only(["a", "b", "c"]).unwrap();
        let mut builder = ForestBuilder::new(features, &["x", "y", "z"]).unwrap();
        let words: Vec<u32> =
            (0..5).map(|word| builder.word(&format!("w{word}")).unwrap()).collect();
        let nodes: Vec<_> = (0..4).map(|_| builder.span_node(0, 3, None).unwrap()).collect();
        for (place, &head) in nodes.iter().enumerate() {
            for _ in 0..2 {
                let tails: Vec<_> = match place {
                    0 => vec![],
                    _ => (0..=random.below(2)).map(|_| nodes[random.below(place)]).collect(),
                };
                let mut symbols = vec![Symbol::Word(words[random.below(5)])];
                symbols.extend((0..tails.len()).map(|slot| Symbol::Slot(slot as u32)));
                // Odd numbers, so that no two derivations are equal by chance.
                let dense: Vec<f32> =
                    (0..3).map(|_| random.next_f64() as f32 * 8.0 - 4.0).collect();
                let parts = EdgeParts {
                    head,
                    tails: &tails,
                    symbols: &symbols,
                    dense: &dense,
                    ..Default::default()
                };
                builder.edge(&parts).unwrap();
            }
        }
        builder.finish(nodes[3]).unwrap()
    }

    /// All derivations as a k-best list.
    fn exhausted(forest: &Forest) -> Vec<Entry> {
        let all = forest.weighted_with(&[1.0, 0.5, 0.25]).unwrap().k_best(100_000).unwrap();
        let entry = |edges: &[EdgeId]| Entry {
            words: words(&forest.text(edges).unwrap()).iter().map(ToString::to_string).collect(),
            features: forest.feature_totals(edges),
        };
        all.iter().map(|derivation| entry(&derivation.edges)).collect()
    }

    /// Segments without those that only rounding makes: where a node stands in a derivation
    /// twice, two orders of the same parts score the same and meet in one place.
    fn wide(segments: &Segments) -> Vec<(f64, Vec<f32>)> {
        let width = segments.statistics.len() / segments.from.len().max(1);
        let mut kept: Vec<(f64, Vec<f32>)> = Vec::new();
        for (place, numbers) in segments.statistics.chunks_exact(width).enumerate() {
            let from = segments.from[place];
            let to = segments.from.get(place + 1).copied().unwrap_or(f64::INFINITY);
            let known = kept.last().is_some_and(|(_, last)| last == numbers);
            if to - from > 1e-4 && !known {
                kept.push((from, numbers.to_vec()));
            }
        }
        kept
    }

    /// Whether other derivations than the best score the same: which is taken is then open.
    fn tied(forest: &Forest, weights: &[f64]) -> bool {
        let best = forest.weighted_with(weights).unwrap().k_best(2).unwrap();
        matches!(&best[..], [first, second] if first.score - second.score < 1e-6)
    }

    #[test]
    fn a_forest_and_all_its_derivations_have_the_same_surface() {
        let mut compared = 0;
        for seed in 0..30 {
            let mut random = Random::new(seed, 7);
            let references: Vec<Vec<Vec<String>>> = (0..3)
                .map(|_| vec![(0..4).map(|_| format!("w{}", random.below(5))).collect()])
                .collect();
            let forests: Vec<_> = (0..3).map(|_| Arc::new(random_forest(&mut random))).collect();
            let (weights, direction) = ([0.31, -0.17, 0.53], [(0, 0.713), (1, -0.391), (2, 0.137)]);
            let ties = forests.iter().any(|forest| tied(forest, &weights));
            let mut pool = Pool::new(named("bleu-ter").unwrap(), &references, 3).unwrap();
            pool.merge(forests.iter().map(|forest| exhausted(forest)).collect()).unwrap();
            let mut space = Forests::new(named("bleu-ter").unwrap(), &references, 3).unwrap();
            space.add(forests).unwrap();
            let lists = KBest::new(&pool);
            let (all, point) = (lists.at(&weights).unwrap(), space.at(&weights).unwrap());
            for sentence in 0..3 {
                let expected = lists.segments(sentence, &all, &direction).unwrap();
                let found = space.segments(sentence, &point, &direction).unwrap();
                let (found, expected) = (wide(&found), wide(&expected));
                assert_eq!(found.len(), expected.len(), "{seed}");
                for (a, b) in found.iter().zip(&expected) {
                    let near = a.0 == b.0 || (a.0 - b.0).abs() < 1e-4 * a.0.abs().max(1.0);
                    assert!(near && a.1 == b.1, "{seed}: {a:?} {b:?}");
                }
            }
            let one = line_search(&space, &point, &direction).unwrap();
            let other = line_search(&lists, &all, &direction).unwrap();
            assert!((one.score - other.score).abs() < 1e-9, "{seed}: {one:?} {other:?}");
            let scores = (space.score(&weights).unwrap(), pool.score(&weights));
            assert!(ties || (scores.0 - scores.1).abs() < 1e-9, "{seed}: {scores:?}");
            compared += usize::from(!ties);
        }
        assert!(compared > 10, "{compared}");
    }
}
