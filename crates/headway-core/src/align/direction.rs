//! One direction of alignment: a model of one side's words given the other side's.
//!
//! Training goes from simple to rich, each model starting from the one before: IBM 1, HMM, HMM
//! with fertility.

use rayon::prelude::*;

use super::bitext::Side;
use super::fertility::{Fertilities, Sampler, Site, count_fertilities};
use super::hmm::{ForwardBackward, Lattice};
use super::ibm1;
use super::jumps::{JumpCounts, JumpRows, Jumps};
use super::lexicon::{ABSENT, CHUNK, Counts, Lexicon};
use crate::random::Random;
use crate::{Error, Monitor, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelKind {
    Ibm1,
    Hmm,
    Fertility,
}

impl ModelKind {
    pub const ALL: [(&'static str, ModelKind); 3] =
        [("ibm1", ModelKind::Ibm1), ("hmm", ModelKind::Hmm), ("fertility", ModelKind::Fertility)];
}

/// How a direction is trained; `default.toml` holds the values and says what they mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Training {
    pub model: ModelKind,
    pub ibm1_iterations: usize,
    pub hmm_iterations: usize,
    pub fertility_iterations: usize,
    pub sweeps: usize,
    pub null: f32,
    pub lexical_prior: f64,
    pub fertility_prior: f64,
    pub punctuation_apart: bool,
    pub jump_words: usize,
    pub jump_prior: f64,
    pub seed: u64,
}

impl Training {
    pub fn check(&self) -> Result<()> {
        let wrong = |what: &str| Err(Error::setting(format!("align.{what}")));
        if self.ibm1_iterations == 0 {
            return wrong("ibm1_iterations: expected at least 1, the start of every model");
        }
        if self.sweeps == 0 {
            return wrong("sweeps: expected at least 1");
        }
        if !(self.null > 0.0 && self.null < 1.0) {
            return wrong("null_probability: expected a number between 0 and 1");
        }
        if !(self.lexical_prior >= 0.0 && self.lexical_prior.is_finite()) {
            return wrong("lexical_prior: expected 0 or more");
        }
        if !(self.fertility_prior > 0.0 && self.fertility_prior.is_finite()) {
            return wrong("fertility_prior: expected more than 0");
        }
        if !(self.jump_prior > 0.0 && self.jump_prior.is_finite()) {
            return wrong("jump_prior: expected more than 0");
        }
        Ok(())
    }

    /// Passes over the corpus of IBM 1 and the HMM, for progress.
    pub fn passes_before_sampling(&self) -> usize {
        let hmm = if self.model >= ModelKind::Hmm { self.hmm_iterations } else { 0 };
        self.ibm1_iterations + hmm
    }

    /// Passes over the corpus of the HMM with fertility.
    pub fn passes_of_sampling(&self) -> usize {
        if self.model == ModelKind::Fertility { self.fertility_iterations + 1 } else { 0 }
    }
}

/// A trained direction.
#[derive(Debug, Clone)]
pub struct Direction {
    pub kind: ModelKind,
    pub lexicon: Lexicon,
    pub jumps: Jumps,
    pub fertilities: Fertilities,
    pub null: f32,
    /// The links of each training pair that the counts rest on; none for pairs not learnt from
    /// and for models other than `Fertility`.
    pub learnt: Vec<Vec<u32>>,
}

/// Buffers for one sentence pair after another.
#[derive(Default)]
pub struct Buffers {
    entries: Vec<u32>,
    probabilities: Vec<f32>,
    matrix: Vec<f32>,
    recursions: ForwardBackward,
    sampler: Sampler,
    state: Vec<u32>,
    sums: Vec<f32>,
}

/// The corpus a direction is trained on.
struct Corpus<'a> {
    given: &'a Side,
    generated: &'a Side,
    monitor: &'a Monitor,
    /// For each chunk the lexicon entries of its pairs, one pair after the other: looking each
    /// up once saves half of the time. None where that would take too much memory.
    entries: Option<Vec<Vec<u32>>>,
}

/// Entries are kept for corpora with at most this many word pairs (1 GiB).
const KEPT_ENTRIES: usize = 1 << 28;

impl<'a> Corpus<'a> {
    fn new(given: &'a Side, generated: &'a Side, lexicon: &Lexicon, monitor: &'a Monitor) -> Self {
        let mut corpus = Corpus { given, generated, monitor, entries: None };
        let cells = |pair| (given.sentence(pair).len() + 1) * generated.sentence(pair).len();
        if (0..generated.len()).map(cells).sum::<usize>() <= KEPT_ENTRIES {
            let of_chunk = |chunk| {
                let mut entries = Vec::new();
                for (_, given, generated) in corpus.pairs(chunk) {
                    lexicon.find_entries(given, generated, &mut entries);
                }
                entries
            };
            corpus.entries = Some((0..corpus.chunks()).into_par_iter().map(of_chunk).collect());
        }
        corpus
    }

    /// Follows the lexicon when its entries change their numbers.
    fn renumber(&mut self, numbers: &[u32]) {
        for chunk in self.entries.iter_mut().flatten() {
            for entry in chunk {
                *entry = numbers.get(*entry as usize).copied().unwrap_or(ABSENT);
            }
        }
    }

    /// Calls `work` with each pair of a chunk that has words on both sides, its number and its
    /// lexicon entries.
    fn each(
        &self,
        chunk: usize,
        lexicon: &Lexicon,
        mut work: impl FnMut(usize, &[u32], &[u32], &[u32]),
    ) {
        let mut start = 0;
        let mut found = Vec::new();
        for (pair, given, generated) in self.pairs(chunk) {
            let entries = match &self.entries {
                Some(kept) => {
                    let cells = (given.len() + 1) * generated.len();
                    start += cells;
                    &kept[chunk][start - cells..start]
                }
                None => {
                    found.clear();
                    lexicon.find_entries(given, generated, &mut found);
                    &found
                }
            };
            work(pair, given, generated, entries);
        }
    }

    fn chunks(&self) -> usize {
        self.generated.len().div_ceil(CHUNK)
    }

    /// Pairs of a chunk that have words on both sides, with their numbers.
    fn pairs(&self, chunk: usize) -> impl Iterator<Item = (usize, &[u32], &[u32])> {
        (chunk * CHUNK..((chunk + 1) * CHUNK).min(self.generated.len()))
            .map(|pair| (pair, self.given.sentence(pair), self.generated.sentence(pair)))
            .filter(|(_, given, generated)| !given.is_empty() && !generated.is_empty())
    }

    /// Does `work` for every chunk on all threads and sums what it answers. Chunks do not depend
    /// on the number of threads, and are summed in order, so neither does the sum.
    fn sum(&self, work: impl Fn(usize, &mut Buffers) -> f64 + Sync) -> Result<f64> {
        let parts: Result<Vec<f64>> = (0..self.chunks())
            .into_par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                self.monitor.check()?;
                let part = work(chunk, buffers);
                self.monitor.advance(1)?;
                Ok(part)
            })
            .collect();
        Ok(parts?.iter().sum())
    }
}

/// Whole counts of what states say.
struct Tallies {
    links: Counts,
    /// Of words that NULL generates, and of all.
    nulls: Counts,
    fertilities: Counts,
    jumps: JumpCounts,
}

impl Tallies {
    fn new(model: &Direction, given: usize) -> Self {
        Tallies {
            links: Counts::zero(model.lexicon.len()),
            nulls: Counts::zero(2),
            fertilities: Fertilities::counts(given),
            jumps: model.jumps.counts(),
        }
    }

    fn add(&self, rows: &JumpRows, given: &[u32], state: &[u32], entries: &[u32]) {
        for (row, &link) in entries.chunks_exact(given.len() + 1).zip(state) {
            self.links.add(row[link as usize], 1.0);
            self.nulls.add(1, 1.0);
            if link == 0 {
                self.nulls.add(0, 1.0);
            }
        }
        count_fertilities(given, state, &self.fertilities);
        self.jumps.add_state(rows, given, state);
    }

    /// How many words NULL generates; never none or all of them.
    fn null_share(&self) -> f32 {
        ((self.nulls.get(0) + 1.0) / (self.nulls.get(1) + 2.0)) as f32
    }
}

impl Direction {
    /// Learns to explain the words of `generated` by those of `given`; also answers the
    /// log-likelihood of the corpus before each iteration of IBM 1 and of the HMM.
    pub fn train(
        given: &Side,
        generated: &Side,
        training: &Training,
        monitor: &Monitor,
    ) -> Result<(Self, Vec<f64>)> {
        let (mut direction, corpus, likelihoods) =
            Self::start(given, generated, training, monitor)?;
        if training.model == ModelKind::Fertility {
            direction.improve_fertility(&corpus, training)?;
        }
        Ok((direction, likelihoods))
    }

    /// The same without the HMM with fertility, which alone depends on the seed: `continued` goes
    /// on from here with any number of seeds.
    pub fn before_sampling(
        given: &Side,
        generated: &Side,
        training: &Training,
        monitor: &Monitor,
    ) -> Result<Self> {
        Self::start(given, generated, training, monitor).map(|(direction, ..)| direction)
    }

    /// What `train` makes with the seed of `training`, from the result of `before_sampling`.
    pub fn continued(
        &self,
        given: &Side,
        generated: &Side,
        training: &Training,
        monitor: &Monitor,
    ) -> Result<Self> {
        let mut direction = self.clone();
        if training.model == ModelKind::Fertility {
            // Built again for each seed: to keep it would take more memory than one training.
            let corpus = Corpus::new(given, generated, &self.lexicon, monitor);
            direction.improve_fertility(&corpus, training)?;
        }
        Ok(direction)
    }

    /// IBM 1 and the HMM, as far as the model includes them, and the corpus with their lexicon.
    fn start<'a>(
        given: &'a Side,
        generated: &'a Side,
        training: &Training,
        monitor: &'a Monitor,
    ) -> Result<(Self, Corpus<'a>, Vec<f64>)> {
        let lexicon = Lexicon::uniform(given, generated, training.punctuation_apart, monitor)?;
        let mut corpus = Corpus::new(given, generated, &lexicon, monitor);
        let mut direction = Direction {
            kind: ModelKind::Ibm1,
            lexicon,
            jumps: Jumps::initial(JumpRows::most_frequent(given, training.jump_words)),
            fertilities: Fertilities::default(),
            null: training.null,
            learnt: Vec::new(),
        };
        let mut likelihoods = Vec::new();
        for _ in 0..training.ibm1_iterations {
            likelihoods.push(direction.improve_ibm1(&corpus, training)?);
        }
        corpus.renumber(&direction.lexicon.prune(HOPELESS));
        if training.model >= ModelKind::Hmm {
            direction.kind = ModelKind::Hmm;
            for _ in 0..training.hmm_iterations {
                likelihoods.push(direction.improve_hmm(&corpus, training)?);
            }
        }
        Ok((direction, corpus, likelihoods))
    }

    /// Number of chunks of work that `passes` over a corpus of this many pairs report.
    pub fn work(pairs: usize, passes: usize) -> u64 {
        (pairs.div_ceil(CHUNK) * passes) as u64
    }

    fn improve_ibm1(&mut self, corpus: &Corpus<'_>, training: &Training) -> Result<f64> {
        let counts = Counts::zero(self.lexicon.len());
        let likelihood = corpus.sum(|chunk, buffers| {
            let mut likelihood = 0.0;
            corpus.each(chunk, &self.lexicon, |_, given, _, entries| {
                self.lexicon.look_up(entries, &mut buffers.probabilities);
                let probabilities = &buffers.probabilities;
                likelihood += ibm1::expect(entries, probabilities, given.len() + 1, &counts);
            });
            likelihood
        })?;
        self.lexicon.maximise(&counts, training.lexical_prior);
        Ok(likelihood)
    }

    fn improve_hmm(&mut self, corpus: &Corpus<'_>, training: &Training) -> Result<f64> {
        let counts = Counts::zero(self.lexicon.len());
        let jumps = self.jumps.counts();
        let likelihood = corpus.sum(|chunk, buffers| {
            let mut likelihood = 0.0;
            corpus.each(chunk, &self.lexicon, |_, given, _, entries| {
                self.lexicon.look_up(entries, &mut buffers.probabilities);
                likelihood += self.recur(given, buffers);
                counts.add_row(entries, &buffers.recursions.posteriors);
                jumps.add_matrix(self.jumps.rows(), given, &buffers.recursions.jumps);
            });
            likelihood
        })?;
        self.lexicon.maximise(&counts, training.lexical_prior);
        self.jumps.maximise(&jumps, training.jump_prior);
        Ok(likelihood)
    }

    /// Starts chains where the HMM would put them, then samples and re-estimates in rounds.
    fn improve_fertility(&mut self, corpus: &Corpus<'_>, training: &Training) -> Result<()> {
        let words = corpus.given.vocabulary.len();
        let mut chains: Vec<Vec<Vec<u32>>> = vec![Vec::new(); corpus.chunks()];
        let starts = Tallies::new(self, words);
        chains.par_iter_mut().enumerate().try_for_each_init(
            Buffers::default,
            |buffers, (chunk, chains)| {
                *chains = self.start_chains(corpus, chunk, buffers, &starts);
                corpus.monitor.advance(1)
            },
        )?;
        self.kind = ModelKind::Fertility;
        self.update(corpus, training, &starts);
        for round in 0..training.fertility_iterations {
            self.sample_round(corpus, training, round, &mut chains)?;
        }
        self.learnt = vec![Vec::new(); corpus.generated.len()];
        for (chunk, chains) in chains.into_iter().enumerate() {
            for ((pair, ..), links) in corpus.pairs(chunk).zip(chains) {
                self.learnt[pair] = links;
            }
        }
        Ok(())
    }

    fn update(&mut self, corpus: &Corpus<'_>, training: &Training, tallies: &Tallies) {
        self.null = tallies.null_share();
        self.lexicon.predict(&tallies.links, training.lexical_prior, corpus.generated.used());
        self.jumps.maximise(&tallies.jumps, training.jump_prior);
        let given = corpus.given.vocabulary.len();
        self.fertilities =
            Fertilities::maximised(&tallies.fertilities, given, training.fertility_prior);
    }

    fn start_chains(
        &self,
        corpus: &Corpus<'_>,
        chunk: usize,
        buffers: &mut Buffers,
        tallies: &Tallies,
    ) -> Vec<Vec<u32>> {
        let mut chains = Vec::new();
        corpus.each(chunk, &self.lexicon, |_, given, _, entries| {
            self.lexicon.look_up(entries, &mut buffers.probabilities);
            self.recur(given, buffers);
            let rows = buffers.recursions.posteriors.chunks_exact(given.len() + 1);
            let state: Vec<u32> = rows.map(|row| likeliest(row) as u32).collect();
            tallies.add(self.jumps.rows(), given, &state, entries);
            chains.push(state);
        });
        chains
    }

    fn sample_round(
        &mut self,
        corpus: &Corpus<'_>,
        training: &Training,
        round: usize,
        chains: &mut [Vec<Vec<u32>>],
    ) -> Result<()> {
        let tallies = Tallies::new(self, corpus.given.vocabulary.len());
        let model = &*self;
        chains.par_iter_mut().enumerate().try_for_each_init(
            Buffers::default,
            |buffers, (chunk, chains)| {
                let mut chains = chains.iter_mut();
                corpus.each(chunk, &model.lexicon, |pair, given, _, entries| {
                    let Some(state) = chains.next() else { return };
                    let seed = training.seed.wrapping_add(1 + round as u64);
                    let mut random = Random::new(seed, pair as u64);
                    let Buffers { probabilities, matrix, sampler, .. } = &mut *buffers;
                    let own = state.clone();
                    model.lexicon.look_up(entries, probabilities);
                    model.lexicon.leave_out(entries, &own, probabilities);
                    let site = model.site(given, probabilities, matrix, Some(&own));
                    sampler.enter(site);
                    // An interrupt ends the sweeps here, and the round below.
                    for _ in (0..training.sweeps).take_while(|_| corpus.monitor.check().is_ok()) {
                        sampler.sweep(site, state, &mut random, |_, _| ());
                    }
                    tallies.add(model.jumps.rows(), given, state, entries);
                });
                corpus.monitor.advance(1)
            },
        )?;
        self.update(corpus, training, &tallies);
        Ok(())
    }

    /// For each generated word the probability of each generator, NULL first. Words are
    /// numbers of the vocabularies in training; other numbers are unknown words. `own` are the
    /// links of the pair that the counts rest on, if it is one of training.
    pub fn posteriors<'a>(
        &self,
        given: &[u32],
        generated: &[u32],
        own: Option<&[u32]>,
        random: &mut Random,
        buffers: &'a mut Buffers,
    ) -> &'a [f32] {
        let width = given.len() + 1;
        self.load(given, generated, buffers);
        if self.kind == ModelKind::Ibm1 {
            ibm1::posteriors(&buffers.probabilities, width, &mut buffers.sums);
            return &buffers.sums;
        }
        self.recur(given, buffers);
        if self.kind == ModelKind::Hmm {
            return &buffers.recursions.posteriors;
        }
        let Buffers { entries, probabilities, matrix, recursions, sampler, state, sums } = buffers;
        state.clear();
        let links = recursions.posteriors.chunks_exact(width).map(|row| likeliest(row) as u32);
        match own {
            Some(own) => state.extend_from_slice(own),
            None => state.extend(links),
        }
        if let Some(own) = own {
            self.lexicon.leave_out(entries, own, probabilities);
        }
        sums.clear();
        sums.resize(width * generated.len(), 0.0);
        let site = self.site(given, probabilities, matrix, own);
        sampler.enter(site);
        for sweep in 0..BURN_IN + SAMPLES {
            sampler.sweep(site, state, random, |word, row| {
                if sweep >= BURN_IN {
                    let cells = &mut sums[word * width..][..width];
                    cells.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                }
            });
        }
        sums.iter_mut().for_each(|sum| *sum /= SAMPLES as f32);
        sums
    }

    fn load(&self, given: &[u32], generated: &[u32], buffers: &mut Buffers) {
        buffers.entries.clear();
        self.lexicon.find_entries(given, generated, &mut buffers.entries);
        self.lexicon.look_up(&buffers.entries, &mut buffers.probabilities);
    }

    fn recur(&self, given: &[u32], buffers: &mut Buffers) -> f64 {
        let Buffers { probabilities, matrix, recursions, .. } = buffers;
        self.jumps.matrix(given, matrix);
        recursions.run(Lattice { probabilities, matrix, length: given.len(), null: self.null })
    }

    fn site<'a>(
        &'a self,
        given: &'a [u32],
        probabilities: &'a [f32],
        matrix: &'a mut Vec<f32>,
        own: Option<&'a [u32]>,
    ) -> Site<'a> {
        self.jumps.matrix(given, matrix);
        let (null, fertilities) = (self.null, &self.fertilities);
        Site { given, probabilities, matrix, null, fertilities, own }
    }
}

/// Pairs that IBM 1 finds less probable than this are dropped: most are, and a smaller
/// lexicon stays in the cache.
const HOPELESS: f32 = 1e-6;

/// Sweeps over a sentence pair before samples count, and samples that count, when aligning.
const BURN_IN: usize = 2;
const SAMPLES: usize = 8;

/// The first of the largest values.
pub fn likeliest(row: &[f32]) -> usize {
    let mut best = 0;
    for (index, &value) in row.iter().enumerate() {
        if value > row[best] {
            best = index;
        }
    }
    best
}
