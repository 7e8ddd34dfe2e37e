//! Aligned text as text of operations.

use std::path::Path;

use rayon::prelude::*;

use super::model::class_of;
use super::moves::{Move, Place};
use super::spelling::{CONTINUE, IDENTICAL, Spelling};
use super::story::{Act, Cept, Story};
use crate::classes::WordClasses;
use crate::extract::Corpus;
use crate::extract::input::{Pairs, Words};
use crate::extract::pair::Pair;
use crate::text::{Lines, Output};
use crate::{Monitor, Result, Vocabulary, WordId};

/// Pairs read before they are converted together.
const BATCH: usize = 4096;

/// What was converted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    pub pairs: u64,
    /// Pairs left out because no words are linked, as in pairs that were too long to align.
    pub unaligned: u64,
    /// Lines written: one for each different alignment of a pair.
    pub sequences: u64,
    pub operations: u64,
}

/// Writes a line of operations for each pair; where a pair has several alignments, one for each
/// that is different. With classes, of source and target, operations are made of these.
pub fn convert(
    corpus: &Corpus,
    classes: Option<[&WordClasses; 2]>,
    output: &Path,
    monitor: &Monitor,
) -> Result<Report> {
    let rare = rare_words(&corpus.source)?;
    let (mut pairs, mut output) = (Pairs::open(corpus, None)?, Output::create(output)?);
    let (each, mut report) = (corpus.alignments.len().max(1), Report::default());
    loop {
        let batch = pairs.read(BATCH * each)?;
        if batch.is_empty() {
            break;
        }
        let writing = Writing { words: &pairs.words, classes, rare: &rare };
        let converted: Vec<Option<Vec<(String, u64)>>> =
            batch.par_chunks(each).map(|versions| writing.lines(versions)).collect();
        report.pairs += converted.len() as u64;
        for lines in converted {
            report.unaligned += u64::from(lines.is_none());
            for (line, operations) in lines.into_iter().flatten() {
                report.sequences += 1;
                report.operations += operations;
                output.write_line(&line)?;
            }
        }
        monitor.advance((batch.len() / each) as u64)?;
    }
    output.finish()?;
    Ok(report)
}

/// The words of a text that it has only once.
fn rare_words(text: &Path) -> Result<Vocabulary> {
    let (mut lines, mut words, mut once) = (Lines::open(text)?, Vocabulary::default(), Vec::new());
    while let Some(line) = lines.next()? {
        for word in line.split_whitespace() {
            let place = words.add(word).index();
            if place == once.len() { once.push(true) } else { once[place] = false }
        }
    }
    let mut rare = Vocabulary::default();
    for (word, _) in words.words().zip(once).filter(|&(_, once)| once) {
        rare.add(word);
    }
    Ok(rare)
}

struct Writing<'a> {
    words: &'a Words,
    classes: Option<[&'a WordClasses; 2]>,
    rare: &'a Vocabulary,
}

impl Writing<'_> {
    /// The different lines of a pair with the number of their operations; None if it has no links.
    fn lines(&self, versions: &[Pair]) -> Option<Vec<(String, u64)>> {
        let mut found = Vec::new();
        for (number, pair) in versions.iter().enumerate() {
            let known = versions[..number].iter().any(|earlier| earlier.links == pair.links);
            if !known && !pair.links.is_empty() && self.fits(pair) {
                found.push(self.line(pair));
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// Places of longer pairs are cut.
    fn fits(&self, pair: &Pair) -> bool {
        pair.source.len().max(pair.target.len()) < usize::from(u16::MAX)
    }

    fn line(&self, pair: &Pair) -> (String, u64) {
        let (source, target) = (self.side(pair, 0), self.side(pair, 1));
        let text = |side: &[String], places: &[u16]| -> Vec<String> {
            places.iter().map(|&place| side[usize::from(place)].clone()).collect()
        };
        let story = Story::of(source.len(), target.len(), pair.links.iter().copied());
        let (mut place, mut done) = (Place::default(), vec![false; source.len()]);
        let mut line = Line::default();
        for &act in &story.acts {
            if let Some(next) = act.source() {
                let is_done = |word: u32| done.get(word as usize) == Some(&true);
                place.go(u32::from(next), is_done, |moved| line.moved(moved));
                done[usize::from(next)] = true;
            }
            match act {
                Act::Insert { target: added } => line.cept(&[], &text(&target, &[added])),
                Act::Delete { source: dropped } => line.cept(&text(&source, &[dropped]), &[]),
                Act::Continue { .. } => line.add(CONTINUE),
                Act::Translate { cept, .. } => match &story.cepts[usize::from(cept)] {
                    cept if self.is_identical(pair, cept) => line.add(IDENTICAL),
                    cept => line.cept(&text(&source, &cept.source), &text(&target, &cept.target)),
                },
            }
        }
        (line.text, line.operations)
    }

    /// The words of a side, or their classes.
    fn side(&self, pair: &Pair, side: usize) -> Vec<String> {
        let (words, vocabulary) = match side {
            0 => (&pair.source, &self.words.source),
            _ => (&pair.target, &self.words.target),
        };
        let text = |&word: &u32| vocabulary.word(WordId(word));
        match self.classes {
            None => words.iter().map(|word| text(word).to_string()).collect(),
            Some(classes) => words.iter().map(|word| class_of(classes[side], text(word))).collect(),
        }
    }

    /// Whether a cept is a word that stands for itself and was seen once.
    fn is_identical(&self, pair: &Pair, cept: &Cept) -> bool {
        let (&[from], &[to]) = (&cept.source[..], &cept.target[..]) else { return false };
        let [from, to] = [pair.source[usize::from(from)], pair.target[usize::from(to)]];
        let source = self.words.source.word(WordId(from));
        self.rare.get(source).is_some() && self.words.target.word(WordId(to)) == source
    }
}

/// A line of operations as it grows.
#[derive(Default)]
struct Line {
    text: String,
    operations: u64,
    spelling: Spelling,
}

impl Line {
    fn add(&mut self, operation: &str) {
        push(&mut self.text, operation);
        self.operations += 1;
    }

    fn moved(&mut self, moved: Move) {
        push(&mut self.text, self.spelling.moved(moved));
        self.operations += 1;
    }

    fn cept(&mut self, source: &[String], target: &[String]) {
        let [source, target] = [source, target].map(|side| side.iter().map(String::as_str));
        push(&mut self.text, self.spelling.cept(source, target));
        self.operations += 1;
    }
}

fn push(text: &mut String, operation: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(operation);
}
