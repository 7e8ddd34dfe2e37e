//! Reading ARPA files, of any toolkit.

use std::path::Path;

use super::{MAX_ORDER, header, line};
use crate::error::snippet;
use crate::lm::{Entry, NgramSink};
use crate::text::{Lines, open};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

/// Lines between two looks at the monitor.
const STRIDE: u64 = 1 << 16;

/// Reads a whole ARPA file into `sink`.
pub fn read_arpa(path: &Path, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
    let mut reader = ArpaReader::open(path)?;
    monitor.expect(reader.counts().iter().sum());
    reader.read(sink, monitor)
}

/// An ARPA file of which header and 1-grams have been read.
pub struct ArpaReader {
    lines: Lines,
    /// The line read last that is not blank.
    line: String,
    counts: Vec<u64>,
    vocabulary: Vocabulary,
    unigrams: Vec<Entry>,
}

impl ArpaReader {
    pub fn open(path: &Path) -> Result<Self> {
        let mut reader = open(path)?;
        header::check_kind(&mut *reader, path)?;
        let mut lines = Lines::new(reader, path);
        let counts = header::read_counts(&mut lines)?;
        let (vocabulary, line) = (Vocabulary::default(), String::new());
        let mut reader = ArpaReader { lines, line, counts, vocabulary, unigrams: Vec::new() };
        reader.read_unigrams()?;
        Ok(reader)
    }

    /// How many n-grams of each length the file promises.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Hands everything to `sink`, in the order of the file.
    pub fn read(&mut self, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
        sink.begin(&self.vocabulary, &self.counts)?;
        for (id, &entry) in self.unigrams.iter().enumerate() {
            sink.ngram(&[WordId(id as u32)], entry)?;
        }
        monitor.advance(self.unigrams.len() as u64)?;
        for order in 2..=self.counts.len() {
            self.expect_title(order - 1, &format!("\\{order}-grams:"))?;
            self.read_section(order, sink, monitor)?;
        }
        self.expect_title(self.counts.len(), "\\end\\")?;
        sink.finish()
    }

    fn read_unigrams(&mut self) -> Result<()> {
        let mut text = 0;
        for read in 0..self.counts[0] {
            self.next_ngram(1, read)?;
            let mut word = [""];
            let mut entry =
                line::parse(&self.line, &mut word).map_err(|message| self.lines.error(message))?;
            text += word[0].len();
            if text > u32::MAX as usize {
                return Err(self.lines.error("more than 4 GiB of words"));
            }
            if self.vocabulary.add(word[0]).index() < self.unigrams.len() {
                let word = snippet(word[0].as_bytes());
                return Err(self.lines.error(format!("the 1-gram {word} stands here again")));
            }
            if self.counts.len() == 1 {
                entry.log10_backoff = 0.0;
            }
            self.unigrams.push(entry);
        }
        Ok(())
    }

    fn read_section(
        &mut self,
        order: usize,
        sink: &mut dyn NgramSink,
        monitor: &Monitor,
    ) -> Result<()> {
        let highest = order == self.counts.len();
        let count = self.counts[order - 1];
        let mut ids = [WordId(0); MAX_ORDER];
        for read in 0..count {
            if read % STRIDE == 0 {
                monitor.advance(STRIDE.min(count - read))?;
            }
            self.next_ngram(order, read)?;
            let parsed = parse_ids(&self.line, &self.vocabulary, &mut ids[..order]);
            let mut entry = parsed.map_err(|message| self.lines.error(message))?;
            if highest {
                entry.log10_backoff = 0.0; // some toolkits write one; nothing can use it
            }
            sink.ngram(&ids[..order], entry)?;
        }
        Ok(())
    }

    /// Reads the next n-gram line into `line`, after `read` of length `order`.
    fn next_ngram(&mut self, order: usize, read: u64) -> Result<()> {
        let count = self.counts[order - 1];
        if !self.next_line()? {
            return Err(self.cut_short(&format!("{} more {order}-grams are", count - read)));
        }
        if self.line.starts_with('\\') {
            let found = snippet(self.line.as_bytes());
            let promise = format!("the header promises {count} {order}-grams");
            return Err(self.lines.error(format!("{promise}, but after {read} comes {found}")));
        }
        Ok(())
    }

    /// Reads the line that ends the section of length `order`.
    fn expect_title(&mut self, order: usize, title: &str) -> Result<()> {
        if !self.next_line()? {
            return Err(self.cut_short(&format!("\"{title}\" is")));
        }
        if self.line.trim() == title {
            return Ok(());
        }
        let found = snippet(self.line.as_bytes());
        if self.line.starts_with('\\') {
            return Err(self.lines.error(format!("expected \"{title}\", found {found}")));
        }
        let promise = format!("the header promises {} {order}-grams", self.counts[order - 1]);
        Err(self.lines.error(format!("{promise}, but then comes one more: {found}")))
    }

    /// Reads the next line that is not blank into `line`; false at the end.
    fn next_line(&mut self) -> Result<bool> {
        while let Some(line) = self.lines.next()? {
            if line.bytes().any(|byte| byte != b' ' && byte != b'\t') {
                self.line.clear();
                self.line.push_str(line);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn cut_short(&self, expected: &str) -> Error {
        self.lines.error(format!("the file ends where {expected} expected; it is cut short"))
    }
}

fn parse_ids(
    line: &str,
    vocabulary: &Vocabulary,
    ids: &mut [WordId],
) -> std::result::Result<Entry, String> {
    let mut words = [""; MAX_ORDER];
    let entry = line::parse(line, &mut words[..ids.len()])?;
    for (id, word) in ids.iter_mut().zip(words) {
        *id = vocabulary.get(word).ok_or_else(|| {
            format!("the word {} is not among the 1-grams", snippet(word.as_bytes()))
        })?;
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lm::ArpaWriter;
    use proptest::prelude::*;

    const SMALL: &str = "\\data\\\nngram 1=3\nngram 2=2\n\n\\1-grams:\n-1\t<s>\t-0.5\n-0.5\t</s>\t0\n\
                         -0.7\ta\t-0.2\n\n\\2-grams:\n-0.1\t<s> a\n-0.2\ta </s>\n\n\\end\\\n";

    fn rewritten(text: &[u8]) -> Result<String> {
        let directory = tempfile::tempdir().unwrap();
        let (path, again) = (directory.path().join("a.arpa"), directory.path().join("b.arpa"));
        std::fs::write(&path, text).unwrap();
        let mut writer = ArpaWriter::create(&again)?;
        read_arpa(&path, &mut writer, &Monitor::default())?;
        Ok(std::fs::read_to_string(&again).unwrap())
    }

    fn message(text: &str) -> String {
        let message = rewritten(text.as_bytes()).unwrap_err().to_string();
        message.rsplit_once("a.arpa:").unwrap().1.to_string()
    }

    #[test]
    fn what_we_write_we_read() {
        assert_eq!(rewritten(SMALL.as_bytes()).unwrap(), SMALL);
    }

    #[test]
    fn the_ways_of_other_toolkits_are_understood() {
        let other = "made by hand\n\n\\data\\ \r\nngram  1 = 3\nngram 2=2\n\n\n\\1-grams:\n-1 <s> -0.5\n\n-.5\t</s>\n\
                     -7e-1\ta\t-0.2\n\\2-grams:\n-0.1\t<s> a\t0.3\n-0.2\ta </s>\n\\end\\\nafter\n";
        assert_eq!(rewritten(other.as_bytes()).unwrap(), SMALL);
    }

    #[test]
    fn each_defect_is_named_with_its_line() {
        let with = |from: &str, to: &str| message(&SMALL.replacen(from, to, 1));
        assert!(
            with("ngram 1=3", "ngram 1=2").starts_with("8: the header promises 2 1-grams, but")
        );
        assert!(
            with("ngram 1=3", "ngram 1=4")
                .starts_with("10: the header promises 4 1-grams, but after 3")
        );
        assert!(with("ngram 2=2", "ngram 2=1").starts_with("12: the header promises 1 2-grams"));
        assert!(with("ngram 2=2", "ngram 2=3").starts_with("14: the header promises 3 2-grams"));
        assert!(with("ngram 2=2", "ngram 3=2").starts_with("3: expected \"ngram 2=COUNT\""));
        assert!(with("ngram 2=2", "ngram 2=x").starts_with("3: expected \"ngram 2=COUNT\""));
        assert!(
            with("ngram 2=2\n", "ngram 2=2\nngram 3=1\n")
                .contains("expected \"\\3-grams:\", found \"\\\\end")
        );
        assert!(
            with("-0.7\ta", "-0.7\t<s>").starts_with("8: the 1-gram \"<s>\" stands here again")
        );
        assert!(with("<s> a", "<s> b").starts_with("11: the word \"b\" is not among the 1-grams"));
        assert!(with("-0.1", "NaN").starts_with("11: expected a finite"));
        assert!(with("\\data\\", "data").contains("not an ARPA file"));
        assert!(with("\n\\end\\\n", "").contains("cut short"));
        assert!(message(&SMALL[..SMALL.len() - 30]).contains("cut short"));
        assert!(message("").contains("not an ARPA file"));
        assert!(with("ngram 2=2", "ngram 2=9999999999").contains("at most 2^32"));
        assert!(
            message("mmap lm http://kheafield.com/code format version 5\n\0").contains("KenLM")
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_fail_badly(
            edits in prop::collection::vec((0_usize..400, any::<u8>(), 0_u8..3), 1..6),
        ) {
            let mut bytes = SMALL.as_bytes().to_vec();
            for (place, byte, kind) in edits {
                let place = place % bytes.len();
                match kind {
                    0 => bytes[place] = byte,
                    1 => bytes.insert(place, byte),
                    _ => { bytes.remove(place); }
                }
            }
            // An error or a file that is read again as it was written.
            if let Ok(text) = rewritten(&bytes) {
                prop_assert_eq!(rewritten(text.as_bytes()).unwrap(), text);
            }
        }
    }
}
