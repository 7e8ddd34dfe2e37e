//! Reading files into a corpus on all cores, with the numbers a single reader would give.

use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::corpus::{Corpus, SYMBOLS};
use crate::error::Place;
use crate::lm::words_of;
use crate::text::Lines;
use crate::{Error, Monitor, Result, Vocabulary};

/// Text per batch; a batch is cut into pieces for the threads.
const BATCH: usize = 4 << 20;
const PIECE: usize = 128 << 10;

/// Marks a word that was new to the vocabulary when its piece was read.
const NEW: u32 = 1 << 31;

/// What `<s>`, `</s>` and `<unk>` mean as words of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    /// A mistake, to be reported.
    #[default]
    Refuse,
    /// Nothing: they are passed over like spaces.
    Skip,
}

/// Appends one sentence per line of `path`. Words stand between spaces and tabs.
pub fn read(corpus: &mut Corpus, path: &Path, symbols: Symbols, monitor: &Monitor) -> Result<()> {
    let mut lines = Lines::open(path)?;
    loop {
        let mut batch = Batch { path, first_line: lines.number() + 1, text: String::new() };
        while batch.text.len() < BATCH {
            let Some(line) = lines.next()? else { break };
            batch.text.push_str(line);
            batch.text.push('\n');
        }
        if batch.text.is_empty() {
            return Ok(());
        }
        batch.append_to(corpus, symbols, monitor)?;
    }
}

struct Batch<'a> {
    path: &'a Path,
    first_line: u64,
    text: String,
}

impl Batch<'_> {
    fn append_to(&self, corpus: &mut Corpus, symbols: Symbols, monitor: &Monitor) -> Result<()> {
        let vocabulary = corpus.vocabulary();
        let cut = pieces(&self.text).into_par_iter();
        let pieces: Vec<Piece<'_>> = cut.map(|piece| Piece::read(piece, vocabulary)).collect();
        let mut line = self.first_line;
        for piece in pieces {
            let refuse = |_: &_| symbols == Symbols::Refuse;
            if let Some((lines, symbol)) = piece.symbol.filter(refuse) {
                return Err(refused(self.path, line + lines, symbol));
            }
            line += piece.lines;
            piece.append_to(corpus)?;
            monitor.advance(piece.words.len() as u64)?;
        }
        Ok(())
    }
}

fn refused(path: &Path, line: u64, symbol: &str) -> Error {
    let message = format!("\"{symbol}\" as a word of the text; remove it, or use --skip-symbols");
    let place = Place { path: path.to_path_buf(), line: Some(line) };
    Error::Format { place, message }
}

/// Cuts text after line ends, into pieces of about the same size.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(text.len() / PIECE + 1);
    let mut rest = text;
    while let Some(end) = rest.as_bytes().iter().skip(PIECE).position(|&byte| byte == b'\n') {
        let (piece, after) = rest.split_at(PIECE + end + 1);
        pieces.push(piece);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// The words of a piece: numbers of known ones, `NEW` and an index into `new` for others,
/// `END` where lines end.
struct Piece<'a> {
    words: Vec<u32>,
    new: Vec<&'a str>,
    lines: u64,
    /// The first of `<s>`, `</s>`, `<unk>` in it, and the lines before.
    symbol: Option<(u64, &'static str)>,
}

const END_OF_LINE: u32 = u32::MAX;

impl<'a> Piece<'a> {
    fn read(text: &'a str, vocabulary: &Vocabulary) -> Self {
        let words = Vec::with_capacity(text.len() / 4);
        let mut piece = Piece { words, new: Vec::new(), lines: 0, symbol: None };
        let mut seen: FxHashMap<&'a str, u32> = FxHashMap::default();
        for line in text.split_terminator('\n') {
            for word in words_of(line) {
                piece.push(word, vocabulary, &mut seen);
            }
            piece.words.push(END_OF_LINE);
            piece.lines += 1;
        }
        piece
    }

    fn push(&mut self, word: &'a str, vocabulary: &Vocabulary, seen: &mut FxHashMap<&'a str, u32>) {
        let number = match vocabulary.get(word) {
            Some(known) if known.index() < SYMBOLS.len() => {
                self.symbol.get_or_insert((self.lines, SYMBOLS[known.index()]));
                return;
            }
            Some(known) => known.0,
            None => *seen.entry(word).or_insert_with(|| {
                self.new.push(word);
                NEW | (self.new.len() - 1) as u32
            }),
        };
        self.words.push(number);
    }

    fn append_to(&self, corpus: &mut Corpus) -> Result<()> {
        let numbers: Vec<u32> =
            self.new.iter().map(|word| corpus.number(word)).collect::<Result<_>>()?;
        for &word in &self.words {
            match word {
                END_OF_LINE => corpus.end_sentence()?,
                new if new & NEW != 0 => corpus.push(numbers[(new & !NEW) as usize])?,
                known => corpus.push(known)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;
    use crate::lm::estimate::tape::Space;
    use proptest::prelude::*;

    fn corpus(directory: &Path) -> Corpus {
        Corpus::new(&Space::new(directory, 1 << 20))
    }

    fn append(corpus: &mut Corpus, text: &str, symbols: Symbols) -> Result<()> {
        let batch = Batch { path: Path::new("t"), first_line: 1, text: text.to_string() };
        batch.append_to(corpus, symbols, &Monitor::default())
    }

    fn shown(corpus: Corpus) -> String {
        let text = corpus.finish(None);
        let mut shown = String::new();
        text.visit(0, |word| {
            shown.push_str(text.vocabulary.word(WordId(word)));
            shown.push(' ');
            Ok(true)
        })
        .unwrap();
        shown
    }

    proptest! {
        #[test]
        fn numbers_are_given_in_order_of_first_sight(
            lines in prop::collection::vec(prop::collection::vec("[a-d]{1,2}", 0..9), 0..40),
            cut in 0_usize..40,
        ) {
            let directory = tempfile::tempdir().unwrap();
            let mut corpus = corpus(directory.path());
            let (first, second) = lines.split_at(cut.min(lines.len()));
            let mut expected = Vocabulary::default();
            for word in SYMBOLS.into_iter().chain(lines.iter().flatten().map(String::as_str)) {
                expected.add(word);
            }
            for part in [first, second] {
                let text: String = part.iter().map(|line| line.join(" \t") + "\n").collect();
                append(&mut corpus, &text, Symbols::Refuse).unwrap();
            }
            prop_assert_eq!(corpus.vocabulary(), &expected);
            let all: String =
                lines.iter().flat_map(|line| line.iter().map(String::as_str).chain(["</s>"]))
                .map(|word| format!("{word} ")).collect();
            prop_assert_eq!(shown(corpus), all);
        }
    }

    #[test]
    fn pieces_are_whole_lines() {
        let text: String = (0..100_000).map(|number| format!("line {number}\n")).collect();
        let cut = pieces(&text);
        assert!(cut.len() > 5);
        assert!(cut.iter().all(|piece| piece.ends_with('\n')));
        assert_eq!(cut.concat(), text);
    }

    #[test]
    fn symbols_are_refused_by_line_or_skipped() {
        let directory = tempfile::tempdir().unwrap();
        let text = "a b\n\na <s> b </s>\n";
        let error = append(&mut corpus(directory.path()), text, Symbols::Refuse).unwrap_err();
        assert!(error.to_string().starts_with("t:3: \"<s>\" as a word of the text"), "{error}");
        let mut corpus = corpus(directory.path());
        append(&mut corpus, text, Symbols::Skip).unwrap();
        assert_eq!(shown(corpus), "a b </s> </s> a b </s> ");
    }
}
