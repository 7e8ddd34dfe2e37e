//! The text of an estimation, as numbers: one pass over the words, whatever they come from.

use std::cmp::Reverse;
use std::sync::Arc;

use super::tape::{Space, Tape, TapeWriter, quads};
use crate::{Error, Result, Vocabulary, WordId};

/// What KenLM and ARPA files call them, in the order of their numbers.
pub const SYMBOLS: [&str; 3] = ["<unk>", "<s>", "</s>"];
pub const UNKNOWN: u32 = 0;
pub const BEGIN: u32 = 1;
/// Also what separates sentences on the tape.
pub const END: u32 = 2;

/// Words beyond this many are not told apart: one bit marks words not numbered yet.
const MOST_WORDS: usize = 1 << 31;

/// What a word takes besides its letters, here and with whoever keeps the model: two tables of
/// words, its frequency, count, probability and back-off weight.
const BYTES_PER_WORD: usize = 2 * 96 + 40;

/// A text being read.
pub struct Corpus {
    vocabulary: Vocabulary,
    /// How often each word was seen.
    frequencies: Vec<u64>,
    tape: TapeWriter,
    letters: usize,
    words: u64,
    space: Arc<Space>,
}

impl Corpus {
    pub fn new(space: &Arc<Space>) -> Self {
        let mut vocabulary = Vocabulary::default();
        for symbol in SYMBOLS {
            vocabulary.add(symbol);
        }
        let frequencies = vec![0; SYMBOLS.len()];
        let tape = TapeWriter::new(space, 4);
        Corpus { vocabulary, frequencies, tape, letters: 0, words: 0, space: Arc::clone(space) }
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The word's number, given out now if it is new.
    pub fn number(&mut self, word: &str) -> Result<u32> {
        if let Some(known) = self.vocabulary.get(word) {
            return Ok(known.0);
        }
        self.letters += word.len();
        if self.letters > u32::MAX as usize - 64 || self.frequencies.len() >= MOST_WORDS {
            return Err(Error::setting(
                "more than 4 GiB of distinct words; is the text split into words by spaces?",
            ));
        }
        self.space.charge((4 * word.len() + BYTES_PER_WORD) as u64);
        self.frequencies.push(0);
        Ok(self.vocabulary.add(word).0)
    }

    /// Appends a word by the number that `number` gave it.
    #[inline]
    pub fn push(&mut self, word: u32) -> Result<()> {
        self.words += 1;
        self.frequencies[word as usize] += 1;
        self.tape.row()?.copy_from_slice(&word.to_le_bytes());
        Ok(())
    }

    pub fn end_sentence(&mut self) -> Result<()> {
        self.frequencies[END as usize] += 1;
        self.tape.row()?.copy_from_slice(&END.to_le_bytes());
        Ok(())
    }

    /// The finished text over its `limit` most frequent words (on a tie, those seen first), all
    /// others being `<unk>`; over all words without a limit.
    pub fn finish(self, limit: Option<usize>) -> Text {
        let sentences = self.frequencies[END as usize];
        let known = self.vocabulary.len() - SYMBOLS.len();
        let mut text = Text {
            vocabulary: self.vocabulary,
            frequencies: self.frequencies,
            tokens: self.words + sentences,
            tape: Some(self.tape.finish()),
            numbers: None,
            memory: (4 * self.letters + BYTES_PER_WORD * known) as u64,
            words: self.words,
            sentences,
        };
        if let Some(limit) = limit.filter(|&limit| limit < known) {
            text.limit(limit);
        }
        text
    }
}

/// A text that was read to its end.
pub struct Text {
    pub vocabulary: Vocabulary,
    pub frequencies: Vec<u64>,
    pub words: u64,
    pub sentences: u64,
    /// Bytes that the vocabulary takes.
    pub memory: u64,
    tokens: u64,
    tape: Option<Tape>,
    /// New number of each old one, where the vocabulary was cut down.
    numbers: Option<Vec<u32>>,
}

impl Text {
    /// Words and sentence ends.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Lets go of the tokens, of which there is nothing left to `visit`.
    pub fn release(&mut self) {
        self.tape = None;
    }

    /// Calls `visit` with the tokens from `start` on until it answers false or an error.
    pub fn visit(&self, start: u64, mut visit: impl FnMut(u32) -> Result<bool>) -> Result<()> {
        let Some(tape) = &self.tape else { return Ok(()) };
        let (mut next, mut buffer) = (start, Vec::new());
        loop {
            let bytes = tape.from(next, &mut buffer)?;
            if bytes.is_empty() {
                return Ok(());
            }
            next += bytes.len() as u64 / 4;
            for row in quads(bytes) {
                let token = u32::from_le_bytes(row);
                let token = match &self.numbers {
                    Some(numbers) => numbers[token as usize],
                    None => token,
                };
                if !visit(token)? {
                    return Ok(());
                }
            }
        }
    }

    fn limit(&mut self, limit: usize) {
        let mut ranked: Vec<usize> = (SYMBOLS.len()..self.vocabulary.len()).collect();
        ranked.sort_unstable_by_key(|&word| (Reverse(self.frequencies[word]), word));
        ranked.truncate(limit);
        ranked.sort_unstable();
        let mut numbers = vec![UNKNOWN; self.vocabulary.len()];
        let mut kept = Vocabulary::default();
        for word in (0..SYMBOLS.len()).chain(ranked) {
            numbers[word] = kept.add(self.vocabulary.word(WordId(word as u32))).0;
        }
        let mut frequencies = vec![0; kept.len()];
        for (&number, &frequency) in numbers.iter().zip(&self.frequencies) {
            frequencies[number as usize] += frequency;
        }
        self.vocabulary = kept;
        self.frequencies = frequencies;
        self.numbers = Some(numbers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(sentence: &str, limit: Option<usize>) -> Text {
        let space = Space::new(&std::env::temp_dir(), 1 << 20);
        let mut corpus = Corpus::new(&space);
        for word in sentence.split(' ') {
            let number = corpus.number(word).unwrap();
            corpus.push(number).unwrap();
        }
        corpus.end_sentence().unwrap();
        corpus.finish(limit)
    }

    fn shown(text: &Text) -> String {
        let mut shown = Vec::new();
        text.visit(0, |word| {
            shown.push(text.vocabulary.word(WordId(word)).to_string());
            Ok(true)
        })
        .unwrap();
        shown.join(" ")
    }

    #[test]
    fn rare_words_become_unknown_and_earlier_ones_win_ties() {
        let text = text("d b a c a c b c", Some(2));
        assert_eq!(shown(&text), "<unk> b <unk> c <unk> c b c </s>");
        assert_eq!(text.frequencies, [3, 0, 1, 2, 3]);
        assert_eq!((text.words, text.sentences, text.tokens()), (8, 1, 9));
    }

    #[test]
    fn a_limit_beyond_the_vocabulary_changes_nothing() {
        assert_eq!(shown(&text("a b a", Some(2))), "a b a </s>");
        assert_eq!(shown(&text("a b a", Some(0))), "<unk> <unk> <unk> </s>");
        assert_eq!(shown(&text("a b a", None)), "a b a </s>");
    }
}
