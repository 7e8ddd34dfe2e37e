//! Sentence pairs as numbers.

use std::path::Path;

use crate::text::Lines;
use crate::{Error, Monitor, Result, Vocabulary};

/// The sentences of one language, one after the other, as word numbers of its vocabulary.
#[derive(Debug, Clone, Default)]
pub struct Side {
    pub vocabulary: Vocabulary,
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl Side {
    pub fn push<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        for word in words {
            self.words.push(self.vocabulary.add(word).0);
        }
        self.ends.push(self.words.len());
    }

    /// The same sentences without difference of case: a word at the start of a sentence is the
    /// same word.
    pub fn lowercased(&self) -> Self {
        let mut vocabulary = Vocabulary::default();
        let ids: Vec<u32> =
            self.vocabulary.words().map(|word| vocabulary.add(&word.to_lowercase()).0).collect();
        let words = self.words.iter().map(|&word| ids[word as usize]).collect();
        Side { vocabulary, words, ends: self.ends.clone() }
    }

    /// Leaves some sentences without words.
    pub fn empty(&mut self, which: impl Fn(usize) -> bool) {
        let (mut start, mut kept) = (0, 0);
        for (number, end) in self.ends.iter_mut().enumerate() {
            if !which(number) {
                self.words.copy_within(start..*end, kept);
                kept += *end - start;
            }
            start = *end;
            *end = kept;
        }
        self.words.truncate(kept);
    }

    /// How many different words there are; the vocabulary may have more.
    pub fn used(&self) -> usize {
        let mut seen = vec![false; self.vocabulary.len()];
        self.words.iter().for_each(|&word| seen[word as usize] = true);
        seen.into_iter().filter(|&seen| seen).count()
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn sentence(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.words[start..self.ends[number]]
    }
}

/// Line-aligned sentences of two languages.
#[derive(Debug, Clone, Default)]
pub struct Bitext {
    pub source: Side,
    pub target: Side,
}

impl Bitext {
    /// Reads two files of tokenised text, one sentence a line.
    pub fn read(source: &Path, target: &Path, monitor: &Monitor) -> Result<Self> {
        let mut bitext = Bitext::default();
        let (mut sources, mut targets) = (Lines::open(source)?, Lines::open(target)?);
        loop {
            let more_source = read_sentence(&mut sources, &mut bitext.source)?;
            let more_target = read_sentence(&mut targets, &mut bitext.target)?;
            match (more_source, more_target) {
                (true, true) => monitor.advance(1)?,
                (false, false) => return Ok(bitext),
                (true, false) => return Err(unpaired(&sources, &targets)),
                (false, true) => return Err(unpaired(&targets, &sources)),
            }
        }
    }

    /// Whether a side of the pair has more words than this.
    pub fn is_longer(&self, pair: usize, most: usize) -> bool {
        [&self.source, &self.target].iter().any(|side| side.sentence(pair).len() > most)
    }

    pub fn len(&self) -> usize {
        self.source.len()
    }

    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }
}

fn read_sentence(lines: &mut Lines, side: &mut Side) -> Result<bool> {
    let Some(line) = lines.next()? else { return Ok(false) };
    side.push(line.split_whitespace());
    Ok(true)
}

fn unpaired(longer: &Lines, shorter: &Lines) -> Error {
    longer.error(format!(
        "a line without partner: {} ends after {} lines; both files need the same number of lines",
        shorter.path().display(),
        shorter.number(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn sentences_can_be_emptied() {
        let mut side = Side::default();
        for sentence in ["a b", "c", "", "d e f", "g"] {
            side.push(sentence.split_whitespace());
        }
        side.empty(|number| number == 0 || number == 3);
        let lengths: Vec<usize> = (0..5).map(|number| side.sentence(number).len()).collect();
        assert_eq!(lengths, [0, 1, 0, 0, 1]);
        assert_eq!((side.sentence(1), side.sentence(4)), (&[2][..], &[6][..]));
    }

    #[test]
    fn lines_become_numbers() {
        let directory = tempfile::tempdir().unwrap();
        let (source, target) = (directory.path().join("s"), directory.path().join("t"));
        fs::write(&source, "A b  a\n\nc\n").unwrap();
        fs::write(&target, "x\ny\nz z\n").unwrap();
        let bitext = Bitext::read(&source, &target, &Monitor::default()).unwrap();
        assert_eq!(bitext.source.sentence(0), [0, 1, 2]);
        assert_eq!(bitext.source.lowercased().sentence(0), [0, 1, 0]);
        assert_eq!(bitext.source.sentence(1), [0; 0]);
        assert_eq!(bitext.source.sentence(2), [3]);
        assert_eq!(bitext.target.sentence(2), [2, 2]);
        fs::write(&target, "x\ny\n").unwrap();
        let error = Bitext::read(&source, &target, &Monitor::default()).unwrap_err();
        assert!(error.to_string().contains("s:3: a line without partner"), "{error}");
    }
}
