//! The lines of one sentence, checked as they come.

use std::ops::Range;

use super::format::Format;
use super::row::{Row, RowId};
use super::sentence::Sentence;
use crate::text::{MAX_LINE, size};
use crate::tree::heads::out_of_range;

/// A sentence that is longer has lost its blank lines; reading on would fill memory.
pub(super) const MAX_SENTENCE: usize = MAX_LINE;

/// What went wrong, and in which line.
#[derive(Debug, PartialEq)]
pub(super) struct Flaw {
    pub line: u64,
    pub message: String,
}

/// Collects the lines of one sentence, blank ones around it included.
#[derive(Default)]
pub(super) struct Block {
    format: Format,
    /// Bytes that it may have.
    longest: usize,
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
    pub(super) fn new(format: Format, longest: usize) -> Self {
        Block { format, longest, ..Block::default() }
    }

    /// Whether `line` would begin the next sentence.
    pub(super) fn is_full(&self, line: &str) -> bool {
        self.ended && !is_blank(line)
    }

    /// True while there is neither a row nor a comment.
    pub(super) fn is_blank(&self) -> bool {
        self.rows.is_empty() && self.comments.is_empty()
    }

    pub(super) fn has_lines(&self) -> bool {
        self.lines > 0
    }

    /// Adds a line with its ending.
    pub(super) fn push(&mut self, line: &str) -> Result<(), String> {
        if self.text.len() + line.len() > self.longest {
            let longest = size(self.longest);
            return Err(format!("sentence longer than {longest}; are the blank lines missing?"));
        }
        let bare = content(line);
        let (mark, bare) = bare.split_at(if self.text.is_empty() { mark_of(bare) } else { 0 });
        let start = self.text.len() + mark.len();
        self.lines += 1;
        if is_blank(bare) {
            self.ended = !self.is_blank();
            self.text.push_str(line);
        } else if bare.starts_with('#') && self.format != Format::WordTagHead {
            self.comments.push(start as u32..(start + bare.len()) as u32);
            self.text.push_str(line);
        } else {
            let row = self.format.row(bare, self.words + 1)?;
            self.push_row(Row::parse(&row, start)?)?;
            self.text.push_str(mark);
            self.text.push_str(&row);
            self.text.push_str(&line[mark.len() + bare.len()..]);
        }
        Ok(())
    }

    fn push_row(&mut self, row: Row) -> Result<(), String> {
        self.follow(row.id)?;
        self.rows.push(row);
        self.row_lines.push(self.lines - 1);
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

    /// The sentence, once its last line is in; its first line is line `first` of its file.
    pub(super) fn finish(self, first: u64) -> Result<Sentence, Flaw> {
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
            return Err(Flaw { line: first + line, message });
        }
        let leading =
            self.text.lines().take_while(|line| is_blank(&line[mark_of(line)..])).count() as u64;
        let sentence = Sentence::from_parts(self.text, self.comments, self.rows, words);
        Ok(sentence.at_line(first + leading))
    }
}

/// A line without its ending.
fn content(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// The length of a byte order mark, if the line starts with one.
fn mark_of(line: &str) -> usize {
    if line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

fn is_blank(line: &str) -> bool {
    content(line).bytes().all(|byte| byte == b' ')
}
