//! The whole of extraction: pairs to keys, keys to counts, counts to rules.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::input::{Corpus, Pairs, Words};
use super::lexicon::Lexicon;
use super::merge::{Merge, Part, parts};
use super::options::{Kind, Options, Smoothing};
use super::output::{Groups, Writer};
use super::pair::Pair;
use super::reduce::{Reduced, Reducer};
use super::runs::{Run, Runs};
use super::significance::{Cooccurrence, Texts};
use super::smoothing::{CountsOfCounts, Estimator};
use super::sorter::Sorter;
use super::totals::{TargetCount, target_totals};
use super::worker::{Worker, unit};
use crate::scratch::Scratch;
use crate::table::RuleSink;
use crate::{Error, Monitor, Result};

/// What the program, its vocabularies and the writer of the table take beside what is sorted.
const PROGRAM: u64 = 96 << 20;
/// Pairs read at a time, and worked on by one thread at a time.
const BATCH: usize = 4096;
const CHUNK: usize = 64;

const LARGEST_RUN: u64 = 64 << 20;
const SMALLEST_RUN: u64 = 1 << 20;
const LARGEST_PART: u64 = 8 << 20;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    pub pairs: u64,
    /// Pairs passed over because a side is too long.
    pub skipped: u64,
    pub rules: u64,
    /// Rules left out because they are not significant.
    pub left_out: u64,
}

/// Extracts the rules of a corpus into `sink`, on the threads of the current pool.
///
/// Neither the number of threads nor the memory changes what comes out.
pub fn extract(
    corpus: &Corpus,
    options: &Options,
    sink: &mut dyn RuleSink,
    monitor: &Monitor,
) -> Result<Report> {
    let options = &applicable(corpus, options)?;
    let mut collected = collect(corpus, options, monitor)?;
    let scratch = options.scratch();
    let counted = count(&mut collected, options, &scratch, monitor)?;
    let report = Report {
        pairs: collected.pairs,
        skipped: collected.skipped,
        rules: counted.rules,
        left_out: counted.left_out,
    };
    drop(collected.runs);
    let estimator = Estimator::new(options.smoothing, &counted.seen);
    let memory = options.memory / 4;
    let totals = target_totals(counted.targets, &scratch, memory, unit(options), monitor)?;
    Writer::new(options, estimator, totals).write(
        &counted.groups,
        collected.words,
        sink,
        monitor,
    )?;
    Ok(report)
}

/// The options as they apply to this kind of rule; what cannot be is refused.
fn applicable(corpus: &Corpus, options: &Options) -> Result<Options> {
    options.check()?;
    let mut options = options.clone();
    options.memory = options.memory.saturating_sub(PROGRAM).max(options.memory / 2);
    if options.kind != Kind::Phrase {
        options.reordering = None;
    }
    if options.kind.needs_trees() && corpus.trees.is_none() {
        return Err(Error::setting(
            "rules of this kind need the trees of the target side; give --target-trees FILE.conllu",
        ));
    }
    if options.smoothing == Smoothing::KneserNey && unit(&options) > 1 {
        return Err(Error::setting(
            "extract.smoothing kneser-ney needs whole counts; set fractional_counts to false",
        ));
    }
    options.scratch().check()?;
    Ok(options)
}

/// What one pass over the pairs finds.
struct Collected {
    runs: Vec<Run>,
    scratch: Scratch,
    lexicon: Lexicon,
    words: Words,
    texts: Option<Texts>,
    pairs: u64,
    skipped: u64,
}

fn collect(corpus: &Corpus, options: &Options, monitor: &Monitor) -> Result<Collected> {
    let threads = rayon::current_num_threads().max(1);
    let memory = options.memory;
    // A worker's buffer, and the run it becomes, take part of the memory; so do the runs.
    let run_size = (memory / (6 * threads as u64)).clamp(SMALLEST_RUN, LARGEST_RUN) as usize;
    let runs = Runs::new(options.scratch(), (memory / 2) as usize);
    let new_worker = |_| Mutex::new(Worker::new(options, &runs, run_size));
    let workers: Vec<Mutex<Worker<'_>>> = (0..threads).map(new_worker).collect();
    let mut pairs = Pairs::open(corpus, options.trees.labels)?;
    let mut texts = options.significance.map(|_| Texts::default());
    let mut count = 0;
    let mut batch = pairs.read(BATCH)?;
    while !batch.is_empty() {
        count += batch.len() as u64;
        keep_texts(&mut texts, &batch, options)?;
        let (next, worked) = rayon::join(|| pairs.read(BATCH), || work(&workers, &batch, monitor));
        worked?;
        batch = next?;
    }
    let mut workers: Vec<Worker<'_>> = workers.into_iter().map(unlocked).collect();
    workers.par_iter_mut().try_for_each(Worker::flush)?;
    let skipped = workers.iter().map(|worker| worker.skipped).sum();
    let lexicon = Lexicon::new(workers.into_iter().map(|worker| worker.links));
    let (runs, scratch) = runs.finish();
    Ok(Collected { runs, scratch, lexicon, words: pairs.words, texts, pairs: count, skipped })
}

fn work(workers: &[Mutex<Worker<'_>>], batch: &[Pair], monitor: &Monitor) -> Result<()> {
    batch.par_chunks(CHUNK).try_for_each(|chunk| {
        // Each thread has a worker of its own, so no one waits.
        let number = rayon::current_thread_index().unwrap_or(0) % workers.len();
        let mut worker = workers[number].lock().unwrap_or_else(PoisonError::into_inner);
        for pair in chunk {
            worker.add(pair)?;
        }
        monitor.advance(chunk.len() as u64)
    })
}

fn unlocked(worker: Mutex<Worker<'_>>) -> Worker<'_> {
    worker.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn keep_texts(texts: &mut Option<Texts>, batch: &[Pair], options: &Options) -> Result<()> {
    let Some(texts) = texts else { return Ok(()) };
    // Pairs that give no phrases are no part of the sample either.
    batch.iter().filter(|pair| !options.is_too_long(pair)).for_each(|pair| texts.push(pair));
    if texts.size() > options.memory / 2 {
        return Err(Error::setting(format!(
            "extract.significance keeps the text in memory, and {} MiB are not enough for this one; \
             give more --memory",
            options.memory >> 20,
        )));
    }
    Ok(())
}

/// Rules by source side, with what is still to be known of their targets.
struct Counted<'a> {
    groups: Groups,
    targets: Sorter<'a, TargetCount>,
    rules: u64,
    left_out: u64,
    seen: CountsOfCounts,
}

fn count<'a>(
    collected: &mut Collected,
    options: &Options,
    scratch: &'a Scratch,
    monitor: &Monitor,
) -> Result<Counted<'a>> {
    let cooccurrence = cooccurrence(collected.texts.take(), options);
    let reducer =
        Reducer { options, lexicon: &collected.lexicon, cooccurrence: cooccurrence.as_ref() };
    let mut counted = Counted {
        groups: Groups::new(options.scratch()),
        targets: Sorter::new(scratch, options.memory / 4),
        rules: 0,
        left_out: 0,
        seen: CountsOfCounts::default(),
    };
    let threads = rayon::current_num_threads().max(1);
    let size = (options.memory / (64 * threads as u64)).clamp(1 << 16, LARGEST_PART);
    let parts = parts(&collected.runs, size);
    for some in parts.chunks(4 * threads) {
        let reduce = |part: &Part| {
            let merge = Merge::new(&collected.runs, &collected.scratch, part)?;
            reducer.reduce(merge, monitor)
        };
        let reduced: Vec<Reduced> = some.par_iter().map(reduce).collect::<Result<_>>()?;
        for part in reduced {
            counted.add(part)?;
        }
    }
    Ok(counted)
}

impl Counted<'_> {
    fn add(&mut self, part: Reduced) -> Result<()> {
        self.groups.push(&part.bytes)?;
        for target in part.targets {
            self.targets.push(target.moved(self.rules))?;
        }
        self.rules += part.rules;
        self.left_out += part.left_out;
        self.seen.join(&part.seen);
        Ok(())
    }
}

fn cooccurrence(texts: Option<Texts>, options: &Options) -> Option<Cooccurrence> {
    let (Texts { source, target }, threshold) = (texts?, options.significance?);
    Some(Cooccurrence::new(source, target, options.phrase_length, threshold))
}
