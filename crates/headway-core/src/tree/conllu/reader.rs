//! Sentences out of a file, one at a time.

use std::path::Path;

use super::block::{Block, MAX_SENTENCE};
use super::format::Format;
use super::sentence::Sentence;
use crate::text::Lines;
use crate::{Error, Result};

/// Reads sentences in the memory of one; the texts of all sentences of a CoNLL-U file, one
/// after the other, are the file.
pub struct Reader {
    lines: Lines,
    format: Format,
    /// The first line of the next sentence, seen while looking for blank lines.
    held: Option<String>,
    /// Bytes that a sentence may have.
    longest: usize,
}

impl Reader {
    pub fn open(path: &Path, format: Format) -> Result<Self> {
        Ok(Reader::new(Lines::open(path)?, format))
    }

    pub fn new(lines: Lines, format: Format) -> Self {
        Reader { lines, format, held: None, longest: MAX_SENTENCE }
    }

    /// The next sentence, with the blank lines after it.
    #[allow(clippy::should_implement_trait)] // an error ends reading, which Iterator does not say
    pub fn next(&mut self) -> Result<Option<Sentence>> {
        let mut block = Block::new(self.format, self.longest);
        let first = self.lines.number() + u64::from(self.held.is_none());
        if let Some(held) = self.held.take() {
            block.push(&held).map_err(|message| self.lines.error(message))?;
        }
        while let Some(line) = self.lines.next_raw()? {
            if block.is_full(line) {
                self.held = Some(line.to_string());
                return self.finish(block, first).map(Some);
            }
            if let Err(message) = block.push(line) {
                return Err(self.lines.error(message));
            }
        }
        if !block.is_blank() {
            return self.finish(block, first).map(Some);
        }
        if block.has_lines() {
            return Err(self.lines.error("expected a sentence, found nothing but blank lines"));
        }
        Ok(None)
    }

    /// Up to `most` sentences, fewer if they are very long; none at the end.
    pub fn read(&mut self, most: usize) -> Result<Vec<Sentence>> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < most && bytes < self.longest {
            match self.next()? {
                Some(sentence) => {
                    bytes += sentence.as_str().len();
                    batch.push(sentence);
                }
                None => break,
            }
        }
        Ok(batch)
    }

    fn finish(&self, block: Block, first: u64) -> Result<Sentence> {
        let finished = block.finish(first);
        finished.map_err(|flaw| Error::format(self.lines.path(), flaw.line, flaw.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn reader(text: &str, format: Format) -> Reader {
        let bytes = Cursor::new(text.as_bytes().to_vec());
        Reader::new(Lines::new(Box::new(bytes), Path::new("t")), format)
    }

    fn all(text: &str) -> Result<Vec<Sentence>> {
        reader(text, Format::ConllU).read(usize::MAX)
    }

    fn error(text: &str) -> String {
        all(text).unwrap_err().to_string()
    }

    const A: &str = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n";

    #[test]
    fn texts_of_sentences_are_the_file() {
        for (file, count) in [
            (String::new(), 0),
            (format!("{A}\n{A}"), 2),
            (format!("\n\n# c\n{A}\n\n \n{A}\n\n\n"), 2),
            (format!("\u{feff}# c\n{A}\n").replace('\n', "\r\n"), 1),
            (format!("\u{feff}{A}\n# only a comment\n\n{A}").trim_end().to_string(), 3),
        ] {
            let sentences = all(&file).unwrap();
            assert_eq!(sentences.len(), count, "{file:?}");
            let texts: String = sentences.iter().map(Sentence::as_str).collect();
            assert_eq!(texts, file);
        }
    }

    #[test]
    fn lines_are_counted_through_the_file() {
        let sentences = all(&format!("\n# c\n{A}\n\n{A}\n{A}")).unwrap();
        assert_eq!(sentences.iter().map(Sentence::line).collect::<Vec<_>>(), [2, 6, 8]);
    }

    #[test]
    fn flaws_are_named_with_their_line() {
        let nine = A.replace("\t_\n", "\n");
        assert!(error(&format!("{A}\n{nine}")).starts_with("t:3: expected 10 columns"));
        let out = A.replace("\t0\t", "\t2\t");
        assert!(
            error(&format!("# c\n{out}\n")).starts_with("t:2: column 7 (HEAD): word 1: head 2")
        );
        assert!(error(&format!("{A}{A}")).starts_with("t:2: ids out of order: expected word 2"));
        assert!(
            error(&A.replace("1\ta", "1-3\ta")).starts_with("t:1: bad range 1-3: the sentence")
        );
        assert!(error(&A.replace("1\ta", "2-1\ta")).starts_with("t:1: bad range 2-1: its end"));
        assert!(error(&A.replace("1\ta", "2-3\ta")).starts_with("t:1: bad range 2-3: it must"));
        let twice = A.replace("1\ta", "1-2\ta");
        assert!(error(&format!("{twice}{twice}")).starts_with("t:2: bad range 1-2: word 1 is in"));
        let empty = A.replace("1\ta", "1.2\ta");
        assert!(error(&format!("{A}{empty}")).starts_with("t:2: ids out of order: expected empty"));
        assert!(error("\n\n").starts_with("t:2: expected a sentence"));
    }

    #[test]
    fn a_sentence_without_end_is_an_error() {
        let file = format!("{A}\n{}", "# c\n".repeat(30));
        for format in [Format::ConllU, Format::ConllX] {
            let mut reader = reader(&file, format);
            reader.longest = 100;
            assert_eq!(reader.next().unwrap().map(|sentence| sentence.line()), Some(1));
            let error = reader.next().unwrap_err().to_string();
            assert_eq!(error, "t:28: sentence longer than 100 bytes; are the blank lines missing?");
        }
        let mut reader = reader(&format!("{A}\n").repeat(9), Format::ConllU);
        reader.longest = 3 * (A.len() + 1);
        assert_eq!([0; 4].map(|_| reader.read(100).unwrap().len()), [3, 3, 3, 0]);
    }

    #[test]
    fn older_formats_are_read() {
        let sentences = reader("the\tDT\t2\nend\tNN\t0\n\na\tb\t0", Format::WordTagHead).read(9);
        let sentences = sentences.unwrap();
        assert_eq!(sentences.len(), 2);
        assert_eq!(sentences[0].as_str().lines().nth(1), Some("2\tend\t_\t_\tNN\t_\t0\t_\t_\t_"));
        let error = reader("the\tDT\t2\nx\ty\n", Format::WordTagHead).next().unwrap_err();
        assert!(error.to_string().starts_with("t:2: expected word, tag and head"));
    }

    proptest! {
        #[test]
        fn what_is_accepted_is_kept_byte_for_byte(
            lines in proptest::collection::vec(prop_oneof![
                Just("1\ta\t_\t_\t_\t_\t0\t_\t_\t_"), Just("2\tb\t_\t_\t_\t_\t1\t_\t_\t_"),
                Just("1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_"), Just("1.1\tc\t_\t_\t_\t_\t_\t_\t_\t_"),
                Just(""), Just(""), Just(" "), Just("# text = a b"), Just("#"), Just("\u{feff}"),
            ], 0..12),
            ends in proptest::collection::vec(prop_oneof![Just("\n"), Just("\r\n")], 12),
            open_end: bool,
        ) {
            let mut file: String = lines.iter().zip(&ends).flat_map(|(l, e)| [*l, *e]).collect();
            if open_end { file.truncate(file.trim_end_matches(['\r', '\n']).len()); }
            if let Ok(sentences) = all(&file) {
                let texts: String = sentences.iter().map(Sentence::as_str).collect();
                prop_assert_eq!(texts, file);
            }
        }
    }
}
