//! Writing ARPA files.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::snippet;
use crate::lm::{Entry, NgramSink};
use crate::text::Output;
use crate::{Error, Result, Vocabulary, WordId};

/// Lines that one thread formats at a time.
const LINES: usize = 2048;

/// Writes what it is given, in the order it is given, as an ARPA file (compressed if its name
/// ends in `.gz` or `.zst`; `-` is standard output). Values are written with as many digits
/// as it takes to read the same `f32` again.
pub struct ArpaWriter {
    path: PathBuf,
    output: Option<Output>,
    vocabulary: Vocabulary,
    counts: Vec<u64>,
    /// Length of the n-grams being written, and how many of them are still to come.
    order: usize,
    left: u64,
    line: Vec<u8>,
}

impl ArpaWriter {
    pub fn create(path: &Path) -> Result<Self> {
        Ok(ArpaWriter {
            path: path.to_path_buf(),
            output: Some(Output::create(path)?),
            vocabulary: Vocabulary::default(),
            counts: Vec::new(),
            order: 0,
            left: 0,
            line: Vec::new(),
        })
    }

    fn output(&mut self) -> Result<&mut Output> {
        let path = &self.path;
        self.output.as_mut().ok_or_else(|| broken(path, "written to after its end"))
    }

    /// Counts n-grams that are about to be written, in the section of their length.
    fn promised(&mut self, order: usize, ngrams: u64) -> Result<()> {
        if order != self.order {
            self.enter(order)?;
        }
        if order != self.order || order == 0 || self.left < ngrams {
            let message = format!("more {order}-grams than promised, or out of turn");
            return Err(broken(&self.path, &message));
        }
        self.left -= ngrams;
        Ok(())
    }

    /// Ends the sections up to the n-grams of length `order` and begins theirs.
    fn enter(&mut self, order: usize) -> Result<()> {
        while self.order < order {
            if self.left > 0 {
                let message = format!("{} {}-grams fewer than promised", self.left, self.order);
                return Err(broken(&self.path, &message));
            }
            self.order += 1;
            self.left = self.counts.get(self.order - 1).copied().unwrap_or(0);
            let title = format!("\n\\{}-grams:\n", self.order);
            self.output()?.write(title.as_bytes())?;
        }
        Ok(())
    }
}

/// A source that does not keep its own promises: a defect of the program, told without panic.
fn broken(path: &Path, message: &str) -> Error {
    Error::Output { path: path.to_path_buf(), reason: format!("cannot write ARPA: {message}") }
}

impl NgramSink for ArpaWriter {
    fn begin(&mut self, vocabulary: &Vocabulary, counts: &[u64]) -> Result<()> {
        if let Some(word) = vocabulary.words().find(|word| !is_writable(word)) {
            let word = snippet(word.as_bytes());
            return Err(Error::setting(format!(
                "the word {word} cannot stand in an ARPA file: it is empty or has white space"
            )));
        }
        self.vocabulary = vocabulary.clone();
        self.counts = counts.to_vec();
        let mut header = String::from("\\data\\\n");
        for (index, count) in counts.iter().enumerate() {
            header += &format!("ngram {}={count}\n", index + 1);
        }
        self.output()?.write(header.as_bytes())
    }

    fn ngram(&mut self, words: &[WordId], entry: Entry) -> Result<()> {
        self.promised(words.len(), 1)?;
        self.line.clear();
        let last = words.len() == self.counts.len();
        format(&self.vocabulary, words, entry, last, &mut self.line);
        let path = &self.path;
        let output =
            self.output.as_mut().ok_or_else(|| broken(path, "written to after its end"))?;
        output.write(&self.line)
    }

    fn ngrams(&mut self, length: usize, words: &[WordId], entries: &[Entry]) -> Result<()> {
        self.promised(length, entries.len() as u64)?;
        let (vocabulary, last) = (&self.vocabulary, length == self.counts.len());
        let ngrams = words.par_chunks_exact(length.max(1)).zip(entries);
        let add = |mut lines: Vec<u8>, (ngram, &entry): (&[WordId], &Entry)| {
            format(vocabulary, ngram, entry, last, &mut lines);
            lines
        };
        let lines: Vec<Vec<u8>> = ngrams.fold_chunks(LINES, Vec::new, add).collect();
        lines.iter().try_for_each(|lines| self.output()?.write(lines))
    }

    fn finish(&mut self) -> Result<()> {
        self.enter(self.counts.len())?;
        if self.left > 0 {
            let message = format!("{} {}-grams fewer than promised", self.left, self.order);
            return Err(broken(&self.path, &message));
        }
        self.output()?.write(b"\n\\end\\\n")?;
        self.output.take().map_or(Ok(()), Output::finish)
    }
}

/// Appends the line of an n-gram, which has no back-off if it is of the `last` section.
fn format(vocabulary: &Vocabulary, words: &[WordId], entry: Entry, last: bool, line: &mut Vec<u8>) {
    // Writing into memory does not fail.
    let _ = write!(line, "{}", Plain(entry.log10_prob));
    for (index, &word) in words.iter().enumerate() {
        line.push(if index == 0 { b'\t' } else { b' ' });
        line.extend_from_slice(vocabulary.word(word).as_bytes());
    }
    if !last {
        let _ = write!(line, "\t{}", Plain(entry.log10_backoff));
    }
    line.push(b'\n');
}

/// A value without the sign of a negative zero.
struct Plain(f32);

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // -0.0 + 0.0 is 0.0; every other value stays.
        write!(f, "{}", self.0 + 0.0)
    }
}

fn is_writable(word: &str) -> bool {
    !word.is_empty() && !word.bytes().any(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(log10_prob: f32, log10_backoff: f32) -> Entry {
        Entry { log10_prob, log10_backoff }
    }

    fn words(words: &[&str]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        words.iter().for_each(|word| {
            vocabulary.add(word);
        });
        vocabulary
    }

    #[test]
    fn the_file_is_what_other_toolkits_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.arpa");
        let mut writer = ArpaWriter::create(&path).unwrap();
        writer.begin(&words(&["<unk>", "a"]), &[2, 1]).unwrap();
        writer.ngram(&[WordId(0)], entry(-1.5, -0.0)).unwrap();
        writer.ngram(&[WordId(1)], entry(-0.1, -0.302)).unwrap();
        writer.ngram(&[WordId(1), WordId(0)], entry(-0.25, 0.0)).unwrap();
        writer.finish().unwrap();
        let expected = "\\data\\\nngram 1=2\nngram 2=1\n\n\\1-grams:\n-1.5\t<unk>\t0\n-0.1\ta\t-0.302\n\n\
                        \\2-grams:\n-0.25\ta <unk>\n\n\\end\\\n";
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }

    #[test]
    fn many_at_once_are_written_as_one_by_one() {
        let directory = tempfile::tempdir().unwrap();
        let vocabulary = words(&["<unk>", "a"]);
        let ngrams: Vec<WordId> = (0..10_000).map(|number| WordId(number / 3 % 2)).collect();
        let entries: Vec<Entry> =
            (0..5000_u16).map(|number| entry(-f32::from(number) / 7.0, -0.5)).collect();
        let write = |name: &str, at_once: bool| {
            let path = directory.path().join(name);
            let mut writer = ArpaWriter::create(&path).unwrap();
            writer.begin(&vocabulary, &[0, 5000, 0]).unwrap();
            if at_once {
                writer.ngrams(2, &ngrams, &entries).unwrap();
                assert!(writer.ngrams(2, &ngrams[..2], &entries[..1]).is_err());
            } else {
                for (words, &entry) in ngrams.chunks(2).zip(&entries) {
                    writer.ngram(words, entry).unwrap();
                }
            }
            writer.finish().unwrap();
            std::fs::read_to_string(path).unwrap()
        };
        assert_eq!(write("many", true), write("one by one", false));
    }

    #[test]
    fn a_source_that_breaks_its_promise_leaves_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.arpa");
        let mut writer = ArpaWriter::create(&path).unwrap();
        writer.begin(&words(&["a"]), &[1, 1]).unwrap();
        writer.ngram(&[WordId(0)], entry(-1.5, 0.0)).unwrap();
        assert!(writer.ngram(&[WordId(0)], entry(-1.5, 0.0)).is_err());
        assert!(writer.finish().unwrap_err().to_string().contains("1 2-grams fewer"));
        drop(writer);
        assert!(!path.exists());
    }

    #[test]
    fn words_that_would_break_a_line_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let mut writer = ArpaWriter::create(&directory.path().join("a")).unwrap();
        for word in ["", "a b", "a\tb", "a\n"] {
            assert!(writer.begin(&words(&[word]), &[1]).is_err());
        }
    }
}
