//! From aligned, parsed text to a table. The text is read twice: for the phrases and the counts of
//! words, then for dependencies between the phrases, which have numbers by then.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::file::{Clusters, write};
use super::lexical::{Lexical, ROOT, side};
use super::options::Options;
use super::phrases::{Collected, Collector, Mapping};
use super::rows::{Counted, Seen, row};
use super::sentence::Sentence;
use crate::classes::WordClasses;
use crate::extract::Corpus;
use crate::extract::input::Pairs;
use crate::extract::pair::{Aligned, Pair};
use crate::extract::runs::Runs;
use crate::extract::sorter::Sorter;
use crate::scratch::is_special;
use crate::{Error, Monitor, Result, Vocabulary};

/// Pairs read at a time, and worked on by one thread at a time.
const BATCH: usize = 1024;
const CHUNK: usize = 32;

const LARGEST_RUN: u64 = 32 << 20;
const SMALLEST_RUN: u64 = 1 << 20;

/// What was found: dependencies and phrases are distinct ones, of words and then of clusters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    pub pairs: u64,
    /// Pairs whose target has words.
    worded: u64,
    /// Pairs that gave nothing because a side is too long.
    pub skipped: u64,
    /// Pairs without a tree.
    pub treeless: u64,
    /// Trees of which a part was left out because heads run in a cycle.
    pub cyclic: u64,
    pub phrases: [u64; 2],
    pub dependencies: [u64; 2],
}

/// Extracts the phrase dependencies of a corpus into a table, on the threads of the current pool.
/// Neither the number of threads nor the memory changes what comes out.
pub fn extract(
    corpus: &Corpus,
    classes: &WordClasses,
    options: &Options,
    path: &Path,
    monitor: &Monitor,
) -> Result<Report> {
    options.check()?;
    check_inputs(corpus)?;
    options.scratch().check()?;
    let mut report = Report::default();
    let first = collect(corpus, classes, options, &mut report, monitor)?;
    if first.phrases[0].len() == 0 {
        return Err(nothing(corpus, options, &report));
    }
    let clustered = first.lexical.mapped(|word| first.clusters.of_words[word as usize]);
    let lexical = [&first.lexical, &clustered];
    let scratch = options.scratch();
    // The phrases are looked up while dependencies are sorted, and count as memory too.
    let looked_up = first.phrases.iter().map(Collected::size).sum();
    let memory = options.sorting().saturating_sub(looked_up).max(options.memory / 8);
    // Clusters give fewer records than words: equal ones are joined.
    let mut sorters = [Sorter::new(&scratch, memory / 2), Sorter::new(&scratch, memory / 4)];
    relate(corpus, &first, options, &mut sorters, monitor)?;
    let mut counted = Vec::new();
    for ((sorter, phrases), lexical) in sorters.into_iter().zip(&first.phrases).zip(lexical) {
        let rows = row(phrases.len() + 1, None, false);
        counted.push(Counted::new(sorter.finish()?, rows, lexical, options, monitor)?);
    }
    let [words, clusters] = &first.phrases;
    write(path, &first.clusters, [(words, &counted[0]), (clusters, &counted[1])])?;
    report.phrases = [words, clusters].map(|phrases| phrases.len() as u64);
    report.dependencies = [0, 1].map(|level: usize| counted[level].len() as u64);
    Ok(report)
}

fn check_inputs(corpus: &Corpus) -> Result<()> {
    let Some(trees) = &corpus.trees else {
        return Err(Error::setting("phrase dependencies need the trees of the target side"));
    };
    for path in [&corpus.source, &corpus.target, trees].into_iter().chain(&corpus.alignments) {
        if path.as_os_str() == "-" || is_special(path).unwrap_or(false) {
            return Err(Error::setting(format!(
                "{}: phrase dependencies are extracted in two passes, so this must be a file",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Why a corpus gave no phrase at all.
fn nothing(corpus: &Corpus, options: &Options, report: &Report) -> Error {
    let Report { worded, skipped, treeless, .. } = *report;
    match &corpus.trees {
        _ if worded == 0 => Error::format(&corpus.target, 1, "no words in it; give it some text"),
        Some(trees) if treeless == worded => {
            Error::format(trees, 1, "no sentence has heads; parse the target text first")
        }
        _ => {
            let longest = options.sentence_length;
            let pairs = format!("no phrases: of {worded} pairs {skipped} have more than {longest}");
            let others = format!("{treeless} have no tree, and the links of the others allow none");
            Error::format(&corpus.target, 1, format!("{pairs} words, {others}"))
        }
    }
}

fn open(corpus: &Corpus) -> Result<Pairs> {
    let mut pairs = Pairs::open(corpus, None)?;
    pairs.same_words = true;
    Ok(pairs)
}

/// What the first pass finds: phrases by level, and counts of dependencies between words.
struct First {
    clusters: Clusters,
    phrases: [Collected; 2],
    lexical: Lexical,
}

fn collect(
    corpus: &Corpus,
    classes: &WordClasses,
    options: &Options,
    report: &mut Report,
    monitor: &Monitor,
) -> Result<First> {
    let threads = rayon::current_num_threads().max(1);
    let memory = options.sorting();
    let run_size = (memory / (8 * threads as u64)).clamp(SMALLEST_RUN, LARGEST_RUN) as usize;
    let runs = [0, 1].map(|_| Runs::new(options.scratch(), (memory / 4) as usize));
    let new_worker = |_| Mutex::new(Worker::new(&runs, run_size));
    let workers: Vec<Mutex<Worker<'_>>> = (0..threads).map(new_worker).collect();
    let mut pairs = open(corpus)?;
    let mut clusters = Clusters { rest: classes.count() as u32, ..Clusters::default() };
    let mut lexical = Lexical::default();
    loop {
        let batch = pairs.read(BATCH)?;
        if batch.is_empty() {
            break;
        }
        clusters.extend(&pairs.words.target, classes);
        report.count(&batch, options);
        let (worked, ()) = rayon::join(
            || work(&workers, &batch, &clusters, options, monitor),
            || batch.iter().for_each(|pair| count_links(pair, &mut lexical, report)),
        );
        worked?;
    }
    for worker in workers {
        let mut worker = worker.into_inner().unwrap_or_else(PoisonError::into_inner);
        worker.collectors.iter_mut().try_for_each(Collector::flush)?;
    }
    // Words that only the clusters know may stand in translations.
    clusters.extend(&{ std::mem::take(&mut pairs.words.target) }, classes);
    classes.words().words().for_each(|word| clusters.add(word, classes));
    let [words, clustered] = runs;
    let phrases =
        [Collected::new(words, options, monitor)?, Collected::new(clustered, options, monitor)?];
    Ok(First { clusters, phrases, lexical })
}

impl Report {
    fn count(&mut self, batch: &[Pair], options: &Options) {
        self.pairs += batch.len() as u64;
        let skipped = batch.iter().filter(|pair| is_too_long(pair, options)).count();
        self.skipped += skipped as u64;
        self.worded += batch.iter().filter(|pair| !pair.target.is_empty()).count() as u64;
        let treeless = |pair: &&Pair| pair.tree.is_none() && !pair.target.is_empty();
        self.treeless += batch.iter().filter(treeless).count() as u64;
    }
}

fn is_too_long(pair: &Pair, options: &Options) -> bool {
    pair.source.len().max(pair.target.len()) > options.sentence_length
}

impl Clusters {
    /// Adds the words that are new in a vocabulary that begins as this one does.
    fn extend(&mut self, words: &Vocabulary, classes: &WordClasses) {
        words.words().skip(self.words.len()).for_each(|word| self.add(word, classes));
    }

    fn add(&mut self, word: &str, classes: &WordClasses) {
        if self.words.add(word).index() == self.of_words.len() {
            self.of_words.push(classes.class(word).unwrap_or(self.rest));
        }
    }
}

/// Adds the dependencies between the words of a pair, whether they are aligned or not.
fn count_links(pair: &Pair, lexical: &mut Lexical, report: &mut Report) {
    let Some(tree) = &pair.tree else { return };
    let sentence = Sentence::new(Vec::new(), &tree.heads);
    report.cyclic += u64::from(sentence.is_cyclic());
    for (governor, dependent) in sentence.links() {
        lexical.add(governor_side(pair, governor, dependent), pair.target[dependent], 1);
    }
}

fn governor_side(pair: &Pair, governor: Option<usize>, dependent: usize) -> u32 {
    match governor {
        Some(governor) => side(pair.target[governor], dependent < governor),
        None => side(ROOT, false),
    }
}

struct Worker<'r> {
    collectors: [Collector<'r>; 2],
    aligned: Aligned,
}

impl<'r> Worker<'r> {
    fn new(runs: &'r [Runs; 2], run_size: usize) -> Self {
        let collectors = [0, 1].map(|level: usize| Collector::new(&runs[level], run_size));
        Worker { collectors, aligned: Aligned::default() }
    }

    fn add(&mut self, pair: &Pair, clusters: &Clusters, longest: usize) -> Result<()> {
        let clustered: Vec<u32> =
            pair.target.iter().map(|&word| clusters.of_words[word as usize]).collect();
        for (start, end) in Sentence::phrases(pair, &mut self.aligned, longest) {
            let range = usize::from(start)..usize::from(end);
            self.collectors[0].add(&pair.target[range.clone()])?;
            self.collectors[1].add(&clustered[range])?;
        }
        Ok(())
    }
}

fn work(
    workers: &[Mutex<Worker<'_>>],
    batch: &[Pair],
    clusters: &Clusters,
    options: &Options,
    monitor: &Monitor,
) -> Result<()> {
    batch.par_chunks(CHUNK).try_for_each(|chunk| {
        // Each thread has a worker of its own, so no one waits.
        let number = rayon::current_thread_index().unwrap_or(0) % workers.len();
        let mut worker = workers[number].lock().unwrap_or_else(PoisonError::into_inner);
        for pair in chunk.iter().filter(|pair| pair.tree.is_some()) {
            if !is_too_long(pair, options) {
                worker.add(pair, clusters, options.phrase_length)?;
            }
        }
        monitor.advance(chunk.len() as u64)
    })
}

/// The second pass.
fn relate(
    corpus: &Corpus,
    first: &First,
    options: &Options,
    sorters: &mut [Sorter<'_, Seen>; 2],
    monitor: &Monitor,
) -> Result<()> {
    let mut pairs = open(corpus)?;
    let [words, clusters] = &first.phrases;
    let mappings = [words.map()?, clusters.map()?];
    loop {
        let batch = pairs.read(BATCH)?;
        if batch.is_empty() {
            return Ok(());
        }
        for part in batch.chunks(CHUNK * rayon::current_num_threads().max(1)) {
            let relate = |pair: &Pair| relations(pair, first, &mappings, options);
            let found: Vec<Option<[Vec<Seen>; 2]>> = part.par_iter().map(relate).collect();
            for levels in found {
                let changed = || Error::setting("the text changed while it was read; try again");
                for (sorter, seen) in sorters.iter_mut().zip(levels.ok_or_else(changed)?) {
                    seen.into_iter().try_for_each(|one| sorter.push(one))?;
                }
            }
            monitor.advance(part.len() as u64)?;
        }
    }
}

/// The dependencies of a pair by level; None if a phrase is not among those of the first pass.
fn relations(
    pair: &Pair,
    first: &First,
    mappings: &[Mapping; 2],
    options: &Options,
) -> Option<[Vec<Seen>; 2]> {
    let mut seen = [Vec::new(), Vec::new()];
    let Some(tree) = &pair.tree else { return Some(seen) };
    if is_too_long(pair, options) {
        return Some(seen);
    }
    let spans = Sentence::phrases(pair, &mut Aligned::default(), options.phrase_length);
    let sentence = Sentence::new(spans, &tree.heads);
    let clusters = |&word: &u32| first.clusters.of_words.get(word as usize).copied();
    let clustered: Vec<u32> = pair.target.iter().map(clusters).collect::<Option<_>>()?;
    for ((words, phrases), seen) in
        [&pair.target, &clustered].into_iter().zip(mappings).zip(&mut seen)
    {
        let phrases = phrases.phrases();
        let number =
            |span: &(u16, u16)| phrases.find(&words[usize::from(span.0)..usize::from(span.1)]);
        let numbers: Vec<u32> = sentence.spans.iter().map(number).collect::<Option<_>>()?;
        sentence.dependencies(|found| {
            let parent = found.parent.map(|parent| numbers[parent]);
            let governor = found.governor.map_or(ROOT, |governor| words[governor]);
            seen.push(Seen {
                row: row(phrases.len(), parent, found.left),
                child: numbers[found.child],
                side: side(governor, found.left),
                dependent: words[found.dependent],
                count: 1,
            });
        });
    }
    Some(seen)
}
