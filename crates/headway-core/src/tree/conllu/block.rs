//! The lines of one sentence, checked as they come.

use std::ops::Range;

use super::row::{Row, RowId};
use super::sentence::Sentence;
use crate::tree::heads::out_of_range;

/// A sentence that is longer has lost its blank lines; reading on would fill memory.
const MAX_SENTENCE: usize = 1 << 30;

/// What went wrong, and in which line of the block (from 0).
#[derive(Debug, PartialEq)]
pub(super) struct Flaw {
    pub line: u64,
    pub message: String,
}

/// Collects the lines of one sentence, blank ones around it included.
#[derive(Default)]
pub(super) struct Block {
    text: String,
    comments: Vec<Range<u32>>,
    rows: Vec<Row>,
    /// The line of each row in the block, for errors that show only at its end.
    row_lines: Vec<u64>,
    lines: u64,
    words: u32,
    /// The last word of the last range, which must come before the next range.
    ranged: u32,
    empties: u32,
    ended: bool,
}

impl Block {
    /// Whether `line` would begin the next sentence.
    pub(super) fn is_full(&self, line: &str) -> bool {
        self.ended && !is_blank(line)
    }

    /// True while there is neither a row nor a comment.
    pub(super) fn is_blank(&self) -> bool {
        self.rows.is_empty() && self.comments.is_empty()
    }

    /// Adds a line with its ending.
    pub(super) fn push(&mut self, line: &str) -> Result<(), String> {
        if self.text.len() + line.len() > MAX_SENTENCE {
            return Err("sentence longer than 1 GiB; are the blank lines missing?".into());
        }
        let start = self.text.len();
        self.text.push_str(line);
        let mark =
            if start == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let line = content(&line[mark..]);
        self.lines += 1;
        if is_blank(line) {
            self.ended = !self.is_blank();
        } else if line.starts_with('#') {
            let start = (start + mark) as u32;
            self.comments.push(start..start + line.len() as u32);
        } else {
            let row = Row::parse(line, start + mark)?;
            self.follow(row.id)?;
            self.rows.push(row);
            self.row_lines.push(self.lines - 1);
        }
        Ok(())
    }

    /// Checks that `id` is the one that comes next.
    fn follow(&mut self, id: RowId) -> Result<(), String> {
        let next = self.words + 1;
        match id {
            RowId::Word(word) if word == next => {
                self.words = word;
                self.empties = 0;
                Ok(())
            }
            RowId::Word(word) => Err(format!(
                "ids out of order: expected word {next}, found {word}; is a blank line missing?"
            )),
            RowId::Range(first, last) => self.follow_range(first, last),
            RowId::Empty(word, index) if word == self.words && index == self.empties + 1 => {
                self.empties = index;
                Ok(())
            }
            RowId::Empty(word, index) => Err(format!(
                "ids out of order: expected empty node {}.{}, found {word}.{index}",
                self.words,
                self.empties + 1
            )),
        }
    }

    fn follow_range(&mut self, first: u32, last: u32) -> Result<(), String> {
        let next = self.words + 1;
        if first >= last {
            return Err(format!("bad range {first}-{last}: its end must come after its start"));
        }
        if first != next {
            return Err(format!(
                "bad range {first}-{last}: it must stand before word {first}, \
                                but the next word here is {next}"
            ));
        }
        if first <= self.ranged {
            return Err(format!("bad range {first}-{last}: word {first} is in a range already"));
        }
        self.ranged = last;
        Ok(())
    }

    /// The sentence, once its last line is in.
    pub(super) fn finish(self) -> Result<Sentence, Flaw> {
        let words = self.words;
        for (row, &line) in self.rows.iter().zip(&self.row_lines) {
            let message = match (row.id, row.head) {
                (RowId::Word(word), Some(head)) if head > words => {
                    format!(
                        "column 7 (HEAD): {}",
                        out_of_range(word as usize, head, words as usize)
                    )
                }
                (RowId::Range(first, last), _) if last > words => {
                    format!("bad range {first}-{last}: the sentence ends at word {words}")
                }
                _ => continue,
            };
            return Err(Flaw { line, message });
        }
        Ok(Sentence::from_parts(self.text, self.comments, self.rows, words))
    }
}

/// A line without its ending.
fn content(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

fn is_blank(line: &str) -> bool {
    content(line).bytes().all(|byte| byte == b' ')
}
