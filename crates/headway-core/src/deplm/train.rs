//! Estimating a dependency language model from trees, with the estimator of n-gram models.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::lm::estimate::{Begin, Boundaries, Estimator, Options, Report, Symbols};
use crate::lm::{ArpaWriter, BinaryWriter, Layout, NgramSink, Workspace};
use crate::tree::DependencyTree;
use crate::tree::conllu::{Format, Reader, Tags};
use crate::{Error, Monitor, Result, lm};

use super::model::FILES;

/// Marks a word in the place of the head, which is another event than the word as a child.
pub const HEAD: &str = "<head>";

/// What the models call a form. Those that mean something to a model become unknown words, and
/// a space within a form (`10 000`) one that does not break a line of text.
pub fn token(form: &str, lowercase: bool) -> Cow<'_, str> {
    if ["<s>", "</s>", "<unk>"].contains(&form) || form.starts_with(HEAD) {
        return Cow::Borrowed("<unk>");
    }
    let mut token = Cow::Borrowed(form);
    if form.contains(char::is_whitespace) {
        token = Cow::Owned(form.replace(char::is_whitespace, "\u{a0}"));
    }
    if lowercase { Cow::Owned(token.to_lowercase()) } else { token }
}

pub fn head_token(token: &str) -> String {
    format!("{HEAD}{token}")
}

/// How the model is to be.
#[derive(Debug, Clone)]
pub struct Training {
    /// 2, 3 or 4: how many words an n-gram has.
    pub order: usize,
    /// Bytes that the three estimators may take together.
    pub memory: u64,
    /// Compare words without difference of case.
    pub lowercase: bool,
    /// Write ARPA text instead of a binary.
    pub arpa: bool,
}

/// Takes trees one by one and writes a model.
pub struct Trainer {
    training: Training,
    roots: Estimator,
    left: Estimator,
    right: Estimator,
}

impl Trainer {
    pub fn new(training: Training) -> Result<Self> {
        if !(2..=4).contains(&training.order) {
            let order = training.order;
            let message = format!("order {order}: a dependency model has order 2, 3 or 4");
            return Err(Error::setting(message));
        }
        let children = Boundaries { begin: Begin::FirstWord, end: true };
        let roots = Boundaries { begin: Begin::Marker, end: false };
        let estimator = |order: usize, boundaries: Boundaries| {
            // A tree may well hold the word `<s>`; in a model it could not be told from the mark.
            let (memory, symbols) = (training.memory / 3, Symbols::Skip);
            Estimator::new(Options { order, memory, symbols, boundaries, ..Options::default() })
        };
        Ok(Trainer {
            roots: estimator(1, roots)?,
            left: estimator(training.order, children)?,
            right: estimator(training.order, children)?,
            training,
        })
    }

    /// Adds a tree. Cyclic and multi-root ones count for what they have: each root, and each
    /// word with its children.
    pub fn tree(&mut self, tree: &DependencyTree) -> Result<()> {
        let lowercase = self.training.lowercase;
        let forms: Vec<Cow<'_, str>> =
            tree.forms().iter().map(|form| token(form, lowercase)).collect();
        let form = |word: u32| &*forms[word as usize - 1];
        let topology = tree.topology();
        for &root in topology.roots() {
            self.roots.sentence([form(root)])?;
        }
        for word in 1..=tree.len() as u32 {
            let children = topology.children(word);
            let right = children.partition_point(|&child| child < word);
            let head = head_token(form(word));
            let nearest_first = children[..right].iter().rev().map(|&child| form(child));
            self.left.sentence(std::iter::once(head.as_str()).chain(nearest_first))?;
            let nearest_first = children[right..].iter().map(|&child| form(child));
            self.right.sentence(std::iter::once(head.as_str()).chain(nearest_first))?;
        }
        Ok(())
    }

    /// Estimates the three models and writes them into a directory.
    pub fn finish(self, directory: &Path, monitor: &Monitor) -> Result<[Report; 3]> {
        let suffix = if self.training.arpa { "arpa" } else { "bin" };
        let [roots, left, right] = FILES.map(|name| directory.join(format!("{name}.{suffix}")));
        Ok([
            write(self.roots, &roots, monitor)?,
            write(self.left, &left, monitor)?,
            write(self.right, &right, monitor)?,
        ])
    }
}

/// What a model was trained on, and its n-grams of each length, by model.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub trees: u64,
    pub words: u64,
    pub ngrams: [Vec<u64>; 3],
    /// Lengths for which a model of children got fixed discounts.
    pub fallback: Vec<usize>,
}

/// Trains on the trees of CoNLL-U files and writes the model into a directory.
pub fn train(
    inputs: &[PathBuf],
    directory: &Path,
    training: Training,
    monitor: &Monitor,
) -> Result<Summary> {
    let mut trainer = Trainer::new(training)?;
    let (mut trees, mut words) = (0, 0);
    for input in inputs {
        let mut reader = Reader::open(input, Format::ConllU)?;
        while let Some(sentence) = reader.next()? {
            let tree = sentence.tree(Tags::Upos)?;
            trainer.tree(&tree)?;
            (trees, words) = (trees + 1, words + tree.len() as u64);
            monitor.advance(1)?;
        }
    }
    if words == 0 {
        return Err(Error::setting("no trees to estimate a dependency model from"));
    }
    let reports = trainer.finish(directory, monitor)?;
    let mut fallback: Vec<usize> = reports[1..].iter().flat_map(|r| r.fallback.clone()).collect();
    fallback.sort_unstable();
    fallback.dedup();
    Ok(Summary { trees, words, ngrams: reports.map(|report| report.kept), fallback })
}

fn write(estimator: Estimator, path: &Path, monitor: &Monitor) -> Result<Report> {
    let mut sink: Box<dyn NgramSink> = if path.extension().is_some_and(|suffix| suffix == "arpa") {
        Box::new(ArpaWriter::create(path)?)
    } else {
        let options = lm::Options { layout: Layout::Hashed, quantise: None };
        Box::new(BinaryWriter::create(path, options, Workspace::default(), monitor)?)
    };
    estimator.estimate(&mut *sink, monitor)
}
