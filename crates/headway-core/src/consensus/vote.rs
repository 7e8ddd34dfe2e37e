//! The candidates of several systems for one sentence, described by what the systems agree on.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::chances::chances;
use super::expected::Expected;
use super::gain::{Gain, matches};
use super::lean::{Lean, Numbers};
use crate::Result;
use crate::forest::Forest;

/// N-grams of words up to this length are features.
const ORDER: usize = 4;
/// Features of each member: n-grams of each length, its score, and whether it said it.
const OWN: usize = ORDER + 2;
/// Features of all together: n-grams of each length, gain, words.
const SHARED: usize = ORDER + 2;
/// What a translation that a member did not list loses against the last that it did.
const ABSENT: f64 = 1.0;

/// What one system said of a sentence.
#[derive(Debug, Clone, Default)]
pub struct Ballot<'a> {
    /// If its scores are those of its derivations; otherwise the list is all there is.
    pub forest: Option<&'a Forest>,
    pub list: Vec<(&'a [String], f64)>,
    pub scale: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub gain: Gain,
    /// Edges of each forest that are looked at.
    pub edges: usize,
    /// Parts of n-gram states that are less probable are left out.
    pub negligible: f64,
}

/// A translation that some member listed.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The member to which it is most probable, and its place in that one's list.
    pub member: usize,
    pub place: usize,
    pub words: Vec<String>,
    pub features: Vec<f64>,
}

/// All candidates of a sentence, and what is needed to say how sure a word is.
#[derive(Debug, Default)]
pub struct Vote {
    pub entries: Vec<Entry>,
    members: Vec<Option<Lean>>,
    expected: Vec<Option<Expected>>,
    numbers: Numbers,
}

/// The names of the features of these members' votes.
pub fn feature_names(members: &[String]) -> Vec<String> {
    let orders = |of: &str| (1..=ORDER).map(|order| format!("{of}.{order}")).collect::<Vec<_>>();
    let own = members.iter().flat_map(|member| {
        let mut names = orders(member);
        names.extend([format!("{member}.score"), format!("{member}.said")]);
        names
    });
    let union = orders("union").into_iter().chain(["union.gain".into(), "word-penalty".into()]);
    own.chain(union).collect()
}

/// One vote for each sentence, on all threads.
pub fn votes(sentences: &[Vec<Option<Ballot<'_>>>], options: Options) -> Result<Vec<Vote>> {
    sentences.par_iter().with_max_len(1).map(|ballots| Vote::new(ballots, options)).collect()
}

/// A candidate on its way: words, where it stands in each member's list with which score.
struct Known {
    words: Vec<u32>,
    said: Vec<Option<(usize, f64)>>,
}

impl Vote {
    /// `None` are members that have no say.
    pub fn new(ballots: &[Option<Ballot<'_>>], options: Options) -> Result<Self> {
        let mut vote = Vote::default();
        let mut known: Vec<Known> = Vec::new();
        let mut places: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for (member, ballot) in ballots.iter().enumerate() {
            let Some(ballot) = ballot else {
                vote.members.push(None);
                continue;
            };
            let list: Vec<(Vec<u32>, f64)> =
                ballot.list.iter().map(|(words, score)| (vote.numbers_of(words), *score)).collect();
            let lean = match ballot.forest {
                Some(forest) => {
                    Lean::of_forest(forest, ballot.scale, options.edges, &mut vote.numbers)?
                }
                None => Lean::of_list(&list, ballot.scale)?,
            };
            for ((words, _), (place, score)) in list.into_iter().zip(log_chances(ballot)) {
                let next = known.len();
                let at = *places.entry(words.clone()).or_insert(next);
                if at == next {
                    known.push(Known { words, said: vec![None; ballots.len()] });
                }
                // A translation of several derivations stands where the first one does.
                known[at].said[member].get_or_insert((place, score));
            }
            vote.members.push(Some(lean).filter(|lean| !lean.is_empty()));
        }
        vote.describe(known, options);
        Ok(vote)
    }

    fn numbers_of(&mut self, words: &[String]) -> Vec<u32> {
        words.iter().map(|word| self.numbers.word(word)).collect()
    }

    fn describe(&mut self, known: Vec<Known>, options: Options) {
        let of_words = |lean: &Lean| Expected::of(lean, ORDER, options.negligible);
        self.expected = self.members.iter().map(|lean| lean.as_ref().map(of_words)).collect();
        let present: Vec<&Expected> = self.expected.iter().flatten().collect();
        let union = Expected::mean(&present);
        let goal = match options.gain {
            Gain::Bleu => None,
            Gain::Chrf => Some(self.letters(options)),
        };
        let floors: Vec<f64> = (0..self.members.len()).map(|it| floor(&known, it)).collect();
        for one in &known {
            let mut features = Vec::with_capacity(self.members.len() * OWN + SHARED);
            for (member, expected) in self.expected.iter().enumerate() {
                match expected {
                    None => features.resize(features.len() + OWN, 0.0),
                    Some(expected) => {
                        features.extend(by_order(&one.words, expected));
                        let said = one.said[member];
                        features.push(said.map_or(floors[member], |(_, score)| score));
                        features.push(f64::from(u8::from(said.is_some())));
                    }
                }
            }
            let empty = present.is_empty();
            features.extend(if empty { vec![0.0; ORDER] } else { by_order(&one.words, &union) });
            features.push(match &goal {
                _ if empty => 0.0,
                None => options.gain.of(&one.words, &union),
                Some(letters) => {
                    options.gain.of(&options.gain.units(&one.words, &self.numbers), letters)
                }
            });
            features.push(-(one.words.len() as f64));
            self.entries.push(entry(one, features, &self.numbers));
        }
    }

    /// Expected counts of letters, the mean over members.
    fn letters(&self, options: Options) -> Expected {
        let spelt = |lean: &Lean| {
            Expected::of(&lean.spelt(&self.numbers), options.gain.order(), options.negligible)
        };
        let all: Vec<Expected> = self.members.iter().flatten().map(spelt).collect();
        Expected::mean(&all.iter().collect::<Vec<_>>())
    }

    /// The places of the best candidates with their scores, best first; of equal ones the first.
    pub fn ranked(&self, weights: &[f64]) -> Vec<(usize, f64)> {
        let score = |entry: &Entry| -> f64 {
            entry.features.iter().zip(weights).map(|(value, weight)| value * weight).sum()
        };
        let mut all: Vec<(usize, f64)> = self.entries.iter().map(score).enumerate().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// For each word the probability that a translation has it as often as it stands there up to
    /// its place: the mean over the members that have a say.
    pub fn sure(&self, words: &[String]) -> Vec<f64> {
        let mut times: FxHashMap<&str, usize> = FxHashMap::default();
        for word in words {
            *times.entry(word).or_insert(0) += 1;
        }
        let leans: Vec<&Lean> = self.members.iter().flatten().collect();
        let mut known: FxHashMap<&str, Vec<f64>> = FxHashMap::default();
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        let sure = words.iter().map(|word| {
            let most = times[word.as_str()];
            let own = known.entry(word).or_insert_with(|| self.mean_chances(&leans, word, most));
            let place = seen.entry(word).or_insert(0);
            *place += 1;
            own[*place - 1]
        });
        sure.collect()
    }

    fn mean_chances(&self, leans: &[&Lean], word: &str, most: usize) -> Vec<f64> {
        let mut mean = vec![0.0; most];
        let Some(number) = self.numbers.known(word) else { return mean };
        for lean in leans {
            let own = chances(lean, &[number], most);
            mean.iter_mut().zip(own).for_each(|(sum, one)| *sum += one / leans.len() as f64);
        }
        mean
    }

    /// For each member and each word the expected number of the n-grams of a length that end with
    /// it, at most 1; none for members without a say.
    pub fn support(&self, words: &[String], length: usize) -> Vec<Option<Vec<f64>>> {
        let unknown = u32::MAX;
        let units: Vec<u32> =
            words.iter().map(|word| self.numbers.known(word).unwrap_or(unknown)).collect();
        let own = |expected: &Expected| {
            (1..=units.len())
                .map(|end| match end.checked_sub(length) {
                    Some(start) => expected.count(&units[start..end]).min(1.0),
                    None => 0.0,
                })
                .collect()
        };
        self.expected.iter().map(|expected| expected.as_ref().map(own)).collect()
    }
}

fn by_order(words: &[u32], expected: &Expected) -> Vec<f64> {
    (1..=ORDER).map(|length| matches(words, length, expected)).collect()
}

/// What a member gives to a translation that it has not listed.
fn floor(known: &[Known], member: usize) -> f64 {
    let lowest = known.iter().filter_map(|one| one.said[member].map(|(_, score)| score));
    lowest.fold(0.0, f64::min) - ABSENT
}

/// For each place of a list the logarithm of its share of the list, scaled.
fn log_chances(ballot: &Ballot<'_>) -> Vec<(usize, f64)> {
    let scaled: Vec<f64> = ballot.list.iter().map(|(_, score)| score * ballot.scale).collect();
    let best = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scaled.iter().map(|score| (score - best).exp()).sum();
    scaled.iter().map(|score| score - best - sum.ln()).enumerate().collect()
}

fn entry(one: &Known, features: Vec<f64>, numbers: &Numbers) -> Entry {
    let said = one.said.iter().enumerate().filter_map(|(member, said)| Some((member, (*said)?)));
    let best = said.reduce(|a, b| if b.1.1 > a.1.1 { b } else { a });
    let (member, (place, _)) = best.unwrap_or((0, (0, 0.0)));
    let words = one.words.iter().map(|&word| numbers.text(word).to_string()).collect();
    Entry { member, place, words, features }
}
