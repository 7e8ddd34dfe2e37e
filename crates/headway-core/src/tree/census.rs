//! What is in a treebank, counted.

use super::conllu::{Reader, RowId, Sentence, Tags};
use crate::{Monitor, Result};

/// Some sentences of a kind: how many, and where the first few start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub count: u64,
    pub lines: Vec<u64>,
}

/// Counts over a treebank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    pub sentences: u64,
    pub words: u64,
    pub ranges: u64,
    pub empty_nodes: u64,
    /// Words of the longest sentence.
    pub longest: u64,
    /// One root, no cycle.
    pub trees: u64,
    /// Sentences of which every word has a head.
    pub parsed: u64,
    pub nonprojective: Found,
    pub cyclic: Found,
    pub multi_root: Found,
    /// Some word has no head.
    pub unparsed: Found,
    /// Without words.
    pub empty: Found,
    /// The words and their spacing do not give the `# text`.
    pub other_text: Found,
}

impl Census {
    /// Reads to the end, keeping up to `most_lines` lines of each kind.
    pub fn take(reader: &mut Reader, most_lines: usize, monitor: &Monitor) -> Result<Self> {
        let mut census = Census::default();
        while let Some(sentence) = reader.next()? {
            census.add(&sentence, most_lines);
            monitor.advance(1)?;
        }
        Ok(census)
    }

    pub fn add(&mut self, sentence: &Sentence, most_lines: usize) {
        let rows = |kind: fn(RowId) -> bool| {
            sentence.rows().iter().filter(|row| kind(row.id)).count() as u64
        };
        let words = sentence.len() as u64;
        self.sentences += 1;
        self.words += words;
        self.ranges += rows(|id| matches!(id, RowId::Range(..)));
        self.empty_nodes += rows(|id| matches!(id, RowId::Empty(..)));
        self.longest = self.longest.max(words);
        let text = sentence.value("text");
        let note = |found: &mut Found| {
            found.count += 1;
            if found.lines.len() < most_lines {
                found.lines.push(sentence.line());
            }
        };
        if text.is_some_and(|text| text != sentence.surface().trim()) {
            note(&mut self.other_text);
        }
        if sentence.is_empty() {
            return note(&mut self.empty);
        }
        let Ok(tree) = sentence.tree(Tags::Upos) else {
            return note(&mut self.unparsed);
        };
        let shape = tree.topology();
        self.parsed += 1;
        self.trees += u64::from(shape.is_tree());
        for (found, holds) in [
            (&mut self.nonprojective, !shape.is_projective()),
            (&mut self.cyclic, shape.has_cycle()),
            (&mut self.multi_root, shape.roots().len() > 1),
        ] {
            if holds {
                note(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lines;
    use crate::tree::conllu::Format;
    use std::io::Cursor;
    use std::path::Path;

    #[test]
    fn odd_sentences_are_counted_and_placed() {
        let sentence = |heads: &[&str]| -> String {
            let row = |(at, head): (usize, &&str)| {
                format!("{}\ta\t_\t_\t_\t_\t{head}\t_\t_\t_\n", at + 1)
            };
            heads.iter().enumerate().map(row).chain(["\n".to_string()]).collect()
        };
        let file = [
            sentence(&["2", "0"]),
            sentence(&["0", "0"]),
            sentence(&["2", "1"]),
            sentence(&["3", "4", "0", "3"]),
            sentence(&["_"]),
            "# text = b\n\n".to_string(),
        ]
        .concat();
        let lines = Lines::new(Box::new(Cursor::new(file.into_bytes())), Path::new("t"));
        let mut reader = Reader::new(lines, Format::ConllU);
        let census = Census::take(&mut reader, 5, &Monitor::default()).unwrap();
        assert_eq!((census.sentences, census.words, census.longest), (6, 11, 4));
        assert_eq!((census.parsed, census.trees), (4, 2));
        let at = |line| Found { count: 1, lines: vec![line] };
        assert_eq!(census.multi_root, at(4));
        assert_eq!(census.cyclic, at(7));
        assert_eq!(census.nonprojective, at(10));
        assert_eq!(census.unparsed, at(15));
        assert_eq!((census.empty, census.other_text), (at(17), at(17)));
    }
}
